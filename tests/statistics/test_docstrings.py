"""The checked values in the docstrings of the statistics."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import study.statistics

MODULES = [m.name for m in pkgutil.walk_packages(study.statistics.__path__, "study.statistics.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name), raise_on_error=False)
    assert failed == 0


def test_functions_with_results_have_checked_values() -> None:
    modules = [importlib.import_module(name) for name in MODULES]
    examples = sum(len(t.examples) for m in modules for t in doctest.DocTestFinder().find(m))
    assert examples > 60
