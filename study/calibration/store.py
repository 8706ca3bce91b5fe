"""Keep a calibration as tables with checksums, and read it back."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from study.calibration.settings import describe
from study.files import write_atomically
from study.records.dataset import checksums, verify_checksums
from study.schema import StudyError

COMMITTED = Path(__file__).parents[2] / "raw_data" / "calibration"


def save(table: pd.DataFrame, seed: int, folder: Path) -> None:
    """Write calibration.csv, settings.csv and SHA256SUMS.

    Raises
    ------
    StudyError
        If the folder cannot be written to.
    """
    try:
        for name, frame in (("calibration", table.assign(seed=seed)), ("settings", describe())):
            write_atomically(folder / f"{name}.csv", frame.to_csv(index=False, float_format="%.6g"))
        write_atomically(folder / "SHA256SUMS", checksums(folder))
    except OSError as error:
        raise StudyError(f"{folder}: cannot be written to: {error.strerror}") from None


def load(folder: Path = COMMITTED) -> pd.DataFrame:
    """Read calibration.csv, after checking its checksum.

    Raises
    ------
    StudyError
        If the tables are not there or were changed.
    """
    path = folder / "calibration.csv"
    if not path.is_file():
        raise StudyError(f"{path} is not there; make it with `study calibrate --out {folder}`")
    verify_checksums(folder)
    return pd.read_csv(path, keep_default_na=False, na_values=[""])
