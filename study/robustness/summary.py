"""What the curves say together: counts, ranges, and which choice moves the conclusion."""

from __future__ import annotations

import numpy as np
import pandas as pd

from study.robustness.choices import DIMENSIONS
from study.robustness.curve import HIGHER, LOWER, NO_RESULT, SAYS, UNDECIDED
from study.statistics.families import adjust

_HEADLINE = ["topic", "headline"]


def verdicts(table: pd.DataFrame) -> pd.DataFrame:
    """Each headline over all of its analyses.

    Parameters
    ----------
    table : DataFrame
        From `study.robustness.curve.curves`.

    Returns
    -------
    DataFrame
        topic, headline, effect_unit; estimate, low, high, p, p_holm (over the headlines of one topic), n,
        units and says of this package's analysis; analyses with a result, how many of them say higher,
        undecided and lower, no_result; smallest, median and largest estimate; same_sign_percent: analyses
        whose estimate has the sign of this package's; kind.
    """
    rows = []
    for (topic, headline), part in table.groupby(_HEADLINE, sort=False):
        own = part[part["main"]].iloc[0]
        known = part[part["says"] != NO_RESULT]
        estimates = known["estimate"]
        same = np.sign(estimates) == np.sign(own["estimate"])
        rows.append(
            {
                "topic": topic,
                "headline": headline,
                **own[["effect_unit", "estimate", "low", "high", "p", "n", "units", "says"]],
                "analyses": len(known),
                **{says: int((part["says"] == says).sum()) for says in SAYS},
                "smallest": estimates.min(),
                "median": estimates.median(),
                "largest": estimates.max(),
                "same_sign_percent": 100 * same.mean() if len(known) else np.nan,
                "kind": own["kind"],
            }
        )
    result = pd.DataFrame(rows).rename(columns={NO_RESULT: "no_result"})
    if result.empty:
        return result
    adjusted = result.groupby("topic", sort=False)["p"].transform(lambda p: adjust(p.to_numpy(dtype=float)))
    result.insert([*result.columns].index("p") + 1, "p_holm", adjusted)
    return result


def by_choice(table: pd.DataFrame) -> pd.DataFrame:
    """Each level of each choice: what the analyses that take it say.

    Returns
    -------
    DataFrame
        topic, headline, dimension, level; analyses with a result, how many say higher, undecided and lower;
        median of the estimates; kind.
    """
    known = table[table["says"] != NO_RESULT]
    rows = [
        {
            "topic": topic,
            "headline": headline,
            "dimension": dimension,
            "level": level,
            "analyses": len(part),
            **{says: int((part["says"] == says).sum()) for says in (HIGHER, UNDECIDED, LOWER)},
            "median": part["estimate"].median(),
            "kind": part["kind"].iloc[0],
        }
        for (topic, headline), whole in known.groupby(_HEADLINE, sort=False)
        for dimension in DIMENSIONS
        for level, part in whole.groupby(dimension, sort=False)
    ]
    return pd.DataFrame(rows)


def weight_of_choices(table: pd.DataFrame) -> pd.DataFrame:
    r"""How much each choice moves the estimate and the conclusion.

    Returns
    -------
    DataFrame
        topic, headline, dimension; spread_percent: share of the variance of the estimates between the levels
        of this choice, :math:`\eta^2`, in percent (the shares need not add up to 100, since not every
        combination exists); turns_percent: of all pairs of analyses that differ in this choice alone, those
        with different conclusions; pairs: how many such pairs there are; kind.
    """
    known = table[table["says"] != NO_RESULT]
    rows = []
    for (topic, headline), part in known.groupby(_HEADLINE, sort=False):
        whole = float(((part["estimate"] - part["estimate"].mean()) ** 2).sum())
        for dimension in DIMENSIONS:
            means = part.groupby(dimension)["estimate"].transform("mean")
            between = float(((means - part["estimate"].mean()) ** 2).sum())
            turned, pairs = _turned(part, dimension)
            rows.append(
                {
                    "topic": topic,
                    "headline": headline,
                    "dimension": dimension,
                    "spread_percent": 100 * between / whole if whole > 1e-12 else np.nan,
                    "turns_percent": 100 * turned / pairs if pairs else np.nan,
                    "pairs": pairs,
                    "kind": part["kind"].iloc[0],
                }
            )
    return pd.DataFrame(rows)


def _turned(part: pd.DataFrame, dimension: str) -> tuple[int, int]:
    """Pairs that differ in one choice alone: those with different conclusions, and all."""
    others = [name for name in DIMENSIONS if name != dimension]
    sizes = part.groupby(others, sort=False).size()
    alike = part.groupby([*others, "says"], sort=False).size()
    pairs = int((sizes * (sizes - 1) // 2).sum())
    return pairs - int((alike * (alike - 1) // 2).sum()), pairs


def sentences(table: pd.DataFrame) -> list[str]:
    """One plain sentence per headline.

    Parameters
    ----------
    table : DataFrame
        From `verdicts`.
    """
    said = []
    for row in table.to_dict("records"):
        if not row["analyses"]:
            said.append(f"{row['headline']}: no analysis has a result.")
            continue
        counts = [f"{row[word]} say {word}" for word in (HIGHER, LOWER) if row[word]]
        counts += [f"{row[UNDECIDED]} leave it undecided"] if row[UNDECIDED] else []
        interval = "no interval" if pd.isna(row["low"]) else f"[{row['low']:.1f}, {row['high']:.1f}]"
        tested = "no test" if pd.isna(row["p"]) else f"unadjusted p {_p(row['p'])}: {row['says']}"
        said.append(
            f"{row['headline']}: {row['estimate']:+.1f} {row['effect_unit']}, {interval}, by the analysis of "
            f"this package ({tested}). Of {row['analyses']} analyses {' and '.join(counts)}; the estimates "
            f"run from {row['smallest']:+.1f} to {row['largest']:+.1f}."
        )
    return said


def sentences_by_unit(table: pd.DataFrame) -> list[str]:
    """How many analyses of each headline say higher or lower, by what they take as a unit.

    Parameters
    ----------
    table : DataFrame
        From `by_choice`.
    """
    units = table[table["dimension"] == "unit"]
    return [
        f"{headline}: "
        + "; ".join(
            f"of {row['analyses']} with the {row['level']} as unit "
            f"{row['higher']} say higher, {row['lower']} lower"
            for row in part.to_dict("records")
        )
        + "."
        for headline, part in units.groupby("headline", sort=False)
    ]


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"= {value:.3f}"
