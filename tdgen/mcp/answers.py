"""What the tools answer: data whose JSON schema the protocol tells every client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from tdgen.solution import Solution
from tdgen.types import Asked, FunctionResult

if TYPE_CHECKING:
    from tdgen.client.judging import Judged
    from tdgen.pipeline.finishing import Verification

LONGEST = 2_000
"""So many characters of what a test says when it fails are told."""


class Told(BaseModel):
    """JSON that is written."""

    model_config = ConfigDict(frozen=True)


class OpenQuestion(Told):
    """What the instruction leaves open; until it is answered, or after five minutes, the assumption is taken."""

    number: int
    question: str
    assumption: str
    options: tuple[str, ...] = ()

    @classmethod
    def of(cls, number: int, asked: Asked) -> OpenQuestion:
        """A question of a run, with its number there."""
        return cls(number=number, question=asked.question, assumption=asked.assumption, options=asked.options)


class Status(Told):
    """How work stands. `next` says what to call then."""

    id: str
    work: str = Field(description="the tool that began it")
    state: Literal["queued", "running", "green", "red", "done", "failed", "cancelled"]
    seconds: float = Field(description="since it began")
    functions: tuple[str, ...] = Field(default=(), description="what is planned, once that is known")
    question: OpenQuestion | None = None
    error: str = ""
    next: str = ""
    result: dict[str, Any] | None = Field(default=None, description="what came of it; of a solve see solve_result")


class Function(Told):
    """How one function or class ended. Only green is right: every case of it was confirmed."""

    name: str
    outcome: str
    reason: str = ""
    cases: int
    strength: str = ""

    @classmethod
    def of(cls, result: FunctionResult) -> Function:
        """A function's result, in a few words."""
        return cls(
            name=result.function,
            outcome=result.outcome,
            reason=result.reason,
            cases=len(result.suite.cases),
            strength=result.strength.sentence if result.strength else "",
        )


class Solved(Told):
    """What came of a solve: the files by path, how each function ended, and what was assumed."""

    key: str
    all_tests_passed: bool
    module: str
    files: dict[str, str]
    functions: tuple[Function, ...]
    assumed: tuple[str, ...] = Field(description="questions that the instruction leaves open, with what was assumed")
    notes: tuple[str, ...]
    stopped: str = ""
    calls: int
    tokens: int
    cost: float | None = Field(description="in US dollars; null where no price is known")

    @classmethod
    def of(cls, solution: Solution) -> Solved:
        """A solution without its history."""
        return cls(
            key=solution.key,
            all_tests_passed=solution.all_tests_passed,
            module=solution.plan.module,
            files=solution.files(),
            functions=tuple(map(Function.of, solution.results)),
            assumed=tuple(f"{one.question} {one.assumption}" for one in solution.questions if not one.answered),
            notes=solution.notes,
            stopped=solution.stopped,
            calls=solution.usage.calls,
            tokens=solution.usage.tokens,
            cost=solution.usage.cost,
        )


class WrittenTests(Told):
    """Tests for code that somebody else writes, in a module of this name beside them."""

    module: str
    contracts: dict[str, str] = Field(description="what each function is to do, by its signature")
    files: dict[str, str]
    assumed: tuple[str, ...]


class Judgement(Told):
    """Whether tests hold for code, and how strong they are: the mutants of the code that they kill."""

    holds: bool
    tests: dict[str, str] = Field(description="each test's outcome")
    failures: dict[str, str] = Field(description="what pytest says of a test that fails, or a file that it can't read")
    log: str = Field(default="", description="where no test ran, what was printed")
    strength: str = ""
    survivors: tuple[str, ...] = Field(default=(), description="changes of the code that no test notices")
    untried: int = Field(default=0, description="mutants for which there was no time")

    @classmethod
    def of(cls, judged: Judged) -> Judgement:
        """What was judged, cut to what an agent reads."""
        strength = judged.strength
        alive = strength.survivors if strength else ()
        return cls(
            holds=judged.holds,
            tests=judged.report.outcomes,
            failures={test: reason[-LONGEST:] for test, reason in judged.report.reasons.items()},
            log="" if judged.report.outcomes else judged.report.log[-LONGEST:] or "no test ran to its end",
            strength=(strength.sentence or "no mutant to kill") if strength else "",
            survivors=tuple(f"line {m.line}: {m.after or 'nothing'} for {m.before or 'nothing'}" for m in alive),
            untried=judged.untried,
        )


class Verified(Told):
    """What running a kept solution's tests again came to, offline."""

    passed: bool
    failed: tuple[str, ...]
    missing: tuple[str, ...]

    @classmethod
    def of(cls, verification: Verification) -> Verified:
        """Its cases that fail, by function."""
        cases = (
            f"{name}: {v.case}" for name, verdicts in verification.verdicts.items() for v in verdicts if not v.passed
        )
        tests = (test for test, outcome in verification.report.outcomes.items() if outcome != "passed")
        return cls(passed=verification.passed, failed=(*cases, *tests), missing=verification.missing)


class Guarded(Told):
    """Tests for code that exists, from its docs alone; and where the two part."""

    findings: tuple[dict[str, str], ...] = Field(description="calls by which the code does not do what its docs say")
    functions: tuple[Function, ...]
    passed_over: tuple[str, ...]
    diff: str = Field(description="a patch that adds the tests to the project; nothing is written")
    stopped: str = ""
