from __future__ import annotations

import os
from pathlib import Path

import pytest

from study.quality import COUNTERS, MAX_FILE_BYTES, FileCounts, FunctionCounts, PeerCounts, measure
from study.schema import StudyError


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def test_sums_over_the_chosen_files(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.py": "def f():\n    if x:\n        pass\n",
        "sub/b.py": "y = 1 if z else 2\n",
        "tests/c.py": "def test_c(): pass\n",
        "deep/tests/d.py": "def test_d(): pass\n",
        "notes": "def g(): pass\n",
        "requirements.txt": "x\n",
        "__pycache__/e.py": "def h(): pass\n",
    }
    quality = measure(write(tmp_path, files), ["**/*"], ["**/tests/**"], "python")
    assert (quality.files, quality.functions) == (2, 1)
    assert (quality.sloc, quality.cyclomatic, quality.cognitive) == (4, 3, 2)
    assert [(f.file, f.function, f.line) for f in quality.per_function] == [("a.py", "f", 1)]
    assert quality.unparsed == []


@pytest.mark.parametrize(
    ("main", "exclude", "expected"),
    [
        (["**/*.py"], [], ["a.py", "x/b.py", "x/y/c.py"]),
        (["*.py"], [], ["a.py"]),
        (["x/*.py"], [], ["x/b.py"]),
        (["x/**"], ["**/c.py"], ["x/b.py"]),
        (["a.py", "x/y/*"], [], ["a.py", "x/y/c.py"]),
    ],
)
def test_globs(tmp_path: Path, main: list[str], exclude: list[str], expected: list[str]) -> None:
    source = "def f(): pass\n"
    write(tmp_path, {"a.py": source, "x/b.py": source, "x/y/c.py": source})
    quality = measure(tmp_path, main, exclude, "python")
    assert [function.file for function in quality.per_function] == expected


def test_radon_and_lizard_stand_beside(tmp_path: Path) -> None:
    write(tmp_path, {"a.py": "def f():\n    if x:\n        pass\n    elif y:\n        pass\n"})
    quality = measure(tmp_path, ["**/*.py"], [], "python")
    # they count elif and so the sum is 3; SonarQube does not
    assert (quality.radon_cyclomatic, quality.lizard_cyclomatic, quality.cyclomatic) == (3, 3, 2)
    assert (quality.radon_sloc, quality.lizard_sloc, quality.sloc) == (5, 5, 5)
    assert quality.lizard_cognitive == quality.cognitive == 2


def test_half_a_sum_is_no_sum(tmp_path: Path) -> None:
    # Python 2: the grammar and SonarPython read it, radon cannot
    write(tmp_path, {"new.py": "x = 1\n", "old.py": "print 'a'\n"})
    quality = measure(tmp_path, ["**/*.py"], [], "python")
    assert (quality.files, quality.sloc, quality.lizard_sloc) == (2, 2, 2)
    assert quality.radon_sloc is None
    assert quality.radon_cyclomatic is None


def test_files_that_cannot_be_counted_are_named(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "good.py": "x = 1\n",
        "broken.py": "x = 1\ndef (:\n",
        "latin.py": "x = 'é'\n".encode("latin-1"),
        "giant.py": b"x = 1\n" * (MAX_FILE_BYTES // 6 + 1),
        "largest.py": b"x = 1\n" + b"#" * (MAX_FILE_BYTES - 6),
    }
    write(tmp_path, files)
    (tmp_path / "link.py").symlink_to("good.py")
    (tmp_path / "outside").symlink_to("/usr/lib")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "folder.py").mkdir()
    quality = measure(tmp_path, ["**/*.py"], [], "python")
    assert (quality.files, quality.sloc) == (2, 2)
    assert quality.unparsed == [
        "broken.py: syntax error in line 2",
        "giant.py: 1000002 bytes, more than the 1000000 of a source file",
        "latin.py: not UTF-8 text",
        "link.py: symbolic link, not followed",
        "pipe.py: not a regular file",
    ]


def test_names_that_are_no_utf8_can_be_recorded(tmp_path: Path) -> None:
    for name, content in ((b"\xff.py", "def f(): pass\n"), (b"\xfe.py", "def (\n")):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text(content)
    quality = measure(tmp_path, ["**/*.py"], [], "python")
    assert [function.file for function in quality.per_function] == ["\\udcff.py"]
    assert quality.unparsed == ["\\udcfe.py: syntax error in line 1"]
    assert quality.model_dump_json().encode()


def test_no_files(tmp_path: Path) -> None:
    quality = measure(tmp_path, ["**/*.py"], [], "python")
    assert (quality.files, quality.sloc, quality.radon_sloc) == (0, None, None), "nothing counted is not 0"


def test_no_directory_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="is no directory"):
        measure(tmp_path / "gone", ["**/*.py"], [], "python")


def test_unknown_language_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="'cobol' cannot be measured yet; supported: java, python"):
        measure(tmp_path, ["**/*.cbl"], [], "cobol")


class LineCounter:
    """All that a new language needs; the file is one function."""

    endings: tuple[str, ...] = (".txt",)

    def count(self, source: bytes) -> FileCounts:
        return FileCounts(len(source.splitlines()), 1, 0, [FunctionCounts("all", 1, 1, 0)])

    def peers(self, file: str, source: bytes) -> PeerCounts:
        return PeerCounts(lizard_sloc=7)


def test_a_language_is_added_in_a_few_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COUNTERS, "text", LineCounter())
    quality = measure(write(tmp_path, {"a.txt": "1\n2\n", "b.py": "x\n"}), ["**/*"], [], "text")
    assert (quality.files, quality.functions, quality.sloc, quality.lizard_sloc) == (1, 1, 2, 7)
    assert quality.radon_sloc is None
