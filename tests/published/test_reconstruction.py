"""Which counts give a printed cell, and what statistics values per run that agree with Table III can have."""

from __future__ import annotations

import json
import re
from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

from study.published import evidence as stored
from study.published.counts import (
    ASSUMED,
    alternatives,
    documented_sizes,
    options,
    plausible_sizes,
    reachable,
    triples_for,
)
from study.published.data import load_paper
from study.published.ranges import HALF_DIGIT
from study.published.readings import MEAN_RANK_DIFFERENCE, Printed, readings
from study.published.reconstruction import POOLED, Space, approach, sample
from study.published.statistics import rank_sum, signed_rank
from study.published.variants import (
    RANK_SUM,
    SIGNED_RANK,
    VARIANTS,
    Cells,
    Variant,
    cell_variants,
    evaluate,
    groups,
)
from study.schema import StudyError

PAPER = load_paper()
CELLS = Cells.of(PAPER["pass_rates"])
PRINTED = Printed.of(PAPER["statistics"])
SIZES, NOT_DOCUMENTED = plausible_sizes(CELLS, PAPER["suites"])
SPACE = Space.of(CELLS, SIZES)
EVIDENCE = stored.evidence(CELLS, SIZES, PRINTED)


def test_a_cell_is_found_by_counting_all_triples() -> None:
    """91.1 with 14, 18 and 16 tests: only 12 + 18 + 14 passed; 81.7: two triples; 93.3: none."""
    assert reachable(91.1, (14, 18, 16))[0].tolist() == [[12, 18, 14]]
    assert sorted(reachable(81.7, (14, 18, 16))[0].tolist()) == [[11, 12, 16], [14, 16, 9]]
    triples, gap = reachable(93.3, (14, 18, 16))
    assert gap == pytest.approx((12 / 14 + 17 / 18 + 1) / 3 * 100 - 93.3)
    assert [12, 17, 16] in triples.tolist()


def test_project_management_needs_counts_that_are_documented_nowhere() -> None:
    assert NOT_DOCUMENTED == (("Project-Management", "incremental"),)
    assert SIZES["Project-Management", "clean_state"] == (5, 9, 4), "counted, and it gives all of its cells"
    place = CELLS.projects.index("Project-Management")
    gaps = options(CELLS, documented_sizes(PAPER["suites"]))[1]
    assert (gaps[:, place, 0] > 0).all()
    for sizes in ((4, 5, 5), (13, 13, 13), (18, 18, 18)):
        assert all(reachable(cell, sizes)[1] > 0 for cell in CELLS.values[:, place, 0].ravel())
    fits = triples_for(CELLS.values[:, place].ravel().tolist(), 13)
    assert ASSUMED in fits
    assert len(fits) > 1
    for sizes in fits:
        assert all(reachable(cell, sizes)[1] == 0 for cell in CELLS.values[:, place].ravel())


def test_one_cell_agrees_with_no_counts() -> None:
    assert EVIDENCE.unreachable[["agent", "project", "condition", "printed"]].values.tolist() == [
        ["Codex", "PiggyMetrics", "P2", 93.3]
    ]


def test_every_drawn_combination_rounds_to_the_printed_cells() -> None:
    for sizes in [SIZES, *alternatives(CELLS, SIZES, 6, seed=3)]:
        space = Space.of(CELLS, sizes)
        for part in (space, space.all_or_nothing()):
            rates = part.rates(part.draw(200, np.random.default_rng(1)))
            assert rates.shape == (200, 3, 4, 2, 2, 3)
            off = np.abs(rates.mean(axis=-1) - CELLS.values)
            assert (off[:, space.gaps == 0] <= 0.05 + 1e-9).all()
            assert np.allclose(off[:, space.gaps > 0], space.gaps[space.gaps > 0])


def test_pairs_hold_the_same_agent_project_and_service() -> None:
    rates = np.arange(144.0).reshape(3, 4, 2, 2, 3)
    clean, incremental = groups(rates, "scenario")
    assert set(clean - incremental) == {6}
    second, first = groups(rates, "prompt")
    assert set(second - first) == {3}


def test_the_cells_give_what_counting_by_hand_gives() -> None:
    """README of the published data, check 13: signed-rank 3.72, rank-sum 4.44, prompt -1.53."""
    table = cell_variants(CELLS)
    value = table.set_index(["comparison", "label"])["value"]
    assert value["scenario", "signed-rank, zeros dropped, ties corrected"] == pytest.approx(3.715, abs=5e-4)
    assert value["scenario", "rank-sum = Dunn, ties corrected"] == pytest.approx(4.436, abs=5e-4)
    assert value["prompt", "signed-rank, zeros dropped, ties corrected"] == pytest.approx(-1.535, abs=5e-4)


def test_variants_share_rankings_but_not_values() -> None:
    rates = SPACE.rates(SPACE.draw(3, np.random.default_rng(5)))
    values = evaluate(rates)
    x, y = groups(rates, "prompt")
    for variant in VARIANTS:
        if variant.comparison == "prompt" and variant.test in (RANK_SUM, SIGNED_RANK):
            base = signed_rank(x - y, variant.zeros) if variant.zeros else rank_sum(x, y)
            expected = base.z(ties=variant.ties, continuity=variant.continuity)
            assert values[variant] == pytest.approx(expected, rel=1e-12)


def test_pooling_weighs_by_tests() -> None:
    chosen = SPACE.draw(1, np.random.default_rng(0))
    rates = SPACE.rates(chosen)
    weights = np.array([[[SIZES[p, s]] * 2 for s in ("incremental", "clean_state")] for p in CELLS.projects])
    pooled = (rates[0] * weights).sum(-1) / weights.sum(-1)
    expected = (pooled[:, :, 1] - pooled[:, :, 0]).mean()
    assert SPACE.pooled_difference(rates)[0] == pytest.approx(expected)


def test_equal_cells_have_equal_mean_ranks_whichever_service_passes() -> None:
    """One service of three passes in both scenarios: the ranks are the same whichever it is."""
    keys = [("a", "p", s, c) for s in ("incremental", "clean_state") for c in ("P1", "P2")]
    rates = pd.DataFrame(keys, columns=["agent", "project", "scenario", "condition"])
    rates["pass_rate_percent"] = [33.3, 0.0, 33.3, 0.0]
    sizes = {("p", "incremental"): (1, 1, 1), ("p", "clean_state"): (1, 1, 1)}
    space = Space.of(Cells.of(rates), sizes)
    assert space.sizes.tolist() == [3, 1, 3, 1]
    found = approach(space, {MEAN_RANK_DIFFERENCE: 0.0}, seed=1, chains=4, steps=20)
    assert found.gap == 0


def test_sampling_depends_on_the_seed_only() -> None:
    first, again, other = (sample([SPACE], 300, seed) for seed in (1, 1, 2))
    key = Variant("scenario", RANK_SUM)
    assert (first["service"][key] == again["service"][key]).all()
    assert (first["service"][key] != other["service"][key]).any()
    assert first["service"][POOLED].shape == (300,)


def test_stored_evidence_belongs_to_the_committed_data_and_to_the_code() -> None:
    """Fails after a change of data or code: then run `python -m study.published.evidence`."""
    content = json.loads(stored.STORE.read_text(encoding="utf-8"))
    assert content["inputs"] == stored.fingerprint(CELLS, SIZES, PRINTED)
    modules = {path.stem for path in stored.STORE.parent.glob("*.py")}
    code = "".join((stored.STORE.parent / f"{name}.py").read_text("utf-8") for name in stored._CODE)
    imported = re.findall(r"from study\.published\.(\w+)", code)
    assert set(imported) - {"data"} <= set(stored._CODE) <= modules
    drawn = sample([SPACE], stored.FULL.draws, stored.SEED)["service"]
    kept = EVIDENCE.variants[EVIDENCE.variants["basis"] == "documented"]
    kept = kept.set_index(["comparison", "label"])
    for variant, values in drawn.items():
        row = kept.loc[(variant.comparison, variant.label)]
        expected = [values.min(), *np.percentile(values, [2.5, 50, 97.5]), values.max()]
        assert row[["smallest", "low", "median", "high", "largest"]].tolist() == pytest.approx(
            expected, abs=1e-4
        )


def test_stored_evidence_holds_no_values_per_run() -> None:
    content = json.loads(stored.STORE.read_text(encoding="utf-8"))
    assert set(content) == {"note", "inputs", *(field.name for field in fields(stored.Evidence))} - {"effort"}
    assert len(EVIDENCE.variants) < 200
    assert stored.STORE.stat().st_size < 100_000


def test_every_printed_z_is_reached_per_run_and_none_from_24_pairs() -> None:
    table = EVIDENCE.variants
    z_tests = table["test"].isin([RANK_SUM, SIGNED_RANK])
    runs = table[z_tests & (table["basis"] == "documented") & (table["comparison"] == "scenario")]
    assert (runs["gap"] <= HALF_DIGIT).all()
    cells = table[z_tests & table["basis"].isin(["printed cells", "unrounded cells"])]
    assert (cells.loc[cells["comparison"] == "scenario", "gap"] > 0.7).all()


def test_every_reading_of_all_statistics_has_a_solution() -> None:
    """So the printed values do not say which test was made."""
    reached = EVIDENCE.joint.groupby("reading")["reached"].any()
    assert set(reached.index) == set(readings(PRINTED))
    assert reached.all()


def test_a_stored_solution_can_be_found_again() -> None:
    targets = readings(PRINTED)["signed-rank throughout, Pratt"]
    found = approach(SPACE, targets, seed=4, steps=300)
    assert found.gap < 0.03
    best = int(found.gaps.argmin())
    distances = [abs(found.values[variant][best] - target) for variant, target in targets.items()]
    assert max(distances) == pytest.approx(found.gap)


def test_the_printed_34_is_a_difference_of_mean_ranks_in_most_draws_with_the_printed_rank_sum_z() -> None:
    given = EVIDENCE.given.set_index(["basis", "test"])
    assert given.loc[("documented", "rank-sum = Dunn, ties corrected"), "share_mean_ranks"] > 0.9
    assert given.loc[("documented", "signed-rank, zeros dropped, ties corrected"), "share_mean_ranks"] < 0.1
    assert given["ties_low"].min() > 0.85
    assert given["ties_high"].max() < 0.95


def test_bad_inputs_are_named() -> None:
    rates = PAPER["pass_rates"]
    with pytest.raises(StudyError, match=r"Codex.*TeamSync.*missing or not between"):
        Cells.of(rates[~((rates["agent"] == "Codex") & (rates["project"] == "TeamSync"))])
    with pytest.raises(StudyError, match="printed twice"):
        Cells.of(pd.concat([rates, rates]))
    with pytest.raises(StudyError, match="no test counts for 'TeamSync', incremental"):
        Space.of(CELLS, {key: value for key, value in SIZES.items() if key[0] != "TeamSync"})
    with pytest.raises(StudyError, match="expected 3 counts above 0"):
        documented_sizes(PAPER["suites"].iloc[:2])
    with pytest.raises(StudyError, match="no row S3"):
        Printed.of(PAPER["statistics"].query("id != 'S3'"))
