"""Cells become levels and numbers; a cell that is neither is named by file, line, column and value."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import get_args

from study.agents.protocol import Outcome
from study.importing.fields import FIELDS, LEVELS, plain
from study.importing.mapping import Mapping
from study.importing.source import Line, Source
from study.records.stages import Oracle
from study.schema import NAME, StudyError

_SHOWN = 20
_CLOSED = {"outcome": get_args(Outcome), "oracle": get_args(Oracle)}


@dataclass
class Problems:
    """What is wrong with a table, all of it before anything is written."""

    path: str
    found: list[str] = field(default_factory=list)

    def add(self, line: int, column: str, value: str, message: str) -> None:
        """One cell."""
        said = f"{self.path}: line {line}: {column}: {message} (got {value!r:.80})"
        if said not in self.found:  # a cell may be read more than once
            self.found.append(said)

    def raise_if_any(self) -> None:
        """Raise StudyError with one line for each problem, the first of them if there are many."""
        if self.found:
            rest = len(self.found) - _SHOWN
            more = [f"and {rest} more of such lines"] if rest > 0 else []
            raise StudyError("\n".join([*self.found[:_SHOWN], *more]))


@dataclass
class Cells:
    """Values of a table's rows by field of a mapping."""

    source: Source
    mapping: Mapping
    problems: Problems

    def place(self, name: str) -> str:
        """How a column is called in messages."""
        given = self.mapping.columns[name]
        return given.column if given.column is not None else f"columns.{name}.value of the mapping"

    def text(self, line: Line, name: str) -> str | None:
        """The cell as it stands; None if it is missing or the field is not mapped."""
        given = self.mapping.columns.get(name)
        if given is None:
            return None
        text = line.cells[given.column] if given.column is not None else str(given.value)
        return None if text == "" or text in self.mapping.missing else text

    def level(self, line: Line, name: str, *, required: bool = False) -> str | None:
        """A level: as the mapping translates it, in a usual spelling, or as it stands."""
        text = self.text(line, name)
        if text is None:
            if required:
                self.problems.add(
                    line.number, self.place(name), "", "is missing; without it a run has no name"
                )
            return None
        translated = self.mapping.values.get(name, {}).get(text)
        level = translated if translated is not None else self._usual(name, text)
        if level is None or (name in LEVELS and re.fullmatch(NAME, level) is None):
            known = ", ".join(dict.fromkeys(LEVELS[name].values()))
            self.problems.add(
                line.number, self.place(name), text,
                f"is no known {name}; known are {known}. Translate it under `values: {{{name}: ...}}`",
            )  # fmt: skip
            return None
        if name in _CLOSED and level not in _CLOSED[name]:
            self.problems.add(
                line.number, self.place(name), text,
                f"is none of {', '.join(_CLOSED[name])}; translate it under `values: {{{name}: ...}}`",
            )  # fmt: skip
            return None
        return level

    def _usual(self, name: str, text: str) -> str | None:
        return LEVELS[name].get(plain(text)) if name in LEVELS else text

    def condition(self, line: Line) -> tuple[str, str] | None:
        """Scenario and prompt out of one cell such as `Inc-P1` or `clean state, P2`."""
        text = self.text(line, "condition")
        if text is None:
            self.problems.add(line.number, self.place("condition"), "", "is missing")
            return None
        text = self.mapping.values.get("condition", {}).get(text, text)
        for cut in re.finditer(r"[^A-Za-z0-9]+", text):
            parts = text[: cut.start()], text[cut.end() :]
            scenario, prompt = (self._part(name, part) for name, part in zip(LEVELS, parts, strict=True))
            if scenario is not None and prompt is not None:
                return scenario, prompt
        self.problems.add(
            line.number, self.place("condition"), text,
            "is no scenario with a prompt, such as Inc-P1 or clean_state-summary; translate it under "
            "`values: {condition: ...}`",
        )  # fmt: skip
        return None

    def _part(self, name: str, text: str) -> str | None:
        return self.mapping.values.get(name, {}).get(text) or self._usual(name, text)

    def number(self, line: Line, name: str) -> float | None:
        """A number in the unit of the dataset; 0 or more, of rates at most 100 percent."""
        text = self.text(line, name)
        if text is None:
            return None
        known = FIELDS[name]
        digits = text.removesuffix("%").strip() if "percent" in known.units else text
        value = _parse(digits)
        if value is None:
            problem = "is no number (a decimal point and no separator of thousands)"
        elif value < 0:
            problem = "is below 0"
        elif known.holds == "count" and value != int(value):
            problem = "is no whole number"
        elif "percent" in known.units and value * self.mapping.scale(name) > 100 + 1e-9:
            problem = f"is a rate above 100 percent; the unit is {self.mapping.columns[name].unit}"
        else:
            return value * self.mapping.scale(name)
        self.problems.add(line.number, self.place(name), text, problem)
        return None

    def count(self, line: Line, name: str) -> int | None:
        """A whole number; tokens given in thousands or millions are rounded to one."""
        value = self.number(line, name)
        return None if value is None else round(value)


def _parse(text: str) -> float | None:
    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text) is None:
        return None
    value = float(text)
    return value if math.isfinite(value) else None
