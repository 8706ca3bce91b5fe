"""The tables of a plan in words and rounded, for terminal and notebook; the frames behind them stay exact."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from study.planning.cost import ALL

if TYPE_CHECKING:
    from study.planning.planned import Planned

DASH = "–"


def assumed(planned: Planned) -> pd.DataFrame:
    """What was observed, and what the model has."""
    table = planned.assumed
    if table.empty:
        return table
    digits = table["unit"].map({"latent": 2}).fillna(1).astype(int)
    shown = {
        "quantity": table["quantity"],
        "unit": table["unit"],
        "observed": _each(table["observed"], digits),
        "95 % interval": [
            DASH if pd.isna(low) else f"{low:.1f} to {high:.1f}"
            for low, high in zip(table["low"], table["high"], strict=True)
        ],
        "model": _each(table["fitted"], digits),
    }
    return pd.DataFrame(shown)


def designs(planned: Planned) -> pd.DataFrame:
    """Power and interval of every design of the grid."""
    table = planned.grid
    if table.empty:
        return table
    return pd.DataFrame({
        "services": table["services"],
        "projects": [f"{value:.3g}" for value in table["projects"]],
        "replicates": table["replicates"],
        "agents": table["agents"],
        "runs": table["runs"],
        "interval ± points": [f"{value:.1f}" for value in table["half_width_points"]],
        "finds points": [DASH if pd.isna(v) else f"{v:.1f}" for v in table["detectable_points"]],
        "power, t": [f"{p:.2f} ± {e:.2f}" for p, e in zip(table["power_t"], table["error"], strict=True)],
        "sign flips": [f"{value:.2f}" for value in table["power_flip"]],
        "theory": [f"{value:.2f}" for value in table["power_theory"]],
    })  # fmt: skip


def needed(planned: Planned) -> pd.DataFrame:
    """Services that find the effect, with the range that an uncertain spread leaves."""
    table = planned.needed
    if table.empty:
        return table
    return pd.DataFrame({
        "agents": table["agents"],
        "replicates": table["replicates"],
        "services": _whole(table["services"]),
        "if the spread is smaller, larger": [
            DASH if pd.isna(low) and pd.isna(high) else f"{_text(low)} to {_text(high)}"
            for low, high in zip(table["services_low"], table["services_high"], strict=True)
        ],
        "projects": _whole(table["projects"]),
        "runs": _whole(table["runs"]),
    })  # fmt: skip


def cost(table: pd.DataFrame) -> pd.DataFrame:
    """Hours and money with their intervals."""
    if table.empty:
        return table
    return pd.DataFrame({
        "agent": table["agent"],
        "runs": table["runs"],
        "hours of agents": _interval(table, "hours"),
        "on the clock": _each(table["wall_hours"], pd.Series(1, index=table.index)),
        "USD": _interval(table, "usd"),
        "from runs": [
            str(t) if t == c else f"{t} (time), {c} (cost)"
            for t, c in zip(table["known_time"], table["known_cost"], strict=True)
        ],
    })  # fmt: skip


def cost_notes(table: pd.DataFrame) -> list[str]:
    """What is to be said of the costs, once each."""
    found: dict[str, list[str]] = {}
    for row in table[table["agent"] != ALL].to_dict("records") if len(table) else []:
        if row["note"]:
            found.setdefault(str(row["note"]), []).append(str(row["agent"]))
    return [f"{', '.join(agents)}: {note}" for note, agents in found.items()]


def _interval(table: pd.DataFrame, name: str) -> list[str]:
    columns = (table[name], table[f"{name}_low"], table[f"{name}_high"])
    return [
        DASH if pd.isna(value) else f"{value:,.1f} ({low:,.1f} to {high:,.1f})"
        for value, low, high in zip(*columns, strict=True)
    ]


def _each(values: pd.Series, digits: pd.Series) -> list[str]:
    return [DASH if pd.isna(v) else f"{v:,.{d}f}" for v, d in zip(values, digits, strict=True)]


def _whole(values: pd.Series) -> list[str]:
    return [_text(value) for value in values]


def _text(value: object) -> str:
    return "over 100,000" if pd.isna(value) else str(value)  # type: ignore[call-overload]
