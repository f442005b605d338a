"""The verdict on a case, what it is reached from, and whether two implementations do the same.

Only a call that returned can satisfy a value or a check, and only one that raised can satisfy an exception. A process
that died, hung or told nonsense passes nothing, whatever was expected. Observations of two implementations are compared
as the judge compares values.
"""

from __future__ import annotations

from collections.abc import Iterator

from tdgen.judge.compare import differences, outcome, text_difference
from tdgen.types import (
    Call,
    Case,
    Check,
    Difference,
    Exits,
    ExpectedException,
    Frozen,
    FunctionSpec,
    Observation,
    Pattern,
    Value,
    Verdict,
    Wire,
)
from tdgen.values.equality import Relation, relation_of_call, relation_of_case
from tdgen.values.keys import json_text
from tdgen.values.readers import Unreadable
from tdgen.values.show import LIMIT, brief, clean, cut, show_wire


class Expected(Frozen):
    """A case's expectation as the oracle evaluated it, in a process without the candidate.

    `value` belongs to a Value, `exception` (a qualified class name) to an ExpectedException, `after` to the case's
    after-expressions in order. `holds` says whether a Check is satisfied by one observation; None while that has
    not been evaluated. `patterns` are those of the case's patterns, by where they are searched, that are found in one
    observation. `detail` says why it does not hold, or why nothing was found. `problem` says why the
    expectation itself can't be evaluated or compared; empty where it can.
    """

    value: Wire = None
    exception: str = ""
    after: tuple[Wire, ...] = ()
    holds: bool | None = None
    patterns: frozenset[str] = frozenset()
    detail: str = ""
    problem: str = ""


MAX_OUTPUT = 2_000
MAX_VALUE = 20_000
"""Characters of a returned value's JSON that a verdict keeps: a verdict is stored for each case of each attempt."""
NOT_EVALUATED = "something that can be evaluated"
"""How what is wanted begins where the case's own expectation can't be evaluated."""
NO_COPY = "the check can't see it, as no copy of it can be made"
"""What is said of a result that a check was to look at, and that leaves the sandbox in no form that can be rebuilt."""


def judge(case: Case, spec: FunctionSpec, observation: Observation, expected: Expected) -> Verdict:
    """Whether `observation` is what `case` asks of the function of `spec`, and if not, every difference."""
    wrong = tuple(_differences(case, spec, observation, expected))
    text = json_text(observation.value, MAX_VALUE) if observation.status == "returned" else ""
    return Verdict(
        function=case.function,
        case=case.name,
        passed=not wrong,
        status=observation.status,
        differences=wrong,
        actual=outcome(observation),
        value_json=text if len(text) <= MAX_VALUE else "",
        value_cut=len(text) > MAX_VALUE,
        raised=observation.raised,
        stdout=cut(observation.stdout, MAX_OUTPUT),
        stderr=cut(observation.stderr, MAX_OUTPUT),
        mutated={name: show_wire(value) for name, value in observation.mutated.items()},
        detail=observation.detail,
    )


def passes(case: Case, spec: FunctionSpec, observation: Observation, expected: Expected) -> bool:
    """Whether `judge` says so, without a text of what was seen."""
    return next(_differences(case, spec, observation, expected), None) is None


def _differences(case: Case, spec: FunctionSpec, observation: Observation, expected: Expected) -> Iterator[Difference]:
    if expected.problem:
        wanted = f"{NOT_EVALUATED} ({expected.problem})"
        yield Difference(where="", expected=wanted, actual=outcome(observation))
        return
    wanted = _wanted(case, expected)
    if observation.status not in ("returned", "raised"):
        yield Difference(where="", expected=wanted, actual=outcome(observation))
        return
    yield from _of_result(case, spec, observation, expected, wanted)
    yield from _of_printed(case, observation, expected)
    yield from _of_files(case, observation)
    yield from _of_afterwards(case, observation, expected)


def _of_result(
    case: Case, spec: FunctionSpec, observation: Observation, expected: Expected, wanted: str
) -> Iterator[Difference]:
    """What is wrong with what the call returned or raised."""
    asked = case.expectation
    raised = observation.raised if observation.status == "raised" else None
    if isinstance(asked, Exits):
        code = 0 if observation.status == "returned" else raised.exit_code if raised else None
        if code != asked.code:
            ended = outcome(observation) if code is None else f"exit code {code}"
            yield Difference(where="", expected=wanted, actual=ended)
    elif isinstance(asked, ExpectedException):
        if raised is None or not expected.exception or expected.exception not in raised.types:
            yield Difference(where="", expected=wanted, actual=outcome(observation))
        elif asked.match and "message" not in expected.patterns:
            yield _pattern_missing("message", "a message", asked.match, raised.message, expected)
    elif raised is not None or observation.status != "returned":
        yield Difference(where="", expected=wanted, actual=outcome(observation))
    elif isinstance(asked, Value):
        yield from differences(expected.value, observation.value, relation_of_case(case, spec))
    elif expected.holds is not True:
        detail = f" ({expected.detail})" if expected.detail else ""
        yield Difference(where="", expected=wanted, actual=f"{outcome(observation)}{detail}")


def _of_printed(case: Case, observation: Observation, expected: Expected) -> Iterator[Difference]:
    """What is wrong with what was printed and logged."""
    printed = {"stdout": (case.stdout, observation.stdout), "stderr": (case.stderr, observation.stderr)}
    for stream, (asked, printed_text) in printed.items():
        if isinstance(asked, Pattern):
            if stream not in expected.patterns:
                yield _pattern_missing(stream, "a text", asked.match, printed_text, expected)
        elif asked is not None and asked != printed_text:
            yield text_difference(stream, asked, printed_text)
    if case.logs is not None:
        wanted = [[record.logger, record.level, record.message] for record in case.logs]
        for difference in differences(wanted, [list(record) for record in observation.logs], Relation()):
            yield difference.model_copy(update={"where": f"logs{difference.where}"})


def _of_files(case: Case, observation: Observation) -> Iterator[Difference]:
    """What is wrong with the files that there are."""
    for name, text in case.files.items():
        if text is None:
            if name in observation.files:
                yield Difference(where=f"file {clean(name)}", expected="no such file", actual="it is there")
        elif name not in observation.files:
            wanted = show_wire(text) if isinstance(text, str) else brief(repr(text), LIMIT)
            yield Difference(where=f"file {clean(name)}", expected=wanted, actual="no such file")
        elif observation.files[name] != text:
            yield text_difference(f"file {clean(name)}", text, observation.files[name])


def _pattern_missing(where: str, what: str, pattern: str, text: str, expected: Expected) -> Difference:
    """The difference where a pattern is not found in a text."""
    why = f" ({expected.detail})" if expected.detail else ""
    return Difference(
        where=where, expected=f"{what} in which {clean(repr(pattern))} is found", actual=f"{show_wire(text)}{why}"
    )


def _of_afterwards(case: Case, observation: Observation, expected: Expected) -> Iterator[Difference]:
    """What is wrong with the expressions that were evaluated after the call."""
    tolerance = case.expectation.tolerance if isinstance(case.expectation, Value) else None
    relation = Relation(tolerance=tolerance) if tolerance else Relation()
    for place, after in enumerate(case.after):
        where = brief(after.expression, 80)
        if place >= len(expected.after) or place >= len(observation.after):
            yield Difference(where=where, expected=brief(after.source, 200), actual="not evaluated")
            continue
        for difference in differences(expected.after[place], observation.after[place], relation):
            yield difference.model_copy(update={"where": where + difference.where})


def _wanted(case: Case, expected: Expected) -> str:
    """What the case asks for, in words."""
    asked = case.expectation
    if isinstance(asked, Value):
        return show_wire(expected.value)
    if isinstance(asked, Check):
        return f"a result for which {brief(asked.source, 200)} holds"
    if isinstance(asked, Exits):
        return f"exit code {asked.code}"
    return brief(asked.type, 80) + (f" with a message that matches {clean(repr(asked.match))}" if asked.match else "")


def agree(one: Observation, other: Observation, call: Call, spec: FunctionSpec) -> bool:
    """Whether two observations of `call` are of the same behaviour, as far as the contract of `spec` cares.

    What was returned agrees by the judge's relation, whichever of the two is taken for the expected one, what was
    raised by its class and exit code; what was printed, written, changed in an argument or looked at afterwards must be
    the same, of a script what went to standard error too. Two that died or ran out of time agree in that.
    """
    if one.status != other.status:
        return False
    if one.status == "raised":
        endings = [(raised.type, raised.exit_code) for raised in (one.raised, other.raised) if raised is not None]
        same = len(endings) == 2 and endings[0] == endings[1]
    elif one.status == "returned":
        same = _equal(one.value, other.value, relation_of_call(call, spec))
    else:
        return True
    if call.world.script is not None and one.stderr != other.stderr:
        return False
    same = (
        same and one.stdout == other.stdout and one.files == other.files and one.mutated.keys() == other.mutated.keys()
    )
    values = [(value, other.mutated[name]) for name, value in one.mutated.items()] if same else []
    values += zip(one.after, other.after, strict=False)
    return same and len(one.after) == len(other.after) and all(_equal(*pair, Relation()) for pair in values)


def _equal(one: Wire, other: Wire, relation: Relation) -> bool:
    try:
        if repr(one) == repr(other):  # not `==`, by which True is 1 and 2 is 2.0
            return True
    except (RecursionError, ValueError):  # nested too deep, or an int too long for decimals
        return False
    try:
        return not (differences(one, other, relation) or differences(other, one, relation))
    except Unreadable:
        return False
