"""The answers to the research questions against values that R gives for the same data; see data/README.md."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from synthetic import make_dataset

from study import display, findings
from study.figures import answers, style
from study.published.data import load_paper
from study.published.frames import rates
from study.records.dataset import Dataset
from study.schema import StudyError
from study.statistics import estimates, questions
from study.statistics.families import adjust
from study.statistics.summary import levels

RUNS = pd.read_csv(Path(__file__).parent / "data" / "reference_runs.csv")


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    """The reference runs of ../shared/stats in place of a dataset's own."""
    data = make_dataset(tmp_path_factory.mktemp("reference") / "toy")
    runs = RUNS.rename(columns={"pass_rate": "pass_rate_percent"}).assign(kind="simulated")
    references = data.references.iloc[:0]
    return replace(data, runs=runs, references=references)


@pytest.fixture
def answer(reference: Dataset, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    monkeypatch.setattr(questions, "scored_runs", lambda data: data.runs)
    return questions.correctness(reference).set_index("comparison")


def test_the_published_test_of_the_same_pairs_equals_r(answer: pd.DataFrame) -> None:
    """R, coin: Z and p of the signed-rank test without zeros; mean differences of all pairs."""
    scenario = answer.loc["clean_state minus incremental"]
    assert scenario["z_published"] == pytest.approx(5.06317503939, rel=1e-8)
    assert scenario["p_published"] == pytest.approx(4.12330941835e-07, rel=1e-8)
    assert scenario["rank_biserial"] == pytest.approx(0.588538445681, rel=1e-8)
    assert scenario["estimate"] == pytest.approx(20.1645171958, rel=1e-8)
    prompt = answer.loc["summary minus minimal"]
    assert prompt["z_published"] == pytest.approx(-1.03905131652, rel=1e-8)
    assert prompt["estimate"] == pytest.approx(-3.19857804233, rel=1e-8)
    assert (scenario["n"], scenario["services"]) == (144, 12)


def test_interval_and_p_are_those_of_the_services(answer: pd.DataFrame) -> None:
    """From the twelve service means alone, with scipy."""
    keys = ["project", "service", "agent", "prompt", "replicate"]
    wide = RUNS.pivot(index=keys, columns="scenario", values="pass_rate")
    means = (wide["clean_state"] - wide["incremental"]).groupby(["project", "service"]).mean()
    wanted = stats.ttest_1samp(means, 0).confidence_interval(0.95)
    row = answer.loc["clean_state minus incremental"]
    assert (row["low"], row["high"]) == pytest.approx(tuple(wanted))
    flips = stats.permutation_test(
        (means,),
        lambda x, axis: x.mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
    )
    assert row["p"] == pytest.approx(flips.pvalue)


def test_one_family_per_question(answer: pd.DataFrame) -> None:
    assert answer["factor"].value_counts().to_dict() == {"agent": 3, "scenario": 1, "prompt": 1}
    assert answer["p_holm"].tolist() == adjust(answer["p"]).tolist()
    assert set(answer["family"]) == {"RQ1, correctness (5 p values, holm)"}


def test_kruskal_wallis_equals_r(reference: Dataset) -> None:
    row = questions.agents_as_published(reference, ["pass_rate_percent"]).iloc[0]
    assert row["statistic"] == pytest.approx(6.59613288498, rel=1e-8)
    assert row["p"] == row["p_holm"] == pytest.approx(0.0369545521175, rel=1e-8)
    assert row["estimate"] == pytest.approx(0.0229830414110963, rel=1e-8)


def test_planted_ratios_come_out(tmp_path: Path) -> None:
    """Each agent takes twice the time of the one before: 2, without width, and the smallest p there is."""
    data = make_dataset(tmp_path / "toy", projects=["toy-blue", "toy-green"])
    agents = levels(data.runs["agent"])
    time = 3.0 * 2.0 ** data.runs["agent"].map(agents.index)
    table = questions.efficiency(replace(data, runs=data.runs.assign(time_min=time)))
    rows = table[(table["measure"] == "time") & (table["factor"] == "agent")]
    assert rows["estimate"].iloc[0] == pytest.approx(2)
    assert rows["low"].iloc[0] == pytest.approx(2)
    assert rows["p"].iloc[0] == pytest.approx(2 * 0.5 ** rows["services"].iloc[0])


def test_generated_code_against_its_original(tmp_path: Path) -> None:
    data = make_dataset(tmp_path / "toy")
    table = questions.quality(data)
    measured = questions.measured_pairs(data)
    logs = np.log(measured["sloc"].astype(float) / measured["sloc_reference"].astype(float))
    services = logs.groupby([measured["project"], measured["service"]]).mean()
    row = table[(table["measure"] == "SLOC") & (table["factor"] == "original")].iloc[0]
    assert row["comparison"] == "generated over original"
    assert row["estimate"] == pytest.approx(np.exp(services.mean()))


def test_published_cells_have_projects_as_units() -> None:
    """Four projects: no p below 0.125, whatever the rates are; the printed 30.8 points between scenarios."""
    table = questions.correctness_of_cells(rates(load_paper())).set_index("comparison")
    scenario = table.loc["clean_state minus incremental"]
    assert (scenario["estimate"], scenario["services"], scenario["n"]) == (
        pytest.approx(30.8, abs=0.05),
        4,
        24,
    )
    assert table["p"].min() == 0.125
    assert table["note"].str.contains("p cannot be below 0.125").all()


def test_one_level_and_no_variance_are_said(tmp_path: Path) -> None:
    data = make_dataset(tmp_path / "toy")
    runs = data.runs[data.runs["agent"] == data.runs["agent"].iloc[0]]
    one = questions.correctness(replace(data, runs=runs))
    assert "agent" not in set(one["factor"])
    single = runs[(runs["scenario"] == "incremental") & (runs["prompt"] == "minimal")]
    nothing = questions.correctness(replace(data, runs=single))
    assert nothing.empty
    assert findings.answer(nothing)[0].startswith("There is nothing to compare")
    assert "No rows" in display.answers(nothing, "x", ["simulated"]).data
    flat = questions.correctness(replace(data, runs=data.runs.assign(pass_rate_percent=50.0)))
    assert (flat["p"].dropna() == 1).all()
    assert flat["note"].str.contains("all differences are zero").all()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"pass_rate_percent": 120.0}, "120 is not a number from 0 to 100"),
        ({"replicate": 1, "agent": "one"}, "are not told apart by"),
        ({"kind": ["measured", "simulated"]}, "are mixed in one analysis"),
    ],
)
def test_a_bad_dataset_is_refused(tmp_path: Path, change: dict[str, object], said: str) -> None:
    data = make_dataset(tmp_path / "toy")
    values = {
        name: (value * len(data.runs))[: len(data.runs)] if isinstance(value, list) else value
        for name, value in change.items()
    }
    with pytest.raises(StudyError, match=said):
        questions.correctness(replace(data, runs=data.runs.assign(**values)))


def test_missing_runs_are_counted_and_a_missing_cell_is_no_nan_in_a_sentence(tmp_path: Path) -> None:
    data = make_dataset(tmp_path / "toy")
    lost = (data.runs["prompt"] == "summary") & (data.runs["scenario"] == "clean_state")
    runs = data.runs.assign(pass_rate_percent=data.runs["pass_rate_percent"].astype(float).mask(lost))
    table = questions.correctness(replace(data, runs=runs)).set_index("comparison")
    row = table.loc["summary minus minimal"]
    assert row["note"].startswith(f"{int(lost.sum())} of {len(runs) // 2} pairs incomplete and left out")
    gone = questions.correctness(replace(data, runs=runs.assign(pass_rate_percent=np.nan)))
    assert gone.empty
    assert "nan" not in " ".join(findings.answer(table.reset_index())).lower()


def test_sentences_and_figure_say_what_the_table_says(answer: pd.DataFrame) -> None:
    table = answer.reset_index()
    (said,) = findings.answer(table)
    decided = table[table["p_holm"] < 0.05]
    for name in decided["comparison"]:
        assert name in said
    assert f"{len(table) - len(decided)} of 5 comparisons are not decided" in said
    figure = answers.answer(table, "t", "stem", style.Source("toy", ("simulated",)))
    marks = [line for line in figure.axes[0].lines if line.get_marker() in ("o", "s")]
    assert [line.get_xdata()[0] for line in marks] == table["estimate"].tolist()
    assert sum(line.get_marker() == "o" for line in marks) == len(decided)


def test_ratio_averages_services_first_and_counts_what_it_leaves_out() -> None:
    frame = pd.DataFrame(
        {
            "agent": "a",
            "project": "p",
            "service": ["s", "s", "s", "t", "t"],
            "v": [40.0, 40.0, 40.0, 5.0, 0.0],
            "r": 10.0,
        }
    )
    row = estimates.ratio(frame, "v", "r", ["agent"]).iloc[0]
    assert row["estimate"] == pytest.approx(np.sqrt(4 * 0.5))  # not the geometric mean of four runs
    assert (row["n"], row["n_left_out"], row["n_clusters"]) == (4, 1, 2)


def test_ratio_of_one_service_has_no_interval() -> None:
    frame = pd.DataFrame({"agent": ["a"], "project": "p", "service": "s", "v": [5.0], "r": [10.0]})
    row = estimates.ratio(frame, "v", "r", ["agent"]).iloc[0]
    assert row["estimate"] == pytest.approx(0.5)
    assert np.isnan(row["low"])
    assert row["method"] == "not enough data"


def test_the_interval_of_a_mean_counts_services_and_not_runs() -> None:
    cell = pd.DataFrame({"project": "p", "service": [*"aaabcde"], "v": [1.0, 2.0, 3.0, 4.0, 4.0, 4.0, 4.0]})
    mean, low, high = estimates.service_interval(cell, "v")
    assert mean == pytest.approx((2 + 4 * 4) / 5)
    assert low < mean <= high
    four = estimates.service_interval(cell[cell["service"] != "e"], "v")
    assert np.isnan(four[1])
