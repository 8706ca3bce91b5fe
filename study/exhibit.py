"""A table to publish: one frame, shown as HTML with its LaTeX source, and written as files of both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

import pandas as pd
from IPython.display import HTML

from study import display
from study.files import write_atomically
from study.latex import latex


@dataclass(frozen=True)
class Exhibit:
    """A table with all that it takes to print it.

    Attributes
    ----------
    stem : str
        Name of its files, and its label in LaTeX.
    caption : str
        What it shows.
    kinds : tuple of str
        Kinds of its rows, and of the analysis.
    frame : DataFrame
        The numbers, unrounded.
    digits : int
        Decimals of floats.
    decimals : mapping
        Decimals of single columns.
    headings : mapping
        Words to print instead of names of columns.
    """

    stem: str
    caption: str
    kinds: tuple[str, ...]
    frame: pd.DataFrame
    digits: int = 1
    decimals: Mapping[str, int] = field(default_factory=dict)
    headings: Mapping[str, str] = field(default_factory=dict)

    @property
    def printed(self) -> pd.DataFrame:
        """The frame with its headings, and columns with own decimals as texts."""
        texts = {
            name: ["–" if pd.isna(value) else f"{value:.{digits}f}" for value in self.frame[name]]
            for name, digits in self.decimals.items()
        }
        return self.frame.assign(**texts).rename(columns=dict(self.headings))

    def html(self) -> str:
        """The table with its caption and the scope of every heading."""
        return display.table_text(self.printed, self.caption, self.kinds, digits=self.digits)

    def latex(self) -> str:
        """A table environment in booktabs style."""
        return latex(self.printed, self.caption, self.kinds, label=self.stem, digits=self.digits)


def show(exhibit: Exhibit, folder: Path | str | None = None) -> HTML:
    """Show the table with its LaTeX source folded below; write `.html` and `.tex` if a folder is given."""
    source = exhibit.latex()
    if folder is not None:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for suffix, text in ((".html", exhibit.html() + "\n"), (".tex", source)):
            write_atomically(Path(folder) / f"{exhibit.stem}{suffix}", text)
    folded = f"<details><summary>LaTeX</summary><pre>{escape(source)}</pre></details>"
    return display.html(exhibit.html() + folded)
