"""More than is needed: helpers nobody calls, docstrings, an endpoint nobody asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .endpoints import endpoints
from .text import Change, Edit, FunctionNode, Module, Texts, modules

HELPERS = {
    "first_present": '''
def first_present(mapping, *names, default=None):
    """The first of several keys that has a value."""
    for name in names:
        if mapping.get(name) is not None:
            return mapping[name]
    return default
''',
    "clean_text": '''
def clean_text(value, limit=200):
    """Text without surrounding blanks, or None if nothing is left."""
    if value is None:
        return None
    text = str(value).strip()
    if not text:
        return None
    return text if len(text) <= limit else text[:limit]
''',
    "as_number": '''
def as_number(value, default=0, low=None, high=None):
    """A whole number within bounds."""
    try:
        number = int(value)
    except (TypeError, ValueError):
        return default
    if low is not None and number < low:
        return low
    if high is not None and number > high:
        return high
    return number
''',
    "describe_problem": '''
def describe_problem(error, verbose=False):
    """A line about an error for the log."""
    name = type(error).__name__
    message = str(error) or "no message"
    if verbose and error.__cause__ is not None:
        return f"{name}: {message} (because of {error.__cause__!r})"
    return f"{name}: {message}"
''',
    "pages": '''
def pages(items, size=50):
    """Split a list into pages."""
    if size < 1:
        raise ValueError("a page holds at least one item")
    page = []
    for item in items:
        page.append(item)
        if len(page) == size:
            yield page
            page = []
    if page:
        yield page
''',
    "is_truthy": '''
def is_truthy(value):
    """Whether a setting is switched on."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value.strip().lower() in {"1", "true", "yes", "on"}
    return bool(value)
''',
}
_EXTRA = {"/health": "/status"}


def add_helper(texts: Texts) -> Iterator[Change]:
    """A helper function at the end of a module."""
    for source in modules(texts):
        for name, text in HELPERS.items():
            if not any(re.search(rf"\b{name}\b", other) for other in texts.values()):
                end = _after_definitions(source)
                if end is not None:
                    edit = Edit(source.file, end, end, f"\n{text}\n")
                    yield Change("add_helper", f"{source.file}:{name}", (edit,))


def add_endpoint(texts: Texts) -> Iterator[Change]:
    """The health check under a second route."""
    found = list(endpoints(texts))
    for endpoint in found:
        extra = _EXTRA.get(endpoint.path)
        if extra is None or any(other.path == extra for other in found):
            continue
        source, edit = endpoint.module, endpoint.edit
        text = source.text[edit.start : edit.end].replace(endpoint.path, extra)
        if endpoint.block is not None:
            text = re.sub(rf"\b{endpoint.handler}\b", f"{endpoint.handler}_status", text)
        if endpoint.block is not None or endpoint.entry:
            place = f"{source.file}:{endpoint.handler} {extra}"
            yield Change("add_endpoint", place, (Edit(source.file, edit.end, edit.end, text),))


def add_docstring(texts: Texts) -> Iterator[Change]:
    """One line about a function that has none."""
    for source in modules(texts):
        for block in source.blocks():
            function = block.statement
            if not isinstance(function, FunctionNode):
                continue
            first = function.body[0]
            decorated = getattr(first, "decorator_list", [])
            on_own_line = not source.lines[first.lineno - 1][: first.col_offset].strip()
            text = source.source(first)
            if on_own_line and not decorated and not text.lstrip("rbfuRBFU").startswith(('"', "'")):
                words = function.name.strip("_").replace("_", " ").capitalize()
                start = source.span(first)[0]
                edit = Edit(source.file, start, start, f'"""{words}."""\n{source.indent(first)}')
                name = f"{block.function}.{function.name}" if block.function else function.name
                yield Change("add_docstring", f"{source.file}:{name}", (edit,))


def _after_definitions(source: Module) -> int | None:
    """The end of the last function or class at module level: a place for one more."""
    ends = [source.whole_lines(block.statement) for block in source.definitions()]
    known = [end for end in ends if end is not None]
    return known[-1][1] if known else None
