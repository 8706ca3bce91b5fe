"""Qwen Code as the vendor ships it, without a terminal.

Differences from the vendor's defaults: permissions are bypassed, as in the paper; the web is off; no updates,
no usage statistics and no telemetry. Its own installation brings the Node.js that it asks for.
"""

from __future__ import annotations

import json
from pathlib import Path

from study.agents.cli_agent import CliAgent, CliSettings
from study.agents.install import Package
from study.agents.protocol import Task


class QwenCodeSettings(CliSettings):
    """Settings of the adapter `qwen-code`."""


class QwenCode(CliAgent[QwenCodeSettings]):
    """Adapter for Qwen Code, which the paper calls Code Qwen."""

    package = Package(
        name="qwen-code",
        manager="npm",
        requirement="@qwen-code/qwen-code",
        version="0.24.4",
        # the script itself: the program beside it is a launcher that leaves its child alone when it is killed
        programs=("node_modules/node/bin/node",),
        beside=("node@22.23.3",),
    )
    key = "OPENAI_API_KEY"
    address = "OPENAI_BASE_URL"
    needs_address = True
    log = "qwen_code"
    settings_type = QwenCodeSettings

    def start(self, program: Path) -> list[str]:
        if program.name != "node":
            return [str(program)]
        modules = program.parents[2]
        return [str(program), "--expose-gc", str(modules / "@qwen-code" / "qwen-code" / "cli.js")]

    def command(self, task: Task, settings: QwenCodeSettings, program: list[str]) -> list[str]:
        turns = task.limits.agent_turns
        return [
            *program,
            *("--yolo", "--auth-type", "openai", "--output-format", "stream-json"),
            *("--exclude-tools", "web_fetch"),
            *(("--max-session-turns", str(turns)) if turns else ()),
            *settings.arguments,
        ]

    def environment(self, task: Task, settings: QwenCodeSettings, base_url: str | None) -> dict[str, str]:
        return {
            "OPENAI_BASE_URL": base_url or "",
            "OPENAI_MODEL": task.level.model or "",
            "QWEN_CODE_NO_RELAUNCH": "true",
            "QWEN_CODE_SUPPRESS_YOLO_WARNING": "1",
        }

    def files(self, task: Task, settings: QwenCodeSettings, base_url: str | None) -> dict[str, str]:
        own = {
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "general": {"enableAutoUpdate": False},
        }
        return {".qwen/settings.json": json.dumps(own)}

    def unkept(self, task: Task) -> list[str]:
        usd = task.limits.agent_usd
        return ["qwen-code has no option for limits.agent_usd; it was not kept"] if usd else []
