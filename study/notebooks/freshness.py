"""The gate: are the outputs stored in the notebooks still what the notebooks give?"""

from __future__ import annotations

import asyncio
import base64
import difflib
import hashlib
import tempfile
from pathlib import Path
from typing import Any

from study.notebooks.execution import NOTEBOOKS, Notebook, execute, execute_many, list_notebooks, read

_LINES = 12
_WRITTEN = {".png", ".svg", ".html", ".tex"}


def check(path: Path) -> list[str]:
    """Execute a notebook afresh and compare every output with the stored one.

    Returns
    -------
    list of str
        One text per cell that differs: notebook, cell, and both values. Empty: the notebook is fresh.
    """
    return differences(read(path), execute(path), path.name)


def check_all(folder: Path = NOTEBOOKS, figures: Path | None = None) -> list[str]:
    """`check` for all notebooks and, where a folder of figures is given, byte by byte for its files."""
    paths = list_notebooks(folder)
    with tempfile.TemporaryDirectory() as drawn:
        fresh = asyncio.run(execute_many(paths, None, [None] * len(paths), Path(drawn)))
        found = [
            text
            for path, notebook in zip(paths, fresh, strict=True)
            for text in differences(read(path), notebook, path.name)
        ]
        return found + (_figure_differences(figures, Path(drawn)) if figures is not None else [])


def _figure_differences(stored: Path, drawn: Path) -> list[str]:
    names = {
        path.name for folder in (stored, drawn) for path in folder.glob("*.*") if path.suffix in _WRITTEN
    }
    found = []
    for name in sorted(names):
        old, new = (folder / name for folder in (stored, drawn))
        if not old.is_file() or not new.is_file():
            found.append(f"figures: {name}: {'is not stored' if new.is_file() else 'no notebook draws it'}")
        elif old.read_bytes() != new.read_bytes():
            found.append(
                f"figures: {name}: stored {_digest(old.read_bytes())}, now {_digest(new.read_bytes())}"
            )
    return found


def differences(stored: Notebook, fresh: Notebook, name: str) -> list[str]:
    """Compare the outputs of two executions of the same notebook; execution counts are ignored."""
    found = []
    for number, (old, new) in enumerate(zip(stored.cells, fresh.cells, strict=True), start=1):
        if old.cell_type != "code":
            continue
        before, after = _outputs(old), _outputs(new)
        if before == after:
            continue
        where = f"{name}: cell {number} (id {old.get('id', '-')})"
        if not before:
            found.append(f"{where}: is stored without output; execute the notebook and commit it")
            continue
        kinds = sorted({*before, *after})
        changed = [kind for kind in kinds if before.get(kind) != after.get(kind)]
        found += [f"{where}: {kind}: {_both(kind, before.get(kind), after.get(kind))}" for kind in changed]
    return found


def _outputs(cell: Any) -> dict[str, str]:
    """What a cell shows, by output number and type."""
    shown: dict[str, str] = {}
    for i, output in enumerate(cell.outputs):
        if output.output_type == "stream":
            shown[f"output {i} {output.name}"] = "".join(output.text)
        elif output.output_type == "error":
            shown[f"output {i} error"] = f"{output.ename}: {output.evalue}"
        else:
            shown |= {f"output {i} {kind}": str(value) for kind, value in output.data.items()}
    return shown


def _both(kind: str, old: str | None, new: str | None) -> str:
    if old is None or new is None:
        return "is not stored" if old is None else "is stored, but not shown any more"
    if "image/png" in kind:
        return f"stored {_image(old)}, now {_image(new)}"
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), "stored", "now", lineterm="", n=0)
    return "\n" + "\n".join(f"    {line:.200}" for line in list(lines)[2 : 2 + _LINES])


def _image(encoded: str) -> str:
    return f"an image {_digest(base64.b64decode(encoded))}"


def _digest(data: bytes) -> str:
    return f"of {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()[:12]}"
