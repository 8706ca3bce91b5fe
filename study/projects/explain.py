"""The fields of a manifest, read from the models themselves, so that the reference cannot go stale."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator

from study.projects import manifest
from study.schema import StudyError

_FIRST = "Project"


def explain(model: str | None = None) -> str:
    """The reference as Markdown: a section for each model, a line for each field.

    Parameters
    ----------
    model : str, optional
        One of the models, for instance `Service`; all by default, the whole project first.

    Raises
    ------
    StudyError
        If there is no such model.
    """
    sections = {node.name: node for node in _models()}
    if model is not None and model not in sections:
        raise StudyError(f"no part {model!r} of a manifest; there are {', '.join(sections)}")
    names = [model] if model else [_FIRST, *sorted(sections.keys() - {_FIRST}, key=list(sections).index)]
    return "\n".join(_section(sections[name]) for name in names)


def _models() -> Iterator[ast.ClassDef]:
    for node in ast.parse(inspect.getsource(manifest)).body:
        if isinstance(node, ast.ClassDef):
            yield node


def _section(model: ast.ClassDef) -> str:
    lines = [f"## {model.name}", "", _plain(ast.get_docstring(model) or ""), ""]
    for statement, after in zip(model.body, [*model.body[1:], None], strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            lines.append(_field(statement.target.id, statement, after))
    return "\n".join(lines) + "\n"


def _field(name: str, statement: ast.AnnAssign, after: ast.stmt | None) -> str:
    kind = ast.unparse(statement.annotation).replace("ProjectPath", "path").replace(" | None", "")
    text = ""
    if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
        text = ": " + _plain(str(after.value.value))
    return f"- `{name}` ({kind}{_default(statement.value)}){text}"


def _default(value: ast.expr | None) -> str:
    """What is taken if the field is not given."""
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "Field":
        value = value.args[0] if value.args else None
    if value is None:
        return ", required"
    text = ast.unparse(value)
    return "" if text in {"None", "''", "[]", "{}"} or text.endswith("()") else f", default {text}"


def _plain(text: str) -> str:
    return " ".join(text.split())
