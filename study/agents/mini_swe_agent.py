"""mini-SWE-agent with any model behind an OpenAI-compatible address, a local one for instance.

Differences from its defaults: no confirmation; no limit on cost but the design's (its own is 3 USD); a model
whose price its library does not know is no error, since the study has its own prices.
"""

from __future__ import annotations

import json

from study.agents.cli_agent import CliAgent, CliSettings
from study.agents.install import Package
from study.agents.logs import SESSIONS
from study.agents.protocol import Task

_TASK = ".mini/task.yaml"


class MiniSweAgentSettings(CliSettings):
    """Settings of the adapter `mini-swe-agent`."""

    command_seconds: int = 120
    """Time limit of one shell command. Its default, 30 s, is shorter than many a build."""


class MiniSweAgent(CliAgent[MiniSweAgentSettings]):
    """Adapter for mini-SWE-agent."""

    package = Package(
        name="mini-swe-agent",
        manager="pip",
        requirement="mini-swe-agent",
        version="2.4.6",
        programs=("venv/bin/mini",),
    )
    key = "OPENAI_API_KEY"
    address = "OPENAI_BASE_URL"
    needs_address = True
    log = "mini_swe_agent"
    settings_type = MiniSweAgentSettings

    def command(self, task: Task, settings: MiniSweAgentSettings, program: list[str]) -> list[str]:
        return [
            *program,
            *("--yolo", "--exit-immediately", "--cost-limit", f"{task.limits.agent_usd or 0:g}"),
            *("--model", f"openai/{task.level.model}"),
            *("--config", "mini.yaml", "--config", str(task.home / _TASK)),
            *("--output", str(task.home / SESSIONS[self.log][0])),
            *settings.arguments,
        ]

    def environment(self, task: Task, settings: MiniSweAgentSettings, base_url: str | None) -> dict[str, str]:
        return {
            "OPENAI_API_BASE": base_url or "",
            "MSWEA_CONFIGURED": "true",
            "MSWEA_SILENT_STARTUP": "1",
            "MSWEA_COST_TRACKING": "ignore_errors",
            "MSWEA_GLOBAL_CONFIG_DIR": str(task.home / ".mini"),
            "LITELLM_LOCAL_MODEL_COST_MAP": "True",
        }

    def files(self, task: Task, settings: MiniSweAgentSettings, base_url: str | None) -> dict[str, str]:
        """The task in a file: on the command line it could be too long; JSON is YAML."""
        agent = {"step_limit": task.limits.agent_turns or 0}
        environment = {"timeout": settings.command_seconds}
        return {_TASK: json.dumps({"run": {"task": task.prompt}, "agent": agent, "environment": environment})}
