"""What a scripted model says: data, so that a test or a check shows all of it at once."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from study.schema import Model


class ScriptedUsage(Model):
    """Tokens of one call; each protocol reports them in its own way."""

    input: int = Field(1000, ge=0)
    """All input, cached or not."""
    cache_read: int = Field(0, ge=0)
    """Part of the input."""
    cache_write: int = Field(0, ge=0)
    """Part of the input. Chat completions cannot tell it."""
    output: int = Field(30, ge=0)
    reasoning: int = Field(0, ge=0)
    """Part of the output."""

    @model_validator(mode="after")
    def _parts(self) -> Self:
        if self.cache_read + self.cache_write > self.input or self.reasoning > self.output:
            raise ValueError("a part is larger than the whole")
        return self


class WriteFile(Model):
    """A file that the model writes with whatever tool the agent offers."""

    path: str
    """Relative to the agent's working directory."""
    text: str


class Reply(Model):
    """The answer to one request: a tool call, a text, or a failure."""

    write: WriteFile | None = None
    run: str | None = None
    """A shell command that the model asks for."""
    text: str | None = None
    thought: str | None = None
    """Reasoning text before the answer, where the protocol can carry it."""
    usage: ScriptedUsage = ScriptedUsage()
    status: int | None = Field(None, ge=400, le=599)
    """Answer with this HTTP status instead."""
    silence: float = Field(0, ge=0)
    """Seconds to wait before the answer; the server's end ends the wait."""
    pause: float = Field(0, ge=0)
    """Seconds between two events of the stream."""
    cut_after: int | None = Field(None, ge=0)
    """Break the connection after so many events."""

    @model_validator(mode="after")
    def _one_answer(self) -> Self:
        given = [name for name in ("write", "run", "text", "status") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"give one of write, run, text, status; got {', '.join(given) or 'none'}")
        return self

    @property
    def fails(self) -> bool:
        """Whether the agent gets no whole answer, and so will not show it in its next request."""
        return self.status is not None or self.cut_after is not None


class Case(Model):
    """Replies for the conversations whose prompt holds a text."""

    match: str = ""
    """Empty: any conversation."""
    replies: list[Reply] = Field(min_length=1)
    """In this order; the last is repeated without end."""


class Script(Model):
    """All that the server will say; the first case that matches counts."""

    cases: list[Case] = Field(min_length=1)

    def case(self, prompt: str) -> Case | None:
        """The case for a conversation with these words of the user."""
        return next((case for case in self.cases if case.match in prompt), None)
