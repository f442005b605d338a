"""Is a suite worth anything? Trivial bodies are tried on it as a whole; one that passes asks for more cases."""

from __future__ import annotations

from typing import NamedTuple

from tdgen.errors import BudgetSpent, ReplyError
from tdgen.events import Noted, SuiteWritten
from tdgen.impl import assemble, trusted_piece
from tdgen.judge import Expected, Oracle
from tdgen.pipeline.draft import Draft, Tools
from tdgen.pipeline.testing import Evaluation
from tdgen.pipeline.workshop import verdicts_on
from tdgen.testgen.author import more_cases
from tdgen.testgen.holdout import hold_out
from tdgen.testgen.trivial import trivial_bodies
from tdgen.types import FunctionSpec, Suite


class Weighed(NamedTuple):
    """A suite as it is now, what it expects, and what there is to say of it."""

    suite: Suite
    expected: dict[str, Expected]
    note: str = ""


def weigh(tools: Tools, draft: Draft) -> Draft:
    """Above trust level quick: no trivial body passes a whole suite, or it is said that one does.

    Return None, a constant, an argument, a table of the shown cases: where one passes, the author is asked once for
    more cases; none is ever dropped. Suites that were handed in or kept are as their owner wants them.
    """
    if tools.settings.trust == "quick":
        return draft
    settled = {*draft.given, *draft.kept}
    specs = [spec for spec in draft.specs if spec.name not in settled and draft.suites[spec.name].cases]
    found = dict(
        zip((s.name for s in specs), tools.executor.map(lambda s: _weighed(tools, draft, s), specs), strict=True)
    )
    notes = [weighed.note for weighed in found.values() if weighed.note]
    for note in notes:
        tools.emit(Noted(text=note))
    return draft.having(
        suites={**draft.suites, **{name: weighed.suite for name, weighed in found.items()}},
        expected={**draft.expected, **{name: weighed.expected for name, weighed in found.items()}},
        notes=(*draft.notes, *notes),
    )


def _weighed(tools: Tools, draft: Draft, spec: FunctionSpec) -> Weighed:
    as_it_was = Weighed(draft.suites[spec.name], dict(draft.expected[spec.name]))
    weak = _passing(tools, draft, spec, as_it_was)
    if not weak:
        return as_it_was
    may_ask = tools.purse.may_spend("cases", spec.name, optional=True)
    stronger = _strengthened(tools, draft, spec, as_it_was, weak) if may_ask else as_it_was
    still = _passing(tools, draft, spec, stronger)
    if not still:
        return stronger
    note = f"{spec.name}: an implementation that {still[0]} passes all cases, and its author has no case against it"
    return stronger._replace(note=note)


def _strengthened(tools: Tools, draft: Draft, spec: FunctionSpec, was: Weighed, weak: list[str]) -> Weighed:
    """The suite with the cases that its author adds; as it was where no usable answer comes."""
    try:
        written = more_cases(
            tools.model,
            draft.context(spec),
            cases=was.suite.cases,
            weaknesses=weak,
            evaluate=Evaluation(tools, draft, spec),
        )
    except (ReplyError, BudgetSpent) as error:
        tools.emit(Noted(text=str(error)))
        return was
    cases = (*was.suite.cases, *written.cases)
    suite = was.suite.model_copy(update={"cases": cases, "held_out": hold_out(cases)})
    tools.emit(SuiteWritten(suite=suite))
    oracle = Oracle(tools.oracle, draft.made_plan.module, draft.types)
    return Weighed(suite, was.expected | dict(oracle.expectations(written.cases)))


def _passing(tools: Tools, draft: Draft, spec: FunctionSpec, weighed: Weighed) -> list[str]:
    """What the trivial bodies do that pass every case of the suite.

    They spell expected values out, so they run where those are evaluated, and no candidate ever does.
    """
    made, suite = draft.made_plan, weighed.suite
    oracle = Oracle(tools.oracle, made.module, draft.types)
    found = []
    for trivial in trivial_bodies(spec, suite.cases, suite.visible):
        module = assemble(draft.types, [trusted_piece(trivial.source)], entry=draft.made_plan.script_call({spec.name}))
        verdicts = verdicts_on(module, suite, spec, oracle, weighed.expected, tools.oracle, tools.settings.limits)
        if all(verdict.passed for verdict in verdicts):
            found.append(trivial.told)
    return found
