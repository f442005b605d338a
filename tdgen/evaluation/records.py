"""What an evaluation records: each problem, and the same model asked without tdgen."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import Field, ValidationError

from tdgen.batch.lines import folder_name
from tdgen.batch.results import Ending
from tdgen.errors import InputError, ReplyError
from tdgen.evaluation.judging import Judge, Judged, Problem
from tdgen.files.saving import write_file
from tdgen.language import Language
from tdgen.metrics import Task
from tdgen.protocols import Answer, Message, Model, Request, RequestKey
from tdgen.replies import find_code
from tdgen.solution import Solution
from tdgen.specs.declarations import declare_types
from tdgen.types import Frozen, Plan, Usage

MOST_SAMPLES: Final = 20
ASK: Final = "Answer with the code of the whole function, in one fenced Python block."
ASK_MODULE: Final = "Answer with the code of the whole module, in one fenced Python block. It defines {}."
ASK_SCRIPT: Final = " Run as a script, it calls {}, and exits with the code that this returns."
ASK_LANGUAGE: Final = "Write this function alone, in {}:\n{}"


class Alone(NamedTuple):
    """How the model is asked without tdgen: what is said below the instruction, how an answer becomes a module.

    `many` where it is asked as often as the tokens allow, and not once alone.
    """

    ask: str
    module: Callable[[str], str]
    many: bool = False


def asking(problem: Problem) -> Alone:
    """How it is asked for code in Python; of an instruction that contradicts itself the whole answer counts."""
    if not (problem.program or problem.refusal):
        return Alone(ASK, find_code, many=True)
    ask = ASK_MODULE.format(", ".join(problem.functions))
    ask += ASK_SCRIPT.format(problem.entry) if problem.entry else ""
    return Alone(ask, str if problem.refusal else find_code)


def asking_in(language: Language, problem: Problem, plan: Plan) -> Alone | None:
    """How it is asked for the function in another language, under the head that the plan gave it; None without one."""
    spec = next((one for one in plan.functions if one.name == problem.function), None)
    if spec is None:
        return None
    spec = spec.model_copy(update={"dependencies": ()})
    own = plan.model_copy(update={"functions": (spec,)})

    def module(text: str) -> str:
        return language.module(own, {spec.name: language.read(text, spec, own).source}, declare_types(own))

    return Alone(ASK_LANGUAGE.format(language.name, language.rules(spec, own)), module)


class Asked(Frozen):
    """What asking alone came to: the samples taken, the best one's hidden tests, and what all of it cost."""

    samples: int
    judged: Judged
    usage: Usage


class Baselines(Frozen):
    """The model asked once, and several times at tdgen's tokens; both begin with the same answer."""

    once: Asked
    often: Asked


def paid_answers(transcript: str) -> list[tuple[RequestKey, Usage]]:
    """What each answer of a transcript cost when it was given; nothing where none was remembered from an earlier run.

    Who solves counts an answer of a run that was cut off as no call: it is not paid for twice.
    """
    told = []
    for path in sorted(Path(transcript).glob("*.json")) if transcript else ():
        with suppress(ValueError):  # one that was being written when the run was cut off
            record = json.loads(path.read_bytes())
            if record["answer"]:
                told.append((Request.model_validate(record["request"]), Answer.model_validate(record["answer"])))
    if not any(answer.replayed for _, answer in told):
        return []
    return [(request.key, answer.usage) for request, answer in told if not answer.replayed]


def ask_alone(problem: Problem, model: Model, judge: Judge, tokens: int, how: Alone, transcript: str = "") -> Baselines:
    """Ask until about so many tokens are spent, once at the least; ModelError where nobody answers.

    Of an instruction that contradicts itself an answer is right which names both places, whatever code it has. What an
    answer cost that is remembered stands in the `transcript`.
    """
    spent, best = Usage(), None
    once = None
    samples = 0
    message = Message(role="user", content=f"{problem.instruction}\n{how.ask}")
    for sample in range(MOST_SAMPLES):
        request = Request(purpose="implement", subject=problem.function, sample=sample, messages=(message,))
        answer, source = model.ask(request), ""
        paid = dict(paid_answers(transcript)) if answer.replayed else {}
        usage = paid.get(request.key, answer.usage)
        samples += 1
        with suppress(ReplyError):
            source = how.module(answer.text)
        judged = judge.judge(source)
        spent += usage
        best = judged if best is None or judged.failed < best.failed else best
        once = once or Asked(samples=1, judged=judged, usage=usage)
        # Another sample costs about what one did on average: it is taken where that still fits.
        if not how.many or samples >= MOST_SAMPLES or spent.tokens + spent.tokens / samples > tokens:
            break
    assert once is not None
    assert best is not None
    return Baselines(once=once, often=Asked(samples=samples, judged=best, usage=spent))


def first_module(solution: Solution, language: Language) -> str:
    """The module of first attempts; the module itself where they are the best, nothing where one is no code."""
    firsts = {one.function: one.history[0].source if one.history else one.source for one in solution.results}
    if all(firsts[one.function] == one.source for one in solution.results):
        return solution.module_source
    try:
        return language.finished(solution.plan, firsts)
    except (ReplyError, SyntaxError, ValueError):
        return ""


class Record(Frozen):
    """One problem of one run.

    `outcome` is what tdgen said of it (see `tdgen.batch.results`), `first` and `last` what the hidden tests say of its
    first and of its final code; `beside` is the same model without tdgen. `usage` counts the model's calls, `seconds`
    is all the time it took, `model_seconds` what of it was waited for the model at the most, and `purposes` divides
    those by what was asked for. `functions` has each function's outcome. Of an instruction that contradicts itself
    (`contradictory`) `last` says whether what tdgen told the user names both places.
    """

    id: str
    outcome: Ending
    reason: str = ""
    kind: str = ""
    contradictory: bool = False
    functions: dict[str, str] = Field(default_factory=dict)
    first: Judged
    last: Judged
    repairs: int = 0
    promotions: int = 0
    own_cases: int = 0
    usage: Usage = Usage()
    purposes: dict[str, float] = Field(default_factory=dict)
    seconds: float = 0.0
    beside: Baselines | None = None

    @property
    def accepted(self) -> bool:
        """Whether tdgen called it green."""
        return self.outcome == "green"

    @property
    def rejected(self) -> bool:
        """Whether tdgen called it red; where functions only stand on undecided ones, it did not."""
        return self.outcome == "red" and (not self.functions or "red" in self.functions.values())

    @property
    def is_false_green(self) -> bool:
        """Whether it is green and wrong."""
        return self.accepted and not self.last.right

    @property
    def is_false_red(self) -> bool:
        """Whether it is red and right; to refuse a contradiction is no red."""
        return self.rejected and self.last.right and not self.contradictory

    @property
    def model_seconds(self) -> float:
        """Seconds waited for the model: calls that overlap can't take longer than all of it."""
        return min(self.seconds, self.usage.seconds)

    def task(self) -> Task:
        """The record as the figures count it, measured by its hidden tests."""
        return Task(
            self.id,
            self.last.tests,
            self.first.failed,
            self.last.failed,
            self.repairs,
            self.accepted,
            self.usage.calls,
            self.usage.tokens,
            self.seconds,
        )


def record_path(run: Path, name: str) -> Path:
    """Where a problem's record lies."""
    return run / "judged" / f"{folder_name(name)}.json"


def save_record(run: Path, record: Record) -> None:
    """Write a record, whole or not at all; InputError where that can't be."""
    write_file(record_path(run, record.id), record.model_dump_json(indent=1) + "\n")


def read_records(run: Path) -> Mapping[str, Record]:
    """The records of a run by the problem's id; InputError where one can't be read."""
    records = {}
    for path in sorted((run / "judged").glob("*.json")):
        try:
            record = Record.model_validate_json(path.read_bytes())
        except OSError as error:
            raise InputError(f"{path} can't be read: {error.strerror}") from None
        except ValidationError:
            raise InputError(
                f"{path} is no record that this version of tdgen reads: evaluate into another folder"
            ) from None
        records[record.id] = record
    return records
