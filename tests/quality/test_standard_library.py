"""The counter against Python's own parser and tokenizer, on the running Python's standard library."""

from __future__ import annotations

import ast
import io
import sysconfig
import tokenize
from pathlib import Path

import pytest

from study.quality.python import PythonCounter

LIBRARY = Path(sysconfig.get_path("stdlib"))
MODULES = sorted(path for path in LIBRARY.glob("*.py") if 0 < path.stat().st_size < 60_000)[::3]
SILENT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


def lines_by_tokenizer(text: str) -> int:
    tree = ast.parse(text)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    rows: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        (first, _), (last, _) = token.start, token.end
        in_import = any(node.lineno <= first <= (node.end_lineno or 0) for node in imports)
        if token.type not in SILENT and not (in_import and token.string in {"(", ")", ","}):
            rows.update(range(first, last + 1))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first_statement = node.body[0] if node.body else None
            if isinstance(first_statement, ast.Expr) and ast.get_docstring(node) is not None:
                rows -= set(range(first_statement.lineno, (first_statement.end_lineno or 0) + 1))
    return len(rows)


def cyclomatic_by_ast(text: str) -> int:
    total = 0
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.BoolOp():
                total += len(node.values) - 1
            case ast.comprehension():
                total += len(node.ifs)
            case ast.If(orelse=[ast.If() as other]) if other.col_offset == node.col_offset:
                pass  # of an if and its elif, only the last one met is counted here
            case (
                ast.FunctionDef()
                | ast.AsyncFunctionDef()
                | ast.For()
                | ast.AsyncFor()
                | ast.While()
                | ast.If()
                | ast.IfExp()
            ):
                total += 1
    return total


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_agrees_with_python(path: Path) -> None:
    source = path.read_bytes()
    text = source.decode()
    count = PythonCounter().count(source)
    assert (count.sloc, count.cyclomatic) == (lines_by_tokenizer(text), cyclomatic_by_ast(text))


def test_there_is_something_to_compare() -> None:
    assert len(MODULES) > 30
