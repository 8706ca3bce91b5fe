from __future__ import annotations

import json
from pathlib import Path

from study.agents.protocol import Launch
from study.design import Limits
from study.redaction import redact, redact_text, redact_tree
from study.sandbox import run_confined

KEY = 'sk-"quoted"/+1234'
SECRETS = {"MY_KEY": KEY}


def test_a_value_is_found_in_the_forms_that_logs_have() -> None:
    assert redact_text(f"key={KEY};", SECRETS) == "key=[redacted: MY_KEY];"
    assert KEY[3:9] not in redact_text(json.dumps({"env": f"MY_KEY={KEY}"}), SECRETS)
    assert redact_text("https://a/?k=sk-%22quoted%22%2F%2B1234", SECRETS) == "https://a/?k=[redacted: MY_KEY]"
    assert redact(b"\xff" + KEY.encode(), SECRETS) == b"\xff[redacted: MY_KEY]"


def test_a_value_too_short_to_be_told_apart_is_left() -> None:
    assert redact_text("abc", {"K": "b"}) == "abc"


def test_a_tree_is_changed_only_where_a_key_is(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/with.py").write_text(f"KEY = '{KEY}'\n")
    (tmp_path / "a/without.py").write_text("X = 1\n")
    before = (tmp_path / "a/without.py").stat().st_mtime_ns
    redact_tree(tmp_path, SECRETS)
    assert (tmp_path / "a/with.py").read_text() == "KEY = '[redacted: MY_KEY]'\n"
    assert (tmp_path / "a/without.py").stat().st_mtime_ns == before


def test_the_process_has_the_key_and_its_logs_do_not(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    launch = Launch(
        command=["sh", "-c", 'printf "%s" "$MY_KEY" | wc -c; echo "$MY_KEY"; echo "$MY_KEY" >&2'],
        secrets=SECRETS,
    )
    assert KEY not in repr(launch)
    ended = run_confined(
        launch,
        workspace=workspace,
        home=tmp_path / "home",
        logs=tmp_path / "logs",
        seconds=20,
        limits=Limits(),
    )
    length, shown = ended.stdout.read_text().split("\n", 1)
    assert int(length) == len(KEY)
    assert shown == ended.stderr.read_text() == "[redacted: MY_KEY]\n"
    missing = Launch(command=[f"/nowhere/{KEY}"], secrets=SECRETS)
    ended = run_confined(
        missing,
        workspace=workspace,
        home=tmp_path / "home",
        logs=tmp_path / "logs",
        seconds=20,
        limits=Limits(),
    )
    assert ended.ended == "not_started"
    assert KEY not in ended.message
