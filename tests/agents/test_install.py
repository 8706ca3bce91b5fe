"""Installing, with an npm that is a script: what it gets, what it leaves, what is said when it fails."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from study.agents.install import MARKER, Package, install
from study.schema import StudyError

PACKAGE = Package("tool", "npm", "@vendor/tool", "1.2.3", ("node_modules/*/bin/tool",), ("node@22.0.0",))
NPM = """#!/bin/sh
echo "$@" >> "$STUDY_CACHE/asked"
[ -e "$STUDY_CACHE/broken" ] && { echo 'npm error 404 no such package'; exit 1; }
[ -e "$STUDY_CACHE/slow" ] && sleep 30
mkdir -p node_modules/tool-linux/bin
[ -e "$STUDY_CACHE/empty" ] && exit 0
echo '#!/bin/sh' > node_modules/tool-linux/bin/tool
chmod +x node_modules/tool-linux/bin/tool
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder, programs = tmp_path / "cache", tmp_path / "bin"
    folder.mkdir()
    programs.mkdir()
    (programs / "npm").write_text(NPM)
    (programs / "npm").chmod(0o755)
    monkeypatch.setenv("STUDY_CACHE", str(folder))
    monkeypatch.setenv("PATH", f"{programs}:{os.defpath}")
    return folder


def test_a_pinned_version_goes_to_the_cache_once(cache: Path) -> None:
    assert PACKAGE.program() is None
    program = install(PACKAGE)
    assert program == cache / "agents/tool/1.2.3/node_modules/tool-linux/bin/tool"
    assert install(PACKAGE) == program == PACKAGE.program()
    asked = (cache / "asked").read_text().splitlines()
    assert len(asked) == 1
    assert asked[0].startswith("install ")
    assert asked[0].endswith(" @vendor/tool@1.2.3 node@22.0.0")
    assert json.loads((PACKAGE.folder() / MARKER).read_text())["version"] == "1.2.3"


def test_another_version_stands_beside_it(cache: Path) -> None:
    install(PACKAGE)
    install(PACKAGE, "2.0.0")
    assert PACKAGE.installed() == ["1.2.3", "2.0.0"]
    assert PACKAGE.program("2.0.0") != PACKAGE.program()


def test_an_installation_that_was_cut_off_is_begun_again(cache: Path) -> None:
    install(PACKAGE)
    (PACKAGE.folder() / MARKER).unlink()
    (PACKAGE.folder() / "rest").write_text("")
    assert PACKAGE.program() is None
    install(PACKAGE)
    assert not (PACKAGE.folder() / "rest").exists()


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("broken", "npm install failed: npm error 404 no such package (more in "),
        ("empty", "has no program node_modules/*/bin/tool; is there a build of it for this system?"),
        ("slow", "no end of "),
    ],
)
def test_what_fails_is_said_and_leaves_nothing_usable(cache: Path, how: str, said: str) -> None:
    (cache / how).write_text("")
    with pytest.raises(StudyError) as error:
        install(PACKAGE, seconds=0.5 if how == "slow" else 20)
    assert str(error.value).startswith("tool: ")
    assert said in str(error.value)
    assert PACKAGE.program() is None


def test_without_npm_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(StudyError, match="npm, which is not on PATH; install Node.js and npm, or give"):
        install(PACKAGE)


def test_two_at_once_install_it_once(cache: Path) -> None:
    threads = [threading.Thread(target=install, args=(PACKAGE,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len((cache / "asked").read_text().splitlines()) == 1
