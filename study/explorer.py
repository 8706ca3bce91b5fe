"""The widgets of the notebook 0_explore: choose a dataset, an agent, a condition, a metric, a run."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import ipywidgets as widgets

from study.explore import example_run, metric_names, run_page_text, stored_files, with_quality
from study.figures.rows import metric_dots
from study.figures.style import show
from study.records.dataset import RAW_DATA, Dataset, load_dataset
from study.schema import StudyError
from study.statistics.summary import levels

ALL = "(all)"
_FACTORS = ("agent", "project", "condition")


def list_datasets(results: Path) -> dict[str, str]:
    """Label and path of every dataset that is there: committed ones, and those of your own runs."""
    found = {path.parent.name: str(path.parent) for path in sorted(RAW_DATA.glob("*/runs.csv"))}
    for path in sorted(results.glob("*/dataset/runs.csv")):
        found[f"{path.parents[1].name} (results)"] = str(path.parent)
    return found


def select(data: Dataset, **choice: str) -> Dataset:
    """The dataset with the runs of the chosen levels only; `ALL` keeps every level."""
    runs = with_quality(data)
    for factor, level in choice.items():
        if level != ALL:
            runs = runs[runs[factor] == level]
    return replace(data, runs=runs)


class Explorer:
    """A box of widgets in a running notebook; without a kernel, a sentence that says how to get one."""

    def __init__(self, data: Dataset, results: Path | str = "results") -> None:
        self._data = data
        self._results = Path(results)
        datasets = {data.name: str(data.path)} | list_datasets(self._results)
        self._dataset = widgets.Dropdown(options=list(datasets.items()), description="Dataset")
        self._factors = {name: widgets.Dropdown(description=name.capitalize()) for name in _FACTORS}
        self._metric = widgets.Dropdown(description="Metric")
        self._run = widgets.Combobox(
            description="Run", ensure_option=True, layout=widgets.Layout(width="60em"),
            placeholder="type a part of the run id",
        )  # fmt: skip
        self._figure = widgets.HTML()
        self._page = widgets.HTML()
        self._files = widgets.HTML()
        self._filling = False
        self._fill()
        self._watch(self._dataset, self._load)
        for widget in (*self._factors.values(), self._metric):
            self._watch(widget, self._draw)
        self._watch(self._run, self._describe)
        self._box = widgets.VBox(
            [
                widgets.HBox([self._dataset, self._metric]),
                widgets.HBox(list(self._factors.values())),
                self._figure,
                self._run,
                self._page,
                self._files,
            ]
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle = dict(self._box._repr_mimebundle_())
        bundle["text/plain"] = "Explorer: widgets that need a running kernel"
        bundle["text/html"] = (
            "<p><em>Here a running kernel shows menus for dataset, agent, project, condition, metric and "
            "run. Start one with <code>make lab</code>, open this notebook and run all cells.</em></p>"
        )
        return bundle

    def _watch(self, widget: Any, action: Callable[[], None]) -> None:
        widget.observe(lambda _change: None if self._filling else action(), names="value")

    def _load(self) -> None:
        try:
            self._data = load_dataset(self._dataset.value)
        except StudyError as error:
            self._figure.value = f"<pre>{error}</pre>"
            return
        self._fill()

    def _fill(self) -> None:
        self._filling = True
        for name, widget in self._factors.items():
            widget.options = [ALL, *levels(self._data.runs[name])]
            widget.value = ALL
        self._metric.options = [(label, name) for name, label in metric_names(self._data).items()]
        self._metric.value = next(iter(metric_names(self._data)))
        self._run.options = tuple(self._data.runs["run_id"])
        self._run.value = example_run(self._data)
        self._filling = False
        self._draw()
        self._describe()

    def _draw(self) -> None:
        chosen = select(self._data, **{name: str(widget.value) for name, widget in self._factors.items()})
        if chosen.runs.empty:
            self._figure.value = "<p>No run has these levels.</p>"
            return
        self._run.options = tuple(chosen.runs["run_id"])
        image = show(metric_dots(chosen, self._metric.value, self._metric.label))
        encoded = base64.b64encode(image.data).decode()
        self._figure.value = f'<img width="760" alt="{image.alt}" src="data:image/png;base64,{encoded}">'

    def _describe(self) -> None:
        if self._run.value in set(self._data.runs["run_id"]):
            self._page.value = run_page_text(self._data, self._run.value)
            self._files.value = stored_files(self._data, self._run.value, self._results)
