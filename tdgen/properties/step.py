"""Properties: what must hold for all inputs, from contracts alone, and the proof that each of them can fail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tdgen.build.draft import Draft, Tools, revised
from tdgen.errors import BudgetSpent, ModelError
from tdgen.events import Noted
from tdgen.properties.author import functions_in, sound, write_properties
from tdgen.properties.checking import can_try, runner_of
from tdgen.protocols import Promised
from tdgen.specs.declarations import STUB
from tdgen.types import FunctionSpec, Property, Revision


def add_properties(tools: Tools, draft: Draft) -> Draft:
    """Properties of every function whose cases were written here, where its contract has any.

    They came with its cases (at trust level standard), or are asked for now (strict). Each must fail on a stub because
    nothing is written yet; one that does not is set aside.
    """
    draft = _without_those_of_classes(tools, draft)
    settled = {*draft.given, *draft.kept}
    tested = [spec for spec in draft.specs if spec.name not in settled and draft.suites[spec.name].cases]
    specs = [spec for spec in tested if _is_due(tools, draft, spec)]
    if not specs:
        return draft
    if problem := can_try(tools.sandbox):
        text = f"no property is tried: {problem}"
        tools.emit(Noted(text=text))
        bare = {spec.name: draft.suites[spec.name].model_copy(update={"properties": ()}) for spec in specs}
        return replace(draft, suites={**draft.suites, **bare}, notes=(*draft.notes, text))
    done = zip(specs, tools.executor.map(lambda spec: _found(tools, draft, spec), specs), strict=True)
    promises = {spec.name: promised for spec, promised in done}
    none = dict.fromkeys((spec.name for spec in tested if spec.interface is None), tuple[Property, ...]())
    placed = _placed(draft, none | {name: promised.properties for name, promised in promises.items()})
    suites = {
        name: draft.suites[name].model_copy(update={"properties": properties}) for name, properties in placed.items()
    }
    revisions = [
        Revision(function=name, case=case, action="quarantined", reason=reason)
        for name, promised in promises.items()
        for case, reason in promised.set_aside.items()
    ]
    return revised(replace(draft, suites={**draft.suites, **suites}), tools, revisions)


def _without_those_of_classes(tools: Tools, draft: Draft) -> Draft:
    """The draft without properties of classes, which suites that were handed in or kept may have from before."""
    classes = draft.required_plan.classes
    suites = {name: suite for name, suite in draft.suites.items() if name in classes and suite.properties}
    if not suites:
        return draft
    text = f"the properties of {', '.join(suites)} are left out: only functions have any"
    tools.emit(Noted(text=text))
    bare = {name: suite.model_copy(update={"properties": ()}) for name, suite in suites.items()}
    return replace(draft, suites={**draft.suites, **bare}, notes=(*draft.notes, text))


def _is_due(tools: Tools, draft: Draft, spec: FunctionSpec) -> bool:
    """Whether a function has properties, or is asked for them; a class has none."""
    if spec.interface:
        return False
    if not tools.policy.asks_for_properties:
        return bool(draft.suites[spec.name].properties)
    return tools.purse.may_spend("properties", spec.name, optional=True, calls=2)


def _found(tools: Tools, draft: Draft, spec: FunctionSpec) -> Promised:
    """A function's properties, as they came with its cases or are asked for now; none where its author can't be."""
    if not tools.policy.asks_for_properties:
        return sound(Promised(draft.suites[spec.name].properties), _evaluation(tools, draft, spec))
    try:
        return write_properties(
            tools.model,
            draft.context(spec),
            cases=draft.suites[spec.name].cases,
            most=tools.policy.properties,
            evaluate=_evaluation(tools, draft, spec),
        )
    except (BudgetSpent, ModelError) as error:
        tools.emit(Noted(text=f"{spec.name} has no properties: {error}"))
        return Promised()


def _evaluation(tools: Tools, draft: Draft, spec: FunctionSpec) -> Callable[[Sequence[Property]], Mapping[str, str]]:
    """What running tells of properties before there is an implementation."""
    plan = draft.required_plan
    trier, module = runner_of(tools, spec, plan), tools.language.unwritten(plan, draft.types)
    unwritten = f"{plan.module}.{STUB}"

    def evaluate(properties: Sequence[Property]) -> dict[str, str]:
        reasons = {}
        for one in properties:
            tried = trier.once(one, module)
            if tried.ending == "held":
                reasons[one.name] = "it never calls the function: it ends well where nothing is written"
            elif tried.ending != "falsified":
                reasons[one.name] = tried.reason
            elif unwritten not in tried.types:
                reasons[one.name] = f"it fails before the function is called: {tried.reason}"
        return reasons

    return evaluate


def _placed(draft: Draft, written: Mapping[str, tuple[Property, ...]]) -> dict[str, tuple[Property, ...]]:
    """The properties, each with a function that stands on all the others it names, where there is such a one."""
    placed: dict[str, list[Property]] = {name: [] for name in written}
    for name, properties in written.items():
        for one in properties:
            named = functions_in(one.source, draft.required_plan)
            above = (n for n in (name, *sorted(named)) if n in placed and named <= _around(draft, n))
            home = next(above, name)
            taken = {other.name for other in placed[home]}
            placed[home if one.name not in taken else name].append(one)
    return {name: tuple({one.name: one for one in properties}.values()) for name, properties in placed.items()}


def _around(draft: Draft, name: str) -> set[str]:
    """A function with all that is there when it is built: what it stands on, and the others of its group."""
    dependencies = draft.required_dependencies
    group = next((group for group in dependencies.order if name in group), (name,))
    return {name, *group, *(below for member in group for below in dependencies.below(member))}
