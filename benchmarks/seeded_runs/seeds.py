"""A seed: a task whose logged answers are replaced, in one place, by answers that hold a known fault."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field, ValidationError

from tdgen.errors import InputError
from tdgen.evaluation import Problem, Task
from tdgen.models.scripted import Script, ScriptedAnswer
from tdgen.types import Frozen

Kind = Literal["slip", "phrase"]
KINDS: tuple[Kind, ...] = ("slip", "phrase")


class SeedFile(Frozen, extra="ignore"):
    """A seed as its file has it (`seeded/README.md`): the task, its log, and what takes the place of logged answers.

    Of a `slip`, `code` is the first code of `function`, and no case of the log's suites shows it. Of a `phrase` of the
    instruction that is lost or misread, `plan` is the plan, `suites` and `code` are by function what agrees with it.
    """

    kind: Kind
    task: str
    log: str
    function: str = ""
    plan: str = ""
    suites: dict[str, str] = Field(default_factory=dict)
    code: str | dict[str, str]

    @property
    def codes(self) -> dict[str, str]:
        """The code answers by function."""
        return {self.function: self.code} if isinstance(self.code, str) else self.code

    @property
    def answers(self) -> tuple[ScriptedAnswer, ...]:
        """All that it answers in place of the log."""
        plan = [ScriptedAnswer(purpose="plan", text=self.plan)] if self.plan else []
        cases = [ScriptedAnswer(purpose="cases", subject=name, text=text) for name, text in self.suites.items()]
        codes = [ScriptedAnswer(purpose="implement", subject=name, text=text) for name, text in self.codes.items()]
        return (*plan, *cases, *codes)


class Seed(NamedTuple):
    """A seed under its file's name, with its task's problem and all answers of its log."""

    id: str
    file: SeedFile
    problem: Problem
    logged: Script

    @property
    def kind(self) -> Kind:
        """What kind of fault it holds."""
        return self.file.kind

    @property
    def functions(self) -> frozenset[str]:
        """The functions whose code it replaces."""
        return frozenset(self.file.codes)


def read_seeds(folder: Path, tasks: Sequence[Task], logs: Path) -> list[Seed]:
    """All seeds of a folder by name; InputError, with the file's name, for what is wrong with one."""
    problems = {task.problem.id: task.problem for task in tasks}
    return [_seed(path, problems, logs) for path in sorted(folder.glob("*.json"))]


def _seed(path: Path, problems: dict[str, Problem], logs: Path) -> Seed:
    try:
        file = SeedFile.model_validate_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"the seed {path} can't be read: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "content"
        raise InputError(f"{path} is no seed: {where}: {first['msg']}") from None
    problem = problems.get(file.task)
    if problem is None or not problem.program:
        raise InputError(f"the seed {path} names {file.task}, which is no task with hidden tests")
    logged = _logged(path, logs / file.log / "run-1" / "scripts" / f"{file.task}.solving.json")
    known = {answer.key for answer in logged.answers}
    for answer in file.answers:
        if answer.key not in known:
            asked = f"{answer.purpose} of {answer.subject or 'the instruction'}, attempt {answer.attempt}"
            raise InputError(f"the seed {path} replaces an answer that its log does not have: {asked}")
    return Seed(path.stem, file, problem, logged)


def _logged(seed: Path, path: Path) -> Script:
    try:
        return Script.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        raise InputError(f"the seed {seed} names a log that can't be read: {path}") from None
