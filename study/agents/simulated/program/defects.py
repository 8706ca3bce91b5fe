"""Defects: changes that alter what the service does. Each function lists all places where one is possible."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import TypeGuard

from .endpoints import endpoint_changes
from .text import Block, Change, Definition, Edit, Module, Texts, is_elif, modules, own_expressions

ENTRY_POINT = "main.py"
_SHIFTED = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}
_SYMBOLS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_OTHER_STATUS = {400: 422, 401: 403, 403: 401, 404: 400, 409: 400, 410: 404, 422: 400, 423: 409, 201: 200}


def omit_endpoint(texts: Texts) -> Iterator[Change]:
    """Leave a route out, with its handler where nothing else needs it. Health checks stay."""
    return endpoint_changes("omit_endpoint", texts)


def omit_setting(texts: Texts) -> Iterator[Change]:
    """Use the default and do not read the environment: `os.environ.get("X", "5")` becomes `"5"`."""
    for source in modules(texts):
        for block in source.blocks():
            for node in own_expressions(block.statement):
                if _is_lookup(node) and not _names_a_port(node.args[0]):
                    edit = Edit(source.file, *source.span(node), f"({source.source(node.args[1])})")
                    name = ast.literal_eval(node.args[0])
                    yield Change("omit_setting", f"{_place(source, block)} {name}", (edit,))


def omit_validation(texts: Texts) -> Iterator[Change]:
    """Leave out an `if` that only refuses: it raises, or answers with a status of 400 to 499."""
    return validation_changes("omit_validation", texts)


def validation_changes(kind: str, texts: Texts, spared: frozenset[str] | None = None) -> Iterator[Change]:
    """Changes that leave out one validation each.

    With `spared`, only those that say what is wrong in one word (an error code) that is not in `spared`, and
    without which the code below still works: no look-up that found nothing, no answer of another service.
    """
    for source, block in _rules(texts):
        statement = block.statement
        if isinstance(statement, ast.If) and not statement.orelse and _refuses(statement.body):
            codes = error_codes(statement)
            if spared is not None and (not codes or codes & spared or _guards(statement.test)):
                continue
            edit = None if is_elif(source, statement) else source.remove(block)
            if edit:
                yield Change(kind, _place(source, block), (edit,))


def error_codes(node: ast.AST) -> set[str]:
    """Text constants of one lower-case word, as in `Problem(409, "station_full")`."""
    texts = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    return {text for text in texts if isinstance(text, str) and re.fullmatch("[a-z]+([_-][a-z]+)*", text)}


def negate_condition(texts: Texts) -> Iterator[Change]:
    """Turn the condition of a branch round."""
    for source, block in _rules(texts):
        statement = block.statement
        if isinstance(statement, ast.If) and not block.in_loop:
            text = f"not ({source.source(statement.test)})"
            edit = Edit(source.file, *source.span(statement.test), text)
            yield Change("negate_condition", _place(source, block), (edit,))


def shift_boundary(texts: Texts) -> Iterator[Change]:
    """Take the limit of a comparison in, or out: `<` becomes `<=`."""
    for source, block in _rules(texts):
        for node in own_expressions(block.statement):
            if isinstance(node, ast.Compare) and type(node.ops[0]) in _SHIFTED and not block.in_loop:
                start, end = source.span(node.left)[1], source.span(node.comparators[0])[0]
                old, new = _SYMBOLS[type(node.ops[0])], _SHIFTED[type(node.ops[0])]
                if source.text[start:end].count(old) == 1:
                    text = source.text[start:end].replace(old, new)
                    edit = Edit(source.file, start, end, text)
                    yield Change("shift_boundary", _place(source, block), (edit,))


def off_by_one(texts: Texts) -> Iterator[Change]:
    """Add one to a whole number in a comparison or a sum."""
    for source, block in _rules(texts):
        for node in own_expressions(block.statement):
            for number, value in _numbers(_operands(node)):
                if not block.in_loop:
                    edit = Edit(source.file, *source.span(number), str(value + 1))
                    yield Change("off_by_one", _place(source, block), (edit,))


def other_status(texts: Texts) -> Iterator[Change]:
    """Answer with another status code, as when a document is read carelessly: 409 becomes 400."""
    for source in modules(texts):
        for block in source.blocks():
            for node in own_expressions(block.statement):
                for number, value in _numbers(_arguments(node)):
                    if value in _OTHER_STATUS:
                        edit = Edit(source.file, *source.span(number), str(_OTHER_STATUS[value]))
                        yield Change("other_status", _place(source, block), (edit,))


DEFECTS: dict[str, Callable[[Texts], Iterator[Change]]] = {
    "omit_endpoint": omit_endpoint,
    "omit_setting": omit_setting,
    "omit_validation": omit_validation,
    "negate_condition": negate_condition,
    "shift_boundary": shift_boundary,
    "off_by_one": off_by_one,
    "other_status": other_status,
}


def _rules(texts: Texts) -> Iterator[tuple[Module, Block]]:
    """Statements inside functions, the entry point aside.

    A defect there would be a service that fails to start, which is a class of runs of its own.
    """
    for source in modules(texts):
        if source.file != ENTRY_POINT:
            for block in source.blocks():
                if block.function and not isinstance(block.statement, Definition):
                    yield source, block


def _place(source: Module, block: Block) -> str:
    name = block.function
    if isinstance(block.statement, Definition):
        name = f"{name}.{block.statement.name}" if name else block.statement.name
    return f"{source.file}:{name or 'module'}"


def _guards(test: ast.expr) -> bool:
    """Whether a condition asks for None or for an HTTP status."""
    values = [node.value for node in ast.walk(test) if isinstance(node, ast.Constant)]
    return any(value is None or (type(value) is int and 200 <= value < 600) for value in values)


def _is_lookup(node: ast.expr) -> TypeGuard[ast.Call]:
    """`environ.get("X", "literal")` or `getenv("X", "literal")`, however it was imported."""
    if not isinstance(node, ast.Call) or len(node.args) != 2 or node.keywords:
        return False
    function = ast.unparse(node.func)
    name, default = node.args
    return (
        function.endswith(("environ.get", "getenv"))
        and isinstance(name, ast.Constant)
        and isinstance(name.value, str)
        and not isinstance(default, ast.Starred)
    )


def _names_a_port(name: ast.expr) -> bool:
    return isinstance(name, ast.Constant) and str(name.value).endswith("PORT")


def _refuses(body: list[ast.stmt]) -> bool:
    last = body[-1]
    if isinstance(last, ast.Raise):
        return True
    numbers = (node.value for part in body for node in ast.walk(part) if isinstance(node, ast.Constant))
    return isinstance(last, ast.Return | ast.Expr) and any(
        type(value) is int and 400 <= value < 500 for value in numbers
    )


def _numbers(nodes: list[ast.expr]) -> Iterator[tuple[ast.expr, int]]:
    for node in nodes:
        if isinstance(node, ast.Constant) and type(node.value) is int:
            yield node, node.value


def _operands(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        return [node.left, node.right]
    return []


def _arguments(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.Call):
        return [*node.args, *(keyword.value for keyword in node.keywords)]
    return list(node.elts) if isinstance(node, ast.Tuple) else []
