"""Throughput and peak memory of our counters beside lizard's and radon's, on the same files in one run.

    python tests/benchmarks/bench_quality.py                 # modules of Python's standard library
    python tests/benchmarks/bench_quality.py path/to/tree    # all Java and Python files of a tree

The tree may also be given as BENCH_TREE. Ours counts three metrics, lizard two (NLOC and cyclomatic), radon
two (SLOC and cyclomatic, Python only). Each tool reads each file in turn; what counts is processor time, so
that a busy machine matters little. Peak memory is that of a process of its own for each tool, which counts
every file once; what it took before the first file, imports included, is told apart.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import sysconfig
import time
import warnings
from collections.abc import Callable
from pathlib import Path

ROUNDS = 5
SIZES = range(1_000, 12_000)
"""Of modules of the standard library: those of the size of a service's files."""

Source = tuple[str, str]
"""Name and text of a file."""
Tool = Callable[[str, str], object]


def ours() -> Tool:
    from study.quality import COUNTERS

    return lambda name, text: COUNTERS["java" if name.endswith(".java") else "python"].count(text.encode())


def lizard() -> Tool:
    import lizard

    return lizard.analyze_file.analyze_source_code


def radon() -> Tool:
    from radon.complexity import cc_visit
    from radon.raw import analyze

    return lambda name, text: (analyze(text), cc_visit(text))


TOOLS = {"ours": ours, "lizard": lizard, "radon": radon}


def corpus(tree: str) -> dict[str, list[Source]]:
    """The files by language; of the tree, or of the standard library if it is empty."""
    if not tree:
        paths = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
        return {"python": read([path for path in paths if path.stat().st_size in SIZES])}
    paths = sorted(Path(tree).rglob("*"))
    kinds = {"java": ".java", "python": ".py"}
    found = {name: read([p for p in paths if p.suffix == ending]) for name, ending in kinds.items()}
    return {name: sources for name, sources in found.items() if sources}


def read(paths: list[Path]) -> list[Source]:
    return [(path.name, path.read_text(encoding="utf-8")) for path in paths if path.is_file()]


def tools_of(language: str) -> list[str]:
    return [name for name in TOOLS if name != "radon" or language == "python"]


def seconds(sources: list[Source], names: list[str]) -> dict[str, list[float]]:
    """Processor time of each tool in each round."""
    tools = {name: TOOLS[name]() for name in names}
    for tool in tools.values():
        tool(*sources[0])
    rounds: dict[str, list[float]] = {name: [] for name in tools}
    for _ in range(ROUNDS):
        spent = dict.fromkeys(tools, 0.0)
        for source in sources:
            for name, tool in tools.items():
                start = time.process_time()
                tool(*source)
                spent[name] += time.process_time() - start
        for name, total in spent.items():
            rounds[name].append(total)
    return rounds


def peak_megabytes(tool: str, language: str, tree: str) -> tuple[float, float]:
    """Peak memory of a process that counts all files with one tool, and what it was before the first file."""
    command = [sys.executable, __file__, "--memory", tool, language, tree]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    before, peak = json.loads(done.stdout)
    return peak, before


def count_all(name: str, language: str, tree: str) -> None:
    """In a process of its own: peak memory before and after, as JSON."""
    sources = corpus(tree)[language]
    tool = TOOLS[name]()
    tool(*sources[0])  # grammars are loaded with the first file
    peaks = [peak_so_far()]
    for source in sources:
        tool(*source)
    peaks.append(peak_so_far())
    print(json.dumps(peaks))


def peak_so_far() -> float:
    """Peak resident memory of this process in megabytes."""
    status = Path("/proc/self/status")
    if status.exists():  # on Linux, resource tells the peak of the parent if that was higher
        return int(status.read_text().partition("VmHWM:")[2].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2


def main() -> None:
    warnings.simplefilter("ignore")
    if sys.argv[1:2] == ["--memory"]:
        count_all(*sys.argv[2:])
        return
    tree = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("BENCH_TREE", "")
    for language, sources in corpus(tree).items():
        lines = statistics.median(text.count("\n") for _, text in sources)
        print(f"{language}: {len(sources)} files, median {lines:.0f} lines, {ROUNDS} rounds")
        names = tools_of(language)
        rounds = seconds(sources, names)
        memory = {name: peak_megabytes(name, language, tree) for name in names}
        for name, totals in rounds.items():
            ratios = sorted(total / own for total, own in zip(totals, rounds["ours"], strict=True))
            peak, before = memory[name]
            print(
                f"  {name:7}{len(sources) / min(totals):7.0f} files/s"
                f"{statistics.median(ratios):7.1f} x the time of ours ({ratios[0]:.1f} to {ratios[-1]:.1f})"
                f"{peak:7.0f} MB peak, {peak - before:.0f} of it for the files"
                f" ({peak / memory['ours'][0]:.2f} x ours)"
            )


if __name__ == "__main__":
    main()
