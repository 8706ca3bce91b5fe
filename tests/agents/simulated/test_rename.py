from __future__ import annotations

from study.agents.simulated.program.rename import rename_modules, rename_names

TEXTS = {
    "__init__.py": "",
    "main.py": "from services.desk.api import app\nfrom services.desk import store as keep\n",
    "api.py": """from common.web import check
from services.desk import rules, store
from services.desk.store import LoanStore, open_db


def lend(x):
    return rules.check_loan(LoanStore(x), open_db)
""",
    "rules.py": '''def check_loan(store, kind="lend"):
    """May this loan be checked?"""
    return store.get(kind)


def get(x):
    return x
''',
    "store.py": """class LoanStore:
    def open(self) -> "LoanStore":
        return self


def open_db():
    return f"{open_db}"
""",
}


def test_modules_are_renamed_with_all_their_imports() -> None:
    texts, moves = rename_modules(TEXTS, "services.desk")
    assert moves == ["api.py -> routes.py", "rules.py -> policies.py", "store.py -> repository.py"]
    assert sorted(texts) == ["__init__.py", "main.py", "policies.py", "repository.py", "routes.py"]
    assert texts["main.py"] == (
        "from services.desk.routes import app\nfrom services.desk import repository as keep\n"
    )
    assert texts["routes.py"].startswith(
        "from common.web import check\n"
        "from services.desk import policies as rules, repository as store\n"
        "from services.desk.repository import LoanStore, open_db\n"
    )


def test_relative_and_bare_imports_are_renamed() -> None:
    texts = {
        "main.py": "import rules\nfrom .rules import a\nfrom . import rules as r\nfrom rules import b\n",
        "rules.py": "a = b = 1\n",
    }
    changed, _ = rename_modules(texts, "services.desk")
    assert changed["main.py"] == (
        "import policies as rules\nfrom .policies import a\nfrom . import policies as r\n"
        "from policies import b\n"
    )


def test_a_module_named_in_a_string_or_by_a_dotted_import_keeps_its_name() -> None:
    for main in ('run("services.desk.rules:app")\n', "import services.desk.rules\n"):
        texts = {"main.py": main, "rules.py": "app = 1\n"}
        assert rename_modules(texts, "services.desk") == (texts, [])


def test_names_are_renamed_unless_they_mean_something_else_as_well() -> None:
    texts, moves = rename_names(TEXTS)
    # `lend` is also a word in a string; `get` also a method of something else; `LoanStore` also an
    # annotation in a string; `open_db` stands in an f-string
    assert moves == ["check_loan -> validate_loan"]
    assert texts["api.py"] == TEXTS["api.py"].replace("rules.check_loan", "rules.validate_loan")
    assert texts["rules.py"] == TEXTS["rules.py"].replace("def check_loan", "def validate_loan")


def test_names_that_come_from_elsewhere_are_left_alone() -> None:
    texts = {
        "rules.py": "def check(x):\n    return x\n",
        "api.py": "from common.web import check\n\n\ndef route(y):\n    return check(y)\n",
    }
    _, moves = rename_names(texts)
    assert moves == ["route -> route_value"]
