"""Claims against runs: where values of single runs answer directly what published tables can only bound.

These replace, for tables computed from runs, the checks of the same name; all other checks read the tables
as they are, whoever's they are.
"""

from __future__ import annotations

import numpy as np

from study.published.checks import mean, percent_change
from study.published.claims import EFFICIENCY_COLUMNS, Claim
from study.published.drawings import STEPS
from study.published.reader import Reader
from study.published.registry import Check
from study.published.run_statistics import MEASURES, statistic_findings
from study.published.sentences.correctness import PROMPTS
from study.published.sentences.printed import compare_number, compare_within, direction, names, printed
from study.published.verdicts import Finding, Part, close, half_unit
from study.schema import StudyError

RATE = "pass_rate_percent"
SIZES = ("sloc", "cyclomatic", "cognitive")
_HOLDS = {"agrees": (True,), "partly": (True, False), "disagrees": (False,), "not testable": (None,)}


def _runs(reader: Reader, column: str, **keys: str) -> list[float]:
    """Values of runs; those without one are left out."""
    return reader.values("runs", column, **keys)


def _against(claim: Claim, ours: float, runs: int, error: float = 0.0) -> Finding:
    """A printed number against the same number of the runs."""
    number = claim.printed.replace(",", "")
    tolerance = half_unit(number) + error
    decimals = len(number.partition(".")[2]) + 2
    part = Part(f"{ours:.{decimals}f}", close(ours, float(number), tolerance))
    counted = f" ({runs} runs)" if runs else ""
    why = f"Printed {claim.printed} {claim.unit}, the runs give {ours:.{decimals}f}{counted}."
    return Finding(f"{ours:.{decimals}f}", (part,), why, tolerance)


def rate_cell(reader: Reader, claim: Claim) -> Finding:
    """A cell of Table III: the mean of its services' pass rates."""
    keys = {key: str(claim.args[key]) for key in ("agent", "project", "scenario", "condition")}
    value = reader.value("pass_rates", RATE, **keys)
    runs = 0 if keys["condition"] == "baseline" else len(_runs(reader, RATE, **keys))
    return _against(claim, value, runs)


def average_cell(reader: Reader, claim: Claim) -> Finding:
    """An average of Table III: the mean of the projects' cells."""
    keys = {key: str(claim.args[key]) for key in ("agent", "scenario", "condition")}
    value = reader.value("pass_rates_agent_average", "average_pass_rate_percent", **keys)
    return _against(claim, value, len(_runs(reader, RATE, **keys)))


def efficiency_cell(reader: Reader, claim: Claim) -> Finding:
    """A cell of Table IV: the mean or the sum of the agent's runs."""
    agent, column = str(claim.args["agent"]), str(claim.args["column"])
    runs = round(reader.value("efficiency", "runs", agent=agent))
    return _against(claim, reader.value("efficiency", column, agent=agent), runs)


def efficiency_mean(reader: Reader, claim: Claim) -> Finding:
    """An average per agent, from its runs."""
    said, column = printed(reader, claim), str(claim.args["column"])
    divisor = float(claim.args.get("divide_by", 1))
    sources = {
        agent: reader.value("efficiency", column, agent=agent) / divisor for agent in names(claim, "agents")
    }
    return compare_number(said, sources, EFFICIENCY_COLUMNS[column][2] + 1)


def quality_bar(reader: Reader, claim: Claim) -> Finding:
    """A label of Fig. 3: the mean of the runs with code, or of the originals."""
    level, metric, bar = (str(claim.args[key]) for key in ("level", "metric", "bar"))
    value = reader.value("code_quality", f"{bar}_bar_height", level=level, metric=metric)
    (grouping,) = reader.levels("code_quality", "grouping", level=level)
    return _against(claim, value, len(_runs(reader, metric, **{grouping: level})))


def box_mean(reader: Reader, claim: Claim) -> Finding:
    """A dashed mean of Figs. 4 to 6; the drawn data are rounded to a step, which can move a mean by half."""
    table, agent, configuration = (str(claim.args[key]) for key in ("table", "agent", "configuration"))
    keys = {"agent": agent, "configuration": configuration}
    step = STEPS[table.removeprefix("boxplots_")]
    runs = round(reader.value(table, "n_runs", **keys))
    return _against(claim, reader.value(table, "mean", **keys), runs, step / 2)


def agent_box_mean(reader: Reader, claim: Claim) -> Finding:
    """A dashed mean of Fig. 7."""
    keys = {"agent": str(claim.args["agent"]), "metric": str(claim.args["metric"])}
    runs = round(reader.value("boxplots_agent", "n_runs", **keys))
    return _against(claim, reader.value("boxplots_agent", "mean", **keys), runs, STEPS[keys["metric"]] / 2)


def complexity_range(reader: Reader, claim: Claim) -> Finding:
    """Reduction of each complexity: of agents in every configuration, which Fig. 3 does not show."""
    metrics, values = names(claim, "metrics"), {}
    agents = reader.levels("runs", "agent")
    for level in names(claim, "levels"):
        places = (
            [{"agent": level, "configuration": name} for name in reader.levels("runs", "configuration")]
            if level in agents
            else [{"configuration": level}]
        )
        for keys in places:
            values[", ".join(keys.values())] = tuple(-_change(reader, name, **keys) for name in metrics)
    return compare_within(printed(reader, claim), values, 1)


def _change(reader: Reader, metric: str, **keys: str) -> float:
    """Change of the mean size against the originals', in percent."""
    new = _runs(reader, metric, **keys)
    old = _runs(reader, f"{metric}_reference", **keys)
    if not new or not old:
        raise StudyError(f"The runs of {', '.join(keys.values())} have no {metric}.")
    return percent_change(mean(old), mean(new))


def no_such_bars(reader: Reader, claim: Claim) -> Finding:
    """Complexity of an agent in one configuration, which no bar of Fig. 3 shows, but runs do."""
    agent, level = str(claim.args["agent"]), str(claim.args["configuration"])
    limit = float(claim.args["limit_percent"])
    parts = []
    for metric in names(claim, "metrics"):
        change = _change(reader, metric, agent=agent, configuration=level)
        parts.append(Part(f"{metric} {change:+.1f} %", abs(change) <= limit))
    ours = f"{agent}, {level}: {', '.join(part.what for part in parts)}"
    return direction(parts, ours, f"The sentence gives no limit; near is taken as within {limit:g} %.")


def runs_without_code(reader: Reader, claim: Claim) -> Finding:
    """Runs of an agent and prompt that have no size."""
    keys = {key: str(claim.args[key]) for key in ("agent", "condition")}
    if not _runs(reader, "sloc"):
        raise StudyError("The dataset has no sizes, so that runs without code cannot be told.")
    sizes = reader.texts("runs", "sloc", **keys)
    return compare_number(printed(reader, claim), {"runs without code": sizes.count(None)}, 0)


def service_against_cell(reader: Reader, claim: Claim) -> Finding:
    """The rates of one service with P1 and P2."""
    said = printed(reader, claim)
    keys = {key: str(claim.args[key]) for key in ("agent", "project", "scenario", "service")}
    parts, shown = [], []
    for condition, number in zip(PROMPTS, (said.low, said.high), strict=True):
        value = _mean_of(reader, RATE, condition=condition, **keys)
        shown.append(f"{condition} {value:.1f}")
        parts.append(Part(shown[-1], close(value, number, said.tolerance)))
    return direction(parts, "; ".join(shown), f"Printed {said.text}.")


def failed_tests_against_cell(reader: Reader, claim: Claim) -> Finding:
    """Failed and all tests of one service."""
    said = printed(reader, claim)
    keys = {key: str(claim.args[key]) for key in ("agent", "project", "scenario", "service", "condition")}
    total = _mean_of(reader, "tests_reference", **keys)
    failed = total - _mean_of(reader, "tests_passed", **keys)
    parts = [
        Part(f"failed {failed:g}", close(failed, said.low, 0)),
        Part(f"of {total:g}", close(total, said.high, 0)),
    ]
    return direction(parts, f"{failed:g} of {total:g}", f"Printed {said.low:g} of {said.high:g}.")


def _mean_of(reader: Reader, column: str, **keys: str) -> float:
    values = _runs(reader, column, **keys)
    if not values:
        raise StudyError(f"The runs of {', '.join(keys.values())} have no {column}.")
    return mean(values)


def longest_run(reader: Reader, claim: Claim) -> Finding:
    """The longest run of an agent."""
    divisor = float(claim.args["divide_by"])
    times = _runs(reader, "time_min", agent=str(claim.args["agent"]))
    if not times:
        raise StudyError(f"The runs of {claim.args['agent']} have no time.")
    longest = max(times)
    return compare_number(printed(reader, claim), {f"{longest:.1f} min =": longest / divisor}, 2)


def most_runs_within(reader: Reader, claim: Claim) -> Finding:
    """Whether at least three quarters of every agent's runs lie in the printed range."""
    said, parts = printed(reader, claim), []
    for agent, times in _times(reader).items():
        within = sum(said.low <= time <= said.high for time in times)
        parts.append(Part(f"{agent}: {within} of {len(times)}", within >= 0.75 * len(times)))
    return direction(parts, "; ".join(part.what for part in parts), "Most is taken as three quarters.")


def _times(reader: Reader) -> dict[str, list[float]]:
    found = {agent: _runs(reader, "time_min", agent=agent) for agent in reader.levels("runs", "agent")}
    missing = [agent for agent, times in found.items() if not times]
    if missing:
        raise StudyError(f"The runs of {', '.join(missing)} have no time.")
    return found


def time_limits(reader: Reader, limit: float) -> dict[str, tuple[int, int]]:
    """Runs of each agent that last longer than a limit, and its runs with a time."""
    return {agent: (sum(t > limit for t in times), len(times)) for agent, times in _times(reader).items()}


def time_limit(reader: Reader, claim: Claim) -> Finding:
    """A suggested limit is advice; what it would have cut off is counted."""
    said, words = printed(reader, claim), []
    for limit in (said.low, said.high):
        each = [f"{agent} {over} of {n}" for agent, (over, n) in time_limits(reader, limit).items()]
        words.append(f"over {limit:g} min: {', '.join(each)}")
    ours = "; ".join(words)
    return Finding(ours, (Part("advice", None),), f"Advice is not true or false. Longer runs, {ours}.")


def slower_with_context(reader: Reader, claim: Claim) -> Finding:
    """Whether an agent is slower and more variable in one configuration; the named cause is not testable."""
    agent, times = str(claim.args["agent"]), []
    for key in ("before", "after"):
        found = _runs(reader, "time_min", agent=agent, configuration=str(claim.args[key]))
        if not found:
            raise StudyError(f"The runs of {agent}, {claim.args[key]} have no time.")
        times.append(np.asarray(found))
    parts = []
    for word, of in (("mean", np.mean), ("median", np.median), ("standard deviation", np.std)):
        first, second = (float(of(values)) for values in times)
        parts.append(Part(f"{word} {first:.2f} to {second:.2f} min", second > first))
    ours = "; ".join(part.what for part in parts)
    return direction([*parts, Part("that added context is the cause", None)], ours)


def developer_time(reader: Reader, claim: Claim) -> Finding:
    """What an hour of a developer must cost for the sentence to hold."""
    said = printed(reader, claim)
    costs = _runs(reader, "cost_usd")
    if not costs:
        raise StudyError("The runs have no cost.")
    rate = max(costs) / (said.high / 60)
    why = (
        f"The paper states no hourly cost of a developer. The dearest run costs {max(costs):.2f} USD: less "
        f"than {said.high:g} min of a developer only above {rate:.0f} USD/h."
    )
    return Finding(f"{rate:.0f} USD/h for the dearest run", (Part("no hourly cost is stated", None),), why)


def statistic(reader: Reader, claim: Claim) -> Finding:
    """One printed statistic (S1 to S5), computed from the runs."""
    return _statistics(reader, [str(claim.args["id"])])


def statistic_sentence(reader: Reader, claim: Claim) -> Finding:
    """A sentence that repeats printed statistics."""
    return _statistics(reader, [str(name) for name in claim.args["statistics"]])


def two_sided_p(reader: Reader, claim: Claim) -> Finding:
    """The p value of a comparison, from the runs, and that it is not below alpha."""
    return _statistics(reader, [str(claim.args["statistic"])], "p, ")


def _statistics(reader: Reader, ids: list[str], start: str = "") -> Finding:
    for column in MEASURES if "S1" in ids else (RATE,):
        reader.mark("runs", column)
    for name in ids:
        reader.mark("statistics", "p_printed" if start else "statistic_value", id=name)
    found = statistic_findings(reader.frame("runs"), reader.frame("statistics"), "", ids)
    rows = found[found["statistic"].str.startswith(start) | (found["verdict"] == "not testable")].to_dict(
        "records"
    )
    parts = tuple(Part(str(row["statistic"]), holds) for row in rows for holds in _HOLDS[row["verdict"]])
    ours = "; ".join(f"{row['statistic']}: {row['ours']}" for row in rows)
    why = " ".join(f"{row['statistic']} ({row['verdict']}): {row['why']}" for row in rows)
    return Finding(ours, parts, why)


RUN_CHECKS: dict[str, Check] = {
    check.__name__: check
    for check in (
        rate_cell, average_cell, efficiency_cell, efficiency_mean, quality_bar, box_mean, agent_box_mean,
        complexity_range, no_such_bars, runs_without_code, service_against_cell, failed_tests_against_cell,
        longest_run, most_runs_within, time_limit, slower_with_context, developer_time, statistic,
        statistic_sentence, two_sided_p,
    )
}  # fmt: skip
"""By the name of the check that they replace where tables come from runs."""
