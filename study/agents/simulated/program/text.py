"""Source text with its syntax tree: positions come from `ast`, changes are made in the text."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

FunctionNode = (ast.FunctionDef, ast.AsyncFunctionDef)
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Edit:
    """Replace the text of a file from `start` up to `end` (characters, from 0)."""

    file: str
    start: int
    end: int
    text: str = ""


@dataclass(frozen=True)
class Change:
    """One transformation at one place."""

    kind: str
    place: str
    """`file:function`, for the record of what was planted."""
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Block:
    """One statement in its list, and where that is."""

    function: str
    """Qualified name of the function or class around it; empty at module level."""
    siblings: list[ast.stmt]
    index: int
    in_loop: bool
    """In a `while`, or one itself, where a wrong condition might never end."""

    @property
    def statement(self) -> ast.stmt:
        return self.siblings[self.index]

    @property
    def following(self) -> ast.stmt | None:
        return self.siblings[self.index + 1] if self.index + 1 < len(self.siblings) else None


class Module:
    """One Python file."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of the tree."""
        return list(ast.walk(self.tree))

    @cached_property
    def words(self) -> Counter[str]:
        """How often each identifier or word stands in the text, imports of it left out."""
        return Counter(re.findall(r"\w+", self.text)) - Counter(self.imported)

    @cached_property
    def imported(self) -> list[str]:
        """Names in import statements."""
        return [node.name for node in self.nodes if isinstance(node, ast.alias)]

    @cached_property
    def lines(self) -> list[str]:
        # not str.splitlines: Python's own line ends only, so that numbers agree with the tree's
        return [line + "\n" for line in self.text.split("\n")]

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line))
        return starts

    def offset(self, line: int, column: int) -> int:
        """Character offset of a position of the tree, whose columns count UTF-8 bytes."""
        text = self.lines[line - 1]
        if not text.isascii():
            column = len(text.encode()[:column].decode())
        return self._starts[line - 1] + column

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Start and end of a node, without decorators."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def source(self, node: ast.expr | ast.stmt) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    def whole_lines(self, statement: ast.stmt) -> tuple[int, int] | None:
        """From the first decorator, or the comment right above, to the end of the last line.

        None if the statement shares a line with another (`a = 1; b = 2`, `if a: b = 1`).
        """
        decorators = getattr(statement, "decorator_list", [])
        first = min([statement.lineno, *(node.lineno for node in decorators)])
        assert statement.end_lineno is not None and statement.end_col_offset is not None
        start, end = self._starts[first - 1], self._starts[statement.end_lineno]
        before = self.lines[first - 1][: statement.col_offset]
        after = self.text[self.offset(statement.end_lineno, statement.end_col_offset) : end]
        if before.strip() or after.split("#")[0].strip():
            return None
        while first > 1 and self.lines[first - 2].startswith(before + "#"):
            first -= 1
            start = self._starts[first - 1]
        return start, min(end, len(self.text))

    def remove(self, block: Block) -> Edit | None:
        """Take a statement out with its comment; `pass` stands in where nothing would be left."""
        lines = self.whole_lines(block.statement)
        if lines is None:
            return None
        start, end = lines
        if len(block.siblings) == 1:
            return Edit(self.file, start, end, self.indent(block.statement) + "pass\n")
        top_level = not block.function and isinstance(block.statement, Definition)
        while top_level and self.text.startswith("\n", end):
            end += 1  # the blank lines below go with it, those above stay
        return Edit(self.file, start, end)

    def indent(self, statement: ast.stmt) -> str:
        return self.lines[statement.lineno - 1][: statement.col_offset]

    def blocks(self) -> list[Block]:
        """All statements, in the order of the text."""
        return self._blocks

    @cached_property
    def _blocks(self) -> list[Block]:
        return list(_blocks(self.tree.body, "", False))

    def definitions(self) -> Iterator[Block]:
        """Functions and classes at module level."""
        for index, statement in enumerate(self.tree.body):
            if isinstance(statement, Definition):
                yield Block("", self.tree.body, index, False)


def _blocks(body: list[ast.stmt], function: str, in_loop: bool) -> Iterator[Block]:
    for index, statement in enumerate(body):
        looping = in_loop or isinstance(statement, ast.While)
        yield Block(function, body, index, looping)
        inside = function
        if isinstance(statement, Definition):
            inside = f"{function}.{statement.name}" if function else statement.name
        for field in ("body", "orelse", "finalbody"):
            yield from _blocks(getattr(statement, field, []), inside, looping)
        for part in [*getattr(statement, "handlers", []), *getattr(statement, "cases", [])]:
            yield from _blocks(part.body, inside, looping)


@lru_cache(maxsize=128)
def module(file: str, text: str) -> Module:
    """The parsed file; parsed once as long as its text stays the same."""
    return Module(file, text)


def own_expressions(statement: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement itself, not of the statements inside it.

    Those inside f-strings are left out: Python 3.11 has no reliable positions for them.
    """
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.expr | ast.keyword | ast.withitem):
            inside = {
                id(part)
                for node in ast.walk(child)
                if isinstance(node, ast.JoinedStr)
                for part in ast.walk(node)
                if part is not node
            }
            for node in ast.walk(child):
                if isinstance(node, ast.expr) and id(node) not in inside:
                    yield node


def is_elif(source: Module, statement: ast.stmt) -> bool:
    """Whether an `if` is written as `elif`."""
    return isinstance(statement, ast.If) and source.text.startswith("elif", source.span(statement)[0])


Texts = dict[str, str]
"""The files of a service: path below its directory to text."""


def modules(texts: Texts) -> list[Module]:
    """The Python files that parse, sorted by path."""
    found = []
    for file in sorted(texts):
        if file.endswith(".py") and parses(file, texts[file]):
            found.append(module(file, texts[file]))
    return found


def parses(file: str, text: str) -> bool:
    try:
        _ = module(file, text).tree
    except (SyntaxError, ValueError):
        return False
    return True


def apply(texts: Texts, change: Change) -> Texts | None:
    """The texts after a change; None if that would leave invalid Python, or overlapping edits."""
    changed = dict(texts)
    for file in sorted({edit.file for edit in change.edits}):
        text = changed[file]
        limit = len(text) + 1
        for edit in sorted((e for e in change.edits if e.file == file), key=lambda e: -e.start):
            if edit.end > limit:
                return None
            text = text[: edit.start] + edit.text + text[edit.end :]
            limit = edit.start
        if file.endswith(".py") and not parses(file, text):
            return None
        changed[file] = text
    return changed
