"""Sentences on pass rates."""

from __future__ import annotations

from study.published.cells import RATE
from study.published.checks import least_total, mean
from study.published.claims import Claim
from study.published.reader import Reader
from study.published.sentences.printed import (
    Printed,
    compare_number,
    compare_range,
    compare_within,
    direction,
    names,
    printed,
)
from study.published.verdicts import Finding, Part, close, half_unit, list_parts

CELL_ERROR = half_unit("0.0")
PROMPTS = ("P1", "P2")


def cell_mean(reader: Reader, agent: str, scenario: str, condition: str) -> float:
    """Mean of an agent's cells of Table III over the projects."""
    return mean(reader.values("pass_rates", RATE, agent=agent, scenario=scenario, condition=condition))


def _average(reader: Reader, agent: str, scenario: str, condition: str) -> float:
    keys = {"agent": agent, "scenario": scenario, "condition": condition}
    return reader.value("pass_rates_agent_average", "average_pass_rate_percent", **keys)


def average(reader: Reader, claim: Claim) -> Finding:
    """One or two averages of an agent, by prompt; `extreme` adds that no other agent has a higher one."""
    said, agent, scenario = printed(reader, claim), str(claim.args["agent"]), str(claim.args["scenario"])
    tolerance = said.tolerance + CELL_ERROR
    parts = []
    values = []
    for condition, number in zip(names(claim, "conditions"), (said.low, said.high), strict=False):
        values.append(cell_mean(reader, agent, scenario, condition))
        parts.append(Part(f"{condition} {values[-1]:.3f}", close(values[-1], number, tolerance)))
    if claim.args.get("extreme") == "highest":
        every = {
            name: cell_mean(reader, name, scenario, names(claim, "conditions")[0])
            for name in reader.levels("pass_rates", "agent")
        }
        best = max(every, key=every.__getitem__)
        others = ", ".join(f"{name} {value:.3f}" for name, value in every.items() if name != best)
        parts.append(Part(f"the highest is that of {best} ({others})", best == agent))
    ours = " to ".join(f"{value:.3f}" for value in values)
    why = f"Printed {said.text}; mean of the four cells of Table III. {list_parts(parts)}"
    return Finding(ours, tuple(parts), why, tolerance)


def average_range(reader: Reader, claim: Claim) -> Finding:
    """Lowest and highest printed average over agents and prompts of a scenario."""
    scenario = str(claim.args["scenario"])
    values = {
        f"{agent}, {condition}": _average(reader, agent, scenario, condition)
        for agent in reader.levels("pass_rates_agent_average", "agent")
        for condition in names(claim, "conditions")
    }
    return compare_range(printed(reader, claim), values, 1, error=CELL_ERROR)


def best_average(reader: Reader, claim: Claim) -> Finding:
    """The better prompt of an agent, and its average."""
    said, agent, scenario = printed(reader, claim), str(claim.args["agent"]), str(claim.args["scenario"])
    values = {prompt: cell_mean(reader, agent, scenario, prompt) for prompt in PROMPTS}
    best = max(values, key=values.__getitem__)
    tolerance = said.tolerance + CELL_ERROR
    worse = min(values, key=values.__getitem__)
    parts = (
        Part(f"highest {values[best]:.3f}", close(values[best], said.low, tolerance)),
        Part(f"with {best} ({worse} {values[worse]:.3f})", best == str(claim.args["condition"])),
    )
    why = f"Printed {said.text}; means of the four cells of Table III. {list_parts(parts)}"
    return Finding(f"{values[best]:.3f} ({best})", parts, why, tolerance)


def prompt_direction(reader: Reader, claim: Claim) -> Finding:
    """Whether one prompt has the higher average with every agent; the projects are counted beside."""
    scenario, better = str(claim.args["scenario"]), str(claim.args["better"])
    gains = _gains(reader, names(claim, "agents"), scenario, better)
    parts, words = [], []
    for agent, by_project in gains.items():
        gain = mean(list(by_project.values()))
        parts.append(Part(f"{agent} {gain:+.2f}", gain > 0))
        words.append(f"{agent} {gain:+.2f}")
    return direction(
        parts, "; ".join(words), f"Average points, {better} minus the other; {_tally(gains, better)}."
    )


def prompt_consistency(reader: Reader, claim: Claim) -> Finding:
    """Whether one prompt is better in every single project of the agents."""
    scenario, better = str(claim.args["scenario"]), str(claim.args["better"])
    gains = _gains(reader, names(claim, "agents"), scenario, better)
    parts = [
        Part(f"{agent}, {project} {gain:+.1f}", gain > 0)
        for agent, by_project in gains.items()
        for project, gain in by_project.items()
    ]
    averages = "; ".join(f"{agent} {mean(list(g.values())):+.2f} on average" for agent, g in gains.items())
    return direction(parts, f"{averages}; {_tally(gains, better)}")


def _gains(reader: Reader, agents: list[str], scenario: str, better: str) -> dict[str, dict[str, float]]:
    worse = next(prompt for prompt in PROMPTS if prompt != better)
    gains: dict[str, dict[str, float]] = {}
    for agent in agents:
        keys = {"agent": agent, "scenario": scenario}
        first, second = (reader.values("pass_rates", RATE, condition=c, **keys) for c in (better, worse))
        projects = reader.levels("pass_rates", "project", **keys)
        gains[agent] = {p: a - b for p, a, b in zip(projects, first, second, strict=True)}
    return gains


def _tally(gains: dict[str, dict[str, float]], better: str) -> str:
    every = [gain for by_project in gains.values() for gain in by_project.values()]
    up, tie = sum(gain > 0 for gain in every), sum(gain == 0 for gain in every)
    return f"by project {better} is better in {up}, equal in {tie} and worse in {len(every) - up - tie}"


def agents_above(reader: Reader, claim: Claim) -> Finding:
    """Whether the averages of some agents lie above those of another, for either prompt."""
    scenario, below = str(claim.args["scenario"]), str(claim.args["below"])
    parts = []
    for condition in PROMPTS:
        floor = _average(reader, below, scenario, condition)
        for agent in names(claim, "above"):
            value = _average(reader, agent, scenario, condition)
            parts.append(Part(f"{condition} {agent} {value:.1f} > {below} {floor:.1f}", value > floor))
    return direction(parts, "; ".join(part.what.replace(">", "against") for part in parts))


def cells_within(reader: Reader, claim: Claim) -> Finding:
    """Cells of Table III that equal a number or lie in a range."""
    scenario = str(claim.args["scenario"])
    values = {
        f"{agent}, {project}, {condition}": (
            reader.value(
                "pass_rates", RATE, agent=agent, project=project, scenario=scenario, condition=condition
            ),
        )
        for agent in names(claim, "agents")
        for project in names(claim, "projects")
        for condition in names(claim, "conditions")
    }
    return compare_within(printed(reader, claim), values, 1)


def some_setting_at_most(reader: Reader, claim: Claim) -> Finding:
    """Whether an agent's lowest cell of each project is at most the printed number."""
    said, agent = printed(reader, claim), str(claim.args["agent"])
    parts = []
    for project in names(claim, "projects"):
        values = [
            v
            for c in PROMPTS
            for v in reader.values("pass_rates", RATE, agent=agent, project=project, condition=c)
        ]
        holds = min(values) <= said.high + said.tolerance
        each = ", ".join(f"{value:.1f}" for value in values)
        parts.append(Part(f"{project}: lowest of {len(values)} settings {min(values):.1f} ({each})", holds))
    ours = "; ".join(part.what for part in parts)
    return direction(parts, ours, f"Printed: at most {said.text}.", said.tolerance)


def recovered_points(reader: Reader, claim: Claim) -> Finding:
    """Points that P2 gains over P1: on average, and the project in which the printed number occurs."""
    said, agent = printed(reader, claim), str(claim.args["agent"])
    gains = _gains(reader, [agent], str(claim.args["scenario"]), "P2")[agent]
    gain = mean(list(gains.values()))
    tolerance = round(said.tolerance + 2 * CELL_ERROR, 9)  # two cells are subtracted
    near = {p: v for p, v in gains.items() if close(v, said.low, tolerance)}
    parts = (
        Part(f"agent average {gain:+.1f}", close(gain, said.low, tolerance)),
        Part(
            "a single project: " + (", ".join(f"{p} {v:+.1f}" for p, v in near.items()) or "none"), bool(near)
        ),
    )
    each = ", ".join(f"{project} {value:+.1f}" for project, value in gains.items())
    why = f"Printed {said.text}. {list_parts(parts)}"
    return Finding(f"{gain:.1f} on average; {each}", parts, why, tolerance)


def open_source_better(reader: Reader, claim: Claim) -> Finding:
    """Mean of the open-source against the private projects, for every agent and scenario."""
    sources = {}
    for project in reader.levels("pass_rates", "project"):
        sources[project] = reader.text("projects", "source", project=project)
    parts = []
    for scenario in reader.levels("pass_rates", "scenario"):
        for agent in reader.levels("pass_rates", "agent"):
            groups: dict[str | None, list[float]] = {"open_source": [], "private": []}
            for project, source in sources.items():
                for condition in PROMPTS:
                    keys = {"agent": agent, "project": project, "scenario": scenario}
                    groups[source].append(reader.value("pass_rates", RATE, condition=condition, **keys))
            public, private = mean(groups["open_source"]), mean(groups["private"])
            what = f"{agent} {scenario.replace('_', ' ')} {public:.2f} against {private:.2f}"
            parts.append(Part(what, public > private))
    return direction(parts, "; ".join(part.what for part in parts))


def correct_share(reader: Reader, claim: Claim) -> Finding:
    """Mean of all cells of a scenario, over both prompts or with one of them."""
    said, scenario = printed(reader, claim), str(claim.args["scenario"])
    table = {
        agent: [cell_mean(reader, agent, scenario, prompt) for prompt in PROMPTS]
        for agent in reader.levels("pass_rates", "agent")
    }
    p1, p2 = (mean([values[i] for values in table.values()]) for i in range(len(PROMPTS)))
    best = mean([max(values) for values in table.values()])
    remark = (
        f"With each agent's better prompt the mean is {best:.1f}; for the other scenario see "
        f"{claim.args['beside']}."
    )
    readings = {"both prompts": (p1 + p2) / 2, "P1": p1, "P2": p2}
    return compare_number(said, readings, 1, error=CELL_ERROR, remark=remark)


def service_against_cell(reader: Reader, claim: Claim) -> Finding:
    """Whether one service's printed rates (P1, then P2) leave room for the project's cells."""
    said = printed(reader, claim)
    services = int(claim.args["services"])
    parts = []
    for condition, rate in zip(PROMPTS, (said.low, said.high), strict=True):
        cell = _project_cell(reader, claim, condition)
        parts.append(_room(condition, rate, cell, services, said))
    decisive = [part for part in parts if part.holds is False] or parts
    ours = "; ".join(part.what for part in parts)
    why = (
        f"{list_parts(decisive)} Bounds: the other {services - 1} services at 0 and 100, if the cell is the "
        "mean of its services' rates; C68 treats tests that are pooled."
    )
    return Finding(ours, tuple(decisive), why, said.tolerance + CELL_ERROR)


def _room(condition: str, rate: float, cell: float, services: int, said: Printed) -> Part:
    low, high = rate / services, (rate + 100 * (services - 1)) / services
    error = said.tolerance + CELL_ERROR
    what = (
        f"{condition}: a service at {rate:.1f} gives a mean of {low:.1f} to {high:.1f}, Table III has "
        f"{cell:.1f}"
    )
    return Part(what, low - error <= cell <= high + error)


def failed_tests_against_cell(reader: Reader, claim: Claim) -> Finding:
    """Failed tests of one service (failed, then all) against the project's cell, as mean or pooled."""
    said = printed(reader, claim)
    services = int(claim.args["services"])
    failed, total = round(said.low), round(said.high)
    rate = 100 * (total - failed) / total
    condition = str(claim.args["condition"])
    cell = _project_cell(reader, claim, condition)
    part = _room(condition, rate, cell, services, Printed(rate, rate, 0.0, ""))
    needed = least_total(failed, cell, CELL_ERROR)
    why = (
        f"{total - failed} of {total} tests are {rate:.1f} percent. {list_parts([part])} That is for a mean "
        f"of services; pooled over tests, {failed} failures leave {cell:.1f} only among {needed} tests or "
        f"more{_documented(reader, claim)}."
    )
    return Finding(f"{rate:.1f} percent of the service's tests; {part.what}", (part,), why, CELL_ERROR)


def _documented(reader: Reader, claim: Claim) -> str:
    """How many tests of the project the public repository has, for the services that are generated."""
    keys = {"project": str(claim.args["project"]), "scenario": str(claim.args["scenario"])}
    tests = reader.values("suites", "tests", **keys)
    return f", and the public repository has {sum(tests):.0f}" if tests else ""


def _project_cell(reader: Reader, claim: Claim, condition: str) -> float:
    keys = {key: str(claim.args[key]) for key in ("agent", "project", "scenario")}
    return reader.value("pass_rates", RATE, condition=condition, **keys)
