"""Changes of layout: the same syntax tree on fewer or more lines."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from .text import Block, Change, Edit, Module, Texts, modules, own_expressions

LINE_LENGTH = 110


def inline_body(texts: Texts) -> Iterator[Change]:
    """`if c:` and its only statement, on one line."""
    for source in modules(texts):
        for block in source.blocks():
            test = block.statement
            if not isinstance(test, ast.If) or test.orelse or len(test.body) > 1:
                continue
            if not isinstance(test.body[0], ast.Return | ast.Raise | ast.Continue | ast.Break):
                continue
            start, end = source.span(test.test)[1], source.span(test.body[0])[0]
            body = source.source(test.body[0])
            length = test.col_offset + len(f"if {source.source(test.test)}: {body}")
            if source.text[start:end].strip() == ":" and "\n" not in body and length <= LINE_LENGTH:
                yield Change("inline_body", place_of(source, block), (Edit(source.file, start, end, ": "),))


def join_lines(texts: Texts) -> Iterator[Change]:
    """A simple statement that is spread over several lines, on one."""
    for source, block in _simple(texts):
        text = source.source(block.statement)
        if "\n" in text and "#" not in text:
            joined = re.sub(r",\s*\n\s*([)\]}])", r"\1", text)
            joined = re.sub(r"([(\[{])\s*\n\s*", r"\1", joined)
            joined = re.sub(r"\s*\n\s*([)\]}])", r"\1", joined)
            joined = re.sub(r"\s*\n\s*", " ", joined)
            if len(joined) + block.statement.col_offset <= LINE_LENGTH and _same(text, joined):
                edit = Edit(source.file, *source.span(block.statement), joined)
                yield Change("join_lines", place_of(source, block), (edit,))


def split_call(texts: Texts) -> Iterator[Change]:
    """A call with several arguments, one argument a line."""
    for source, block in _simple(texts):
        text = source.source(block.statement)
        for node in own_expressions(block.statement):
            if not isinstance(node, ast.Call) or "\n" in text or len(node.args) + len(node.keywords) < 2:
                continue
            start, end = source.span(node.func)[1], source.span(node)[1]
            arguments = _argument_texts(source, node)
            if arguments is None or not re.fullmatch(r"\s*\(.*\)", source.text[start:end]):
                continue
            indent = source.indent(block.statement)
            inner = "".join(f"{indent}    {argument},\n" for argument in arguments)
            split = f"(\n{inner}{indent})"
            first = source.span(block.statement)[0]
            if _same(text, text[: start - first] + split + text[end - first :]):
                yield Change("split_call", place_of(source, block), (Edit(source.file, start, end, split),))
                break


def _simple(texts: Texts) -> Iterator[tuple[Module, Block]]:
    """Simple statements that stand alone on their lines and hold no text over several lines."""
    for source in modules(texts):
        for block in source.blocks():
            statement = block.statement
            if not isinstance(statement, ast.Expr | ast.Assign | ast.Return | ast.Raise):
                continue
            if source.whole_lines(statement) is None:
                continue
            texts_inside = (n for n in ast.walk(statement) if isinstance(n, ast.Constant | ast.JoinedStr))
            if not any(spans_lines(node) for node in texts_inside):
                yield source, block


def _same(one: str, other: str) -> bool:
    """Whether two texts of a statement mean the same; `return` is legal only inside a function."""
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except SyntaxError:
        return False


def _argument_texts(source: Module, node: ast.Call) -> list[str] | None:
    """The arguments in the order of the text; None for a lone generator, whose brackets are the call's."""
    parts: list[tuple[int, int]] = []
    for argument in node.args:
        if isinstance(argument, ast.GeneratorExp):
            return None
        parts.append(source.span(argument))
    for keyword in node.keywords:
        start = source.offset(keyword.lineno, keyword.col_offset)
        parts.append((start, source.span(keyword.value)[1]))
    return [source.text[start:end] for start, end in sorted(parts)]


def spans_lines(node: ast.expr) -> bool:
    return node.end_lineno != node.lineno


def place_of(source: Module, block: Block) -> str:
    """File and function, for the record."""
    return f"{source.file}:{block.function or 'module'}"
