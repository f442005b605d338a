"""The test author: one model call a function, which sees the contract and never an implementation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from tdgen.errors import BudgetSpent, ReplyError
from tdgen.prompts import conversation, render
from tdgen.prompts.cases import case_text, cases_text, claim_text
from tdgen.prompts.context import PromptContext, web_cases
from tdgen.protocols import Model, Promised, Request, Variant, property_tests
from tdgen.replies import ask_for
from tdgen.source.names import PACKAGES
from tdgen.testgen.class_problems import suite_lacks
from tdgen.testgen.pinned import named_apart, repeats
from tdgen.testgen.problems import faults
from tdgen.testgen.reply import CasesReply, SuiteReply
from tdgen.types import Case, FunctionSpec

COUNTS = {"simple": 8, "medium": 10, "complex": 14}
MOST_OF_CLASS = 24
"""How many cases are asked for at most, of a class with very many methods: an answer must hold them."""
MAX_CASES = 60
MORE_CASES = 4
ARRAYS = "An array's dtype counts, as do its shape and index: state a `tolerance`, e.g. 1e-5, for values of float32."
SCRIPT = """
  "exits", for this entry of a script: the module is run as a script, `arguments` are the words of its command line
  as they are (no quotes), `value` the exit code; there is no `setup`, `after` or `logs`. At least one case is of this
  kind, and so is each whose exit code or message matters."""
"""What is said of a script's runs, where the function is a script's entry."""
PROPERTIES = """
- `properties`: only where the words themselves state an invariant, a round trip, an order or members that are kept, or
  an equivalence: at most {most} Hypothesis tests, each the source of one function `test_…` under `@given(...)`, its
  docstring the words, which calls this function and asserts. `given`, `assume`, `st`, what a setup has and the
  functions that the words name are there. Its strategies draw small inputs, all of them allowed (mind empty ones,
  duplicates, nan, bool for int)."""
"""What is said of properties, where they may come with the cases."""
CONCERN = (
    "The user worries about this: “{concern}”. Look there first, with cases on both sides of where it would show; but "
    "what they expect comes from the words of the instruction alone, as with all others."
)
"""What is said of a user's worry about code that exists."""
Evaluate = Callable[[Sequence[Case]], Mapping[str, str]]


class Written(NamedTuple):
    """Cases that can be used, those set aside by name with what they say and the reason, passages without a case.

    `promised` are the properties that came with them, which nothing has run yet.
    """

    cases: tuple[Case, ...]
    set_aside: dict[str, str]
    without_case: tuple[str, ...] = ()
    promised: Promised = Promised()


def write_cases(model: Model, context: PromptContext, *, evaluate: Evaluate, properties: int = 0) -> Written:
    """Cases for a function, checked by reading and then by `evaluate`, which runs what needs no implementation.

    With them may come so many `properties` of a function, checked by reading alone; one that can't be read is not asked
    for again. Cases with which anything is wrong go back to the author once, alone. What is wrong then, or was left
    out, is set aside. ReplyError where neither answer could be read, or has a sound case while nothing is pinned.
    """
    properties = 0 if context.spec.interface else properties
    request = _request(context, properties=properties)
    return _asked(model, request, context, context.pinned, evaluate, properties, is_whole=True)


def more_cases(
    model: Model,
    context: PromptContext,
    *,
    cases: Sequence[Case],
    weaknesses: Sequence[str],
    evaluate: Evaluate,
) -> Written:
    """Further cases for a suite that lets implementations through which do what `weaknesses` say; perhaps none.

    What is wrong goes back once, as with `write_cases`. ReplyError where neither answer could be read.
    """
    text = render(
        "tdgen.testgen",
        "more",
        cases=cases_text(cases),
        weaknesses=" or ".join(weaknesses),
        count=str(MORE_CASES),
    )
    return _asked(model, _request(context, text, variant="more"), context, cases, evaluate)


def rewrite_cases(
    model: Model,
    context: PromptContext,
    *,
    cases: Sequence[Case],
    reasons: Mapping[str, str],
    there: Sequence[Case],
    evaluate: Evaluate,
) -> Written:
    """The cases written anew, for which `reasons` say by name why they can't be observed; `there` are the others.

    What is wrong goes back once, as with `write_cases`. ReplyError where neither answer could be read.
    """
    text = render(
        "tdgen.testgen", "again", cases="\n".join(f"{case_text(case)}\n  {reasons[case.name]}" for case in cases)
    )
    return _asked(model, _request(context, text, variant="rewrite"), context, there, evaluate)


def _asked(
    model: Model,
    request: Request,
    context: PromptContext,
    there: Sequence[Case],
    evaluate: Evaluate,
    properties: int = 0,
    *,
    is_whole: bool = False,
) -> Written:
    """The sound cases of an answer and of what was asked for again, none twice, beside those that are `there`.

    What a whole suite of a class lacks is asked for with that, once.
    """
    sources: list[str] = []
    sound: list[Case] = []
    set_aside: dict[str, str] = {}
    without_case: list[str] = []
    spec = context.spec

    is_asked_again = not is_whole

    def problems(reply: CasesReply) -> list[str]:
        nonlocal is_asked_again
        new = named_apart(_new(reply, spec, sound)[:MAX_CASES], [*there, *sound])
        repeated = repeats(new, [*there, *sound], context.plan)
        cases = [*sound, *(case for case in new if case.name not in repeated)]
        claims = {case.name: claim_text(case) for case in cases}
        reasons = {name: fault for name, fault in faults(cases, there, spec).items() if name in claims}
        reasons |= evaluate([case for case in cases[len(sound) :] if case.name not in reasons])
        sound[:] = [case for case in cases if case.name not in reasons]
        for case in sound:
            set_aside.pop(case.name, None)
        set_aside.update(repeated | {name: f"{claims[name]}: {problem}" for name, problem in reasons.items()})
        without_case.extend(text for number, text in enumerate(spec.passages, start=1) if number in reply.no_case)
        if isinstance(reply, SuiteReply) and not sources:
            sources.extend(reply.properties[:properties])
        if not cases and not there:
            return [f"there is no case: the {spec.unit} needs at least one"]
        wrong = [f"case {name!r}: {problem}" for name, problem in reasons.items()]
        wrong += [] if is_asked_again else suite_lacks(spec, [*there, *sound])
        is_asked_again = True
        return wrong

    try:
        ask_for(model, request, SuiteReply if properties else CasesReply, problems, part="cases")
    except (ReplyError, BudgetSpent):
        # A second answer that could not be had, or not be used, takes nothing from the first.
        if not sound and not (there and set_aside):
            raise
    promised = property_tests().read_sources(sources, spec, context.plan) if sources else Promised()
    return Written(tuple(sound), set_aside, tuple(dict.fromkeys(without_case)), promised)


def _new(reply: CasesReply, spec: FunctionSpec, sound: Sequence[Case]) -> list[Case]:
    """The cases of an answer that are not among the sound ones.

    A case is known by its name, one of several inputs by what it does: asked for a few of them again, an author numbers
    them anew.
    """
    names, deeds = {case.name for case in sound}, {case.call_key for case in sound}
    new: list[Case] = []
    for reply_case in reply.cases[:MAX_CASES]:
        cases = reply_case.cases(spec.name, spec.passages)
        if len(cases) == 1:
            new += [case for case in cases if case.name not in names]
        else:
            new += [case for case in cases if case.call_key not in deeds]
    return new


def _request(context: PromptContext, more: str = "", *, variant: Variant = "", properties: int = 0) -> Request:
    """The request for cases; with `more`, what is asked for beside or in place of a first suite."""
    allowed = ", ".join(context.plan.packages)
    # How a class is tried, and how instances are observed wherever there are any.
    names = ["class"] if context.spec.interface else []
    names += ["instances"] if context.plan.classes & {context.spec.name, *context.spec.dependencies} else []
    target = context.plan.target
    # A first suite has cases by a function's complexity, of a class by its methods: each needs some.
    most = COUNTS[context.spec.complexity]
    if context.spec.interface:
        methods = len({method.name for method in context.spec.interface.methods})
        most = min(max(12, methods * 3 // 2 + 2), MOST_OF_CLASS)
    suite = f"Answer with at most {most} cases for the {context.spec.unit} of the contract as one JSON object."
    worry = CONCERN.format(concern=target.concern) if target and target.concern else ""
    messages = conversation(
        "tdgen.testgen",
        "cases",
        packages=f", {allowed}" if allowed else "",
        arrays=f"\n- {ARRAYS}" if set(PACKAGES.values()) & set(context.plan.packages) else "",
        script=SCRIPT if context.plan.script_call({context.spec.name}) else "",  # it is a script's entry
        properties=PROPERTIES.format(most=properties) if properties else "",
        unit=context.spec.unit,
        classes="".join(f"\n{render('tdgen.testgen', name)}" for name in names)
        + web_cases(context.spec.name, context.spec.returns.type),
        context=context.told(is_numbered=True),
        wanted="\n\n".join(filter(None, [worry, more or suite])),
    )
    return Request(purpose="cases", subject=context.spec.name, variant=variant, messages=messages, schema_name="cases")
