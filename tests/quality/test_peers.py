from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest

from study.quality.peers import lizard_counts, radon_counts

NESTED = '''
"""Doc."""
class K:
    """Doc
    of two lines."""
    def m(self):
        for x in [y for y in z if y]:
            assert x
    def n(self): pass
def f():
    try:
        pass
    except E:
        pass
if a: pass
'''


def test_known_numbers() -> None:
    # Radon: m = 1 + for + comprehension 2 + assert, n = 1, f = 1 + except; the last `if` is in no function.
    # Its SLOC leaves out blank lines and docstrings.
    assert radon_counts(NESTED) == (11, 5 + 1 + 2)
    # Lizard: m = 1 + for + comprehension 2, f = 1 + except; it does not see n, which is on one line.
    assert lizard_counts("a.py", NESTED) == (11, 4 + 2, 2)


@pytest.mark.parametrize(
    "text", ["def f(:\n", "x = '\n", "x\0y", "x = " + "-" * 20_000 + "1", "\x0c \\", "'''"]
)
def test_neither_raises(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert radon_counts(text) == (None, None)
    lizard_counts("a.py", text)
    assert capsys.readouterr() == ("", "")


def test_radon_is_spared_what_takes_it_minutes() -> None:
    assert radon_counts("x = [\n" + "    1,\n" * 5_000 + "]\ndef f(): pass\n") == (None, 1)
    assert radon_counts("x = [\n" + "    1,\n" * 50 + "]\ndef f(): pass\n") == (53, 1)


def test_warnings_of_the_subject_are_not_ours() -> None:
    before = list(warnings.filters)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(radon_counts, ["x = '\\d'\nassert (1, 'a')\n" * 50] * 20))
    assert set(results) == {(100, 0)}
    assert list(warnings.filters) == before
