"""Execute notebooks in new kernels, and store them without anything that differs between executions."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from study.files import write_atomically
from study.schema import StudyError

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
PARAMETERS, LIVE_ONLY = "parameters", "live-only"
"""Cell tags: the cell with the parameters; a cell whose output only a running kernel can use."""

Notebook = Any
_WIDGET = "application/vnd.jupyter.widget-view+json"
_TIMEOUT = 300


def list_notebooks(folder: Path = NOTEBOOKS) -> list[Path]:
    """The notebooks of a folder in the order of their numbers."""
    found = sorted(folder.glob("[0-9]*_*.ipynb"), key=_number)
    if not found:
        raise StudyError(f"{folder}: no notebook named like 1_correctness.ipynb")
    return found


def _number(path: Path) -> tuple[int, str]:
    """10_extend comes after 9_calibration."""
    digits = path.name.partition("_")[0]
    return (int(digits) if digits.isdigit() else 0, path.name)


def execute(
    path: Path, dataset: str | None = None, output: Path | None = None, figures_dir: Path | None = None
) -> Notebook:
    """Execute one notebook in a new kernel.

    Parameters
    ----------
    path : Path
        The notebook.
    dataset : str, optional
        Name or path of a dataset, put into the cell tagged `parameters`; as it stands there, if not given.
    output : Path, optional
        Where to write the executed notebook; it holds no path, time or id of this execution.
    figures_dir : Path, optional
        Where the figures' files go.

    Returns
    -------
    NotebookNode
        The executed notebook.

    Raises
    ------
    StudyError
        If a cell fails; the message names the notebook, the cell and the error.
    """
    return asyncio.run(_execute(path, dataset, output, figures_dir))


def execute_all(
    dataset: str | None, output: Path | None, figures_dir: Path | None, folder: Path = NOTEBOOKS
) -> list[Path]:
    """Execute all notebooks, as many at once as there are processors; return the executed files."""
    paths = list_notebooks(folder)
    targets = [None if output is None else output / path.name for path in paths]
    asyncio.run(execute_many(paths, dataset, targets, figures_dir))
    return [target for target in targets if target is not None]


async def execute_many(
    paths: Sequence[Path], dataset: str | None, targets: Sequence[Path | None], figures_dir: Path | None
) -> list[Notebook]:
    """Execute notebooks at the same time; without a target, an executed notebook is only returned."""
    gate = asyncio.Semaphore(os.cpu_count() or 1)

    async def one(path: Path, target: Path | None) -> Notebook:
        async with gate:
            return await _execute(path, dataset, target, figures_dir)

    jobs = (one(path, target) for path, target in zip(paths, targets, strict=True))
    # All are waited for: a kernel that is left running when another notebook fails would outlive its loop.
    done = await asyncio.gather(*jobs, return_exceptions=True)
    errors = [result for result in done if isinstance(result, BaseException)]
    for error in errors:
        if not isinstance(error, StudyError):
            raise error
    if errors:
        raise StudyError("\n".join(map(str, errors)))
    return done


async def _execute(
    path: Path, dataset: str | None, output: Path | None, figures_dir: Path | None
) -> Notebook:
    notebook = read(path)
    cell = _parameter_cell(notebook, path)
    stored_source = _set_parameters(cell.source, dataset=dataset) if dataset else cell.source
    live = _set_parameters(
        stored_source, figures_dir=None if figures_dir is None else str(figures_dir.resolve())
    )
    if dataset and Path(dataset).is_dir():
        live = _set_parameters(live, dataset=str(Path(dataset).resolve()))
    cell.source = live
    client = NotebookClient(
        notebook,
        timeout=_TIMEOUT,
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        extra_arguments=["--IPKernelApp.log_level=ERROR"],
        resources={"metadata": {"path": str(path.parent.resolve())}},
    )
    with tempfile.TemporaryDirectory() as home:
        try:
            await client.async_execute(env=_environment(home))
        except CellExecutionError as error:
            number = next(i for i, c in enumerate(notebook.cells, 1) if _failed(c))
            raise StudyError(f"{path.name}: cell {number}: {error.ename}: {error.evalue}") from None
    cell.source = stored_source
    _clean(notebook)
    if output is not None:
        output.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(output, nbformat.writes(notebook) + "\n")
    return notebook


def _environment(home: str) -> dict[str, str]:
    """The kernel's environment: one thread for sums of floats, no settings of the person who runs it."""
    single = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    fixed = {
        "PYTHONHASHSEED": "0",
        "TZ": "UTC",
        "IPYTHONDIR": home,
        "MPLCONFIGDIR": os.environ.get("MPLCONFIGDIR", ""),
    }
    return {**os.environ, **single, **{name: value for name, value in fixed.items() if value}}


def read(path: Path) -> Notebook:
    """Read and validate one notebook."""
    try:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
    except (OSError, ValueError, nbformat.ValidationError) as error:
        raise StudyError(f"{path}: is no readable notebook: {error}") from None
    return notebook


def _parameter_cell(notebook: Notebook, path: Path) -> Any:
    for cell in notebook.cells:
        if PARAMETERS in cell.metadata.get("tags", []):
            return cell
    raise StudyError(f"{path}: no cell has the tag {PARAMETERS!r}; tag the one that names the dataset")


def _set_parameters(source: str, **values: str | None) -> str:
    """Replace the right side of `name = ...` lines; a name that the cell does not have is left out."""
    for name, value in values.items():
        line = re.search(rf"(?m)^{name} = .*?(  #.*)?$", source)
        if line:
            source = f"{source[: line.start()]}{name} = {value!r}{line[1] or ''}{source[line.end() :]}"
    return source


def _failed(cell: Any) -> bool:
    return any(output.output_type == "error" for output in cell.get("outputs", []))


def _clean(notebook: Notebook) -> None:
    """Take out what differs between executions or is of no use in a file."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        if LIVE_ONLY in cell.metadata.get("tags", []):
            cell.outputs = []
        for output in cell.outputs:
            output.get("data", {}).pop(_WIDGET, None)
