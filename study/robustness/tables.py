"""The tables of robustness in words and rounded, for the notebook; the frames behind them stay exact."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd

from study.robustness import choices as choice_set
from study.robustness.curve import Analysis
from study.robustness.headlines import Headline
from study.robustness.leave_out import NOTHING
from study.schema import StudyError

DASH = "–"


def headlines(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of `summary.verdicts`: the main analysis, and what all of them say."""
    if table.empty:
        return table
    return pd.DataFrame({
        "headline": table["headline"],
        "unit": table["effect_unit"],
        "effect": _signed(table["estimate"]),
        "95 % interval": _interval(table["low"], table["high"]),
        "p": table["p"],
        "p_holm": table["p_holm"],
        "n": table["n"],
        "services or projects": table["units"],
        "analyses": table["analyses"],
        "higher": table["higher"],
        "undecided": table["undecided"],
        "lower": table["lower"],
        "estimates": _interval(table["smallest"], table["largest"]),
        "same sign": [DASH if pd.isna(v) else f"{v:.0f} %" for v in table["same_sign_percent"]],
    })  # fmt: skip


def weights(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of `summary.weight_of_choices`: one row per headline, one column per choice."""
    if table.empty:
        return table
    shown = table.assign(
        text=[
            f"{_percent(spread)}, {_percent(turns)}"
            for spread, turns in zip(table["spread_percent"], table["turns_percent"], strict=True)
        ]
    )
    wide = shown.pivot(index=["topic", "headline"], columns="dimension", values="text")
    order = [*dict.fromkeys(table["headline"])]
    columns = [*dict.fromkeys(table["dimension"])]
    return wide.reset_index("topic", drop=True).loc[order, columns].reset_index().rename_axis(columns=None)


def choices(table: pd.DataFrame, headline: str) -> pd.DataFrame:
    """Rows of `summary.by_choice` of one headline."""
    own = table[table["headline"] == headline]
    columns = ["dimension", "level", "analyses", "higher", "undecided", "lower", "median"]
    return own[columns].reset_index(drop=True)


def reasons(found: Sequence[Analysis]) -> pd.DataFrame:
    """All choices and why they can be defended, once for all headlines that share them."""
    return _once(found, choice_set.reasons)


def excluded(found: Sequence[Analysis]) -> pd.DataFrame:
    """Combinations that are left out, and why."""
    return _once(found, choice_set.excluded)


def _once(found: Sequence[Analysis], make: Callable[[Headline], pd.DataFrame]) -> pd.DataFrame:
    names = {"original": "sizes", "origin": "origins"}
    kinds = {names.get(one.headline.topic, "rates"): one.headline for one in reversed(found)}
    parts = [make(kinds[name]).assign(of=name) for name in ("rates", "origins", "sizes") if name in kinds]
    if not parts:
        return pd.DataFrame()
    table = pd.concat(parts, ignore_index=True)
    return table[["of", *table.columns.drop("of")]]


def pick(table: pd.DataFrame, headline: str | None) -> str:
    """The headline of that name, or the first.

    Raises
    ------
    StudyError
        If there is none of that name; the text lists those that there are.
    """
    known = [*dict.fromkeys(table["headline"])]
    if headline and headline not in known:
        raise StudyError(f"headline: none is {headline!r}; there are: {'; '.join(known) or 'none'}")
    return headline or (known[0] if known else "")


def turned(table: pd.DataFrame) -> pd.DataFrame:
    """Rows of `leave_out.influence` with another conclusion than the whole, or the largest changes."""
    single = table[table["left_out"] != NOTHING]
    if single.empty:
        return single
    largest = single.groupby("headline", sort=False)["change"].transform(lambda change: change.abs().max())
    own = single[single["turns"] | (single["change"].abs() == largest)]
    return pd.DataFrame({
        "headline": own["headline"],
        "without": own["factor"] + " " + own["left_out"],
        "effect": _signed(own["estimate"]),
        "95 % interval": _interval(own["low"], own["high"]),
        "change": _signed(own["change"]),
        "p": own["p"],
        "says": own["says"],
        "analyses": own["analyses"],
        "higher": own["higher"],
        "undecided": own["undecided"],
        "lower": own["lower"],
    }).reset_index(drop=True)  # fmt: skip


def _signed(values: pd.Series) -> list[str]:
    return [DASH if pd.isna(value) else f"{value:+.1f}" for value in values]


def _interval(low: pd.Series, high: pd.Series) -> list[str]:
    pairs = zip(low, high, strict=True)
    return [DASH if pd.isna(a) or pd.isna(b) else f"{a:.1f} to {b:.1f}" for a, b in pairs]


def _percent(value: float) -> str:
    return DASH if pd.isna(value) else f"{value:.0f} %"
