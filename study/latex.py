"""Tables as LaTeX in booktabs style; every text of a frame is escaped, so that the result compiles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd
from pandas.io.formats.style import Styler

PACKAGES = ("booktabs", "graphicx", "multirow")
"""What the document has to load."""
MISSING = "--"
_FIT = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
_CHARACTERS = str.maketrans({
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#",
    "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", "–": "--", "−": "$-$", "²": r"\textsuperscript{2}", "\n": " ",
    "[": "{[}", "]": "{]}", "*": "{*}",  # after the end of a row, the first and the last are its arguments
})  # fmt: skip


def escape(text: object) -> str:
    """Text in which no character has a meaning to LaTeX."""
    return str(text).translate(_CHARACTERS)


def latex(
    frame: pd.DataFrame,
    caption: str,
    kinds: Iterable[str],
    *,
    label: str,
    digits: int = 1,
) -> str:
    r"""A table environment; its caption ends with the kinds, and starts with SIMULATED if that is one.

    Parameters
    ----------
    frame : DataFrame
        The table; a plain numbered index is left out.
    caption : str
        What the table shows.
    kinds : iterable of str
        Kinds of the rows.
    label : str
        For `\ref`, without its prefix `tab:`.
    digits : int
        Decimals of floats.
    """
    cells = {i: [_cell(value, digits) for value in frame.iloc[:, i]] for i in range(frame.shape[1])}
    shown = pd.DataFrame(cells, index=_escaped(frame.index))
    shown.columns = _escaped(frame.columns)
    styler = Styler(shown)
    if isinstance(frame.index, pd.RangeIndex):
        styler = styler.hide(axis="index")
    row_headings = "" if isinstance(frame.index, pd.RangeIndex) else "l" * frame.index.nlevels
    layout = row_headings + "".join(
        "r" if _is_number(frame.iloc[:, i]) else "l" for i in range(frame.shape[1])
    )
    present = sorted(set(kinds))
    words = ", ".join(present) or "no rows"
    mark = r"\textbf{SIMULATED.} " if "simulated" in present else ""
    text: str = styler.to_latex(
        hrules=True, column_format=layout, caption=f"{mark}{escape(caption)} Kind: {escape(words)}.",
        label=f"tab:{label}", position="t", position_float="centering", multicol_align="c",
        multirow_align="t",
    )  # fmt: skip
    text = text.replace(r"\begin{tabular}", f"{_FIT}\n\\begin{{tabular}}", 1)
    text = text.replace(r"\end{tabular}", "\\end{tabular}}", 1)
    return f"% needs the packages {', '.join(PACKAGES)}\n{text}"


def _cell(value: Any, digits: int) -> str:
    if pd.isna(value):
        return MISSING
    return f"{value:.{digits}f}" if isinstance(value, float) else escape(value)


def _escaped(index: pd.Index) -> pd.Index:
    """The same index with escaped labels and names."""
    names = [None if name is None else escape(name) for name in index.names]
    if isinstance(index, pd.MultiIndex):
        return pd.MultiIndex.from_tuples([tuple(map(escape, key)) for key in index], names=names)
    return pd.Index([escape(key) for key in index], name=names[0], dtype="object")


def _is_number(column: pd.Series) -> bool:
    if pd.api.types.is_numeric_dtype(column):
        return True
    return bool(column.astype("str").str.fullmatch(r"[\d.+*–% −-]*").all())
