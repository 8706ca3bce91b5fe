"""Java sources of an answer: classes, annotations, string constants and settings files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import tree_sitter_java
from tree_sitter import Language, Node, Parser

from study.evaluation.api.routes.source import VENDORED
from study.files import iter_files

_LANGUAGE = Language(tree_sitter_java.language())
TYPES = {"class_declaration", "interface_declaration", "record_declaration", "enum_declaration"}
_BUILDS = {"target": ("pom.xml",), "build": ("build.gradle", "build.gradle.kts")}


@dataclass(frozen=True, eq=False)
class JavaFile:
    """One source file."""

    path: Path
    root: Node
    imports: str
    """The import lines, as text."""


@dataclass
class JavaSource:
    """All Java sources below a folder, tests and build outputs aside."""

    root: Path
    files: list[JavaFile] = field(default_factory=list)
    unparsed: list[str] = field(default_factory=list)
    constants: dict[str, list[Node]] = field(default_factory=dict)
    """Initialisers of fields by name."""
    types: dict[str, Node] = field(default_factory=dict)
    """Type declarations by simple name."""

    def __post_init__(self) -> None:
        parser = Parser(_LANGUAGE)
        for path in java_files(self.root):
            try:
                tree = parser.parse(path.read_bytes())
            except OSError as error:
                self.unparsed.append(f"{path.relative_to(self.root)}: {error.strerror}")
                continue
            lines = [text(node) for node in tree.root_node.children if node.type == "import_declaration"]
            self.files.append(JavaFile(path, tree.root_node, "\n".join(lines)))
            for node in walk(tree.root_node):
                if node.type in TYPES and (name := node.child_by_field_name("name")):
                    self.types.setdefault(text(name), node)
                elif node.type == "field_declaration":
                    self._field(node)

    def _field(self, node: Node) -> None:
        for part in node.children_by_field_name("declarator"):
            name, value = part.child_by_field_name("name"), part.child_by_field_name("value")
            if name is not None and value is not None:
                self.constants.setdefault(text(name), []).append(value)

    def string(self, node: Node | None, depth: int = 0) -> str | None:
        """What a string expression says: literals, constants by name, concatenation."""
        if node is None or depth > 10:
            return None
        if node.type == "string_literal":
            return text(node)[1:-1]
        if node.type == "parenthesized_expression":
            return self.string(node.named_children[0], depth + 1)
        if node.type == "binary_expression":
            sides = [self.string(node.child_by_field_name(side), depth + 1) for side in ("left", "right")]
            return None if None in sides else "".join(side or "" for side in sides)
        if node.type in {"identifier", "field_access"}:
            for value in self.constants.get(text(node).rsplit(".", 1)[-1], []):
                if (found := self.string(value, depth + 1)) is not None:
                    return found
        return None

    def strings(self, node: Node | None) -> list[str]:
        """One string or an array of them: `"/x"`, `{"/x", "/y"}`."""
        if node is None:
            return []
        parts = node.named_children if node.type == "element_value_array_initializer" else [node]
        return [found for part in parts if (found := self.string(part)) is not None]

    def setting(self, *names: str) -> str:
        """The value of a setting in application.properties or .yml; empty if there is none."""
        for path in iter_files(self.root):
            if path.parent.name != "resources" or "test" in path.relative_to(self.root).parts:
                continue
            if path.suffix == ".properties":
                found = _property(path.read_text(errors="replace"), names)
            elif path.suffix in {".yml", ".yaml"}:
                found = _yaml_setting(path.read_text(errors="replace"), names)
            else:
                continue
            if found:
                return found
        return ""


def _property(content: str, names: tuple[str, ...]) -> str:
    for name in names:
        if match := re.search(rf"(?m)^\s*{re.escape(name)}\s*[=:]\s*(\S+)", content):
            return match[1]
    return ""


def _yaml_setting(content: str, names: tuple[str, ...]) -> str:
    """Read by indentation, since settings hold placeholders that are no YAML."""
    stack: list[tuple[int, str]] = []
    for line in content.splitlines():
        match = re.match(r"(\s*)([\w.-]+):\s*(.*)", line)
        if not match:
            continue
        depth = len(match[1])
        stack = [(d, k) for d, k in stack if d < depth] + [(depth, match[2])]
        if ".".join(key for _, key in stack) in names and match[3].strip():
            return match[3].strip().strip("'\"")
    return ""


def text(node: Node) -> str:
    """Source text of a node."""
    return (node.text or b"").decode(errors="replace")


def walk(node: Node) -> Iterator[Node]:
    """A node and all below it, without recursion."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack += reversed(current.children)


def java_files(root: Path) -> Iterator[Path]:
    """Sources below a folder that are neither tests nor build outputs."""
    for path in iter_files(root):
        parts = path.relative_to(root).parts
        if path.suffix != ".java" or path.is_symlink() or VENDORED & set(parts):
            continue
        if "src/test/" in path.as_posix() or re.search(r"(Test|Tests|IT)\.java$", path.name):
            continue
        outputs = (
            (folder.parent / name).is_file()
            for folder in path.parents
            if folder.is_relative_to(root)
            for name in _BUILDS.get(folder.name, ())
        )
        if not any(outputs):
            yield path


def marks_of(node: Node) -> dict[str, dict[str, list[Node]]]:
    """Annotations of a declaration: simple name to the nodes of each argument (`value` if unnamed)."""
    found: dict[str, dict[str, list[Node]]] = {}
    for modifiers in (child for child in node.children if child.type == "modifiers"):
        for mark in modifiers.children:
            if mark.type not in {"annotation", "marker_annotation"}:
                continue
            name = mark.child_by_field_name("name")
            arguments: dict[str, list[Node]] = {}
            listed = mark.child_by_field_name("arguments")
            for part in listed.named_children if listed else []:
                if part.type == "element_value_pair":
                    key, value = part.child_by_field_name("key"), part.child_by_field_name("value")
                    if key is not None and value is not None:
                        arguments.setdefault(text(key), []).append(value)
                elif "comment" not in part.type:
                    arguments.setdefault("value", []).append(part)
            found[text(name).rsplit(".", 1)[-1] if name else ""] = arguments
    return found
