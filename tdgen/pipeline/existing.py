"""What is otherwise on the way where code exists already: nothing is assumed of it, and nothing is built.

Its test files hold what passes on it and what is known to fail; the rest is left out, and told.
"""

from __future__ import annotations

from tdgen.build.draft import Draft, Tools, revised
from tdgen.prompts.context import claim_text
from tdgen.testgen.rendering import node_ids
from tdgen.testgen.rendering.headers import property_file
from tdgen.types import FileReport, FunctionResult, Plan, Revision

LONGEST_REASON = 300


def without_assumptions(made: Plan) -> tuple[Plan, list[str]]:
    """A plan of code that exists less what was assumed where its docs leave something open, and notes that tell it."""
    if not made.is_existing:
        return made, []
    notes = [f"the docs do not say: {question.question}" for question in made.questions]
    notes += [f"the docs contradict themselves: {one.sentence}" for one in made.contradictions]
    return made.model_copy(update={"questions": (), "contradictions": ()}), notes


def expected_failures(result: FunctionResult) -> dict[str, str]:
    """The cases of a suite that existing code is known to fail, by name, each with the docs' words against it."""
    return {case: f"the docs say: {finding.quote}" for finding in result.findings for case in finding.cases}


def failing_tests(result: FunctionResult, made: Plan) -> frozenset[str]:
    """The ids of the rendered tests that existing code is known to fail."""
    failing = expected_failures(result)
    ids = node_ids(result.suite, made.spec(result.function), made, failing=failing) if failing else {}
    return frozenset(test for case, test in ids.items() if case in failing)


def without_strays(tools: Tools, draft: Draft, report: FileReport) -> Draft:
    """The draft whose suites have no case or property whose test came out otherwise than the judge says."""
    results: dict[str, FunctionResult] = {}
    revisions: list[Revision] = []
    for name, result in draft.results.items():
        tests = _strays(result, draft.made_plan, report)
        stray = {
            name: _last_words(report.reasons.get(test) or report.outcomes.get(test, "it did not come to its end"))
            for name, test in tests.items()
        }
        cases = {case.name: claim_text(case) for case in result.suite.cases if case.name in stray}
        suite = result.suite.changed(dict.fromkeys(cases, None))
        properties = tuple(one for one in suite.properties if one.name not in stray)
        results[name] = result.model_copy(update={"suite": suite.model_copy(update={"properties": properties})})
        for test, reason in stray.items():
            why = f"its test does not come out as the judge says: {reason}"
            revisions.append(
                Revision(function=name, case=test, action="quarantined", reason=why, before=cases.get(test, ""))
            )
    return revised(draft.having(results=results), tools, revisions) if revisions else draft


def _strays(result: FunctionResult, made: Plan, report: FileReport) -> dict[str, str]:
    """The cases and properties of a suite whose tests came out otherwise, by name, with their tests' ids."""
    failing = expected_failures(result)
    ids = node_ids(result.suite, made.spec(result.function), made, failing=failing) if result.suite.cases else {}
    wrong = {
        case: test
        for case, test in ids.items()
        if report.outcomes.get(test) != ("xfailed" if case in failing else "passed")
    }
    file = property_file(result.function)
    tests = {one.name: f"{file}::{one.name}" for one in result.suite.properties}
    return wrong | {name: test for name, test in tests.items() if report.outcomes.get(test) != "passed"}


def _last_words(told: str) -> str:
    """The line of a traceback that names the exception, or the last line of any other text."""
    lines = [line[1:].strip() for line in told.splitlines() if line.startswith("E ")]
    named = [line for line in lines if "Error" in line.partition(":")[0]]
    return (named or lines[:1] or told.strip().splitlines() or [""])[-1][:LONGEST_REASON]
