"""All properties tried on the finished module, where all the functions are that they speak of.

Wrong properties fall. A function that breaks one is undecided: it is too late to heal it, and it must not pass for
green.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from tdgen.events import FunctionEnded, Noted
from tdgen.judge import Oracle
from tdgen.pipeline.draft import Draft, Tools, revised
from tdgen.pipeline.falsifying import Trier
from tdgen.pipeline.upholding import Upheld, uphold
from tdgen.pipeline.workshop import verdicts_on
from tdgen.types import Case, FunctionResult, Suite


def hold_promises(tools: Tools, draft: Draft) -> Draft:
    """Try all properties on the finished module: wrong ones fall, and a function that breaks one is undecided."""
    if not all(result.outcome == "green" for result in draft.results.values()):
        return draft
    suites = [result.suite for result in draft.results.values() if result.suite.properties]
    ended = tools.executor.map(partial(_tried, tools, draft), suites)
    found = {suite.function: upheld for suite, upheld in zip(suites, ended, strict=True)}
    results = {name: _with(result, found[name]) if name in found else result for name, result in draft.results.items()}
    for name, upheld in found.items():
        if upheld.failed:
            tools.emit(FunctionEnded(function=name, outcome="undecided", reason=results[name].reason))
    notes = [f"{name}: {note}" for name, upheld in found.items() for note in upheld.notes]
    for note in notes:
        tools.emit(Noted(text=note))
    draft = draft.having(results=results, notes=(*draft.notes, *notes))
    return revised(draft, tools, [revision for upheld in found.values() for revision in upheld.revisions])


def _with(result: FunctionResult, upheld: Upheld) -> FunctionResult:
    """A function's result after its properties were tried on the finished module."""
    suite = result.suite.model_copy(update={"properties": upheld.properties})
    if not upheld.failed:
        return result.model_copy(update={"suite": suite})
    name, case = next(iter(upheld.failed.items()))
    reason = f"it breaks the property {name}: `{case.expression}` does not give what the contract says"
    return result.model_copy(update={"suite": suite, "outcome": "undecided", "reason": reason})


def _tried(tools: Tools, draft: Draft, suite: Suite) -> Upheld:
    """What becomes of one function's properties in the finished module."""
    made, spec = draft.made_plan, draft.made_plan.spec(suite.function)
    oracle = Oracle(tools.oracle, made.module, draft.types)

    def passes(cases: Sequence[Case]) -> dict[str, bool]:
        some = Suite(function=spec.name, cases=tuple(cases))
        expected, limits = oracle.expectations(cases), tools.settings.limits
        verdicts = verdicts_on(draft.module_source, some, spec, oracle, expected, tools.sandbox, limits)
        return {verdict.case: verdict.passed for verdict in verdicts}

    trier = Trier(tools.sandbox, spec, made)
    tried = {one.name: trier.tried(one, draft.module_source) for one in suite.properties}
    return uphold(tools, draft, suite, tried, passes)
