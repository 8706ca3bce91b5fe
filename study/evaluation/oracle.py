"""Run the tests that score a run, in a process of their own on a tree of their own."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from _pytest.config.findpaths import load_config_dict_from_file

from study.agents.protocol import Launch, ProcessResult
from study.design import Limits
from study.evaluation.assembly import assemble
from study.evaluation.junit import SuiteResult, read_suite
from study.projects.manifest import Service, Suite
from study.records.stages import Evaluation, Oracle
from study.sandbox import run_confined
from study.scratch import scratch_folder

CLOCKS = ["UTC", "KIR-14", "BKR+12"]
"""POSIX time zones: 0, +14 and -12 hours. The reference is repeated under each in turn, with another hash
seed each time, so that tests which mix up dates or depend on the order of a set show themselves as flaky
at any time of the day. Scored runs always use the first."""


CONFIGURATION = ["pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"]
"""Files in which pytest looks for its configuration, in its order."""


@dataclass(frozen=True)
class Place:
    """The machine-dependent circumstances of one execution of a suite."""

    logs: Path
    """Where stdout, stderr and the JUnit file are kept."""
    repeat: int = 1
    """From 1; chooses time zone and hash seed."""
    cancel: threading.Event | None = None
    """Set by the caller to stop the suite at once."""


def suite_of(service: Service, oracle: Oracle) -> Suite:
    """The test files of an oracle."""
    return service.unit if oracle == "unit" else service.integration


def evaluate(
    service: Service, oracle: Oracle, tree: Path, generated: Path, limits: Limits, place: Place
) -> Evaluation:
    """Score one generated service.

    Parameters
    ----------
    service : Service
        The target.
    oracle : {'unit', 'integration'}
        Which of its test suites.
    tree : Path
        The project's original files.
    generated : Path
        The generated code, relative to the target's directory; an empty folder if there is none.
    limits : Limits
        Of the design: time for the suite and for one test, output, disk.
    place : Place
        Where logs go, and which repeat this is.

    Returns
    -------
    Evaluation
        The status of every test that was reported. Rates are made later, against the reference's tests.
    """
    suite = suite_of(service, oracle)
    if not suite.files:
        return Evaluation(oracle=oracle, suite="not_applicable", reason="no consumer of the target has tests")
    with scratch_folder() as room:
        assemble(service, tree, generated, room / "system")
        (room / "home").mkdir()
        configuration = restore_configuration(suite.files, tree, room / "system")
        ended = run_confined(
            _launch(suite, limits, place.repeat, room / "home", configuration),
            workspace=room / "system",
            home=room / "home",
            logs=place.logs,
            seconds=limits.test_seconds,
            limits=limits,
            cancel=place.cancel,
        )
        report = room / "home" / "junit.xml"
        if report.resolve() != room / "home" / "junit.xml":  # not pytest's, but a link to anything
            report.unlink()
        result = _result(ended, report)
        if report.is_file():
            shutil.copyfile(report, place.logs / "junit.xml")
    return Evaluation(
        oracle=oracle,
        suite=result.suite,
        reason=result.reason,
        tests=sorted(result.tests, key=lambda test: test.test_id),
        exit_code=ended.exit_code,
        wall_seconds=round(ended.wall_seconds, 3),
    )


def restore_configuration(files: list[str], tree: Path, system: Path) -> list[str]:
    """Options that make pytest use the original configuration, and not one that was generated.

    pytest looks for it from the folder of the tests upwards, and so in the target's directory too, where
    the agent writes: an `addopts` there could make every test pass.
    """
    common = Path(os.path.commonpath([Path(file).parent for file in files]))
    for folder in [common, *common.parents]:
        for name in CONFIGURATION:
            if (tree / folder / name).is_file() and load_config_dict_from_file(
                tree / folder / name
            ) is not None:
                (system / folder).mkdir(parents=True, exist_ok=True)
                shutil.copyfile(tree / folder / name, system / folder / name)
                return ["-c", str(folder / name)]
    return ["-c", os.devnull, "--rootdir=.", "--confcutdir=."]


def _launch(suite: Suite, limits: Limits, repeat: int, home: Path, configuration: list[str]) -> Launch:
    index = (repeat - 1) % len(CLOCKS)
    return Launch(
        command=[
            sys.executable,
            "-m",
            "pytest",
            *configuration,
            *suite.files,
            "-q",
            # one broken file must not hide the tests of the others
            "--continue-on-collection-errors",
            f"--junitxml={home / 'junit.xml'}",
            "-p",
            "no:cacheprovider",
            # third-party plugins that happen to be installed cost time and may change results
            "-p",
            "pytest_timeout",
            f"--timeout={limits.single_test_seconds:g}",
        ],
        environment={
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "TZ": CLOCKS[index],
            "PYTHONHASHSEED": str(index),
        },
        network=False,
    )


def _result(ended: ProcessResult, report: Path) -> SuiteResult:
    if ended.ended == "timeout":
        return SuiteResult("timeout", [], f"stopped after {ended.wall_seconds:.0f} s")
    if ended.ended != "exited":
        return SuiteResult("crashed", [], f"{ended.ended}: {ended.message}")
    return read_suite(report, ended.exit_code)
