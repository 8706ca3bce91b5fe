"""Model terms of factors: which columns a model has, and what is in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

from study.schema import StudyError
from study.statistics.pairs import check_runs
from study.statistics.ranks import Array, Codes
from study.statistics.results import notes
from study.statistics.summary import SERVICE, levels

INTERCEPT = "(Intercept)"


def design_matrix(
    frame: pd.DataFrame, terms: Sequence[str], reference: Mapping[str, str] | None = None
) -> pd.DataFrame:
    """Dummy columns (treatment coding) of factors and of their interactions.

    Parameters
    ----------
    frame : DataFrame
        One row per run.
    terms : sequence of str
        Factors, and interactions such as `scenario:prompt`.
    reference : mapping, optional
        Reference level of a factor; without it the first level in the frame.

    Returns
    -------
    DataFrame
        Columns `(Intercept)`, `agent=B`, `scenario=clean_state:prompt=summary` and so on.

    Examples
    --------
    >>> design_matrix(pd.DataFrame({"agent": [*"ABA"]}), ["agent"])["agent=B"].tolist()
    [0.0, 1.0, 0.0]
    """
    chosen = dict(reference or {})
    columns = {INTERCEPT: np.ones(len(frame))}
    for term in terms:
        parts = term.split(":")
        others = [_others(frame, factor, chosen.get(factor)) for factor in parts]
        for combination in product(*others):
            name = ":".join(f"{f}={level}" for f, level in zip(parts, combination, strict=True))
            inside = [frame[f] == level for f, level in zip(parts, combination, strict=True)]
            columns[name] = np.logical_and.reduce(inside).astype(float)
    table = pd.DataFrame(columns, index=frame.index)
    if np.linalg.matrix_rank(table.to_numpy()) < table.shape[1]:
        raise StudyError(
            f"model {' + '.join(terms)}: its columns depend on each other; is a combination of levels empty, "
            "or a factor nested in another?"
        )
    return table


def _others(frame: pd.DataFrame, factor: str, reference: str | None) -> list[str]:
    if factor not in frame.columns:
        raise StudyError(f"model: no column {factor!r}; columns here: {', '.join(map(str, frame.columns))}")
    known = levels(frame[factor])
    first = reference if reference is not None else known[0]
    if first not in known:
        raise StudyError(f"model: {factor}: no level {first!r}; levels here: {', '.join(map(str, known))}")
    return [level for level in known if level != first]


def model_frame(
    frame: pd.DataFrame, values: Sequence[str], cluster: Sequence[str] = tuple(SERVICE)
) -> tuple[pd.DataFrame, Codes, str]:
    """Rows in which all values are known, the code of their service, and a remark on rows left out.

    Raises
    ------
    StudyError
        If fewer than two services are left: nothing can be said of runs of one service alone.
    """
    unit = [name for name in cluster if name in frame.columns]
    if not unit:
        raise StudyError(f"runs: none of the cluster columns {', '.join(cluster)} is there")
    table = frame
    for value in values:
        table = check_runs(table, value)
    known = table.dropna(subset=list(values))
    codes = known.groupby(unit, sort=False).ngroup().to_numpy().astype(np.intp)
    if not len(known) or codes.max() < 1:
        raise StudyError(
            f"model of {', '.join(values)}: values of {len(known)} runs of "
            f"{len(set(codes))} service; at least two services are needed"
        )
    lost = len(table) - len(known)
    return known, codes, notes(f"{lost} of {len(table)} runs without a value left out" if lost else "")


def matrix(table: pd.DataFrame) -> Array:
    """The numbers of a frame."""
    return table.to_numpy(dtype=float)
