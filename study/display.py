"""Show tables and computed sentences in notebooks and in the report; what is simulated always says so."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING, Any

import pandas as pd
from IPython.display import HTML
from pandas.io.formats.style import Styler

from study.statistics.summary import WORDS

if TYPE_CHECKING:
    from study.records.dataset import Dataset


def _text_styles(frame: pd.DataFrame) -> list[Any]:
    """Words start at the left, and only long ones break."""
    styles = []
    for i, (_, column) in enumerate(frame.items()):
        if pd.api.types.is_string_dtype(column) and not column.str.fullmatch(r"[\d.+*–% ]*").all():
            props = "text-align: left"
            if column.str.len().max() > _SHORT:
                props += "; white-space: normal; min-width: 11em"
            styles.append({"selector": f".col{i}", "props": props})
    return styles


def _p_value(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


_TAG = '<strong style="background:#D55E00;color:#fff;padding:0 .4em">SIMULATED</strong>'
_SHORT = 28
_BOX = "border:2px solid #D55E00;padding:.6em 1em;margin:.5em 0"
FORMATS: dict[str, Any] = {
    "p": _p_value,
    "p_holm": _p_value,
    "smallest_p": _p_value,
    "effect": "{:.2f}",
    "z": "{:.2f}",
}
_STYLES: Any = [
    {"selector": "caption", "props": "caption-side: top; text-align: left; white-space: nowrap"},
    {
        "selector": "th, td",
        "props": "text-align: right; padding: .15em .6em; vertical-align: top; white-space: nowrap",
    },
    {"selector": "th.row_heading", "props": "text-align: left"},
]


def html(text: str) -> HTML:
    """Show HTML; its plain form holds no memory address, so that stored outputs can be compared."""
    return HTML(text)  # type: ignore[no-untyped-call]


def mark(kinds: Iterable[str]) -> str:
    """HTML that states the kinds, with the tag SIMULATED where one of them is."""
    present = sorted(set(kinds))
    words = f"Kind: {escape(', '.join(present) or 'no rows')}."
    return f"{_TAG} {words}" if "simulated" in present else words


def banner(data: Dataset) -> HTML:
    """What the dataset is: its name, kinds, factor levels and number of runs."""
    return html(banner_text(data))


def banner_text(data: Dataset) -> str:
    """HTML of `banner`."""
    runs = data.runs
    factors = ", ".join(
        f"{runs[column].nunique()} {word}{'s' if runs[column].nunique() != 1 else ''}"
        for column, word in (
            ("agent", "agent"), ("project", "project"), ("scenario", "scenario"), ("prompt", "prompt"),
        )
    )  # fmt: skip
    services = len(runs[["project", "service"]].drop_duplicates())
    head = (
        f"<p>Dataset <strong>{escape(data.name)}</strong>: {len(runs)} runs ({factors}, {services} target "
        f"services) and {len(data.controls)} control runs. {mark(data.kind)}</p>"
    )
    if "simulated" not in data.kind:
        return head
    return (
        f'<div style="{_BOX}">{head}<p>The agents of the simulated runs are programs of this package that '
        "derive their services from the reference by planted defects, and make up their time, tokens and "
        "cost. These numbers show what the study does with data; they say nothing about any real agent. "
        "Tests, complexity and the controls were really run and measured.</p></div>"
    )


def table(frame: pd.DataFrame, caption: str, kinds: Iterable[str], *, digits: int = 1) -> HTML:
    """A table with its caption and kind; missing values are dashes, p values have three decimals."""
    return html(table_text(frame, caption, kinds, digits=digits))


def answers(table: pd.DataFrame, caption: str, kinds: Iterable[str]) -> HTML:
    """A table of `study.statistics.questions`, rounded: effect, interval, tests and n of every comparison."""
    return html(answers_text(table, caption, kinds))


def answers_text(table: pd.DataFrame, caption: str, kinds: Iterable[str]) -> str:
    """HTML of `answers`."""
    family = f" {table['family'].iloc[0]}." if len(table) else ""
    return table_text(answer_rows(table), caption + family, kinds)


def answer_rows(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of `answers`, numbers as text but for p."""
    if table.empty:
        return table
    digits = [2 if unit == "ratio" else 1 for unit in table["unit"]]
    return pd.DataFrame({
        "measure": table["measure"],
        "comparison": table["comparison"],
        "n": table["n"],
        "units": table["services"],
        "effect": [_number(v, d, sign=d == 1) for v, d in zip(table["estimate"], digits, strict=True)],
        "95 % interval": [
            "–" if pd.isna(low) else f"{low:.{d}f} to {high:.{d}f}"
            for low, high, d in zip(table["low"], table["high"], digits, strict=True)
        ],
        "p": table["p"],
        "p_holm": table["p_holm"],
        "rank-biserial": [_number(value, 2, sign=True) for value in table["rank_biserial"]],
        "signed-rank Z": [_number(value, 2, sign=True) for value in table["z_published"]],
        "signed-rank p": ["–" if pd.isna(value) else _p_value(value) for value in table["p_published"]],
        "note": table["note"],
    })  # fmt: skip


def effort_rows(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of `study.statistics.summary.efficiency` in words: minutes, dollars, and whole tokens."""
    units = {"time_min": ("min", 1), "cost_usd": ("USD", 2)}
    rows = []
    for row in table.to_dict("records"):
        unit, digits = units.get(row["metric"], ("tokens", 0))
        numbers = {
            name: "–" if pd.isna(row[name]) else f"{row[name]:,.{digits}f}"
            for name in ("mean", "median", "total")
        }
        rows.append(
            {
                **{str(key): value for key, value in row.items()},
                "metric": WORDS[row["metric"]],
                **numbers,
                "unit": unit,
            }
        )
    return pd.DataFrame(rows, columns=[*table.columns, "unit"])


def _number(value: float, digits: int, *, sign: bool) -> str:
    return "–" if pd.isna(value) else f"{value:{'+' if sign else ''}.{digits}f}"


def table_text(frame: pd.DataFrame, caption: str, kinds: Iterable[str], *, digits: int = 1) -> str:
    """HTML of `table`."""
    heading = f"{escape(caption)} {mark(kinds)}"
    if frame.empty:
        return f"<p>{heading} <em>No rows.</em></p>"
    formats: dict[Any, Any] = {
        column: FORMATS.get(column, f"{{:,.{digits}f}}") for column in frame.select_dtypes("float").columns
    }
    identity = hashlib.sha256(caption.encode()).hexdigest()[:8]
    styler = Styler(frame, uuid=identity, cell_ids=False).format(formats, na_rep="–", escape="html")
    styler = styler.set_caption(heading).set_table_styles([*_STYLES, *_text_styles(frame)])
    if isinstance(frame.index, pd.RangeIndex):
        styler = styler.hide(axis="index")
    text = styler.to_html()
    for heading_class, scope in (("col_heading", "col"), ("row_heading", "row")):
        text = re.sub(f'<th ([^>]*class="{heading_class})', rf'<th scope="{scope}" \1', text)
    return text
