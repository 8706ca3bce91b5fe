"""The paper's tables, figures and claims from runs whose true values are known."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from statistics import mean

import numpy as np
import pandas as pd
import pytest
from awkward import RUNS, TrueRun, rows, write_mapping, write_table
from scipy import stats

from study.importing.runs import import_runs
from study.published import economy, exhibits, figures, report, show
from study.published.audit import audit_paper, check_all
from study.published.claims import list_claims
from study.published.data import Paper
from study.published.frames import rates
from study.published.run_statistics import readings
from study.published.sources import assumed, open_paper, printed_statistics
from study.published.variants import SIGNED_RANK, Variant
from study.schema import StudyError


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("theirs")
    import_runs(write_table(folder / "t.csv"), folder / "runs", write_mapping(folder / "mapping.yaml"))
    return folder / "runs"


@pytest.fixture(scope="module")
def paper(dataset: Path) -> Paper:
    return open_paper(dataset, for_claims=True)


@pytest.fixture(scope="module")
def audited(paper: Paper) -> pd.DataFrame:
    return audit_paper(paper).set_index("claim_id")


def rate(runs: list[TrueRun]) -> float:
    return mean(100 * run.passed / run.tests for run in runs)


def chosen(**keys: str) -> list[TrueRun]:
    return [run for run in RUNS if all(getattr(run, key) == value for key, value in keys.items())]


def test_table_3_averages_services_and_then_projects(paper: Paper) -> None:
    cells = paper["pass_rates"].set_index(["agent", "project", "scenario", "condition"])["pass_rate_percent"]
    mine = rate(chosen(agent="Codex", project="TeamSync", config="CS / P2"))
    assert cells["Codex", "TeamSync", "clean_state", "P2"] == pytest.approx(mine)
    assert set(cells[cells.index.get_level_values("condition") == "baseline"]) == {95.0}
    averages = paper["pass_rates_agent_average"].set_index(["agent", "scenario", "condition"])
    projects = dict.fromkeys(run.project for run in RUNS)
    whole = mean(rate(chosen(agent="Codex", project=name, config="CS / P2")) for name in projects)
    assert averages.loc[("Codex", "clean_state", "P2"), "average_pass_rate_percent"] == pytest.approx(whole)


def test_table_4_averages_and_adds_up_runs(paper: Paper) -> None:
    row = paper["efficiency"].set_index("agent").loc["Code Qwen"]
    mine = chosen(agent="Code Qwen")
    assert row["avg_time_min"] == pytest.approx(mean(run.seconds for run in mine) / 60)
    assert row["total_cost_usd"] == pytest.approx(sum(run.cents for run in mine) / 100)
    assert row["input_tokens_k"] == pytest.approx(mean(run.input_tokens for run in mine) / 1000)
    assert row["runs"] == 48


def test_figure_3_leaves_runs_without_code_out(paper: Paper) -> None:
    bars = paper["code_quality"].set_index(["level", "metric"])
    configs = ("Inc / P1", "Inc / P2", "CS / P1", "CS / P2")
    means = [mean(run.sloc for run in chosen(agent="Code Qwen", config=name) if run.sloc) for name in configs]
    assert bars.loc[("Code Qwen", "sloc"), "generated_bar_height"] == pytest.approx(mean(means))
    assert bars.loc[("Code Qwen", "sloc"), "original"] == pytest.approx(410)


def test_box_plots_have_linear_quartiles_and_whiskers_of_1_5_heights(paper: Paper) -> None:
    box = paper["boxplots_time"].set_index(["agent", "configuration"]).loc[("Codex", "Inc-P1")]
    times = np.array([run.seconds / 60 for run in chosen(agent="Codex", config="Inc / P1")])
    q1, median, q3 = np.percentile(times, [25, 50, 75])
    inside = times[(times >= q1 - 1.5 * (q3 - q1)) & (times <= q3 + 1.5 * (q3 - q1))]
    expected = (inside.min(), q1, median, q3, inside.max(), times.mean())
    names = ["whisker_low", "q1", "median", "q3", "whisker_high", "mean"]
    assert tuple(box[names].astype(float)) == pytest.approx(expected)
    assert (box["n_runs"], box["outliers_drawn"]) == (12, 12 - len(inside))


def test_statistics_are_computed_from_the_pairs(paper: Paper) -> None:
    keys = ("agent", "project", "service")
    by = {
        (*(getattr(run, key) for key in keys), *run.config.split(" / ")): 100 * run.passed / run.tests
        for run in RUNS
    }
    pairs = [(rate, by[(*key[:3], "Inc", key[4])]) for key, rate in by.items() if key[3] == "CS"]
    differences = np.round([clean - incremental for clean, incremental in pairs], 6)
    ours = readings(paper["runs"], "scenario")
    test = stats.wilcoxon(differences, method="asymptotic", correction=False)
    dropped = ours[Variant("scenario", SIGNED_RANK, "dropped")]
    assert abs(dropped) == pytest.approx(abs(test.zstatistic), abs=1e-6)
    found = printed_statistics(paper).set_index("statistic")
    assert f"{differences.mean():.1f} points" in found.loc["difference of the scenarios", "ours"]
    assert "not searched" in found["why"].iloc[0]
    assert "Nothing is assumed" in assumed(paper)[0]


def test_every_claim_is_judged_and_says_on_what(audited: pd.DataFrame) -> None:
    runs = audited[audited["basis"] == "runs"]
    assert len(audited) == len(list_claims(open_paper()))
    assert set(runs["kind"]) == set(runs["replication"]) == {"simulated"}
    assert runs["why"].str.startswith("From the runs: ").all()
    assert set(audited.loc[audited["basis"] == "published", "kind"]) == {"published"}
    assert {"C07", "C10", "C12"} <= set(audited[audited["basis"] == "published"].index)
    text = report.how_to_read(audited.reset_index())
    assert "The runs are simulated" in text
    assert "kind: simulated" in text


def test_what_published_tables_only_bound_is_counted(audited: pd.DataFrame) -> None:
    assert audited.loc["C32", "ours"] == "2"
    assert audited.loc["C32", "verdict"] == "disagrees"
    slow = sum(run.seconds > 15 * 60 for run in chosen(agent="Codex"))
    assert f"Codex {slow} of 48" in audited.loc["C75", "ours"]
    (run,) = chosen(agent="Codex", service="notification-service", config="Inc / P2")
    assert audited.loc["C68", "ours"] == f"{run.tests - run.passed} of {run.tests}"
    assert audited.loc["S1", "verdict"] != "not testable"
    # the table has no cyclomatic complexity
    assert audited.loc["F3.Codex.cyclomatic.generated", "verdict"] == "not testable"
    assert "cyclomatic" in audited.loc["C23", "why"] or "not all of its runs" in audited.loc["C23", "why"]


def printed_rates(paper: Paper) -> Callable[[dict[str, object]], None]:
    """Change a row so that its cell of Table III is the printed one: all services of a cell alike."""
    printed = paper.printed
    assert printed is not None
    cells = printed["pass_rates"].set_index(["agent", "project", "scenario", "condition"])

    def change(row: dict[str, object]) -> None:
        scenario, prompt = str(row["Config"]).split(" / ")
        level = {"Inc": "incremental", "CS": "clean_state"}[scenario]
        agent = {"CC": "Claude Code", "Cx": "Codex", "QW": "Code Qwen"}[str(row["Tool"])]
        share = cells.loc[(agent, row["System"], level, prompt), "pass_rate_percent"]
        row |= {"of": 1000, "passed": round(10 * share)}

    return change


def test_runs_with_the_printed_rates_agree_and_one_changed_run_is_seen(paper: Paper, tmp_path: Path) -> None:
    table, change = rows(), printed_rates(paper)
    for row in table:
        change(row)
    verdicts = []
    for name in ("as_printed", "changed"):
        if name == "changed":
            place = ("Cx", "TeamSync", "CS / P1")
            next(r for r in table if (r["Tool"], r["System"], r["Config"]) == place)["passed"] = 700
        source = write_table(tmp_path / f"{name}.csv", table)
        import_runs(source, tmp_path / name, write_mapping(tmp_path / "mapping.yaml"))
        opened = open_paper(tmp_path / name, for_claims=True)
        verdicts.append(audit_paper(opened).set_index("claim_id")["verdict"])
    before, after = verdicts
    cells = [name for name in before.index if name.startswith(("T3.", "T3A.")) and "baseline" not in name]
    assert set(before[cells]) == {"agrees"}
    flipped = set(before.index[before != after])
    assert {"T3.Codex.TeamSync.clean_state.P1", "T3A.Codex.clean_state.P1", "C27", "C34"} <= flipped
    reads = {
        checked.claim.claim_id
        for checked in check_all(open_paper(tmp_path / "changed", for_claims=True))
        if any(cell.table in ("runs", "pass_rates", "pass_rates_agent_average") for cell in checked.reads)
    }
    assert flipped <= reads


def test_the_demo_gives_verdicts_that_are_marked(tmp_path: Path) -> None:
    paper = open_paper("demo", for_claims=True)
    table = audit_paper(paper).set_index("claim_id")
    assert paper.kind == "simulated"
    assert any("simulated-codex is its Codex" in note for note in paper.notes)
    assert table.loc["C14", "verdict"] in {"agrees", "partly", "disagrees"}
    assert table.loc["C30", "verdict"] == "not testable"
    assert "PiggyMetrics" in table.loc["C30", "why"]
    for form in ("html", "latex", "csv"):
        assert "simulated" in report.render(table.reset_index(), form)
    shown = show.Page(paper).table(printed_statistics, "Printed statistics.", "re-analysed")
    assert "SIMULATED" in shown.data


@pytest.mark.parametrize("columns", [("rate",), ("time",), ("sloc",)])
def test_what_a_table_lacks_is_said_in_figures_tables_and_verdicts(
    tmp_path: Path, columns: tuple[str, ...]
) -> None:
    names = {"rate": "Pass rate (%)", "time": "time_s", "sloc": "sloc"}
    with (tmp_path / "t.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["agent", "project", "service", "condition", *(names[name] for name in columns)])
        for run in chosen(config="Inc / P1"):
            values = {
                "rate": round(100 * run.passed / run.tests, 1),
                "time": run.seconds,
                "sloc": run.sloc or "",
            }
            place = (run.agent, run.project, run.service, "Inc-P1")
            writer.writerow([*place, *(values[name] for name in columns)])
    import_runs(tmp_path / "t.csv", tmp_path / "runs", kind="measured")
    paper = open_paper(tmp_path / "runs")
    assert len([draw(paper) for draw in figures.FIGURES]) == len(figures.FIGURES)
    assert all(table.html() and table.latex() for table in exhibits.tables(paper).values())
    verdicts = audit_paper(open_paper(tmp_path / "runs", for_claims=True)).set_index("claim_id")
    assert (verdicts.loc[["S2", "S5", "C38"], "verdict"] == "not testable").all()
    testable = {"rate": "C15", "time": "C60", "sloc": "F3.Codex.sloc.generated"}
    assert {name for name, claim in testable.items() if verdicts.loc[claim, "verdict"] != "not testable"} == {
        *columns
    }
    with pytest.raises(StudyError, match="cost"):
        economy.prices(paper)
    assert "Cannot be computed" in show.Page(paper).table(economy.prices, "Prices.", "re-analysed").data


def test_figures_draw_runs_under_their_own_names(dataset: Path) -> None:
    paper = open_paper(dataset)
    cells = rates(paper)
    assert set(cells["n_scored"]) == {3}
    drawn = figures.fig4_time(paper)
    assert "SIMULATED" in [text.get_text() for text in drawn.findobj() if hasattr(text, "get_text")]
    assert set(open_paper("demo")["efficiency"]["agent"]) == {
        "simulated-claude-code", "simulated-codex", "simulated-code-qwen",
    }  # fmt: skip


def test_a_folder_that_is_neither_is_one_message(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="neither a copy of raw_data/published/paper"):
        open_paper(tmp_path)
