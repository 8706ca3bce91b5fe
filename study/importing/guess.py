"""A first mapping from headings alone; what is guessed is said, and what is not clear is left out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from study.importing.fields import FIELDS, UNIT_WORDS, plain
from study.importing.mapping import ColumnSource
from study.importing.source import Source


@dataclass(frozen=True)
class Guess:
    """Columns that were recognised, and remarks on those that look like a field but are not clear."""

    columns: dict[str, ColumnSource]
    remarks: list[str]


def guess_columns(source: Source) -> Guess:
    """Recognise columns by their headings and the units in these; see `fields.FIELDS`."""
    found: dict[str, list[tuple[str, str | None]]] = {}
    for column in source.columns:
        match = _recognise(column)
        if match is not None:
            found.setdefault(match[0], []).append((column, match[1]))
    columns: dict[str, ColumnSource] = {}
    remarks: list[str] = []
    for field in FIELDS:
        matches = found.get(field, [])
        if len(matches) > 1:
            names = " and ".join(repr(column) for column, _ in matches)
            remarks.append(f"{field}: {names} both look like it; say which in a mapping")
        elif matches:
            column, unit = matches[0]
            known = unit or _unit_of_values(source, field, column)
            if FIELDS[field].units and known is None:
                units = ", ".join(FIELDS[field].units)
                remarks.append(f"{field}: {column!r} looks like it, but in which unit ({units})?")
                continue
            columns[field] = ColumnSource(column=column, unit=known)
    if "condition" in columns and {"scenario", "prompt"} <= set(columns):
        del columns["condition"]
    return Guess(columns, remarks)


def _recognise(column: str) -> tuple[str, str | None] | None:
    """Field and unit of a heading: `Duration (s)`, `input_tokens_k`, `PassRate %`."""
    words = re.findall(r"[a-z]+|\d+|[%$]", re.sub(r"([a-z])([A-Z])", r"\1 \2", column).lower())
    for cut in range(len(words), max(len(words) - 2, 0), -1):
        name, rest = "".join(words[:cut]), words[cut:]
        for field, known in FIELDS.items():
            if plain(name) not in known.names:
                continue
            units = [UNIT_WORDS[word] for word in rest if word in UNIT_WORDS]
            if len(units) == len(rest) and (not units or units[0] in known.units):
                return field, units[0] if units else None
    return None


def _unit_of_values(source: Source, field: str, column: str) -> str | None:
    """The unit of a heading without one: the usual one, or, of a rate, what its values show."""
    default = FIELDS[field].default_unit
    if default is not None or "fraction" not in FIELDS[field].units:
        return default
    numbers = [_number(line.cells[column]) for line in source.lines]
    known = [number for number in numbers if number is not None]
    if any(number > 1 for number in known):
        return "percent"
    return "fraction" if any(0 < number < 1 for number in known) else None


def _number(text: str) -> float | None:
    try:
        return float(text.removesuffix("%"))
    except ValueError:
        return None
