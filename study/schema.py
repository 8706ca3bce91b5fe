"""The base of every file format of the package: strict models and errors that name the way out."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

Kind = Literal["published", "measured", "simulated"]
"""Where a number comes from; see DESIGN: every row, figure and table carries it."""


class StudyError(Exception):
    """A mistake in a file or a command; its text names the file, the field, the value and the way out."""


class Model(BaseModel):
    """A record that refuses unknown keys, so that a typo in a file is an error and not a default."""

    model_config = ConfigDict(extra="forbid", frozen=True)


AnyModel = TypeVar("AnyModel", bound=BaseModel)


def parse(model: type[AnyModel], data: Any, where: str) -> AnyModel:
    """Validate `data` and tell every mistake in it at once.

    Parameters
    ----------
    model : type
        The pydantic model to build.
    data : Any
        What a YAML or JSON file held.
    where : str
        The file, for the error message.

    Raises
    ------
    StudyError
        With one line for each wrong field.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise StudyError(describe(error, where, model)) from None


def describe(error: ValidationError, where: str, model: type[BaseModel]) -> str:
    """One line a mistake: the file, the field, the value, and what would be right."""
    lines = []
    for item in error.errors():
        field = ".".join(str(part) for part in item["loc"]) or "(top level)"
        message = item["msg"].removeprefix("Value error, ")
        if item["type"] == "extra_forbidden":
            message = f"unknown key; known here: {', '.join(_keys_at(model, item['loc'][:-1]))}"
        value = "" if item["type"] in {"missing", "value_error"} else f" (got {item['input']!r:.80})"
        lines.append(f"{where}: {field}: {message}{value}")
    return "\n".join(lines)


def _keys_at(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    """Names of the fields of the model that `path` leads to."""
    current: Any = model
    for part in path:
        if isinstance(part, int):
            continue
        field = getattr(current, "model_fields", {}).get(part)
        nested = (
            [] if field is None else [t for t in _inner_types(field.annotation) if hasattr(t, "model_fields")]
        )
        if not nested:
            break
        current = nested[0]
    return sorted(current.model_fields)


def _inner_types(annotation: Any) -> list[Any]:
    arguments = getattr(annotation, "__args__", ())
    return [annotation] if not arguments else [t for a in arguments for t in _inner_types(a)]


def read_yaml(path: Path) -> Any:
    """Read one YAML file; a syntax error names the file, the line and the column."""
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_UniqueKeys)
    except OSError as error:
        raise StudyError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise StudyError(f"{path}: is not UTF-8 text") from None
    except yaml.YAMLError as error:
        raise StudyError(f"{path}: is not valid YAML: {error}") from None


class _UniqueKeys(yaml.SafeLoader):
    """PyYAML keeps the last of two equal keys without a word; a study wants to hear of it."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(None, None, f"duplicate key {key!r}", node.start_mark)
        return super().construct_mapping(node, deep)
