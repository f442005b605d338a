"""The plan: one model call from prose to contracts, held to the rules, with one chance to mend what breaks them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from tdgen.errors import OutOfScope, PlanError, ReplyError
from tdgen.prompts.context import cases_section
from tdgen.prompts.templates import conversation
from tdgen.protocols import Model, Request, Variant
from tdgen.replies import ask_for
from tdgen.specs.declarations import with_type_variables
from tdgen.specs.pinning import lawful
from tdgen.specs.problems import plan_problems, with_own_module_name
from tdgen.specs.reply import PlanReply
from tdgen.text.passages import numbered, passages
from tdgen.types import Instruction, Plan

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
    finds wrong with the examples of a plan that breaks no other rule.
    """

    packages: frozenset[str]
    max_functions: int
    tested: Tested = Tested()
    tried: Tried = lambda plan: []

    def broken(self, plan: Plan, text: str) -> list[str]:
        """Why the plan of the instruction `text` can't stand, all reasons at once."""
        found = plan_problems(plan, text, max_functions=self.max_functions, packages=self.packages)
        return [*found, *_untested(plan, self.tested)] or self.tried(plan)


def make_plan(model: Model, instruction: Instruction, rules: Rules, *, variant: Variant = "") -> Plan:
    """The instruction's plan, checked; PlanError with every reason where the model's second answer breaks rules too.

    OutOfScope where the model declines. Where the instruction brings its own plan, that one is checked and taken; no
    model is asked.
    """
    if instruction.plan is not None:
        if reasons := rules.broken(instruction.plan, instruction.text):
            raise PlanError("the plan handed in can't be used: " + "; ".join(reasons))
        return instruction.plan

    def planned(reply: PlanReply) -> Plan:
        wanted = instruction.module or rules.tested.module
        made = with_own_module_name(with_type_variables(reply.plan(instruction.text)), wanted)
        return lawful(made, instruction.text)

    def problems(reply: PlanReply) -> list[str]:
        if reply.declined.strip():
            return [_HALF_DECLINED] if reply.functions or reply.classes else []
        return rules.broken(planned(reply), instruction.text)

    try:
        reply = ask_for(model, _request(instruction, rules.packages, variant), PlanReply, problems)
    except ReplyError as error:
        raise PlanError(f"no usable plan came of the instruction: {'; '.join(error.reasons) or error}") from error
    if reason := " ".join(reply.declined.split()):
        raise OutOfScope(f"declined: {reason}")
    return planned(reply)


def _request(instruction: Instruction, packages: frozenset[str], variant: Variant) -> Request:
    asked = instruction.text.strip()
    return Request(
        purpose="plan",
        variant=variant,
        messages=conversation(
            "tdgen.specs",
            "plan",
            packages=", ".join(sorted(packages)) or "none",
            instruction=numbered(asked, passages(asked)),
            earlier=_earlier(instruction),
            tests=_tests(instruction.tests),
        ),
        schema_name="plan",
    )


def _untested(plan: Plan, tested: Tested) -> list[str]:
    names = {spec.name for spec in plan.functions} | {shared.name for shared in plan.types}
    missing = [name for name in tested.functions if name not in names]
    found = [f"the user's tests call {', '.join(missing)}, which the plan does not have"] if missing else []
    if tested.module and plan.module != tested.module:
        found.append(f"the user's tests import from {tested.module!r}, so the module must have that name")
    return found


def _tests(sources: Sequence[str]) -> str:
    files = "\n\n\n".join(source.strip() for source in sources)
    return f"The user's own tests, which will decide:\n<user_tests>\n{files}\n</user_tests>\n\n" if files else ""


def _earlier(instruction: Instruction) -> str:
    plan = instruction.earlier
    if plan is None:
        return ""
    pinned = cases_section("pinned_cases", instruction.pinned)
    told = (
        "What the user pinned for that one holds on, too. Where the instruction now contradicts one of these cases, "
        f"ask about it in `questions` and quote its call.{pinned}\n"
    )
    return (
        "This instruction goes on from an earlier one, whose plan follows. Keep every contract that the instruction "
        "does not touch exactly as it is, word for word, and answer with the whole new plan.\n<earlier_plan>\n"
        f"{plan.model_dump_json(indent=1, exclude=_OF_ITS_OWN_TEXT)}\n</earlier_plan>\n\n"
    ) + (told if pinned else "")
