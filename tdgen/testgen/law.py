"""The user's own examples as cases: law, which nothing later changes."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tdgen.errors import InputError
from tdgen.types import Case, Example, ExpectedException, Plan, Value


def law_of(plan: Plan, user_cases: Iterable[Case] = ()) -> dict[str, tuple[Case, ...]]:
    """For each function its law: the user's tests, and the examples quoted from the instruction.

    InputError where two of them contradict each other; of two that say the same the first is kept.
    """
    law: dict[str, list[Case]] = {spec.name: [] for spec in plan.functions}
    said: dict[str, tuple[Case, str]] = {}
    quoted = [(_case(example, number), example.quote) for number, example in enumerate(plan.examples, start=1)]
    for case, quote in [*((case, case.name) for case in user_cases), *quoted]:
        if case.function not in law:
            continue
        earlier = said.setdefault(case.situation, (case, quote))
        if earlier[0].expectation != case.expectation and not _same(earlier[0], case):
            raise InputError(
                f"two of your examples contradict each other: {earlier[1]!r} and {quote!r} expect different things of "
                f"`{case.expression}`"
            )
        if earlier[0] is case:
            law[case.function].append(case)
    return {name: tuple(cases) for name, cases in law.items()}


def _case(example: Example, number: int) -> Case:
    arguments = _plain_arguments(example)
    return Case(
        name=f"example_{number}",
        function=example.function,
        kind="error" if example.expect == "raises" else "normal",
        provenance="instruction",
        arguments=arguments or (),
        call="" if arguments is not None else example.call.strip(),
        expectation=(
            ExpectedException(type=example.value.strip())
            if example.expect == "raises"
            else Value(source=example.value.strip())
        ),
        why=" ".join(example.quote.split()),
    )


def _plain_arguments(example: Example) -> tuple[str, ...] | None:
    """The sources of the arguments where the example is a plain call of its function, else None."""
    tree = ast.parse(example.call.strip(), mode="eval").body
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id == example.function):
        return None
    if any(isinstance(a, ast.Starred) for a in tree.args) or any(k.arg is None for k in tree.keywords):
        return None
    positional = [ast.unparse(argument) for argument in tree.args]
    return (*positional, *(f"{k.arg}={ast.unparse(k.value)}" for k in tree.keywords))


def _same(a: Case, b: Case) -> bool:
    """Whether two expectations are one, read as Python rather than as text."""
    if isinstance(a.expectation, Value) and isinstance(b.expectation, Value):
        return _tree(a.expectation.source) == _tree(b.expectation.source)
    return a.expectation == b.expectation


def _tree(source: str) -> str:
    try:
        return ast.dump(ast.parse(source.strip(), mode="eval"))
    except (SyntaxError, ValueError):
        return source
