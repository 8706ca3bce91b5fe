"""The checked values in the docstrings of the statistics."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil

import pytest

import study.statistics

MODULES = [m.name for m in pkgutil.walk_packages(study.statistics.__path__, "study.statistics.")]
TIDY = [
    "agreement", "aligned", "as_published", "effects", "equivalence", "linear", "models", "permutation",
    "related", "sensitivity",
]  # fmt: skip
ELSEWHERE = {
    "aligned_ranks": "art.* and art_* of the reference values",
    "shapiro_wilk": "sw_* of the reference values",
    "jmp_two_sample": "jmp_* of the reference values",
    "nemenyi": "friedman_agent of the reference values",
    "conover": "friedman_agent of the reference values",
}
"""No short example of these; their values are those of R and Python on the reference runs (`test_check`)."""


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name), raise_on_error=False)
    assert failed == 0


@pytest.mark.parametrize("name", TIDY)
def test_every_function_that_gives_results_has_a_checked_value(name: str) -> None:
    module = importlib.import_module(f"study.statistics.{name}")
    functions = {
        key: value
        for key, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not key.startswith("_")
    }
    results = [
        key for key, f in functions.items() if inspect.signature(f).return_annotation == "pd.DataFrame"
    ]
    assert results
    bare = [key for key in results if ">>>" not in (functions[key].__doc__ or "") and key not in ELSEWHERE]
    assert [key for key in bare if key != "one_level"] == []
