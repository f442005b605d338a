"""Solutions that came from the store that a team shares, judged again before they count.

Nothing that one says of itself counts: its cases must fail where nothing is written, and its code pass them. That shows
damage, and code that does not do what its own cases say here. It can't show that somebody planted cases and code that
agree: for that, entries are signed (`tdgen.cache.redis`).

Where they are not, whoever can write there may have planted it. Then its imports and calls must also be those that a
developer is allowed, and its test files are rendered anew from its cases. What the team signed has been through that,
by who signed it.

Many are judged at once: those whose code can do nothing to a process share one, any other has its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from tdgen.build.case_checks import not_red, stubs
from tdgen.errors import TdgenError
from tdgen.impl import lint_findings
from tdgen.impl.imports import import_findings
from tdgen.judge.harmless import is_harmless
from tdgen.judge.probes import is_call_on_literals
from tdgen.judge.together import Judged, passing_together
from tdgen.pipeline.finishing import rendered_files, verify
from tdgen.runtime import Runtime
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.source.syntax import parses
from tdgen.specs.declarations import declare_types
from tdgen.specs.instruction import normalise, unwritten
from tdgen.types import Instruction

_FEWEST: Final = 2
"""One alone shares with nobody."""


Entry = tuple[Solution, Instruction]
"""A solution as it lay in the team's store, and the instruction that it was asked for."""


def may_be_shared(solution: Solution) -> bool:
    """Whether a solution is for the team: all green, of code that tdgen wrote, in Python."""
    return solution.all_tests_passed and not solution.plan.is_existing and not solution.plan.language


def judged_again(entries: Sequence[Entry], runtime: Runtime, settings: Settings) -> list[tuple[Solution, str]]:
    """The solutions as they may be used, and of each why it is none of its instruction: empty where it holds."""
    read = [_guarded(entry[0], partial(_read, entry, runtime, settings)) for entry in entries]
    passing = _passing_together([solution for solution, fault in read if not fault], runtime, settings)
    return [
        (solution, fault)
        if fault or solution.key in passing
        else _guarded(solution, partial(_run, solution, runtime, settings))
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


def _read(entry: Entry, runtime: Runtime, settings: Settings) -> tuple[Solution, str]:
    """The solution, and what reading finds wrong with it; its test files are its cases' own unless it is signed."""
    solution, asked = entry
    fault = next(_odd(entry), "")
    if fault or settings.store_key.get_secret_value():
        return solution, fault
    if fault := next(_refused(solution, settings), ""):
        return solution, fault
    files = rendered_files(solution.plan, solution.results, asked.tests, runtime.executor)
    return solution.model_copy(update={"test_files": files}), ""


def _run(solution: Solution, runtime: Runtime, settings: Settings) -> tuple[Solution, str]:
    """The solution, and what running finds wrong with it, in processes of its own."""
    if fault := _not_red(solution, runtime, settings):
        return solution, fault
    verified = verify(
        solution,
        None,
        sandbox=runtime.sandbox,
        oracle=runtime.oracle,
        limits=settings.limits,
        executor=runtime.executor,
        with_tests=False,
    )
    failed = [verdict for verdicts in verified.verdicts.values() for verdict in verdicts if not verdict.passed]
    return solution, f"its code fails {failed[0].case} of {failed[0].function}" if failed else ""


def _passing_together(solutions: Sequence[Solution], runtime: Runtime, settings: Settings) -> set[str]:
    """The keys of those that pass all of their cases in one process with the others."""
    if runtime.has_project or len(solutions) < _FEWEST:
        return set()
    modules = [Judged(one.module_source, one.plan, [result.suite for result in one.results]) for one in solutions]
    passing = passing_together(modules, runtime.sandbox, runtime.oracle, settings.limits)
    return {solutions[place].key for place in passing if not _not_red(solutions[place], runtime, settings)}


def _not_red(solution: Solution, runtime: Runtime, settings: Settings) -> str:
    """A case that passes where nothing is written; one that calls its function on literals fails there for certain."""
    plan = solution.plan
    names = {spec.name for spec in plan.functions}
    cases = [case for result in solution.results for case in result.suite.cases]
    doubtful = [case for case in cases if not (case.function in names and is_call_on_literals(case))]
    found = not_red(runtime.sandbox, settings.limits, plan, stubs(plan, declare_types(plan)), doubtful)
    return "".join(f"its case {name} tests nothing: {problem}" for name, problem in list(found.items())[:1])


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
