"""What a dataset says of systems, agents, design and tests, in the columns of the published tables."""

from __future__ import annotations

import pandas as pd

from study.published.data import Paper
from study.published.names import PROMPTS, paper_names
from study.records.dataset import Dataset
from study.statistics.summary import levels

PLACE = "runs"
"""In the column `place` of the design: derived from the runs."""


def system_rows(data: Dataset, printed: Paper) -> pd.DataFrame:
    """Table I: the paper's row of each project that it has; of others what the dataset knows."""
    known = printed["projects"].set_index("project")
    names = paper_names(data.runs["project"], known.index)
    targets = data.references.drop_duplicates(["project", "service"])
    rows = []
    for project in levels(data.runs["project"]):
        runs = data.runs[data.runs["project"] == project]
        facts = known.loc[names[project]].to_dict() if project in names else {}
        language = targets.loc[targets["project"] == project, "language"].dropna()
        rows.append(
            {
                "kind": ", ".join(sorted(set(runs["kind"]))),
                "project": project,
                "source": facts.get("source"),
                "role": facts.get("role"),
                "language": facts.get("language", next(iter(language), None)),
                "services": facts.get("services"),
                "description": facts.get("description"),
                "services_generated": runs["service"].nunique(),
            }
        )
    return pd.DataFrame(rows).astype({"services": "Int64", "services_generated": "Int64"})


def agent_rows(data: Dataset, printed: Paper) -> pd.DataFrame:
    """Table II: what the runs say of each agent; the paper's own facts are of its agents, not of these."""
    columns = printed["agents"].columns
    rows = [
        {"kind": ", ".join(sorted(set(runs["kind"]))), "agent": agent, "model_id": _first(runs["model"])}
        for agent, runs in data.runs.groupby("agent", sort=False)
    ]
    if data.kind == {"published"}:
        return printed["agents"][printed["agents"]["agent"].isin(levels(data.runs["agent"]))]
    return pd.DataFrame(rows).reindex(columns=columns).astype("object")


def _first(values: pd.Series) -> str | None:
    known = values.dropna()
    return None if known.empty else str(known.iloc[0])


def design_rows(data: Dataset, printed: Paper) -> pd.DataFrame:
    """Factors and counts of the runs; selection of projects and settings as printed."""
    runs = data.runs
    services = runs.groupby("project", sort=False)["service"].nunique()
    factors = [
        *(("agent", name) for name in levels(runs["agent"])),
        *(("project", name) for name in levels(runs["project"])),
        *(("scenario", name) for name in levels(runs["scenario"])),
        *(("prompt", PROMPTS[name]) for name in levels(runs["prompt"])),
    ]
    rows = [_row("factor", factor, level, 1) for factor, level in factors]
    if services.nunique() == 1:
        rows.append(_row("factor", "service_in_project", "all", int(services.iloc[0])))
    rows += [_row("configuration", "configuration", level, 1) for level in levels(runs["condition"])]
    groups = {
        "per_agent": ["agent"], "per_configuration": ["condition"],
        "per_agent_and_configuration": ["agent", "condition"],
        "per_cell_of_pass_rate_table": ["agent", "project", "scenario", "prompt"],
    }  # fmt: skip
    rows.append(_row("count", "runs", "total", len(runs)))
    for level, keys in groups.items():
        sizes = runs.groupby(keys).size()
        rows.append(_row("count", "runs", level, int(sizes.iloc[0]) if sizes.nunique() == 1 else None))
    kept = printed["design"][~printed["design"]["row_kind"].isin(["factor", "configuration", "count"])]
    own = pd.DataFrame(rows).assign(kind=", ".join(sorted(data.kind)))
    return pd.concat([own.astype({"count": "float64"}), kept], ignore_index=True)[list(kept.columns)]


def _row(row_kind: str, factor: str, level: str, count: int | None) -> dict[str, object]:
    return {
        "row_kind": row_kind, "factor": factor, "level": level, "description": "", "count": count,
        "place": PLACE,
    }  # fmt: skip


def suite_rows(data: Dataset) -> pd.DataFrame:
    """Tests of each oracle, where the runs or references say how many."""
    known = data.references[data.references["tests_reference"].notna()]
    known = known[known["project"].isin(set(data.runs["project"]))]
    return pd.DataFrame(
        {
            "kind": known["kind"], "project": known["project"], "scenario": known["scenario"],
            "service": known["service"], "tests": known["tests_reference"], "skips": False,
            "basis": "counted", "source": PLACE,
        }
    ).reset_index(drop=True)  # fmt: skip


def floor_rows(data: Dataset, printed: Paper) -> pd.DataFrame:
    """Floors of the dataset's oracles; without any, those of the authors' systems that it has."""
    refs = data.references[data.references["project"].isin(set(data.runs["project"]))]
    known = refs[
        refs["tests_reference"].notna() & (refs["floor_percent"].notna() | (refs["tests_reference"] == 0))
    ]
    if known.empty:
        floors = printed["floors"]
        names = paper_names(data.runs["project"], levels(floors["project"])).values()
        return floors[floors["project"].isin(list(names))].reset_index(drop=True)
    tests = known["tests_reference"].astype("Int64")

    def passed(column: str) -> pd.Series:
        return (known[column].fillna(0) * tests.astype("float64") / 100).round().astype("Int64")

    return pd.DataFrame(
        {
            "kind": known["kind"],
            "project": known["project"],
            "service": known["service"],
            "oracle": known["oracle"],
            "consumers": None,
            "tests": tests,
            "reference_passed": passed("ceiling_percent"),
            "reference_skipped": 0,
            "absent_passed": passed("floor_percent"),
            "absent_skipped": 0,
            "basis": "run",
            "source": "controls of the dataset",
        }
    ).reset_index(drop=True)
