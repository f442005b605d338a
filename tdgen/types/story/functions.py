"""One function of a solution: its contract, its tests beside its code, its attempts, and how hard its suite is."""

from __future__ import annotations

from tdgen.types.plan import FunctionSpec
from tdgen.types.record import FunctionResult, Revision, SolutionRecord, Strength
from tdgen.types.story.attempts import attempts
from tdgen.types.story.code import block
from tdgen.types.story.markup import Markup, join, tag
from tdgen.types.story.suites import cases


def function(solution: SolutionRecord, result: FunctionResult) -> Markup:
    """All there is to say of a function."""
    spec = solution.plan.spec(result.function)
    revised = [revision for revision in solution.revisions if revision.function == result.function]
    number = len(result.history)
    return tag(
        "section",
        tag("h3", spec.name, " ", tag("span", result.outcome, class_=f"badge {result.outcome}")),
        tag("p", result.reason, class_="reason") if result.reason else None,
        _contract(spec),
        tag("div", _tests(solution, result), _code(result), class_="beside"),
        tag("h4", f"Its {len(result.suite.cases)} cases, and whether they pass"),
        cases(result),
        _revisions(revised),
        _strength(result.strength) if result.strength else None,
        tag("h4", f"{number} attempt{'s' * (number != 1)}"),
        attempts(result),
        id=f"function-{spec.name}",
        class_="function",
    )


def _contract(spec: FunctionSpec) -> Markup:
    raises = [tag("li", "raises ", tag("code", one.type), f" when {one.when}") for one in spec.raises]
    needs = (
        [tag("li", "needs ", join([tag("code", name) for name in spec.dependencies], ", "))]
        if spec.dependencies
        else []
    )
    gives = [tag("li", f"returns {spec.returns.description}")] if spec.returns.description else []
    return tag(
        "div",
        tag("p", tag("code", spec.signature), class_="signature"),
        tag("p", spec.purpose),
        tag("ul", *gives, *raises, *needs) if gives or raises or needs else None,
        class_="contract",
    )


def _tests(solution: SolutionRecord, result: FunctionResult) -> Markup:
    name = f"test_{result.function}.py"
    source = solution.test_files.get(name, "")
    inner = block(source, f"Tests of {result.function}") if source else tag("p", "No test file.", class_="faint")
    return tag("div", tag("h4", name), inner)


def _code(result: FunctionResult) -> Markup:
    source = result.best.source if result.best else ""
    inner = block(source, f"Code of {result.function}") if source else tag("p", "No code.", class_="faint")
    return tag("div", tag("h4", "its code" if result.outcome == "green" else "its best attempt"), inner)


def _revisions(revised: list[Revision]) -> Markup | None:
    if not revised:
        return None
    return join([tag("h4", "What became of some cases"), tag("ul", *map(_revision, revised), class_="revisions")])


def _revision(one: Revision) -> Markup:
    changed = tag("p", tag("del", one.before), " → ", tag("ins", one.after)) if one.before or one.after else None
    quoted = tag("p", "Because: ", tag("q", one.quote)) if one.quote else None
    return tag("li", tag("code", one.case), f" was {one.action}: {one.reason}", changed, quoted)


def _strength(strength: Strength) -> Markup:
    told = f"{strength.killed} of {strength.mutants} small changes to the code make a case fail ({strength.score:.0%})"
    reach = f"; the cases reach {strength.lines:.0%} of its lines" if strength.lines is not None else ""
    survived = [
        tag("li", f"line {one.line}: ", tag("del", one.before), " → ", tag("ins", one.after))
        for one in strength.survivors
    ]
    return join(
        [
            tag("h4", "How hard its suite is to deceive"),
            tag("p", told + reach),
            tag("ul", *survived) if survived else None,
        ]
    )
