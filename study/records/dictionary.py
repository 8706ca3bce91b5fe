"""The data dictionary, generated from the schemas so that it cannot disagree with them."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Collection, Mapping
from typing import Any

from pydantic.fields import FieldInfo

from study.records.tables import TABLES
from study.schema import Model


def data_dictionary(
    title: str,
    tables: Collection[str] | None = None,
    *,
    schemas: Mapping[str, type[Model]] = TABLES,
    source: str = "study/records/tables.py",
) -> str:
    """Markdown: the tables with their columns, types, units, and whether datasets are compared by them.

    Parameters
    ----------
    title : str
        Name of the dataset.
    tables : collection of str, optional
        Names of the tables that there are; all of `schemas` if not given.
    schemas : mapping of str to type
        Row models by table.
    source : str
        Where the row models stand.
    """
    parts = [
        f"# {title}: data dictionary\n",
        f"Generated from the schemas in `{source}`. An empty cell means missing, never 0. "
        "Columns that are not compared hold wall-clock times, messages or facts about the machine: two runs "
        "of the same design agree in all others.\n",
    ]
    described: set[type[Model]] = set()
    for name, model in schemas.items():
        if tables is not None and name not in tables:
            continue
        parts.append(f"## {name}.csv\n")
        parts.append(inspect.cleandoc(model.__doc__ or "") + "\n")
        if model in described:
            parts.append("Columns as above.\n")
            continue
        described.add(model)
        parts.append("| column | type | unit | compared | meaning |\n|---|---|---|---|---|")
        parts += [_line(column, field) for column, field in model.model_fields.items()]
        parts.append("")
    return "\n".join(parts)


def compared_columns(model: type[Model]) -> list[str]:
    """Columns in which two datasets of the same design must agree."""
    return [name for name, field in model.model_fields.items() if _extra(field).get("compared", True)]


def _extra(field: FieldInfo) -> dict[str, Any]:
    return field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}


def _line(column: str, field: FieldInfo) -> str:
    extra = _extra(field)
    compared = "yes" if extra.get("compared", True) else "no"
    meaning = (field.description or "").replace("|", "\\|")
    return f"| {column} | {type_name(field.annotation)} | {extra.get('unit', '')} | {compared} | {meaning} |"


def type_name(annotation: Any) -> str:
    """Readable type: `text`, `integer`, `number`, `yes/no`, or the list of allowed values."""
    arguments = typing.get_args(annotation)
    if typing.get_origin(annotation) is typing.Literal:
        return ", ".join(str(value) for value in arguments)
    if typing.get_origin(annotation) is typing.Annotated:
        return type_name(arguments[0])
    if arguments:
        kinds = [type_name(argument) for argument in arguments if argument is not type(None)]
        return ", ".join(kinds) + (" or empty" if type(None) in arguments else "")
    return {"str": "text", "int": "integer", "float": "number", "bool": "true, false"}[annotation.__name__]
