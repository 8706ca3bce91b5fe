"""Read the endpoints that a README declares, in the notations in which people declare them.

Declared are: a line that is a method and a path, bare, in a list, heading, code fence or behind a label; a
row of a table; `Method:` and `Path:` on two lines; methods listed under a path. Not declared, only mentioned,
are endpoints within a sentence, an example (a request with `HTTP/1.1`, headers or curl) or a query string.
A README that declares nothing is read for what its sentences mention, and `Found.how` says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from study.evaluation.api.endpoints import METHODS, Endpoint, is_example_of, looks_like_a_value, normalise
from study.evaluation.api.markdown import plain, split_fences

_METHOD = "|".join(METHODS)
_METHODS = rf"\[?(?:{_METHOD})\]?(?:\s*(?:,|/|\||and|or|&)\s*\[?(?:{_METHOD})\]?)*"
_PATH = r"(?:https?://[^\s/]+|\{\{\w+\}\}|\{[A-Z_]+\}|\$\{?\w+\}?)?/(?:[^\s,;()|\"'<>]|<[\w:]+>|\([^)\s]*\))*"
_PAIR = re.compile(rf"(?P<methods>{_METHODS})\s*[:\-]?\s*(?P<path>{_PATH})")
_BOTH = re.compile(rf"(?P<methods>{_METHODS})\s*[:\-–]?\s+(?P<path>{_PATH})(?P<rest>.*)")
_ONLY_METHODS = re.compile(rf"(?P<methods>{_METHODS})(?:\s*(?:[:\-–—(].*)?)?", re.IGNORECASE)
_ONLY_PATH = re.compile(rf"(?P<path>{_PATH})\s*:?")
_LABEL = re.compile(r"(?P<label>[A-Za-z][\w &/()'.-]{0,60}?)\s*(?::|\s[-–—]|：)\s+(?P<value>\S.*)")
_METHOD_LABEL = re.compile(r"(?:http |request |api )?(?:methods?|verbs?)(?: type)?", re.IGNORECASE)
_PATH_LABEL = re.compile(
    r"(?:api |request |http |relative |full )?(?:path|endpoint|route|ur[li]|resource)(?: path| ur[li])?",
    re.IGNORECASE,
)
_BASE = re.compile(
    r"(?:\b(?:api |common |global |root )*(?:base|root)[ _-]*(?:api )?(?:path|ur[li]|route)\b"
    r"|\b(?:namespace|path|ur[li]|route|api|global|common) prefix\b|\bcontext[ -]path\b)"
    rf"[^/:\n]{{0,30}}[:=]?\s*(?P<path>{_PATH})",
    re.IGNORECASE,
)
_PREFIXED = re.compile(
    rf"\b(?:all|every)\b[^.]{{0,60}}\b(?:prefixed (?:with|by)|(?:start|begin)s? with|(?:live|are)? ?under)"
    rf"\s+(?:the prefix )?(?P<path>{_PATH})",
    re.IGNORECASE,
)
_NOT_A_DECLARATION = re.compile(
    r"\b(?:examples?|e\.g|for instance|sample|same as|see|after|before|then|input|output|response|returns?|"
    r"errors?|note|curl|test|when|if|header|body|form|redirects?)\b",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"HTTP/\d|^\s*(?:Host|Content-Type|Authorization|Accept):|\bcurl\b|^\s*HTTP\b", re.MULTILINE
)
_CODE = {
    "json",
    "python",
    "py",
    "java",
    "javascript",
    "js",
    "ts",
    "sql",
    "xml",
    "html",
    "bash",
    "sh",
    "shell",
}


@dataclass
class _Reader:
    """Goes through the lines once, remembering a path or a method that waits for its other half."""

    methods_first: bool
    """Whether this README writes `Method:` above `Path:`."""
    found: list[Endpoint] = field(default_factory=list)
    path: str = ""
    methods: str = ""
    row_path: str = ""

    def add(self, methods: str, path: str) -> None:
        path = normalise(path.strip("`*").rstrip(".,:;`*"))
        self.found += [Endpoint(m.upper(), path) for m in re.findall(_METHOD, methods, re.IGNORECASE)]

    def section(self) -> None:
        self.path = self.methods = ""

    def line(self, raw: str) -> None:
        if re.match(r"\s*(?:#+|\d+[.)])\s|\s*\*\*\d+[.)]", raw):
            self.section()
        text = plain(raw)
        if raw.lstrip().startswith("|") or raw.count("|") >= 2:
            self.row([plain(cell) for cell in raw.strip().strip("|").split("|")])
        elif match := _declaration(text):
            self.add(match["methods"], match["path"])
            self.add_more(match["rest"])
        elif (match := _LABEL.fullmatch(text)) and self.labelled(match["label"].strip(), match["value"]):
            pass
        elif match := _ONLY_PATH.fullmatch(text):
            self.path = match["path"]
        elif self.path and (match := _ONLY_METHODS.fullmatch(text)) and not self.methods_first:
            self.add(match["methods"], self.path)

    def add_more(self, rest: str) -> None:
        """Further endpoints on the line, joined to the first by nothing but a comma or `and`."""
        while match := re.match(rf"[`\s]*(?:,|;|and|or|&|/)+\s*(?:and\s+)?{_PAIR.pattern}", rest):
            self.add(match["methods"], match["path"])
            rest = rest[match.end() :]

    def labelled(self, label: str, value: str) -> bool:
        if _METHOD_LABEL.fullmatch(label) and (match := _ONLY_METHODS.match(value)):
            if self.path and not self.methods_first:
                self.add(match["methods"], self.path)
            else:
                self.methods = match["methods"]
            return True
        if _PATH_LABEL.fullmatch(label) and (match := _ONLY_PATH.match(value)):
            if self.methods:
                self.add(self.methods, match["path"])
                self.methods = ""
            else:
                self.path = match["path"]
            return True
        return False

    def row(self, cells: list[str]) -> None:
        """A row of a table: the cells with methods and with a path, wherever they stand."""
        both = [match for cell in cells if (match := _BOTH.fullmatch(cell))]
        for match in both:
            self.add(match["methods"], match["path"])
        methods = [cell for cell in cells if re.fullmatch(_METHODS, cell, re.IGNORECASE)]
        paths = [cell for cell in cells if _ONLY_PATH.fullmatch(cell)]
        self.row_path = paths[0] if paths else self.row_path
        if methods and not both and self.row_path and (paths or "" in cells):
            self.add(methods[0], self.row_path)


def _declaration(text: str) -> re.Match[str] | None:
    """A method and a path at the start, behind a label, or in brackets at the end of a title."""
    if match := _BOTH.match(text):
        return None if "HTTP/" in match["rest"] else match
    label = _LABEL.fullmatch(text)
    if label and not _NOT_A_DECLARATION.search(label["label"]) and (match := _BOTH.match(label["value"])):
        return None if "HTTP/" in match["rest"] else match
    title = re.fullmatch(rf"(?P<title>[^()]{{1,60}})\((?P<both>{_PAIR.pattern}(?P<rest>))\)", text)
    return title if title and not _NOT_A_DECLARATION.search(title["title"]) else None


@dataclass(frozen=True)
class Found:
    """The endpoints of a README."""

    endpoints: list[Endpoint]
    """In the order of the text, each once; paths as written."""
    base: str
    """Base path stated apart, which `full` puts before each; empty if there is none."""
    how: str
    """`declared`, `mentioned` (only within sentences) or `none`."""

    @property
    def full(self) -> list[Endpoint]:
        """With the base path, unless the paths have it already."""
        return [Endpoint(e.method, normalise(self.base + e.path)) for e in self.endpoints]


def read_endpoints(readme: str) -> Found:
    """Endpoints that a README declares.

    Parameters
    ----------
    readme : str
        Its text, Markdown or plain.

    Returns
    -------
    Found
        The endpoints and how they were found. Nothing is made up where nothing is said.
    """
    prose, fences = split_fences(readme.replace("\r\n", "\n"))
    reader = _Reader(_methods_first(prose))
    for line in prose:
        reader.line(line)
        if line in fences:
            reader.found += _read_fence(*fences[line])
    found, how = reader.found, "declared"
    if not found:
        found, how = _mentioned(prose), "mentioned"
    endpoints = _without_examples(_unique(found))
    base = _base_path(prose)
    if any(e.path == base or e.path.startswith(f"{base}/") for e in endpoints):
        base = ""
    return Found(endpoints, base, how if endpoints else "none")


def _read_fence(language: str, text: str) -> list[Endpoint]:
    """Endpoints listed in a code fence that is neither code nor an example request."""
    if language in _CODE or _REQUEST.search(text):
        return []
    if language in {"yaml", "yml"}:
        text = re.sub(rf"(?m)^(\s*)({_METHOD.lower()}):\s*$", lambda match: match[1] + match[2].upper(), text)
    reader = _Reader(methods_first=False)
    for line in text.split("\n"):
        reader.line(re.sub(r"\s+(?:#|//)\s.*", "", line))
    return reader.found


def _methods_first(lines: list[str]) -> bool:
    for line in lines:
        match = _LABEL.fullmatch(plain(line))
        if match and _METHOD_LABEL.fullmatch(match["label"].strip()):
            return True
        if match and _PATH_LABEL.fullmatch(match["label"].strip()) and _ONLY_PATH.match(match["value"]):
            return False
    return False


def _mentioned(lines: list[str]) -> list[Endpoint]:
    reader = _Reader(methods_first=False)
    for line in lines:
        for match in _PAIR.finditer(plain(line)) if not _REQUEST.search(line) else ():
            reader.add(match["methods"], match["path"])
    return reader.found


def _base_path(lines: list[str]) -> str:
    for line in lines:
        match = _BASE.search(plain(line)) or _PREFIXED.search(plain(line))
        if match and (path := normalise(match["path"].rstrip(".,:;)"))) != "/":
            return path.rstrip("/")
    return ""


def _unique(found: list[Endpoint]) -> Iterator[Endpoint]:
    seen = set()
    for endpoint in found:
        if endpoint.key not in seen:
            seen.add(endpoint.key)
            yield endpoint


def _without_examples(found: Iterator[Endpoint]) -> list[Endpoint]:
    """Leave out `GET /cats/42` beside `GET /cats/{id}`."""
    every = list(found)
    return [
        e
        for e in every
        if not any(
            other.method == e.method and is_example_of(e.path, other.path)
            for other in every
            if any(looks_like_a_value(part) for part in e.path.split("/"))
        )
    ]
