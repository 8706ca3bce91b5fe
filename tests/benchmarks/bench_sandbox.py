"""What confinement costs: `true` in the sandbox against `true` as a bare process, in one run.

python tests/benchmarks/bench_sandbox.py
"""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from study.agents.protocol import Launch, ProcessResult
from study.design import Limits
from study.sandbox import run_confined

REPEATS = 20


def seconds(call: Callable[[], object]) -> float:
    """Median wall time of one call."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> None:
    """Print both medians and their ratio."""
    with tempfile.TemporaryDirectory() as name:
        room = Path(name)
        (room / "workspace").mkdir()

        def confined() -> ProcessResult:
            return run_confined(
                Launch(["true"]),
                workspace=room / "workspace",
                home=room / "home",
                logs=room / "logs",
                seconds=10,
                limits=Limits(),
            )

        kind = confined().confinement
        bare = seconds(lambda: subprocess.run(["true"], check=True))
        inside = seconds(confined)
    print(f"{kind}: {1000 * inside:.0f} ms, bare process: {1000 * bare:.1f} ms, ratio {inside / bare:.0f}")


if __name__ == "__main__":
    main()
