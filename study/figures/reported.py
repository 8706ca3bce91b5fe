"""Figure of the printed statistics: what each reading of a test can give, beside the printed value."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from study.figures import style

PANELS = {
    "scenario": ("Z, scenario", ("rank-sum", "signed-rank")),
    "prompt": ("Z, prompt", ("rank-sum", "signed-rank")),
    "A2": ("A2, normality", ("A2",)),
    "ranks": ("Difference of the scenarios, in ranks or in points", ("difference",)),
}
BASES = ("printed cells", "documented", "all or nothing", "other counts")
_NAMES = {
    "printed cells": "printed cells",
    "documented": "values per run: documented test counts, 4/9/13 assumed for Project-Management",
    "all or nothing": "the same, services passing all or nothing where possible",
    "other counts": "other test counts for Project-Management and Train-Ticket",
}


def reported_statistics(variants: pd.DataFrame, name: str = "published/paper") -> Figure:
    """Ranges of every reading of the printed statistics, with the printed value as a line.

    Parameters
    ----------
    variants : DataFrame
        `study.published.evidence.Evidence.variants`; readings with continuity correction are left out, as
        they differ by less than the width of a mark.
    name : str
        Of the data, for the footer.
    """
    shown = variants[~variants["continuity"].astype(bool) & variants["printed"].notna()]
    panels = {key: _select(shown, key) for key in PANELS}
    rows = [part["row"].nunique() for part in panels.values()]
    note = (
        "Dashed: printed value. Thick: 95 % of random counts of passed tests that give the printed cells of "
        "Table III; thin: smallest to largest of them; tick: median. The draws only show what is possible: "
        "they are no data, and their ranges no probabilities. n = 48 cells or 144 runs; mean ranks of 48 "
        "values do not compare with those of 144 and are left out. Difference in points: of the cells' "
        "means, or with the tests of a cell pooled. With continuity correction Z moves by less than 0.03."
    )
    colours = dict(zip(BASES, ("#000000", *style.OKABE_ITO), strict=False))
    source = style.Source(name, ("published", "re-analysed"))
    with style.page(
        "reported_statistics", "What the printed statistics are compatible with", source, note=note,
        size=(style.DOUBLE, 0.3 * sum(rows) + 0.5 * len(rows)), legend=_legend(colours),
    ) as figure:  # fmt: skip
        grid = figure.subplots(len(panels), 1, height_ratios=[count + 1 for count in rows])
        for axes, (key, part) in zip(grid, panels.items(), strict=True):
            _panel(axes, part, colours)
            axes.set_xlabel(PANELS[key][0], labelpad=1)
    return figure


def _select(variants: pd.DataFrame, key: str) -> pd.DataFrame:
    """The rows of a panel, with the name of the line that each is drawn on."""
    part = variants[variants["test"].str.startswith(PANELS[key][1]) & variants["basis"].isin(BASES)]
    part = part[(part["test"] != "difference of mean ranks") | (part["basis"] != "printed cells")]
    if key in ("scenario", "prompt"):
        part = part[part["comparison"] == key]
    of = part["comparison"].where(part["test"] == "A2 of the differences", "")
    return part.assign(row=part["label"] + of.map(lambda word: f", {word}" if word else ""))


def _panel(axes: Axes, part: pd.DataFrame, colours: dict[str, str]) -> None:
    names = list(dict.fromkeys(part["row"]))
    for record in part.to_dict("records"):
        order = BASES.index(record["basis"])
        place = names.index(record["row"]) + 0.19 * (order - 1.5)
        colour = colours[record["basis"]]
        if record["basis"] == "printed cells":
            axes.plot(record["median"], place, "D", color=colour, ms=3)
            continue
        axes.hlines(place, record["smallest"], record["largest"], color=colour, lw=0.7)
        axes.hlines(place, record["low"], record["high"], color=colour, lw=2.6)
        axes.plot(record["median"], place, "|", color="white", ms=3.5, mew=1)
    axes.axvline(part["printed"].iloc[0], color=style.ALARM, ls=(0, (4, 2)), lw=1)
    axes.annotate(
        f"{part['printed'].iloc[0]:g}", (part["printed"].iloc[0], 1), (2, 0), color=style.ALARM, va="bottom",
        xycoords=("data", "axes fraction"), textcoords="offset points",
    )  # fmt: skip
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="x", color=style.LIGHT, lw=0.5)
    axes.set_axisbelow(True)


def _legend(colours: dict[str, str]) -> list[Line2D]:
    marks = {"printed cells": {"marker": "D", "ls": "", "ms": 3.0}}
    return [
        Line2D([], [], color=colours[base], label=_NAMES[base], **marks.get(base, {"lw": 2.6}))  # type: ignore[arg-type]
        for base in BASES
    ]
