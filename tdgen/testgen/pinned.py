"""The user's own examples as pinned cases, which nothing later changes."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Sequence

from tdgen.errors import Contradicted
from tdgen.replies import expected
from tdgen.source.syntax import expression
from tdgen.source.trees import plain_call
from tdgen.testgen.problems import contradict, same
from tdgen.types import Case, Example, Plan


def pinned_of(
    plan: Plan, user_cases: Iterable[Case] = (), answers: Iterable[Example] = ()
) -> dict[str, tuple[Case, ...]]:
    """For each function its pinned cases: the user's own, what the instruction quotes, and `answers` to questions.

    Contradicted where two of them contradict each other; of two that say the same the first is kept.
    """
    pinned: dict[str, list[Case]] = {spec.name: [] for spec in plan.functions}
    said: dict[str, tuple[Case, str]] = {}
    # Numbered for each function by itself: an example that is added for one leaves the others' cases as they were.
    numbers: Counter[str] = Counter()
    quoted = []
    for example in [*plan.examples, *answers]:
        numbers[example.function] += 1
        quoted.append((case_of(example, numbers[example.function]), example.quote))
    for case, quote in [*((case, case.name) for case in user_cases), *quoted]:
        if case.function not in pinned:
            continue
        earlier, words = said.setdefault(plan.call_key(case), (case, quote))
        if contradict(earlier.expectation, case.expectation) or _observe_otherwise(earlier, case):
            raise Contradicted(
                f"two of your examples contradict each other: {words!r} and {quote!r} expect different things of "
                f"`{case.done.text}`",
                words,
                quote,
            )
        if earlier is case or not _says_no_more(case, earlier):
            pinned[case.function].append(case)
    return {name: tuple(named_apart(cases)) for name, cases in pinned.items()}


def named_apart(cases: Iterable[Case], taken: Sequence[Case] = ()) -> list[Case]:
    """The same cases, each under a name of its own: one that `taken` or an earlier case has gets a number."""
    names = {case.name for case in taken}
    apart = []
    for case in cases:
        name, number = case.name, 1
        while name in names:
            number += 1
            name = f"{case.name}_{number}"
        names.add(name)
        apart.append(case.model_copy(update={"name": name}))
    return apart


def contradicted(cases: Iterable[Case], by: Case, plan: Plan) -> list[Case]:
    """Those of `cases` that expect of the same call what can't be where `by` is right."""
    does = plan.call_key(by)
    same_call = (case for case in cases if plan.call_key(case) == does)
    return [case for case in same_call if contradict(case.expectation, by.expectation)]


def repeats(cases: Iterable[Case], there: Iterable[Case], plan: Plan) -> dict[str, str]:
    """Those of `cases` that say nothing new of a call: no more than one before them, or one of those `there`."""
    known: dict[str, Case] = {}
    for case in there:
        known.setdefault(plan.call_key(case), case)
    repeated = {}
    for case in cases:
        earlier = known.setdefault(plan.call_key(case), case)
        if earlier is not case and _says_no_more(case, earlier):
            repeated[case.name] = f"it repeats the case {earlier.name!r}"
    return repeated


def read_cases(plan: Plan, function: str, there: Sequence[Case]) -> list[Case]:
    """The examples of a function that the planner reads out of words which don't spell them out, as ordinary cases.

    Left out are those whose call one of the cases `there` makes.
    """
    known = {plan.call_key(case) for case in there}
    read = [case_of(e, n) for n, e in enumerate(plan.read_examples, start=1) if e.function == function]
    shown = [tuple(passage for passage in plan.spec(function).passages if case.spells_out(passage)) for case in read]
    new = [
        case.model_copy(update={"provenance": "model", "name": f"read_{case.name}", "passages": passages})
        for case, passages in zip(read, shown, strict=True)
    ]
    return named_apart([case for case in new if plan.call_key(case) not in known], there)


def _observe_otherwise(one: Case, other: Case) -> bool:
    """Whether nothing that is printed or written can be what both say."""
    streams = [(one.stdout, other.stdout), (one.stderr, other.stderr)]
    files = [(one.files[path], other.files[path]) for path in one.files.keys() & other.files.keys()]
    exact = [pair for pair in streams if all(isinstance(text, str) for text in pair)]
    return any(a != b for a, b in [*exact, *files])


def _says_no_more(case: Case, than: Case) -> bool:
    printed = case.stdout in (None, than.stdout) and case.stderr in (None, than.stderr)
    left = case.files.items() <= than.files.items() and set(case.after) <= set(than.after)
    logged = case.logs in (None, than.logs)
    return printed and logged and left and same(case.expectation, than.expectation)


def case_of(example: Example, number: int = 1) -> Case:
    """An example as a case."""
    world = example.world
    if example.expect == "exits":
        world = world.model_copy(update={"script": example.words})
        call = expression(f"{example.function}()")
        arguments = None
    else:
        call = expression(example.call)
        plain = plain_call(call, example.function) if not example.setup else None
        named = [f"{keyword.arg}={ast.unparse(keyword.value)}" for keyword in plain.keywords] if plain else []
        arguments = (*map(ast.unparse, plain.args), *named) if plain else None
    return Case(
        name=f"example_{number}",
        function=example.function,
        kind="error" if example.expect == "raises" else "normal",
        provenance="instruction",
        setup=example.setup,
        arguments=arguments or (),
        call="" if arguments is not None else ast.unparse(call),
        world=world,
        expectation=expected(example.expect, example.value),
        stdout=example.stdout,
        stderr=example.stderr,
        files=example.files,
        why=" ".join(example.quote.split()),
    )
