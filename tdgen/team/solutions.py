"""Solutions that came from the store that a team shares, judged again before they count.

Nothing that one says of itself counts: its cases must fail where nothing is written, and its code pass them. That shows
damage, and code that does not do what its own cases say here. It can't show that somebody planted cases and code that
agree: for that, entries are signed (`tdgen.team.redis`).

Where they are not, whoever can write there may have planted it. Then its imports and calls must also be those that a
developer is allowed, and its test files are rendered anew from its cases. What the team signed has been through that,
by who signed it, and it follows from its text alone: only what depends on the machine is done again.

Many are judged at once, and share processes where that makes no verdict doubtful.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING

from tdgen.build.case_checks import not_red
from tdgen.cache.solutions import (
    Row,
    read_solution,
    row_place,
    row_text,
    solution_place,
    solution_text,
)
from tdgen.cache.team import Judging
from tdgen.errors import StoreError, TdgenError
from tdgen.events import Noted
from tdgen.impl.findings import import_findings, lint_findings
from tdgen.judge import Expected, Oracle, candidate_probe
from tdgen.judge.probes import is_call_on_literals
from tdgen.language import Language
from tdgen.pipeline.finishing import rendered_files
from tdgen.protocols import Emit, Sandbox
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.source.syntax import parses
from tdgen.specs.declarations import declared_by
from tdgen.specs.instruction import normalise, unwritten
from tdgen.team.harmless import is_harmless, is_harmless_case
from tdgen.team.together import MOST, Joint, Round
from tdgen.types import Instruction, Job, Limits, Suite

if TYPE_CHECKING:
    from tdgen.team.server import TeamServer

Entry = tuple[Solution, Instruction]
"""A solution as it lay in the team's store, and the instruction that it was asked for."""


@dataclass(eq=False)
class SharedSolutions:
    """The solutions that a team's server has. Implements `tdgen.cache.team.TeamSolutions`."""

    _server: TeamServer
    _tools: Judging
    _settings: Settings
    _emit: Emit
    _refused: set[str | None] = field(default_factory=set)

    def judged(self, asked: Mapping[str, Instruction]) -> list[Solution]:
        """Those of instructions, by their keys, that hold when they are judged again; what does not is told, once."""
        texts = dict(zip(asked, self._server.get_many([solution_place(key) for key in asked]), strict=True))
        read = [read_solution(key, text) for key, text in texts.items() if text not in self._refused]
        entries = [(solution, asked[solution.key]) for solution in read if solution is not None]
        if not entries:
            return []
        _ = self._tools.sandbox, self._tools.oracle  # to open them is no part of judging
        began = time.monotonic()
        judged = judged_again(entries, self._tools, self._settings)
        cost = f"judged again in {time.monotonic() - began:.2f} s"
        for solution, fault in judged:
            if fault:
                self._refused.add(texts[solution.key])
                fault = f"the team's store has a wrong solution of this, passed over: {fault} ({cost})"
            self._emit(Noted(text=fault or f"from the team's store, {cost}"))
        return [solution for solution, fault in judged if not fault]

    def get(self, key: str) -> Solution | None:
        """The one of just that key, which nobody has judged; None where there is none."""
        return read_solution(key, self._server.get(solution_place(key)))

    def rows(self) -> list[Row]:
        """All of them in a few words each."""
        rows = map(Row.from_json, self._server.get_all(row_place("")))
        return [row for row in rows if row is not None]

    def put(self, solution: Solution) -> None:
        """Keep one where it is for the team; that it can't be is told."""
        if not may_be_shared(solution):
            return
        try:
            text = solution_text(solution)
            self._server.put(solution_place(solution.key), text)
            self._server.put(row_place(solution.key), row_text(solution, len(text)))
        except StoreError as error:
            self._emit(Noted(text=f"this solution was not kept for the team: {error}"))


def may_be_shared(solution: Solution) -> bool:
    """Whether a solution is for the team: all green, of code that tdgen wrote, in Python."""
    return solution.all_tests_passed and not solution.plan.is_existing and not solution.plan.language


def judged_again(entries: Sequence[Entry], tools: Judging, settings: Settings) -> list[tuple[Solution, str]]:
    """The solutions as they may be used, and of each why it is none of its instruction: empty where it holds."""
    read = [_guarded(entry[0], partial(_read, entry, tools, settings)) for entry in entries]
    passing = _passing_together([solution for solution, fault in read if not fault], tools, settings)
    return [
        (solution, fault)
        if fault or solution.key in passing
        else _guarded(solution, partial(_run, solution, tools, settings))
        for solution, fault in read
    ]


def _guarded(solution: Solution, look: Callable[[], tuple[Solution, str]]) -> tuple[Solution, str]:
    """What a look at a solution finds: a planted one may break any rule that a made one keeps."""
    try:
        return look()
    except TdgenError:
        raise
    except Exception as error:  # noqa: BLE001 - as said
        return solution, f"it can't be judged: {type(error).__name__}: {error}"


def _read(entry: Entry, tools: Judging, settings: Settings) -> tuple[Solution, str]:
    """The solution, and what reading finds wrong with it; its test files are its cases' own unless it is signed."""
    solution, asked = entry
    fault = next(_odd(entry), "")
    if fault or settings.store_key.get_secret_value():
        return solution, fault
    if fault := next(_refused(solution, settings), ""):
        return solution, fault
    files = rendered_files(solution.plan, solution.results, asked.tests, tools.executor)
    return solution.model_copy(update={"test_files": files}), ""


def _passing_together(solutions: Sequence[Solution], tools: Judging, settings: Settings) -> set[str]:
    """The keys of those that hold where many are judged at once."""
    if tools.has_project:
        return set()
    units = [(solution, result.suite) for solution in solutions for result in solution.results]
    failing = set[str]()
    for at in range(0, len(units), MOST):
        turn = Round()
        oracle = Joint(tools.oracle, turn)
        calls = []
        for solution, suite in units[at : at + MOST]:
            company = _company(solution, settings)
            sandbox = Joint(tools.sandbox, turn, company, may_know=company != solution.key)
            judging = _Judging(solution, suite, sandbox, oracle, tools.language, settings.limits)
            calls.append(partial(_guarded, solution, judging.end))
        failing |= {solution.key for solution, fault in turn.each(calls) if fault}
    return {solution.key for solution in solutions} - failing


def _company(solution: Solution, settings: Settings) -> str:
    """What is the same for those whose code may share a process.

    Who signed one has seen it green, and who could plant a forger has the key. Where nothing is signed only code that
    can do nothing to others shares one.
    """
    if settings.store_key.get_secret_value():
        return "signed"
    names = [spec.name for spec in solution.plan.functions]
    cases = (case for result in solution.results for case in result.suite.cases)
    is_plain = not solution.plan.types and is_harmless(solution.module_source)
    return "harmless" if is_plain and all(is_harmless_case(case, names) for case in cases) else solution.key


def _run(solution: Solution, tools: Judging, settings: Settings) -> tuple[Solution, str]:
    """The solution, and what running finds wrong with it, in processes of its own."""
    for result in solution.results:
        judging = _Judging(solution, result.suite, tools.sandbox, tools.oracle, tools.language, settings.limits)
        if fault := judging.end()[1]:
            return solution, fault
    return solution, ""


class _Judging:
    """The way to what is wrong with one suite of a solution's. Made again, it goes on from what is known."""

    def __init__(
        self, solution: Solution, suite: Suite, sandbox: Sandbox, oracle: Sandbox, language: Language, limits: Limits
    ) -> None:
        self._solution, self._suite, self._language = solution, suite, language
        self._sandbox, self._limits = sandbox, limits
        self._types = declared_by(language, solution.plan)
        self._oracle = Oracle.of(oracle, solution.plan, self._types)

    @cached_property
    def _idle(self) -> Mapping[str, str]:
        """Its cases that test nothing. One that calls its function on literals fails for certain on a stub."""
        plan = self._solution.plan
        names = {spec.name for spec in plan.functions}
        doubtful = {
            case.name: case.done
            for case in self._suite.cases
            if not (case.function in names and is_call_on_literals(case.done))
        }
        if not doubtful:
            return {}
        return not_red(self._sandbox, self._limits, plan, self._language.unwritten(plan, self._types), doubtful)

    @cached_property
    def _expected(self) -> Mapping[str, Expected]:
        return self._oracle.expectations(self._suite.cases)

    def end(self) -> tuple[Solution, str]:
        """The solution, and what is wrong with it: a case that tests nothing, or one that its code fails."""
        solution, suite = self._solution, self._suite
        for name, problem in self._idle.items():
            return solution, f"its case {name} tests nothing: {problem}"
        spec = solution.plan.spec(suite.function)
        expected, oracle = self._expected, self._oracle
        probes = tuple(map(candidate_probe, suite.cases))
        job = Job(
            module=oracle.module,
            source=solution.module_source,
            probes=probes,
            limits=self._limits,
            public=oracle.public,
        )
        for name in oracle.failing(spec, suite.cases, self._sandbox.run(job).observations, expected):
            return solution, f"its code fails {name} of {suite.function}"
        return solution, ""


def _odd(entry: Entry) -> Iterator[str]:
    """What of it is not as it was asked for."""
    solution, asked = entry
    if not may_be_shared(solution):
        yield "it is not all green"
    if normalise(solution.instruction) != asked.normalised:
        yield "it is of another instruction"
    if solution.plan.target != asked.target:
        yield "it is for another place"
    names = [result.function for result in solution.results]
    if [spec.name for spec in solution.plan.functions] != names:
        yield "its plan names other functions than it has"
    for result in solution.results:
        if not result.suite.cases:
            yield f"{result.function} has no case"
    if not parses(solution.module_source):
        yield "its code is no Python"
    for name in unwritten(solution.module_source, tuple(names)):
        yield f"its code has no {name}"


def _refused(solution: Solution, settings: Settings) -> Iterator[str]:
    """What of its code no developer might write. What ruff would find, harmless code has not."""
    source, target = solution.module_source, solution.plan.target
    packages = ["__future__", *(package.split(".")[0] for package in solution.plan.packages)]
    if target is not None:
        return
    yield from import_findings(source, packages=packages, allowed=settings.allow, forbidden=settings.forbid)
    if not is_harmless(source):
        yield from lint_findings(source, 1, source.count("\n") + 1, allowed=settings.allow).blocking
