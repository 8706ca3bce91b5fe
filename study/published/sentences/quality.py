"""Sentences on size and complexity, from the bars of Fig. 3."""

from __future__ import annotations

from study.published.checks import mean, percent_change, tokens_per_line
from study.published.claims import Claim
from study.published.drawings import bar_runs
from study.published.reader import Reader
from study.published.sentences.correctness import PROMPTS, cell_mean
from study.published.sentences.printed import compare_within, direction, names, printed
from study.published.verdicts import Finding, Part, list_parts

BY_LABELS = (
    "From the heights of the bars, which the labels round; by labels, percentages differ by up to 0.1."
)


def change(reader: Reader, level: str, metric: str) -> float:
    """Change of a generated bar against the original's, in percent, from their heights."""
    keys = {"level": level, "metric": metric}
    names = ("original_bar_height", "generated_bar_height")
    old, new = (reader.value("code_quality", name, **keys) for name in names)
    return percent_change(old, new)


def bars_lower(reader: Reader, claim: Claim) -> Finding:
    """Whether every bar of generated code is lower than that of the original."""
    parts = []
    for grouping in names(claim, "groupings"):
        for level in reader.levels("code_quality", "level", grouping=grouping):
            for metric in names(claim, "metrics"):
                value = change(reader, level, metric)
                parts.append(Part(f"{level} {metric} {value:+.1f} %", value < 0))
    lower = sum(part.holds is True for part in parts)
    return direction(parts, f"{lower} of {len(parts)} bars are lower", BY_LABELS)


def complexity_range(reader: Reader, claim: Claim) -> Finding:
    """Whether complexities are lower by a percentage in the range; each bar is a part.

    `not_shown` names what the sentence says beyond the bars; it cannot be tested.
    """
    values = {
        f"{level} {metric}": (-change(reader, level, metric),)
        for level in names(claim, "levels")
        for metric in names(claim, "metrics")
    }
    found = compare_within(printed(reader, claim), values, 1)
    beyond = [Part(str(what), None) for what in claim.args.get("not_shown", ())]
    parts = (*found.parts, *beyond)
    why = f"Printed {printed(reader, claim).text}. {list_parts(parts)} {BY_LABELS}"
    return Finding(found.ours, parts, why, found.tolerance)


def comparable_lines(reader: Reader, claim: Claim) -> Finding:
    """Whether the lines of code of each level differ from the original's by less than a stated limit."""
    limit = float(claim.args["limit_percent"])
    parts = []
    for level in names(claim, "levels"):
        value = change(reader, level, "sloc")
        parts.append(Part(f"{level} {value:+.1f} %", abs(value) <= limit))
    ours = "; ".join(part.what for part in parts)
    return direction(parts, ours, f"The sentence gives no limit; comparable is taken as within {limit:g} %.")


def no_such_bars(reader: Reader, claim: Claim) -> Finding:
    """A statement on an agent in one configuration, which Fig. 3 does not show."""
    level = str(claim.args["configuration"])
    words = [f"{metric} {change(reader, level, metric):+.1f} %" for metric in names(claim, "metrics")]
    why = (
        f"Fig. 3 has bars by agent and bars by configuration, none for both; over all agents {level} has "
        f"{' and '.join(words)}. {BY_LABELS}"
    )
    return Finding(f"all agents, {level}: {', '.join(words)}", (Part("no bar shows it", None),), why)


def largest_reduction(reader: Reader, claim: Claim) -> Finding:
    """Whether a configuration has the largest reduction of each complexity; the second largest is shown."""
    wanted = str(claim.args["level"])
    parts = []
    for metric in names(claim, "metrics"):
        levels = reader.levels("code_quality", "level", grouping="configuration")
        values = {level: change(reader, level, metric) for level in levels}
        lowest, *others = sorted(values, key=values.__getitem__)
        rest = ", ".join(f"{level} {values[level]:+.1f} %" for level in others)
        what = f"{metric}: largest in {lowest} ({values[lowest]:+.1f} %; {rest})"
        parts.append(Part(what, lowest == wanted))
    return direction(parts, "; ".join(part.what for part in parts))


def runs_without_code(reader: Reader, claim: Claim) -> Finding:
    """Runs that the means of Fig. 3 leave out, against the printed number of runs without code.

    A configuration of which one metric needs a mean over one run less than all has a run left out.
    """
    said = printed(reader, claim)
    metrics = reader.levels("code_quality", "metric")
    short = {
        grouping: {
            level: [metric for metric in metrics if bar_runs(reader, level, metric).left_out]
            for level in reader.levels("code_quality", "level", grouping=grouping)
        }
        for grouping in ("configuration", "agent")
    }
    where, agents = (
        "; ".join(f"{level} ({', '.join(affected)})" for level, affected in levels.items() if affected)
        or "none"
        for levels in short.values()
    )
    found = sum(bool(affected) for affected in short["configuration"].values())
    parts = (
        Part("bars leave runs out", found > 0),
        Part(f"runs left out {found}, printed {said.text}", found == said.low),
    )
    why = (
        "If a mean is over 12 runs per agent and configuration and each run has a whole number of lines or "
        f"points, bar height x number of runs is whole. It is not in {where}, and becomes whole with one run "
        f"less in a mean (by chance in about one of 20 bars). By agent this concerns {agents}. A further run "
        "may have left some code, or may be counted as zero."
    )
    return Finding(f"{found} runs left out: {where}", parts, why, 0.0)


def most_concise(reader: Reader, claim: Claim) -> Finding:
    """Whether an agent writes the least: by lines of Fig. 3, and by output tokens of Table IV."""
    agent = str(claim.args["agent"])
    agents = reader.levels("efficiency", "agent")
    lines = {name: reader.value("code_quality", "generated", level=name, metric="sloc") for name in agents}
    tokens = {name: reader.value("efficiency", "output_tokens_k", agent=name) for name in agents}
    shortest, fewest = min(lines, key=lines.__getitem__), min(tokens, key=tokens.__getitem__)
    parts = [
        Part(f"by lines it is {shortest} ({lines[shortest]:.0f})", shortest == agent),
        Part(f"by output tokens it is {fewest} ({tokens[fewest]:.1f} K)", fewest == agent),
    ]
    each = ", ".join(f"{name} {lines[name]:.0f} and {tokens[name]:.1f} K" for name in agents)
    remark = f"Concise is taken as fewest lines of code, or fewest output tokens: {each}."
    return direction(parts, "; ".join(part.what for part in parts), remark)


def output_per_line(reader: Reader, agent: str) -> float:
    """Mean output tokens (Fig. 6b) over mean generated lines (Fig. 3), both before rounding."""
    tokens = mean(reader.values("boxplots_output_tokens", "mean", agent=agent))
    lines = reader.value("code_quality", "generated_bar_height", level=agent, metric="sloc")
    return tokens_per_line(1000 * tokens, lines)


def short_output(reader: Reader, claim: Claim) -> Finding:
    """Whether the agent with the least output passes no fewer tests; whether that can be all its output."""
    agent, least = str(claim.args["agent"]), float(claim.args["least_tokens_per_line"])
    agents = reader.levels("efficiency", "agent")
    tokens = {name: reader.value("efficiency", "output_tokens_k", agent=name) for name in agents}
    rates = {
        name: sum(cell_mean(reader, name, s, p) for s in ("incremental", "clean_state") for p in PROMPTS) / 4
        for name in agents
    }
    per_line = {name: output_per_line(reader, name) for name in agents}
    parts = [
        Part(f"{agent} has the least output", min(tokens, key=tokens.__getitem__) == agent),
        Part(
            f"its mean pass rate {rates[agent]:.1f} is the highest",
            max(rates, key=rates.__getitem__) == agent,
        ),
        Part(
            f"that {per_line[agent]:.1f} output tokens per line are all of its output",
            True if per_line[agent] >= least else None,
        ),
    ]
    each = ", ".join(
        f"{name} {tokens[name]:.1f} K, {value:.1f} per generated line, pass rate {rates[name]:.1f}"
        for name, value in per_line.items()
    )
    remark = (
        f"Output tokens: {each}. It is assumed, not measured, that a line of code takes at least {least:g} "
        "tokens; with fewer, the count may be incomplete."
    )
    ours = ", ".join(f"{name} {value:.1f}" for name, value in per_line.items())
    return Finding(f"tokens per line: {ours}", tuple(parts), f"{list_parts(parts)} {remark}")
