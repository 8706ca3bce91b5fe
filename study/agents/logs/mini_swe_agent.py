"""Logs of mini-SWE-agent: the trajectory file, written again after each step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from study.agents.jsonl import look_up
from study.agents.logs.parts import (
    SESSION,
    block_text,
    mapping,
    note_disagreement,
    shortened,
    whole_number,
)
from study.agents.tokens import Tokens, total
from study.agents.trajectory import AgentLog, End, moment

TRAJECTORY = "trajectory.json"
SESSIONS = [TRAJECTORY]
_ENDS: dict[str, End] = {
    "Submitted": "completed",
    "LimitsExceeded": "turn_limit",
    "TimeExceeded": "time_limit",
}
_SERVICE = {
    "APIConnectionError": None,
    "APIError": None,
    "AuthenticationError": 401,
    "BadGatewayError": 502,
    "BadRequestError": 400,
    "InternalServerError": 500,
    "NotFoundError": 404,
    "PermissionDeniedError": 403,
    "RateLimitError": 429,
    "ServiceUnavailableError": 503,
    "Timeout": None,
}
"""Exceptions of its client library that tell of the model's service, with their HTTP status."""
_NOT_EXECUTED = "action was not executed"


def read(folder: Path) -> AgentLog:
    """Read the logs of one run."""
    log = AgentLog(tells_failures=False)  # it tries again without a word in its trajectory
    try:
        data = json.loads((folder / SESSION / TRAJECTORY).read_bytes())
    except (OSError, ValueError, RecursionError):
        return log
    if not isinstance(data, dict):
        return log
    log.version = look_up(data, "info.mini_version")
    messages = data.get("messages")
    for message in messages if isinstance(messages, list) else []:
        if isinstance(message, dict):
            _add_message(log, message)
    calls = log.of("api_call")
    for model in dict.fromkeys(str(call.model) for call in calls):
        log.tokens[model] = total(c.tokens for c in calls if c.model == model and c.tokens is not None)
        log.model = model
    if log.end == "turn_limit" and not _ran_out_of_turns(data):
        log.end = "cost_limit"
    log.complete = log.end != "unsaid"
    cost = whole_number(look_up(data, "info.model_stats.instance_cost"))
    log.cost_usd = cost or None  # 0 stands for a model whose price it does not know
    return log


def _ran_out_of_turns(data: dict[str, Any]) -> bool:
    """Its two limits have one name: whether it was the one on turns."""
    turns = whole_number(look_up(data, "info.config.agent.step_limit"))
    calls = whole_number(look_up(data, "info.model_stats.api_calls"))
    return bool(turns) and (calls is None or turns is None or calls >= turns)


def _add_message(log: AgentLog, message: dict[str, Any]) -> None:
    role, extra = message.get("role"), mapping(message.get("extra"))
    time = moment(extra.get("timestamp"))
    response = extra.get("response")
    if isinstance(response, dict):  # also below a message of the user: the answer that could not be used
        _add_call(log, response, time)
    if role == "assistant":
        _add_answer(log, message, time)
    elif role == "tool":
        text = str(extra.get("raw_output", message.get("content")))
        failed: bool | None = extra.get("returncode") not in (None, 0)
        if extra.get("exception_info") == _NOT_EXECUTED:  # the command by which it says that it is done
            text, failed = _NOT_EXECUTED, None
        log.add("tool_result", call_id=message.get("tool_call_id"), text=text, failed=failed, time=time)
    elif role == "exit":
        _add_end(log, message, extra)


def _add_answer(log: AgentLog, message: dict[str, Any], time: Any) -> None:
    if thought := message.get("reasoning_content"):
        log.add("thought", text=str(thought), time=time)
    if text := message.get("content"):
        log.add("message", text=text if isinstance(text, str) else block_text(text), time=time)
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        name, given = str(look_up(call, "function.name")), look_up(call, "function.arguments")
        log.tools[name] += 1
        try:
            arguments = json.loads(given)
        except (ValueError, TypeError):
            arguments = given
        arguments = arguments if isinstance(arguments, dict) else str(arguments)
        log.add("tool_call", tool=name, call_id=str(call.get("id")), arguments=arguments, time=time)


def _add_call(log: AgentLog, response: dict[str, Any], time: Any) -> None:
    usage = mapping(response.get("usage"))
    try:
        tokens = Tokens.of_whole(
            usage.get("prompt_tokens"),
            look_up(usage, "prompt_tokens_details.cached_tokens"),
            look_up(usage, "prompt_tokens_details.cache_creation_tokens"),
            usage.get("completion_tokens"),
            look_up(usage, "completion_tokens_details.reasoning_tokens"),
        )
    except ValueError as error:
        log.problems.append(str(error))
        tokens = Tokens()
    note_disagreement(log, tokens, usage.get("total_tokens"))
    log.add("api_call", call_id=response.get("id"), model=response.get("model"), tokens=tokens, time=time)


def _add_end(log: AgentLog, message: dict[str, Any], extra: dict[str, Any]) -> None:
    status = str(extra.get("exit_status", ""))
    log.end = _ENDS.get(status, "api_error" if status in _SERVICE else "error")
    log.status = _SERVICE.get(status)
    if log.end != "completed":
        log.message = shortened(f"{status}: {message.get('content')}")
