from __future__ import annotations

from pathlib import Path

import pytest

from study.quality import MAX_FILE_BYTES, measure
from study.schema import StudyError


def write(root: Path, **files: str | bytes) -> Path:
    for name, content in files.items():
        path = root / name.replace("__", "/").replace("_py", ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def test_sums_over_the_chosen_files(tmp_path: Path) -> None:
    write(
        tmp_path,
        a_py="def f():\n    if x:\n        pass\n",
        sub__b_py="y = 1 if z else 2\n",
        tests__c_py="def test_c(): pass\n",
        notes="def g(): pass\n",
    )
    quality = measure(tmp_path, ["**/*.py"], ["**/tests/**"], "python")
    assert (quality.files, quality.functions) == (2, 1)
    assert (quality.sloc, quality.cyclomatic, quality.cognitive) == (4, 3, 2)
    assert [function.file for function in quality.per_function] == ["a.py"]


def test_radon_and_lizard_stand_beside(tmp_path: Path) -> None:
    write(tmp_path, a_py="def f():\n    if x:\n        pass\n    elif y:\n        pass\n")
    quality = measure(tmp_path, ["**/*.py"], [], "python")
    # they count elif and so the sum is 3; SonarQube does not
    assert (quality.radon_cyclomatic, quality.lizard_cyclomatic, quality.cyclomatic) == (3, 3, 2)
    assert (quality.radon_sloc, quality.lizard_sloc, quality.sloc) == (5, 5, 5)
    assert quality.lizard_cognitive == 2


def test_files_that_cannot_be_read_are_named_and_not_counted(tmp_path: Path) -> None:
    write(
        tmp_path,
        good_py="x = 1\n",
        broken_py="def (:\n",
        latin_py="x = 'é'\n".encode("latin-1"),
        giant_py=b"x = 1\n" * (MAX_FILE_BYTES // 6 + 1),
    )
    (tmp_path / "link.py").symlink_to("/etc/hostname")
    quality = measure(tmp_path, ["**/*.py"], [], "python")
    assert (quality.files, quality.sloc) == (1, 1)
    assert [line.split(":")[0] for line in quality.unparsed] == ["broken.py", "giant.py", "latin.py"]


def test_no_files(tmp_path: Path) -> None:
    quality = measure(tmp_path, ["**/*.py"], [], "python")
    assert (quality.files, quality.sloc, quality.radon_sloc) == (0, 0, 0)


def test_unknown_language_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="'java' cannot be measured yet; supported: python"):
        measure(tmp_path, ["**/*.java"], [], "java")
