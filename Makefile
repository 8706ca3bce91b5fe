# Everything a reader of the README needs; `make` alone lists it.
PYTHON ?= python3
BIN := .venv/bin
# Notebooks start seconds faster from compiled bytecode, whatever the shell says.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup system-packages reproduce test lint types notebooks lab lock clean

help:  ## list these targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

setup: .venv/ready  ## make .venv with the `study` command, from the lock file

.venv/ready: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make setup PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	@awk '/^[a-z]/ {keep = /^uv==/} keep' requirements.lock > .venv/uv.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r .venv/uv.lock
	UV_COMPILE_BYTECODE=1 $(BIN)/uv pip sync --quiet --python $(BIN)/python --require-hashes requirements.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

system-packages:  # bubblewrap confines agents better; without it, the tests that need it are skipped
	@if command -v bwrap >/dev/null; then :; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends bubblewrap; } >/dev/null \
	    || echo "could not install bubblewrap: the tests that need it are skipped"; \
	else echo "bubblewrap is not installed: the tests that need it are skipped"; fi

reproduce: setup  ## run the embedded 144-run experiment and everything after it (about 5 minutes)
	$(BIN)/study reproduce

test: setup system-packages  ## run all tests (under 10 minutes)
	$(BIN)/python -m pytest -n 2

lint: setup  ## style
	$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: setup  ## strict types
	$(BIN)/mypy

notebooks: setup  ## execute the notebooks afresh and compare with their stored outputs
	$(BIN)/python -m study.notebooks check --figures figures

lab: setup  ## open the notebooks
	$(BIN)/jupyter lab notebooks

lock:  ## renew requirements.lock after a change of pyproject.toml
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --group dev pyproject.toml -o requirements.lock

clean:  ## remove .venv and caches (results/ stays)
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache
