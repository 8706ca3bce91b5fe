"""Rename modules, classes and functions of a service, consistently within it.

The service behaves as before; tests that import it by the old names do not. The entry point keeps its name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from .text import Change, Definition, Edit, FunctionNode, Module, Texts, apply, modules

_KEPT = {"main.py", "__init__.py", "__main__.py"}
_MODULES = {
    "api": "routes",
    "checks": "validation",
    "handlers": "views",
    "models": "entities",
    "rules": "policies",
    "store": "repository",
    "storage": "database",
    "views": "endpoints",
}
_ENDINGS = {
    "Store": "Repository",
    "Handler": "Endpoint",
    "Client": "Connector",
    "Error": "Problem",
    "Book": "Register",
}
_VERBS = {
    "add": "insert",
    "check": "validate",
    "create": "make",
    "find": "look_up",
    "get": "fetch",
    "make": "build",
}


def rename_modules(texts: Texts, package: str) -> tuple[Texts, list[str]]:
    """Rename every module that can be; returns the new texts and `old.py -> new.py` for each.

    `package` is the dotted path of the service's directory from the project's root.
    """
    done: list[str] = []
    for file in sorted(texts):
        path = PurePosixPath(file)
        if path.suffix != ".py" or path.name in _KEPT:
            continue
        new = path.with_name(_MODULES.get(path.stem, f"{path.stem}_core") + ".py")
        edits = _import_edits(texts, package, path, new.stem)
        if new.as_posix() in texts or edits is None:
            continue
        changed = apply(texts, Change("rename_module", file, tuple(edits)))
        if changed is not None:
            changed[new.as_posix()] = changed.pop(file)
            texts = changed
            done.append(f"{file} -> {new.as_posix()}")
    return texts, done


def rename_names(texts: Texts) -> tuple[Texts, list[str]]:
    """Rename all classes and functions of modules that can be; see `rename_modules`."""
    taken = set().union(*(source.words for source in modules(texts)))
    moves: dict[str, str] = {}
    edits: list[Edit] = []
    for name in sorted(_module_level_names(texts)):
        new, places = _new_name(name), _name_edits(texts, name)
        if places is not None and new not in taken:
            moves[name] = new
            taken.add(new)
            edits += [Edit(edit.file, edit.start, edit.end, new) for edit in places]
    changed = apply(texts, Change("rename_name", "", tuple(edits)))
    if changed is None:
        return texts, []
    return changed, [f"{name} -> {new}" for name, new in moves.items()]


def _module_level_names(texts: Texts) -> set[str]:
    return {
        block.statement.name
        for source in modules(texts)
        for block in source.definitions()
        if source.file not in _KEPT and isinstance(block.statement, Definition)
    }


def _new_name(name: str) -> str:
    if name[0].isupper():
        for old, new in _ENDINGS.items():
            if name.endswith(old) and name != old:
                return name.removesuffix(old) + new
        return f"{name}Entity"
    verb, _, rest = name.partition("_")
    return f"{_VERBS[verb]}_{rest}" if rest and verb in _VERBS else f"{name}_value"


def _name_edits(texts: Texts, name: str) -> list[Edit] | None:
    """Where the identifier stands, or None if it also means something else, so that renaming is unsafe."""
    edits: list[Edit] = []
    definitions = 0
    own = {PurePosixPath(file).stem for file in texts}
    for source in modules(texts):
        if not re.search(rf"\b{name}\b", source.text):
            continue
        top = [block.statement for block in source.definitions()]
        bound, foreign = _imports(source, own)
        if name in foreign:
            return None
        for node in source.nodes:
            if _means_other(node, name, bound, top):
                return None
            place = _occurrence(source, node, name)
            if place is not None:
                edits.append(Edit(source.file, place, place + len(name)))
                definitions += isinstance(node, Definition)
    return edits if definitions == 1 else None


def _imports(source: Module, own: set[str]) -> tuple[set[str], set[str]]:
    """Names bound to modules of the service, and names that come from outside of it."""
    bound, foreign = set(), set()
    for node in source.nodes:
        if isinstance(node, ast.ImportFrom):
            inside = (node.module or "").rpartition(".")[2] in own
            for alias in node.names:
                if alias.name in own:
                    bound.add(alias.asname or alias.name)
                elif not inside:
                    foreign.add(alias.asname or alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                (bound if alias.name in own else foreign).add(alias.asname or alias.name.split(".")[0])
    return bound, foreign


def _means_other(node: ast.AST, name: str, bound: set[str], top: list[ast.stmt]) -> bool:
    if isinstance(node, ast.JoinedStr):  # Python 3.11 has no reliable positions inside f-strings
        return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and name in _names_in(node.value)
    if isinstance(node, Definition):
        return node.name == name and node not in top
    if isinstance(node, ast.Name):
        return node.id == name and not isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Attribute):
        return node.attr == name and not (isinstance(node.value, ast.Name) and node.value.id in bound)
    if isinstance(node, ast.alias):
        return node.asname == name
    return isinstance(node, ast.arg | ast.keyword) and node.arg == name


def _names_in(text: str) -> set[str]:
    """Identifiers in a string that may be an annotation or a name; none in prose."""
    spaced = re.sub(r"\s*([|,\[\]])\s*", r"\1", text.strip())
    return set(re.findall(r"\w+", text)) if re.fullmatch(r"[\w.|,\[\]]+", spaced) else set()


def _occurrence(source: Module, node: ast.AST, name: str) -> int | None:
    """Character offset at which the node spells the name."""
    if isinstance(node, ast.Name) and node.id == name:
        return source.span(node)[0]
    if isinstance(node, ast.Attribute) and node.attr == name:
        return source.span(node)[1] - len(name)
    if isinstance(node, ast.alias) and node.name == name:
        return source.offset(node.lineno, node.col_offset)
    if isinstance(node, (*FunctionNode, ast.ClassDef)) and node.name == name:
        match = re.compile(r"(?:async\s+)?(?:def|class)\s+").match(source.text, source.span(node)[0])
        return match.end() if match else None
    return None


def _import_edits(texts: Texts, package: str, path: PurePosixPath, new: str) -> list[Edit] | None:
    """Edits of all imports of a module; None if one of them cannot be rewritten."""
    folder = [part for part in path.parent.parts if part != "."]
    inside = ".".join([*folder, path.stem])
    full = f"{package}.{inside}"
    edits: list[Edit] = []
    for source in modules(texts):
        for node in source.nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and full in node.value:
                return None
            if isinstance(node, ast.Import):
                found = _plain_import(source, node, {full, inside}, new)
                if found is None:
                    return None
                edits += found
            elif isinstance(node, ast.ImportFrom):
                edits += _import_from(source, node, _absolute(source.file, node, package), full, new)
    return edits


def _absolute(file: str, node: ast.ImportFrom, package: str) -> str:
    """Dotted path that a `from` import names; a relative one counted from the service's package."""
    name = node.module or ""
    if node.level:
        folder = list(PurePosixPath(file).parent.parts)[: 1 - node.level or None]
        return ".".join([package, *folder, *([name] if name else [])])
    return name


def _plain_import(source: Module, node: ast.Import, names: set[str], new: str) -> list[Edit] | None:
    edits = []
    for alias in node.names:
        if alias.name in names:
            if alias.asname is None and "." in alias.name:
                return None
            head, dot, last = alias.name.rpartition(".")
            start = source.offset(alias.lineno, alias.col_offset)
            kept = "" if alias.asname else f" as {last}"
            edits.append(Edit(source.file, start, start + len(alias.name), f"{head}{dot}{new}{kept}"))
    return edits


def _import_from(source: Module, node: ast.ImportFrom, absolute: str, full: str, new: str) -> Iterator[Edit]:
    parent, _, old = full.rpartition(".")
    if absolute == full or (node.level == 0 and absolute == old):
        match = re.compile(r"from\s+[.\w]+").match(source.text, source.span(node)[0])
        if match:
            yield Edit(source.file, match.end() - len(old), match.end(), new)
    elif absolute == parent:
        for alias in node.names:
            if alias.name == old:
                start = source.offset(alias.lineno, alias.col_offset)
                kept = "" if alias.asname else f" as {old}"
                yield Edit(source.file, start, start + len(old), f"{new}{kept}")
