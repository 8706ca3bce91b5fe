"""Runs of a balanced design, drawn from a simple model: no agent was run."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

FACTORS = {"agent": [*"ABC"], "scenario": ["incremental", "clean_state"], "prompt": ["minimal", "summary"]}


def made(seed: int, services: int = 12, effect: float = 0.0) -> pd.DataFrame:
    """Runs of a balanced design with service effects and many ties at 0 and 100."""
    rng = np.random.default_rng(seed)
    rows = []
    for s in range(services):
        total, base = int(rng.integers(3, 20)), rng.normal(0.5, 1)
        for agent, scenario, prompt in product(*FACTORS.values()):
            eta = base + rng.normal() + effect * (scenario == "clean_state") - 0.4 * (agent == "C")
            passed = int(rng.binomial(total, 1 / (1 + np.exp(-eta))))
            rows.append([agent, f"P{s // 3}", f"s{s}", scenario, prompt, passed, total])
    names = ["agent", "project", "service", "scenario", "prompt", "passed", "total"]
    table = pd.DataFrame(rows, columns=names)
    times = np.exp(np.random.default_rng(seed + 1).normal(2, 0.5, len(table)))
    return table.assign(pass_rate=100 * table["passed"] / table["total"], time_min=times)
