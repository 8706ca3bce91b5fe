from __future__ import annotations

import re
from pathlib import Path

import pytest

from study.projects import load_project
from study.projects.loading import LoadedProject
from study.prompts import (
    check_deadline,
    check_prompt,
    load_template,
    render,
    render_summary_request,
    summary_of,
)
from study.schema import StudyError

DEMO = ["library-desk", "market-hall", "parcel-post", "clinic-rota"]
SECTIONS = [
    "Purpose",
    "Interface",
    "Data model",
    "Business rules",
    "Collaborators",
    "Configuration",
    "Error handling",
]


def test_minimal_says_the_five_things(toy: LoadedProject) -> None:
    text = render(load_template("minimal"), toy, toy.service("greeter"))
    headings = re.findall(r"^# (.+)$", text, re.MULTILINE)
    assert headings == ["Role", "Task", "Target", "Requirements", "Instructions"]
    assert "Service: greeter" in text
    assert "Directory: services/greeter" in text
    assert "`README.md`" in text
    assert "{{" not in text


@pytest.mark.parametrize("name", DEMO)
def test_stored_summaries_have_seven_sections(name: str) -> None:
    loaded = load_project(name)
    for service in loaded.project.targets:
        summary = summary_of(loaded, service)
        assert re.findall(r"^## (.+)$", summary, re.MULTILINE) == SECTIONS
        assert len(summary.split()) <= 400
        assert summary in render(load_template("summary"), loaded, service)


def test_the_summary_request_asks_for_the_same_sections(toy: LoadedProject) -> None:
    text = render_summary_request(toy, toy.service("greeter"))
    assert ", ".join(SECTIONS) in text
    assert "services/greeter" in text


def test_a_template_of_your_own(toy: LoadedProject, tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("<b>{{ service }}</b> & {{ language }}\n")
    template = load_template("mine.md", tmp_path)
    assert render(template, toy, toy.service("greeter")) == "<b>greeter</b> & Python\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{ servcie }}", "unknown field servcie; known are directory"),
        ("{{ service", "line 1"),
        ("{% for %}", "line 1"),
    ],
)
def test_a_mistake_in_a_template_is_named(tmp_path: Path, text: str, expected: str) -> None:
    (tmp_path / "mine.md").write_text(text)
    with pytest.raises(StudyError) as caught:
        load_template("mine.md", tmp_path)
    assert expected in str(caught.value)
    assert "mine.md" in str(caught.value)


def test_a_missing_summary_is_named_before_any_run(toy: LoadedProject) -> None:
    with pytest.raises(StudyError, match="no implementation summary of toy/greeter"):
        check_prompt(load_template("summary"), toy, toy.service("greeter"))
    check_prompt(load_template("minimal"), toy, toy.service("greeter"))


@pytest.mark.parametrize("name", ["minimal", "summary"])
def test_the_deadline_is_told_only_on_request(name: str) -> None:
    loaded = load_project("library-desk")
    service = loaded.service("loan-service")
    silent = render(load_template(name), loaded, service).splitlines()
    told = render(load_template(name), loaded, service, deadline_seconds=1200).splitlines()
    assert [line for line in told if line not in silent] == [
        "- You have 20 minutes. What is in the target directory then is your result."
    ]
    assert [line for line in told if line in silent] == silent


def test_a_template_and_the_design_agree_on_the_deadline() -> None:
    check_deadline("{% if minutes is defined %}{{ minutes }}{% endif %}", "mine.md", told=False)
    check_deadline("{{ minutes }} minutes for {{ service }}", "mine.md", told=True)
    with pytest.raises(StudyError, match=r"^mine.md: has no \{\{ minutes \}\}"):
        check_deadline("{{ service }}", "mine.md", told=True)
    with pytest.raises(StudyError, match=r"^mine.md: uses \{\{ minutes \}\}, and the design does not"):
        check_deadline("{{ minutes }}", "mine.md", told=False)
