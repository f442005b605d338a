"""One function of a solution: its contract, its tests beside its code, its attempts, and how hard its suite is."""

from __future__ import annotations

from tdgen.solution.story.attempts import attempts
from tdgen.solution.story.code import block
from tdgen.solution.story.markup import Markup, breakable, join, tag
from tdgen.solution.story.suites import cases
from tdgen.solution.story.words import STATE_MARKS
from tdgen.types.plan import FunctionSpec
from tdgen.types.record import FunctionResult, Revision, SolutionRecord, Strength


def function(solution: SolutionRecord, result: FunctionResult, anchor: str = "function-") -> Markup:
    """All there is to say of a function; `anchor` begins the ids of a solution's functions."""
    spec = solution.plan.spec(result.function)
    revised = [revision for revision in solution.revisions if revision.function == result.function]
    return tag(
        "section",
        tag("h3", breakable(spec.name), " ", badge(result.outcome, result.outcome)),
        tag("p", result.reason, class_="reason") if result.reason else None,
        _contract(spec, [other.name for other in solution.plan.functions if spec.name in other.dependencies], anchor),
        tag("h4", counted(len(result.suite.cases), "case")),
        cases(result),
        _revisions(revised),
        _strength(result.strength) if result.strength else None,
        _sources(solution, result),
        tag("h4", counted(len(result.history), "attempt")),
        attempts(result),
        id=f"{anchor}{spec.name}",
        class_="function",
    )


def badge(outcome: str, told: str) -> Markup:
    """A state in its colour, with its mark."""
    return tag("span", f"{STATE_MARKS[outcome]} {told}", class_=f"badge {outcome}")


def counted(number: int, noun: str) -> str:
    """Such as `2 cases`."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _contract(spec: FunctionSpec, users: list[str], anchor: str) -> Markup:
    said = [tag("li", f"returns {spec.returns.description}")] if spec.returns.description else []
    said += [tag("li", "raises ", tag("code", one.type), f" when {one.when}") for one in spec.raises]
    said += [
        tag("li", f"{told} ", join([tag("a", tag("code", name), href=f"#{anchor}{name}") for name in names], ", "))
        for told, names in (("needs", spec.dependencies), ("is needed by", users))
        if names
    ]
    said += [tag("li", "corrected: ", one.sentence) for one in spec.corrections]
    return tag(
        "div",
        tag("p", tag("code", spec.signature), class_="signature"),
        tag("p", spec.purpose),
        tag("ul", *said) if said else None,
        class_="contract",
    )


def _sources(solution: SolutionRecord, result: FunctionResult) -> Markup:
    """The code, and beside it the test file."""
    tests = solution.test_files.get(f"test_{result.function}.py", "")
    code = result.best.source if result.best else ""
    title = "Code" if result.outcome == "green" else "Best attempt"
    shown = [
        block(source, f"{label} of {result.function}", head)
        for source, label, head in ((code, "Code", title), (tests, "Tests", f"test_{result.function}.py"))
        if source
    ]
    return tag("div", *shown, class_="beside") if shown else tag("p", "No code.", class_="faint")


def _revisions(revised: list[Revision]) -> Markup | None:
    if not revised:
        return None
    return join(
        [tag("h4", "Cases that were changed or set aside"), tag("ul", *map(_revision, revised), class_="revisions")]
    )


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
            tag("h4", "Mutants"),
            tag("p", told + reach),
            tag("ul", *survived) if survived else None,
        ]
    )
