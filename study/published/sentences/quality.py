"""Sentences on size and complexity, from the bars of Fig. 3."""

from __future__ import annotations

from study.published.checks import mean, percent_change, tokens_per_line
from study.published.claims import Claim
from study.published.drawings import bar_runs
from study.published.reader import Reader
from study.published.sentences.correctness import PROMPTS, cell_mean
from study.published.sentences.printed import compare_within, direction, names, printed
from study.published.verdicts import Finding, Part, list_parts

BAR_ERROR = 0.1
"""What the rounding of two printed labels can change a percentage by, in points."""


def change(reader: Reader, level: str, metric: str) -> float:
    """Change of a generated bar against the original's, in percent, from the printed labels."""
    keys = {"level": level, "metric": metric}
    old, new = (reader.value("code_quality", bar, **keys) for bar in ("original", "generated"))
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
    return direction(parts, f"{lower} of {len(parts)} bars are lower")


def complexity_range(reader: Reader, claim: Claim) -> Finding:
    """Whether all complexities of a level are lower by a percentage in the range; each level is a part."""
    values = {
        level: tuple(-change(reader, level, metric) for metric in names(claim, "metrics"))
        for level in names(claim, "levels")
    }
    return compare_within(printed(reader, claim), values, 1, error=BAR_ERROR)


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
        f"{' and '.join(words)}."
    )
    return Finding(f"all agents, {level}: {', '.join(words)}", (Part("no bar shows it", None),), why)


def largest_reduction(reader: Reader, claim: Claim) -> Finding:
    """Whether a configuration has the largest reduction of each complexity."""
    wanted = str(claim.args["level"])
    parts = []
    for metric in names(claim, "metrics"):
        levels = reader.levels("code_quality", "level", grouping="configuration")
        values = {level: change(reader, level, metric) for level in levels}
        lowest = min(values, key=values.__getitem__)
        parts.append(Part(f"{metric}: largest in {lowest} ({values[lowest]:+.1f} %)", lowest == wanted))
    return direction(parts, "; ".join(part.what for part in parts))


def runs_without_code(reader: Reader, claim: Claim) -> Finding:
    """Runs that the means of Fig. 3 leave out, against the printed number of runs without code.

    A configuration of which one metric needs a mean over one run less than all has a run left out.
    """
    said = printed(reader, claim)
    metrics = reader.levels("code_quality", "metric")
    short = {
        level: [metric for metric in metrics if bar_runs(reader, level, metric).left_out]
        for level in reader.levels("code_quality", "level", grouping="configuration")
    }
    found = {level: affected for level, affected in short.items() if affected}
    agents = [
        level
        for level in reader.levels("code_quality", "level", grouping="agent")
        if any(bar_runs(reader, level, metric).left_out for metric in metrics)
    ]
    where = "; ".join(f"{level} ({', '.join(affected)})" for level, affected in found.items()) or "none"
    parts = (
        Part("bars leave runs out", bool(found)),
        Part(f"runs left out {len(found)}, printed {said.text}", len(found) == said.low),
    )
    why = (
        f"Bar height x number of runs must be whole; it is not in {where}, and becomes whole with one run "
        f"less in a mean. By agent this concerns {', '.join(agents) or 'none'}. A further run may have left "
        "some code, or may be counted as zero."
    )
    return Finding(f"{len(found)} runs left out: {where}", parts, why, 0.0)


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
    return direction(parts, "; ".join(part.what for part in parts))


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
            f"{per_line[agent]:.1f} output tokens per line can be all of its output", per_line[agent] >= least
        ),
    ]
    each = ", ".join(f"{name} {value:.1f}" for name, value in per_line.items())
    remark = (
        f"Output tokens per generated line: {each}. A line of code usually takes at least {least:g} tokens; "
        "below that the count is probably incomplete, which is an assumption and not a measurement."
    )
    return Finding(f"tokens per line: {each}", tuple(parts), f"{list_parts(parts)} {remark}")
