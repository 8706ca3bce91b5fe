"""Claude Code as the vendor ships it, without a terminal.

Differences from the vendor's defaults: permissions are bypassed, as in the paper; the web is off; no MCP
server and no settings but those of the run's own, empty HOME (no CLAUDE.md or AGENTS.md of the workspace's
parents); no updates and no telemetry.
"""

from __future__ import annotations

from typing import Literal

from study.agents.cli_agent import CliAgent, CliSettings
from study.agents.install import Package
from study.agents.protocol import Task


class ClaudeCodeSettings(CliSettings):
    """Settings of the adapter `claude-code`."""

    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None
    """How much the model thinks; the vendor's default for the model if not given."""


class ClaudeCode(CliAgent[ClaudeCodeSettings]):
    """Adapter for Claude Code."""

    package = Package(
        name="claude-code",
        manager="npm",
        requirement="@anthropic-ai/claude-code",
        version="2.1.332",
        programs=("node_modules/@anthropic-ai/claude-code/bin/claude.exe", "node_modules/.bin/claude"),
    )
    key = "ANTHROPIC_API_KEY"
    address = "ANTHROPIC_BASE_URL"
    log = "claude_code"
    settings_type = ClaudeCodeSettings

    def command(self, task: Task, settings: ClaudeCodeSettings, program: list[str]) -> list[str]:
        limits = task.limits
        return [
            *program,
            *("-p", "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions"),
            *("--model", task.level.model or ""),
            *("--disallowedTools", "WebSearch,WebFetch"),
            *("--strict-mcp-config", "--setting-sources", "user"),
            *(("--effort", settings.effort) if settings.effort else ()),
            *(("--max-turns", str(limits.agent_turns)) if limits.agent_turns else ()),
            *(("--max-budget-usd", f"{limits.agent_usd:g}") if limits.agent_usd else ()),
            *settings.arguments,
        ]

    def environment(self, task: Task, settings: ClaudeCodeSettings, base_url: str | None) -> dict[str, str]:
        return {
            **({"ANTHROPIC_BASE_URL": base_url} if base_url else {}),
            # without it the command refuses to bypass permissions for root, the user of most containers
            "IS_SANDBOX": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
            "DISABLE_AUTOUPDATER": "1",
        }
