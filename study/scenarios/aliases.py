"""Whole-token matching of a service's name in all its spellings."""

from __future__ import annotations

import re

from study.projects.manifest import Service

_TOKEN = "A-Za-z0-9_-"


def spellings(name: str) -> set[str]:
    """The usual spellings of a kebab-case service name.

    Examples
    --------
    >>> sorted(spellings("rota-service"))[:4]
    ['ROTA_SERVICE', 'Rota service', 'RotaService', 'rota service']
    >>> sorted(spellings("rota-service"))[4:]
    ['rota-service', 'rotaService', 'rota_service']
    """
    words = re.split(r"[-_ ]+", name.lower())
    pascal = "".join(word.capitalize() for word in words)
    return {
        name,
        "-".join(words),
        "_".join(words),
        "_".join(words).upper(),
        pascal,
        words[0] + pascal[len(words[0]) :],
        " ".join(words),
        " ".join(words).capitalize(),
    }


def trace_pattern(service: Service) -> re.Pattern[str]:
    """A pattern for every mention of the service: its spellings, its directory and its declared aliases.

    A mention is a whole token: it neither follows nor is followed by a letter, a digit, `_` or `-`, so
    that `loan-service` is not found in `interlibrary-loan-service`, nor `PAYMENT_HOST` in
    `INSIDE_PAYMENT_HOST`.
    """
    aliases = spellings(service.name) | set(service.aliases) | {service.directory}
    longest_first = sorted(aliases, key=lambda alias: (-len(alias), alias))
    return re.compile(
        f"(?<![{_TOKEN}])(?:{'|'.join(re.escape(alias) for alias in longest_first)})(?![{_TOKEN}])"
    )
