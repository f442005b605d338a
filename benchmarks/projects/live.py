"""Tasks solved by a language model as `tdgen fill` does, and by the same model asked once; both judged and kept.

A task may be given as an addition instead, as `tdgen add` reads it: of these none is asked once.

The judge is the library's own tests, which no prompt shows: a task whose context names a module of tests is refused.
Of each task its answers are kept as scripts beside a record of what came of them; what is kept is played again without
a model, and must give the same record.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import NamedTuple

from projects.measuring import Opened, given_back, taken_out
from projects.tasks import Task, addition, run_tests
from tdgen.batch.lines import folder_name
from tdgen.client import Handed
from tdgen.client.projects import ProjectGenerator, mounted
from tdgen.errors import BudgetSpent, InputError, OutOfScope, PlanError, ReplyError
from tdgen.models import TranscribedModel
from tdgen.models.scripted import ScriptedModel, script_from
from tdgen.project.task import ProjectTask
from tdgen.protocols import Message, Model, Request
from tdgen.replies import find_code
from tdgen.runtime import Runtime
from tdgen.settings import Settings
from tdgen.types import Frozen, Usage

WHO = "a language model"
"""Who answered, as kept answers tell it."""
_ASK = "Answer with one block of Python: {} with its body, and what else it needs (imports, helpers) beside it."


class Kept(Frozen):
    """What came of a task: how tdgen ended, whether its code and the code asked for once are right, what each cost.

    One that was `added` was asked for as an addition, and nobody was asked once.
    """

    task: str
    added: bool = False
    outcome: str
    reason: str = ""
    right: bool = False
    once_right: bool = False
    once_reason: str = ""
    usage: Usage = Usage()
    once_usage: Usage = Usage()

    @property
    def is_green(self) -> bool:
        """Whether tdgen says that it is right."""
        return self.outcome == "green"


class Models(NamedTuple):
    """Who answers: None for the settings' endpoint."""

    fill: Model | None = None
    once: Model | None = None


def solve(
    task: Task,
    place: Opened,
    logs: Path,
    kept: Path,
    settings: Settings,
    model: Model | None = None,
    *,
    added: bool = False,
) -> Kept:
    """Solve and judge a task, and keep what plays it again; one that is kept already is given back as it is.

    `logs` has the transcripts, and a cache from which a run that was cut off goes on. `added` as in `Kept`.
    """
    name = folder_name(task.id)
    if (kept / name / "record.json").exists():
        return read_kept(kept / name)
    own = logs / name
    changed = settings.changed(cache_dir=str(logs / "cache"), transcript=str(own / "fill"))
    models = Models(model, model)
    found = _added(task, place, changed, models) if added else _tried(task, place, changed, models, own / "once")
    (kept / name).mkdir(parents=True, exist_ok=True)
    for part in ("fill",) if added else ("fill", "once"):
        script_from(own / part).model_copy(update={"model": WHO}).save(kept / name / f"{part}.json")
    (kept / name / "record.json").write_text(found.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return found


def play(task: Task, place: Opened, folder: Path, settings: Settings) -> tuple[Kept, str]:
    """What comes of a task's kept answers, and in what it differs from its record: empty where in nothing."""
    before = read_kept(folder)
    fill = ScriptedModel.load(folder / "fill.json")
    with tempfile.TemporaryDirectory() as scratch:
        changed = settings.changed(cache_dir=str(Path(scratch, "cache")))
        if before.added:
            found = _added(task, place, changed, Models(fill))
        else:
            once = ScriptedModel.load(folder / "once.json")
            found = _tried(task, place, changed, Models(fill, once), Path(scratch, "once"))
    names = ("outcome", "right", "once_right")
    told = [f"{name} was {getattr(before, name)}, is {getattr(found, name)}" for name in names]
    changes = [line for name, line in zip(names, told, strict=True) if getattr(before, name) != getattr(found, name)]
    return found, ", ".join(changes)


def read_kept(folder: Path) -> Kept:
    """A task's record; InputError where it is none."""
    try:
        return Kept.model_validate_json((folder / "record.json").read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(f"{folder / 'record.json'} can't be read: {str(error).splitlines()[0]}") from None


def _tried(task: Task, place: Opened, settings: Settings, models: Models, transcript: Path) -> Kept:
    """Both ways in turn, on the stub in the working copy; InputError where it can't be told what is right."""
    with taken_out(task, place) as (filling, _):
        found = _solved(task, place, filling, settings, models)
        usage, text, reason = _asked_once(task, filling, settings, models.once, transcript)
    is_once_right = bool(text) and is_right(task, place, text)
    return found.model_copy(update={"once_right": is_once_right, "once_reason": reason, "once_usage": usage})


def _added(task: Task, place: Opened, settings: Settings, models: Models) -> Kept:
    """The unit taken out of the working copy and added; InputError as of `_tried`."""
    try:
        adding = addition(task, place.copy, place.index_folder)
        return _solved(task, place, adding, settings, models).model_copy(update={"added": True})
    finally:
        (place.copy / task.module.path).write_bytes(task.module.data)


def _solved(task: Task, place: Opened, asked: ProjectTask, settings: Settings, models: Models) -> Kept:
    if not place.checkout.report.complete:
        raise InputError(f"{task.library.id}: its own tests did not end as it is, so some of them would judge nothing")
    if shown := shown_tests(asked):
        raise InputError(f"{task.id}: its context shows {', '.join(shown)}")
    with ProjectGenerator(mounted(asked), settings, model=models.fill) as generator:
        try:
            solution = generator.solve(asked.instruction, Handed(target=asked.target))
        except (PlanError, OutOfScope, BudgetSpent) as error:
            return Kept(task=task.id, outcome="failed", reason=str(error))
    return Kept(
        task=task.id,
        outcome="green" if solution.all_tests_passed else solution.results[0].outcome,
        reason="; ".join(result.reason for result in solution.results if result.reason),
        right=is_right(task, place, solution.module_source),
        usage=solution.usage,
    )


def shown_tests(filling: ProjectTask) -> list[str]:
    """The modules of tests that the context of a task shows."""
    context = f"{filling.target.context}\n{filling.target.coded_beside}"
    folders = {"test", "tests"}
    is_test = {
        name: not folders.isdisjoint(PurePath(filling.project.relative(source.file)).parts)
        or source.file.name.startswith("test_")
        or source.file.stem.endswith("_test")
        for name, source in filling.index.sources.items()
    }
    return [name for name in is_test if is_test[name] and f"# module {name}\n" in f"{context}\n"]


def is_right(task: Task, place: Opened, text: str) -> bool:
    """Whether the library's tests pass that noticed the loss, and those that passed without the body or with it.

    What a run has not come to is run once more by itself: a busy machine is no fault of the code.
    """
    wanted = {*task.noticing, *(test for test in place.checkout.passing if test.partition("::")[0] in task.files)}
    laid = {task.module.name: text}
    outcomes: Mapping[str, str] = run_tests(place.sandbox, task.files, laid).outcomes
    if left := tuple(dict.fromkeys(test.partition("::")[0] for test in sorted(wanted - outcomes.keys()))):
        outcomes = {**run_tests(place.sandbox, left, laid).outcomes, **outcomes}
    return all(outcomes.get(test) == "passed" for test in wanted)


def _asked_once(
    task: Task, filling: ProjectTask, settings: Settings, model: Model | None, transcript: Path
) -> tuple[Usage, str, str]:
    """What one prompt with the same context costs, the module with its answer laid in, and why there is none."""
    target = filling.target
    what = f"the class `{task.unit.owner}` with this method alone" if task.unit.owner else "the function"
    shown = {
        "project": target.context,
        "stands_there": target.text_of(next(iter(target.units))),
        "code_beside_it": target.coded_beside,
    }
    parts = [f"<{tag}>\n{text.strip()}\n</{tag}>" for tag, text in shown.items() if text.strip()]
    prompt = "\n\n".join([*parts, filling.instruction, _ASK.format(what)])
    request = Request(purpose="implement", subject=task.unit.name, messages=(Message(role="user", content=prompt),))
    asked = settings.changed(transcript="")
    runtime = Runtime(asked, model)
    try:
        journal, ledger = runtime.journal(f"once {task.id}"), runtime.ledger(asked)
        tools = runtime.tools(journal, ledger, lambda event: None, asked)
        answer = TranscribedModel(tools.model, transcript, [settings.api_key.get_secret_value()]).ask(request)
        journal.close()
    finally:
        runtime.close()
    try:
        return answer.usage, given_back(find_code(answer.text), task, filling), ""
    except (ReplyError, ValueError, SyntaxError) as error:
        return answer.usage, "", str(error)


def kept_tasks(folder: Path) -> dict[str, Path]:
    """The tasks that are kept in a folder, by their ids, and where."""
    return {read_kept(path.parent).task: path.parent for path in sorted(folder.glob("*/record.json"))}
