"""Tables I to IV of the paper as frames, HTML and LaTeX: in its form, and beside it in a clearer one."""

from __future__ import annotations

import pandas as pd

from study.exhibit import Exhibit
from study.published import frames
from study.published.data import Paper
from study.statistics import forms

HEADINGS = {
    "services_generated": "generated", "context_window_tokens": "context (tokens)",
    "access_methods": "access", "access_used": "access used", "avg_time_min": "time (min)",
    "total_time_h": "total time (h)", "input_tokens_k": "input tokens (K)",
    "output_tokens_k": "output tokens (K)", "avg_cost_usd": "cost (USD)",
    "total_cost_usd": "total cost (USD)", "n_runs": "n", "mean_over_median": "mean / median",
}  # fmt: skip


def table1_projects(paper: Paper) -> pd.DataFrame:
    """Table I: the systems of the study; `services_generated` is from Sec. III-C5."""
    table = paper.tables.get("systems", paper["projects"]).drop(columns="kind")
    return table.assign(source=table["source"].astype("string").str.replace("_", " "))


def table2_agents(paper: Paper) -> pd.DataFrame:
    """Table II: the agents; `access_used` is the way of access printed in bold."""
    table = paper["agents"].drop(columns="kind")
    models = [
        model if pd.isna(note) else f"{model} ({note})"
        for model, note in zip(table["model_id"], table["model_note"], strict=True)
    ]
    return table.assign(model_id=models).drop(columns="model_note").rename(columns={"model_id": "model"})


def table3_pass_rates(paper: Paper) -> pd.DataFrame:
    """Table III: pass rates in percent; the rows of averages as printed, which has none of the baseline."""
    return forms.rate_table(paper["pass_rates"], paper["pass_rates_agent_average"])


def table3_changes(paper: Paper) -> pd.DataFrame:
    """Table III in differences: P2 minus P1, and each prompt minus the baseline; averages of the cells."""
    return forms.rate_changes(forms.rate_table(paper["pass_rates"]))


def table4_efficiency(paper: Paper) -> pd.DataFrame:
    """Table IV: time, tokens and cost per agent."""
    return paper["efficiency"][["agent", *forms.TIME_AND_COST]]


def table4_spread(paper: Paper) -> pd.DataFrame:
    """What Table IV leaves out, from the box plots of Fig. 7: medians and quartiles of time and cost."""
    parts = []
    for metric, unit in (("time", "min"), ("cost", "USD")):
        part = forms.spread(frames.agent_boxes(paper, metric).table)
        part.insert(0, "metric", f"{metric} ({unit})")
        parts.append(part)
    return pd.concat(parts, ignore_index=True)


def tables(paper: Paper) -> dict[str, Exhibit]:
    """All tables by name, ready to show; their files are called paper_<name>."""
    theirs, ours = (_kinds(paper, analysis) for analysis in ("reproduced", "re-analysed"))
    found = [
        Exhibit("table1_projects", "Table I: systems.", theirs, table1_projects(paper), headings=HEADINGS),
        Exhibit("table2_agents", "Table II: agents.", theirs, table2_agents(paper), headings=HEADINGS),
        Exhibit("table3_pass_rates", "Table III: pass rates (%).", theirs, table3_pass_rates(paper)),
        Exhibit(
            "table3_changes",
            "Table III in differences (percentage points); averages are means of the four cells.",
            ours,
            table3_changes(paper),
            digits=2,
        ),
        Exhibit(
            "table4_efficiency", "Table IV: averages per run, and totals.", theirs, table4_efficiency(paper),
            decimals=forms.TIME_AND_COST, headings=HEADINGS,
        ),
        Exhibit(
            "table4_spread", "Time and cost per run, from the box plots of Fig. 7.", ours,
            table4_spread(paper), digits=2, headings=HEADINGS,
        ),
    ]  # fmt: skip
    return {exhibit.stem: _prefixed(exhibit) for exhibit in found}


def _kinds(paper: Paper, analysis: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*paper.kinds, paper.replication(analysis))))


def _prefixed(exhibit: Exhibit) -> Exhibit:
    return Exhibit(**{**vars(exhibit), "stem": f"paper_{exhibit.stem}"})
