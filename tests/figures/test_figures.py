"""Every figure on ordinary and degenerate data: it says what it shows, its kind, and nothing overlaps."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest
from synthetic import make_dataset

from study import figures
from study.figures import style

CASES = {
    "ordinary": {},
    "one run": {
        "agents": ["solo"],
        "projects": ["toy-red"],
        "services": ["alpha-service"],
        "scenarios": ["incremental"],
        "prompts": ["minimal"],
    },
    "five prompts, one agent": {"agents": ["a"], "prompts": ["minimal", "summary", "p3", "p4", "p5"]},
    "no rate at all": {"passed": -1},
    "no code at all": {"passed": 0},
    "measured, replicates": {"kind": "measured", "replicates": 2, "agents": ["a", "b"]},
    "many levels": {
        "agents": [f"agent-{i}" for i in range(7)],
        "projects": [f"project-{i}" for i in range(7)],
        "services": ["only-service"],
    },
}


@pytest.fixture(scope="module", params=CASES)
def data(request, tmp_path_factory: pytest.TempPathFactory):
    return make_dataset(tmp_path_factory.mktemp("synthetic") / "toy", **CASES[request.param])


def _texts(figure) -> str:
    return "\n".join(text.get_text() for text in figure.findobj(match=lambda a: hasattr(a, "get_text")))


@pytest.mark.parametrize("draw", figures.FIGURES, ids=lambda draw: draw.__name__)
def test_every_figure_is_labelled_and_nothing_overlaps(draw, data) -> None:
    figure = draw(data)
    _check_words(figure, {"measured"} if draw is figures.oracles else data.kind)
    renderer = figure.canvas.get_renderer()
    _check_axis_labels(figure, renderer)
    _check_places(figure, renderer)


def _check_words(figure, kinds: set[str]) -> None:
    text = _texts(figure)
    assert f"Dataset: toy. Kind: {', '.join(sorted(kinds))}." in text
    assert ("SIMULATED" in text) == ("simulated" in kinds)
    assert "n = " in text or "oracles;" in text
    assert figure.get_size_inches()[0] in (style.SINGLE, style.DOUBLE)
    texts = figure.findobj(match=lambda artist: hasattr(artist, "get_fontsize"))
    assert min(text.get_fontsize() for text in texts if text.get_text()) >= style.POINTS


def _check_axis_labels(figure, renderer) -> None:
    for axes in figure.axes:
        for labels in (axes.get_xticklabels(), axes.get_yticklabels()):
            shown = [label for label in labels if label.get_visible() and label.get_text()]
            boxes = [label.get_window_extent(renderer).shrunk(0.9, 0.9) for label in shown]
            assert not any(a.overlaps(b) for a, b in combinations(boxes, 2)), axes.get_title()


def _check_places(figure, renderer) -> None:
    around = [text.get_window_extent(renderer) for text in figure.texts[:2]]
    around += [legend.get_window_extent(renderer) for legend in figure.legends]
    assert all(box.x1 <= figure.bbox.x1 + 1 for box in around), "runs off the page"
    for axes in figure.axes:
        if axes.get_visible():
            panel = axes.get_tightbbox(renderer).shrunk(0.999, 0.999)
            assert not any(panel.overlaps(box) for box in around), axes.get_title()
    assert not any(a.overlaps(b) for a, b in combinations(around, 2))


def test_too_little_data_is_said(tmp_path: Path) -> None:
    nothing = make_dataset(tmp_path / "toy", passed=0)
    assert "not enough data" in _texts(figures.complexity_bars(nothing)).replace("\n", " ")
    one_prompt = make_dataset(tmp_path / "other", prompts=["minimal"])
    assert "not enough data" in _texts(figures.prompt_slopes(one_prompt))


def test_blind_oracles_are_hollow(tmp_path: Path) -> None:
    data = make_dataset(
        tmp_path / "toy", agents=["a"], projects=["toy-grey"], services=["gamma-service"],
        scenarios=["clean_state"], prompts=["minimal"], passed=10,
    )  # fmt: skip
    axes = figures.pass_rate_dots(data).axes[0]
    mark = next(line for line in axes.lines if line.get_marker() == "o")
    assert mark.get_markerfacecolor() == "white"
    seeing = make_dataset(
        tmp_path / "other", agents=["a"], projects=["toy-red"], services=["alpha-service"],
        scenarios=["clean_state"], prompts=["minimal"], passed=10,
    )  # fmt: skip
    axes = figures.pass_rate_dots(seeing).axes[0]
    mark = next(line for line in axes.lines if line.get_marker() == "o")
    assert mark.get_markerfacecolor() == style.OKABE_ITO[0]


def test_bars_show_the_means_of_the_runs_that_left_code(tmp_path: Path) -> None:
    data = make_dataset(tmp_path / "toy", agents=["a"], passed=10)
    figure = figures.complexity_bars(data)
    heights = [bar.get_height() for bar in figure.axes[0].patches]
    assert heights == pytest.approx([200, data.quality["sloc"].mean()])


def test_the_cut_axis_says_what_it_cuts(tmp_path: Path) -> None:
    data = make_dataset(tmp_path / "toy", agents=["a"])
    runs = data.runs.copy()
    runs.loc[0, "time_min"] = 104.4
    figure = figures.time_and_cost(type(data)(**{**vars(data), "runs": runs}))
    assert figure.axes[0].get_ylim()[1] < 104.4
    assert "max. 104 min" in _texts(figure)


def test_boxes_are_the_quartiles(tmp_path: Path) -> None:
    data = make_dataset(tmp_path / "toy", agents=["a"], prompts=["minimal"], scenarios=["incremental"])
    axes = figures.time_boxes(data).axes[0]
    box = axes.patches[0].get_path().vertices[:, 1]
    low, high = data.runs["time_min"].quantile([0.25, 0.75])
    assert (box.min(), box.max()) == pytest.approx((low, high))


_DRAW = """
import hashlib, sys
from pathlib import Path
from study import figures
from study.records.dataset import load_dataset
data = load_dataset(sys.argv[1])
for draw in (figures.efficiency_dots, figures.failure_causes):
    for path in figures.save(draw(data), draw.__name__, sys.argv[2]):
        print(path.name, hashlib.sha256(path.read_bytes()).hexdigest())
"""


def test_files_are_equal_byte_for_byte_in_another_process(tmp_path: Path) -> None:
    data = make_dataset(tmp_path / "toy")
    here = [
        f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        for draw in (figures.efficiency_dots, figures.failure_causes)
        for path in figures.save(draw(data), draw.__name__, tmp_path / "here")
    ]
    command = [sys.executable, "-c", _DRAW, str(data.path), str(tmp_path / "there")]
    there = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "7"})
    assert there.stdout.splitlines() == here


def test_svg_holds_no_date_and_fetches_nothing(tmp_path: Path) -> None:
    path = figures.save(figures.outcomes(make_dataset(tmp_path / "toy")), "outcomes", tmp_path)[1]
    text = path.read_text()
    assert "<dc:date>" not in text
    assert "<image" not in text
    assert "font-family" not in text
