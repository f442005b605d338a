"""Where an answer gives a part of what stands: changed methods of a large class, bodies in a user's module.

A class of more than `LARGE` methods is long: written anew for one of them, it costs the tokens of all, and what passed
may come back wrong. Of a user's module who writes code sees what stands there.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tdgen.prompts import render
from tdgen.source.syntax import Edit, class_named, definition, docstring_of, edited, methods_of, parse, statements_of
from tdgen.types import FunctionSpec, Plan

LARGE = 8
"""Of how many methods a class is repaired as a whole. Not tuned: below, the methods are about as long as the prompt
around them."""


def is_large(spec: FunctionSpec) -> bool:
    """Whether a unit is a class of which a repair gives the changed methods alone."""
    return spec.interface is not None and len({method.name for method in spec.interface.methods}) > LARGE


def method_lines(source: str, name: str) -> dict[str, range]:
    """The lines of each method's body, by the method's name; a property's setter counts as the property."""
    lines: dict[str, range] = {}
    node = class_named(ast.Module(statements_of(source), []), name)
    for method in methods_of(node):
        first, last = method.body[0].lineno, method.end_lineno or method.lineno
        known = lines.get(method.name)
        start, stop = (min(first, known.start), max(last + 1, known.stop)) if known else (first, last + 1)
        lines[method.name] = range(start, stop)
    return lines


def written_lines(source: str, plan: Plan, name: str) -> tuple[range, ...]:
    """The lines (from 1) of a class's methods that were written here; nothing where all of the unit was."""
    if plan.target is None or not (wanted := plan.target.units.get(name)):
        return ()
    kept = method_lines(plan.target.text_of(name), name).keys() - {*wanted}
    return tuple(lines for method, lines in method_lines(source, name).items() if method not in kept)


def code_there(plan: Plan, units: Sequence[str]) -> str:
    """What who writes code, and nobody else, sees of a target: units as they stand there, and code beside them.

    Docstrings of several lines are left out of what is to be written: the words above them say the same.
    """
    target = plan.target
    if target is None:
        return ""
    there = "\n\n".join(_without_docs(target.text_of(name), name, target.units[name]).strip() for name in units)
    beside = f"<code_beside_it>\n{target.code.strip()}\n</code_beside_it>\n" if target.code.strip() else ""
    return f"\n<stands_there>\n{there}\n</stands_there>\n{beside}"


def target_rules(specs: Sequence[FunctionSpec]) -> str:
    """What code must hold to that goes into a user's file."""
    of_class = render("tdgen.impl", "target_class") if any(spec.interface for spec in specs) else ""
    return render("tdgen.impl", "target", of_class=f"\n  {of_class.strip()}" if of_class else "")


def _without_docs(text: str, name: str, methods: Sequence[str]) -> str:
    """A unit's source with `\"\"\"…\"\"\"` for each docstring of several lines that what is to be written has."""
    node = definition(parse(text), name)
    written = [definition(node, method) for method in methods] if node else []
    docs = [doc for one in written or [node] if one and (doc := docstring_of(one)) and doc.end_lineno != doc.lineno]
    ends = [(doc.end_lineno or doc.lineno, doc.end_col_offset or 0) for doc in docs]
    return edited(
        text, [Edit(doc.lineno, doc.col_offset, *end, '"""…"""') for doc, end in zip(docs, ends, strict=True)]
    )
