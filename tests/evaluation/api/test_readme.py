"""Endpoints are read from what a README declares, and from nothing else. All snippets are made up."""

from __future__ import annotations

import pytest

from study.evaluation.api.endpoints import Endpoint, is_example_of, normalise
from study.evaluation.api.readme import read_endpoints

DECLARED = {
    "bare lines, one after the other": (
        "GET /cats\nPOST /cats\nDELETE /cats/{id}",
        "GET /cats, POST /cats, DELETE /cats/{id}",
    ),
    "the file ends with the line": ("GET /cats", "GET /cats"),
    "a hyphen in the path": (
        "`POST /cats/send-home` and `POST /cats/send-away`",
        "POST /cats/send-home, POST /cats/send-away",
    ),
    "colon parameters": ("`GET /cats/:id`, `PUT /cats/:id/owner`", "GET /cats/{id}, PUT /cats/{id}/owner"),
    "angle parameters": ("- GET /cats/<int:cat_id>", "GET /cats/{cat_id}"),
    "a bold method": ("**GET** `/cats`", "GET /cats"),
    "a back-quoted method": ("### `GET` `/cats`", "GET /cats"),
    "method and path on two lines": ("- **Method**: `GET`\n- **Path**: `/cats`", "GET /cats"),
    "path and method on two lines": ("**Endpoint:** `/cats`\n\n**HTTP Method:** post", "POST /cats"),
    "two such sections": (
        "### 1. List\n- Method: GET\n- Path: /cats\n### 2. Add\n- Method: POST\n- Path: /dogs",
        "GET /cats, POST /dogs",
    ),
    "methods under a path": (
        "### /cats\n- GET: list them\n- POST - add one\n### /dogs/{id}\n- `DELETE`",
        "GET /cats, POST /cats, DELETE /dogs/{id}",
    ),
    "a table": (
        "| Method | Path |\n|---|---|\n| GET | /cats |\n| `POST` | `/cats` |",
        "GET /cats, POST /cats",
    ),
    "a table, path first": ("| Path | Method | What |\n|---|---|---|\n| /cats | GET | list |", "GET /cats"),
    "several methods in a cell": (
        "| GET, POST | /cats |\n| PUT/DELETE | /cats/{id} |",
        "GET /cats, POST /cats, PUT /cats/{id}, DELETE /cats/{id}",
    ),
    "a path over several rows": ("| /cats | GET | list |\n|  | POST | add |", "GET /cats, POST /cats"),
    "both in one cell": ("| `GET /cats` | list |", "GET /cats"),
    "an absolute address": ("`GET http://localhost:8000/cats`", "GET /cats"),
    "a code fence": ("```\nGET    /cats     # list\nPOST   /cats     # add\n```", "GET /cats, POST /cats"),
    "an outline in a fence": ("```yaml\npaths:\n  /cats:\n    get:\n      summary: list\n```", "GET /cats"),
    "a title in brackets": ("### List cats (GET /cats)", "GET /cats"),
    "a label": ("1. **Add a cat**: POST /cats", "POST /cats"),
    "a base path": ("Base path: /api/v1\n\n`GET /cats`", "GET /api/v1/cats"),
    "a base path in an address": (
        "- **Base URL**: `http://localhost:8080/api/v1`\n- GET /cats",
        "GET /api/v1/cats",
    ),
    "a base path that the paths have": ("- Base path: `/api/v1`\n- GET /api/v1/cats", "GET /api/v1/cats"),
    "a prefix in a sentence": ("All APIs are prefixed with `/api`.\n\n- `GET /cats`: list", "GET /api/cats"),
    "a base address without a path": ("Base URL: `http://localhost:8080`\n\nGET /cats", "GET /cats"),
    "the same endpoint twice": ("GET /cats/{id}\nGET /cats/{cat_id}/", "GET /cats/{id}"),
    "a fixed name beside a parameter": ("GET /users/{id}\nGET /users/me", "GET /users/{id}, GET /users/me"),
}

NOT_DECLARED = {
    "an example request": "GET /cats/{id}\n\n```\nGET /cats/42 HTTP/1.1\nHost: localhost\n```",
    "an example in a list": "GET /cats/{id}\n\n- Example: GET /cats/42",
    "a command": "GET /cats/{id}\n\n```bash\ncurl -X POST http://localhost/cats\n```",
    "a query": "GET /cats/{id}\n\ne.g. `GET /cats?page=2`",
    "a sentence": "GET /cats/{id}\n\nAfter a `DELETE /cats/{id}` it is gone, and POST /cats adds one.",
    "code": "GET /cats/{id}\n\n```python\nGET /dogs\n```",
    "form markup": 'GET /cats/{id}\n\nA page with `<form action="/dogs" method="POST">`.',
}


@pytest.mark.parametrize(("readme", "expected"), DECLARED.values(), ids=DECLARED)
def test_what_a_readme_declares(readme: str, expected: str) -> None:
    found = read_endpoints(readme)
    assert [str(endpoint) for endpoint in found.full] == expected.split(", ")
    assert found.how == "declared"
    assert read_endpoints(readme.replace("\n", "\r\n")) == found, "line ends make no difference"


@pytest.mark.parametrize("readme", NOT_DECLARED.values(), ids=NOT_DECLARED)
def test_what_it_only_mentions(readme: str) -> None:
    assert read_endpoints(readme).endpoints == [Endpoint("GET", "/cats/{id}")]


def test_sentences_count_where_nothing_is_declared_and_this_is_said() -> None:
    found = read_endpoints("Call GET /cats, then POST /cats/find.")
    assert ([str(e) for e in found.endpoints], found.how) == (["GET /cats", "POST /cats/find"], "mentioned")


@pytest.mark.parametrize(
    "readme", ["", "- User Login\n- Cat Search\n- UserCreate", "| GET | POST |", "POST requests"]
)
def test_nothing_is_made_up(readme: str) -> None:
    assert (read_endpoints(readme).endpoints, read_endpoints(readme).how) == ([], "none")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/cats/{id:[0-9]{2}}/toys", "/cats/{id}/toys"),
        ("{{base_url}}/cats", "/cats"),
        ("$HOST/cats", "/cats"),
        ("cats", "/cats"),
        ("//cats///toys", "/cats/toys"),
        ("/cats/[id]", "/cats/{id}"),
        ("/", "/"),
    ],
)
def test_paths_in_one_notation(path: str, expected: str) -> None:
    assert normalise(path) == expected


def test_examples_of_a_template() -> None:
    assert is_example_of("/cats/42", "/cats/{id}")
    assert is_example_of("/rooms/!r1:example.org/messages", "/rooms/{room}/messages")
    assert not is_example_of("/cats/me", "/cats/{id}"), "a name of its own"
    assert not is_example_of("/cats/{id}", "/cats/{cat_id}")
    assert not is_example_of("/cats/42/toys", "/cats/{id}")
