from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

JAVA = "class A {\n  void m() { try { } catch (E e) { if (a) { } } }\n}\n"


def study(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "study", *arguments], capture_output=True, text=True, check=False, cwd=cwd
    )


@pytest.fixture
def service(tmp_path: Path) -> Path:
    folder = tmp_path / "demo"  # named as a design of the package: what exists is measured
    for name, content in {
        "src/main/java/A.java": JAVA,
        "src/main/java/Broken.java": "class {",
        "src/test/java/ATest.java": JAVA,
        "app.py": "x = 1 if y else 2\n",
        "main.go": "package main\nfunc f() {\n  if a { }\n}\n",
        "node_modules/x.js": "function f() { }\n",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return folder


def test_json(service: Path) -> None:
    done = study("measure", "demo", "--format", "json", "--exclude", "src/test/**", cwd=service.parent)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["files"] == [
        {
            "path": "demo/app.py",
            "language": "python",
            "counter": "study",
            "sloc": 1,
            "cyclomatic": 1,
            "cognitive": 1,
        },
        {
            "path": "demo/main.go",
            "language": "go",
            "counter": "lizard",
            "sloc": 4,
            "cyclomatic": 2,
            "cognitive": None,
        },
        {
            "path": "demo/src/main/java/A.java",
            "language": "java",
            "counter": "study",
            "sloc": 3,
            "cyclomatic": 2,
            "cognitive": 3,
        },
    ]
    assert found["totals"] == {"files": 3, "sloc": 8, "cyclomatic": 5, "cognitive": None, "not_counted": 1}
    assert found["languages"]["java"] == {"files": 1, "sloc": 3, "cyclomatic": 2, "cognitive": 3}
    assert found["not_counted"] == [
        {"path": "demo/src/main/java/Broken.java", "reason": "syntax error in line 1"}
    ]
    assert found["left_out"] == ["demo/node_modules"]


def test_csv_with_other_tools(service: Path) -> None:
    done = study("measure", "app.py", "src/main", "--format", "csv", "--peers", cwd=service)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["path"] for row in rows] == ["app.py", "src/main/java/A.java"]
    assert [row["lizard_cyclomatic"] for row in rows] == ["0", "3"], "lizard counts catch"
    assert [row["complexipy_cognitive"] for row in rows] == ["1", ""], "missing is empty"
    assert "2 files counted, 1 not counted" in done.stderr
    assert "not counted: src/main/java/Broken.java: syntax error in line 1" in done.stderr


def test_table(service: Path) -> None:
    done = study("measure", "src", cwd=service)
    assert done.returncode == 0
    assert "ATest.java" in done.stdout
    assert "2 files" in done.stdout
    assert "not counted" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["nothing"], "no design 'nothing'"),
        (["src", "nothing"], "nothing: no such file or folder"),
        (["nothing", "--format", "json"], "is no folder or source file, so it is taken as a design"),
        (["src", "--format", "xml"], "--format: 'xml' is not known; give table, json, csv"),
        (["src", "--jobs", "2"], "--results, --only and --jobs are for designs"),
        (["bad.yaml"], "bad.yaml"),
    ],
)
def test_a_mistake_is_one_message(service: Path, arguments: list[str], expected: str) -> None:
    (service / "bad.yaml").write_text("name: [")
    done = study("measure", *arguments, cwd=service)
    assert done.returncode == 2
    assert expected in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
