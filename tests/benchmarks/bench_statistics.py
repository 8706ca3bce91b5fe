"""Our cluster bootstrap and permutation tests beside scipy's and pingouin's, on the same runs in one run.

    python tests/benchmarks/bench_statistics.py

144 synthetic runs of the paper's design, 12 services, 10,000 resamples of whole services each. scipy and
pingouin know no clusters: they resample the numbers of the services, and a function computes the statistic
of the runs of the drawn services. What counts is processor time; our draws are made anew in every round.
"""

from __future__ import annotations

import statistics
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pingouin
from scipy import stats

from study.statistics import bootstrap, effects, permutation, ranks, walsh
from study.statistics.pairs import cluster_means, pairs

sys.path.insert(0, str(Path(__file__).parents[1]))
from synthetic_runs import made

ROUNDS = 3
RESAMPLES = 10_000
STUDIES = 100
SHORT = 1_000
"""Resamples of the peers where all would take minutes; their time is multiplied."""
PAIR = ("clean_state", "incremental")
RUNS = made(7, effect=0.8)
PAIRS = pairs(RUNS, "pass_rate", "scenario", PAIR)
MEANS = cluster_means(PAIRS).to_numpy()
DIFFERENCES = [part["difference"].to_numpy() for _, part in PAIRS.groupby("cluster", sort=False)]
SERVICES = np.arange(len(MEANS))
FIRST, SECOND = (
    [part["pass_rate"].to_numpy() for _, part in at.groupby("service", sort=False)]
    for at in (RUNS[RUNS["scenario"] == level] for level in PAIR)
)
Task = Callable[[], object]


def _drawn(parts: list[np.ndarray], services: np.ndarray) -> np.ndarray:
    return np.concatenate([parts[int(i)] for i in services])


def _biserial(services: np.ndarray) -> float:
    plus, minus = ranks.signed_rank_sums(_drawn(DIFFERENCES, services))
    return (plus - minus) / (plus + minus) if plus + minus else 0.0


def _hodges_lehmann(services: np.ndarray) -> float:
    return walsh.hodges_lehmann(_drawn(DIFFERENCES, services))


def _cliff(services: np.ndarray) -> float:
    x, y = _drawn(FIRST, services), _drawn(SECOND, services)
    return float(np.sign(x[:, None] - y[None, :]).mean())


def _mean(services: np.ndarray) -> float:
    return float(_drawn(DIFFERENCES, services).mean())


def _scipy(function: Callable[[np.ndarray], float], resamples: int) -> Task:
    return lambda: stats.bootstrap(
        (SERVICES,), function, n_resamples=resamples, method="percentile", vectorized=False
    )


def _pingouin(function: Callable[[np.ndarray], float], resamples: int) -> Task:
    return lambda: pingouin.compute_bootci(SERVICES, func=function, n_boot=resamples, method="per")


def _flip(x: np.ndarray, y: np.ndarray, axis: int) -> np.ndarray:
    return (x - y).mean(axis=axis)


TASKS: dict[str, tuple[Task, dict[str, tuple[Task, int]]]] = {
    name: (
        ours,
        {
            "scipy": (_scipy(function, SHORT), RESAMPLES // SHORT),
            "pingouin": (_pingouin(function, SHORT), RESAMPLES // SHORT),
        },
    )
    for name, ours, function in (
        ("bootstrap of the mean difference", lambda: effects.bootstrap_difference(PAIRS), _mean),
        ("bootstrap of the rank-biserial", lambda: effects.matched_rank_biserial(PAIRS), _biserial),
        ("bootstrap of Hodges-Lehmann", lambda: effects.hodges_lehmann(PAIRS), _hodges_lehmann),
        (
            "bootstrap of Cliff's delta",
            lambda: effects.cliffs_delta(RUNS, "pass_rate", "scenario", PAIR),
            _cliff,
        ),
    )
} | {
    "bootstrap of service means (array)": (
        lambda: bootstrap.mean_interval(MEANS, interval="percentile"),
        {
            "scipy, vectorised": (
                lambda: stats.bootstrap((MEANS,), np.mean, n_resamples=RESAMPLES, method="percentile"),
                1,
            ),
            "pingouin": (lambda: pingouin.compute_bootci(MEANS, func="mean", n_boot=RESAMPLES), 1),
        },
    ),
    "the same for 100 studies (arrays)": (
        lambda: [bootstrap.mean_interval(MEANS + i, interval="percentile") for i in range(STUDIES)],
        {
            "scipy, vectorised": (
                lambda: [
                    stats.bootstrap((MEANS + i,), np.mean, n_resamples=RESAMPLES, method="percentile")
                    for i in range(STUDIES)
                ],
                1,
            )
        },
    ),
    "all 4,096 sign flips (array)": (
        lambda: permutation.sign_flip_p(MEANS),
        {
            "scipy, vectorised": (
                lambda: stats.permutation_test(
                    (MEANS, np.zeros_like(MEANS)),
                    _flip,
                    permutation_type="samples",
                    n_resamples=np.inf,
                    vectorized=True,
                ),
                1,
            )
        },
    ),
    "10,000 permutations of agents (array)": (
        lambda: permutation.permuted_labels_p(AGENTS, drawn=RESAMPLES),
        {"scipy, vectorised": (lambda: _permuted_agents(), 1)},
    ),
}
"""Ours, and each peer with the factor by which its time is multiplied."""
AGENTS = RUNS.groupby(["service", "agent"])["pass_rate"].mean().unstack()


def _permuted_agents() -> object:
    columns = tuple(AGENTS[name].to_numpy() for name in AGENTS)
    return stats.permutation_test(
        columns,
        lambda *groups, axis: np.var([group.mean(axis=axis) for group in groups], axis=0),
        permutation_type="samples",
        n_resamples=RESAMPLES,
        vectorized=True,
        alternative="greater",
    )


def seconds(task: Task) -> float:
    """Least processor time of the rounds; draws are forgotten before each."""
    spent = []
    for _ in range(ROUNDS):
        bootstrap.draws.cache_clear()
        start = time.process_time()
        task()
        spent.append(time.process_time() - start)
    return min(spent)


def main() -> None:
    warnings.simplefilter("ignore")
    print(f"{len(RUNS)} runs, {len(MEANS)} services, {RESAMPLES} resamples, best of {ROUNDS} rounds")
    rows = []
    for name, (ours, peers) in TASKS.items():
        own = seconds(ours)
        for peer, (task, factor) in peers.items():
            theirs = seconds(task) * factor
            rows.append({"task": name, "ours_s": own, "peer": peer, "peer_s": theirs, "ratio": theirs / own})
    table = pd.DataFrame(rows)
    print(table.to_string(index=False, float_format=lambda x: f"{x:.4g}"))
    print(f"median ratio {statistics.median(table['ratio']):.0f}, smallest {table['ratio'].min():.1f}")


if __name__ == "__main__":
    main()
