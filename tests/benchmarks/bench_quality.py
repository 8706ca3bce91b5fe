"""Throughput of our Python counter beside radon's and lizard's, on the same files in one run.

    python tests/benchmarks/bench_quality.py

The files are modules of the running Python's standard library of the size of a service's files. Each tool
reads each file in turn; what counts is processor time, so that a busy machine matters little.
"""

from __future__ import annotations

import statistics
import sysconfig
import time
import warnings
from collections.abc import Callable
from pathlib import Path

from radon.complexity import cc_visit
from radon.raw import analyze

from study.quality.peers import lizard_counts
from study.quality.python import PythonCounter

ROUNDS = 5
SIZES = range(1_000, 12_000)


def radon(text: str) -> None:
    analyze(text)
    cc_visit(text)


def lizard(text: str) -> None:
    lizard_counts("module.py", text)


def ours(text: str) -> None:
    PythonCounter().count(text.encode())


TOOLS: dict[str, Callable[[str], None]] = {"ours": ours, "lizard": lizard, "radon": radon}


def corpus() -> list[str]:
    paths = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    return [path.read_text(encoding="utf-8") for path in paths if path.stat().st_size in SIZES]


def seconds(texts: list[str]) -> dict[str, list[float]]:
    """Processor time of each tool in each round."""
    for tool in TOOLS.values():
        tool(texts[0])
    rounds: dict[str, list[float]] = {name: [] for name in TOOLS}
    for _ in range(ROUNDS):
        spent = dict.fromkeys(TOOLS, 0.0)
        for text in texts:
            for name, tool in TOOLS.items():
                start = time.process_time()
                tool(text)
                spent[name] += time.process_time() - start
        for name, total in spent.items():
            rounds[name].append(total)
    return rounds


def main() -> None:
    warnings.simplefilter("ignore")
    texts = corpus()
    lines = statistics.median(text.count("\n") for text in texts)
    print(f"{len(texts)} modules of the standard library, median {lines:.0f} lines, {ROUNDS} rounds")
    rounds = seconds(texts)
    for name, totals in rounds.items():
        ratios = sorted(total / own for total, own in zip(totals, rounds["ours"], strict=True))
        print(
            f"{name:7} {len(texts) / min(totals):6.0f} files/s"
            f"   {statistics.median(ratios):5.1f} x the time of ours ({ratios[0]:.1f} to {ratios[-1]:.1f})"
        )


if __name__ == "__main__":
    main()
