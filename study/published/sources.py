"""Tables in the form of the paper's: its own, a changed copy of them, or those of a dataset of runs."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from study.published import run_statistics
from study.published.case import Case, load_case
from study.published.data import Paper, load_paper
from study.published.reported import findings_to_read
from study.published.runs import runs_as_published
from study.records.dataset import RAW_DATA, load_dataset
from study.schema import StudyError

RUNS, PAPER_TABLE = "runs.csv", "pass_rates.csv"


def printed_statistics(paper: Paper) -> pd.DataFrame:
    """Every printed statistic with ours: computed from runs, or bounded by what is published.

    Returns
    -------
    DataFrame
        As `study.published.reported.findings_to_read`.
    """
    if paper.from_runs:
        kind = paper.replication("reproduced")
        return run_statistics.statistic_findings(paper["runs"], paper["statistics"], kind)
    return findings_to_read(_case(paper))


def assumed(paper: Paper) -> list[str]:
    """What `printed_statistics` assumes of values per run: nothing, if they are there."""
    if paper.from_runs:
        return ["Nothing is assumed of values per run: they are those of the runs."]
    return [_case(paper).assumes]


def _case(paper: Paper) -> Case:
    return load_case(paper["pass_rates"], paper["statistics"], paper["suites"])


def open_paper(source: str | Path | None = None, *, for_claims: bool = False) -> Paper:
    """The published tables, or the same tables computed from runs.

    Parameters
    ----------
    source : path or str, optional
        A copy of raw_data/published/paper, or a dataset of runs (a folder, or a name below raw_data/); the
        committed published data, if not given.
    for_claims : bool
        As in `study.published.runs.runs_as_published`.
    """
    if source is None:
        return load_paper()
    folders = [folder for folder in (Path(source), RAW_DATA / source) if folder.is_dir()]
    if any((folder / RUNS).is_file() for folder in folders):
        return runs_as_published(load_dataset(source), for_claims=for_claims)
    if not any((folder / PAPER_TABLE).is_file() for folder in folders):
        raise StudyError(
            f"{source}: is neither a copy of raw_data/published/paper (with {PAPER_TABLE}) nor a dataset of "
            f"runs (with {RUNS})"
        )
    return load_paper(next(folder for folder in folders if (folder / PAPER_TABLE).is_file()))
