"""The planner's requests: a plan of the instruction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from tdgen.errors import OutOfScope, PlanError, ReplyError
from tdgen.prompts import conversation, numbered, passages, render
from tdgen.prompts.cases import cases_section
from tdgen.protocols import NO_CONTEXT, Model, Placing, Request, Variant
from tdgen.replies import ask_for
from tdgen.specs.declarations import with_type_variables
from tdgen.specs.pinning import lawful
from tdgen.specs.problems import is_of_other_methods, plan_problems, with_own_module_name, without_unusable
from tdgen.specs.reply import PlanReply
from tdgen.types import FunctionSpec, Instruction, Plan, Raises, Target


class Decomposition(NamedTuple):
    """A function decomposed: its contract with the helpers among its dependencies, and theirs."""

    spec: FunctionSpec
    helpers: tuple[FunctionSpec, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The helpers' names."""
        return tuple(helper.name for helper in self.helpers)

    def within(self, plan: Plan) -> Plan:
        """The plan with the function as it is now, its helpers before it."""
        functions: list[FunctionSpec] = []
        for spec in plan.functions:
            functions += [*self.helpers, self.spec] if spec.name == self.spec.name else [spec]
        return plan.model_copy(update={"functions": tuple(functions)})


_OF_ITS_OWN_TEXT: Final[dict[str, Any]] = {
    "examples": True,
    "questions": True,
    "contradictions": True,
    "unassigned": True,
    "functions": {"__all__": {"passages"}},
}
"""What a plan has of its own instruction's words: a follow-up has others."""
Tried = Callable[[Plan], list[str]]
_HALF_DECLINED = "it declines and plans: leave `declined` empty, or `functions` and `classes`"


class Tested(NamedTuple):
    """What the user's own tests call: functions that must be planned, in the module that they import from."""

    functions: tuple[str, ...] = ()
    module: str = ""


class Rules(NamedTuple):
    """What a plan is held to, beside the words of its instruction.

    `packages` are those that may be imported, `tested` is what the user's own tests call, and `tried` says what running
    finds wrong with the examples of a plan that breaks no other rule. `language` tells of what can be had in the one
    that code is to be in, and `reply` is the shape of an answer that says more of a plan in it; `placing` tells of a
    target whose units the plan names.
    """

    packages: frozenset[str]
    max_functions: int
    tested: Tested = Tested()
    tried: Tried = lambda plan: []
    language: str = ""
    reply: type[PlanReply] = PlanReply
    placing: Placing | None = None

    def broken(self, plan: Plan, text: str) -> list[str]:
        """Why the plan of the instruction `text` can't stand, all reasons at once."""
        reasons = plan_problems(plan, text, max_functions=self.max_functions, packages=self.packages)
        reasons += self.placing.problems(plan, text) if self.placing else ()
        names = {spec.name for spec in plan.functions} | {shared.name for shared in plan.types}
        if missing := [name for name in self.tested.functions if name not in names]:
            reasons.append(f"the user's tests call {', '.join(missing)}, which the plan does not have")
        if self.tested.module and plan.module != self.tested.module:
            reasons.append(f"the user's tests import from {self.tested.module!r}, so the module must have that name")
        return reasons or self.tried(self.settled(plan))

    def settled(self, plan: Plan) -> Plan:
        """The plan with what it says of its target's units laid into that target."""
        return self.placing.settled(plan) if self.placing else plan


def make_plan(
    model: Model,
    instruction: Instruction,
    rules: Rules,
    *,
    variant: Variant = "",
    on_left_out: Callable[[str], None] = lambda reason: None,
) -> Plan:
    """The instruction's plan, checked; PlanError with every reason where the model's second answer breaks rules too.

    An example that is none in the second answer either is left out, and `on_left_out` told why; so is at once one that
    shows a declared type alone, which no author can mend. OutOfScope where the
    model declines. Where the instruction brings its own plan, that one is checked and taken; no model is asked.
    """
    if instruction.plan is not None:
        if reasons := rules.broken(instruction.plan, instruction.text):
            raise PlanError("the plan handed in can't be used: " + "; ".join(reasons))
        return instruction.plan

    plans: list[Plan] = []
    left_out: list[str] = []

    def problems(reply: PlanReply) -> list[str]:
        if reply.declined.strip():
            return [_HALF_DECLINED] if reply.functions or reply.classes else []
        plan = _planned(reply, instruction, instruction.module or rules.tested.module)
        plan, left_out[:] = without_unusable(plan, instruction.text, of_types=not plans)
        plans.append(plan)
        return rules.broken(plan, instruction.text)

    try:
        reply = ask_for(model, _request(instruction, rules, variant), rules.reply, problems)
    except ReplyError as error:
        raise PlanError(f"no usable plan came of the instruction: {'; '.join(error.reasons) or error}") from error
    if reason := " ".join(reply.declined.split()):
        raise OutOfScope(f"declined: {reason}")
    for reason in left_out:
        on_left_out(f"left out: {reason}")
    return rules.settled(plans[-1])


def _planned(reply: PlanReply, instruction: Instruction, module: str) -> Plan:
    """What a planner answers as a plan with its pinned examples; `module` is the name that it must have, if any."""
    plan = reply.plan(instruction.text)
    if target := instruction.target:
        plan = plan.model_copy(update={"functions": tuple(_with_own_names(spec, target) for spec in plan.functions)})
        there: dict[str, Any] = {"module": target.module, "target": target, "types": (*plan.types, *target.types)}
        there |= {"entry": None} if target.is_open else {}
        there |= {"examples": tuple(one for one in plan.examples if not is_of_other_methods(one, target))}
        return lawful(plan.model_copy(update=there), instruction.text)
    return lawful(with_own_module_name(with_type_variables(plan), module), instruction.text)


def _with_own_names(spec: FunctionSpec, target: Target) -> FunctionSpec:
    """A contract in which exceptions that docs name in full (`shop.money.MoneyError`) are called as the module does."""
    names = {line: name for name, bound in target.case_names.items() for line in [bound.line]}

    def own(raised: Raises) -> Raises:
        module, _, name = raised.type.rpartition(".")
        return raised.model_copy(update={"type": names.get(f"from {module} import {name}", raised.type)})

    spec = spec.model_copy(update={"raises": tuple(map(own, spec.raises))})
    if spec.interface is None:
        return spec
    methods = tuple(one.model_copy(update={"raises": tuple(map(own, one.raises))}) for one in spec.interface.methods)
    return spec.model_copy(update={"interface": spec.interface.model_copy(update={"methods": methods})})


def _request(instruction: Instruction, rules: Rules, variant: Variant) -> Request:
    asked, files = instruction.text.strip(), "\n\n\n".join(source.strip() for source in instruction.tests)
    tests = f"The user's own tests, which will decide:\n<user_tests>\n{files}\n</user_tests>\n\n"
    return Request(
        purpose="plan",
        variant=variant,
        messages=conversation(
            "tdgen.specs",
            "plan",
            packages=", ".join(sorted(rules.packages)) or "none",
            language=rules.language and f"\n{rules.language}",
            instruction=numbered(asked, passages(asked)),
            earlier=_earlier(instruction),
            tests=tests if files else "",
            place=_place(instruction.target, rules.placing) if instruction.target else "",
        ),
        schema_name="plan",
    )


def _place(target: Target, placing: Placing | None) -> str:
    """What the planner is told of the module of a project that the code is for."""
    code = target.planned_beside
    beside = "\n" + render("tdgen.specs", "beside", code=code).strip() if code else ""
    if placing and (place := placing.told(target)):
        return f"{place.rstrip()}{beside}\n"
    context = target.context.strip() or NO_CONTEXT
    methods = {name: ", ".join(f"`{one}`" for one in some) for name, some in target.units.items() if some}
    plan = "Of the class `{}` plan the methods {} alone, as one of `classes`. ".format
    text = "".join(plan(name, some) for name, some in methods.items())
    return (
        render(
            "tdgen.specs",
            "place",
            module=target.module,
            path=target.path,
            units=", ".join(f"`{name}`" for name in target.units),
            classes=f"{text}\n  " if text else "",
            context=context,
            beside=beside,
        )
        + "\n"
    )


def _earlier(instruction: Instruction) -> str:
    plan = instruction.earlier
    if plan is None:
        return ""
    pinned = cases_section("pinned_cases", instruction.pinned)
    text = (
        "What the user pinned for that one holds on, too. Where the instruction now contradicts one of these cases, "
        f"ask about it in `questions` and quote its call.{pinned}\n"
    )
    return (
        "This instruction goes on from an earlier one, whose plan follows. Keep every contract that the instruction "
        "does not touch exactly as it is, word for word, and answer with the whole new plan.\n<earlier_plan>\n"
        f"{plan.model_dump_json(indent=1, exclude=_OF_ITS_OWN_TEXT)}\n</earlier_plan>\n\n"
    ) + (text if pinned else "")
