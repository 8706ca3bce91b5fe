from __future__ import annotations

from pathlib import Path

import pytest

from study.projects.manifest import Edit
from study.scenarios.edits import apply_edit
from study.schema import StudyError

COMPOSE = """\
# the whole system
services:
  loan:
    image: loan  # the target
    depends_on: [stock]
  # the gate
  gateway:
    image: gateway
    depends_on:
      - loan
      - stock
"""

CODE = """\
import os
from clients import loan_client, stock_client

LOAN_URL = os.environ["LOAN_URL"]


@cached
def fetch_loan(number):
    return loan_client.get(number)


class Desk:
    def open(self):
        return 1

    @property
    def loans(self):
        return 2
"""


def edited(tmp_path: Path, name: str, text: str, **edit: object) -> str:
    (tmp_path / name).write_text(text)
    apply_edit(tmp_path, Edit.model_validate({"file": name, **edit}))
    return (tmp_path / name).read_text()


def test_yaml_key_goes_and_all_else_stays(tmp_path: Path) -> None:
    new = edited(tmp_path, "a.yaml", COMPOSE, remove_key="services.loan")
    start = COMPOSE.index("  loan:\n")
    assert new == COMPOSE[:start] + COMPOSE[COMPOSE.index("  # the gate") :]


def test_yaml_item_goes(tmp_path: Path) -> None:
    new = edited(tmp_path, "a.yaml", COMPOSE, remove_key="services.gateway.depends_on[loan]")
    assert new == COMPOSE.replace("      - loan\n", "")


def test_yaml_mapping_item_goes(tmp_path: Path) -> None:
    text = "routes:\n  - service: a\n    path: /a\n  - service: b\n    path: /b\n"
    assert edited(tmp_path, "a.yaml", text, remove_key="routes[service=a]") == (
        "routes:\n  - service: b\n    path: /b\n"
    )


def test_json_key_and_item_go(tmp_path: Path) -> None:
    text = '{"routes": [{"to": "a"}, {"to": "b"}], "loan": {"url": "x"}}'
    new = edited(tmp_path, "a.json", text, remove_key="routes[to=a]")
    new = edited(tmp_path, "a.json", new, remove_key="loan.url")
    assert new == '{\n  "routes": [\n    {\n      "to": "b"\n    }\n  ],\n  "loan": {}\n}\n'


def test_python_definitions_go(tmp_path: Path) -> None:
    names = ["loan_client", "LOAN_URL", "fetch_loan", "Desk.loans"]
    new = edited(tmp_path, "a.py", CODE, remove_definitions=names)
    assert new == (
        "import os\nfrom clients import stock_client\n\n\n\n\n\n"
        "class Desk:\n    def open(self):\n        return 1\n\n"
    )


def test_replace_and_delete(tmp_path: Path) -> None:
    assert edited(tmp_path, "a.sh", "run loan\nrun stock\n", replace="run loan\n") == "run stock\n"
    (tmp_path / "b.txt").write_text("x")
    apply_edit(tmp_path, Edit(file="b.txt", delete=True))
    assert not (tmp_path / "b.txt").exists()


@pytest.mark.parametrize(
    ("name", "text", "edit", "expected"),
    [
        ("a.yaml", COMPOSE, {"remove_key": "services.lone"}, "nothing at 'services.lone'"),
        ("a.yaml", COMPOSE, {"remove_key": "services.loan.depends_on[x]"}, "no 'x'"),
        ("a.yaml", COMPOSE, {"remove_key": "services.loan.depends_on[stock]"}, "use `replace`"),
        ("a.py", CODE, {"remove_definitions": ["nothing"]}, "nothing defines 'nothing'"),
        ("a.py", CODE, {"remove_definitions": ["Desk.open", "Desk.loans"]}, "no longer parses"),
        ("a.sh", "a\na\n", {"replace": "a"}, "occurs 2 times"),
        ("a.sh", "a\n", {"replace": "b"}, "occurs 0 times"),
        ("a.py", CODE, {"replace": "def fetch_loan(number):\n"}, "no longer parses"),
    ],
)
def test_an_edit_that_does_not_apply_is_an_error(
    tmp_path: Path, name: str, text: str, edit: dict[str, object], expected: str
) -> None:
    with pytest.raises(StudyError) as caught:
        edited(tmp_path, name, text, **edit)
    assert expected in str(caught.value)
    assert name in str(caught.value)
    assert (tmp_path / name).read_text() == text, "nothing is half-written"


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="no such file: gone.py"):
        apply_edit(tmp_path, Edit(file="gone.py", delete=True))


DOCUMENTS = "# all\n---\nmetadata:\n  name: loan\n---\n\nmetadata: {name: loan-archive}\n---\nkind: List\n"

JAVA = """\
class Desk implements Lending {
    // the loan service
    public int lend(String name) { return client.post("loan", name); }
    public void close() {}
    abstract int count();
}
"""


def test_yaml_documents_go_by_their_whole_name(tmp_path: Path) -> None:
    new = edited(tmp_path, "a.yml", DOCUMENTS, remove_documents="loan")
    assert new == "# all\n---\n\nmetadata: {name: loan-archive}\n---\nkind: List\n"


def test_java_methods_are_emptied_and_can_still_be_called(tmp_path: Path) -> None:
    new = edited(tmp_path, "Desk.java", JAVA, empty_methods=["lend"])
    assert 'client.post("loan", name)' not in new
    assert "public int lend(String name) {\n        throw new UnsupportedOperationException();\n    }" in new
    assert "public void close() {}" in new


@pytest.mark.parametrize(
    ("name", "text", "edit", "expected"),
    [
        ("a.yml", DOCUMENTS, {"remove_documents": "archive"}, "no document has metadata.name 'archive'"),
        ("Desk.java", JAVA, {"empty_methods": ["lend", "count"]}, "no method with a body named count"),
        ("Desk.java", JAVA, {"replace": "public void close() {}\n", "by": "{"}, "is not valid Java"),
        ("pom.xml", "<a><b/></a>", {"replace": "<a>"}, "no longer parses"),
    ],
)
def test_documents_and_java_are_checked(
    tmp_path: Path, name: str, text: str, edit: dict[str, object], expected: str
) -> None:
    with pytest.raises(StudyError, match=expected):
        edited(tmp_path, name, text, **edit)
    assert (tmp_path / name).read_text() == text
