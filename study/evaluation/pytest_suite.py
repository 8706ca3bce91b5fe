"""Run a suite with pytest, in the project's Python environment or this package's own, and read its report."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

from _pytest.config.findpaths import load_config_dict_from_file

from study.agents.protocol import Launch, ProcessResult
from study.evaluation.environments import python_of, readable_of
from study.evaluation.junit import read_suite
from study.evaluation.live import ports_to_itself, services_down, with_services
from study.evaluation.suites import SuiteJob, SuiteResult
from study.sandbox import SYSTEM_PATH, run_confined

CLOCKS = ["UTC", "ANA-12", "BKR+12"]
"""POSIX time zones: 0, +12 and -12 hours. The reference is repeated under each in turn, with another hash
seed each time, so that tests which mix up dates or depend on the order of a set show themselves as flaky.
At any time of the day exactly one of the three has another date than the first (+14 would make it two for
some hours), so that the mean over the repeats does not depend on when they ran. Scored runs always use the
first."""


CONFIGURATION = ["pytest.ini", ".pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"]
"""Files in which pytest looks for its configuration, in its order."""


def run_pytest(job: SuiteJob) -> tuple[ProcessResult, SuiteResult]:
    """Run the suite's files in one pytest process, with the suite's services around it if it has any."""
    python = python_of(job.loaded)
    launch = _launch(job, python, restore_configuration(job.suite.files, job.tree, job.system))
    if job.suite.live:
        launch = with_services(job, launch, python)
    with ports_to_itself(job):
        ended = run_confined(
            launch,
            workspace=job.system,
            home=job.home,
            logs=job.place.logs,
            seconds=job.limits.test_seconds,
            limits=job.limits,
            cancel=job.place.cancel,
            hidden=job.place.hidden,
        )
    report = job.home / "junit.xml"
    if report.resolve() != job.home.resolve() / "junit.xml":  # not pytest's, but a link to anything
        report.unlink()
    result = _result(ended, report)
    if job.suite.live and (down := services_down(job, ended)):
        result = replace(result, reason="; ".join([*filter(None, [result.reason]), _describe(down)]))
    if report.is_file():
        shutil.copyfile(report, job.place.logs / "junit.xml")
    return ended, result


def _describe(down: dict[str, str]) -> str:
    return "not up: " + ", ".join(f"{name} ({why})" for name, why in down.items())


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


def _launch(job: SuiteJob, python: Path, configuration: list[str]) -> Launch:
    index = (job.place.repeat - 1) % len(CLOCKS)
    return Launch(
        command=[
            str(python),
            "-m",
            "pytest",
            *configuration,
            *job.suite.files,
            "-q",
            # one broken file must not hide the tests of the others
            "--continue-on-collection-errors",
            f"--junitxml={job.home / 'junit.xml'}",
            "-p",
            "no:cacheprovider",
            # third-party plugins that happen to be installed cost time and may change results
            "-p",
            "pytest_timeout",
            f"--timeout={job.limits.single_test_seconds:g}",
        ],
        environment={
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "TZ": CLOCKS[index],
            "PYTHONHASHSEED": str(index),
            "PATH": f"{python.parent}:{SYSTEM_PATH}",
        },
        readable=readable_of(python),
        network=False,
    )


def _result(ended: ProcessResult, report: Path) -> SuiteResult:
    if ended.ended == "timeout":
        return SuiteResult("timeout", [], f"stopped after {ended.wall_seconds:.0f} s")
    if ended.ended != "exited":
        return SuiteResult("crashed", [], f"{ended.ended}: {ended.message}")
    return read_suite(report, ended.exit_code)
