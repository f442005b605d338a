"""What a user hands in, the run that it starts with a journal beside it, and what is kept for the next solve."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Final, NamedTuple

from tdgen.cache import Answered, Journal, Run, Said, match_key, runs
from tdgen.errors import BudgetSpent, InputError, OutOfScope, PlanError, StoreError
from tdgen.events import Noted
from tdgen.protocols import Ask, Emit
from tdgen.runtime import Runtime
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.solution.package import is_users
from tdgen.specs.instruction import normalise, read_instruction
from tdgen.specs.problems import module_name_problem
from tdgen.types import Asked, Case, FunctionResult, Instruction, Plan, Suite, Target

if TYPE_CHECKING:
    from tdgen.models import Ledger
    from tdgen.pipeline import Draft


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
            "earlier_classes": _green_classes(earlier) if earlier else {},
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
    if handed.module and (problem := module_name_problem(handed.module)) is not None:
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
    from tdgen.testgen.reading import read_tests

    replaced = _own_tests(earlier) if _sources(handed.tests) else ()
    gone = {case.call_key for source in replaced for case in read_tests(source, None, earlier.plan.packages).cases}
    given = {suite.function for suite in handed.suites}
    for result in earlier.results:
        for case in result.suite.cases if result.function not in given else ():
            if case.is_pinned and not (case.provenance == "user" and case.call_key in gone):
                yield case


def _green_classes(earlier: Solution) -> dict[str, FunctionResult]:
    """The classes of an earlier solution that are green."""
    classes = earlier.plan.classes
    return {one.function: one for one in earlier.results if one.function in classes and one.outcome == "green"}


def _own_tests(earlier: Solution) -> tuple[str, ...]:
    """The user's own tests that came with an earlier instruction: pinned until others take their place."""
    return tuple(source for name, source in earlier.test_files.items() if is_users(name))


class SolveOptions(NamedTuple):
    """Settings, who hears what happens, and who answers open questions where the setting `questions` is on."""

    settings: Settings
    emit: Emit
    ask: Ask | None = None


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


PATIENCE_S: Final = 5.0
"""How long a run that fails waits for answers that are on their way."""


class Runs:
    """What is being solved on some terms, in any number of threads."""

    def __init__(self, runtime: Runtime, terms: SolveOptions) -> None:
        self._runtime = runtime
        self._options = terms
        self._open: set[Ledger] = set()

    def solve(self, asked: Instruction, key: str, finish: Callable[[Draft, Ledger], Solution]) -> Solution:
        """The pipeline's way to its end: `finish` makes the solution of the draft and of what it cost.

        A run that failed, or that the budget stopped, is kept in the journal with its solution.
        """
        with self._opened(asked, key) as (journal, ledger):
            solution = finish(self._draft(asked, journal, ledger), ledger)
            _end(journal, solution)
        return solution

    def draft(self, asked: Instruction, key: str, until: str) -> Draft:
        """The pipeline's way up to the step `until`."""
        with self._opened(asked, key) as (journal, ledger):
            return self._draft(asked, journal, ledger, until)

    def cancel(self) -> None:
        """Let what is being solved come to its end: no model is asked any more."""
        for ledger in tuple(self._open):
            ledger.close()

    @contextmanager
    def _opened(self, asked: Instruction, key: str) -> Iterator[tuple[Journal, Ledger]]:
        """The journal and the account of a run, closed when it ends.

        What others are being answered while it fails is paid for: a moment is waited until it is in the journal.
        """
        journal = self._runtime.journal(key, asked.text)
        ledger = self._runtime.ledger(self._options.settings)
        self._open.add(ledger)
        try:
            yield journal, ledger
        except (OutOfScope, PlanError) as error:
            # That run came to its end too: played again, the same answers would only fail again.
            journal.fail({"reason": str(error)[:500], "instruction": asked.text})
            raise
        except BudgetSpent as error:
            journal.stop({"reason": str(error)[:500], "instruction": asked.text})
            raise
        except Exception:
            ledger.close(PATIENCE_S)
            raise
        finally:
            self._open.discard(ledger)
            ledger.close()
            journal.close()

    def _draft(self, asked: Instruction, journal: Journal, ledger: Ledger, until: str = "") -> Draft:
        from tdgen.pipeline import Draft, run

        settings, emit, ask = self._options
        if settings.fresh:
            journal.forget()
        for note in _notes(journal):
            emit(Noted(text=note))
        tools = self._runtime.tools(journal, ledger, emit, settings)
        tools = replace(tools, ask=_unhurried(ask, ledger) if ask and settings.questions == "ask" else None)
        return run(tools, Draft(asked), until=until, steps=self._runtime.steps())


def _unhurried(ask: Ask, ledger: Ledger) -> Ask:
    """Ask the user, whose time to think is no part of the budget's seconds."""

    def wait(question: Asked) -> str:
        with ledger.paused():
            return ask(question)

    return wait


def _notes(journal: Journal) -> list[str]:
    answers = f"{journal.resumed} answer{'s' * (journal.resumed != 1)}"
    again = f"an unfinished run left {answers}: what is there is neither asked nor paid for again"
    return [*journal.notes, *([again] if journal.resumed else [])]


def _end(journal: Journal, solution: Solution) -> None:
    """Forget the answers of a run that came to its end; a solution that is not all green is kept with its reasons.

    What the budget stopped goes on from its answers.
    """
    if solution.stopped:
        journal.stop(
            {
                "reason": solution.stopped[:500],
                "instruction": solution.instruction,
                "solution": solution.model_dump(mode="json"),
            }
        )
        return
    failed = [f"{result.function}: {result.reason}" for result in solution.results if result.outcome != "green"]
    if not failed:
        journal.finish()
        return
    record = {"reason": "; ".join(failed)[:500], "instruction": solution.instruction}
    journal.fail(record | {"solution": solution.model_dump(mode="json")})


class KeptSolutions:
    """A runtime's store as these terms see it: what they change in a result, they change in its key.

    What can't be kept is told as a note: it is lost to the next solve, not to this one.
    """

    def __init__(self, runtime: Runtime, terms: SolveOptions) -> None:
        self._runtime = runtime
        self._settings = terms.settings
        self._emit = terms.emit

    def key(self, asked: Instruction) -> str:
        """The hash under which an instruction's solution is kept."""
        return asked.key(self._settings.identity() | {"python": self._runtime.python})

    def get(self, key: str) -> Solution | None:
        """The solution kept under `key`, where kept ones may be used."""
        return None if self._settings.fresh else self._runtime.solutions.get(key)

    def find(self, prefix: str) -> Solution | Run:
        """The solution whose key starts with `prefix`: the kept one, else that of the last run that failed.

        Where no run left one, the last run. InputError where there is nothing of that key, or where keys are several.
        """
        solutions = self._runtime.solutions
        journal = runs(self._runtime.folder)
        key = match_key(prefix, [*solutions.keys(), *(run.key for run in journal)])
        mine = [run for run in journal if run.key == key]
        found = solutions.get(key) or next((solution for run in mine if (solution := run.solution())), None)
        if found is None and not mine:
            raise InputError(
                f"the solution {prefix} was kept by another version of tdgen and can't be read: solve anew"
            )
        return found or mine[0]

    def keep(self, solution: Solution) -> None:
        """Keep a solution under its key, where it is all green."""
        if not solution.all_tests_passed:
            return
        try:
            self._runtime.solutions.put(solution)
        except StoreError as error:
            self._emit(Noted(text=f"this solution was not kept: {error}"))

    def answered(self, asked: Instruction) -> Instruction:
        """The instruction with what the user answered to its open questions before."""
        if self._settings.questions != "ask" or self._settings.fresh:
            return asked
        said = Answered(self._runtime.store).get(self.key(asked))
        remarked = asked.with_remarks(said.remarks) if said.remarks else asked
        return remarked.model_copy(update={"answers": said.answers})

    def remember(self, asked: Instruction) -> None:
        """Keep the instruction's answers under its key as it was without them."""
        bare = asked.model_copy(update={"answers": (), "remarks": ()})
        try:
            said = Said(answers=asked.answers, remarks=asked.remarks)
            Answered(self._runtime.store).put(self.key(bare), said)
        except StoreError as error:
            self._emit(Noted(text=f"your answers were not kept: {error}"))
