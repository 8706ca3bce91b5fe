"""The commands `study agents ...`: what is installed, install it, try it without a key."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from study.schema import StudyError

if TYPE_CHECKING:
    from study.agents.check import Checked
    from study.agents.install import Package
    from study.design import AgentLevel

agents_app = typer.Typer(no_args_is_help=True, help="List, install and check the agents' command lines.")
out = Console()

NamesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        help="Adapters, or designs (names or paths) for the agents in them; all adapters by default."
    ),
]


@agents_app.command("list")
def agents_list(names: NamesArgument = None) -> None:
    """List the agents: version wanted, versions found, and which variable must hold the key."""
    import os
    import shutil

    from study.cache import cache_folder

    rows = [("agent", "version", "found", "key")]
    for level in _levels(names):
        package, keys = _package(level), _keys(level)
        wanted = level.version or (package.version if package else "own program")
        found = ", ".join(package.installed()) if package else ""
        if package is not None and package.program(level.version) is None:
            found = f"{found or 'none'}; missing: " + (
                "npm, which installs it"
                if package.manager == "npm" and shutil.which("npm") is None
                else "study agents install"
            )
        held = "; ".join(f"{key} {'is set' if os.environ.get(key) else 'is NOT set'}" for key in keys)
        rows.append((level.name, wanted, found, held))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for row in rows:  # no table of fixed width: names of variables must not be cut
        line = "  ".join(f"{value:<{width}}" for value, width in zip(row, widths, strict=True))
        out.print(line.rstrip(), soft_wrap=True, markup=False, highlight=False)
    out.print(f"installations: {cache_folder('agents')}", soft_wrap=True, markup=False, highlight=False)


@agents_app.command("install")
def agents_install(
    names: NamesArgument = None,
    version: Annotated[
        str | None, typer.Option("--version", help="Another version than the pinned one; for one agent.")
    ] = None,
) -> None:
    """Install agents into the user's cache, in pinned versions; nothing else is changed."""
    from study.agents.install import install

    levels = _levels(names)
    if version and len(levels) != 1:
        raise StudyError("--version: give the name of one agent with it")
    for level in levels:
        package = _package(level)
        if package is None:
            out.print(f"{level.name}: its program is not installed by the study", markup=False)
            continue
        program = install(package, version or level.version)
        out.print(f"{level.name}: {program}", soft_wrap=True, markup=False, highlight=False)


@agents_app.command("check")
def agents_check(names: NamesArgument = None) -> None:
    """Run agents once against a scripted model server on this machine, and say what would be recorded."""
    from study.agents.check import check_agent

    broken = 0
    for level in _levels(names):
        try:
            checked = check_agent(level)
        except StudyError as error:
            broken += 1
            out.print(f"{level.name}: {error}\n", soft_wrap=True, markup=False, highlight=False)
            continue
        broken += not checked.works
        out.print("\n".join(_lines(level, checked)) + "\n", soft_wrap=True, markup=False, highlight=False)
    raise typer.Exit(1 if broken else 0)


@agents_app.command("serve")
def agents_serve(
    script: Annotated[
        Path, typer.Argument(help="What the model says, YAML: `cases` as in study/agents/scripted/script.py.")
    ],
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0: any that is free.")] = 8080,
) -> None:
    """Serve a scripted model on this machine until Ctrl-C, for runs without a key: `settings.base_url`."""
    import signal

    from study.agents.scripted import Script, ScriptedServer
    from study.schema import parse, read_yaml

    said = parse(Script, read_yaml(script), str(script))
    try:
        server = ScriptedServer(said, port=port)
    except OSError as error:
        raise StudyError(f"--port {port}: {error.strerror}; give another, or 0 for any") from None
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell has the first ignored in the background
        signal.signal(number, lambda *_: server.stopped.set())
    with server:
        out.print(f"base_url: {server.address} (claude-code)", highlight=False)
        out.print(f"base_url: {server.address}/v1 (all others)", highlight=False)
        out.print("it asks for no key, but agents do: set theirs to anything; Ctrl-C ends it")
        server.stopped.wait()
    out.print(f"{server.calls} requests of scripted conversations")


def _lines(level: AgentLevel, checked: Checked) -> list[str]:
    """What was recorded, in words."""
    report, usage, cost = checked.report, checked.report.usage, checked.report.cost
    calls = [seen for seen in checked.seen if seen.method == "POST"]
    said = {
        "outcome": f"{report.outcome}: {report.reason}",
        "confinement": checked.confinement,
        "version, model": f"{_said(report.version)}, {_said(report.model)}",
        "requests": f"{len(calls)}, {sum(seen.side for seen in calls)} of them beside the conversation",
        "files written": ", ".join(checked.written) or "none",
        "input tokens": f"{_said(usage.input_fresh_tokens)} fresh, "
        f"{_said(usage.cache_read_tokens)} read from, {_said(usage.cache_write_tokens)} written to a cache",
        "output tokens": f"{_said(usage.output_tokens)}, {_said(usage.reasoning_tokens)} of them reasoning",
        "turns, tools": f"{_said(usage.turns)}, {report.tools or 'not told'}",
        "cost in USD": "no price"
        if cost is None
        else f"{_said(cost.list_usd)} at the list price, {_said(cost.cached_usd)} with the cache, "
        f"{_said(usage.cost_usd)} as the agent says",
        "problems": "; ".join(report.problems) or "none",
    }
    verdict = "works" if checked.works else "does NOT work"
    return [f"{level.name}: {verdict}", *(f"  {name:<15}{value}" for name, value in said.items())]


def _said(value: object) -> str:
    return "not told" if value is None else str(value)


def _levels(names: list[str] | None) -> list[AgentLevel]:
    """The agents that names of adapters and paths of designs stand for; those that are no real ones aside."""
    from study.agents import MODELS
    from study.design import AgentLevel, load_design

    levels: list[AgentLevel] = []
    for name in names or list(MODELS):
        if name in MODELS:
            levels.append(AgentLevel(name=name, adapter=name, model=MODELS[name]))
            continue
        try:
            design = load_design(name)
        except StudyError as error:
            if name.endswith((".yaml", ".yml")):
                raise
            raise StudyError(
                f"no adapter {name!r}; there are {', '.join(MODELS)}; or a design: {error}"
            ) from None
        levels += [a for a in design.agents if a.adapter in {*MODELS, "command"}]
    return levels


def _package(level: AgentLevel) -> Package | None:
    """What is to be installed; None for a program of the user's own."""
    from study.agents import adapter
    from study.agents.cli_agent import CliAgent
    from study.agents.command import installation_of

    agent = adapter(level)
    if isinstance(agent, CliAgent):
        return None if agent.settings(level).program else agent.package
    return installation_of(level)


def _keys(level: AgentLevel) -> list[str]:
    from study.agents import adapter
    from study.agents.cli_agent import CliAgent

    agent = adapter(level)
    if isinstance(agent, CliAgent):
        return [agent.settings(level).key or agent.key]
    return [str(key) for key in level.settings.get("keys", [])]
