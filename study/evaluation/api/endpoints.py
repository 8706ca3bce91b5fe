"""What an endpoint is: an HTTP method and a path template, whatever notation wrote it down."""

from __future__ import annotations

import re
from dataclasses import dataclass

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")

_ADDRESS = re.compile(
    r"^(?:https?://[^/\s]+|\{\{[^}]*\}\}|\{[A-Z_]*(?:URL|HOST|BASE)[A-Z_]*\}|\$\{?\w+\}?)(?=/|$)"
)
_PARAMETER = re.compile(
    r"""
      \{\*?(?P<brace>[A-Za-z_][\w-]*)(?:[:=?*][^{}]*(?:\{[^{}]*\}[^{}]*)*)?\} # {id}, {id:int}, {id:[0-9]{2}}
    | <(?P<sanic>\w+):(?:str|strorempty|alpha|ymd|ext)>             # <id:str>
    | <(?:[A-Za-z_]\w*(?:\([^)]*\))?:)?(?P<angle>[A-Za-z_][\w-]*)> # <id>, <int:id>
    | (?<=/):(?P<colon>[A-Za-z_]\w*)(?:\([^)]*\))?\?? # :id
    | (?<=/)\[(?P<square>[A-Za-z_]\w*)\](?=/|$)                 # [id]
    """,
    re.VERBOSE,
)


@dataclass(frozen=True)
class Endpoint:
    """One method on one path.

    Two endpoints that differ in the names of parameters or in a trailing slash are the same: see `key`.
    """

    method: str
    """In capitals."""
    path: str
    """As in the source, with parameters in braces: `/cats/{id}`."""

    @property
    def key(self) -> tuple[str, str]:
        """Method and path without the names of parameters and without a trailing slash."""
        return self.method, re.sub(r"\{[^}]*\}", "{}", self.path).rstrip("/") or "/"

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def normalise(path: str) -> str:
    """A path template in one notation: no host, no query, parameters in braces, one slash at a time.

    Examples
    --------
    >>> normalise("http://localhost:8000/cats/:id?full=1")
    '/cats/{id}'
    >>> normalise("/cats/<int:cat_id>/toys/{toy:path}")
    '/cats/{cat_id}/toys/{toy}'
    """
    path = _ADDRESS.sub("", path.strip())
    path = _PARAMETER.sub(lambda match: "{" + next(g for g in match.groups() if g) + "}", path)
    path = re.split(r"[?#]", path)[0]
    return re.sub(r"/{2,}", "/", path if path.startswith("/") else f"/{path}")


def is_example_of(concrete: str, template: str) -> bool:
    """Whether a path is a template with values put in: `/cats/42` of `/cats/{id}`, but not `/cats/me`."""
    values, parts = concrete.strip("/").split("/"), template.strip("/").split("/")
    if len(values) != len(parts) or values == parts:
        return False
    return all(
        value == part or ("{" in part and looks_like_a_value(value))
        for value, part in zip(values, parts, strict=True)
    )


def looks_like_a_value(segment: str) -> bool:
    """Whether a path segment is an id and no name: it has a digit, or characters that names do not have."""
    return "{" not in segment and bool(re.search(r"\d|[!@:%$]", segment))
