from __future__ import annotations

import json
import textwrap
from pathlib import Path

import pytest

from study.quality import FunctionCounts, NotSourceError, measure
from study.quality.java import JavaCounter

SNIPPETS = json.loads((Path(__file__).parent / "sonar_java_snippets.json").read_text(encoding="utf-8"))[
    "snippets"
]
COUNTER = JavaCounter()


def counted(source: str) -> tuple[int, int, int]:
    count = COUNTER.count(source.encode())
    return count.sloc, count.cyclomatic, count.cognitive


@pytest.mark.parametrize("snippet", SNIPPETS, ids=[snippet["file"] for snippet in SNIPPETS])
def test_equals_the_analyzer(snippet: dict[str, str]) -> None:
    expected = (snippet["ncloc"], snippet["cyclomatic"], snippet["cognitive"])
    assert counted(snippet["source"]) == expected


# Counted by hand from the rules, for readers who want to see where each point comes from;
# (SLOC, cyclomatic, cognitive).
BY_HAND = {
    "else_if": (
        """
        class A {
            void m(int x) {           // cyc 1
                if (x > 0) {          // cyc 1, cog 1
                    x = 1;
                } else if (x > 1) {   // cyc 1, cog 1 for else
                    x = 2;
                } else {              // cog 1
                    while (x > 2) {   // cyc 1, cog 2
                    }
                }
            }
        }
        """,
        (12, 4, 5),
    ),
    "catch_counts_for_cognitive_only": (
        """
        class A {
            void m() {                    // cyc 1
                try {
                    if (a) { }            // cyc 1, cog 1: try does not nest
                } catch (Exception e) {   // cog 1
                    if (a) { }            // cyc 1, cog 2
                } finally {
                    if (a) { }            // cyc 1, cog 1
                }
            }
        }
        """,
        (11, 4, 5),
    ),
    "switch_statement_and_expression": (
        """
        class A {
            int m(int x) {                      // cyc 1
                switch (x) {                    // cog 1
                    case 1, 2: if (a) { }       // cyc 2, cog 2
                    default: break;
                }
                return switch (x) {             // nothing
                    case 3 -> a ? 1 : 2;        // cyc 2, cog 1
                    default -> 4;
                };
            }
        }
        """,
        (12, 5, 4),
    ),
    "interfaces_and_abstract_methods": (
        """
        interface I {
            void a();                       // nothing: no body
            default void b() { }            // cyc 1
            static void c() { if (x) { } }  // cyc 2, cog 1
            private void d() { }            // cyc 1
        }
        """,
        (6, 4, 1),
    ),
    "double_brace_initialisation_counts_for_two_units": (
        """
        class A {
            void m() {                     // cyc 1
                new HashMap() {{
                    if (a) { }             // cyc 1, cog 2 in m (anonymous class nests) + 1 in the initializer
                }};
            }
        }
        """,
        (7, 2, 3),
    ),
    "values_of_fields_have_no_cognitive_complexity": (
        """
        class A {
            Runnable r = () -> { if (a && b) { } };   // cyc 3
            int x = a ? 1 : 2;                        // cyc 1
        }
        """,
        (4, 4, 0),
    ),
    "text_blocks_and_comments": (
        '''
        class A {
            /* no line of code
               nor this */ int x;
            String s = """
                // a part of the token that begins above
                """;   // the semicolon is a token
        }
        ''',
        (5, 0, 0),
    ),
}


@pytest.mark.parametrize("case", BY_HAND)
def test_counted_by_hand(case: str) -> None:
    source, expected = BY_HAND[case]
    assert counted(textwrap.dedent(source)) == expected


def test_functions() -> None:
    source = """
class Desk {
    Desk() { if (a) { } }
    @Override
    public void
    lend(int x) {
        new Thread(new Runnable() {
            public void run() { if (a) { } }
        });
        Runnable r = () -> { if (a) { } };
    }
    enum State { OPEN { void go() { } } }
    abstract static class Part { abstract void none(); }
    { if (a) { } }
}
record Pair(int a) { Pair { if (a > 0) { } } }
"""
    count = COUNTER.count(source.encode())
    assert count.functions == [
        FunctionCounts("Desk.Desk", 3, 2, 1),
        FunctionCounts("Desk.lend", 6, 3, 2),
        FunctionCounts("Desk.lend.new Runnable.run", 8, 2, 2),
        FunctionCounts("Desk.State.OPEN.go", 12, 1, 0),
        FunctionCounts("Pair.Pair", 16, 2, 1),
    ]
    # the initializer block is in no function
    assert (count.cyclomatic, count.cognitive) == (10 + 1, 6 + 1)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_and_byte_order_mark_change_nothing(end: str) -> None:
    source = 'class A {\n  // x\n  String s = """\n    a\n    """;\n  int y;\n}\n'
    assert counted(source) == counted("\ufeff" + source.replace("\n", end)) == (5, 0, 0)


def test_deep_and_long_code() -> None:
    depth = 3_000
    nested = "class A { void m() {" + "if (a) {" * depth + "}" * depth + "} }"
    assert counted(nested) == (1, depth + 1, depth * (depth + 1) // 2)
    chain = "class A { void m() {" + "if (a) { } else " * depth + "{ } } }"
    assert counted(chain) == (1, depth + 1, depth + 1)
    terms = "class A { boolean m() { return " + " && ".join(["a"] * depth) + "; } }"
    assert counted(terms) == (1, depth, 1)
    parentheses = "class A { boolean b = " + "(" * depth + "a" + ")" * depth + "; }"
    assert counted(parentheses) == (1, 0, 0)
    with pytest.raises(NotSourceError, match="nested more than 50000 levels deep"):
        counted("class A { boolean b = " + "!" * 60_000 + "a; }")


def test_empty_files() -> None:
    assert counted("") == counted("\n\n") == counted("/* only */ // comments") == (0, 0, 0)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("class A {\n  void m( {\n}", "syntax error in line 2"),
        ("class A { }\n}\n", "syntax error in line 2"),
        ("class A { \0 }", "NUL byte"),
        ("<html></html>", "syntax error in line 1"),
    ],
)
def test_what_is_no_java_is_refused(source: str, message: str) -> None:
    with pytest.raises(NotSourceError, match=message):
        counted(source)


def test_a_service_in_java(tmp_path: Path) -> None:
    main, test = tmp_path / "src/main/java/a", tmp_path / "src/test/java/a"
    for folder in (main, test):
        folder.mkdir(parents=True)
    (main / "A.java").write_text("@Entity(name = 1)\nclass A {\n  void m() { try { } catch (E e) { } }\n}\n")
    (main / "Broken.java").write_text("class {")
    (test / "ATest.java").write_text("class ATest { }")
    quality = measure(tmp_path, ["src/main/java/**/*.java"], [], "java")
    assert (quality.files, quality.sloc, quality.cyclomatic, quality.cognitive) == (1, 4, 1, 1)
    assert quality.unparsed == ["src/main/java/a/Broken.java: syntax error in line 1"]
    assert (quality.radon_sloc, quality.radon_cyclomatic) == (None, None), "radon does not read Java"
    assert (quality.lizard_sloc, quality.lizard_cyclomatic) == (4, 2), "lizard counts catch"
