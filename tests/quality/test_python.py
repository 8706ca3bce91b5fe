from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest

from study.quality.python import count_python

SNIPPETS = json.loads((Path(__file__).parent / "sonar_snippets.json").read_text())["snippets"]


@pytest.mark.parametrize("snippet", SNIPPETS, ids=[snippet["file"] for snippet in SNIPPETS])
def test_equals_the_analyzer(snippet: dict[str, object]) -> None:
    count = count_python(str(snippet["source"]).encode())
    expected = (snippet["ncloc"], snippet["cyclomatic"], snippet["cognitive"])
    assert (count.sloc, count.cyclomatic, count.cognitive) == expected


def counted(text: str) -> tuple[int, int, int]:
    count = count_python(textwrap.dedent(text).encode())
    return count.sloc, count.cyclomatic, count.cognitive


# Counted by hand from the rules; (SLOC, cyclomatic, cognitive).
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
            if b:              # cyc 1, cog 1
                pass
        class C:
            if d:              # cyc 2, cog 1
                pass
        f = lambda x: x if x else 0   # cyc 3, cog 1
        """,
        (7, 3, 3),
    ),
    "match": (
        """
        match a:
            case 1 if b:       # no count for case or guard
                if c:          # cyc 1, cog 2: the case block nests
                    pass
            case _:
                pass
        """,
        (6, 1, 2),
    ),
    "comprehensions": (
        """
        x = [a for a in b if a if c]   # cyc 2: two ifs, no for
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
    "nested_quotes_in_an_f_string": ('x = f"{d["k"] if d else "n"}"\n', (1, 1, 1)),
    "comments_and_blank_lines": ("# a\n\nx = 1  # b\n   # c\n", (1, 0, 0)),
    "semicolons_and_continuations": ("a = 1; b = 2\nc = 1 + \\\n    2\n", (3, 0, 0)),
    "strings_cover_their_lines": ('x = """a\n\nb"""\n', (3, 0, 0)),
    "docstrings_are_no_code": ('"""M"""\nclass C:\n    """C\n\n    more"""\n    x = 1\n', (2, 0, 0)),
    "second_string_is_code": ('"""M"""\n"""N"""\n', (1, 0, 0)),
    "byte_order_mark": ("\ufeffx = 1\n", (1, 0, 0)),
    "no_newline_at_the_end": ("if a: pass", (1, 1, 1)),
    "empty": ("", (0, 0, 0)),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_equals_a_count_by_hand(name: str) -> None:
    text, expected = BY_HAND[name]
    assert counted(text) == expected


def test_functions_are_counted_once_and_innermost() -> None:
    source = textwrap.dedent("""
        if a: pass
        class Desk:
            @property
            def lend(self):
                if a and b: pass
                def check():
                    for x in y: pass
        async def go(): pass
        """)
    count = count_python(source.encode())
    # check: def + for; cognitive: nested one deeper, so for = 2. lend: def + if + and; cognitive if 1 + run 1
    assert [(f.name, f.line, f.cyclomatic, f.cognitive) for f in count.functions] == [
        ("Desk.lend", 5, 3, 2),
        ("Desk.lend.check", 7, 2, 2),
        ("go", 9, 1, 0),
    ]
    assert count.cyclomatic == 1 + sum(f.cyclomatic for f in count.functions)
    assert count.cognitive == 1 + sum(f.cognitive for f in count.functions)


@pytest.mark.parametrize("text", ["def f(:\n", "x = (1\n", "if a\n    pass\n"])
def test_no_count_of_broken_code(text: str) -> None:
    with pytest.raises(SyntaxError, match="line 1"):
        count_python(text.encode())


def test_deep_nesting_does_not_overflow() -> None:
    assert count_python(("x = " + "(" * 3000 + "a" + ")" * 3000).encode()).sloc == 1
    assert count_python(("x = " + " and ".join(["a"] * 5000)).encode()).cyclomatic == 4999
