"""The last step: one module and its test files, seen to pass as a whole, and what is verified kept.

Properties are tried once more in the finished module, where all the functions are that they speak of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path

from tdgen.build import verdicts_on
from tdgen.build.draft import Draft, Tools, class_keys, function_keys, revised
from tdgen.build.module_checks import RenderedFile, failed_tests, user_files
from tdgen.errors import StoreError
from tdgen.events import FunctionEnded, Noted
from tdgen.extensions import part
from tdgen.judge import Oracle
from tdgen.language import Language
from tdgen.prompts.cases import claim_text
from tdgen.protocols import Sandbox, property_tests, suite_files
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.solution.package import runnable
from tdgen.specs.declarations import declared_by
from tdgen.types import (
    FileJob,
    FileReport,
    FunctionResult,
    KeptClass,
    Limits,
    Plan,
    Revision,
    Spent,
    Usage,
    Verdict,
    file_of_properties,
    file_of_tests,
)

LONGEST_REASON = 300
"""Of what is told of a test that came out otherwise: a line or three of a terminal. Not tuned."""


def solution_of(
    draft: Draft, *, key: str, settings: Settings, spent: tuple[Spent, ...], seconds: float, sandbox: str
) -> Solution:
    """The solution with what it cost; `seconds` is all the time it took."""
    return Solution(
        key=key,
        instruction=draft.instruction.text,
        plan=draft.required_plan,
        results=tuple(draft.results.values()),
        module_source=draft.module_source,
        test_files=dict(draft.test_files),
        trust=settings.trust,
        revisions=draft.revisions,
        questions=(*draft.required_plan.questions, *draft.questions),
        promotions=sum(revision.action == "promoted" for revision in draft.revisions),
        usage=sum((part.usage for part in spent), Usage()),
        spent=spent,
        seconds=round(seconds, 3),
        sandbox=sandbox,
        model=Path(settings.script).name or settings.model,
        follows=draft.instruction.follows,
        stopped=draft.stopped,
        notes=draft.notes,
    )


def finish(tools: Tools, draft: Draft) -> Draft:
    """Write the module and its tests, run them as the user will, and keep the functions that are green."""
    names = [name for group in draft.required_dependencies.order for name in group]
    sources = {name: draft.results[name].source for name in names}
    draft = replace(draft, module_source=tools.language.finished(draft.required_plan, sources))
    if tools.can("pytest"):
        if any(result.suite.properties for result in draft.results.values()):
            draft = property_tests().check_in_module(tools, draft)
        results, tests = tuple(draft.results.values()), draft.instruction.tests
        files = rendered_files(draft.required_plan, results, tests, tools.executor)
        draft = _run_whole(tools, replace(draft, test_files=files))
    else:
        draft = _judged_whole(tools, draft, sources)
    _keep(tools, draft)
    return draft


def _judged_whole(tools: Tools, draft: Draft, sources: Mapping[str, str]) -> Draft:
    """The same where pytest runs no tests: functions are judged once more in the file that the user gets."""
    plan, results, language = draft.required_plan, dict(draft.results), tools.language
    tests = language.tests(plan, [result.suite for result in results.values()], sources)
    oracle = Oracle.of(tools.oracle, plan, draft.types)
    for name, result in results.items():
        if result.outcome != "green":
            continue
        judged = verdicts_on(
            language.module_of(plan, draft.module_source, draft.types, name, tests),
            result.suite,
            plan.spec(name),
            oracle,
            oracle.expectations(result.suite.cases),
            tools.sandbox,
            tools.settings.limits,
        )
        if failed := [verdict.case for verdict in judged if not verdict.passed]:
            reason = f"its cases pass alone, but not in the finished module: {', '.join(failed[:3])}"
            results[name] = result.model_copy(update={"outcome": "undecided", "reason": reason})
            tools.emit(FunctionEnded(function=name, outcome="undecided", reason=reason))
    return replace(draft, test_files=tests, results=results)


def _keep(tools: Tools, draft: Draft) -> None:
    """Keep what is green; what can't be kept is there all the same."""
    keys = function_keys(draft, tools.settings, tools.judged_by)
    by_class = class_keys(draft, tools.settings, tools.judged_by)
    try:
        for name, result in draft.results.items():
            if result.outcome == "green":
                tools.kept.put(keys[name], result)
                if name in by_class:
                    tools.kept.put_class(by_class[name], KeptClass(spec=draft.required_plan.spec(name), result=result))
    except StoreError as error:
        tools.emit(Noted(text=f"not all functions were kept: {error}"))


def rendered_files(
    plan: Plan, results: Sequence[FunctionResult], tests: Sequence[str], executor: Executor
) -> dict[str, str]:
    """The test files of a solution's suites and properties, and the user's own."""
    tested = [result for result in results if result.suite.cases]
    # what a team's store has from before may have properties of classes, which are none any more
    promised = [one for one in results if one.suite.properties and plan.spec(one.function).interface is None]
    pytest = suite_files()
    rendered = executor.map(
        lambda r: pytest.render_suite(
            r.suite, plan.spec(r.function), plan, isolated=r.writes, failing=r.expected_failures
        ),
        tested,
    )
    files = {file_of_tests(result.function): file for result, file in zip(tested, rendered, strict=True)}
    rendered = executor.map(
        lambda r: pytest.render_properties(r.suite.properties, plan.spec(r.function), plan, isolated=r.writes), promised
    )
    promises = {file_of_properties(result.function): file for result, file in zip(promised, rendered, strict=True)}
    return promises | files | user_files(tests)


def _run_whole(tools: Tools, draft: Draft) -> Draft:
    """Run all test files on the finished module; a green function whose file does not pass is undecided.

    What fails here passed before, in a module of its own: the functions get in each other's way, or luck was in it.
    """
    plan = draft.required_plan
    is_green = all(result.outcome == "green" for result in draft.results.values())
    if not (draft.test_files if plan.is_existing else is_green):
        return draft
    files = {**plan.module_files(draft.module_source), **draft.test_files}
    job = whole_run(files, tuple(draft.test_files))
    report = tools.sandbox.run_files(job.model_copy(update={"overlay": plan.overlay(draft.module_source)}))
    if plan.is_existing:  # tests that do not come out as the judge says are left out, and told
        held = _without_strays(tools, draft, report)
        if held is draft:
            return draft
        files = rendered_files(plan, tuple(held.results.values()), held.instruction.tests, tools.executor)
        return replace(held, test_files=files)
    failed, results = failed_tests(report, files), dict(draft.results)
    if report.complete and report.outcomes and not failed:
        return draft
    # The functions whose tests failed, those of the user's among them; all of them where that can't be told.
    failing = {test.partition("::")[0] for test in failed}
    named = {name for gate in draft.gates for name in gate.named_by(failed)}
    suspects = [n for n in results if n in named or failing & {file_of_tests(n), file_of_properties(n)}]
    for name in suspects or list(results):
        reason = _reason(tools, draft, results[name], report, failed)
        results[name] = results[name].model_copy(update={"outcome": "undecided", "reason": reason})
        tools.emit(FunctionEnded(function=name, outcome="undecided", reason=reason))
    return replace(draft, results=results)


def _test_ids(result: FunctionResult, plan: Plan) -> dict[str, str]:
    """The ids of a function's rendered tests, by case."""
    if not result.suite.cases:
        return {}
    spec, failing = plan.spec(result.function), result.expected_failures
    return suite_files().node_ids(result.suite, spec, plan, failing=failing)


def _without_strays(tools: Tools, draft: Draft, report: FileReport) -> Draft:
    """The draft whose suites have no case or property whose test came out otherwise than the judge says."""
    results: dict[str, FunctionResult] = {}
    revisions: list[Revision] = []
    for name, result in draft.results.items():
        tests = _strays(result, draft.required_plan, report)
        stray = {}
        for title, test in tests.items():
            # The line of a traceback that names the exception, or the last line of any other text.
            text = report.reasons.get(test) or report.outcomes.get(test, "it did not come to its end")
            lines = [line[1:].strip() for line in text.splitlines() if line.startswith("E ")]
            named = [line for line in lines if "Error" in line.partition(":")[0]]
            stray[title] = (named or lines[:1] or text.strip().splitlines() or [""])[-1][:LONGEST_REASON]
        cases = {case.name: claim_text(case) for case in result.suite.cases if case.name in stray}
        suite = result.suite.changed(dict.fromkeys(cases, None))
        properties = tuple(one for one in suite.properties if one.name not in stray)
        results[name] = result.model_copy(update={"suite": suite.model_copy(update={"properties": properties})})
        for test, reason in stray.items():
            why = f"its test does not come out as the judge says: {reason}"
            revisions.append(
                Revision(function=name, case=test, action="quarantined", reason=why, before=cases.get(test, ""))
            )
    return revised(replace(draft, results=results), tools, revisions) if revisions else draft


def _strays(result: FunctionResult, plan: Plan, report: FileReport) -> dict[str, str]:
    """The cases and properties of a suite whose tests came out otherwise, by name, with their tests' ids."""
    failing = result.expected_failures
    wrong = {
        case: test
        for case, test in _test_ids(result, plan).items()
        if report.outcomes.get(test) != ("xfailed" if case in failing else "passed")
    }
    file = file_of_properties(result.function)
    tests = {one.name: f"{file}::{one.name}" for one in result.suite.properties}
    return wrong | {name: test for name, test in tests.items() if report.outcomes.get(test) != "passed"}


def _reason(tools: Tools, draft: Draft, result: FunctionResult, report: FileReport, failed: Mapping[str, str]) -> str:
    """Why a green function's file does not pass on the finished module; `failed` are the tests that did not."""
    plan = draft.required_plan
    text = "; ".join(f"{test}: {reason[-500:]}" for test, reason in list(failed.items())[:2]) or report.log[-500:]
    file = RenderedFile(result.suite, plan.spec(result.function), plan, isolated=result.writes)
    if faulty := file.faulty(tools.sandbox, draft.module_source, report):
        names = ", ".join(sorted(faulty)[:2]) + (f" and {len(faulty) - 2} more" if len(faulty) > 2 else "")
        return f"a fault of its test file, not of the code: the judge passes {names}, and the file does not: {text}"
    return f"its tests pass alone, but not in the finished module: {text}"


def whole_run(files: Mapping[str, str], tests: Sequence[str]) -> FileJob:
    """All of a package's tests in one run; files of properties have each the time that they have by themselves."""
    limits = FileJob(files={}, tests=()).limits
    if times := sum(name.endswith("_properties.py") for name in tests):
        more = property_tests().LIMITS
        limits = Limits(wall_s=limits.wall_s + times * more.wall_s, cpu_s=limits.cpu_s + times * more.cpu_s)
    return FileJob(files=dict(files), tests=tuple(tests), limits=limits)


@dataclass(frozen=True)
class Verification:
    """What came of it: the judge's verdicts by function, what plain pytest said of the test files, what is missing.

    `missing` are the functions that the module has not, or only without a body. `failing` are the tests that show what
    existing code is known to do otherwise than its docs say: they pass by failing. `runner` is what ran the files.
    """

    verdicts: Mapping[str, tuple[Verdict, ...]]
    report: FileReport
    missing: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    failing: frozenset[str] = frozenset()
    runner: str = "pytest"

    @property
    def passed(self) -> bool:
        """Whether every function is there and every case of it passed, and every test file."""
        judged = all(v.passed for verdicts in self.verdicts.values() for v in verdicts)
        return judged and self.tests_passed and not self.missing

    @property
    def tests_passed(self) -> bool:
        """Whether every test file passed."""
        if not self.runner:
            return True
        as_known = {test for test in self.failing if self.report.outcomes.get(test) == "xfailed"}
        others = {test: outcome for test, outcome in self.report.outcomes.items() if test not in as_known}
        is_whole = self.report.complete and bool(self.report.outcomes)
        return is_whole and not failed_tests(self.report.model_copy(update={"outcomes": others}), self.files)


def verify(
    solution: Solution,
    files: Mapping[str, str] | None,
    *,
    sandbox: Sandbox,
    oracle: Sandbox,
    limits: Limits,
    executor: Executor,
    language: Language,
) -> Verification:
    """Judge the module in `files` on the solution's suites and run the test files there; no model is asked.

    `files` are the texts of a folder's files as they are now, by path; what a user has changed in them is what is
    tried. None are those of the solution itself.
    """
    plan = solution.plan
    here = {**solution.test_files, **plan.module_files(solution.module_source)} if files is None else files
    placed = here if plan.target else runnable(here, plan.module)
    own = solution.module_source if plan.target else ""
    source = next((text for name, text in placed.items() if plan.is_module(name)), own)
    tests = tuple(sorted(name for name in placed if Path(name).name.startswith("test_") and name.endswith(".py")))
    types = declared_by(language, plan)
    oracles = Oracle.of(oracle, plan, types)

    def judged(function: str) -> tuple[Verdict, ...]:
        result = next(result for result in solution.results if result.function == function)
        suite = result.suite.changed(dict.fromkeys(result.expected_failures))
        expected = oracles.expectations(suite.cases)
        running = language.module_of(plan, source, types, function, placed)
        return verdicts_on(running, suite, plan.spec(function), oracles, expected, sandbox, limits)

    names = [result.function for result in solution.results]
    verdicts = dict(zip(names, executor.map(judged, names), strict=True))
    there = language.defined(source, names)
    missing = tuple(name for name in names if name not in there)
    if "pytest" not in language.capabilities:
        commands = language.commands(plan)
        report = part("foreign_tests")(placed, commands, sandbox, limits) if commands else FileReport()
        return Verification(verdicts, report, missing, runner=language.name if commands else "")
    python = {name: text for name, text in placed.items() if name.endswith(".py")}
    job = whole_run(python, tests).model_copy(update={"overlay": plan.overlay(source)})
    report = sandbox.run_files(job)
    deviating = [result for result in solution.results if result.expected_failures]  # of existing code
    known = frozenset(
        test for one in deviating for case, test in _test_ids(one, plan).items() if case in one.expected_failures
    )
    return Verification(verdicts, report, missing, python, known)
