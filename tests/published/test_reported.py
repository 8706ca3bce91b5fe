"""Findings on the printed statistics: verdicts follow from the numbers, and change with them."""

from __future__ import annotations

import pandas as pd
import pytest

from study.figures import style
from study.figures.reported import reported_statistics
from study.published import decisions, reanalysis
from study.published.data import load_paper
from study.published.evidence import Effort
from study.published.reported import load_case, statistic_findings
from study.published.variants import Cells
from study.published.verdicts import VERDICTS

PAPER = load_paper()
RATES, STATISTICS, SUITES = (PAPER[name] for name in ("pass_rates", "statistics", "suites"))
CASE = load_case(RATES, STATISTICS, SUITES)
FINDINGS = statistic_findings(CASE).set_index("statistic")

TINY = Effort(draws=50, steps=5, searched=0)
RANKS = "the same number as a difference of mean ranks"


def _changed(statistic: str, column: str, value: object) -> pd.DataFrame:
    return STATISTICS.assign(**{column: STATISTICS[column].where(STATISTICS["id"] != statistic, value)})


def test_verdicts_and_status_of_the_paper() -> None:
    expected = {
        "A2, normality": ("not testable", "only compatible"),
        "p, normality": ("agrees", "shown"),
        "normality rejected": ("agrees", "shown"),
        "Z, signed-rank, scenario": ("not testable", "only compatible"),
        "p, signed-rank, scenario": ("agrees", "shown"),
        "number of pairs behind Z": ("not testable", "shown"),
        "Z, Dunn, scenario": ("not testable", "only compatible"),
        "p, Dunn, scenario": ("agrees", "shown"),
        "one Z for two tests": ("not testable", "only compatible"),
        "difference of the scenarios": ("disagrees", "shown"),
        RANKS: ("not testable", "only compatible"),
        "Z, prompt": ("not testable", "only compatible"),
        "p, prompt": ("agrees", "shown"),
        "which test was made": ("not testable", "cannot be known"),
        "scenario significant": ("partly", "shown"),
        "prompt not significant": ("agrees", "shown"),
    }
    got = FINDINGS[["verdict", "status"]].apply(tuple, axis=1).to_dict()
    assert got == expected
    assert set(FINDINGS["kind"]) == {"re-analysed"}
    assert set(FINDINGS["verdict"]) <= set(VERDICTS)


def test_each_reason_is_one_sentence_that_names_its_numbers() -> None:
    for why in FINDINGS["why"]:
        assert why.endswith(".")
        assert any(letter.isdigit() for letter in why)
    assert "27 non-zero pairs (36 without ties)" in FINDINGS["why"]["number of pairs behind Z"]
    assert "30.8 points" in FINDINGS["why"]["difference of the scenarios"]
    assert "34 / 5.180 = 6.56, against 6.95" in FINDINGS["why"][RANKS]
    assert "A2 = 3.018" in FINDINGS["why"]["normality rejected"]
    # four project means of -4.3, -7.3, -11.1 and -9.0: their t interval leaves out 0, their exact p cannot
    assert "over the 4 projects -12.5 to -3.3" in FINDINGS["why"]["prompt not significant"]
    assert "exact p is 0.125, the smallest possible 0.125" in FINDINGS["why"]["prompt not significant"]


def test_findings_on_values_per_run_say_what_they_assume() -> None:
    """Each of the eight pairs of project and scenario, and whether its counts are documented."""
    drawn = FINDINGS["assumes"] != ""
    assert set(FINDINGS.index[drawn]) == {
        "A2, normality",
        "Z, signed-rank, scenario",
        "Z, Dunn, scenario",
        "one Z for two tests",
        "difference of the scenarios",
        RANKS,
        "Z, prompt",
        "which test was made",
    }
    (said,) = set(FINDINGS.loc[drawn, "assumes"])
    for words in (
        "PiggyMetrics, incremental, 14/18/16 (counted in the repository)",
        "PiggyMetrics, clean state, 34/30/32 (inferred from the cells)",
        "Project-Management, incremental, 4/9/13 (found by search and documented nowhere; 4/5/5, counted",
        "Project-Management, clean state, 5/9/4 (counted in the repository)",
        "TeamSync, clean state, 1/1/1 (as in the incremental suites, documented nowhere)",
        "Train-Ticket, incremental, 51/11/6 (inferred from the cells)",
        "Train-Ticket, clean state, 51/11/6 (as in the incremental suites, documented nowhere)",
        "nearest values are taken: Codex, PiggyMetrics, incremental, P2, 93.3.",
    ):
        assert words in said
    assert "short search" not in said


def test_a_short_search_says_so() -> None:
    case = load_case(RATES, _changed("S5", "statistic_value", -1.5), SUITES, TINY)
    assert "not the committed ones" in case.assumes
    assert "50 draws per family of counts, 5 steps" in case.assumes


@pytest.mark.parametrize(
    ("statistic", "column", "value", "name", "verdict", "says"),
    [
        ("S5", "p_printed", "= 0.150", "p, prompt", "disagrees", "0.1402"),
        ("S5", "p_printed", "= 0.1402", "p, prompt", "agrees", "0.14"),
        ("S2", "statistic_value", 9.0, "Z, signed-rank, scenario", "disagrees", "72 pairs"),
        ("S2", "statistic_value", 4.5, "number of pairs behind Z", "not testable", "24 pairs of cells could"),
        ("S2", "statistic_value", 3.715, "Z, signed-rank, scenario", "agrees", "alone give 3.715"),
        ("S4", "statistic_value", 31.0, "difference of the scenarios", "agrees", "rounds to 31"),
        (
            "S4",
            "statistic_value",
            31.0,
            "the same number as a difference of mean ranks",
            "disagrees",
            "not fit",
        ),
        ("S3", "statistic_value", 4.9, "one Z for two tests", "agrees", "differ"),
        ("S5", "statistic_value", -9.0, "Z, prompt", "not testable", "cannot exclude"),
    ],
)
def test_a_changed_value_changes_the_verdict(statistic, column, value, name, verdict, says) -> None:
    statistics = _changed(statistic, column, value)
    case = load_case(RATES, statistics, SUITES, Effort(draws=300, steps=20, searched=0))
    row = statistic_findings(case).set_index("statistic").loc[name]
    assert (row["verdict"], says in row["why"]) == (verdict, True)


def test_mean_rank_arithmetic_by_hand() -> None:
    """sqrt(144 * 145 / 12 * 2 / 72) = 6.952; 5.18 * 6.952 = 36.01; (34 / 5.18 / 6.952)^2 = 0.891."""
    table = decisions.mean_rank_arithmetic(CASE).set_index("ties")
    assert table.loc["no ties", ["se", "difference"]].tolist() == pytest.approx([6.9522, 36.0125], abs=1e-3)
    assert table.loc["ties that make it 34", "ties_factor"] == pytest.approx(0.8914, abs=1e-4)
    assert table.loc["ties that make it 34", "difference"] == pytest.approx(34)


def test_fitting_analysis_of_the_cells() -> None:
    table = reanalysis.fitting_analysis(RATES).set_index(["comparison", "question", "unit"])
    p = table["p"]
    scenario, prompt = "clean state minus incremental", "P2 minus P1"
    assert p[scenario, "difference", "pair of cells"] == pytest.approx(4.4e-5, abs=5e-7)
    assert p[scenario, "difference", "project"] == 2 / 2**4
    assert p[prompt, "difference", "pair of cells"] == pytest.approx(0.135, abs=5e-4)
    assert p[prompt, "equivalence", "project"] == pytest.approx(0.12, abs=5e-3)
    assert table.loc[(scenario, "difference", "project"), "estimate"] == pytest.approx(30.8125)
    assert table.loc[(prompt, "difference", "project"), "estimate"] == pytest.approx(-7.9208, abs=1e-4)
    assert table["says"].tolist().count("differs") == 1


def test_project_means_are_means_of_their_cells() -> None:
    cells = Cells.of(RATES)
    team_sync = reanalysis.project_means(cells, "scenario")[cells.projects.index("TeamSync")]
    assert team_sync == pytest.approx(100 - (66.7 + 66.7 + 66.7 + 0 + 33.3 + 33.3) / 6)
    assert reanalysis.project_means(cells, "prompt").mean() == pytest.approx(-7.9208, abs=1e-4)


def test_scenario_and_oracle_are_confounded() -> None:
    table = reanalysis.confounding(RATES).set_index("services")
    assert table.loc["generated", "difference"] == pytest.approx(30.8125)
    assert table.loc["original", ["incremental", "clean_state"]].tolist() == pytest.approx([98.075, 93.45])


def test_differences_in_points() -> None:
    points = reanalysis.differences_in_points(Cells.of(RATES)).set_index("measure")["points"]
    assert points["mean of all cells"] == pytest.approx(30.8125)
    assert (points["mean, P1 only"], points["mean, P2 only"]) == pytest.approx((25.6, 36.025))
    assert not ((points - 34).abs() < 0.5).any()


def test_figure_shows_printed_values_and_its_kind() -> None:
    figure = reported_statistics(CASE.found.variants)
    text = "\n".join(text.get_text() for text in figure.findobj(match=lambda a: hasattr(a, "get_text")))
    assert "Kind: published, re-analysed." in text
    for printed in ("5.18", "-1.475", "20.068", "34"):
        assert printed in text
    assert "they are no data" in " ".join(text.split())
    assert len(figure.axes) == 4
    assert style.ALARM in {line.get_color() for axes in figure.axes for line in axes.lines}
