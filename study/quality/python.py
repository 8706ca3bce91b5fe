"""Size and complexity of Python code, counted as SonarQube counts them.

The rules are those that SonarPython 4.19 was observed to follow; tests/quality holds small sources with the
analyzer's own values. In short:

* **SLOC** (NCLOC): lines that a token covers. Comments are no tokens; a string over several lines covers all
  of them; the parentheses around imported names cover none. Docstring lines are subtracted: those of the
  first string literal of a module, class or function, unless it is an f-string.
* **Cyclomatic**: one for each `def`, `for`, `while`, `if`, conditional expression, `and`, `or` and `if` of a
  comprehension; none for `elif`, `except`, `with`, `assert`, `case` and lambdas.
* **Cognitive**: 1 + nesting for each `if`, `for`, `while`, `except` and conditional expression; 1 for each
  `elif` and `else` (also of loops and `try`) and for each run of equal boolean operators between
  parentheses. Blocks nest, but not those of `try`, `finally`, `with`, `class` and `def`; a conditional
  expression nests its parts. A nested `def` starts one level deeper than its place, unless its parent does
  nothing but define and return (a decorator); a class starts at 0.

The grammar is tree-sitter's and not the running interpreter's, so counts do not depend on its version.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import tree_sitter
import tree_sitter_python

_BRANCHES = {"if_statement", "for_statement", "while_statement", "except_clause", "except_group_clause"}
_DECISIONS = {
    "if_statement",
    "for_statement",
    "while_statement",
    "conditional_expression",
    "boolean_operator",
}
_FLAT_BLOCKS = {
    "try_statement",
    "finally_clause",
    "with_statement",
    "class_definition",
    "function_definition",
    "match_statement",
}
_IMPORTS = {"import_from_statement", "future_import_statement"}
_MODULE_LEVEL = -1


@dataclass
class FunctionCount:
    """One `def`; what is nested in it under a name of its own is counted there and not here."""

    name: str
    line: int
    cyclomatic: int = 1
    cognitive: int = 0


@dataclass
class FileCount:
    """The counts of one file. Code outside any function is in the totals only."""

    sloc: int = 0
    cyclomatic: int = 0
    cognitive: int = 0
    functions: list[FunctionCount] = field(default_factory=list)


@dataclass(frozen=True)
class _Place:
    """Where the walk stands."""

    level: int = 0
    """Nesting for the cognitive complexity."""
    inside: str = "module"
    """The innermost of module, class and function."""
    wrapper: bool = False
    """Whether that function is a decorator that only defines and returns."""
    owner: int = _MODULE_LEVEL
    """Index of the innermost function."""
    name: str = ""
    """Qualified name of the innermost definition."""

    def deeper(self) -> _Place:
        return _Place(self.level + 1, self.inside, self.wrapper, self.owner, self.name)


def count_python(source: bytes) -> FileCount:
    """Count one file.

    Parameters
    ----------
    source : bytes
        UTF-8, with or without a byte order mark.

    Raises
    ------
    SyntaxError
        If the text is not Python; a partial count would look like a whole one.
    """
    tree = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language())).parse(
        source.removeprefix(b"\xef\xbb\xbf")
    )
    if tree.root_node.has_error:
        raise SyntaxError(f"not valid Python near line {_first_error(tree.root_node)}")
    walk = _Walk()
    walk.run(tree.root_node)
    walk.count.sloc = len(walk.lines - walk.docstring_lines)
    return walk.count


def _first_error(node: tree_sitter.Node) -> int:
    while True:
        broken = next((child for child in node.children if child.has_error or child.is_missing), None)
        if broken is None or node.is_error:
            return node.start_point.row + 1
        node = broken


class _Walk:
    """One pass over the tree with a stack of its own: generated code may nest deeper than Python recurses."""

    def __init__(self) -> None:
        self.count = FileCount()
        self.lines: set[int] = set()
        self.docstring_lines: set[int] = set()

    def run(self, root: tree_sitter.Node) -> None:
        stack: list[tuple[tree_sitter.Node, _Place]] = [(root, _Place())]
        while stack:
            node, place = stack.pop()
            self._lines(node)
            stack += self._enter(node, place)

    def _enter(self, node: tree_sitter.Node, place: _Place) -> Iterator[tuple[tree_sitter.Node, _Place]]:
        """Count a node, and say where each of its children stands."""
        kind = node.type
        if kind == "decorated_definition":
            # the decorators stand where their function's or class's own code stands
            definition = node.child_by_field_name("definition")
            inner = self._definition_place(definition, place) if definition else place
            for child in node.children:
                yield child, place if child == definition else inner
            return
        if kind in {"function_definition", "class_definition"}:
            place = self._definition(node, place)
        elif kind in _DECISIONS or (kind == "if_clause" and _parent(node) != "case_clause"):
            self._add(place, cyclomatic=1)
        if kind in _BRANCHES or kind == "conditional_expression":
            self._add(place, cognitive=1 + place.level)
        elif kind in {"elif_clause", "else_clause"}:
            self._add(place, cognitive=1)
        elif kind == "boolean_operator" and _parent(node) != "boolean_operator":
            self._add(place, cognitive=_runs(node))
        nests = kind == "conditional_expression" or (kind == "block" and _parent(node) not in _FLAT_BLOCKS)
        inner = place.deeper() if nests else place
        for child in reversed(node.children):
            yield child, inner

    def _add(self, place: _Place, *, cyclomatic: int = 0, cognitive: int = 0) -> None:
        self.count.cyclomatic += cyclomatic
        self.count.cognitive += cognitive
        if place.owner != _MODULE_LEVEL:
            function = self.count.functions[place.owner]
            function.cyclomatic += cyclomatic
            function.cognitive += cognitive

    def _definition_place(self, node: tree_sitter.Node, place: _Place) -> _Place:
        """Where the inside of a function or class stands."""
        if node.type == "class_definition":
            return _Place(0, "class", False, place.owner, _qualified(place, node))
        level = 0
        if place.inside == "function":
            level = place.level if place.wrapper else place.level + 1
        return _Place(level, "function", _is_wrapper(node), place.owner, _qualified(place, node))

    def _definition(self, node: tree_sitter.Node, place: _Place) -> _Place:
        inner = self._definition_place(node, place)
        if node.type == "class_definition":
            return inner
        self.count.cyclomatic += 1
        self.count.functions.append(FunctionCount(inner.name, node.start_point.row + 1))
        return _Place(inner.level, "function", inner.wrapper, len(self.count.functions) - 1, inner.name)

    def _lines(self, node: tree_sitter.Node) -> None:
        """Note the lines that a token covers, and those of a docstring."""
        if node.type == "string":
            self.lines.update(range(node.start_point.row, node.end_point.row + 1))
        elif node.child_count == 0 and node.start_byte < node.end_byte:
            silent = node.type in {"comment", "line_continuation"}
            if not silent and not (node.type in {"(", ")"} and _parent(node) in _IMPORTS):
                self.lines.add(node.start_point.row)
        elif node.type == "module" or (
            node.type == "block" and _parent(node) in {"function_definition", "class_definition"}
        ):
            docstring = _docstring(node)
            if docstring is not None:
                self.docstring_lines.update(range(docstring.start_point.row, docstring.end_point.row + 1))


def _parent(node: tree_sitter.Node) -> str:
    return node.parent.type if node.parent is not None else ""


def _qualified(place: _Place, node: tree_sitter.Node) -> str:
    name = node.child_by_field_name("name")
    text = name.text.decode() if name is not None and name.text is not None else "?"
    return f"{place.name}.{text}" if place.name else text


def _statements(block: tree_sitter.Node) -> list[tree_sitter.Node]:
    return [child for child in block.named_children if child.type != "comment"]


def _docstring(block: tree_sitter.Node) -> tree_sitter.Node | None:
    """The first string token of a docstring: SonarPython subtracts the lines of no more than that."""
    statements = _statements(block)
    if not statements or statements[0].type != "expression_statement":
        return None
    expressions = statements[0].named_children
    if len(expressions) != 1:
        return None
    node = expressions[0]
    while node.type in {"parenthesized_expression", "concatenated_string"} and node.named_children:
        node = node.named_children[0]
    if node.type != "string" or b"f" in (node.children[0].text or b"").lower():
        return None
    return node


def _is_wrapper(function: tree_sitter.Node) -> bool:
    """A function that does nothing but define functions and return names: a decorator."""
    body = function.child_by_field_name("body")
    if body is None:
        return False
    defines = False
    for statement in _statements(body):
        inner = statement.child_by_field_name("definition") or statement
        if inner.type == "function_definition":
            defines = True
        elif statement.type != "return_statement" or [c.type for c in statement.named_children] != [
            "identifier"
        ]:
            return False
    return defines


def _runs(node: tree_sitter.Node) -> int:
    """Runs of equal operators in a boolean expression, read from left to right up to its parentheses."""
    operators: list[str] = []
    stack: list[tree_sitter.Node | str] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            operators.append(item)
        elif item.type == "boolean_operator":
            left, operator, right = (item.child_by_field_name(n) for n in ("left", "operator", "right"))
            stack += [part for part in (right, operator.type if operator else None, left) if part is not None]
    return sum(1 for index, name in enumerate(operators) if index == 0 or operators[index - 1] != name)
