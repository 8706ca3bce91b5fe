"""One function per figure, from tidy tables; `show` and `save` for all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from matplotlib.figure import Figure

from study.figures.correctness import oracles, pass_rate_dots, prompt_slopes
from study.figures.counts import failure_causes, outcomes
from study.figures.efficiency import (
    cost_against_pass_rate,
    cost_boxes,
    efficiency_dots,
    input_token_boxes,
    output_token_boxes,
    time_and_cost,
    time_boxes,
)
from study.figures.quality import complexity_bars, complexity_ratio
from study.figures.style import save, show

if TYPE_CHECKING:
    from study.records.dataset import Dataset

FIGURES: tuple[Callable[[Dataset], Figure], ...] = (
    outcomes,
    pass_rate_dots,
    prompt_slopes,
    failure_causes,
    oracles,
    complexity_bars,
    complexity_ratio,
    time_boxes,
    cost_boxes,
    input_token_boxes,
    output_token_boxes,
    time_and_cost,
    efficiency_dots,
    cost_against_pass_rate,
)
"""All figures in the order of the story."""

__all__ = ["FIGURES", "save", "show", *(figure.__name__ for figure in FIGURES)]
