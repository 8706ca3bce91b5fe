from __future__ import annotations

import ast

import pytest

from study.agents.simulated.program.measure import measure
from study.agents.simulated.program.reshape import FORMS, apply_all
from study.agents.simulated.program.text import apply

CASES = [
    (
        "return_condition",
        "def f(x):\n    if x > 1:\n        return True\n    return False\n",
        "def f(x):\n    return x > 1\n",
    ),
    (
        "return_condition",
        "def f(x):\n    if x and x.y:\n        return False\n    return True\n",
        "def f(x):\n    return not (x and x.y)\n",
    ),
    (
        "conditional_value",
        "def f(x):\n    if x:\n        return x.a\n    return 0\n",
        "def f(x):\n    return x.a if x else 0\n",
    ),
    (
        "chain_branches",
        "def f(x):\n    if x > 1:\n        raise A\n    # then\n    if x < 0:\n        x = 0\n",
        "def f(x):\n    if x > 1:\n        raise A\n    # then\n    elif x < 0:\n        x = 0\n",
    ),
    (
        "drop_else",
        "def f(x):\n    if x:\n        return 1\n    else:\n        y = 2\n        # why\n        return y\n",
        "def f(x):\n    if x:\n        return 1\n    y = 2\n    # why\n    return y\n",
    ),
    ("membership", "def f(x):\n    return x == 1 or x == 2\n", "def f(x):\n    return x in (1, 2)\n"),
    (
        "inline_body",
        "def f(x):\n    if not x:\n        raise A(1)\n    return x\n",
        "def f(x):\n    if not x: raise A(1)\n    return x\n",
    ),
    (
        "join_lines",
        "def f(x):\n    return g(\n        x,\n        [\n            1,\n        ],\n    )\n",
        "def f(x):\n    return g(x, [1])\n",
    ),
    (
        "split_call",
        "def f(x):\n    return g(x, y=(1, 2))\n",
        "def f(x):\n    return g(\n        x,\n        y=(1, 2),\n    )\n",
    ),
]


@pytest.mark.parametrize(("kind", "before", "after"), CASES)
def test_the_text_of_each_form(kind: str, before: str, after: str) -> None:
    (change,) = FORMS[kind]({"a.py": before})
    assert change.place == "a.py:f"
    assert apply({"a.py": before}, change) == {"a.py": after}


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("chain_branches", "def f(x):\n    if x:\n        y = 1\n    if y:\n        return 2\n"),
        ("drop_else", 'def f(x):\n    if x:\n        return 1\n    else:\n        return """a\n    b"""\n'),
        ("membership", "def f(x, y):\n    return x == 1 or y == 2\n"),
        ("join_lines", "x = (\n    1,  # one\n    2,\n)\n"),
        ("join_lines", "x = g(\n    '''a\n    b''',\n)\n"),
        ("split_call", "x = sum(a for a in b)\n"),
        ("conditional_value", "def f(x):\n    if x:\n        return 1\n    # why\n    return 2\n"),
    ],
)
def test_what_would_change_the_meaning_or_lose_a_comment_is_left_alone(kind: str, text: str) -> None:
    assert list(FORMS[kind]({"a.py": text})) == []


@pytest.mark.parametrize("kind", ["inline_body", "join_lines", "split_call"])
def test_layout_is_not_meaning(kind: str) -> None:
    for case, before, after in CASES:
        if case == kind:
            assert ast.dump(ast.parse(before)) == ast.dump(ast.parse(after))


def test_one_element_tuples_stay_tuples() -> None:
    before = "x = g(\n    (\n        1,\n    ),\n    2,\n)\n"
    changes = list(FORMS["join_lines"]({"a.py": before}))
    for change in changes:
        changed = apply({"a.py": before}, change)
        assert changed is not None
        assert ast.dump(ast.parse(changed["a.py"])) == ast.dump(ast.parse(before))


def test_changes_at_the_same_place_are_not_mixed() -> None:
    text = "def f(x):\n    if x > 1:\n        return True\n    return False\n"
    texts = {"a.py": text}
    changes = [*FORMS["return_condition"](texts), *FORMS["conditional_value"](texts)]
    changed, done = apply_all(texts, changes)
    assert [change.kind for change in done] == ["return_condition"]
    assert changed["a.py"] == "def f(x):\n    return x > 1\n"


def test_fewer_branches_by_sonarqubes_count() -> None:
    """By hand: def, if, if, `or` make 4; an `elif` is not counted, so chaining leaves 3."""
    before = (
        "def f(x):\n    if x > 1 or x < 0:\n        raise A\n    if x == 1:\n        return 2\n    return 3\n"
    )
    (change,) = FORMS["chain_branches"]({"a.py": before})
    after = apply({"a.py": before}, change)
    assert after is not None
    assert (measure({"a.py": before}).cyclomatic, measure(after).cyclomatic) == (4, 3)
