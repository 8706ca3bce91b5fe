"""The OpenAI chat completions protocol, streaming or not."""

from __future__ import annotations

from typing import Any

from study.agents.scripted.request import Request, texts, tool_call, working_directory
from study.agents.scripted.responses import failure
from study.agents.scripted.script import Reply

__all__ = ["PATHS", "body", "events", "failure", "parse"]

PATHS = ("/v1/chat/completions", "/chat/completions")
Event = tuple[str, dict[str, Any]]


def parse(body: dict[str, Any]) -> Request:
    """Read a request."""
    messages = body.get("messages", [])
    prompt = "\n".join(texts(m.get("content")) for m in messages if m.get("role") == "user")
    system = "\n".join(texts(m.get("content")) for m in messages if m.get("role") == "system")
    return Request(
        model=str(body.get("model", "")),
        prompt=prompt,
        turns=sum(m.get("role") == "assistant" for m in messages),
        tools=frozenset(str(tool.get("function", {}).get("name")) for tool in body.get("tools") or []),
        stream=bool(body.get("stream")),
        folder=working_directory(system + prompt),
    )


def events(reply: Reply, request: Request, number: int) -> list[Event]:
    """Answer with the chunks of a stream; they have no names."""
    message, reason = _message(reply, request, number)
    calls = [{"index": index, **call} for index, call in enumerate(message.get("tool_calls", []))]
    delta = message | ({"tool_calls": calls} if calls else {})
    base = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": request.model,
    }
    first = {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    last = {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}
    return [("", base | chunk) for chunk in (first, last, {"choices": [], "usage": _usage(reply)})]


def body(reply: Reply, request: Request, number: int) -> dict[str, Any]:
    """Answer with one object."""
    message, reason = _message(reply, request, number)
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 0,
        "model": request.model,
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": _usage(reply),
    }


def _message(reply: Reply, request: Request, number: int) -> tuple[dict[str, Any], str]:
    thought = {} if reply.thought is None else {"reasoning_content": reply.thought}
    call = tool_call(reply, request)
    if call is None:
        return {"role": "assistant", "content": reply.text, **thought}, "stop"
    function = {"name": call.name, "arguments": call.json}
    calls = [{"id": f"call_{number}", "type": "function", "function": function}]
    return {"role": "assistant", "content": None, "tool_calls": calls, **thought}, "tool_calls"


def _usage(reply: Reply) -> dict[str, Any]:
    """Here too the input includes the cached part."""
    usage = reply.usage
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
        "prompt_tokens_details": {"cached_tokens": usage.cache_read},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }
