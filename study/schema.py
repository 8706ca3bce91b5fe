"""The base of every file format of the package: strict models and errors that name the way out."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

Kind = Literal["published", "measured", "simulated"]
"""Where a number comes from; see DESIGN: every row, figure and table carries it."""


NAME = r"^[a-z0-9][a-z0-9._-]*$"
"""Of what becomes a part of a run id, and so of a folder's name."""
MAX_YAML_NODES = 100_000
"""In one file, aliases followed: a few lines of nested aliases may stand for more than any memory holds."""


class StudyError(Exception):
    """A mistake in a file or a command; its text names the file, the field, the value and the way out."""


class Model(BaseModel):
    """A record that refuses unknown keys, so that a typo in a file is an error and not a default."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


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
        field = ".".join(str(part) for part in item["loc"])
        message = item["msg"].removeprefix("Value error, ")
        if item["type"] == "extra_forbidden":
            message = f"unknown key; known here: {', '.join(_keys_at(model, item['loc'][:-1]))}"
        value = "" if item["type"] in {"missing", "value_error"} else f" (got {item['input']!r:.80})"
        lines.append(": ".join(filter(None, [where, field, f"{message}{value}"])))
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
    text = read_text(path)
    try:
        return yaml.load(text, Loader=_UniqueKeys)
    # ValueError: a scalar that looks like a date or a number and is none
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise StudyError(f"{path}: is not valid YAML: {error}") from None


def read_text(path: Path) -> str:
    """Read one text file of the user."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise StudyError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise StudyError(f"{path}: is not UTF-8 text; save it as UTF-8") from None


class _UniqueKeys(yaml.SafeLoader):
    """PyYAML keeps the last of two equal keys without a word; a study wants to hear of it."""

    def get_single_node(self) -> yaml.Node | None:
        node = super().get_single_node()
        if node is not None and _count_nodes(node, {}) > MAX_YAML_NODES:
            raise yaml.YAMLError(f"it has more than {MAX_YAML_NODES} values; are there aliases of aliases?")
        return node

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        nodes = [key for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        keys = [self.construct_object(key, deep=True) for key in nodes]
        for key in keys:
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(None, None, f"duplicate key {key!r}", node.start_mark)
        return super().construct_mapping(node, deep)


def _count_nodes(node: yaml.Node, known: dict[int, int]) -> int:
    """Nodes below and with this one, counted once for every way that leads to them."""
    if id(node) not in known:
        known[id(node)] = 1  # for an alias of a node inside that node
        children = node.value if isinstance(node, yaml.CollectionNode) else []
        parts = [part for child in children for part in (child if isinstance(child, tuple) else (child,))]
        known[id(node)] = 1 + sum(_count_nodes(part, known) for part in parts)
    return known[id(node)]
