from __future__ import annotations

import pytest

from study.agents.simulated.program.defects import DEFECTS, validation_changes
from study.agents.simulated.program.text import apply

RULES = '''"""Rules of a desk."""

import os

LIMIT = int(os.environ.get("LIMIT", "5"))
PORT = int(os.environ.get("PORT", "8000"))


class Desk:
    def lend(self, loans, book):
        # who has too many gets none
        if len(loans) >= LIMIT:
            raise Problem(409, "limit_reached", f"{len(loans) + 1} loans")
        if book is None:
            return reply({"error": "unknown_book"}, 404)
        elif book.lent:
            raise Problem(409, "lent")
        total = len(loans) + 1  # with this one
        while total > 3:
            total -= 1
        return total
'''
TEXTS = {"rules.py": RULES, "main.py": "def run(x):\n    if x > 1:\n        raise ValueError\n"}


def results(kind: str) -> list[tuple[str, str]]:
    """Place and changed file of every change of a kind."""
    found = []
    for change in DEFECTS[kind](TEXTS):
        changed = apply(TEXTS, change)
        assert changed is not None
        assert change.kind == kind
        assert [name for name in TEXTS if changed[name] != TEXTS[name]] == ["rules.py"]
        found.append((change.place, changed["rules.py"]))
    return found


def replaced(old: str, new: str) -> str:
    assert RULES.count(old) == 1
    return RULES.replace(old, new)


@pytest.mark.parametrize(
    ("kind", "places"),
    [
        ("omit_setting", [("rules.py:module LIMIT", 'os.environ.get("LIMIT", "5")', '("5")')]),
        (
            "omit_validation",
            [
                (
                    "rules.py:Desk.lend",
                    "        # who has too many gets none\n        if len(loans) >= LIMIT:\n"
                    '            raise Problem(409, "limit_reached", f"{len(loans) + 1} loans")\n',
                    "",
                )
            ],
        ),
        (
            "negate_condition",
            [
                ("rules.py:Desk.lend", "if len(loans) >= LIMIT", "if not (len(loans) >= LIMIT)"),
                ("rules.py:Desk.lend", "if book is None", "if not (book is None)"),
                ("rules.py:Desk.lend", "elif book.lent", "elif not (book.lent)"),
            ],
        ),
        ("shift_boundary", [("rules.py:Desk.lend", "len(loans) >= LIMIT", "len(loans) > LIMIT")]),
        ("off_by_one", [("rules.py:Desk.lend", "+ 1  # with", "+ 2  # with")]),
        (
            "other_status",
            [
                ("rules.py:Desk.lend", '(409, "limit_reached"', '(400, "limit_reached"'),
                ("rules.py:Desk.lend", ", 404)", ", 400)"),
                ("rules.py:Desk.lend", '(409, "lent"', '(400, "lent"'),
            ],
        ),
    ],
)
def test_the_text_of_every_place(kind: str, places: list[tuple[str, str, str]]) -> None:
    assert results(kind) == [(place, replaced(old, new)) for place, old, new in places]


def test_the_only_statement_is_replaced_by_pass() -> None:
    texts = {"a.py": "def check(x):\n    if not x:\n        raise ValueError('é')\n"}
    (change,) = DEFECTS["omit_validation"](texts)
    assert apply(texts, change) == {"a.py": "def check(x):\n    pass\n"}


def test_columns_behind_letters_of_several_bytes() -> None:
    texts = {"a.py": 'def check(x):\n    y = "äöü" if x < 3 else "é"\n    return y\n'}
    (change,) = DEFECTS["shift_boundary"](texts)
    changed = apply(texts, change)
    assert changed is not None
    assert changed["a.py"] == texts["a.py"].replace("x < 3", "x <= 3")


@pytest.mark.parametrize(
    ("test", "left_out"),
    [("x > 3", True), ("x is None", False), ("status == 404", False), ("x == 'asked_for'", True)],
)
def test_validations_that_the_rest_relies_on_or_someone_asks_for_stay(test: str, left_out: bool) -> None:
    texts = {"a.py": f"def f(x, status):\n    if {test}:\n        raise Problem('too_many')\n    return x\n"}
    found = list(validation_changes("quiet", texts, frozenset()))
    assert bool(found) == left_out
    assert not list(validation_changes("quiet", texts, frozenset({"too_many"})))
