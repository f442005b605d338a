"""Helpers for a function that no strategy repairs, by the planner: held to the rules of a plan and to their own."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from tdgen.prompts import conversation
from tdgen.prompts.context import PromptContext
from tdgen.protocols import Model, Request
from tdgen.replies import Reply, ask_for
from tdgen.specs.planner import Decomposition
from tdgen.specs.problems import plan_problems
from tdgen.specs.reply import ContractReply, function_of
from tdgen.types import FunctionSpec, Plan


class HelpersReply(Reply):
    """The helpers that a function is divided into."""

    functions: list[ContractReply]

    def of(self, spec: FunctionSpec) -> Decomposition:
        """The answer in the domain's words, unchecked: the function with its helpers."""
        helpers = tuple(function_of(f).model_copy(update={"passages": spec.passages}) for f in self.functions)
        names = tuple(dict.fromkeys((*spec.dependencies, *(helper.name for helper in helpers))))
        return Decomposition(spec.model_copy(update={"dependencies": names}), helpers)


def decompose(
    model: Model, context: PromptContext, *, failed: str, most: int, packages: frozenset[str]
) -> Decomposition:
    """Helpers for a function, at most so many, with one chance to mend what breaks the rules.

    `failed` tells in a line each how attempts at it failed, and `packages` are those that the user allows. ReplyError
    where the second answer can't be used either.
    """
    spec, plan = context.spec, context.plan
    request = Request(
        purpose="plan",
        subject=spec.name,
        messages=conversation(
            "tdgen.specs",
            "decompose",
            function=spec.name,
            prefix=_prefix(spec.name),
            most=str(most),
            context=context.text,
            failed=failed,
        ),
        schema_name="helpers",
    )

    def problems(reply: HelpersReply) -> list[str]:
        return decomposition_problems(reply.of(spec), plan, most=most, packages=packages)

    return ask_for(model, request, HelpersReply, problems).of(spec)


def decomposition_problems(
    decomposition: Decomposition, plan: Plan, *, most: int, packages: frozenset[str]
) -> list[str]:
    """Why a decomposition of a function of `plan` can't stand, all reasons at once."""
    helpers = decomposition.helpers
    if not helpers:
        return ["there is no helper: plan at least one"]
    if len(helpers) > most:
        return [f"there are {len(helpers)} helpers, at most {most} are allowed: plan the fewest that do it"]
    whole = decomposition.within(plan).model_copy(update={"examples": ()})
    reasons = plan_problems(whole, "", max_functions=len(whole.functions), packages=packages)
    return [*reasons, *_own_problems(decomposition, plan)]


def _own_problems(decomposition: Decomposition, plan: Plan) -> Iterator[str]:
    """What a helper must hold to beside the rules of a plan."""
    function = plan.spec(decomposition.spec.name)
    may_call = {*decomposition.names, *function.dependencies} - {function.name}
    for helper in decomposition.helpers:
        yield from _name_problems(helper.name, function.name, [spec.name for spec in plan.functions])
        for name in helper.dependencies:
            if name == function.name:
                yield f"function {helper.name!r}: it depends on {name!r}, which is to be made of it"
            elif name not in may_call:
                yield f"function {helper.name!r}: it depends on {name!r}, which {function.name!r} may not call"
    if len(decomposition.helpers) == 1:
        only = decomposition.helpers[0]
        types, others = ([*(p.type for p in one.parameters), one.returns.type] for one in (only, function))
        if types == others:
            yield f"{only.name!r} takes and returns what {function.name!r} does: alone it divides nothing"


def _name_problems(name: str, function: str, functions: Sequence[str]) -> Iterator[str]:
    """A helper's name tells whose it is: its code, and another function's own names, must not meet in the module."""
    if not name.lstrip("_").startswith(_prefix(function).lstrip("_")):
        yield f"a helper is named {name!r}: the names of the helpers of {function!r} begin with {_prefix(function)!r}"
        return
    longer = [other for other in functions if _prefix(other).startswith(_prefix(function)) and other != function]
    for other in longer:
        if name.lstrip("_").startswith(_prefix(other).lstrip("_")):
            yield f"a helper is named {name!r}, as if it were one of {other!r}: choose another name"


def _prefix(function: str) -> str:
    return f"_{function.strip('_')}_"


def using(whole: Decomposition, names: Collection[str]) -> Decomposition:
    """The decomposition with those helpers alone that are named, and what these depend on."""
    needed, waiting = set[str](), [name for name in whole.names if name in names]
    specs = {helper.name: helper for helper in whole.helpers}
    while waiting:
        name = waiting.pop()
        needed.add(name)
        waiting += [other for other in specs[name].dependencies if other in specs and other not in needed]
    dropped = set(whole.names) - needed
    dependencies = tuple(name for name in whole.spec.dependencies if name not in dropped)
    return Decomposition(
        whole.spec.model_copy(update={"dependencies": dependencies}),
        tuple(helper for helper in whole.helpers if helper.name in needed),
    )
