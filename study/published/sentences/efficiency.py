"""Sentences on time, cost and tokens."""

from __future__ import annotations

from study.published.boxes import Box, hidden_run, mean_fits, runs_beyond, without
from study.published.cells import efficiency_sources, step_remark
from study.published.checks import mean, percent_change
from study.published.claims import EFFICIENCY_COLUMNS, Claim
from study.published.drawings import box_of
from study.published.reader import Reader
from study.published.sentences.printed import (
    compare_number,
    compare_range,
    compare_within,
    direction,
    names,
    printed,
)
from study.published.verdicts import Finding, Part, close, list_parts

LIMITS_MIN = (15.0, 20.0)


def _column(reader: Reader, column: str) -> dict[str, float]:
    return {a: reader.value("efficiency", column, agent=a) for a in reader.levels("efficiency", "agent")}


def _half(column: str) -> float:
    return float(0.5 * 10 ** -EFFICIENCY_COLUMNS[column][2])


def efficiency_range(reader: Reader, claim: Claim) -> Finding:
    """Smallest and largest value of a column of Table IV."""
    column = str(claim.args["column"])
    return compare_range(printed(reader, claim), _column(reader, column), 2, error=_half(column))


def efficiency_within(reader: Reader, claim: Claim) -> Finding:
    """Values of a column of Table IV that lie in a range."""
    column = str(claim.args["column"])
    values = {agent: (reader.value("efficiency", column, agent=agent),) for agent in names(claim, "agents")}
    return compare_within(printed(reader, claim), values, 1, error=_half(column))


def efficiency_mean(reader: Reader, claim: Claim) -> Finding:
    """An average per agent against the box plots and the printed total."""
    said, column = printed(reader, claim), str(claim.args["column"])
    divisor = float(claim.args.get("divide_by", 1))
    parts, shown = [], []
    for agent in names(claim, "agents"):
        for name, (value, error) in efficiency_sources(reader, agent, column).items():
            ours = value / divisor
            shown.append(f"{ours:.3f}")
            parts.append(
                Part(f"{agent}, {name}: {ours:.3f}", close(ours, said.low, said.tolerance + error / divisor))
            )
    why = f"Printed {said.text}. {list_parts(parts)}{step_remark(column, parts)}"
    return Finding("; ".join(shown), tuple(parts), why, said.tolerance)


def total_cost(reader: Reader, claim: Claim) -> Finding:
    """Cost of all runs of an agent: the total of Table IV, and the average times the runs."""
    said, agent = printed(reader, claim), str(claim.args["agent"])
    total, average, runs = (
        reader.value("efficiency", column, agent=agent)
        for column in ("total_cost_usd", "avg_cost_usd", "runs")
    )
    sources = {"total of Table IV": total, "average x runs": average * runs}
    return compare_number(said, sources, 2, error=0.005 * runs)


def cost_gap(reader: Reader, claim: Claim) -> Finding:
    """Difference between the dearest and the cheapest agent."""
    values = _column(reader, "avg_cost_usd")
    gap = max(values.values()) - min(values.values())
    return compare_number(printed(reader, claim), {"difference": gap}, 2, error=0.01)


def fewer_input_tokens(reader: Reader, claim: Claim) -> Finding:
    """How many percent fewer input tokens an agent uses than others."""
    tokens = _column(reader, "input_tokens_k")
    agent = str(claim.args["agent"])
    sources = {
        f"than {other}": -percent_change(tokens[other], tokens[agent]) for other in names(claim, "than")
    }
    return compare_number(printed(reader, claim), sources, 1)


def longest_run(reader: Reader, claim: Claim) -> Finding:
    """The longest run of an agent that can be seen in the drawing of Fig. 4."""
    said, divisor = printed(reader, claim), float(claim.args["divide_by"])
    keys = {"figure": "4", "metric": "time", "agent": str(claim.args["agent"])}
    longest = max(reader.values("boxplot_outliers", "value", **keys))
    digits, unit = (2, "h") if divisor > 1 else (1, "min")
    name = f"longest run in Fig. 4, {longest:.1f} min =" if divisor > 1 else "longest run in Fig. 4:"
    return compare_number(said, {name: longest / divisor}, digits, unit=unit)


def little_difference(reader: Reader, claim: Claim) -> Finding:
    """Whether the mean times of the two scenarios differ by less than a stated limit."""
    limit = float(claim.args["limit_min"])
    parts = []
    for agent in names(claim, "agents"):
        incremental, clean = (
            mean([_cell(reader, "boxplots_time", agent, f"{start}-{p}") for p in ("P1", "P2")])
            for start in ("Inc", "CS")
        )
        what = f"{agent} {incremental:.2f} and {clean:.2f} min"
        parts.append(Part(what, abs(incremental - clean) <= limit))
    ours = "; ".join(part.what for part in parts)
    return direction(parts, ours, f"Little is taken as at most {limit:g} min; incremental first.")


def _cell(reader: Reader, table: str, agent: str, configuration: str, column: str = "mean") -> float:
    return reader.value(table, column, agent=agent, configuration=configuration)


def slower_with_context(reader: Reader, claim: Claim) -> Finding:
    """Whether an agent is slower and more variable in one configuration; the named cause is not testable."""
    agent = str(claim.args["agent"])
    first, second = (
        box_of(reader, "boxplots_time", agent=agent, configuration=str(claim.args[key]))
        for key in ("before", "after")
    )
    parts = [
        Part(f"mean {first.mean:.1f} to {second.mean:.1f} min", second.mean > first.mean),
        Part(f"median {first.median:.2f} to {second.median:.2f}", second.median > first.median),
        Part(
            f"box height {first.q3 - first.q1:.2f} to {second.q3 - second.q1:.2f}",
            second.q3 - second.q1 > first.q3 - first.q1,
        ),
        Part("that added context is the cause", None),
    ]
    usual = f"without extreme runs {_usual(first)} to {_usual(second)}"
    ours = f"mean {first.mean:.1f} to {second.mean:.1f}; {usual}"
    return direction(parts, ours, "An extreme run is one above 60 min, drawn or implied by the mean.")


def _usual(box: Box) -> str:
    """Mean without runs above 60 min, drawn or implied."""
    extreme = [value for value in box.outliers if value > 60]
    hidden = hidden_run(box)
    if hidden is not None:
        bounds = (without(box, [*extreme, run]) for run in (hidden.high, hidden.low))
        return " to ".join(f"{value:.1f}" for value in bounds).join(("(", ")"))
    return f"{without(box, extreme):.1f}"


def most_runs_within(reader: Reader, claim: Claim) -> Finding:
    """Whether at least three quarters of every agent's runs lie in the printed range."""
    said = printed(reader, claim)
    parts = []
    for agent in reader.levels("boxplots_agent", "agent", metric="time"):
        q3 = reader.value("boxplots_agent", "q3", metric="time", agent=agent)
        parts.append(Part(f"{agent}: three quarters within {q3:.1f} min", q3 <= said.high))
    return direction(parts, "; ".join(part.what for part in parts))


def fewer_tokens_with_p2(reader: Reader, claim: Claim) -> Finding:
    """Whether the mean input is smaller with P2 than with P1, by agent and scenario."""
    parts, medians = [], []
    for agent in reader.levels("boxplots_input_tokens", "agent"):
        for start in ("Inc", "CS"):
            value, median = (
                percent_change(
                    _cell(reader, "boxplots_input_tokens", agent, f"{start}-P1", column),
                    _cell(reader, "boxplots_input_tokens", agent, f"{start}-P2", column),
                )
                for column in ("mean", "median")
            )
            parts.append(Part(f"{agent} {start} {value:+.1f} %", value < 0))
            medians.append(f"{agent} {start} {median:+.1f} %")
    ours = "; ".join(part.what for part in parts)
    return direction(parts, ours, f"Medians: {', '.join(medians)}.")


def time_limits(reader: Reader, limit: float) -> dict[str, tuple[int, int, int]]:
    """Fewest and most runs of each agent that last longer than a limit, and its runs; from Figs. 4 and 7."""
    found = {}
    for agent in reader.levels("boxplots_time", "agent"):
        boxes = [
            box_of(reader, "boxplots_time", agent=agent, configuration=configuration)
            for configuration in reader.levels("boxplots_time", "configuration", agent=agent)
        ]
        counts = [runs_beyond(box if mean_fits(box) else box.hiding(1), limit) for box in boxes]
        low, high = (sum(side) for side in zip(*counts, strict=True))
        whole = box_of(reader, "boxplots_agent", metric="time", agent=agent)
        beyond = sum(value > whole.whisker_high for box in boxes for value in box.outliers)
        hidden = sum(not mean_fits(box) for box in boxes)
        missing = beyond + hidden - sum(value > whole.whisker_high for value in whole.outliers)
        bounds = runs_beyond(whole.hiding(max(missing, 0)), limit)
        found[agent] = (max(low, bounds[0]), min(high, bounds[1]), whole.n)
    return found


def time_limit(reader: Reader, claim: Claim) -> Finding:
    """A suggested limit is advice; what it would have cut off can be bounded."""
    said = printed(reader, claim)
    words = []
    for limit in (said.low, said.high):
        each = [
            f"{agent} {low if low == high else f'{low} to {high}'} of {n}"
            for agent, (low, high, n) in time_limits(reader, limit).items()
        ]
        words.append(f"over {limit:g} min: {', '.join(each)}")
    ours = "; ".join(words)
    why = f"Advice is not true or false. Runs that the box plots show to be longer, {ours}."
    return Finding(ours, (Part("advice", None),), why)


def developer_time(reader: Reader, claim: Claim) -> Finding:
    """What an hour of a developer must cost for the sentence to hold."""
    said = printed(reader, claim)
    dearest = max(
        *reader.values("boxplot_outliers", "value", metric="cost"),
        *reader.values("boxplots_agent", "whisker_high", metric="cost"),
    )
    average = max(_column(reader, "avg_cost_usd").values())
    rates = [value / (said.high / 60) for value in (dearest, average)]
    ours = f"{rates[0]:.0f} USD/h for the dearest run, {rates[1]:.0f} USD/h for the dearest average"
    why = (
        f"The paper states no hourly cost of a developer. The dearest run costs {dearest:.2f} USD, the "
        f"dearest average is {average:.2f} USD: less than {said.high:g} min of a developer only above {ours}."
    )
    return Finding(ours, (Part("no hourly cost is stated", None),), why)
