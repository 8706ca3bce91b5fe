"""The folder of a run is the truth: stage files and `run.json`, written atomically, read with care."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from study.files import write_atomically
from study.records.stages import RunRecord
from study.schema import Model, StudyError

GENERATION, EVALUATION, QUALITY, RUN = "generation.json", "evaluation.json", "quality.json", "run.json"

AnyRecord = TypeVar("AnyRecord", bound=Model)


def write_record(path: Path, record: Model) -> None:
    """Write one record as readable JSON."""
    write_atomically(path, record.model_dump_json(indent=1) + "\n")


def read_record(path: Path, model: type[AnyRecord]) -> AnyRecord | None:
    """Read one record; None if it is missing or was cut short or damaged, which means: not done."""
    try:
        return model.model_validate_json(path.read_bytes())
    except (OSError, ValidationError, ValueError):
        return None


def write_stage(path: Path, record: Model, run_id: str, digest: str) -> None:
    """Write the record of one stage, marked with the run and the fingerprint that it belongs to."""
    data = {"of": {"run_id": run_id, "digest": digest}, **record.model_dump(mode="json")}
    write_atomically(path, json.dumps(data, indent=1, ensure_ascii=False) + "\n")


def read_stage(
    path: Path, model: type[AnyRecord], run_id: str, digest: str | None = None
) -> AnyRecord | None:
    """Read the record of one stage; None if it is missing, damaged, or another run's.

    Without `digest`, what was generated under any fingerprint is taken.
    """
    try:
        data = json.loads(path.read_bytes())
        of = data.pop("of")
        if of["run_id"] != run_id or (digest is not None and of["digest"] != digest):
            return None
        return model.model_validate_json(json.dumps(data))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def finished(folder: Path, run_id: str) -> RunRecord | None:
    """The record of a run that is done; None if it still has to be run.

    A run that ended in an infrastructure error is not done: it is tried again by the next start.

    Raises
    ------
    StudyError
        If it is the record of another run.
    """
    path = folder / run_id / RUN
    record = read_record(path, RunRecord)
    if record is not None and record.run_id != run_id:
        raise StudyError(
            f"{path}: is the record of the run {record.run_id}; put the right one back, or delete it"
        )
    if record is None or record.generation.outcome == "infrastructure_error":
        return None
    return record


def open_folder(folder: Path, design_name: str) -> None:
    """Make sure that a results folder can be written and belongs to this design.

    Raises
    ------
    StudyError
        If it belongs to another design, or cannot be written.
    """
    marker = folder / "experiment.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        owner = json.loads(marker.read_text(encoding="utf-8"))["design"] if marker.exists() else None
        if owner is None:
            if any(folder.glob("*/run.json")):
                raise StudyError(
                    f"{folder}: holds runs but no experiment.json; give another folder with --results"
                )
            write_atomically(marker, json.dumps({"design": design_name}) + "\n")
        elif owner != design_name:
            raise StudyError(
                f"{folder}: belongs to design {owner!r}, not to {design_name!r}; "
                "give another folder with --results"
            )
    except (ValueError, KeyError, TypeError):
        raise StudyError(
            f"{marker}: is damaged; restore it as {{'design': NAME}} or use another folder"
        ) from None
    except OSError as error:
        raise StudyError(
            f"{folder}: cannot be written ({error.strerror}); give another folder with --results"
        ) from None
