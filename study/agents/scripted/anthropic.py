"""The streaming Anthropic Messages protocol."""

from __future__ import annotations

from typing import Any

from study.agents.scripted.request import Request, texts, tool_call, working_directory
from study.agents.scripted.script import Reply

PATHS = ("/v1/messages",)
Event = tuple[str, dict[str, Any]]


def parse(body: dict[str, Any]) -> Request:
    """Read a request."""
    messages = body.get("messages", [])
    prompt = "\n".join(texts(m.get("content")) for m in messages if m.get("role") == "user")
    return Request(
        model=str(body.get("model", "")),
        prompt=prompt,
        turns=sum(m.get("role") == "assistant" for m in messages),
        tools=frozenset(str(tool.get("name")) for tool in body.get("tools") or []),
        stream=bool(body.get("stream")),
        folder=working_directory(texts(body.get("system")) + prompt),
    )


def events(reply: Reply, request: Request, number: int) -> list[Event]:
    """Answer with the events of a stream."""
    blocks: list[tuple[dict[str, Any], dict[str, Any]]] = []
    block: dict[str, Any]
    if reply.thought is not None:
        block = {"type": "thinking", "thinking": "", "signature": ""}
        blocks.append((block, {"type": "thinking_delta", "thinking": reply.thought}))
    call = tool_call(reply, request)
    if call is None:
        blocks.append(({"type": "text", "text": ""}, {"type": "text_delta", "text": reply.text}))
    else:
        block = {"type": "tool_use", "id": f"toolu_{number}", "name": call.name, "input": {}}
        blocks.append((block, {"type": "input_json_delta", "partial_json": call.json}))
    answer = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": request.model}
    start: dict[str, Any] = {
        **answer,
        "content": [],
        "stop_reason": None,
        "usage": _usage(reply) | {"output_tokens": 1},
    }
    out: list[Event] = [("message_start", {"message": start})]
    for index, (block, delta) in enumerate(blocks):
        out.append(("content_block_start", {"index": index, "content_block": block}))
        out.append(("content_block_delta", {"index": index, "delta": delta}))
        out.append(("content_block_stop", {"index": index}))
    end = {"stop_reason": "end_turn" if call is None else "tool_use", "stop_sequence": None}
    out.append(("message_delta", {"delta": end, "usage": _usage(reply)}))
    out.append(("message_stop", {}))
    return [(name, {"type": name, **data}) for name, data in out]


def failure(status: int) -> dict[str, Any]:
    """The body of an error."""
    kinds = {400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error"}
    return {
        "type": "error",
        "error": {"type": kinds.get(status, "api_error"), "message": f"script: {status}"},
    }


def _usage(reply: Reply) -> dict[str, Any]:
    """Here the input is what is left without the cached parts."""
    usage = reply.usage
    return {
        "input_tokens": usage.input - usage.cache_read - usage.cache_write,
        "cache_read_input_tokens": usage.cache_read,
        "cache_creation_input_tokens": usage.cache_write,
        "output_tokens": usage.output,
        "output_tokens_details": {"thinking_tokens": usage.reasoning},
    }
