"""Bodies that no honest suite lets through: they do nothing, always give the same, or know the shown cases by heart."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tdgen.source.syntax import is_literal
from tdgen.source.trees import import_lines
from tdgen.types import Case, ClassInterface, Exits, ExpectedException, FunctionSpec, Value, World, parameter_list

MOST_CONSTANTS = 12


class Trivial(NamedTuple):
    """A trivial implementation: its source, and what it does, told to a person."""

    description: str
    source: str


def trivial_bodies(spec: FunctionSpec, cases: Sequence[Case], shown: Sequence[Case]) -> tuple[Trivial, ...]:
    """Return None, each constant or exception that the cases expect, each argument, and a table of the shown cases."""
    if spec.interface:
        return tuple(_trivial_classes(spec, cases))
    raised = dict.fromkeys(c.expectation.type for c in cases if isinstance(c.expectation, ExpectedException))
    trivials = [
        *(Trivial(f"always returns {source}", _always(spec, f"return {source}")) for source in _constants(cases)),
        *(Trivial(f"always raises {name}", _always(spec, f"raise {name}")) for name in raised),
    ]
    parameters = parameter_list(spec.parameters, typed=False)
    for name in (parameter.name.lstrip("*") for parameter in spec.parameters):
        trivials.append(Trivial(f"returns its argument {name}", _define(spec, parameters, f"return {name}")))  # noqa: PERF401
    known = [case for case in shown if _is_plain(case)]
    if known:
        trivials.append(Trivial(f"looks {len(known)} of the shown cases up in a table", _table(spec, known)))
    return tuple(trivials)


def _trivial_classes(spec: FunctionSpec, cases: Sequence[Case]) -> Iterator[Trivial]:
    """A class whose methods do nothing, or all give one constant of the cases; one that can't be made."""
    interface = spec.interface or ClassInterface()
    raised = dict.fromkeys(c.expectation.type for c in cases if isinstance(c.expectation, ExpectedException))
    bodies = [(f"gives {source} whatever is done", f"return {source}") for source in _constants(cases)]
    bodies += [(f"always raises {name}", f"raise {name}") for name in raised]
    for text, body in bodies:
        lines = [f"class {spec.name}:"]
        if body.startswith("return"):
            lines += ["    def __init__(self, *args, **kwargs):", "        pass"]
            lines += [f"    {a.name} = {body.removeprefix('return ')}" for a in interface.attributes]
        for method in interface.methods:
            if method.kind != "setter" and (method.name != "__init__" or body.startswith("raise")):
                decorator = [f"    {line}" for line in method.above if method.kind != "abstract"]
                kind = "async def" if isinstance(method.node, ast.AsyncFunctionDef) else "def"
                given = "self" if method.kind == "property" else "*args, **kwargs"
                lines += [*decorator, f"    {kind} {method.name}({given}):", f"        {body}"]
        source = "\n".join(lines) + "\n"
        yield Trivial(text, _with_imports(source, [source]))


def _constants(cases: Iterable[Case]) -> list[str]:
    sources = [c.expectation.source.strip() for c in cases if isinstance(c.expectation, Value)]
    codes = [str(c.expectation.code) for c in cases if isinstance(c.expectation, Exits)]
    return list(dict.fromkeys(["None", *filter(is_literal, sources), *codes]))[:MOST_CONSTANTS]


def _is_plain(case: Case) -> bool:
    """Whether its arguments alone say what to give back."""
    checked = isinstance(case.expectation, Value | ExpectedException)
    return checked and not (case.call or case.setup or case.after) and case.world == World()


def _always(spec: FunctionSpec, body: str) -> str:
    return _define(spec, "*args, **kwargs", body)


def _define(spec: FunctionSpec, parameters: str, body: str) -> str:
    source = f"{'async ' if spec.is_async else ''}def {spec.name}({parameters}):\n    {body}\n"
    return _with_imports(source, [source])


def _table(spec: FunctionSpec, cases: Sequence[Case]) -> str:
    """A body that looks its arguments up among those of the cases: arrays, of which `==` tells nothing, by repr."""
    rows = [f"        (_key({', '.join(case.arguments)}), lambda: {_gives(case)})," for case in cases]
    lines = [
        "def _key(*args, **kwargs):",
        "    return args, kwargs",
        "def _is(known, given):",
        "    try:",
        "        return bool(known == given)",
        "    except Exception:",
        "        return repr(known) == repr(given)",
        "def _raise(error):",
        "    raise error",
        f"{'async ' if spec.is_async else ''}def {spec.name}(*args, **kwargs):",
        "    for known, give in [",
        *rows,
        "    ]:",
        "        if _is(known, (args, kwargs)):",
        "            return give()",
    ]
    source = "\n".join(lines) + "\n"
    return _with_imports(source, [source])


def _gives(case: Case) -> str:
    if isinstance(case.expectation, Value):
        return case.expectation.source.strip()
    return f"_raise({case.expectation.type})" if isinstance(case.expectation, ExpectedException) else "None"


def _with_imports(source: str, sources: Sequence[str]) -> str:
    return "\n".join([*import_lines(sources), source])
