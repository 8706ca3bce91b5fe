"""Changes of form that keep behaviour: fewer branches, less nesting."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from .layout import LINE_LENGTH, inline_body, join_lines, place_of, spans_lines, split_call
from .text import Block, Change, Edit, Module, Texts, apply, is_elif, modules, own_expressions

_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def return_condition(texts: Texts) -> Iterator[Change]:
    """`if c: return True` and `return False` become `return bool(c)`."""
    for source, block, other in _pairs(texts):
        test = block.statement
        assert isinstance(test, ast.If)
        first, second = _returned_constant(test.body[0]), _returned_constant(other)
        if len(test.body) == 1 and isinstance(first, bool) and second is (not first):
            text = source.source(test.test)
            plain = isinstance(test.test, ast.Compare) or text.startswith("not ")
            value = (text if plain else f"bool({text})") if first else f"not ({text})"
            yield _replace_pair("return_condition", source, block, other, f"return {value}")


def conditional_value(texts: Texts) -> Iterator[Change]:
    """`if c: return a` and `return b` become `return a if c else b`."""
    for source, block, other in _pairs(texts):
        test = block.statement
        assert isinstance(test, ast.If)
        first = test.body[0]
        if len(test.body) > 1 or not isinstance(first, ast.Return) or not isinstance(other, ast.Return):
            continue
        if first.value is None or other.value is None or isinstance(other.value, ast.IfExp | ast.Tuple):
            continue
        if isinstance(first.value, ast.IfExp | ast.Tuple | ast.Lambda) or isinstance(test.test, ast.IfExp):
            continue
        parts = [source.source(node) for node in (first.value, test.test, other.value)]
        text = "return {} if {} else {}".format(*parts)
        if "\n" not in text and len(text) + test.col_offset <= LINE_LENGTH:
            yield _replace_pair("conditional_value", source, block, other, text)


def chain_branches(texts: Texts) -> Iterator[Change]:
    """An `if` after an `if` that always leaves becomes its `elif`."""
    for source in modules(texts):
        for block in source.blocks():
            other = block.following
            if (
                isinstance(block.statement, ast.If)
                and not is_elif(source, block.statement)
                and isinstance(other, ast.If)
                and _always_leaves(block.statement)
            ):
                start = source.span(other)[0]
                yield Change(
                    "chain_branches", place_of(source, block), (Edit(source.file, start, start, "el"),)
                )


def drop_else(texts: Texts) -> Iterator[Change]:
    """No `else` after a branch that always leaves."""
    for source in modules(texts):
        for block in source.blocks():
            statement = block.statement
            if isinstance(statement, ast.If) and not is_elif(source, statement):
                edit = _without_else(source, statement)
                if edit:
                    yield Change("drop_else", place_of(source, block), (edit,))


def membership(texts: Texts) -> Iterator[Change]:
    """`x == a or x == b` becomes `x in (a, b)`."""
    for source in modules(texts):
        for block in source.blocks():
            for node in own_expressions(block.statement):
                values = _compared_values(source, node)
                if values:
                    text = f"{values[0]} in ({', '.join(values[1:])})"
                    edit = Edit(source.file, *source.span(node), text)
                    yield Change("membership", place_of(source, block), (edit,))


def flatten(texts: Texts) -> Iterator[Change]:
    """All changes that lower the number of branches by SonarQube's count, or their nesting."""
    for way in (chain_branches, return_condition, membership):
        yield from way(texts)


FORMS: dict[str, Callable[[Texts], Iterator[Change]]] = {
    "return_condition": return_condition,
    "conditional_value": conditional_value,
    "chain_branches": chain_branches,
    "drop_else": drop_else,
    "membership": membership,
    "inline_body": inline_body,
    "join_lines": join_lines,
    "split_call": split_call,
}


def apply_all(texts: Texts, changes: list[Change]) -> tuple[Texts, list[Change]]:
    """Apply changes that were all found in the same texts; returns what could be applied.

    Together if they do not get in each other's way; else those of them that go together.
    """
    kept: list[Change] = []
    taken: list[Edit] = []
    for change in changes:
        if not any(_overlap(edit, other) for edit in change.edits for other in taken):
            kept.append(change)
            taken += change.edits
    changed = apply(texts, Change("all", "", tuple(taken)))
    if changed is not None:
        return changed, kept
    # one of them makes invalid Python: leave the second half out, and so on
    return apply_all(texts, kept[: len(kept) // 2]) if len(kept) > 1 else (texts, [])


def _overlap(one: Edit, other: Edit) -> bool:
    return one.file == other.file and one.start <= other.end and other.start <= one.end


def _pairs(texts: Texts) -> Iterator[tuple[Module, Block, ast.stmt]]:
    """An `if` without `else`, and the statement that follows as the last of its list."""
    for source in modules(texts):
        for block in source.blocks():
            statement, other = block.statement, block.following
            if not isinstance(statement, ast.If) or statement.orelse or is_elif(source, statement):
                continue
            if other is not None and block.siblings[-1] is other and source.whole_lines(other):
                between = source.text[source.span(statement)[1] : source.span(other)[0]]
                if "#" not in between and "#" not in source.source(statement):
                    yield source, block, other


def _replace_pair(kind: str, source: Module, block: Block, other: ast.stmt, text: str) -> Change:
    edit = Edit(source.file, source.span(block.statement)[0], source.span(other)[1], text)
    return Change(kind, place_of(source, block), (edit,))


def _returned_constant(statement: ast.stmt) -> object:
    if isinstance(statement, ast.Return) and isinstance(statement.value, ast.Constant):
        return statement.value.value
    return None


def _always_leaves(statement: ast.If) -> bool:
    """Whether no branch of an `if`-`elif` chain without `else` runs on to the next statement."""
    if not isinstance(statement.body[-1], _LEAVES):
        return False
    rest = statement.orelse
    return not rest or (len(rest) == 1 and isinstance(rest[0], ast.If) and _always_leaves(rest[0]))


def _without_else(source: Module, statement: ast.If) -> Edit | None:
    """Remove the line `else:` and move what is below it to the left."""
    rest = statement.orelse
    if not rest or not isinstance(statement.body[-1], _LEAVES):
        return None
    if any(isinstance(node, ast.Constant | ast.JoinedStr) and spans_lines(node) for node in _nodes(rest)):
        return None
    start, end = source.span(statement.body[-1])[1], source.span(rest[-1])[1]
    match = re.compile(r"(\s*\n)+[ ]*else:[ ]*\n").match(source.text, start)
    step = rest[0].col_offset - statement.col_offset
    if match is None or step <= 0:
        return None
    body = re.sub(rf"^ {{{step}}}", "", source.text[match.end() : end], flags=re.MULTILINE)
    return Edit(source.file, start, end, "\n" + body)


def _nodes(statements: list[ast.stmt]) -> Iterator[ast.AST]:
    for statement in statements:
        yield from ast.walk(statement)


def _compared_values(source: Module, node: ast.expr) -> list[str]:
    """`x`, `a`, `b` of `x == a or x == b`; empty if the expression is another."""
    if not isinstance(node, ast.BoolOp) or not isinstance(node.op, ast.Or):
        return []
    subject, values = "", []
    for part in node.values:
        if not isinstance(part, ast.Compare) or len(part.ops) != 1 or not isinstance(part.ops[0], ast.Eq):
            return []
        right = part.comparators[0]
        if not isinstance(part.left, ast.Name) or not isinstance(right, ast.Constant):
            return []
        if subject not in {"", part.left.id}:
            return []
        subject = part.left.id
        values.append(source.source(right))
    return [subject, *values]
