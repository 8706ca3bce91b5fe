"""The audit for readers: counts by verdict, the ten that matter most, one claim explained, file formats."""

from __future__ import annotations

import re
from difflib import get_close_matches
from html import escape
from typing import NamedTuple

import pandas as pd

from study.display import mark
from study.published.audit import Checked, check_all, check_of, kind_of, replication_of
from study.published.claims import list_claims
from study.published.data import Paper
from study.published.run_report import BY_HAND, how_to_read_runs, kinds_of, of_runs, place_of
from study.published.verdicts import VERDICTS
from study.schema import StudyError

GROUPS = {
    "C": "sentences",
    "S": "statistics",
    "T3": "Table III, cells",
    "T3A": "Table III, averages",
    "T4": "Table IV",
    "F3": "Fig. 3, bar labels",
    "F4": "Figs. 4 to 7, means",
    "F5": "Figs. 4 to 7, means",
    "F6a": "Figs. 4 to 7, means",
    "F6b": "Figs. 4 to 7, means",
    "F7": "Figs. 4 to 7, means",
}
FORMATS = ("table", "csv", "html", "latex")
SHORT = ["claim_id", "section", "says", "printed", "ours", "verdict", "why"]


class Topic(NamedTuple):
    """A matter of interest to a reader, the claims that it rests on, and how to check it in a minute."""

    title: str
    claims: tuple[str, ...]
    by_hand: str


TOPICS = (
    Topic(
        "Advantage of clean state over incremental",
        ("C38", "S4"),
        "Average the 24 clean-state and the 24 incremental cells of Table III (P1, P2) and subtract.",
    ),
    Topic(
        "Shares of functionally correct code in the conclusion",
        ("C77", "C78"),
        "Average the six agent averages of each scenario in Table III.",
    ),
    Topic(
        "Fig. 8 and Table III on the same cell",
        ("C67", "C68"),
        "Take the rate of Fig. 8 for one of three services and 100 for the others; compare with Table III.",
    ),
    Topic(
        "Complexity of Claude Code and Codex against the original",
        ("C23",),
        "Divide the labels of Fig. 3, top row: 1 - generated / original.",
    ),
    Topic("Average time in the abstract", ("C06",), "Read the time column of Table IV."),
    Topic(
        "A second extreme run of Codex",
        ("F4.Codex.Inc-P1", "F7.Codex.time"),
        "In Fig. 4, Codex Inc-P1, the dashed mean lies above the upper whisker; one low point is drawn.",
    ),
    Topic(
        "The same Z for two tests",
        ("S2", "S3"),
        "Compare the two values of Z in Sec. IV-B: tests with different statistics, equal to three decimals.",
    ),
    Topic(
        "63.7 points regained by Code Qwen with P2",
        ("C33", "C80"),
        "Subtract the P1 from the P2 cells of Code Qwen, clean state, in Table III.",
    ),
    Topic(
        "Statements on all agents or projects",
        ("C66", "C72", "C73"),
        "Compare P1 and P2 in Fig. 6a and in Table III agent by agent.",
    ),
    Topic(
        "Output tokens of Claude Code",
        ("C59", "C63", "C79"),
        "Divide the output tokens of Table IV by the lines of Fig. 3.",
    ),
)  # fmt: skip


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """How many claims of each kind agree, partly agree, disagree or cannot be tested."""
    group = table["claim_id"].map(lambda name: GROUPS[_prefix(name)]).rename("claims")
    counts = pd.crosstab(group, table["verdict"]).reindex(columns=list(VERDICTS), fill_value=0)
    counts = counts.loc[list(dict.fromkeys(group))]
    counts["total"] = counts.sum(axis=1)
    counts.loc["all"] = counts.sum()
    return counts.rename_axis(columns=None)


def _prefix(claim_id: str) -> str:
    return claim_id.split(".")[0] if "." in claim_id else claim_id[:1]


def top_ten(table: pd.DataFrame) -> pd.DataFrame:
    """The matters of most weight for a reader among those that do not fully agree.

    Returns
    -------
    DataFrame
        topic, claims, verdicts, evidence (our sentences), by_hand (how to check it in a minute).
    """
    rows = []
    runs = of_runs(table)
    by_id = table.set_index("claim_id")
    for topic in TOPICS:
        found = by_id.loc[list(topic.claims)]
        if (found["verdict"] == "agrees").all():
            continue
        rows.append(
            {
                "topic": topic.title,
                "claims": ", ".join(topic.claims),
                "verdicts": ", ".join(found["verdict"]),
                "evidence": " ".join(f"[{name}] {why}" for name, why in found["why"].items()),
                "by_hand": BY_HAND if runs else topic.by_hand,
            }
        )
    return pd.DataFrame(rows, columns=["topic", "claims", "verdicts", "evidence", "by_hand"])


def how_to_read(table: pd.DataFrame) -> str:
    """A paragraph on what the verdicts mean; its counts are computed."""
    if of_runs(table):
        return how_to_read_runs(table)
    counts = summary(table)
    total, said = counts.loc["all"], counts.loc["sentences"]
    return (
        "The paper is a serious study with openly described methods, and most of its numbers agree. Of "
        f"{said['total']} sentences {said['agrees']} agree with the published data within the rounding of "
        f"what is printed, {said['partly']} hold in part, {said['disagrees']} do not, and "
        f"{said['not testable']} cannot be tested. Of all {total['total']} claims, printed cells, "
        f"bar labels and drawn means included, {total['agrees']} agree, {total['partly']} in part, "
        f"{total['disagrees']} do not, and "
        f"{total['not testable']} cannot be tested, mostly because values of single runs or numbers of tests "
        "are not published. Not all agreements weigh alike: that a label equals the height of its bar, or "
        "that a cell can come from whole tests, says less than that an average follows from its rows. "
        "`partly` also stands where some parts hold and the others cannot be tested. "
        "`agrees` means that the number or direction follows from other published numbers, not that it is "
        "true of the agents. `disagrees` means that two published numbers cannot both be right as printed, "
        "that a drawing leaves out a run that its mean needs, or that a number cannot come from the tests in "
        "the public repository; it does not say which of "
        "the two is right, nor why they differ. No verdict is typed: each is computed from the "
        "data by the named function, and changes with them."
    )


def explain(paper: Paper, claim_id: str) -> str:
    """All about one claim: where it stands, what it says, what was found, and from which cells.

    Raises
    ------
    StudyError
        If there is no claim of that name; the message lists those that begin alike.
    """
    claims = list_claims(paper.printed or paper)
    for claim in claims:
        if claim.claim_id.lower() == claim_id.lower():
            return _explanation(paper, *check_all(paper, [claim]))
    names = {claim.claim_id.lower(): claim.claim_id for claim in claims}
    near = get_close_matches(claim_id.lower(), names, n=5, cutoff=0.5)
    alike = ", ".join(names[name] for name in near)
    known = f"near it are {alike}" if near else "ids are like C17, S2 and T4.Codex.runs"
    raise StudyError(f"--claim: no claim {claim_id!r}; {known}. `study audit` lists all {len(claims)}.")


def _explanation(paper: Paper, checked: Checked) -> str:
    claim, finding, reads = checked.claim, checked.finding, checked.reads
    check, replication = check_of(paper, claim), replication_of(paper, checked)
    kind = kind_of(paper, checked.basis)
    page = f", p. {claim.page}" if claim.page else ""
    lines = [
        f"{claim.claim_id}  {finding.verdict.upper()}",
        f"  where      {claim.source}, {claim.section}{page}",
        f"  says       {claim.says}",
        f"  printed    {claim.printed or '(a direction)'} {claim.unit if claim.printed else ''}".rstrip(),
        f"  ours       {finding.ours}",
        *([f"  tolerance  {finding.tolerance:g}"] if finding.tolerance is not None else []),
        f"  why        {finding.why}",
        f"  function   {check.__module__}.{check.__name__} ({replication}; kind: {kind})",
        f"  reads      {len(reads)} cells:",
    ]
    for cell in sorted(reads):
        value = paper[cell.table][cell.column].iloc[cell.row]
        lines.append(f"             {place_of(paper, cell)}, {cell.column}: {value}")
    return "\n".join(lines)


def render(table: pd.DataFrame, form: str) -> str:
    """The audit as csv (all columns), a page of HTML with the ten and all claims, or a LaTeX longtable."""
    if form == "csv":
        return str(table.to_csv(index=False, lineterminator="\n"))
    if form == "latex":
        short = table[["claim_id", "section", "says", "printed", "ours", "verdict"]]
        text = short.to_latex(
            index=False,
            escape=True,
            longtable=True,
            column_format="".join(f"p{{{width}\\linewidth}}" for width in (0.14, 0.1, 0.2, 0.1, 0.26, 0.08)),
            caption=f"Claims of the paper, recomputed {_basis(table)}. Kind: {kinds_of(table)}.",
            label="tab:audit",
        )
        # long ids, such as T3.Codex.TeamSync.incremental.P2, may break at their dots
        return re.sub(r"(?m)^[TF]\d\S+", lambda match: match[0].replace(".", ".\\allowbreak{}"), text)
    if form == "html":
        return _page(table)
    raise StudyError(f"--format: {form!r} is not known; give one of {', '.join(FORMATS)}")


def _page(table: pd.DataFrame) -> str:
    ten = [
        f"<li><strong>{escape(row['topic'])}</strong> ({_links(row['claims'])}: {escape(row['verdicts'])}). "
        f"{escape(row['evidence'])} <em>By hand: {escape(row['by_hand'])}</em></li>"
        for row in top_ten(table).to_dict("records")
    ]
    body = "".join(
        f'<tr id="{escape(row["claim_id"])}" class="{row["verdict"].replace(" ", "-")}">'
        + "".join(f"<td>{escape(str(row[column]))}</td>" for column in [*SHORT, "replication", "check"])
        + "</tr>\n"
        for row in table.to_dict("records")
    )
    heads = "".join(
        f'<th scope="col">{name.replace("_", " ")}</th>' for name in [*SHORT, "replication", "check"]
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Audit of the paper</title>\n'
        "<style>body{font:14px/1.4 sans-serif;max-width:80em;margin:1em auto;padding:0 1em}"
        "table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2em .5em;vertical-align:top;"
        "text-align:left}tr.disagrees td{background:#fbe3d6}tr.partly td{background:#fdf4d7}"
        "tr.not-testable td{background:#eee}tr:target td{outline:2px solid #0072B2}</style></head><body>\n"
        f"<h1>The paper, claim by claim</h1>\n<p>Recomputed {_basis(table)}. {mark(set(table['kind']))}</p>\n"
        f"<p>{escape(how_to_read(table))}</p>\n{summary(table).to_html(border=0)}\n"
        f"<h2>What matters most to a reader</h2>\n<ol>{''.join(ten)}</ol>\n"
        f"<h2>All claims</h2>\n<table><thead><tr>{heads}</tr></thead>\n<tbody>{body}</tbody></table>\n"
        "</body></html>\n"
    )


def _basis(table: pd.DataFrame) -> str:
    return "from runs" if of_runs(table) else "from its published data"


def _links(claims: str) -> str:
    return ", ".join(f'<a href="#{escape(name)}">{escape(name)}</a>' for name in claims.split(", "))
