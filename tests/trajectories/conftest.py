"""Run folders with real logs of command lines, put together without running anything."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from study.agents.protocol import Usage
from study.records.stages import Evaluation, Generation, Manipulation, RunRecord, TestResult
from study.records.store import RUN, write_record

SAMPLES = Path(__file__).parents[1] / "agents" / "samples"


@pytest.fixture
def make_run(tmp_path: Path) -> Callable[..., Path]:
    """A run folder with one of the samples as its agent's log."""

    def make(
        sample: str,
        reader: str | dict[str, object],
        agent: str = "someone",
        tests: list[dict[str, str]] | None = None,
        suite: str = "ran",
        **changes: object,
    ) -> Path:
        run_id = f"{agent}.library-desk.loan-service.incremental.minimal.r1"
        folder = tmp_path / "results" / "toy-study" / run_id
        (folder / "generated").mkdir(parents=True)
        (folder / "generated" / "new.py").write_text("ANSWER = 42\n")
        (folder / "prompt.txt").write_text("Write the [bold]service[/bold].\n")
        shutil.copytree(SAMPLES / sample, folder / "agent")
        results = [
            TestResult(test_id="t::good", status="passed"),
            TestResult(test_id="t::bad", status="failed", cause="AssertionError", message="1 != 2"),
            TestResult(test_id="t::not", status="skipped"),
        ]
        if tests is not None:
            results = [TestResult.model_validate(test) for test in tests]
        generation = Generation(
            outcome="completed",
            reason="ended by itself",
            usage=Usage(output_tokens=50),
            model="a-model",
            version="1.2.3",
            log=reader,
            manipulation=Manipulation(removed_files=[], edited_files=[], hidden_tests=[], allowed_traces=[]),
            prompt_sha256="",
            confinement="plain",
            exit_code=0,
            wall_seconds=12.5,
            leftovers=0,
            files_written=["new.py"],
            files_elsewhere=[],
            test_edits=[],
        )
        record = RunRecord(
            run_id=run_id,
            kind="simulated",
            agent=agent,
            project="library-desk",
            service="loan-service",
            scenario="incremental",
            prompt="minimal",
            replicate=1,
            digest="",
            generation=generation.model_copy(update=changes),
            evaluation=Evaluation.model_validate({"oracle": "unit", "suite": suite, "tests": results}),
            quality=None,
        )
        write_record(folder / RUN, record)
        return folder

    return make
