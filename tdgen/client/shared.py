"""A solution that came from the store that a team shares, judged again before it counts.

Nothing that it says of itself counts: its cases must fail where nothing is written, and its code pass them. That shows
damage, and code that does not do what its own cases say here. It can't show that somebody planted cases and code that
agree: for that, entries are signed (`tdgen.cache.redis`).

Where they are not, whoever can write there may have planted it. Then its imports and calls must also be those that a
developer is allowed, and its test files are rendered anew from its cases, and pass. What the team signed has been
through that, by who signed it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tdgen.build.case_checks import not_red, stubs
from tdgen.errors import TdgenError
from tdgen.impl import lint_findings
from tdgen.impl.imports import import_findings
from tdgen.pipeline.finishing import rendered_files, verify
from tdgen.runtime import Runtime
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.source.syntax import parses
from tdgen.specs.declarations import declare_types
from tdgen.specs.instruction import normalise
from tdgen.types import Instruction


def may_be_shared(solution: Solution) -> bool:
    """Whether a solution is for the team: all green, of code that tdgen wrote, in Python."""
    return solution.all_tests_passed and not solution.plan.is_existing and not solution.plan.language


def judged_again(solution: Solution, asked: Instruction, runtime: Runtime, settings: Settings) -> tuple[Solution, str]:
    """A solution from the team's store as it may be used, and why it is none of this instruction: empty where it holds.

    Unless it is signed its test files are rendered anew: what else stood in them would be run by whoever runs them.
    """
    is_signed = bool(settings.store_key.get_secret_value())
    try:
        fault = next(_read(solution, asked), "") or ("" if is_signed else next(_refused(solution, settings), ""))
        if fault or is_signed:
            return solution, fault or _fault(solution, runtime, settings)
        files = rendered_files(solution.plan, solution.results, asked.tests, runtime.executor)
        own = solution.model_copy(update={"test_files": files})
        return own, _fault(own, runtime, settings, with_files=True)
    except TdgenError:
        raise
    except Exception as error:  # noqa: BLE001 - a planted record may break any rule that a made one keeps
        return solution, f"it can't be judged: {type(error).__name__}: {error}"


def _fault(solution: Solution, runtime: Runtime, settings: Settings, *, with_files: bool = False) -> str:
    """What running finds wrong with it: its cases, and its test files where they are to be run."""
    limits, plan = settings.limits, solution.plan
    cases = [case for result in solution.results for case in result.suite.cases]
    for name, problem in not_red(runtime.sandbox, limits, plan, stubs(plan, declare_types(plan)), cases).items():
        return f"its case {name} tests nothing: {problem}"
    verified = verify(
        solution,
        None,
        sandbox=runtime.sandbox,
        oracle=runtime.oracle,
        limits=limits,
        executor=runtime.executor,
        with_tests=with_files,
    )
    failed = [verdict for verdicts in verified.verdicts.values() for verdict in verdicts if not verdict.passed]
    if failed:
        return f"its code fails {failed[0].case} of {failed[0].function}"
    if verified.missing:
        return f"its code has no {verified.missing[0]}"
    return "" if verified.tests_passed else "its test files do not pass"


def _read(solution: Solution, asked: Instruction) -> Iterator[str]:
    """What reading finds wrong with it."""
    if not may_be_shared(solution):
        yield "it is not all green"
    if normalise(solution.instruction) != asked.normalised:
        yield "it is of another instruction"
    if solution.plan.target != asked.target:
        yield "it is for another place"
    if [spec.name for spec in solution.plan.functions] != [result.function for result in solution.results]:
        yield "its plan names other functions than it has"
    for result in solution.results:
        if not result.suite.cases:
            yield f"{result.function} has no case"
    if not parses(solution.module_source):
        yield "its code is no Python"


def _refused(solution: Solution, settings: Settings) -> Iterator[str]:
    """What of its code no developer might write."""
    source, target = solution.module_source, solution.plan.target
    packages = ["__future__", *(package.split(".")[0] for package in solution.plan.packages)]
    if target is None:
        yield from import_findings(source, packages=packages, allowed=settings.allow, forbidden=settings.forbid)
        yield from lint_findings(source, 1, source.count("\n") + 1, allowed=settings.allow).blocking
