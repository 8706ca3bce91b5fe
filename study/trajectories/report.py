"""Tables and sentences of the trajectories, for notebook 7."""

from __future__ import annotations

import pandas as pd

from study.schema import StudyError
from study.statistics.summary import levels

_TOKENS = ["input_fresh", "cache_read", "cache_write"]


def overview(runs: pd.DataFrame, events: pd.DataFrame) -> pd.DataFrame:
    """One row per run: how it ended, what happened how often, and its tokens."""
    counts = events.groupby("run_id")["event"].value_counts().unstack(fill_value=0)
    counts = counts.reindex(index=runs["run_id"], columns=["api_call", "tool_call"], fill_value=0)
    failed = events[events["failed"].eq(True)].groupby("run_id").size().reindex(runs["run_id"], fill_value=0)
    return pd.DataFrame(
        {
            "agent": runs["agent"],
            "service": runs["service"],
            "outcome": runs["outcome"],
            "end": runs["end"],
            "answers": counts["api_call"].to_numpy(),
            "tool calls": counts["tool_call"].to_numpy(),
            "failed tools": failed.to_numpy(),
            "service failures told": runs["service_failures"],
            "input tokens": runs["tokens_input"],
            "output tokens": runs["tokens_output"],
            "log complete": runs["complete"],
        }
    )


def answers(runs: pd.DataFrame, events: pd.DataFrame) -> pd.DataFrame:
    """One row per answer whose input is known: number, context, percentage from a cache, input so far.

    Returns
    -------
    pandas.DataFrame
        Columns run_id, agent, answer, context (tokens), cached (%; missing where the log does not say), sum
        (tokens; missing from the first answer on whose input is unknown). Answers of subagents, which have a
        context of their own, are left out.
    """
    calls = events[(events["event"] == "api_call") & ~events["subagent"].astype(bool)]
    calls = calls.merge(runs[["run_id", "agent"]], on="run_id")
    fresh, read, written = (calls[name].astype("Float64") for name in _TOKENS)
    context = fresh + read.fillna(0) + written.fillna(0)
    known = calls.assign(
        answer=calls.groupby("run_id", sort=False).cumcount() + 1,
        context=context.astype(float),
        cached=(100 * read / context.where(context > 0)).astype(float),
    )
    known["sum"] = known.groupby("run_id", sort=False)["context"].transform(
        lambda values: values.cumsum(skipna=False)
    )
    columns = ["run_id", "agent", "answer", "context", "cached", "sum"]
    return known.loc[known["context"].notna(), columns].reset_index(drop=True)


def example(runs: pd.DataFrame) -> str:
    """The run with which to begin: the first."""
    if runs.empty:
        raise StudyError("there is no run in trajectories.csv")
    return str(runs["run_id"].iloc[0])


def steps(events: pd.DataFrame, run_id: str) -> pd.DataFrame:
    """What one run's agent did, step by step.

    Raises
    ------
    StudyError
        If there is no such run.
    """
    own = events[events["run_id"] == run_id]
    if own.empty:
        raise StudyError(f"no events of a run {run_id!r}; the runs are listed in trajectories.csv")
    columns = {
        "number": "step", "seconds": "seconds", "event": "event", "tool_kind": "kind of tool",
        "failed": "failed", "input_fresh": "fresh input", "cache_read": "from cache",
        "cache_write": "to cache", "output": "output", "text": "text",
    }  # fmt: skip
    return own[list(columns)].rename(columns=columns).reset_index(drop=True)


def sentences(runs: pd.DataFrame, events: pd.DataFrame) -> list[str]:
    """What stands out, per agent; what a log does not tell is said to be missing."""
    calls, found = answers(runs, events), []
    for agent in levels(runs["agent"]):
        ids = runs.loc[runs["agent"] == agent, "run_id"]
        own = events[events["run_id"].isin(ids)]
        part = calls[calls["agent"] == agent]
        tools = int((own["event"] == "tool_call").sum())
        words = [f"{tools / len(ids):.1f} tool calls per run"]
        if len(part):
            words.append(f"contexts up to {part['context'].max():,.0f} tokens")
            cached = part.dropna(subset=["cached"])
            if len(cached):
                share = (cached["context"] * cached["cached"]).sum() / cached["context"].sum()
                words.append(f"{share:.1f} % of the input from a cache")
        else:
            words.append("tokens of single answers are not told")
        writes = own.loc[own["event"] == "api_call", "cache_write"]
        words.append("writes to the cache are " + ("told" if writes.notna().any() else "none ever"))
        failures = runs.loc[runs["agent"] == agent, "service_failures"].dropna()
        told = f"{failures.sum()}" if len(failures) else "none ever"
        words.append(f"failures of the model's service told: {told}")
        words.append("times are " + ("told" if own["seconds"].notna().any() else "none ever"))
        found.append(f"{agent}, {len(ids)} runs: {'; '.join(words)}.")
    return found
