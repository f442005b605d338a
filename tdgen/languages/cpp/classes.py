"""A class of the plan in C++: how its contract reads there, what can't be had, and the class before it is written.

An attribute is a public member, a property a `const` method without arguments, its setter `set_NAME`. Objects are
values: one that is kept or given back is a copy, unless the contract says `Self`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tdgen.languages.cpp.declaring import Literal, cpp_type, held, parameters
from tdgen.languages.gcc.members import Member, callables, kin, members
from tdgen.languages.gcc.types import fields, given, returned
from tdgen.types import FunctionSpec, Plan
from tdgen.types.interface import ClassInterface

_OTHERWISE = "plan a method of a plain name, or a property"


def problems(spec: FunctionSpec, interface: ClassInterface, plan: Plan, language: str) -> Iterator[str]:
    """What of a class can't be said, for the planner to plan otherwise."""
    where = f"class {spec.name!r}"
    planned = {one.name: one.interface for one in plan.functions if one.interface}
    if interface.is_enum or interface.dataclass or interface.types:
        yield f"{where}: no enums, dataclasses or exceptions with methods can be had: plan one with a constructor"
    if interface.decorators or any(method.decorators for method in interface.methods):
        yield f"{where}: no decorators can be had"
    for base in interface.base_names:
        if base not in planned:
            yield f"{where}: the base {base} can't be had in {language}: plan it without"
    for method in interface.methods:
        if method.is_special and method.name != "__init__":
            yield f"{where}: no {method.name} can be had: {_OTHERWISE}"
        if method.kind == "abstract" or isinstance(method.node, ast.AsyncFunctionDef):
            yield f"{where}: {method.name}: {language} has no async methods, and no abstract ones can be had"
    taken = [one.name for one in members(spec, plan) if one.kind != "write"]
    for name in sorted({one for one in taken if taken.count(one) > 1}):
        yield f"{where}: two members are named {name} in {language}: name one of them otherwise"


def refused(plan: Plan) -> Iterator[str]:
    """Where objects can't stand: in data, as keys, cut to a base class, or before their own class is there."""
    for name, one in fields(plan).items():
        if any(of[0] == "object" or [*held(of)] for of in one.values()):
            yield f"type {name!r}: no data holds objects of a class with methods: plan a class in its place"
    for owner in plan.functions:
        keeping = [one.spec.name for one in members(owner, plan) if one.is_itself or one.kind == "new"]
        for spec in callables(plan, owner):
            for name, where in _copied(spec, plan, is_kept=spec.name in keeping):
                if where == "key":
                    yield f"{spec.name!r}: an object of {name} has no order: it can't be a key, nor in a set"
                elif len(kin(plan)[name]) > 1:
                    yield f"{spec.name!r}: classes derive from {name}: a copy of an object in a {where} loses its class"
    named = {one.name: _named(one, plan) for one in plan.functions if one.interface}
    for name, others in named.items():
        for other in sorted(one for one in others if one > name and name in named[one]):
            yield f"class {name!r}: it and {other} name each other: one has to be there before the other"


def _copied(spec: FunctionSpec, plan: Plan, *, is_kept: bool) -> Iterator[tuple[str, str]]:
    """The classes of which a call's values hold copies, each with the kind of what these stand in."""
    result = returned(spec, plan)
    for of in (*given(spec, plan), result):
        yield from held(of)
    if result[0] == "object" and not is_kept:
        yield result[1], "result"


def _named(spec: FunctionSpec, plan: Plan) -> set[str]:
    """The classes that the members of a class name, and its bases."""
    names = set(spec.interface.base_names) if spec.interface else set()
    for one in callables(plan, spec):
        for of in (*given(one, plan), returned(one, plan)):
            names |= {of[1]} if of[0] == "object" else {name for name, _ in held(of)}
    return names


def skeleton(spec: FunctionSpec, plan: Plan, literal: Literal) -> str:
    """The class's head and its public members as they are to be declared."""
    bases = spec.interface.base_names if spec.interface else ()
    head = f"class {spec.name}{' : ' * bool(bases)}{', '.join(f'public {base}' for base in bases)} {{"
    lines = [f"    {one};" for one in heads(spec, plan, literal)]
    is_base = len(kin(plan)[spec.name]) > 1
    return "\n".join([head, "public:", *[f"    virtual ~{spec.name}() = default;"] * is_base, *lines, "    …", "};"])


def heads(spec: FunctionSpec, plan: Plan, literal: Literal) -> list[str]:
    """The public members of a class, as they are declared in it."""
    return [_head(one, plan, literal) for one in members(spec, plan) if one.kind != "write"]


def _head(member: Member, plan: Plan, literal: Literal | None) -> str:
    spec = member.spec
    if member.kind == "read":
        return f"{cpp_type(returned(spec, plan))} {member.name}"
    given = parameters(spec, plan, literal)
    if member.kind == "new":
        takes_one = bool(given) and not any(one.default is None for one in spec.parameters[1:])
        return f"{'explicit ' * takes_one}{member.owner}({', '.join(given)})"
    gives = f"{member.owner}&" if member.is_itself else cpp_type(returned(spec, plan))
    before, after = _virtual(member, plan)
    before += "static " * (member.kind == "static")
    after = " const" * (member.kind == "get") + after
    return f"{before}{gives} {member.name}({', '.join(given)}){after}"


def _virtual(member: Member, plan: Plan) -> tuple[str, str]:
    """What stands before and behind a member's head where classes that derive from each other have one of that name."""
    if member.kind in ("static", "read", "write", "new"):
        return "", ""
    having = {one.name for one in plan.functions if member.name in [other.name for other in members(one, plan)]}
    below = having & set(kin(plan)[member.owner]) - {member.owner}
    above = {base for base in having if base != member.owner and member.owner in kin(plan).get(base, {})}
    return "virtual " * bool(below and not above), " override" * bool(above)


def stub(spec: FunctionSpec, plan: Plan, body: str) -> str:
    """The class before anything is written: nothing can be made of it, and it has no base, which would have to be."""
    lines = ["template <class T> static T& nothing_() { " + body + "; }"]
    for one in members(spec, plan):
        if one.kind == "write":
            continue
        if one.kind == "read":
            kind = cpp_type(returned(one.spec, plan))
            lines.append(f"{kind}& {one.name} = nothing_<{kind}>();")
        else:
            bare = _head(one, plan, None).replace("virtual ", "").removesuffix(" override")
            lines.append(f"{bare} {{ {body}; }}")
    return f"class {spec.name} {{\npublic:\n{''.join(f'    {line}{chr(10)}' for line in lines)}}};\n"
