"""What a user hands in beside the prose, read and checked; and what earlier solves kept for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, NamedTuple

from tdgen.cache import Answered, Row, Run, Said, match_key, runs
from tdgen.cache.solutions import newest_first
from tdgen.errors import InputError, StoreError
from tdgen.events import Noted
from tdgen.protocols import Ask, Emit, Model, suite_files
from tdgen.runtime import Runtime
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.solution.package import is_users
from tdgen.specs.instruction import normalise, read_instruction
from tdgen.types import Case, Instruction, Plan, Suite, Target

if TYPE_CHECKING:
    from tdgen.cache.team import TeamSolutions


class Handed(NamedTuple):
    """What may be handed in beside the prose: own tests, an edited plan, edited suites, a solution to go on from.

    `tests` are the sources of pytest files, one or several. `follow` is that solution, or the key of one that is kept.
    `planned` is the whole instruction that the plan was made from, where that is known: with a plan the prose may be
    left out, and may not be another. `module` is the name that the module is to have, with dots in it where it is to
    be in a package: `mypkg.times`. `target` is the place in an existing project where the code is to go; the sandboxes
    of the generator must have that project.
    """

    tests: str | Sequence[str] = ""
    plan: Plan | None = None
    suites: Sequence[Suite] = ()
    planned: str = ""
    follow: str | Solution = ""
    module: str = ""
    target: Target | None = None


def read(text: str, handed: Handed, earlier: Solution | None) -> Instruction:
    """The instruction of `text` and what was handed in; `earlier` is the solution it goes on from, if it does.

    InputError where the text is no instruction, or is not the one that the plan was made from, and where something
    handed in is of a type that can't be used.
    """
    _check(text, handed)
    whole = _as_planned(text, handed.planned, earlier) if handed.planned else _whole(text, earlier)
    module = handed.module or (earlier.plan.module if earlier and "." in earlier.plan.module else "")
    planned = handed.plan.model_copy(update={"module": module}) if handed.plan and handed.module else handed.plan
    return whole.model_copy(
        update={
            "tests": _sources(handed.tests) or (_own_tests(earlier) if earlier else ()),
            "plan": planned,
            "module": module,
            "target": handed.target,
            "suites": tuple(handed.suites),
            "follows": earlier.key if earlier else "",
            "earlier": earlier.plan if earlier else None,
            "earlier_text": earlier.instruction.strip() if earlier else "",
            "pinned": tuple(_pinned(earlier, handed)) if earlier else (),
            "earlier_results": {one.function: one for one in earlier.results if one.outcome == "green"}
            if earlier
            else {},
        }
    )


def _whole(text: str, earlier: Solution | None) -> Instruction:
    own = read_instruction(text)
    return read_instruction(f"{earlier.instruction.strip()}\n\n{text}") if earlier else own


def _as_planned(text: str, planned: str, earlier: Solution | None) -> Instruction:
    """The instruction that the plan was made from; InputError where the user gave another one beside the plan.

    Whether a plan covers other words, nobody could say without a model.
    """
    if text.strip() and normalise(planned) not in (normalise(text), _whole(text, earlier).normalised):
        words = " ".join(planned.split())
        shown = words if len(words) <= 60 else f"{words[:60]}…"
        raise InputError(
            f"the plan was made from another instruction ({shown!r}): leave the text out to build what is planned, "
            "or plan the new text with `tdgen plan`"
        )
    return read_instruction(planned)


def _check(text: str, handed: Handed) -> None:
    expect("the instruction", text, str)
    expect("tests", handed.tests, str, Sequence)
    for source in _sources(handed.tests):
        expect("each of tests", source, str)
    expect("plan", handed.plan, Plan, None)
    expect("planned", handed.planned, str)
    expect("module", handed.module, str)
    if handed.module:
        from tdgen.specs.problems import module_name_problem

        if (problem := module_name_problem(handed.module)) is not None:
            raise InputError(problem)
    expect("target", handed.target, Target, None)
    expect("suites", handed.suites, Sequence)
    for suite in handed.suites:
        expect("each of suites", suite, Suite)


def _sources(tests: str | Sequence[str]) -> tuple[str, ...]:
    """The sources of the user's test files, of which an empty string alone is none."""
    if isinstance(tests, str):
        return (tests,) if tests else ()
    return tuple(tests)


def _pinned(earlier: Solution, handed: Handed) -> Iterator[Case]:
    """The user's own cases of an earlier solution, which hold on.

    Left out are those of functions whose suites are handed in now, and those of test files that others replace.
    """
    replaced, packages = _own_tests(earlier) if _sources(handed.tests) else (), earlier.plan.packages
    read_before = [suite_files().read_tests(source, None, packages) for source in replaced]
    gone = {case.call_key for tests in read_before for case in tests.cases}
    given = {suite.function for suite in handed.suites}
    for result in earlier.results:
        for case in result.suite.cases if result.function not in given else ():
            if case.is_pinned and not (case.provenance == "user" and case.call_key in gone):
                yield case


def _own_tests(earlier: Solution) -> tuple[str, ...]:
    """The user's own tests that came with an earlier instruction: pinned until others take their place."""
    return tuple(source for name, source in earlier.test_files.items() if is_users(name))


class SolveOptions(NamedTuple):
    """Settings, who hears what happens, who answers open questions where these are asked, and a run's name."""

    settings: Settings
    emit: Emit
    ask: Ask | None = None
    run: str = ""


def expect(name: str, value: object, *types: type | None) -> None:
    """InputError where the argument `name` is of none of these types; None stands for itself."""
    kinds = tuple(kind or type(None) for kind in types)
    if isinstance(value, kinds):
        return
    wanted = " or ".join("None" if kind is None else kind.__name__ for kind in types)
    is_file = str in types and isinstance(value, PathLike)
    advice = ": give the file's text, as path.read_text() reads it" if is_file else ""
    raise InputError(f"{name} must be {wanted}, not {type(value).__name__}{advice}")


def expect_callable(name: str, value: object, method: str = "__call__") -> None:
    """InputError where the argument `name` is neither None nor has that method."""
    if value is None or (callable(getattr(value, method, None)) and not isinstance(value, type)):
        return
    wanted = "callable" if method == "__call__" else f"an object with a method {method}()"
    shown = f"the class {value.__name__}" if isinstance(value, type) else type(value).__name__
    raise InputError(f"{name} must be {wanted}, not {shown}")


def name_of(model: Model) -> str:
    """By what name an object that answers is told apart from others: its own, or its class's."""
    name = getattr(model, "name", "")
    return name if isinstance(name, str) and name else type(model).__name__


@dataclass(eq=False)
class KeptSolutions:
    """A runtime's store as these terms see it: what they change in a result, they change in its key.

    What can't be kept is told as a note: it is lost to the next solve, not to this one.
    """

    runtime: Runtime
    terms: SolveOptions

    @cached_property
    def _team(self) -> TeamSolutions | None:
        """The team's solutions, where a store that a team shares is named."""
        shared = self.runtime.shared_store
        return shared.solutions(self.runtime, self.terms.settings, self.terms.emit) if shared else None

    def key(self, asked: Instruction) -> str:
        """The hash under which an instruction's solution is kept."""
        return asked.key(self.terms.settings.identity() | {"python": self.runtime.judged_by})

    def get(self, key: str) -> Solution | None:
        """The solution kept under `key`, where kept ones may be used."""
        return None if self.terms.settings.fresh else self.runtime.solutions.get(key)

    def many(self, asked: Mapping[str, Instruction]) -> dict[str, Solution]:
        """By their keys the solutions that are kept, here or for the team, of these instructions."""
        here = {key: solution for key in asked if (solution := self.get(key))}
        return here | self.from_team({key: one for key, one in asked.items() if key not in here})

    def from_team(self, asked: Mapping[str, Instruction]) -> dict[str, Solution]:
        """By their keys the solutions that the team's store has, where they hold when they are judged again.

        Those are kept here too.
        """
        if self._team is None or self.terms.settings.fresh or not asked:
            return {}
        holding = self._team.judged(asked)
        self._keep_here(*holding)
        return {solution.key: solution for solution in holding}

    def rows(self) -> list[Row]:
        """All kept solutions in a few words each, this machine's and the team's, the newest first."""
        mine, theirs = self.runtime.solutions.rows(), self._team.rows() if self._team else ()
        known = {row.key for row in mine}
        return newest_first([*mine, *(row for row in theirs if row.key not in known)])

    def of_team(self, key: str, holds: Callable[[Solution], bool]) -> Solution | None:
        """The solution of just that key which the team's store has; kept here where it `holds`, else None.

        Who asks names no instruction that it would have to be of.
        """
        solution = self._team.get(key) if self._team else None
        if solution is None or not holds(solution):
            return None
        self._keep_here(solution)
        return solution

    def tell(self) -> None:
        """Tell what is wrong with the team's store, each thing once."""
        shared = self.runtime.shared_store
        for note in shared.team.notes() if shared else ():
            self.terms.emit(Noted(text=note))

    def find(self, prefix: str) -> Solution | Run:
        """The solution whose key starts with `prefix`: the kept one, else that of the last run that failed.

        Where no run left one, the last run. InputError where there is nothing of that key, or where keys are several.
        """
        solutions = self.runtime.solutions
        journal = runs(self.runtime.folder)
        key = match_key(prefix, [*solutions.keys(), *(run.key for run in journal)])
        mine = [run for run in journal if run.key == key]
        solved = solutions.get(key) or next((solution for run in mine if (solution := run.solution())), None)
        if solved is None and not mine:
            raise InputError(
                f"the solution {prefix} was kept by another version of tdgen and can't be read: solve anew"
            )
        return solved or mine[0]

    def keep(self, solution: Solution) -> None:
        """Keep a solution under its key, where it is worth that."""
        if not solution.is_kept:
            return
        self._keep_here(solution)
        if self._team:
            self._team.put(solution)

    def _keep_here(self, *solutions: Solution) -> None:
        try:
            with self.runtime.local_store.together():
                for solution in solutions:
                    self.runtime.solutions.put(solution)
        except StoreError as error:
            self.terms.emit(Noted(text=f"this solution was not kept: {error}"))

    def answered(self, asked: Instruction) -> Instruction:
        """The instruction with what the user answered to its open questions before."""
        if self.terms.settings.questions != "ask" or self.terms.settings.fresh:
            return asked
        said = Answered(self.runtime.store).get(self.key(asked))
        remarked = asked.with_remarks(said.remarks) if said.remarks else asked
        return remarked.model_copy(update={"answers": said.answers})

    def remember(self, asked: Instruction) -> None:
        """Keep the instruction's answers under its key as it was without them."""
        bare = asked.model_copy(update={"answers": (), "remarks": ()})
        try:
            said = Said(answers=asked.answers, remarks=asked.remarks)
            Answered(self.runtime.store).put(self.key(bare), said)
        except StoreError as error:
            self.terms.emit(Noted(text=f"your answers were not kept: {error}"))
