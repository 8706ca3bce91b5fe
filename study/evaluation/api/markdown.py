"""The little of Markdown that matters for finding endpoints."""

from __future__ import annotations

import re


def plain(text: str) -> str:
    """A line without the marks of Markdown: list, heading, quote, emphasis, code, link."""
    text = re.sub(r"^\s*(?:>\s*)*(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?)?(?:\d+(?:\.\d+)*[.)]\s+)?", "", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\*\*|__|`|(?<!\S)\*(?=\S)|(?<=\S)\*(?!\S)", "", text).strip()


def split_fences(text: str) -> tuple[list[str], dict[str, tuple[str, str]]]:
    """Lines outside code fences, each fence replaced by a mark, and language and text by mark."""
    lines: list[str] = []
    fences: dict[str, tuple[str, str]] = {}
    inside: list[str] | None = None
    language, closing = "", ""
    for line in text.split("\n"):
        opening = re.match(r"\s*(`{3,}|~{3,})\s*([\w+-]*)", line)
        if inside is None and opening:
            inside, closing, language = [], opening[1], opening[2].lower()
        elif inside is not None and line.strip().startswith(closing) and not line.strip().strip("`~"):
            mark = f"\0fence {len(fences)}"
            fences[mark] = (language, "\n".join(inside))
            lines.append(mark)
            inside = None
        else:
            (lines if inside is None else inside).append(line)
    return [*lines, *(inside or [])], fences
