"""Source lines, cyclomatic and cognitive complexity of Java as SonarQube counts them.

The rules are those of SonarJava 8.1, found and checked by comparing with it. Nothing is recursive, so deep
nesting cannot overflow.

*Cyclomatic*: one for each method and constructor with a body (compact constructors, methods of anonymous and
local classes and of enum constants, default, static and private methods of interfaces), lambda, `if`,
conditional expression, loop (`for`, for-each, `while`, `do`), label that begins with `case` (one for
`case A, B`; `case null, default` too), `&&` and `||`. Not for types, methods without a body, `switch`,
`default`, `catch`, `try`, `throw`, `return`, initializer blocks and method references. What stands in a field
or an annotation counts like all else.

*Cognitive* is the sum over units. A unit is every initializer block, wherever it is, and every method or
constructor whose type is no anonymous class (and no body of an enum constant) and does not stand in another
method, unless a lambda, a field, an enum constant or an initializer block is in between. So what stands in an
initializer block of an anonymous class in a method counts for two units, once with the nesting in each. What
is in no unit, for instance the value of a field, adds nothing. In a unit:

- `if`, conditional expression, loop, `switch` statement and `catch` add 1 and the nesting they stand in; the
  `if` of an `else if` adds nothing, every `else` 1.
- Nested one deeper are: both branches of an `if`, the body of a `catch`, all parts of a loop, conditional
  expression, `switch` statement or lambda, classes and other types, the bodies of anonymous classes and of
  enum constants. The condition of an `if`, the blocks of `try` and `finally` and resources are not.
- A `switch` expression adds nothing and does not nest; what follows an arrow is an expression.
- A run of equal logical operators adds 1, and every change of the operator 1 more. Parentheses do not end a
  run, `!`, other operators and calls do: `a && b || c` adds 2, `a && (b && c)` 1, `a && !(b && c)` 2.
- `break` and `continue` with a label add 1. Recursion adds nothing.

*Source lines* (NCLOC): lines on which a token begins that is no comment. A text block is one token. No tokens
to SonarJava are: commas in `case A, B` and in record patterns, `permits`, `final` of a pattern, `[]` after
the last length in `new int[1][]`, the comma in `{,}`, a receiver parameter, dots in names of modules, and
what stands between the constants and the members of an enum beyond one comma or semicolon (so the `;` after a
trailing comma is none). One rule is left out since it is an error of the analyzer: of a record whose methods
stand before other members it may overlook the opening brace, which matters where a brace has its own line.

*Per function*: increments belong to the innermost method or constructor around them, those of lambdas and
initializer blocks to the function that these stand in. So the file's complexities are the sums over its
functions plus what stands outside them.
"""

from __future__ import annotations

from functools import cache

import tree_sitter_java
from tree_sitter import Language, Parser, Query, QueryCursor

from study.quality.counter import FileCounts, PeerCounts
from study.quality.java_complexity import CONSTRUCTS, read_complexity
from study.quality.java_text import SILENT_TOKENS, source_lines
from study.quality.peers import lizard_counts
from study.quality.trees import refuse_invalid, unix_lines


class JavaCounter:
    """Counter of Java files."""

    endings: tuple[str, ...] = (".java",)

    def count(self, source: bytes) -> FileCounts:
        """Measure one file; see the module for the rules."""
        source = unix_lines(source)
        root = Parser(_language()).parse(source).root_node
        refuse_invalid(root, source)
        found = QueryCursor(_query()).captures(root)
        complexity = read_complexity(root, found)
        return FileCounts(
            sloc=source_lines(source, found),
            cyclomatic=sum(tally.cyclomatic for tally in complexity),
            cognitive=sum(tally.cognitive for tally in complexity),
            functions=complexity[1:],
        )

    def peers(self, file: str, source: bytes) -> PeerCounts:
        """Lizard's numbers."""
        sloc, cyclomatic, cognitive = lizard_counts(file, source.decode("utf-8-sig"))
        return PeerCounts(lizard_sloc=sloc, lizard_cyclomatic=cyclomatic, lizard_cognitive=cognitive)


@cache
def _language() -> Language:
    return Language(tree_sitter_java.language())


@cache
def _query() -> Query:
    return Query(_language(), CONSTRUCTS + SILENT_TOKENS)
