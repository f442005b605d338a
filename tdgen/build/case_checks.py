"""What is found out about cases without an implementation: by running them, by a second answer, by the user's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tdgen.build.draft import Draft, Tools
from tdgen.inputs import not_covered
from tdgen.judge import Expected, Oracle, call_probe
from tdgen.judge.compare import differences
from tdgen.judge.probes import is_call_on_literals
from tdgen.prompts.context import PromptContext, functions_named
from tdgen.protocols import Sandbox, suite_files
from tdgen.source.syntax import expression_or_none
from tdgen.specs.declarations import STUB
from tdgen.testgen.pinned import named_apart
from tdgen.testgen.problems import same, unobservable
from tdgen.testgen.queries import Query, QueryResult, query_expectations
from tdgen.testgen.reply import slug
from tdgen.types import Call, Case, Example, ExpectedException, FunctionSpec, Job, Limits, Plan, Question, Suite, Value
from tdgen.values.equality import relation_of_case
from tdgen.values.readers import Unreadable


@dataclass
class CaseChecks:
    """What running tells of a function's cases before there is an implementation: faults, by the case's name.

    `values` are what the cases of the last question expect, `sound` all cases so far that were found to be sound just
    as they are, each with what it expects.
    """

    tools: Tools
    draft: Draft
    spec: FunctionSpec
    sound: list[tuple[Case, Expected]] = field(default_factory=list)
    values: Mapping[str, Expected] = field(default_factory=dict)

    def __call__(self, cases: Sequence[Case]) -> Mapping[str, str]:
        """The faults of these cases."""
        if not cases:
            return {}
        tools, draft = self.tools, self.draft
        self.values = Oracle.of(tools.oracle, draft.required_plan, draft.types).expectations(cases)
        # a case is at fault whose expectation can't be evaluated or written down, or that does not fail on a stub
        spec, plan = self.spec, draft.required_plan
        problems = {case.name: problem for case in cases if (problem := next(unobservable(case, spec), ""))}
        problems |= {name: value.problem for name, value in self.values.items() if value.problem}
        problems |= _unattended([case for case in cases if case.name not in problems], spec, draft)
        problems |= _unwritable([case for case in cases if case.name not in problems], spec, plan)
        left = {case.name: case.done for case in cases if case.name not in problems}
        module = tools.language.unwritten(plan, draft.types, spec.name)
        problems |= not_red(tools.sandbox, tools.settings.limits, plan, module, left)
        self.sound += [(case, self.values[case.name]) for case in cases if case.name not in problems]
        return problems


def query_calls(
    tools: Tools, draft: Draft, context: PromptContext, calls: Sequence[Call], asking: Query
) -> QueryResult:
    """What the test author says that calls of a planned function must give; see `queries.query_expectations`.

    A call that a case makes already is not put to the author again. One that never comes to what is to be written can
    be no case: nobody is asked about it, and it is in no part.
    """
    new = not_covered(calls, context.spec, asking.there, context.plan.types)
    covered = frozenset(place for place, call in enumerate(calls) if call not in new)
    doubtful = {str(n): c for n, c in enumerate(calls) if n not in covered and not is_call_on_literals(c)}
    idle = dict[str, str]()
    if doubtful:
        plan, limits = draft.required_plan, tools.settings.limits
        stubs = tools.language.unwritten(plan, draft.types, context.spec.name)
        idle = not_red(tools.sandbox, limits, plan, stubs, doubtful)
    places = [place for place in range(len(calls)) if place not in covered and str(place) not in idle]
    if not places:
        return QueryResult({}, covered=covered)
    evaluate = CaseChecks(tools, draft, context.spec)
    result = query_expectations(
        tools.model, context, [calls[place] for place in places], evaluate=evaluate, asking=asking
    )
    return result.at(places)._replace(covered=covered)


def not_red(sandbox: Sandbox, limits: Limits, plan: Plan, module: str, calls: Mapping[str, Call]) -> dict[str, str]:
    """Which of the calls, by name, do not fail as they should on a `module` of stubs, and what they do instead."""
    if not calls:
        return {}
    probes = tuple(call_probe(name, call) for name, call in calls.items())
    job = Job(module=plan.module, source=module, probes=probes, limits=limits)
    reasons = {}
    for call, observation in zip(calls.values(), sandbox.run(job).observations, strict=True):
        unit = plan.spec(call.function).unit
        raised = observation.raised.type if observation.raised else ""
        if observation.status == "returned":
            reasons[observation.name] = (
                f"it ends well where nothing is written: it never calls the {unit}, or catches whatever that raises "
                "(`except BaseException`)"
            )
        elif raised not in (f"{plan.module}.{STUB}", f"__main__.{STUB}"):
            text = observation.raised.message if observation.raised else observation.detail
            reasons[observation.name] = (
                f"it fails before the {unit} is called: {raised or observation.status} {text}".strip()
            )
    return reasons


def _unattended(cases: Sequence[Case], spec: FunctionSpec, draft: Draft) -> dict[str, str]:
    """Cases that name a planned function which is not there when theirs is judged; nothing before the order is known.

    Those of the user's are never among them: they belong to the last of the functions that they name.
    """
    if draft.dependencies is None:
        return {}
    there = {spec.name, *draft.dependencies.below(spec.name)}
    absent = {case.name: functions_named(case, draft.required_plan) - there for case in cases}
    return {
        name: f"it names {min(others)}, which {spec.name} neither calls nor is judged with: write it without"
        for name, others in absent.items()
        if others
    }


def _unwritable(cases: Sequence[Case], spec: FunctionSpec, plan: Plan) -> dict[str, str]:
    """Cases that can't stand in a pytest file: they name what nobody knows, or would change the test around them."""
    problems: dict[str, str] = {}
    try:
        suite_files().render_suite(Suite(function=spec.name, cases=tuple(cases)), spec, plan)
    except ValueError as error:
        for case in cases if len(cases) > 1 else ():
            problems |= _unwritable([case], spec, plan)
        if len(cases) == 1:
            problems[cases[0].name] = f"it can't stand in a test file: {error}"
    return problems


def say_the_same(case: Case, expected: Expected, other: Case, second: Expected, spec: FunctionSpec) -> bool:
    """Whether two workings of one call came to the same. A predicate bears out whatever is no exception."""
    forms = {case.expectation.form, other.expectation.form}
    if "check" in forms:
        return "raises" not in forms
    if isinstance(case.expectation, Value) and isinstance(other.expectation, Value):
        try:
            return not differences(expected.value, second.value, relation_of_case(case, spec))
        except Unreadable:
            return False
    return same(case.expectation, other.expectation) or (forms == {"raises"} and expected.exception == second.exception)


def demand_the_same(case: Case, other: Case, spec: FunctionSpec, oracle: Oracle) -> bool:
    """Whether two cases of one call demand the same of all that is observed, their sources evaluated.

    `2 * 5` and `10` are the same, as are `ValueError` and `builtins.ValueError`; two predicates, or two patterns of a
    message, only where they read alike.
    """
    if case.effects == other.effects:
        return True
    beside = {"expectation": case.expectation, "after": case.after}
    looked_at = [[after.expression for after in one.after] for one in (case, other)]
    if looked_at[0] != looked_at[1] or case.effects != other.effects.model_copy(update=beside):
        return False
    match case.expectation, other.expectation:
        case (Value(), Value()):
            may_be_same = True
        case (ExpectedException(match=one), ExpectedException(match=another)):
            may_be_same = one == another
        case _:
            may_be_same = same(case.expectation, other.expectation)
    if not may_be_same:
        return False
    expected, second = (oracle.expectations([one])[one.name] for one in (case, other))
    if expected.problem or second.problem or repr(expected.after) != repr(second.after):
        return False
    return say_the_same(case, expected, other, second, spec)


QUOTE = "the user's answer"
_RAISES = ("raises ", "raised ", "raise ")
_GIVES = ("returns ", "returned ", "gives ")


def read_answer(question: Question, text: str) -> Example | None:
    """The answer as an example; None where the assumption may stand, or nothing was said that can be read.

    `2` is the second option, `raises ValueError` an exception, and all else the Python source of a value, with or
    without `returns` before it.
    """
    said = text.strip()
    if said.isdecimal() and 1 <= int(said) <= len(question.options):
        said = question.options[int(said) - 1]
    expect = "raises" if said.startswith(_RAISES) else "value"
    for word in _RAISES if expect == "raises" else _GIVES:
        said = said.removeprefix(word)
    value = said.partition(":")[0].strip() if expect == "raises" else said.strip()
    if not (value.replace(".", "").isidentifier() if expect == "raises" else expression_or_none(value)):
        return None
    return Example.model_validate(
        {"function": question.function, "quote": QUOTE, "call": question.call, "expect": expect, "value": value}
    )


def pinned_by_answer(call: Call, answer: Example, there: tuple[Case, ...]) -> Case:
    """The case that an answer pins, under a name that none of `there` has."""
    expectation = Value(source=answer.value) if answer.expect == "value" else ExpectedException(type=answer.value)
    case = Case(
        name=slug(call.expression),
        function=call.function,
        kind="edge" if answer.expect == "value" else "error",
        provenance="instruction",
        setup=call.setup,
        arguments=call.arguments,
        call=call.call,
        world=call.world,
        expectation=expectation,
        why=answer.quote,
    )
    return named_apart([case], there)[0]
