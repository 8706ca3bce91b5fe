"""Constants and types of the tests with real command lines."""

from __future__ import annotations

from dataclasses import dataclass

from study.agents.protocol import ProcessResult, Report, Task
from study.agents.scripted import Reply, ScriptedServer, ScriptedUsage, WriteFile

MODELS = {
    "claude-code": "claude-sonnet-4-20250514",
    "codex": "gpt-5",
    "qwen-code": "qwen3-coder-480b-a35b",
    "mini-swe-agent": "gpt-5",
}
KEYS = {"ANTHROPIC_API_KEY": "sk-ant-0123456789", "OPENAI_API_KEY": "sk-oai-0123456789"}
FIRST = ScriptedUsage(input=1000, cache_read=200, cache_write=50, output=30, reasoning=7)
LAST = ScriptedUsage(input=1500, cache_read=900, cache_write=60, output=20, reasoning=5)
WRITE = Reply(write=WriteFile(path="services/greeter/rules.py", text="X = 1\n"), usage=FIRST)
DONE = Reply(text="All done.", usage=LAST)


@dataclass
class Ran:
    """What one run of a real command line left."""

    report: Report
    result: ProcessResult
    task: Task
    server: ScriptedServer
