"""One run from workspace to record: generate, evaluate, measure. Each stage can be run again alone."""

from __future__ import annotations

import hashlib
import math
import threading
from dataclasses import dataclass
from pathlib import Path

from study.agents import adapter
from study.agents.protocol import ProcessResult, Report, Task
from study.budget import attempt_of
from study.design import Run
from study.evaluation import Harvest, evaluate, harvest
from study.evaluation.harvest import diff_against, project_test_files
from study.evaluation.suites import Place
from study.exposure import check_launch, hidden_folders
from study.files import remove_tree, snapshot, write_atomically
from study.plan import Plan
from study.quality import measure
from study.records.stages import Attempt, Evaluation, Generation, Manipulation, Quality, RunRecord
from study.records.store import EVALUATION, GENERATION, QUALITY, RUN, read_stage, write_record, write_stage
from study.redaction import redact_tree
from study.sandbox import run_confined
from study.scenarios import prepare
from study.schema import Kind, StudyError
from study.scratch import scratch_folder

DIGEST = "digest.txt"
"""Of all that determined the stages in a run's folder; `run.json`, which has it too, comes last."""


@dataclass(frozen=True)
class RunContext:
    """Where one run happens and what it belongs to."""

    plan: Plan
    run: Run
    folder: Path
    """results/<experiment>/<run id>"""
    cancel: threading.Event
    """Set when the user wants to stop: the run's processes end, and nothing is recorded."""

    @property
    def generated(self) -> Path:
        return self.folder / "generated"


def execute(context: RunContext) -> RunRecord:
    """Do what is not done yet of one run, and write `run.json` last."""
    of = (context.run.run_id, context.plan.digest(context.run))
    generation = read_stage(context.folder / GENERATION, Generation, *of) if _is_current(context) else None
    if generation is None or generation.outcome == "infrastructure_error":
        generation = generate(context)
    evaluation = read_stage(context.folder / EVALUATION, Evaluation, *of) or evaluate_run(context, generation)
    return finish(context, generation, evaluation)


def _is_current(context: RunContext) -> bool:
    """Whether the stages of a run that was cut off belong to the design as it is now."""
    try:
        return (context.folder / DIGEST).read_text() == context.plan.digest(context.run) + "\n"
    except (OSError, ValueError):
        return False


def generate(context: RunContext) -> Generation:
    """Prepare the workspace, let the agent work in it, and take out what it wrote."""
    plan, run, folder = context.plan, context.run, context.folder
    before = read_stage(folder / GENERATION, Generation, run.run_id)
    earlier = [*before.earlier, attempt_of(before)] if before else []
    remove_tree(folder)
    folder.mkdir(parents=True)
    loaded, service = plan.projects[run.project], plan.service(run)
    tree, level = plan.trees[run.project], plan.design.agent(run.agent)
    prompt = plan.prompt(run)
    write_atomically(folder / "prompt.txt", prompt)
    write_atomically(folder / DIGEST, plan.digest(run) + "\n")
    # A neutral place: neither the path nor a parent folder tells the agent which run this is.
    with scratch_folder() as room:
        workspace, home = room / "workspace", room / "home"
        home.mkdir()
        manipulation = prepare(loaded.project, service, plan.scenarios[run.scenario], tree, workspace)
        original = snapshot(workspace)
        agent = adapter(level)
        hidden = hidden_folders(plan, folder.parent, run)
        seed, limits = run.seed(plan.design.seed), plan.design.limits
        task = Task(run, level, loaded.project, service, prompt, workspace, home, tree, seed, limits)
        launch = agent.launch(task)
        check_launch(level, launch.readable, hidden)
        ended = run_confined(
            launch,
            workspace=workspace,
            home=home,
            logs=folder / "agent",
            seconds=limits.agent_seconds,
            limits=limits,
            cancel=context.cancel,
            hidden=hidden,
        )
        _keep_folder(workspace)
        redact_tree(workspace, launch.secrets)
        report = agent.report(task, ended)
        suites = [file for s in loaded.project.services for file in (*s.unit.files, *s.integration.files)]
        taken = harvest(service, project_test_files(tree, suites), original, workspace, context.generated)
        changed = [*taken.elsewhere, *taken.test_edits]
        if changed:
            write_atomically(folder / "elsewhere.diff", diff_against(tree, workspace, changed))
    generation = _generation(report, ended, taken, manipulation, prompt, earlier)
    write_stage(folder / GENERATION, generation, run.run_id, plan.digest(run))
    return generation


def _keep_folder(workspace: Path) -> None:
    """An agent that is confined plainly can put a link in the workspace's place; it is not followed."""
    if workspace.is_symlink() or not workspace.is_dir():
        workspace.unlink(missing_ok=True)
        workspace.mkdir()


def _generation(
    report: Report,
    ended: ProcessResult,
    taken: Harvest,
    manipulation: Manipulation,
    prompt: str,
    earlier: list[Attempt],
) -> Generation:
    outcome, reason = report.outcome, report.reason
    if outcome == "completed" and not taken.written:
        outcome, reason = "no_output", "the agent ended without a file in the target's directory"
    return Generation(
        outcome=outcome,
        reason=reason,
        usage=report.usage,
        model=report.model,
        version=report.version,
        session_id=report.session_id,
        end=report.end,
        tools=report.tools,
        log=report.log,
        cost=report.cost,
        problems=report.problems,
        planted=report.planted,
        timed=report.timed,
        manipulation=manipulation,
        prompt_sha256=hashlib.sha256(prompt.encode()).hexdigest(),
        confinement=ended.confinement,
        exit_code=ended.exit_code,
        wall_seconds=round(ended.wall_seconds, 3),
        leftovers=ended.leftovers,
        files_written=taken.written,
        files_elsewhere=taken.elsewhere,
        test_edits=taken.test_edits,
        refused_files=taken.refused,
        earlier=earlier,
    )


def evaluate_run(context: RunContext, generation: Generation) -> Evaluation:
    """Score what was generated; a run that failed through no fault of the agent is not scored."""
    plan, run = context.plan, context.run
    if generation.outcome == "infrastructure_error":
        evaluation = Evaluation(
            oracle=plan.scenarios[run.scenario].oracle, suite="not_evaluated", reason=generation.reason
        )
    else:
        context.generated.mkdir(exist_ok=True)
        evaluation = evaluate(
            plan.projects[run.project],
            plan.service(run),
            plan.scenarios[run.scenario].oracle,
            plan.trees[run.project],
            context.generated,
            plan.design.limits,
            Place(
                logs=context.folder / "oracle",
                repeat=run.replicate if run.is_control else 1,
                cancel=context.cancel,
                hidden=tuple(hidden_folders(plan, context.folder.parent)),
            ),
        )
    write_stage(context.folder / EVALUATION, evaluation, run.run_id, _generated_under(context))
    return evaluation


def measure_run(context: RunContext) -> Quality | None:
    """Size and complexity of what was generated; None if nothing was."""
    if not any(context.generated.rglob("*")):
        return None
    service = context.plan.service(context.run)
    language = context.plan.projects[context.run.project].project.language
    quality = measure(context.generated, service.main, service.exclude, language)
    own = {name: _own_metric(name, context) for name in context.plan.metrics}
    quality = quality.model_copy(update={"metrics": own})
    write_record(context.folder / QUALITY, quality)
    return quality


def _own_metric(name: str, context: RunContext) -> float | None:
    """Call the user's function, which may do anything."""
    try:
        value = context.plan.metrics[name](context.generated)
        if value is not None and not math.isfinite(value):
            raise ValueError(f"it is {value}; return None where there is no number")
        return None if value is None else float(value)
    except (Exception, SystemExit) as error:
        raise StudyError(
            f"metrics: {name!r} fails on {context.generated}: {type(error).__name__}: {error}"
        ) from None


def finish(context: RunContext, generation: Generation, evaluation: Evaluation) -> RunRecord:
    """Measure, put the stages together, and write `run.json`."""
    record = record_of(context, generation, evaluation, measure_run(context))
    write_record(context.folder / RUN, record)
    return record


def record_of(
    context: RunContext, generation: Generation, evaluation: Evaluation, quality: Quality | None
) -> RunRecord:
    """The stages of a run put together."""
    run = context.run
    return RunRecord(
        run_id=run.run_id,
        kind=_kind(context),
        agent=run.agent,
        project=run.project,
        service=run.service,
        scenario=run.scenario,
        prompt=run.prompt,
        replicate=run.replicate,
        digest=_generated_under(context),
        generation=generation,
        evaluation=evaluation,
        quality=quality,
    )


def _generated_under(context: RunContext) -> str:
    """The digest at generation: scoring or measuring again later must not make an old run look current."""
    try:
        return (context.folder / DIGEST).read_text().strip()
    except OSError:  # the run broke before anything was generated
        return context.plan.digest(context.run)


def _kind(context: RunContext) -> Kind:
    return context.plan.design.agent(context.run.agent).kind
