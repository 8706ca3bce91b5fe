"""Prompts: P1 `minimal`, P2 `summary`, and templates of your own."""

from study.prompts.rendering import (
    check_deadline,
    check_prompt,
    load_template,
    render,
    render_summary_request,
    summary_of,
)

__all__ = [
    "check_deadline",
    "check_prompt",
    "load_template",
    "render",
    "render_summary_request",
    "summary_of",
]
