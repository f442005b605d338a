"""The first two steps: from prose to contracts, and from contracts to the order of work.

What the user pinned in an earlier instruction travels with a follow-up: it holds on until newer words contradict it.
The newer are examples that the follow-up itself spells out, and tests that come with it. Where one of them expects
something else of the same call, the user is asked which holds. Where assumptions are allowed the newer words hold, and
the question is recorded; else the instruction is refused. Nothing is dropped in silence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from tdgen.build.case_checks import CaseChecks, read_answer
from tdgen.build.draft import (
    ChangedClass,
    Draft,
    Tools,
    class_keys,
    decomposed,
    dependencies_of,
    function_keys,
    owned,
)
from tdgen.build.module_checks import ProjectTestGate, UserTestGate, user_files
from tdgen.errors import BudgetSpent, Contradicted, InputError
from tdgen.events import Noted, PlanMade
from tdgen.prompts.cases import claim_text
from tdgen.prompts.context import functions_named
from tdgen.protocols import Ask, ReadTests, Variant, suite_files
from tdgen.settings.base import WEIGHTS
from tdgen.specs.declarations import declared_by
from tdgen.specs.pinning import misfits, quote_problem
from tdgen.specs.planner import Rules, Tested, make_plan
from tdgen.specs.reply import PlanReply
from tdgen.testgen.pinned import case_of, contradicted, pinned_of
from tdgen.types import (
    Asked,
    Case,
    Example,
    FunctionResult,
    FunctionSpec,
    Instruction,
    KeptClass,
    Plan,
    Question,
    Target,
    Value,
)


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


def changed_classes(specs: Sequence[FunctionSpec], earlier: Mapping[str, KeptClass]) -> dict[str, ChangedClass]:
    """Classes that are to be written and are there but for some methods; `earlier` are verified ones, by name.

    One of which more than half the methods changed is rather written anew.
    """
    changed_by_name = {}
    for spec in specs:
        old = earlier.get(spec.name)
        if spec.interface and old and old.spec.interface:
            changed = spec.interface.changed_from(old.spec.interface)
            if changed and 2 * len(changed) <= len(spec.interface.methods) and spec.purpose == old.spec.purpose:
                changed_by_name[spec.name] = ChangedClass(tuple(sorted(changed)), old.result)
    return changed_by_name


def _earlier(tools: Tools, draft: Draft) -> dict[str, KeptClass]:
    """Verified classes under the names of the plan's: of the solution that is gone on from, else kept ones."""
    instruction, classes = draft.instruction, {}
    if not tools.settings.fresh:
        keys = class_keys(draft, tools.settings, tools.judged_by)
        classes = {name: kept for name, key in keys.items() if (kept := tools.kept.get_class(key)) is not None}
    for spec in instruction.earlier.functions if instruction.earlier else ():
        if spec.interface and spec.name in instruction.earlier_results:
            classes[spec.name] = KeptClass(spec=spec, result=instruction.earlier_results[spec.name])
    return classes


def _untouched(tools: Tools, draft: Draft, keys: Mapping[str, str]) -> dict[str, FunctionResult]:
    """What of the solution that is gone on from stays as it is, by its functions' keys: it need not be kept here."""
    earlier, results = draft.instruction.earlier, draft.instruction.earlier_results
    if earlier is None:
        return {}
    pinned = {name: tuple(case for case in one.suite.cases if case.is_pinned) for name, one in results.items()}
    before = replace(
        draft,
        plan=earlier,
        dependencies=dependencies_of(draft, earlier),
        types=declared_by(tools.language, earlier),
        pinned=pinned,
        given={},
    )
    keys_before = function_keys(before, tools.settings, tools.judged_by)
    return {name: one for name, one in results.items() if keys.get(name) == keys_before[name]}


def pinned_problems(instruction: Instruction, plan: Plan) -> list[str]:
    """What a plan lacks for the pinned cases to hold on, or has that they don't fit: words for the planner."""
    names = {spec.name for spec in plan.functions}
    newer = [case_of(example) for example in plan.examples if not quote_problem(example, instruction.added)]
    problems = []
    for case in instruction.pinned:
        is_replaced = any(contradicted([case], by, plan) for by in newer)
        needed = functions_named(case, instruction.earlier) if instruction.earlier else frozenset({case.function})
        if missing := sorted(needed - names):
            problems.append(f"the user pinned {claim_text(case)}, and the plan does not have {', '.join(missing)}")
        elif isinstance(case.expectation, Value) and not case.setup and not is_replaced:
            source, quote = case.expectation.source, claim_text(case)
            problems += misfits(Example(function=case.function, quote=quote, call=case.expression, value=source), plan)
    return problems


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


def plan(tools: Tools, draft: Draft) -> Draft:
    """One model call from prose to contracts; the user's examples and tests are pinned."""
    if draft.instruction.target:
        _must_be_payable(tools, draft.instruction.target)
        _must_be_importable(tools, draft.instruction.target)
    tests = [suite_files().read_tests(source, None, ()) for source in draft.instruction.tests]
    tested = _tested(tests, draft.instruction.module)
    left_out: list[str] = []
    planned = _planned(tools, draft, tested, left_out)
    _must_be_consistent(tools, draft, planned)
    if remarks := _remarks(tools, draft, planned):
        draft = replace(draft, instruction=draft.instruction.with_remarks(remarks))
        planned = _planned(tools, draft, tested, left_out, "again")
    if planned.target and draft.instruction.target and draft.instruction.target.added_to is not None:
        _must_be_importable(tools, planned.target)
    planned, left_open = _without_assumptions(planned) if planned.is_existing else (planned, [])
    tests = [suite_files().read_tests(source, None, planned.packages) for source in draft.instruction.tests]
    given, strays = decomposed(draft.instruction.suites, planned)
    own = [case for read in tests for case in read.cases]
    holds = held(draft.instruction, planned, own, tools.ask)
    planned = planned.model_copy(update={"examples": holds.examples})
    answers = (*draft.instruction.answers, *holds.answers)
    pinned = pinned_of(planned, [*own, *strays, *holds.pinned], answers)
    # Contradicted where the follow-up contradicts what the user pinned, and nobody can be asked which holds
    if holds.questions and tools.ask is None and not tools.settings.questions:
        raise Contradicted(f"{holds.questions[0].question} (--ask puts it to you, --assume takes what you said last)")
    return replace(
        draft,
        plan=planned,
        questions=(*draft.questions, *_questions(planned.model_copy(update={"questions": ()})), *holds.questions),
        answers=holds.answers,
        notes=(
            *draft.notes,
            *(f"the plan assigns no function to: {' '.join(one.split())}" for one in planned.unassigned),
            *left_open,
            *left_out,
        ),
        types=declared_by(tools.language, planned),
        given=given,
        pinned=owned(pinned, planned),
        gates=(*_gates(draft.instruction.tests, tests, planned), *_gates_of_project(planned)),
    )


def _without_assumptions(plan: Plan) -> tuple[Plan, list[str]]:
    """A plan of code that exists less what was assumed where its docs leave something open, and notes that tell it."""
    notes = [f"the docs do not say: {question.question}" for question in plan.questions]
    notes += [f"the docs contradict themselves: {one.sentence}" for one in plan.contradictions]
    return plan.model_copy(update={"questions": (), "contradictions": ()}), notes


def _must_be_importable(tools: Tools, target: Target) -> None:
    from tdgen.pipeline.importing import must_be_importable

    must_be_importable(tools, target)


def _must_be_payable(tools: Tools, target: Target) -> None:
    """BudgetSpent where the calls can't pay for the cases of all units of code that exists: known before the plan."""
    left, units = tools.purse.remaining_calls(), len(target.units)
    if target.existing and left is not None and left < 1 + units:
        raise BudgetSpent(
            f"{target.path} has {units} functions and classes to guard, and {left} calls are left: name some of them, "
            f"or give it --budget calls={1 + 3 * units}"
        )


def _tested(tests: Sequence[ReadTests], wanted: str) -> Tested:
    """What the user's files call; InputError where that is not one module, or not the `wanted` one."""
    modules = list(dict.fromkeys(read.module for read in tests if read.module))
    if wanted and modules not in ([], [wanted]):
        raise InputError(f"your tests import from {modules[0]!r}, and the module is to be {wanted!r}: name one of them")
    if len(modules) > 1:
        raise InputError(
            f"your test files import from {' and '.join(map(repr, modules[:2]))}: tdgen writes one module at a time"
        )
    functions = dict.fromkeys(name for read in tests for name in read.functions)
    return Tested(tuple(functions), "".join(modules))


def _planned(tools: Tools, draft: Draft, tested: Tested, left_out: list[str], variant: Variant = "") -> Plan:
    """The plan; why examples are left out of it is added to `left_out`."""
    language = tools.language
    rules = Rules(
        packages=tools.packages,
        max_functions=tools.settings.max_functions,
        tested=tested,
        tried=lambda plan: language.problems(plan) or _untriable(tools, draft, plan),
        language=language.planning(() if draft.instruction.target else tools.packages),
        reply=language.reply or PlanReply,
        placing=tools.placing,
    )
    plan = make_plan(tools.model, draft.instruction, rules, variant=variant, on_left_out=left_out.append)
    of_language = {"language": tools.settings.language, "language_note": language.note, "file": language.file(plan)}
    units = tuple(one.model_copy(update={"language_note": language.unit_note(one, plan)}) for one in plan.functions)
    return plan.model_copy(update={**of_language, "functions": units})


def _must_be_consistent(tools: Tools, draft: Draft, plan: Plan) -> None:
    """Contradicted where the instruction contradicts itself, and nobody can be asked which place holds.

    With assumptions allowed the plan's are taken, and told as those of other questions are.
    """
    is_settled = tools.ask is not None or tools.settings.questions or draft.instruction.remarks
    if plan.contradictions and not is_settled and not plan.is_existing:
        how = "; ".join(contradiction.sentence for contradiction in plan.contradictions)
        raise Contradicted(
            f"the instruction contradicts itself: {how}. Say which holds (--ask puts it to you, --assume decides)",
            *(quote for one in plan.contradictions for quote in (one.first, one.second)),
        )


def _questions(plan: Plan) -> tuple[Question, ...]:
    """What the plan leaves to the user: which of two places of the instruction holds, and its own questions."""
    which = "The instruction contradicts itself: {}. Which holds?".format
    contradictions = (Question(question=which(c.sentence), assumption=c.assumption) for c in plan.contradictions)
    return (*contradictions, *plan.questions)


def _remarks(tools: Tools, draft: Draft, plan: Plan) -> list[str]:
    """What the user says to the plan's own questions, once: each with its answer, or the assumption let be.

    Nothing where nobody can be asked, and where all assumptions are let be: the plan has those already.
    """
    if tools.ask is None or draft.instruction.plan is not None or draft.instruction.remarks:
        return []
    questions = _questions(plan)
    asked = [Asked.of(question, n, len(questions)) for n, question in enumerate(questions, start=1)]
    answers = [tools.ask(question).strip() for question in asked]
    if not any(answers):
        return []
    said = zip(asked, answers, strict=True)
    return [f"{question.question} {answer or f'As assumed: {question.assumption}'}" for question, answer in said]


def order(tools: Tools, draft: Draft) -> Draft:
    """The specs' dependencies as a graph; BudgetSpent where the calls left can't pay for the functions to write."""
    plan = draft.required_plan
    dependencies = dependencies_of(draft, plan)
    kept = {}
    if not tools.settings.fresh:
        keys = function_keys(replace(draft, dependencies=dependencies), tools.settings, tools.judged_by)
        kept = _untouched(tools, draft, keys)
        kept |= {name: result for name, key in keys.items() if (result := tools.kept.get(key)) is not None}
    given = draft.given
    each = 1 if plan.is_existing else 2  # its cases and, where it is to be written, its code
    needed = sum(each - (f.name in given) for f in plan.functions if f.name not in kept)
    left = tools.purse.remaining_calls()
    if left is not None and needed > left:
        count = len(plan.functions)
        raise BudgetSpent(
            f"the plan has {count} function{'s' * (count != 1)} and needs {needed} more model calls, {left} are left: "
            f"raise --budget calls={(tools.settings.budget.calls or 0) - left + needed}, or ask for less"
        )
    to_write = [spec for spec in plan.functions if spec.name not in kept]
    weights = {spec.name: WEIGHTS[spec.complexity] for spec in to_write}
    tools.purse.plan_shares(weights, [s.name for s in to_write if s.name not in given], code=not plan.is_existing)
    tools.emit(PlanMade(plan=plan, generations=dependencies.names))
    draft = replace(draft, dependencies=dependencies, kept=kept)
    changed = changed_classes(to_write, _earlier(tools, draft))
    for name, one in changed.items():
        methods = ", ".join(one.methods)
        tools.emit(Noted(text=f"{name} was verified before but for {methods}: all else of it is taken over and judged"))
    return replace(draft, changed=changed)


def _untriable(tools: Tools, draft: Draft, plan: Plan) -> list[str]:
    """Examples that can't be tried as the plan has them: what is pinned must not be set aside later."""
    planned = replace(draft, plan=plan, types=declared_by(tools.language, plan))
    reasons = pinned_problems(draft.instruction, plan)
    pinned = owned(pinned_of(plan.model_copy(update={"examples": held(draft.instruction, plan).examples})), plan)
    for spec in plan.functions:
        calls = {case.name: case.expression for case in pinned[spec.name]}
        problems = CaseChecks(tools, planned, spec)(pinned[spec.name])
        reasons += [f"the example {calls[name]!r} can't be tried: {problem}" for name, problem in problems.items()]
    return reasons


def _gates(sources: Sequence[str], tests: Sequence[ReadTests], plan: Plan) -> tuple[UserTestGate, ...]:
    """The user's files, each with what those of its tests need that are no cases."""
    planned = frozenset(spec.name for spec in plan.functions)
    files = zip(user_files(sources).items(), tests, strict=True)
    return tuple(
        UserTestGate(file, {test: names & planned for test, names in read.needs.items()}, source)
        for (file, source), read in files
    )


def _gates_of_project(plan: Plan) -> Iterator[ProjectTestGate]:
    """The tests of a target's project that name planned functions and classes, by file; types need no code."""
    planned = {spec.name for spec in plan.functions}
    files: dict[str, dict[str, frozenset[str]]] = {}
    for test, names in (plan.target.tests if plan.target else {}).items():
        file, _, name = test.partition("::")
        if needed := planned.intersection(names):
            files.setdefault(file, {})[name] = frozenset(needed)
    for file, needs in files.items():
        yield ProjectTestGate(file, needs)
