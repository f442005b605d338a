"""What the user pinned in an earlier instruction travels with a follow-up: it holds on until newer words contradict it.

The newer are examples that the follow-up itself spells out, and tests that come with it. Where one of them expects
something else of the same call, the user is asked which holds. Where assumptions are allowed the newer words hold, and
the question is recorded; else the instruction is refused. Nothing is dropped in silence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tdgen.build.answers import read_answer
from tdgen.prompts.context import claim_text, functions_named
from tdgen.protocols import Ask
from tdgen.specs.pinning import quote_problem
from tdgen.specs.problems import misfits
from tdgen.testgen.pinned import case_of, contradicted
from tdgen.types import Asked, Case, Example, FunctionSpec, Instruction, Plan, Question, Value


class Held(NamedTuple):
    """The plan's examples and the pinned cases that hold, and what was asked or assumed of the others."""

    examples: tuple[Example, ...]
    pinned: tuple[Case, ...]
    questions: tuple[Question, ...] = ()
    answers: tuple[Example, ...] = ()


def held(instruction: Instruction, plan: Plan, tests: Sequence[Case] = (), ask: Ask | None = None) -> Held:
    """What holds of a follow-up's plan and pinned cases; `tests` are the cases of the user's files."""
    if not instruction.earlier_text:
        return Held(plan.examples, instruction.pinned)
    examples, pinned = list(plan.examples), list(instruction.pinned)
    questions: list[Question] = []
    answers: list[Example] = []

    def drop(by: Case) -> list[Case]:
        """Take out what `by` contradicts, and tell what that was."""
        gone = contradicted(pinned, by, plan)
        gone += contradicted([case_of(e) for e in examples if quote_problem(e, instruction.added)], by, plan)
        pinned[:] = [case for case in pinned if case not in gone]
        examples[:] = [example for example in examples if case_of(example) not in gone]
        return gone

    for given in instruction.answers:
        by = case_of(given)
        drop(by)
        examples[:] = [example for example in examples if not contradicted([case_of(example)], by, plan)]
    for by in tests:
        questions += [_question(case, by) for case in drop(by)[:1]]
    for example in [example for example in plan.examples if not quote_problem(example, instruction.added)]:
        if example not in examples:
            continue
        by = case_of(example)
        against = drop(by)
        if not against:
            continue
        question = _question(against[0], by)
        answer = read_answer(question, ask(Asked.of(question, 1, 1))) if ask is not None else None
        if answer is not None:
            examples[:] = [one for one in examples if not contradicted([case_of(one)], case_of(answer), plan)]
            answers.append(answer)
            question = question.model_copy(update={"assumption": _gives(case_of(answer)), "answered": True})
        questions.append(question)
    return Held(tuple(examples), tuple(pinned), tuple(questions), tuple(answers))


def changed_classes(instruction: Instruction, specs: Sequence[FunctionSpec]) -> dict[str, frozenset[str]]:
    """Classes that are to be written, and that the earlier solution has but for some methods: the names of these.

    One of which more than half the methods changed is rather written anew.
    """
    found = {}
    before = {spec.name: spec for spec in instruction.earlier.functions} if instruction.earlier else {}
    for spec in specs:
        old = before.get(spec.name)
        if spec.interface and old and old.interface and spec.name in instruction.earlier_classes:
            changed = spec.interface.changed_from(old.interface)
            if changed and 2 * len(changed) <= len(spec.interface.methods) and spec.purpose == old.purpose:
                found[spec.name] = changed
    return found


def pinned_problems(instruction: Instruction, plan: Plan) -> list[str]:
    """What a plan lacks for the pinned cases to hold on, or has that they don't fit: words for the planner."""
    names = {spec.name for spec in plan.functions}
    found = []
    for case in instruction.pinned:
        needed = functions_named(case, instruction.earlier) if instruction.earlier else frozenset({case.function})
        if missing := sorted(needed - names):
            found.append(f"the user pinned {claim_text(case)}, and the plan does not have {', '.join(missing)}")
        elif isinstance(case.expectation, Value) and not case.setup and not _is_replaced(case, instruction, plan):
            source, quote = case.expectation.source, claim_text(case)
            found += misfits(Example(function=case.function, quote=quote, call=case.expression, value=source), plan)
    return found


def _is_replaced(case: Case, instruction: Instruction, plan: Plan) -> bool:
    newer = [case_of(example) for example in plan.examples if not quote_problem(example, instruction.added)]
    return any(contradicted([case], by, plan) for by in newer)


def _question(earlier: Case, now: Case) -> Question:
    return Question(
        question=f"You pinned earlier that {claim_text(earlier)}; now {claim_text(now)}. Which holds?",
        assumption=f"{_gives(now)}, as you said last",
        function=now.function,
        call=now.expression,
        options=(_gives(now), _gives(earlier)),
    )


def _gives(case: Case) -> str:
    return claim_text(case).removeprefix(f"`{case.expression}` ").replace("`", "")
