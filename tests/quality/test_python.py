from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest

from study.quality import NotSourceError
from study.quality.python import PythonCounter

SNIPPETS = json.loads((Path(__file__).parent / "sonar_snippets.json").read_text(encoding="utf-8"))["snippets"]
COUNTER = PythonCounter()


def counted(source: str) -> tuple[int, int, int]:
    count = COUNTER.count(source.encode())
    return count.sloc, count.cyclomatic, count.cognitive


@pytest.mark.parametrize("snippet", SNIPPETS, ids=[snippet["file"] for snippet in SNIPPETS])
def test_equals_the_analyzer(snippet: dict[str, str]) -> None:
    expected = (snippet["ncloc"], snippet["cyclomatic"], snippet["cognitive"])
    assert counted(snippet["source"]) == expected


# Counted by hand from the rules, for readers who want to see where each point comes from;
# (SLOC, cyclomatic, cognitive). The snippets above cover the same rules and many more cases.
BY_HAND = {
    "elif_and_else": (
        """
        if a:      # cyc 1, cog 1
            x
        elif b:    # cog 1
            x
        else:      # cog 1
            x
        """,
        (6, 1, 3),
    ),
    "nesting": (
        """
        def f():               # cyc 1
            for a in b:        # cyc 2, cog 1
                if a:          # cyc 3, cog 2
                    while c:   # cyc 4, cog 3
                        pass
        """,
        (5, 4, 6),
    ),
    "else_of_loops_and_try": (
        """
        for a in b:    # cyc 1, cog 1
            pass
        else:          # cog 1
            if x:      # cyc 2, cog 2: the else block nests
                pass
        try:
            if y:      # cyc 3, cog 1: a try block does not nest
                pass
        except E:      # cog 1
            if z:      # cyc 4, cog 2
                pass
        else:          # cog 1
            pass
        finally:
            if w:      # cyc 5, cog 1: nor does finally
                pass
        """,
        (16, 5, 10),
    ),
    "with_class_and_lambda_do_not_nest": (
        """
        with a:
            if b:                     # cyc 1, cog 1
                pass
        class C:
            if d:                     # cyc 2, cog 1
                pass
        f = lambda x: x if x else 0   # cyc 3, cog 1
        """,
        (7, 3, 3),
    ),
    "match": (
        """
        match a:
            case 1 if b:       # nothing for case or guard
                if c:          # cyc 1, cog 2: the case block nests
                    pass
            case _:
                pass
        """,
        (6, 1, 2),
    ),
    "comprehensions": (
        """
        x = [a for a in b if a if c]   # cyc 2: two ifs, nothing for the for
        y = {k: v for k, v in z}
        """,
        (2, 2, 0),
    ),
    "boolean_runs": (
        """
        a and b and c            # cyc 2, cog 1
        (a and b) or c           # cyc 2, cog 2: parentheses end a run
        a or b or c and d        # cyc 3, cog 2
        not (a and b)            # cyc 1, cog 1
        a and not b and c        # cyc 2, cog 1
        """,
        (5, 10, 7),
    ),
    "conditional_expressions_nest_their_parts": (
        """
        if a:                           # cyc 1, cog 1
            x = b if c else d           # cyc 2, cog 2
        y = (a if b else c) if d else e # cyc 4, cog 1 for the outer + 2 for the inner
        """,
        (3, 4, 6),
    ),
    "nested_def_in_a_decorator": (
        """
        def deco(f):             # cyc 1; only defines and returns a name
            def wrapped():       # cyc 2; so it starts at 0
                if a:            # cyc 3, cog 1
                    pass
            return wrapped
        """,
        (5, 3, 1),
    ),
    "nested_def_in_a_function_that_does_more": (
        """
        def outer():             # cyc 1
            x = 1
            def inner():         # cyc 2
                if a:            # cyc 3, cog 2
                    pass
            return inner
        """,
        (6, 3, 2),
    ),
    "class_in_a_function_starts_at_zero": (
        """
        def f():                 # cyc 1
            if a:                # cyc 2, cog 1
                class K:
                    if b:        # cyc 3, cog 1
                        pass
                    def m(self): # cyc 4; its parent is the class, so it starts at 0
                        if c:    # cyc 5, cog 1
                            pass
        """,
        (8, 5, 3),
    ),
    "async_and_type_parameters": (
        """
        async def f[T](a: T):    # cyc 1
            async for b in a:    # cyc 2, cog 1
                async with b:
                    await b
        type A[T] = list[T]
        """,
        (5, 2, 1),
    ),
    "nested_quotes_in_an_f_string": (
        """
        x = f"{d["k"] if d else "n"}"   # cyc 1, cog 1, whatever Python runs this
        """,
        (1, 1, 1),
    ),
    "lines_of_an_import": (
        """
        from a import (          # 1
            b,                   # 2
            c                    # 3
        )                        # the bracket is no token
        x = (                    # 4
            b                    # 5
        )                        # 6: this one is
        """,
        (6, 0, 0),
    ),
    "lines_of_docstrings": (
        '''
        """Not counted

        at all."""
        class C:                 # 1
            """Not counted."""
            x = 1                # 2
            """Counted: not the first statement,

            with its blank line"""  # 3, 4, 5
        ''',
        (5, 0, 0),
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_equals_a_count_by_hand(name: str) -> None:
    text, expected = BY_HAND[name]
    assert counted(textwrap.dedent(text)) == expected


def test_old_line_ends_count_like_new_ones() -> None:
    source = "x = 1\nif x and \\\n  y:\n  z = '''a\n\n  b'''\n"
    assert (
        counted(source)
        == counted(source.replace("\n", "\r\n"))
        == counted(source.replace("\n", "\r"))
        == (6, 2, 2)
    )


def test_increments_belong_to_the_innermost_function() -> None:
    source = textwrap.dedent("""
        if a: pass
        class Desk:
            open = 1 if a else 2
            @property
            @when(x or y)
            def lend(self, until=1 if a else 2):
                if a and b: pass
                key = lambda x: x if x else 0
                def check():
                    for x in y: pass
                class Slip:
                    z = a or b
                    def sign(self): pass
                if c: pass
        async def go(): pass
        """)
    count = COUNTER.count(source.encode())
    # lend: def, or, default, if, and, lambda, or of Slip's body, if; cognitive 7, nothing nested
    # check: def, for; cognitive 2: `for` stands one deeper
    assert [(f.name, f.line, f.cyclomatic, f.cognitive) for f in count.functions] == [
        ("Desk.lend", 7, 8, 7),
        ("Desk.lend.check", 10, 2, 2),
        ("Desk.lend.Slip.sign", 14, 1, 0),
        ("go", 16, 1, 0),
    ]
    # what is left stands at module level (`if`) and in a class body (`open`)
    assert count.cyclomatic - sum(f.cyclomatic for f in count.functions) == 2
    assert count.cognitive - sum(f.cognitive for f in count.functions) == 2


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("x = 1\ndef f(:\n", "line 2"),
        ("x = (1\n", "line 1"),
        ("x = 1\nif a\n    pass\n", "line 2"),
        ("x = '''a\n", "line 1"),
        ("x = f'{a'\n", "line 1"),
        ("def f():\nreturn 1\n", "line 1: block without statement"),
        ("class A:\n    # nothing\nx = 1\n", "line 1: block without statement"),
        ("x = 1\n    y = 2\n", "line 2: indentation"),
        ("    x = 1\n", "line 1: indentation"),
        ("if a:\n    b\n  c\n", "line 3: indentation"),
        ("x = 'a\0b'\n", "NUL"),
    ],
)
def test_text_that_is_no_python_is_not_counted(source: str, reason: str) -> None:
    with pytest.raises(NotSourceError, match=reason):
        COUNTER.count(source.encode())


@pytest.mark.parametrize(
    "source",
    [
        "if a: x; \\\n  y\n",
        "x = 1; \\\n   y = 2\n",
        "def f():\n\tx\n\n  # a comment anywhere\n\ty\n",
        "if a:\n        x\n\ty\n",
        "\x0c\nx = 1\n\x0cy = 2\n",
    ],
)
def test_odd_alignment_that_is_python(source: str) -> None:
    assert COUNTER.count(source.encode()).sloc > 0


def test_deep_nesting_neither_overflows_nor_counts_in_part() -> None:
    assert counted("x = " + "(" * 3000 + "a" + ")" * 3000) == (1, 0, 0)
    assert counted("x = " + " and ".join(["a"] * 5000)) == (1, 4999, 1)
    assert counted("x = " + "a if b else " * 1000 + "c") == (1, 1000, 1000 * 1001 // 2)
    with pytest.raises(NotSourceError, match="levels deep"):
        counted("x = " + " and ".join(["a"] * 70_000))


def test_large_files_of_any_shape_end_soon() -> None:
    # each of these took minutes with a query on a broken tree or a depth that is looked up again and again
    for source in ("(" * 500_000, "x=" + "(" * 200_000 + "1" + ")" * 200_000):
        with pytest.raises(NotSourceError):
            counted(source)
    assert counted("x = [\n" + "    1,\n" * 20_000 + "]\n") == (20_002, 0, 0)
