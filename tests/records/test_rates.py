from __future__ import annotations

import pytest

from study.agents.protocol import Usage
from study.records.rates import oracle_facts, rates
from study.records.stages import (
    Evaluation,
    Generation,
    Manipulation,
    RunRecord,
    Status,
    SuiteOutcome,
    TestResult,
)


def scored(suite: SuiteOutcome = "ran", **statuses: Status) -> Evaluation:
    tests = [TestResult(test_id=name, status=status) for name, status in statuses.items()]
    return Evaluation(oracle="unit", suite=suite, tests=tests)


def record(evaluation: Evaluation) -> RunRecord:
    nothing = Manipulation(removed_files=[], edited_files=[], hidden_tests=[], allowed_traces=[])
    generation = Generation(
        outcome="completed",
        reason="",
        usage=Usage(),
        model=None,
        version=None,
        manipulation=nothing,
        prompt_sha256="",
        confinement="plain",
        exit_code=0,
        wall_seconds=0,
        leftovers=0,
        files_written=[],
        files_elsewhere=[],
        test_edits=[],
    )
    return RunRecord(
        run_id="x",
        kind="measured",
        agent="reference",
        project="p",
        service="s",
        scenario="incremental",
        prompt="none",
        replicate=1,
        digest="",
        generation=generation,
        evaluation=evaluation,
        quality=None,
    )


REFERENCE = [
    record(scored(a="passed", b="passed", c="failed", d="passed", e="skipped")),
    record(scored(a="passed", b="passed", c="failed", d="failed", e="skipped")),
]
ABSENT = [record(scored(a="passed", b="failed"))]


def test_the_frame_of_reference() -> None:
    fact = oracle_facts({"reference": REFERENCE, "absent": ABSENT})
    assert fact.tests == ["a", "b", "c", "d", "e"]
    assert fact.adjusted_tests == ["a", "b"]
    assert fact.failing_tests == ["c", "e"]
    assert fact.flaky_tests == ["d"]
    assert fact.floor_percent == 20.0
    assert fact.ceiling_percent == 50.0  # 3 of 5 and 2 of 5
    assert fact.sees_target is True


def test_three_rates_of_one_run() -> None:
    fact = oracle_facts({"reference": REFERENCE, "absent": ABSENT})
    # by hand: 1 of 5; 1 of the 3 executed; 1 of the 2 that pass on the reference
    result = rates(scored(a="passed", b="error", c="failed", d="skipped"), fact)
    assert result["pass_rate_percent"] == 20.0
    assert result["pass_rate_executed_percent"] == pytest.approx(33.3333)
    assert result["pass_rate_adjusted_percent"] == 50.0
    assert result["tests_missing"] == 1
    counts = [result[f"tests_{s}"] for s in ("passed", "failed", "error", "skipped", "missing")]
    assert sum(counts) == result["tests_reference"] == 5


def test_tests_that_the_reference_lacks_do_not_count() -> None:
    fact = oracle_facts({"reference": REFERENCE, "absent": ABSENT})
    assert rates(scored(a="passed", extra="passed"), fact)["pass_rate_percent"] == 20.0


@pytest.mark.parametrize("suite", ["not_collected", "no_tests", "timeout", "crashed"])
def test_a_suite_that_does_not_run_scores_0_of_n(suite: SuiteOutcome) -> None:
    fact = oracle_facts({"reference": REFERENCE, "absent": ABSENT})
    result = rates(scored(suite), fact)
    assert (result["tests_passed"], result["tests_reference"], result["pass_rate_percent"]) == (0, 5, 0.0)
    assert result["pass_rate_executed_percent"] is None, "nothing was executed: no rate, not 0"


@pytest.mark.parametrize("suite", ["not_applicable", "not_evaluated"])
def test_no_rate_where_nothing_was_scored(suite: SuiteOutcome) -> None:
    fact = oracle_facts({"reference": REFERENCE, "absent": ABSENT})
    assert set(rates(scored(suite), fact).values()) == {None}


def test_a_blind_oracle_is_told() -> None:
    blind = [record(scored(a="passed", b="passed"))]
    assert oracle_facts({"reference": REFERENCE, "absent": blind}).sees_target is False
    assert oracle_facts({"reference": REFERENCE, "absent": []}).sees_target is None
    nothing = [record(scored("not_applicable"))]
    fact = oracle_facts({"reference": nothing, "absent": nothing})
    assert (fact.sees_target, fact.floor_percent, fact.ceiling_percent) == (None, None, None)
