"""Notebooks are executed afresh; the gate names the cell whose stored output is no longer true."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from synthetic import make_dataset

from study.notebooks import NOTEBOOKS, check, check_all, execute, execute_all, list_notebooks
from study.notebooks.__main__ import main
from study.schema import StudyError

pytestmark = pytest.mark.filterwarnings("default")  # kernels warn of their own business


def _write(path: Path, *sources: str) -> Path:
    cells = [new_code_cell(sources[0], id="first", metadata={"tags": ["parameters"]})]
    cells += [new_code_cell(source, id=f"cell-{i}") for i, source in enumerate(sources[1:], 2)]
    notebook = new_notebook(cells=[new_markdown_cell("# Toy", id="title"), *cells])
    path.write_text(nbformat.writes(notebook))
    return path


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory):
    """All notebooks of the package, executed on an artificial dataset."""
    folder = tmp_path_factory.mktemp("executed")
    make_dataset(folder / "toy")
    return folder, execute_all(str(folder / "toy"), folder / "notebooks", folder / "figures")


def test_all_notebooks_run_on_any_dataset(executed) -> None:
    folder, paths = executed
    assert [path.name for path in paths] == [path.name for path in list_notebooks()]
    for path in paths:
        notebook = nbformat.read(path, as_version=4)
        code = [cell for cell in notebook.cells if cell.cell_type == "code"]
        assert all(cell.execution_count for cell in code)
        text = nbformat.writes(notebook)
        assert ("Kind: published" if "_paper_" in path.name else "SIMULATED") in text
        assert "widget-view" not in text
        assert "execution" not in {key for cell in code for key in cell.metadata}
        assert path.stat().st_size < 1_500_000
    assert (folder / "notebooks" / "0_explore.ipynb").stat().st_size < 1_000_000
    assert {"fig3_complexity.svg", "fig7_time_and_cost.png"} <= {
        p.name for p in (folder / "figures").iterdir()
    }


def test_a_second_execution_is_equal_and_an_altered_output_is_named(executed) -> None:
    folder, _ = executed
    path = folder / "notebooks" / "2_code_quality.ipynb"
    assert check(path) == []
    notebook = nbformat.read(path, as_version=4)
    said, figure = (
        next(c for c in notebook.cells if c.id == name) for name in ("ratio-said", "ratio-figure")
    )
    said.outputs[0].data["text/html"] = re.sub(
        r"\d\.\d\d", "9.99", said.outputs[0].data["text/html"], count=1
    )
    image = figure.outputs[0].data["image/png"]
    figure.outputs[0].data["image/png"] = image[:500] + ("A" if image[500] != "A" else "B") + image[501:]
    altered = folder / "altered.ipynb"
    altered.write_text(nbformat.writes(notebook))
    first, second = sorted(check(altered), key=lambda text: "ratio-said" in text)
    assert "altered.ipynb: cell 7 (id ratio-figure): output 0 image/png: stored an image" in first
    assert "altered.ipynb: cell 8 (id ratio-said): output 0 text/html" in second
    assert "9.99" in second
    assert "+<ul>" in second


def test_parameters_are_injected_and_no_path_is_stored(tmp_path: Path) -> None:
    source = 'dataset = "demo"  # a name\nfigures_dir = None  # a folder'
    path = _write(tmp_path / "1_toy.ipynb", source, "print(dataset, figures_dir is None)")
    target = tmp_path / "out" / "1_toy.ipynb"
    notebook = execute(path, "other", target, tmp_path / "figures")
    assert notebook.cells[2].outputs[0].text == "other False\n"
    assert notebook.cells[1].source == "dataset = 'other'  # a name\nfigures_dir = None  # a folder"
    assert str(tmp_path) not in target.read_text()


def test_a_failing_cell_is_named_with_its_error(tmp_path: Path) -> None:
    path = _write(tmp_path / "1_toy.ipynb", 'dataset = "demo"', "1 / 0")
    with pytest.raises(StudyError, match="1_toy.ipynb: cell 3: ZeroDivisionError: division by zero"):
        execute(path)


def test_two_failing_notebooks_are_both_named(tmp_path: Path) -> None:
    for number in (1, 2):
        _write(tmp_path / f"{number}_broken.ipynb", "dataset = 'demo'", f"{number} / 0")
    with pytest.raises(StudyError, match=r"(?s)1_broken.*cell 3.*2_broken.*cell 3.*ZeroDivisionError"):
        execute_all(None, None, None, tmp_path)


def test_output_that_was_never_stored_is_reported(tmp_path: Path) -> None:
    path = _write(tmp_path / "1_toy.ipynb", 'dataset = "demo"', "6 * 7")
    (found,) = check(path)
    assert "1_toy.ipynb: cell 3 (id cell-2): is stored without output" in found


def test_output_only_a_kernel_can_use_is_not_stored(tmp_path: Path) -> None:
    path = _write(tmp_path / "1_toy.ipynb", 'dataset = "demo"', "6 * 7")
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[2].metadata["tags"] = ["live-only"]
    path.write_text(nbformat.writes(notebook))
    assert execute(path).cells[2].outputs == []


def test_a_notebook_without_parameters_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "1_toy.ipynb"
    path.write_text(nbformat.writes(new_notebook(cells=[new_code_cell("1", id="one")])))
    with pytest.raises(StudyError, match="no cell has the tag 'parameters'"):
        execute(path)


def test_a_damaged_notebook_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "1_toy.ipynb"
    path.write_text("{")
    with pytest.raises(StudyError, match="1_toy.ipynb: is no readable notebook"):
        execute(path)


def test_figures_that_no_longer_match_are_named(tmp_path: Path) -> None:
    draw = "from pathlib import Path\nif figures_dir: (Path(figures_dir) / 'a.svg').write_text('new')"
    _write(tmp_path / "1_toy.ipynb", 'dataset = "demo"\nfigures_dir = None', draw)
    stored = tmp_path / "figures"
    stored.mkdir()
    (stored / "a.svg").write_text("old")
    (stored / "b.png").write_text("forgotten")
    changed, forgotten = check_all(tmp_path, stored)
    assert changed.startswith("figures: a.svg: stored of 3 bytes")
    assert forgotten == "figures: b.png: no notebook draws it"


def test_command_ends_with_one_if_something_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = _write(tmp_path / "1_toy.ipynb", 'dataset = "demo"', "6 * 7")
    arguments = ["--notebooks", str(tmp_path)]
    assert main(["execute", *arguments]) == 0
    assert main(["check", *arguments]) == 0
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[2].outputs = [new_output("execute_result", {"text/plain": "41"})]
    path.write_text(nbformat.writes(notebook))
    assert main(["check", *arguments]) == 1
    assert "-41" in capsys.readouterr().err


@pytest.mark.parametrize("path", list_notebooks(), ids=lambda path: path.name)
def test_notebooks_hold_no_logic(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    assert notebook.metadata.kernelspec.name == "python3"
    assert "parameters" in next(c for c in notebook.cells if c.cell_type == "code").metadata.tags
    for cell in notebook.cells:
        if cell.cell_type == "code":
            nodes = list(ast.walk(ast.parse(cell.source)))
            logic = (ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.For, ast.While, ast.If, ast.ListComp)
            assert not any(isinstance(node, logic) for node in nodes), cell.id


def test_notebooks_of_the_package_are_found() -> None:
    assert [path.name for path in list_notebooks(NOTEBOOKS)] == [
        "0_explore.ipynb",
        "1_correctness.ipynb",
        "2_code_quality.ipynb",
        "3_efficiency.ipynb",
        "4_paper_audit.ipynb",
        "5_paper_figures.ipynb",
        "7_trajectories.ipynb",
        "9_calibration.ipynb",
        "10_extend.ipynb",
        "11_robustness.ipynb",
    ]
