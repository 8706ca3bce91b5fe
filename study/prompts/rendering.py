"""Fill a prompt template with what it may say about one target service.

A template is Markdown with the fields `{{ service }}`, `{{ system }}`, `{{ requirements }}`,
`{{ directory }}`, `{{ language }}`, `{{ framework }}`, `{{ summary }}` and `{{ minutes }}`; a template that
uses `summary` needs a stored implementation summary for each target service of the design. `minutes`, the
agent's time limit, is defined only where the design says `tell_deadline: true`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import jinja2
from jinja2 import meta

from study.projects.loading import LoadedProject
from study.projects.manifest import Service
from study.schema import StudyError, read_text

TEMPLATES = Path(__file__).parent / "templates"
SUMMARIES = Path(__file__).parent / "summaries"
FIELDS = {"service", "system", "requirements", "directory", "language", "framework", "summary", "minutes"}

# The text goes to a coding agent and not to a browser: escaping would change what the agent reads.
_ENVIRONMENT = jinja2.Environment(
    undefined=jinja2.StrictUndefined, keep_trailing_newline=True, trim_blocks=True, lstrip_blocks=True
)


def list_templates() -> list[str]:
    """Names of the prompts that come with the package."""
    return sorted(path.stem for path in TEMPLATES.glob("*.md") if not path.stem.startswith("_"))


def load_template(prompt: str, base: Path | None = None) -> str:
    """The text of a template: a name of the package, or the path of a `.md` file of your own.

    Parameters
    ----------
    prompt : str
        The level of the factor *prompt* as the design file has it.
    base : Path, optional
        The folder that a relative path starts from: that of the design file.

    Raises
    ------
    StudyError
        If there is no such template, or it uses a field that does not exist.
    """
    path = TEMPLATES / f"{prompt}.md"
    if prompt.endswith(".md"):
        path = (base or Path()) / prompt
    if not path.is_file():
        raise StudyError(
            f"no prompt template {prompt!r}; there are {', '.join(list_templates())}, "
            "or give the path of a .md file of your own, relative to the design file"
        )
    text = read_text(path)
    try:
        unknown = fields_of(text) - FIELDS
    except jinja2.TemplateSyntaxError as error:
        raise StudyError(f"{path}: line {error.lineno}: {error.message}") from None
    if unknown:
        raise StudyError(
            f"{path}: unknown field {', '.join(sorted(unknown))}; known are {', '.join(sorted(FIELDS))}"
        )
    return text


def fields_of(template: str) -> set[str]:
    return meta.find_undeclared_variables(_ENVIRONMENT.parse(template))


def summary_of(loaded: LoadedProject, service: Service) -> str:
    """The stored implementation summary of a target service."""
    path = SUMMARIES / loaded.project.name / f"{service.name}.md"
    if service.summary:
        path = loaded.manifest.parent / service.summary
    if not path.is_file():
        raise StudyError(
            f"no implementation summary of {loaded.project.name}/{service.name}: {path.name} is missing. "
            "Write it with `study prompt summary-request` and name it under `summary:` in the manifest"
        )
    return read_text(path).strip()


def check_deadline(template: str, where: str, *, told: bool) -> None:
    """Raise StudyError if a template and the design disagree on whether the agent is told its time limit."""
    if told and "minutes" not in fields_of(template):
        raise StudyError(
            f"{where}: has no {{{{ minutes }}}}, and the design says `tell_deadline: true`; write the "
            "field into the template, or remove `tell_deadline`"
        )
    blank = dict.fromkeys(FIELDS - {"minutes"}, "")
    try:
        _ENVIRONMENT.from_string(template).render(blank | ({"minutes": "1"} if told else {}))
    except jinja2.UndefinedError:
        raise StudyError(
            f"{where}: uses {{{{ minutes }}}}, and the design does not say `tell_deadline: true`; write "
            "that, or put the sentence between {% if minutes is defined %} and {% endif %}"
        ) from None


def check_prompt(template: str, loaded: LoadedProject, service: Service) -> None:
    """Raise StudyError if the template cannot be filled for this service."""
    if "summary" in fields_of(template):
        summary_of(loaded, service)


def render(
    template: str, loaded: LoadedProject, service: Service, deadline_seconds: float | None = None
) -> str:
    """The prompt for one target service; it tells the time limit only if that is given."""
    more = {} if deadline_seconds is None else {"minutes": f"{deadline_seconds / 60:g}"}
    return _fill(template, loaded, service, more)


def render_summary_request(loaded: LoadedProject, service: Service) -> str:
    """The prompt that asks a model for the seven-section implementation summary of a service."""
    return _fill((TEMPLATES / "_summary_request.md").read_text(encoding="utf-8"), loaded, service)


def _fill(
    template: str, loaded: LoadedProject, service: Service, more: Mapping[str, str] | None = None
) -> str:
    project = loaded.project
    values = {
        **(more or {}),
        "service": service.name,
        "system": project.title,
        "requirements": project.requirements,
        "directory": service.directory,
        "language": project.language.capitalize(),
        "framework": project.framework,
    }
    if "summary" in fields_of(template):
        values["summary"] = summary_of(loaded, service)
    return _ENVIRONMENT.from_string(template).render(values)
