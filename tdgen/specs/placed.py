"""The module of a plan whose units stand in a user's file: written units in their places, stubs in those of the others.

Of a plan without a target it is the shared types and the units, one below the other.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from textwrap import indent

from tdgen.errors import ReplyError
from tdgen.source.fragment import Fragment, assemble, trusted_fragment
from tdgen.source.laying import laid
from tdgen.source.syntax import Definition, definition, first_line, lines_of, methods_of, parse, whole_lines
from tdgen.source.trees import parameter_names
from tdgen.specs.declarations import STUB, declare_types, stub_head, stub_of
from tdgen.types import Plan, Target


def whole_module(plan: Plan, units: Mapping[str, Fragment], *, docstring: str = "", entry: str = "") -> str:
    """A module of units by name, in that order, with the shared types; of a target its text with the units in place."""
    if plan.target:
        apart = _apart(units, plan.target.units)
        return laid(plan.target.source, apart, methods=plan.target.laid_methods, module=plan.module)
    return assemble(declare_types(plan), units.values(), docstring=docstring, entry=entry)


def module_to_run(plan: Plan, units: Mapping[str, Fragment], *, entry: str = "") -> str:
    """The same where some units of a target are still to be written: the module may call them as it is imported."""
    stubs = unwritten_units(plan.target) if plan.target else {}
    missing = {name: Fragment((), source) for name, source in stubs.items() if name not in units}
    return whole_module(plan, {**missing, **units}, entry=entry)


def unwritten_units(target: Target, exception: str = "NotImplementedError") -> dict[str, str]:
    """A target's functions and methods as stubs that give None while the module is imported, and raise from then on.

    A class all of which is to be written is not among them.
    """
    unwritten = {}
    for name, methods in target.units.items():
        if methods:
            stubs = (_UNWRITTEN.format(method, exception, f"{name}.{method}") for method in methods)
            unwritten[name] = f"class {name}:\n{indent(''.join(stubs), '    ')}"
        elif not isinstance(definition(parse(target.source), name), ast.ClassDef):
            unwritten[name] = _UNWRITTEN.format(name, exception, name)
    return unwritten


_UNWRITTEN = """def {0}(*args, **kwargs):
    if not getattr(__spec__, "_initializing", False):
        raise {1}("{2} is not written yet")
"""
"""`_initializing` is what importlib itself says of a module whose body is running."""


def unwritten_module(plan: Plan, types: str) -> str:
    """A module in which every function and class of the plan raises a BaseException that no case can expect.

    Of a target, its text with such stubs in place; of a class there the methods alone that are to be written.
    """
    units = plan.functions
    if plan.target is None:
        entry = plan.script_call([spec.name for spec in units])
        source = "\n\n".join([*stub_head(units), *map(stub_of, units)])
        return assemble(types, [trusted_fragment(source)], entry=entry)
    stubs = unwritten_units(plan.target, STUB)
    by_unit = {spec.name: stubs.get(spec.name) or stub_of(spec) for spec in units}
    head = stub_head([spec for spec in units if spec.name not in stubs])
    by_unit[units[0].name] = "\n\n".join([*head, by_unit[units[0].name]])
    return whole_module(plan, {name: trusted_fragment(source) for name, source in by_unit.items()})


def _apart(units: Mapping[str, Fragment], names: Collection[str]) -> dict[str, Fragment]:
    """Each unit's definition by itself, where code of several came as one; all else stays with what it came with."""
    fragments: dict[str, Fragment] = {}
    for name, fragment in units.items():
        rest = fragment.body
        for node in reversed(parse(fragment.body).body):
            if isinstance(node, Definition) and node.name in names and node.name != name:
                first = first_line(node)
                alone = "\n".join(lines_of(rest)[first - 1 : node.end_lineno]) + "\n"
                fragments[node.name] = Fragment(fragment.imports, alone)
                lines = whole_lines(rest)
                rest = "".join(lines[: first - 1] + lines[node.end_lineno or node.lineno :])
        fragments[name] = Fragment(fragment.imports, rest)
    return fragments


def in_place(source: str, name: str, target: Target) -> str:
    """`source` with the unit `name` as it will stand in the target; ReplyError where it is not what was asked for."""
    there, wanted = target.text_of(name), target.units[name]
    given, own = (definition(parse(text), name) for text in (source, there))
    if given is None or own is None or isinstance(given, ast.ClassDef) != isinstance(own, ast.ClassDef):
        raise ReplyError(f"{name!r} is a {'class' if isinstance(own, ast.ClassDef) else 'function'} in {target.path}")
    for method in wanted or ("",):
        one, kept = (definition(node, method) if method else node for node in (given, own))
        what = f"{name}.{method}" if method else name
        if one is None:
            raise ReplyError(f"the code does not define {what}")
        if not (one is given and wanted) and parameter_names(one) != parameter_names(kept or one):
            parameters = ", ".join(parameter_names(kept or one))
            raise ReplyError(
                f"the parameters of {what} are {parameters or 'none'} in {target.path}: keep its signature"
            )
    if name in target.rewritable:
        _must_keep_signatures(given, own, target)
    fragment = trusted_fragment(source)
    text = laid(there, {name: Fragment((), fragment.body)}, methods=target.laid_methods)
    return Fragment(fragment.imports, text).source


def _must_keep_signatures(given: Definition, own: Definition, target: Target) -> None:
    """ReplyError where a method of a class has other parameters than it has there."""
    for one in methods_of(given):
        kept = definition(own, one.name)
        if kept is not None and parameter_names(one) != parameter_names(kept):
            text = ", ".join(parameter_names(kept))
            what = f"{own.name}.{one.name}"
            raise ReplyError(f"the parameters of {what} are {text or 'none'} in {target.path}: keep its signature")
