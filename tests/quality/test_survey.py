from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from study.quality.survey import Totals, as_rows, survey
from study.schema import StudyError

JAVA = "class A {\n  void m() { if (a) { } }\n}\n"
PYTHON = "def f():\n    if a:\n        pass\n"
GO = "package main\nfunc f() {\n  if a { }\n}\n"


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def names(root: Path, **options: bool) -> list[str]:
    return [Path(file.path).relative_to(root).as_posix() for file in survey([root], **options).files]


def test_all_languages_of_a_folder(tmp_path: Path) -> None:
    found = survey([write(tmp_path, {"A.java": JAVA, "b.py": PYTHON, "c.go": GO, "notes.md": "# x\n"})])
    rows = [
        (Path(f.path).name, f.language, f.counter, f.sloc, f.cyclomatic, f.cognitive) for f in found.files
    ]
    assert rows == [
        ("A.java", "java", "study", 3, 2, 1),
        ("b.py", "python", "study", 3, 2, 1),
        ("c.go", "go", "lizard", 4, 2, None),
    ]
    assert found.totals == Totals(3, 10, 6, None), "half a sum would look like a whole one"
    assert found.by_language()["java"] == Totals(1, 3, 2, 1)
    assert (found.not_counted, found.left_out) == ([], [])


def test_nothing_found_is_not_0(tmp_path: Path) -> None:
    assert survey([tmp_path]).totals == Totals(0, None, None, None)


def test_folders_that_are_left_out(tmp_path: Path) -> None:
    others = ["node_modules/x", ".git", "a/venv/lib", "__pycache__", "target/classes", "a/build"]
    files: dict[str, str | bytes] = {f"{folder}/x.py": PYTHON for folder in others}
    write(tmp_path, files | {"src/main/java/build/A.java": JAVA, "b.py": PYTHON})
    found = survey([tmp_path])
    assert names(tmp_path) == ["b.py", "src/main/java/build/A.java"]
    left_out = {Path(folder).relative_to(tmp_path).as_posix() for folder in found.left_out}
    assert left_out == {"node_modules", ".git", "a/venv", "__pycache__", "target", "a/build"}
    assert len(names(tmp_path, default_excludes=False)) == len(others) + 2
    # what the user names is entered
    assert len(survey([tmp_path / "target"]).files) == 1


@pytest.mark.parametrize("glob", ["**/test/**", "**/test", "src/test/*.java"])
def test_exclude(tmp_path: Path, glob: str) -> None:
    write(tmp_path, {"src/main/A.java": JAVA, "src/test/B.java": JAVA})
    found = survey([tmp_path], [glob])
    assert [Path(file.path).name for file in found.files] == ["A.java"]


def test_odd_files_are_named_and_counted(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "binary.java": bytes(range(256)),
        "broken.java": "class {",
        "empty.java": "",
        "good.java": JAVA,
        "latin.py": "x = 'é'\n".encode("latin-1"),
        "giant.java": b"//" + b"x" * 1_000_000,
    }
    write(tmp_path, files)
    (tmp_path / "link.java").symlink_to("good.java")
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.py")
    found = survey([tmp_path])
    assert [(Path(f.path).name, f.sloc) for f in found.files] == [("empty.java", 0), ("good.java", 3)]
    assert [(Path(path).name, reason) for path, reason in found.not_counted] == [
        ("binary.java", "not UTF-8 text"),
        ("broken.java", "syntax error in line 1"),
        ("giant.java", "1000002 bytes, more than the 1000000 of a source file"),
        ("latin.py", "not UTF-8 text"),
        ("link.java", "symbolic link, not followed"),
        ("pipe.py", "not a regular file"),
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": PYTHON, "b.py": PYTHON, "closed/c.py": PYTHON})
    (tmp_path / "a.py").chmod(0)
    (tmp_path / "closed").chmod(0)
    try:
        found = survey([tmp_path])
    finally:
        (tmp_path / "closed").chmod(stat.S_IRWXU)
    assert [Path(file.path).name for file in found.files] == ["b.py"]
    assert {reason for _, reason in found.not_counted} == {
        "cannot be read: Permission denied",
        "cannot be listed: Permission denied",
    }


def test_a_folder_that_cannot_be_listed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a.py": PYTHON, "closed/c.py": PYTHON})
    real = os.scandir

    def scandir(path: Path) -> os.ScandirIterator[str]:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    found = survey([tmp_path])
    assert len(found.files) == 1
    assert found.not_counted == [(str(tmp_path / "closed"), "cannot be listed: Permission denied")]


def test_files_can_be_named(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": PYTHON, "notes.md": "# x\n"})
    (tmp_path / "link.py").symlink_to("a.py")
    found = survey([tmp_path / "link.py", tmp_path / "notes.md", tmp_path])
    assert [Path(file.path).name for file in found.files] == ["link.py"], "the same file once"
    assert [Path(path).name for path, _ in found.not_counted] == ["notes.md", "link.py"]
    with pytest.raises(StudyError, match="gone: no such file or folder"):
        survey([tmp_path / "gone"])


def test_peers(tmp_path: Path) -> None:
    write(tmp_path, {"A.java": JAVA, "b.py": PYTHON, "c.go": GO})
    java, python, go = as_rows(survey([tmp_path], peers=True).files)
    assert (java["lizard_cyclomatic"], java["radon_cyclomatic"], java["complexipy_cognitive"]) == (
        2,
        None,
        None,
    )
    assert (python["lizard_cyclomatic"], python["radon_cyclomatic"], python["complexipy_cognitive"]) == (
        2,
        2,
        1,
    )
    assert "lizard_cyclomatic" not in go
