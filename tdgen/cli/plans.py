"""A plan and its suites, told in lines on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from tdgen.depgraph import Dependencies
from tdgen.prompts.cases import case_text
from tdgen.terminal.output import Line, count, one_line
from tdgen.types import FunctionSpec, Plan, Suite


def plan_lines(plan: Plan) -> Iterator[Line]:
    """The plan: its functions in the order they are built, the examples that are pinned, and what is unclear."""
    yield Line(one_line(f"{plan.module}: {plan.summary or plan.counted}"), "strong")
    for kind in plan.declared_types:
        fields = ", ".join(f"{f.name}: {f.type}" if f.type else f"{f.name} = {f.default}" for f in kind.fields)
        yield Line(one_line(f"type {kind.name} ({kind.kind}): {fields or kind.description or kind.base}"))
    for name in chain.from_iterable(Dependencies(plan).order):
        yield Line("")
        yield from _function_lines(plan.spec(name))
    if plan.entry is not None:
        yield Line("")
        yield Line(one_line(f"run as a program it calls {plan.entry.function}(argv)"))
    examples = []
    for one in plan.examples:
        word = "raises" if one.expect == "raises" else "is"
        before = f" after {'; '.join(one.setup.splitlines())}" if one.setup else ""
        examples.append(f"{one.call} {word} {one.value}{before}")
    yield from _listed("examples that are pinned", examples)
    yield from _listed("unclear, and what was assumed", [f"{q.question} {q.assumption}" for q in plan.questions])


def suite_lines(suites: Iterable[Suite]) -> Iterator[Line]:
    """Each function's cases, those that are pinned marked."""
    for place, suite in enumerate(suites):
        if place:
            yield Line("")
        pinned = sum(case.is_pinned for case in suite.cases)
        remark = f", {pinned} of them pinned" if pinned else ""
        yield Line(f"{suite.function}: {count(len(suite.cases), 'case')}{remark}", "strong")
        for case in suite.cases:
            mark = "pinned" if case.is_pinned else case.kind
            text, *more = case_text(case).splitlines()
            yield Line(f"  {mark:<7}{one_line(text.removeprefix('- '), 400)}")
            yield from (Line(f"         {one_line(line, 400)}", "faint") for line in more)


def _function_lines(spec: FunctionSpec) -> Iterator[Line]:
    yield Line(one_line(spec.signature), "strong")
    yield Line(f"    {one_line(spec.purpose)}")
    for attribute in spec.interface.attributes if spec.interface else ():
        yield Line(f"    {one_line(f'{attribute.told}: {attribute.description}'.rstrip(': '))}")
    for method in spec.interface.methods if spec.interface else ():
        yield Line(f"    {one_line(f'{method.told}: {method.purpose}'.rstrip(': '))}")
    for raised in spec.raises:
        yield Line(f"    raises {one_line(f'{raised.type}: {raised.when}')}")
    if spec.dependencies:
        yield Line(f"    calls {one_line(', '.join(spec.dependencies))}")


def _listed(title: str, items: list[str]) -> Iterator[Line]:
    if items:
        yield Line("")
        yield Line(f"{title}:", "strong")
        yield from (Line(f"    {one_line(item)}") for item in items)
