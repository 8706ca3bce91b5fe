"""Populations in which the methods are tried, each for a reason."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import pandas as pd

from study.calibration.model import StudyModel


@dataclass(frozen=True)
class Setting:
    """A population, the factor that is tested in it, and why."""

    name: str
    factor: str
    why: str
    model: StudyModel


SETTINGS = (
    Setting("no effect", "scenario", "the error rate of a test where all is equal", StudyModel()),
    Setting(
        "effects that cancel out",
        "scenario",
        "no mean effect, but one that differs between services (sd about 25 points): what the treatment of "
        "runs as independent makes of it",
        StudyModel(scenario_sd=1.0),
    ),
    Setting(
        "like the paper",
        "scenario",
        "effects as large as published (+30.8, -7.9 points), differing between services",
        StudyModel(scenario=30.8, prompt=-7.9, agent=(-8.0, -16.0), scenario_sd=0.5, prompt_sd=0.5),
    ),
    Setting(
        "scenario at the ceiling",
        "prompt",
        "no effect of the prompt while the scenario lifts most runs to 100 %: what ranking aligned values "
        "makes of it",
        StudyModel(scenario=30.0, prompt=0.0),
    ),
    Setting(
        "few services",
        "scenario",
        "six services: intervals must widen, and exact tests have little left",
        StudyModel(services=6, scenario=10.0),
    ),
    Setting(
        "many services, repeated",
        "scenario",
        "24 services, 3 replicates, a small effect",
        StudyModel(services=24, replicates=3, scenario=10.0, scenario_sd=0.3),
    ),
    Setting(
        "lost runs",
        "scenario",
        "one run in ten is lost, whatever it would have scored",
        StudyModel(scenario=15.0, scenario_sd=0.3, missing=0.1),
    ),
    Setting(
        "at the bound of equivalence",
        "prompt",
        "an effect of exactly 10 points: an equivalence test must not call it none",
        StudyModel(prompt=10.0),
    ),
)


def describe() -> pd.DataFrame:
    """Table of the settings: name, factor, why, and the parameters of the model."""
    rows = []
    for setting in SETTINGS:
        model = asdict(setting.model)
        model["agent"] = "; ".join(f"{effect:g}" for effect in setting.model.agent)
        model["tests"] = "; ".join(map(str, setting.model.tests))
        rows.append({"setting": setting.name, "factor": setting.factor, "why": setting.why, **model})
    return pd.DataFrame(rows)
