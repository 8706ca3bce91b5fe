"""One column of a table's row model."""

from __future__ import annotations

from pydantic import Field


def column(description: str, *, unit: str = "", compared: bool = True) -> object:
    """A field with what the data dictionary says of it; `compared`: two runs of a design agree in it."""
    extra = {"unit": unit, "compared": compared}
    return Field(description=description, json_schema_extra=extra)  # type: ignore[arg-type]
