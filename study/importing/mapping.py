"""Which column is what: a YAML file of the user, checked against the table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import BeforeValidator, Field, model_validator

from study.importing.fields import FIELDS
from study.schema import Kind, Model, StudyError, parse, read_yaml

IDENTITY = ("agent", "project", "service")
ESTIMATES = ("pass_rate", "tests_passed", "time", "cost", "input_tokens", "output_tokens", "sloc",
             "cyclomatic", "cognitive")  # fmt: skip


def _text(given: Any) -> Any:
    """YAML reads 1 as a number; in a table it is a text like any other."""
    return str(given) if isinstance(given, (int, float)) and not isinstance(given, bool) else given


class ColumnSource(Model):
    """Where the values of a field come from: a column with its unit, or one value for all runs."""

    column: str | None = None
    """Heading of the column."""
    unit: str | None = None
    """Unit of the column: time in ms, s, min or h; rates in percent or fraction; tokens in tokens, K or M;
    cost in USD or cent."""
    value: Annotated[str | None, BeforeValidator(_text)] = None
    """Instead of a column: the same for every run."""

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.column is None) == (self.value is None):
            raise ValueError("give either `column`, the heading, or `value`, the same for all runs")
        return self


def _short(given: Any) -> Any:
    """`agent: Tool` is short for `agent: {column: Tool}`."""
    return {"column": given} if isinstance(given, str) else given


Given = Annotated[ColumnSource, BeforeValidator(_short)]
Text = Annotated[str, BeforeValidator(_text)]


class Mapping(Model):
    """How a table of runs is to be read."""

    kind: Kind
    """Where the numbers come from. published: the authors' own runs; measured: runs of real agents of your
    own; simulated: anything else."""
    columns: dict[str, Given]
    """By field; the fields are listed by `study import runs TABLE --show-columns`."""
    values: dict[str, dict[Text, Text]] = {}
    """Translations, by field: a level as the table has it, and what it means here."""
    reference: Literal["human_baseline", "reference_implementation"] | None = None
    """What the original is; human_baseline if the kind is published, else reference_implementation."""
    missing: list[Text] = Field(default=["NA", "N/A", "NaN", "nan", "None", "null", "-", "–"])
    """Cells that stand for no value, besides empty ones."""

    @model_validator(mode="after")
    def _known_fields(self) -> Self:
        for name in (*self.columns, *self.values):
            if name not in FIELDS:
                raise ValueError(f"no field {name!r}; known are {', '.join(FIELDS)}")
        for name, source in self.columns.items():
            units = FIELDS[name].units
            if source.unit is not None and source.unit not in units:
                said = f"known for it are {', '.join(units)}" if units else "it has no units"
                raise ValueError(f"{name}: no unit {source.unit!r}; {said}")
            if units and source.unit is None and FIELDS[name].default_unit is None:
                raise ValueError(f"{name}: say its unit, one of {', '.join(units)}")
        return self

    @model_validator(mode="after")
    def _enough(self) -> Self:
        known = set(self.columns)
        absent = [name for name in IDENTITY if name not in known]
        if "condition" not in known:
            absent += [name for name in ("scenario", "prompt") if name not in known]
        elif known & {"scenario", "prompt"}:
            raise ValueError("condition stands for scenario and prompt; map either it or the two")
        if absent:
            raise ValueError(f"no column for {', '.join(absent)}; without them a run has no name")
        if not known & set(ESTIMATES):
            raise ValueError(f"no column with results; map at least one of {', '.join(ESTIMATES)}")
        if "tests_passed" in known and "tests_total" not in known:
            raise ValueError("tests_passed needs tests_total, to give a rate")
        return self

    @property
    def reference_kind(self) -> Literal["human_baseline", "reference_implementation"]:
        """What the original is."""
        by_kind: Literal["human_baseline", "reference_implementation"] = (
            "human_baseline" if self.kind == "published" else "reference_implementation"
        )
        return self.reference or by_kind

    def scale(self, field: str) -> float:
        """Factor from the unit of the column to that of the dataset."""
        known = FIELDS[field]
        unit = self.columns[field].unit or known.default_unit
        return known.units[unit] if unit else 1.0


def load_mapping(path: Path, columns: list[str]) -> Mapping:
    """Read a mapping file and check that the table has its columns.

    Raises
    ------
    StudyError
        If the file is no mapping, or names a column that the table does not have.
    """
    mapping = parse(Mapping, read_yaml(path), str(path))
    for field, source in mapping.columns.items():
        if source.column is not None and source.column not in columns:
            raise StudyError(
                f"{path}: columns.{field}: the table has no column {source.column!r}; it has "
                f"{', '.join(map(repr, columns))}"
            )
    return mapping


def mapping_yaml(kind: str, columns: dict[str, ColumnSource]) -> str:
    """A mapping as the text of a file, to be saved and corrected."""
    shown: dict[str, Any] = {
        field: source.column if source.unit is None else source.model_dump(exclude_none=True)
        for field, source in columns.items()
    }
    lines = [f"kind: {kind}", "columns:"]
    for field, source in shown.items():
        value = yaml.safe_dump(source, default_flow_style=True, allow_unicode=True, width=1000)
        lines.append(f"  {field}: {value.removesuffix('...' + chr(10)).strip()}")
    return "\n".join(lines) + "\n"
