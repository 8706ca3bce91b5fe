from __future__ import annotations

import pytest

from study.agents.simulated.program.endpoints import endpoint_changes, endpoints, normal_path
from study.agents.simulated.program.mentions import spared
from study.agents.simulated.program.text import apply

DECORATED = {
    "api.py": """@app.get("/health")
def health():
    return {}


# one loan
@app.get("/loans/{loan_id}")
def get_loan(loan_id):
    return find(loan_id)


@app.post("/loans")
def add_loan():
    return 1
"""
}
TABLE = {
    "handlers.py": "def show(request):\n    return 1\n\n\ndef cancel(request):\n    return 2\n",
    "main.py": """from handlers import cancel, show

ROUTES = {
    ("GET", "/loans/{id}"): show,
    ("DELETE", "/loans/{id}"): cancel,
}
""",
}
CLASSES = {
    "app.py": """class LoanHandler(Handler):
    def get(self):
        self.write("x")


class OtherHandler(Handler):
    pass


def make_app(store):
    return Application([
        (r"/loans/(\\d+)", LoanHandler, store),
        (r"/other", OtherHandler),
    ])
"""
}
CALLS = {
    "app.py": """def show():
    return 1


app.add_url_rule("/loans/<int:loan_id>", view_func=show)
app.add_url_rule("/loans", view_func=show, methods=["POST"])
"""
}


def after(texts: dict[str, str], number: int) -> dict[str, str]:
    changed = apply(texts, list(endpoint_changes("omit_endpoint", texts))[number])
    assert changed is not None
    return changed


def test_a_decorated_function_goes_with_its_comment() -> None:
    assert after(DECORATED, 0)["api.py"] == DECORATED["api.py"].replace(
        DECORATED["api.py"][DECORATED["api.py"].index("# one") : DECORATED["api.py"].index("@app.post")], ""
    )


def test_an_entry_of_a_table_goes_with_its_handler_and_the_import() -> None:
    assert after(TABLE, 1) == {
        "handlers.py": "def show(request):\n    return 1\n\n\n",
        "main.py": 'from handlers import show\n\nROUTES = {\n    ("GET", "/loans/{id}"): show,\n}\n',
    }


def test_an_entry_of_a_list_goes_with_its_class() -> None:
    assert "LoanHandler" not in after(CLASSES, 0)["app.py"]
    assert (
        '    return Application([\n        (r"/other", OtherHandler),\n    ])' in after(CLASSES, 0)["app.py"]
    )


def test_a_registering_call_goes_and_a_handler_with_another_route_stays() -> None:
    assert after(CALLS, 0)["app.py"] == CALLS["app.py"].replace(
        'app.add_url_rule("/loans/<int:loan_id>", view_func=show)\n', ""
    )


@pytest.mark.parametrize(("texts", "count"), [(DECORATED, 3), (TABLE, 2), (CLASSES, 2), (CALLS, 2)])
def test_all_routes_are_found_and_health_is_never_left_out(texts: dict[str, str], count: int) -> None:
    assert len(list(endpoints(texts))) == count
    places = [change.place for change in endpoint_changes("omit_endpoint", texts)]
    assert len(places) == sum(endpoint.path != "/health" for endpoint in endpoints(texts))


def test_routes_of_different_styles_are_written_alike() -> None:
    for path in (
        "/loans/{loan_id}/pay",
        "/loans/<int:loan_id>/pay",
        r"/loans/(\d+)/pay",
        "/loans/{a}/pay?x=1",
    ):
        assert normal_path(path) == "/loans/*/pay"


@pytest.mark.parametrize(
    ("caller", "asked"),
    [
        ('get(f"{BASE}/loans/{loan.id}")', True),
        ('get(BASE + "/loans/" + number)', True),
        ('get("/api/loans/%s" % number)', True),
        ('post(f"{BASE}/loans")', False),
        ('get(f"/books/{number}")', False),
    ],
)
def test_a_route_is_asked_for_if_somebody_calls_it(caller: str, asked: bool) -> None:
    assert ("/loans/*" in spared(DECORATED, [caller])) == asked


def test_names_and_error_codes_are_asked_for_if_they_are_mentioned() -> None:
    texts = {"rules.py": 'def lend(x):\n    raise Problem("too_many")\n\n\ndef renew(x):\n    return x\n'}
    test = "from rules import lend\n\ndef test():\n    assert lend(1) == 'too_many'\n"
    assert spared(texts, [test]) == {"lend", "too_many"}
