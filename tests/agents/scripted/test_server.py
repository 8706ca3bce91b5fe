from __future__ import annotations

import json
import socket
import threading
import time

import httpx
import pytest
from pydantic import ValidationError

from study.agents.scripted import Case, Reply, Script, ScriptedServer, ScriptedUsage, WriteFile

USAGE = ScriptedUsage(input=1000, cache_read=200, cache_write=50, output=30, reasoning=7)
WRITE = Reply(write=WriteFile(path="a/b.py", text="x = 1\n"), usage=USAGE)
DONE = Reply(text="Done.", thought="It is written.", usage=USAGE)
TOOLS = {
    "messages": [{"name": "Write"}, {"name": "Bash"}],
    "responses": [{"type": "function", "name": "exec_command"}],
    "chat/completions": [{"type": "function", "function": {"name": "write_file"}}],
}


def script(*replies: Reply) -> Script:
    return Script(cases=[Case(replies=list(replies))])


def ask(
    server: ScriptedServer, protocol: str, *, answers: int = 0, prompt: str = "Go.", **more
) -> httpx.Response:
    user, model = {"role": "user", "content": prompt}, {"role": "assistant", "content": "..."}
    history = [user, *[model] * answers]
    key = "input" if protocol == "responses" else "messages"
    body = {"model": "m", key: history, "stream": True, "tools": TOOLS[protocol], **more}
    return httpx.post(
        f"{server.address}/v1/{protocol}", json=body, headers={"x-api-key": "k" * 9}, timeout=10
    )


def events(response: httpx.Response) -> list[dict]:
    lines = [line.removeprefix("data: ") for line in response.text.splitlines() if line.startswith("data: ")]
    return [json.loads(line) for line in lines if line != "[DONE]"]


def test_messages_have_input_without_the_cached_parts_and_the_output_at_the_end() -> None:
    with ScriptedServer(script(WRITE, DONE)) as server:
        first = events(ask(server, "messages", system="Working directory: /w\n"))
        last = events(ask(server, "messages", answers=1))
    start = next(e for e in first if e["type"] == "message_start")["message"]["usage"]
    end = next(e for e in first if e["type"] == "message_delta")["usage"]
    assert (start["input_tokens"], start["cache_read_input_tokens"], start["output_tokens"]) == (750, 200, 1)
    assert (end["cache_creation_input_tokens"], end["output_tokens"]) == (50, 30)
    block = next(e for e in first if e["type"] == "content_block_start")["content_block"]
    delta = next(e for e in first if e["type"] == "content_block_delta")["delta"]
    assert block["name"] == "Write"
    assert json.loads(delta["partial_json"]) == {"file_path": "/w/a/b.py", "content": "x = 1\n"}
    kinds = [e["delta"]["type"] for e in last if e["type"] == "content_block_delta"]
    assert kinds == ["thinking_delta", "text_delta"]


def test_responses_have_input_with_the_cached_parts() -> None:
    with ScriptedServer(script(WRITE, DONE)) as server:
        first = events(ask(server, "responses"))
        last = events(ask(server, "responses", answers=1))
    usage = first[-1]["response"]["usage"]
    assert (usage["input_tokens"], usage["output_tokens"], usage["total_tokens"]) == (1000, 30, 1030)
    assert usage["input_tokens_details"] == {"cached_tokens": 200, "cache_write_tokens": 50}
    (call,) = [e["item"] for e in first if e["type"] == "response.output_item.done"]
    assert call["name"] == "exec_command"
    assert "> a/b.py" in json.loads(call["arguments"])["cmd"]
    assert [e["item"]["type"] for e in last if e["type"] == "response.output_item.done"] == [
        "reasoning",
        "message",
    ]


@pytest.mark.parametrize("stream", [True, False])
def test_chat_completions_streaming_or_not(stream: bool) -> None:
    with ScriptedServer(script(WRITE, DONE)) as server:
        response = ask(server, "chat/completions", stream=stream)
    if stream:
        assert response.text.rstrip().endswith("data: [DONE]")
        found = events(response)
        call, usage = found[0]["choices"][0]["delta"]["tool_calls"][0], found[-1]["usage"]
    else:
        call, usage = response.json()["choices"][0]["message"]["tool_calls"][0], response.json()["usage"]
    assert json.loads(call["function"]["arguments"]) == {"file_path": "a/b.py", "content": "x = 1\n"}
    assert (usage["prompt_tokens"], usage["prompt_tokens_details"]["cached_tokens"]) == (1000, 200)


@pytest.mark.parametrize("protocol", TOOLS)
@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_errors_are_served_once_and_the_next_reply_follows(protocol: str, status: int) -> None:
    with ScriptedServer(script(Reply(status=status), DONE)) as server:
        failed = ask(server, protocol)
        assert (failed.status_code, ask(server, protocol).status_code) == (status, 200)
        assert str(status) in failed.json()["error"]["message"]
    assert [(seen.status, seen.authorised) for seen in server.seen] == [(status, True), (200, True)]


def test_a_reply_that_is_cut_off_breaks_the_stream() -> None:
    cut = script(DONE.model_copy(update={"cut_after": 2}))
    with ScriptedServer(cut) as server, pytest.raises(httpx.RemoteProtocolError):
        ask(server, "messages")


def test_silence_lasts_as_long_as_it_says_or_until_the_server_ends() -> None:
    with ScriptedServer(script(DONE.model_copy(update={"silence": 0.3}))) as server:
        begun = time.monotonic()
        assert ask(server, "messages").status_code == 200
        assert time.monotonic() - begun >= 0.3
    asked = threading.Event()
    silent = script(DONE.model_copy(update={"silence": 60}))
    with ScriptedServer(silent, lambda body: asked.set()) as server:
        found: list[type[Exception]] = []

        def wait() -> None:
            try:
                ask(server, "messages")
            except httpx.HTTPError as error:
                found.append(type(error))

        thread = threading.Thread(target=wait)
        thread.start()
        assert asked.wait(20)  # a busy machine may take its time to ask
    thread.join(20)
    assert found == [httpx.RemoteProtocolError]


def test_a_slow_stream() -> None:
    with ScriptedServer(script(DONE.model_copy(update={"pause": 0.05}))) as server:
        begun = time.monotonic()
        found = events(ask(server, "chat/completions"))
    assert time.monotonic() - begun >= 0.05 * (len(found) - 1)


def test_conversations_in_parallel_get_what_is_theirs() -> None:
    cases = [Case(match=name, replies=[Reply(text=f"{name} {n}") for n in (1, 2)]) for name in ("one", "two")]
    with ScriptedServer(Script(cases=cases)) as server:
        said = [
            ask(server, "chat/completions", prompt=name, answers=n, stream=False).json()["choices"][0][
                "message"
            ]
            for n in (0, 1)
            for name in ("one", "two")
        ]
        assert [message["content"] for message in said] == ["one 1", "two 1", "one 2", "two 2"]
        assert ask(server, "chat/completions", prompt="three").status_code == 400


def test_requests_beside_the_conversation_do_not_use_it_up() -> None:
    with ScriptedServer(script(WRITE)) as server:
        assert ask(server, "chat/completions", tools=[], stream=False).json()["choices"][0]["message"][
            "content"
        ]
        assert httpx.get(f"{server.address}/v1/models").status_code == 200
        assert httpx.head(server.address).status_code == 200
        assert (
            ask(server, "chat/completions", stream=False).json()["choices"][0]["finish_reason"]
            == "tool_calls"
        )
        assert httpx.post(f"{server.address}/v1/nothing", json={}).status_code == 404
    assert server.calls == 2


def test_the_server_listens_on_loopback_and_ends() -> None:
    with ScriptedServer(script(DONE)) as server:
        host, port = server.address.removeprefix("http://").split(":")
        assert host == "127.0.0.1"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((host, int(port)), timeout=1)


@pytest.mark.parametrize(
    "reply",
    [{}, {"text": "a", "run": "b"}, {"text": "a", "usage": {"input": 1, "cache_read": 2}}, {"status": 200}],
)
def test_a_script_that_makes_no_sense_is_refused(reply: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Reply.model_validate(reply)
