"""What the tests behind Table III can see: floors of the real systems beside its clean-state cells."""

from __future__ import annotations

import pandas as pd

from study.published.data import Paper

RATE = "pass_rate_percent"


def floors(paper: Paper) -> pd.DataFrame:
    """Pass rate of each known oracle with the original and without the target.

    Returns
    -------
    DataFrame
        kind, project, service, oracle, tests, ceiling_percent and floor_percent (of tests that were not
        skipped; missing where the suite was not run without the target), sees_target, basis, source.
        A floor equal to the ceiling means that the oracle cannot see the service.
    """
    table = paper["floors"].copy()
    for name, state in (("ceiling_percent", "reference"), ("floor_percent", "absent")):
        executed = (table["tests"] - table[f"{state}_skipped"]).replace(0, pd.NA)
        table[name] = (100 * table[f"{state}_passed"] / executed).astype("Float64")
    sees = (table["ceiling_percent"] > table["floor_percent"]).astype("boolean")
    table["sees_target"] = sees.mask(table["floor_percent"].isna())
    columns = ["kind", "project", "service", "oracle", "consumers", "tests", "ceiling_percent"]
    return table[[*columns, "floor_percent", "sees_target", "basis", "source"]]


def floors_beside_cells(paper: Paper) -> pd.DataFrame:
    """Each project's clean-state cells beside what the tests of its consumers score without the target.

    Returns
    -------
    DataFrame
        project, baseline_percent, lowest_percent and highest_percent of the generated services (published),
        oracles_known, oracles_without_test, oracles_blind (floor equals ceiling), floor_percent (mean).
    """
    rates = paper["pass_rates"][paper["pass_rates"]["scenario"] == "clean_state"]
    known = floors(paper)
    known = known[known["oracle"] == "integration"]
    rows = []
    for project, cells in rates.groupby("project", sort=False):
        generated = cells.loc[cells["condition"] != "baseline", RATE]
        mine = known[known["project"] == project]
        rows.append(
            {
                "project": project,
                "baseline_percent": cells.loc[cells["condition"] == "baseline", RATE].iloc[0],
                "lowest_percent": generated.min(),
                "highest_percent": generated.max(),
                "oracles_known": len(mine),
                "oracles_without_test": int((mine["tests"] == 0).sum()),
                "oracles_blind": int((~mine["sees_target"]).fillna(False).sum()),
                "floor_percent": mine["floor_percent"].astype("Float64").mean(),
            }
        )
    return pd.DataFrame(rows).astype({"floor_percent": "Float64"})


def above_baseline(paper: Paper) -> pd.DataFrame:
    """Cells of Table III in which generated code passes more tests than the original.

    Returns
    -------
    DataFrame
        project, scenario, baseline_percent, cells, above (how many), highest_percent; only where any is.
    """
    rows = []
    for (project, scenario), cells in paper["pass_rates"].groupby(["project", "scenario"], sort=False):
        baseline = cells.loc[cells["condition"] == "baseline", RATE].iloc[0]
        generated = cells.loc[cells["condition"] != "baseline", RATE]
        above = int((generated > baseline).sum())
        if above:
            place = {"project": project, "scenario": scenario, "baseline_percent": baseline}
            rows.append(
                {**place, "cells": len(generated), "above": above, "highest_percent": generated.max()}
            )
    return pd.DataFrame(rows)


def all_or_nothing(paper: Paper, services: int = 3) -> pd.DataFrame:
    """Project and scenario of which every generated cell is a multiple of 100 / services.

    As if each service passed all of its tests or none: then one cell is no more than a count of services.
    """
    steps = {round(100 * k / services, 1) for k in range(services + 1)}
    rows = []
    for (project, scenario), cells in paper["pass_rates"].groupby(["project", "scenario"], sort=False):
        generated = cells.loc[cells["condition"] != "baseline", RATE]
        if set(generated) <= steps:
            values = ", ".join(f"{value:.1f}" for value in sorted(set(generated)))
            rows.append({"project": project, "scenario": scenario, "cells": len(generated), "values": values})
    return pd.DataFrame(rows)


def sentences(paper: Paper) -> list[str]:
    """What the floors mean for the clean-state numbers, in words."""
    known = floors(paper)
    run = known[(known["basis"] == "run") & (known["oracle"] == "integration")]
    blind = run[(~run["sees_target"]).fillna(False)]
    without = known[(known["tests"] == 0)]
    one_test = known[(known["oracle"] == "unit") & (known["tests"] == 1)]
    said = [
        f"{len(blind)} of {len(run)} integration suites that were run score the same with the target deleted "
        f"as with the original ({', '.join(blind['service'])}): measured.",
        f"{len(without)} targets are called by no service, so no test of a consumer can see them "
        f"({', '.join(without['service'])}): read from the code.",
        f"{len(one_test)} targets have one unit test each, which also passes when the database is away "
        f"({', '.join(one_test['service'])}): read from the code.",
    ]
    for row in above_baseline(paper).to_dict("records"):
        said.append(
            f"{row['project']}, {row['scenario']}: {row['above']} of {row['cells']} generated cells are "
            f"above the baseline of {row['baseline_percent']:.1f} (up to {row['highest_percent']:.1f}): "
            "published."
        )
    for row in floors_beside_cells(paper).dropna(subset="floor_percent").to_dict("records"):
        if row["lowest_percent"] < row["floor_percent"]:
            said.append(
                f"{row['project']}, clean state: the lowest published cell, {row['lowest_percent']:.1f}, is "
                f"below the measured floor of {row['floor_percent']:.1f}. Other tests, other conditions or a "
                "generated service that disturbs its consumers could explain it; which of them is not known."
            )
    said.append(
        "A pass rate from a suite that cannot see its target is no evidence about the generated service. "
        "Clean state and incremental were scored by different tests, so their pass rates differ in more than "
        "the scenario."
    )
    return said
