"""A model server that follows a script: for tests, and to see what an agent's run would record.

It listens on loopback only and speaks the three protocols that agents use, Anthropic Messages, OpenAI
Responses and OpenAI chat completions, as far as a scripted conversation needs them.
"""

from study.agents.scripted.script import Case, Reply, Script, ScriptedUsage, WriteFile
from study.agents.scripted.server import ScriptedServer

__all__ = ["Case", "Reply", "Script", "ScriptedServer", "ScriptedUsage", "WriteFile"]
