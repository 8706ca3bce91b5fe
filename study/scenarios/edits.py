"""The structured edits of a manifest: take a key, a definition or a text out of a file, and nothing else.

Every edit is checked twice: it must find what it is to remove, and afterwards the file must still parse;
for YAML and JSON the remaining data must be exactly the old data without the removed key.
"""

from __future__ import annotations

import ast
import copy
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import yaml

from study.projects.manifest import Edit
from study.scenarios.java_edits import check_java, empty_methods
from study.schema import StudyError


def apply_edit(root: Path, edit: Edit) -> None:
    """Apply one edit to a workspace.

    Raises
    ------
    StudyError
        If the file is missing, there is nothing to remove, or the rest no longer parses.
    """
    path = root / edit.file
    if not path.is_file():
        raise StudyError(f"clean_state edit: no such file: {edit.file}")
    if edit.delete:
        path.unlink()
        return
    try:
        old = path.read_text(encoding="utf-8")
        if edit.remove_key is not None:
            new = _remove_key(old, edit.remove_key, is_json=path.suffix == ".json")
        elif edit.remove_definitions:
            new = _remove_definitions(old, edit.remove_definitions)
        elif edit.remove_documents is not None:
            new = _remove_documents(old, edit.remove_documents)
        elif edit.empty_methods:
            new = empty_methods(old, edit.empty_methods)
        elif edit.remove_lines is not None:
            new = _remove_lines(old, edit.remove_lines)
        else:
            new = _replace_once(old, edit.replace or "", edit.by)
        _check_parses(path, new)
    except (StudyError, SyntaxError, ValueError, yaml.YAMLError) as error:  # not Python, UTF-8, JSON, YAML
        raise StudyError(f"clean_state edit of {edit.file}: {error}") from None
    path.write_text(new, encoding="utf-8")


def _replace_once(text: str, old: str, new: str) -> str:
    found = text.count(old)
    if found != 1:
        raise StudyError(f"replace: the text occurs {found} times, not once: {old.strip()[:80]!r}")
    return text.replace(old, new)


def _remove_lines(text: str, pattern: str) -> str:
    lines = text.splitlines(keepends=True)
    kept = [line for line in lines if not re.search(pattern, line)]
    if len(kept) == len(lines):
        raise StudyError(f"remove_lines: {pattern!r} is found in no line")
    return "".join(kept)


def _check_parses(path: Path, text: str) -> None:
    try:
        if path.suffix == ".py":
            ast.parse(text)
        elif path.suffix == ".json":
            json.loads(text)
        elif path.suffix in {".yaml", ".yml"}:
            list(yaml.safe_load_all(text))
        elif path.suffix == ".xml":
            ElementTree.fromstring(text)
        elif path.suffix == ".java":
            check_java(text)
    except (SyntaxError, ValueError, yaml.YAMLError, StudyError) as error:
        raise StudyError(f"the file no longer parses after the edit: {error}") from None


# --- YAML and JSON -----------------------------------------------------------------------------------

_STEP = re.compile(r"([^.\[\]]+)|\[([^\]]+)\]")


def _steps(path: str) -> list[tuple[str, str]]:
    """`routes[service=a].url` as [("key", "routes"), ("item", "service=a"), ("key", "url")]."""
    return [("key", m[1]) if m[1] is not None else ("item", m[2]) for m in _STEP.finditer(path)]


def _remove_key(text: str, path: str, *, is_json: bool) -> str:
    data = json.loads(text) if is_json else yaml.safe_load(text)
    expected = copy.deepcopy(data)
    parent: Any = expected
    if not _steps(path):
        raise StudyError(f"remove_key: {path!r} names no key")
    *before, last = _steps(path)
    for step in before:
        parent = parent[_locate(parent, step, path)]
    del parent[_locate(parent, last, path)]
    if is_json:
        return json.dumps(expected, indent=2, ensure_ascii=False) + "\n"
    new = _cut_yaml_lines(text, path)
    if _emptied(yaml.safe_load(new)) != _emptied(expected):
        raise StudyError(f"remove_key: {path!r} cannot be cut out by whole lines; use `replace`")
    return new


def _locate(container: Any, step: tuple[str, str], path: str) -> Any:
    """Key or index that a step names in a mapping or list."""
    kind, name = step
    if kind == "key" and isinstance(container, dict):
        for key in container:
            if str(key) == name:
                return key
    if kind == "item" and isinstance(container, list):
        key, separator, value = name.partition("=")
        for index, item in enumerate(container):
            if separator and isinstance(item, dict) and str(item.get(key)) == value:
                return index
            if not separator and str(item) == name:
                return index
    raise StudyError(f"remove_key: nothing at {path!r} (no {name!r})")


def _emptied(data: Any) -> Any:
    """A block that lost its last entry reads as null: the same to every reader of such a file."""
    if isinstance(data, dict):
        return {key: _emptied(value) for key, value in data.items()} or None
    if isinstance(data, list):
        return [_emptied(value) for value in data] or None
    return data


def _cut_yaml_lines(text: str, path: str) -> str:
    """Cut the lines of a key or list item; comments and layout of all else stay as they are."""
    node: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    first = last = 0
    for step in _steps(path):
        start, node = _child(node, step)
        first, last = start.start_mark.line, node.end_mark.line
        if node.end_mark.column > 0 and (not _is_block(node) or node.end_mark.index == len(text)):
            last += 1
    lines = text.splitlines(keepends=True)
    # A block ends where the next token starts, which may be an indented one of the next line: that line
    # is not the block's, nor are the comments and blank lines before it.
    while last - 1 > first and re.match(r"\s*(#.*)?$", lines[last - 1]):
        last -= 1
    return "".join(lines[:first] + lines[last:])


def _remove_documents(text: str, name: str) -> str:
    """Cut whole documents of a file, with the line of dashes before each; the others keep their bytes."""
    parts = re.split(r"^(?=---[ \t]*$)", text, flags=re.MULTILINE)
    kept = [part for part in parts if _document_name(part) != name]
    if len(kept) == len(parts):
        raise StudyError(f"remove_documents: no document has metadata.name {name!r}")
    return "".join(kept)


def _document_name(part: str) -> Any:
    data = yaml.safe_load(part)
    metadata = data.get("metadata") if isinstance(data, dict) else None
    return metadata.get("name") if isinstance(metadata, dict) else None


def _is_block(node: Any) -> bool:
    return isinstance(node, yaml.CollectionNode) and not node.flow_style


def _child(node: Any, step: tuple[str, str]) -> tuple[Any, Any]:
    """(node that starts the entry, its value node) of a mapping key or list item."""
    kind, name = step
    if kind == "key":
        return next((key, value) for key, value in node.value if str(key.value) == name)
    wanted, separator, value = name.partition("=")
    for item in node.value:
        if separator and isinstance(item, yaml.MappingNode):
            pairs = {key.value: inner.value for key, inner in item.value}
            if str(pairs.get(wanted)) == value:
                return item, item
        elif not separator and str(item.value) == name:
            return item, item
    raise StudyError(f"remove_key: no item {name!r}")


# --- Python ------------------------------------------------------------------------------------------


def _remove_definitions(text: str, names: list[str]) -> str:
    for name in names:
        text = _remove_definition(text, name)
    return text


def _remove_definition(text: str, name: str) -> str:
    body: list[ast.stmt] = ast.parse(text).body
    *owners, last = name.split(".")
    for owner in owners:
        classes = [node for node in body if isinstance(node, ast.ClassDef) and node.name == owner]
        if not classes:
            raise StudyError(f"remove_definitions: no class {owner!r}")
        body = classes[0].body
    statements = [node for node in body if last in _names_of(node)]
    if not statements:
        raise StudyError(f"remove_definitions: nothing defines {name!r}")
    lines = text.splitlines(keepends=True)
    for node in reversed(statements):
        decorators = getattr(node, "decorator_list", [])
        start = min([node.lineno, *(decorator.lineno for decorator in decorators)]) - 1
        lines[start : node.end_lineno] = _without_import(node, last)
    return "".join(lines)


def _names_of(node: ast.stmt) -> list[str]:
    """Names that a statement defines or imports."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [alias.asname or alias.name for alias in node.names]
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _without_import(node: ast.stmt, name: str) -> list[str]:
    """What is left of an import of several names when one goes."""
    if isinstance(node, ast.Import | ast.ImportFrom) and len(node.names) > 1:
        node.names = [alias for alias in node.names if (alias.asname or alias.name) != name]
        return [ast.unparse(node) + "\n"]
    return []
