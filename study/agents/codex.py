"""Codex as the vendor ships it, without a terminal.

Differences from the vendor's defaults: approvals and the command's own sandbox are bypassed, as in the paper
(the study's confinement takes its place); the web is off; no update check and no analytics; a model provider
that talks HTTP at once, because the built-in one first tries web sockets. The paper used high effort.
"""

from __future__ import annotations

from typing import Literal

from study.agents.cli_agent import CliAgent, CliSettings, toml_string
from study.agents.install import Package
from study.agents.protocol import Task

VENDOR = "https://api.openai.com/v1"
_PROVIDER_KEY = "STUDY_CODEX_KEY"


class CodexSettings(CliSettings):
    """Settings of the adapter `codex`."""

    effort: Literal["minimal", "low", "medium", "high", "xhigh"] | None = "high"
    """`model_reasoning_effort`. High, as in the paper; null for the vendor's default of the model."""
    sandbox: Literal["danger-full-access", "workspace-write"] = "danger-full-access"
    """The command's own sandbox. `workspace-write` also takes the network from its tools, which the other
    agents' tools have."""


class Codex(CliAgent[CodexSettings]):
    """Adapter for Codex."""

    package = Package(
        name="codex",
        manager="npm",
        requirement="@openai/codex",
        version="0.171.0",
        # the native program: the one of npm is a launcher that needs Node.js, and dies without its child
        programs=("node_modules/@openai/codex-*/vendor/*/bin/codex",),
    )
    key = "OPENAI_API_KEY"
    address = "OPENAI_BASE_URL"
    log = "codex"
    settings_type = CodexSettings

    def command(self, task: Task, settings: CodexSettings, program: list[str]) -> list[str]:
        free = settings.sandbox == "danger-full-access"
        sandbox = ["--dangerously-bypass-approvals-and-sandbox"] if free else ["-s", settings.sandbox]
        options = ["--json", "--strict-config", "--skip-git-repo-check", *sandbox, "-C", str(task.workspace)]
        return [*program, "exec", *options, *settings.arguments, "-"]

    def environment(self, task: Task, settings: CodexSettings, base_url: str | None) -> dict[str, str]:
        # Were CODEX_HOME below the temporary folder, as it is where HOME is in /tmp, it would not write its
        # helper programs there, and then its sandbox fails for every command while the run ends as if well.
        return {"CODEX_HOME": str(task.home / ".codex"), "TMPDIR": str(task.home / "tmp")}

    def key_variable(self) -> str:
        return _PROVIDER_KEY

    def files(self, task: Task, settings: CodexSettings, base_url: str | None) -> dict[str, str]:
        effort = [f"model_reasoning_effort = {toml_string(settings.effort)}"] if settings.effort else []
        lines = [
            f"model = {toml_string(task.level.model or '')}",
            *effort,
            'web_search = "disabled"',
            "check_for_update_on_startup = false",
            'model_provider = "study"',
            "[analytics]",
            "enabled = false",
            "[model_providers.study]",
            'name = "study"',
            f"base_url = {toml_string(base_url or VENDOR)}",
            'wire_api = "responses"',
            f"env_key = {toml_string(_PROVIDER_KEY)}",
        ]
        return {".codex/config.toml": "\n".join(lines) + "\n", "tmp/.keep": ""}

    def unkept(self, task: Task) -> list[str]:
        given = {"agent_turns": task.limits.agent_turns, "agent_usd": task.limits.agent_usd}
        return [
            f"codex has no option for limits.{name}; it was not kept"
            for name, value in given.items()
            if value
        ]
