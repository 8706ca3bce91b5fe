"""The streaming OpenAI Responses protocol."""

from __future__ import annotations

import itertools
from typing import Any

from study.agents.scripted.request import Request, texts, tool_call, working_directory
from study.agents.scripted.script import Reply

PATHS = ("/v1/responses",)
Event = tuple[str, dict[str, Any]]
_ANSWERS = {"function_call", "custom_tool_call"}


def parse(body: dict[str, Any]) -> Request:
    """Read a request."""
    items = [item for item in body.get("input", []) if isinstance(item, dict)]
    said = "\n".join(texts(item.get("content")) for item in items if item.get("role") == "user")
    # models with code mode get their tools as an item of the input
    more = itertools.chain(*(i.get("tools", []) for i in items if i.get("type") == "additional_tools"))
    tools = [tool for tool in [*(body.get("tools") or []), *more] if isinstance(tool, dict)]
    return Request(
        model=str(body.get("model", "")),
        prompt=said,
        turns=sum(item.get("type") in _ANSWERS or item.get("role") == "assistant" for item in items),
        tools=frozenset(str(tool.get("name", tool.get("type"))) for tool in tools),
        stream=bool(body.get("stream")),
        folder=working_directory(said),
    )


def events(reply: Reply, request: Request, number: int) -> list[Event]:
    """Answer with the events of a stream."""
    items: list[dict[str, Any]] = []
    if reply.thought is not None:
        summary = [{"type": "summary_text", "text": reply.thought}]
        items.append({"type": "reasoning", "id": f"rs_{number}", "summary": summary})
    call = tool_call(reply, request)
    if call is None:
        content: list[Any] = [{"type": "output_text", "text": reply.text, "annotations": []}]
        items.append({"type": "message", "role": "assistant", "id": f"msg_{number}", "content": content})
    elif call.free_text is not None:
        items.append(
            {
                "type": "custom_tool_call",
                "id": f"ctc_{number}",
                "call_id": f"call_{number}",
                "name": call.name,
                "input": call.free_text,
            }
        )
    else:
        items.append(
            {
                "type": "function_call",
                "id": f"fc_{number}",
                "call_id": f"call_{number}",
                "name": call.name,
                "arguments": call.json,
            }
        )
    answer = {"id": f"resp_{number}", "object": "response", "model": request.model}
    out: list[Event] = [("response.created", {"response": {**answer, "status": "in_progress", "output": []}})]
    for index, item in enumerate({**item, "status": "completed"} for item in items):
        out.append(("response.output_item.added", {"output_index": index, "item": item}))
        out.append(("response.output_item.done", {"output_index": index, "item": item}))
    end = {**answer, "status": "completed", "output": items, "usage": _usage(reply)}
    out.append(("response.completed", {"response": end}))
    return [(name, {"type": name, "sequence_number": n, **data}) for n, (name, data) in enumerate(out)]


def failure(status: int) -> dict[str, Any]:
    """The body of an error."""
    kinds = {400: "invalid_request_error", 401: "invalid_api_key", 429: "rate_limit_exceeded"}
    kind = kinds.get(status, "server_error")
    return {"error": {"type": kind, "code": kind, "message": f"script: {status}", "param": None}}


def _usage(reply: Reply) -> dict[str, Any]:
    """Here the input includes the cached parts."""
    usage = reply.usage
    return {
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": usage.cache_read, "cache_write_tokens": usage.cache_write},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.input + usage.output,
    }
