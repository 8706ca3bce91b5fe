from __future__ import annotations

from study.agents.simulated.program.grow import HELPERS, add_docstring, add_endpoint, add_helper
from study.agents.simulated.program.text import apply

API = '@app.get("/health")\ndef health():\n    return {}\n\n\nROUTES = [1]\n'


def test_every_helper_is_valid_and_works() -> None:
    space: dict[str, object] = {}
    for text in HELPERS.values():
        exec(compile(text, "helper", "exec"), space)
    call = {name: value for name, value in space.items() if callable(value)}
    assert call["first_present"]({"a": None, "b": 2}, "a", "b") == 2
    assert call["clean_text"]("  x ") == "x"
    assert call["as_number"]("12", high=9) == 9
    assert call["is_truthy"]("Yes")
    assert list(call["pages"]([1, 2, 3], 2)) == [[1, 2], [3]]


def test_a_helper_goes_behind_the_last_definition() -> None:
    change = next(add_helper({"api.py": API}))
    changed = apply({"api.py": API}, change)
    assert changed is not None
    assert changed["api.py"].index("def first_present") < changed["api.py"].index("ROUTES")
    assert change.place == "api.py:first_present"


def test_the_extra_endpoint_is_health_under_another_route() -> None:
    for text, added in (
        (API, '@app.get("/status")\ndef health_status():\n'),
        ('ROUTES = {\n    ("GET", "/health"): health,\n}\n', '    ("GET", "/status"): health,\n'),
    ):
        (change,) = add_endpoint({"api.py": text})
        changed = apply({"api.py": text}, change)
        assert changed is not None
        assert added in changed["api.py"]
        assert list(add_endpoint(changed)) == []


def test_a_docstring_only_where_there_is_none() -> None:
    texts = {"a.py": 'def pay_fee(x):\n    return x\n\n\ndef lend():\n    """Lend."""\n'}
    (change,) = add_docstring(texts)
    changed = apply(texts, change)
    assert changed is not None
    assert changed["a.py"].startswith('def pay_fee(x):\n    """Pay fee."""\n    return x\n')
