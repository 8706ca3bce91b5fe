"""The agents: adapters that turn a task into a command, and a log into a report."""

from __future__ import annotations

import importlib
from typing import cast

from study.agents.protocol import Agent
from study.design import AgentLevel
from study.schema import StudyError

ADAPTERS = {
    "absent": "study.agents.controls:Absent",
    "reference": "study.agents.controls:Reference",
    "command": "study.agents.command:Command",
    "simulated": "study.agents.simulated.adapter:Simulated",
}
"""Adapters of the package by the name that a design gives them. They are imported when first asked for."""


def adapter(level: AgentLevel) -> Agent:
    """The adapter of an agent level.

    Parameters
    ----------
    level : AgentLevel
        `level.adapter` is a name of `ADAPTERS`, or `module:Class` of your own; the class takes no
        arguments and has the methods of `study.agents.protocol.Agent`.

    Raises
    ------
    StudyError
        If there is no such adapter. The text says what was looked for, and where.
    """
    where = f"agents[{level.name}].adapter"
    target = ADAPTERS.get(level.adapter, level.adapter)
    module_name, colon, class_name = target.partition(":")
    if not colon:
        raise StudyError(
            f"{where}: unknown adapter {level.adapter!r}; there are {', '.join(sorted(ADAPTERS))}, "
            "or write `module:Class` for an adapter of your own"
        )
    try:
        found = getattr(importlib.import_module(module_name), class_name)
        made = found()
    except ImportError as error:
        raise StudyError(
            f"{where}: module {module_name!r} cannot be imported ({error}); install it, or start the study "
            "where Python finds it (PYTHONPATH)"
        ) from None
    except AttributeError:
        raise StudyError(f"{where}: module {module_name!r} has no class {class_name!r}") from None
    except TypeError as error:
        raise StudyError(f"{where}: {target!r} cannot be made without arguments: {error}") from None
    missing = [name for name in ("check", "ready", "launch", "report") if not callable(getattr(made, name, None))]
    if missing:
        raise StudyError(f"{where}: {target!r} is no agent; it has no method {', '.join(missing)}")
    return cast(Agent, made)
