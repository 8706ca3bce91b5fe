"""Tables and sentences of the audit for notebooks: each states its kind of replication and of data."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape

import pandas as pd
from IPython.display import HTML

from study import display
from study.published.data import Paper
from study.published.report import top_ten
from study.schema import StudyError

PUBLISHED = ("published",)
BRIEF = ["claim_id", "section", "says", "printed", "ours", "verdict", "why", "replication"]


def table(
    frame: pd.DataFrame,
    caption: str,
    replication: str,
    kinds: Iterable[str] = PUBLISHED,
    *,
    digits: int = 1,
) -> HTML:
    """A table whose caption names the kind of replication and of data."""
    return display.table(_plain(frame), f"{caption} {_mark(replication)}", kinds, digits=digits)


def say(sentences: list[str], replication: str, kinds: Iterable[str] = PUBLISHED) -> HTML:
    """Sentences under a line that names the kind of replication and of data."""
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return display.html(f"<p>{_mark(replication)} {display.mark(kinds)}</p><ul>{items}</ul>")


def claims(audited: pd.DataFrame, caption: str, *, verdicts: Iterable[str] = (), prefix: str = "") -> HTML:
    """Rows of the audit with some verdicts, or whose ids begin alike; each row names its replication."""
    chosen = audited[audited["claim_id"].str.startswith(prefix)]
    wanted = tuple(verdicts)
    chosen = chosen[chosen["verdict"].isin(wanted)] if wanted else chosen
    return display.table(_plain(chosen[BRIEF]), caption, audited["kind"])


def all_claims(audited: pd.DataFrame) -> HTML:
    """The whole audit, folded: one click opens it."""
    inner = display.table_text(_plain(audited[BRIEF]), "All claims.", audited["kind"])
    return display.html(f"<details><summary>All {len(audited)} claims</summary>{inner}</details>")


def ten(audited: pd.DataFrame) -> HTML:
    """What matters most to a reader: one line each; one click shows the evidence and how to check it."""
    by_id = audited.set_index("claim_id")["replication"]
    items = []
    for row in top_ten(audited).to_dict("records"):
        kinds = ", ".join(sorted({str(by_id[name]) for name in row["claims"].split(", ")}))
        items.append(
            f"<li><details><summary><strong>{escape(row['topic'])}</strong>: {escape(row['verdicts'])} "
            f"({escape(row['claims'])}; {kinds})</summary><p>{escape(row['evidence'])}</p>"
            f"<p><em>By hand: {escape(row['by_hand'])}</em></p></details></li>"
        )
    return display.html(f"<p>{display.mark(audited['kind'])}</p><ol>{''.join(items)}</ol>")


@dataclass(frozen=True)
class Page:
    """Tables and sentences computed from a paper's tables, with the kinds of these; what it lacks is said."""

    paper: Paper

    def table(
        self,
        made: Callable[[Paper], pd.DataFrame] | pd.DataFrame,
        caption: str,
        replication: str,
        kinds: Iterable[str] | None = None,
        *,
        digits: int = 1,
    ) -> HTML:
        """A table, or what a function makes of the paper, or why it cannot; `kinds` if not the paper's."""
        shown = self.paper.kinds if kinds is None else kinds
        analysis = self.paper.replication(replication)
        try:
            frame = made(self.paper) if callable(made) else made
            return table(frame, caption, analysis, shown, digits=digits)
        except StudyError as error:
            return say([f"{caption} Cannot be computed: {error}"], analysis, shown)

    def say(
        self,
        made: Callable[[Paper], list[str]] | list[str],
        replication: str,
        kinds: Iterable[str] | None = None,
    ) -> HTML:
        """Sentences, or those that a function makes of the paper, or why it cannot."""
        try:
            sentences = made(self.paper) if callable(made) else made
        except StudyError as error:
            sentences = [f"Cannot be computed: {error}"]
        shown = self.paper.kinds if kinds is None else kinds
        return say(sentences, self.paper.replication(replication), shown)


def _mark(replication: str) -> str:
    """One or more of reproduced, re-analysed, replicated, simulated; see notebook 4."""
    return f"[{replication}]"


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    """Index reset where it only numbers rows, so that it is not shown."""
    return (
        frame.reset_index(drop=True) if frame.index.name is None and frame.index.dtype == "int64" else frame
    )
