"""Size and complexity, close enough to SonarQube's rules to steer by; `study.quality` has the exact ones."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache

from .text import Definition, FunctionNode, Module, Texts, is_elif, module, modules


@dataclass(frozen=True)
class Size:
    """Sums over the Python files of a service."""

    sloc: int
    cyclomatic: int
    cognitive: int


def measure(texts: Texts) -> Size:
    """Size of all files that parse."""
    parts = [_measure(source.file, source.text) for source in modules(texts)]
    return Size(
        sum(part.sloc for part in parts),
        sum(part.cyclomatic for part in parts),
        sum(part.cognitive for part in parts),
    )


@lru_cache(maxsize=4096)
def _measure(file: str, text: str) -> Size:
    source = module(file, text)
    return Size(_sloc(source), _cyclomatic(source), _cognitive(source, source.tree.body, 0))


def _sloc(source: Module) -> int:
    """Lines with code; docstrings and comments are none."""
    lines = sum(bool(line.strip()) and not line.lstrip().startswith("#") for line in source.lines)
    return lines - sum(_docstring_lines(node) for node in source.nodes)


def _docstring_lines(node: ast.AST) -> int:
    if not isinstance(node, ast.Module | Definition) or ast.get_docstring(node, clean=False) is None:
        return 0
    text = node.body[0]
    assert text.end_lineno is not None
    return text.end_lineno - text.lineno + 1


def _cyclomatic(source: Module) -> int:
    total = 0
    for node in source.nodes:
        if isinstance(node, ast.If):
            total += not is_elif(source, node)
        elif isinstance(node, (*FunctionNode, ast.For, ast.AsyncFor, ast.While, ast.IfExp)):
            total += 1
        elif isinstance(node, ast.BoolOp):
            total += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            total += len(node.ifs)
    return total


def _cognitive(source: Module, body: list[ast.stmt], nesting: int) -> int:
    return sum(_of_statement(source, statement, nesting) for statement in body)


def _of_statement(source: Module, statement: ast.stmt, nesting: int) -> int:
    total = 0
    for child in ast.iter_child_nodes(statement):
        if not isinstance(child, ast.stmt | ast.ExceptHandler):
            total += _of_expression(child, nesting)
    inner = nesting + 1
    if isinstance(statement, FunctionNode):
        return total + _cognitive(source, statement.body, nesting)
    if isinstance(statement, ast.ClassDef):
        return total + _cognitive(source, statement.body, 0)
    if isinstance(statement, ast.If | ast.For | ast.AsyncFor | ast.While):
        total += 1 if is_elif(source, statement) else inner
        total += _cognitive(source, statement.body, inner)
        other = statement.orelse
        if len(other) == 1 and is_elif(source, other[0]):
            return total + _of_statement(source, other[0], nesting)
        return total + (1 if other else 0) + _cognitive(source, other, inner)
    if isinstance(statement, ast.Try):
        total += _cognitive(source, [*statement.body, *statement.finalbody], nesting)
        total += (1 if statement.orelse else 0) + _cognitive(source, statement.orelse, inner)
        return total + sum(inner + _cognitive(source, part.body, inner) for part in statement.handlers)
    if isinstance(statement, ast.With | ast.AsyncWith):
        return total + _cognitive(source, statement.body, nesting)
    return total


def _of_expression(node: ast.AST, nesting: int) -> int:
    if isinstance(node, ast.IfExp):
        return nesting + 1 + sum(_of_expression(child, nesting + 1) for child in ast.iter_child_nodes(node))
    own = 1 if isinstance(node, ast.BoolOp) else 0
    return own + sum(_of_expression(child, nesting) for child in ast.iter_child_nodes(node))
