"""One look for all figures: size, type, colour, the mark SIMULATED, and files equal byte for byte."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import pandas as pd
from IPython.display import Image
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

if TYPE_CHECKING:
    from study.records.dataset import Dataset

SINGLE, DOUBLE = 3.35, 7.0
"""Widths of one and of two columns of a paper, in inches."""
DPI = 160
POINTS = 7.0
"""Smallest type size, in points."""

OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000")
"""Okabe and Ito's palette, which people with any common colour blindness can tell apart; yellow is left out
because it is too faint for a thin mark on white."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "++", "oo")
GREY, LIGHT, ALARM = "#666666", "#DDDDDD", "#D55E00"

_RC: Any = {
    "font.family": "DejaVu Sans",
    "font.size": POINTS,
    "axes.titlesize": 7.5,
    "axes.labelsize": POINTS,
    "xtick.labelsize": POINTS,
    "ytick.labelsize": POINTS,
    "legend.fontsize": POINTS,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.facecolor": "none",
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "hatch.linewidth": 0.5,
    "lines.linewidth": 1.0,
    # One id salt and text as outlines: the same bytes and the same letters on every machine.
    "svg.hashsalt": "study",
    "svg.fonttype": "path",
}


def palette(levels: Sequence[str]) -> dict[str, str]:
    """Colour of each level, by position."""
    return dict(zip(levels, cycle(OKABE_ITO), strict=False))


def markers(levels: Sequence[str]) -> dict[str, str]:
    """Marker of each level, so that no figure relies on colour alone."""
    return dict(zip(levels, cycle(MARKERS), strict=False))


def hatches(count: int) -> list[str]:
    """Hatches for stacked bars, in order."""
    return list(islice(cycle(HATCHES), count))


def wrap(label: str, width: int = 12) -> str:
    """Break a label at its hyphens and spaces, so that neighbours on an axis do not touch."""
    return "\n".join(textwrap.wrap(label, width, break_long_words=False)) or label


def compact(value: float) -> str:
    """A number for a label: no exponent, and no more digits than there is room for."""
    return f"{value:.0f}" if abs(value) >= 10 else f"{value:.1f}"


def name_ticks(axes: Axes, names: Sequence[str], sizes: Sequence[int], inches: float) -> None:
    """Name the groups on the x axis, each with its n; upright where they would touch each other."""
    room = int(inches / len(names) * 17)
    words = [word for name in names for word in wrap(name, room).split("\n")]
    flat = max(map(len, [*words, *(f"n = {size}" for size in sizes)])) <= room
    broken = "\n" if room >= 5 else ", "
    labels = [
        f"{wrap(name, room) if flat else name}{broken}n = {size}"
        for name, size in zip(names, sizes, strict=True)
    ]
    axes.set_xticks(axes.get_xticks(), labels, rotation=0 if flat else 90)
    axes.tick_params(axis="x", length=0)


@dataclass(frozen=True)
class Source:
    """What is drawn: the name of the data, and the kinds of its rows."""

    name: str
    kinds: tuple[str, ...]

    @classmethod
    def of(cls, data: Dataset) -> Source:
        """The runs of a dataset."""
        return cls(data.name, tuple(sorted(data.kind)))


@contextmanager
def page(
    stem: str,
    title: str,
    data: Dataset | Source,
    *,
    kinds: Iterable[str] | None = None,
    size: tuple[float, float],
    note: str = "",
    legend: Sequence[Artist] = (),
) -> Iterator[Figure]:
    """Open a figure with its title line, legend, footer and, for simulated rows, the mark SIMULATED.

    Parameters
    ----------
    stem : str
        Name of the figure's files, kept as the figure's label.
    title : str
        What is drawn, in a few words.
    data : Dataset or Source
        Its name goes into the footer.
    kinds : iterable of str, optional
        The kinds of the rows that are drawn; those of the source, if not given.
    size : tuple of float
        Width and height of the panels in inches; title, legend and footer are added to the height.
    note : str
        How to read the figure: what a dot, a line, an interval is, and how many runs enter.
    legend : sequence of Artist
        Labelled handles, shown between the title and the panels.
    """
    source = data if isinstance(data, Source) else Source.of(data)
    present = sorted(set(source.kinds if kinds is None else kinds))
    width, height = size
    per_line = int(width * 18)
    footer = textwrap.wrap(note, per_line) if note else []
    footer += textwrap.wrap(f"Dataset: {source.name}. Kind: {', '.join(present) or 'no rows'}.", per_line)
    heading = textwrap.wrap(title, int(width * 12.5) - (14 if "simulated" in present else 0))
    columns = _columns(width, legend)
    head = 0.17 * len(heading) + 0.07
    top = head + 0.15 * -(-len(legend) // columns) + (0.05 if legend else 0)
    bottom = 0.125 * len(footer) + 0.08
    total = height + top + bottom
    with mpl.rc_context(_RC):
        figure = Figure(figsize=(width, total), dpi=DPI, layout="constrained", label=stem)
        FigureCanvasAgg(figure)
        engine: Any = figure.get_layout_engine()
        engine.set(rect=(0, bottom / total, 1, height / total))
        left = 0.06 / width
        figure.text(left, 1 - 0.05 / total, "\n".join(heading), va="top", fontsize=8.5, fontweight="bold")
        figure.text(left, 0.04 / total, "\n".join(footer), va="bottom", color="#333333")
        if legend:
            figure.legend(
                handles=list(legend), ncols=columns, loc="upper left", bbox_to_anchor=(0, 1 - head / total),
                borderpad=0.1, borderaxespad=0.1, labelspacing=0.25, handletextpad=0.4, columnspacing=1.2,
            )  # fmt: skip
        if "simulated" in present:
            _mark(figure, only=present == ["simulated"])
        yield figure
        _freeze_layout(figure)


def _freeze_layout(figure: Figure) -> None:
    """Lay the panels out once, for both file formats; the solver's last digits differ between processes."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        left, bottom, width, height = (round(edge, 5) for edge in axes.get_position().bounds)
        axes.set_position((left, bottom, width, height))


def _columns(width: float, legend: Sequence[Artist]) -> int:
    """As many legend columns as fit; matplotlib fills them from top to bottom."""
    inches = [0.058 * len(str(handle.get_label())) + 0.5 for handle in legend]
    for columns in range(len(inches), 1, -1):
        lines = -(-len(inches) // columns)
        if sum(max(inches[i : i + lines]) for i in range(0, len(inches), lines)) <= width:
            return columns
    return 1


def _mark(figure: Figure, *, only: bool) -> None:
    width, height = figure.get_size_inches()
    label = "SIMULATED" if only else "PARTLY SIMULATED"
    box = {"boxstyle": "square,pad=0.25", "facecolor": ALARM, "edgecolor": "none"}
    place = (1 - 0.09 / width, 1 - 0.07 / height)
    figure.text(*place, label, ha="right", va="top", color="white", fontsize=8, fontweight="bold", bbox=box)
    figure.text(
        0.5, 0.5, label, ha="center", va="center", rotation=25, zorder=-1,
        fontsize=min(width * 9, height * 14), color=ALARM, alpha=0.07, fontweight="bold",
    )  # fmt: skip


def not_enough(axes: Axes, why: str = "not enough data") -> None:
    """Say in the panel that there is nothing to draw."""
    axes.set_xticks([])
    axes.set_yticks([])
    axes.text(
        0.5,
        0.5,
        wrap(why, 24),
        transform=axes.transAxes,
        ha="center",
        va="center",
        color=GREY,
        style="italic",
    )


def save(figure: Figure, stem: str, folder: Path | str) -> list[Path]:
    """Write `<stem>.png` and `<stem>.svg`; the same figure gives the same bytes.

    Returns
    -------
    list of Path
        The files written.
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    paths = [target / f"{stem}.png", target / f"{stem}.svg"]
    with mpl.rc_context(_RC):
        figure.savefig(paths[0], dpi=DPI, metadata={"Software": None})
        figure.savefig(paths[1], metadata={"Date": None, "Creator": None})
    return paths


def show(figure: Figure, folder: Path | str | None = None) -> Image:
    """Show a figure in a notebook, and write its files where a folder is given."""
    if folder is not None:
        data = save(figure, str(figure.get_label()), folder)[0].read_bytes()
    else:
        stream = io.BytesIO()
        with mpl.rc_context(_RC):
            figure.savefig(stream, dpi=DPI, format="png", metadata={"Software": None})
        data = stream.getvalue()
    return Image(  # type: ignore[no-untyped-call]
        data=data, format="png", alt=" ".join(text.get_text() for text in figure.texts[:2])
    )


def log_axis(axes: Axes, label: str, values: pd.Series) -> None:
    """Make the x axis logarithmic around the values, with ticks at 1, 2 and 5 times the powers of ten."""
    low, high = float(values.min()) / 1.3, float(values.max()) * 1.3
    axes.set_xscale("log")
    axes.set_xlim(low, high)
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high / low < 300 else (1.0,)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.set_xlabel(label)
