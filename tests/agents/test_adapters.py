"""The adapters of real command lines, as far as they can be told without running one."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from study.agents import MODELS, adapter
from study.agents.cli_agent import CliAgent
from study.agents.install import MARKER
from study.agents.protocol import Launch
from study.design import AgentLevel, Limits
from study.schema import StudyError

KEY = "sk-0123456789"


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache with all agents in it, which are no programs, and a key."""
    monkeypatch.setenv("STUDY_CACHE", str(tmp_path / "cache"))
    for name in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, KEY)
    for name in ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name in MODELS:
        package = agent(name).package
        program = package.folder() / package.programs[0].replace("*", "any")
        program.parent.mkdir(parents=True)
        program.write_text("")
        program.chmod(0o755)
        (package.folder() / MARKER).write_text("{}")


def agent(name: str) -> CliAgent[Any]:
    made = adapter(AgentLevel(name=name, adapter=name))
    assert isinstance(made, CliAgent)
    return made


def level(name: str, **settings: object) -> AgentLevel:
    return AgentLevel(name="mine", adapter=name, model=MODELS[name], settings=settings)


@pytest.fixture
def launch(make_task: Callable[..., Any]) -> Callable[..., Launch]:
    seeds = iter(range(10))

    def make(name: str, limits: Limits | None = None, **settings: object) -> Launch:
        task = make_task(level(name, base_url="http://127.0.0.1:1/v1", **settings), seed=next(seeds))
        object.__setattr__(task, "limits", limits or Limits())
        return agent(name).launch(task)

    return make


@pytest.mark.parametrize("name", MODELS)
def test_the_key_is_a_secret_and_nothing_else(launch, name: str) -> None:
    made = launch(name)
    assert list(made.secrets.values()) == [KEY]
    assert KEY not in repr(made)
    assert KEY not in json.dumps([made.command, made.environment, made.files, made.stdin])
    assert made.readable == [agent(name).package.folder()]


@pytest.mark.parametrize("name", ["claude-code", "codex", "qwen-code"])
def test_the_prompt_is_on_stdin(launch, name: str) -> None:
    made = launch(name)
    assert made.stdin == "Write the service.\n"
    assert "Write the service." not in " ".join(made.command)


def test_claude_code_is_run_as_the_paper_ran_it(launch) -> None:
    made = launch("claude-code", effort="low", limits=Limits(agent_turns=9, agent_usd=2.5))
    said = " ".join(made.command)
    for words in (
        "-p --output-format stream-json --verbose --dangerously-skip-permissions",
        "--model claude-sonnet-4-20250514",
        "--disallowedTools WebSearch,WebFetch",
        "--setting-sources user",
        "--effort low",
        "--max-turns 9",
        "--max-budget-usd 2.5",
    ):
        assert words in said
    assert made.environment["IS_SANDBOX"] == "1"
    assert made.environment["ANTHROPIC_BASE_URL"] == "http://127.0.0.1:1/v1"
    plain = " ".join(launch("claude-code").command)
    assert "--effort" not in plain
    assert "--max-" not in plain


def test_codex_has_high_effort_no_web_and_a_temporary_folder_beside_its_home(make_task) -> None:
    task = make_task(level("codex"))
    made = agent("codex").launch(task)
    config = tomllib.loads(made.files[".codex/config.toml"])
    assert (config["model"], config["model_reasoning_effort"], config["web_search"]) == (
        "gpt-5",
        "high",
        "disabled",
    )
    provider = config["model_providers"]["study"]
    assert provider["base_url"] == "https://api.openai.com/v1", "the vendor's"
    assert list(made.secrets) == [provider["env_key"]]
    home, temp = Path(made.environment["CODEX_HOME"]), Path(made.environment["TMPDIR"])
    assert home.is_relative_to(task.home)
    assert not home.is_relative_to(temp)
    assert "--dangerously-bypass-approvals-and-sandbox" in made.command
    assert made.command[-1] == "-"
    vendor = agent("codex").launch(make_task(level("codex", effort=None, sandbox="workspace-write"), seed=2))
    assert "model_reasoning_effort" not in vendor.files[".codex/config.toml"]
    assert " ".join(vendor.command).count("-s workspace-write") == 1


def test_a_model_name_cannot_leave_its_place_in_the_configuration(make_task) -> None:
    odd = AgentLevel(name="odd", adapter="codex", model='x"\nweb_search = "live')
    config = tomllib.loads(agent("codex").launch(make_task(odd)).files[".codex/config.toml"])
    assert (config["model"], config["web_search"]) == (odd.model, "disabled")


def test_qwen_code_is_run_with_the_node_that_came_with_it(launch) -> None:
    made = launch("qwen-code", limits=Limits(agent_turns=3))
    assert made.command[0].endswith("/node_modules/node/bin/node")
    assert made.command[2].endswith("/node_modules/@qwen-code/qwen-code/cli.js")
    assert "--exclude-tools web_fetch --max-session-turns 3" in " ".join(made.command)
    assert made.environment["OPENAI_MODEL"] == "qwen3-coder-480b-a35b"


def test_mini_swe_agent_gets_its_task_in_a_file(launch) -> None:
    made = launch("mini-swe-agent", limits=Limits(agent_turns=3, agent_usd=1.5))
    given = json.loads(made.files[".mini/task.yaml"])
    assert (given["run"]["task"], given["agent"]["step_limit"]) == ("Write the service.\n", 3)
    assert "--cost-limit 1.5" in " ".join(made.command)
    assert made.environment["OPENAI_API_BASE"] == "http://127.0.0.1:1/v1"


def test_the_address_of_the_service_may_come_from_the_variable(
    make_task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:2/v1")
    made = agent("qwen-code").launch(make_task(level("qwen-code")))
    assert made.environment["OPENAI_BASE_URL"] == "http://127.0.0.1:2/v1"
    assert made.secrets == {"OPENAI_API_KEY": KEY}


@pytest.mark.parametrize(
    ("name", "changes", "said"),
    [
        ("codex", {"model": None}, "agents[mine].model: is missing"),
        ("codex", {"model": "gpt-99"}, "agents[mine].model: no price of 'gpt-99'"),
        ("codex", {"settings": {"efort": "low"}}, "agents[mine].settings: efort: unknown key"),
        ("codex", {"settings": {"effort": "extreme"}}, "agents[mine].settings: effort: "),
        ("codex", {"settings": {"key": "NO_SUCH_KEY"}}, "the environment variable NO_SUCH_KEY is not set"),
        (
            "codex",
            {"settings": {"program": "/nowhere/codex"}},
            "settings.program: no program '/nowhere/codex'",
        ),
        (
            "codex",
            {"settings": {"readable": ["nowhere"]}},
            "settings.readable: no such file or folder: nowhere",
        ),
        ("codex", {"version": "0.1.0"}, "run `study agents install codex --version 0.1.0`"),
        ("qwen-code", {}, "settings.base_url: is missing; give the address of the model's service"),
    ],
)
def test_what_is_missing_is_named_with_the_way_out(name: str, changes: dict[str, Any], said: str) -> None:
    wrong = AgentLevel.model_validate({"name": "mine", "adapter": name, "model": MODELS[name]} | changes)
    with pytest.raises(StudyError) as error:
        agent(name).check(wrong)
        agent(name).ready(wrong)
    assert said in str(error.value)


def test_a_key_too_short_to_be_found_in_logs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with pytest.raises(StudyError, match="has fewer than 6 characters") as error:
        agent("codex").ready(level("codex"))
    assert "none" not in str(error.value)


def test_the_fingerprint_tells_versions_apart() -> None:
    other = level("codex").model_copy(update={"version": "0.170.0"})
    assert agent("codex").fingerprint(level("codex")) != agent("codex").fingerprint(other)
