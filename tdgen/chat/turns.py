"""What a turn did: which units and tests it touched, what was understood of it, and what it left alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tdgen.prompts.cases import outcome_text
from tdgen.solution import Solution
from tdgen.terminal.output import Line, Style, count, one_line
from tdgen.types import Case, FunctionResult, FunctionSpec

NAMED: Final = 4
"""So many cases are named of those that are new, changed or gone; of more the number is told."""
LONGEST: Final = 400


def turn_lines(before: Solution | None, after: Solution) -> Iterator[Line]:
    """Planner, tester and developer on what came of a turn, then what stayed as it was `before`."""
    old = {spec.name: spec for spec in before.plan.functions} if before else {}
    alone = []
    for spec in after.plan.functions:
        had, has = (before[spec.name] if before and spec.name in before else None), after[spec.name]
        planned = list(_planned(old.get(spec.name), spec))
        tested, written = list(_tested(had, has)), list(_written(had, has))
        if not (planned or tested or written):
            alone.append(spec.name)
        yield from (*planned, *tested, *written)
    for name in old:
        if name not in after:
            yield _said("planner", f"{name}: gone")
    known = {question.question for question in before.questions} if before else set()
    for question in after.questions:
        if question.question not in known:
            word = "you answered" if question.answered else "assumed"
            yield _said("planner", f"{question.question} {word}: {question.assumption}")
    if before:
        unchanged = f"{', '.join(alone)}: contract, cases and code as before" if alone else "nothing"
        yield _said("untouched", unchanged, "faint")


def _planned(old: FunctionSpec | None, new: FunctionSpec) -> Iterator[Line]:
    """What the planner understood of a unit, where it is another than before."""
    if old is None:
        yield _said("planner", f"{new.name}: new: {new.signature}: {new.purpose}")
        yield from _methods(new, frozenset(method.name for method in new.interface.methods) if new.interface else None)
        return
    if old.signature != new.signature:
        yield _said("planner", f"{new.name}: {old.signature} → {new.signature}")
    if old.purpose != new.purpose:
        yield _said("planner", f"{new.name}: {new.purpose}")
    elif old.signature == new.signature and _bound(old) != _bound(new):
        yield _said("planner", f"{new.name}: its contract changed")
    if old.interface and new.interface:
        yield from _methods(new, new.interface.changed_from(old.interface))


def _methods(spec: FunctionSpec, names: frozenset[str] | None) -> Iterator[Line]:
    """The contracts of a class's methods of these names; of one that is gone the name."""
    if not (spec.interface and names):
        return
    for method in spec.interface.methods:
        if method.name in names:
            raised = "".join(f" {one.type}: {one.when}." for one in method.raises)
            yield _said("planner", f"{spec.name}: {method.told}: {method.purpose}{raised}")
    for gone in sorted(names - {method.name for method in spec.interface.methods}):
        yield _said("planner", f"{spec.name}: {gone}: gone")


def _bound(spec: FunctionSpec) -> FunctionSpec:
    """A contract less what of it is counted anew with each instruction: which passages bind it."""
    return spec.model_copy(update={"passages": (), "complexity": "simple"})


def _tested(old: FunctionResult | None, new: FunctionResult) -> Iterator[Line]:
    """Which cases are new, expect something else, or are gone. Several cases may have one call."""
    had, has = (old.suite.cases if old else ()), new.suite.cases
    added = [case for case in has if not any(_is_same(case, one) for one in had)]
    gone = [case for case in had if not any(_is_same(case, one) for one in has)]
    before = {case.call_key: case for case in gone}
    changed = [case for case in added if case.call_key in before]
    added = [case for case in added if case.call_key not in before]
    gone = [case for case in gone if case.call_key not in {one.call_key for one in changed}]
    lines = [
        *([f"{_some(added)} new"] if added and old else [count(len(added), "case")] if added else []),
        *(f"{one.name}: {outcome_text(before[one.call_key])} → {outcome_text(one)}" for one in changed[:NAMED]),
        *([f"and {len(changed) - NAMED} more expect something else"] if len(changed) > NAMED else []),
        *([f"{_some(gone)} gone"] if gone else []),
    ]
    if lines:
        kept = len(has) - len(added) - len(changed)
        rest = f"; {count(kept, 'case')} as before" if old else ""
        yield _said("tester", f"{new.function}: {'; '.join(lines)}{rest}")


def _is_same(case: Case, other: Case) -> bool:
    return case.call_key == other.call_key and case.effects == other.effects


def _some(cases: list[Case]) -> str:
    names = ", ".join(case.name for case in cases[:NAMED])
    return f"{count(len(cases), 'case')} ({names}{', …' if len(cases) > NAMED else ''})"


def _written(old: FunctionResult | None, new: FunctionResult) -> Iterator[Line]:
    """How a unit's code came to be, where it is another than before or is not green."""
    if old and old.source == new.source and old.outcome == new.outcome:
        return
    style: Style = "good" if new.outcome == "green" else "bad"
    reason = f": {new.reason}" if new.reason else ""
    how = "code as before" if old and old.source == new.source else count(len(new.history), "attempt")
    yield _said("developer", f"{new.function}: {new.outcome}, {how}{reason}", style)


def _said(who: str, text: str, style: Style = "plain") -> Line:
    return Line(f"{who:<9} {one_line(text, LONGEST)}", style)
