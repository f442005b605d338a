"""A class of the plan in JavaScript or TypeScript: how its contract reads there, and how a case gets at its objects.

Objects stay on the other side: here stands a class whose instances are numbers of them. A method, a property and an
attribute is a call by a key of the unit (`Board`, `Board.add`, `Board.size`, `Board.size=`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, Final

from tdgen.languages import shapes
from tdgen.languages.files import Unsayable
from tdgen.languages.javascript.annotations import TYPES, WHOLE, type_of
from tdgen.languages.javascript.saying import literal
from tdgen.types import FunctionSpec, Plan
from tdgen.types.interface import ClassInterface, Method

_STATIC: Final = ("class", "static")
_OTHERWISE: Final = "plan a method of a plain name, or a property"


def problems(spec: FunctionSpec, interface: ClassInterface, plan: Plan, language: str) -> Iterator[str]:
    """What of a class can't be said in the language, for the planner to plan otherwise."""
    where = f"class {spec.name!r}"
    planned = {one.name for one in plan.functions if one.interface}
    if interface.is_enum or interface.dataclass or interface.types:
        yield f"{where}: {language} has no enums, dataclasses or exceptions with methods: plan one with a constructor"
    for base in interface.base_names:
        if base not in planned:
            yield f"{where}: the base {base} can't be had in {language}: plan it without"
    for method in interface.methods:
        if method.is_special and method.name != "__init__":
            yield f"{where}: {language} has no {method.name}: {_OTHERWISE}"
        if method.kind == "abstract" or (method.node and method.node.args.kwarg):
            yield f"{where}: {method.name}: {language} has no abstract methods and no ** parameters"
        if method.decorators:
            yield f"{where}: {method.name}: no decorators can be had in {language}"
        given = (one.type for one in shapes.given(method) if not one.name.startswith("**"))
        for annotation in (*given, method.returns):
            yield from shapes.unsupported(f"{where}: {method.name}", annotation, plan, language)
    for attribute in interface.attributes:
        yield from shapes.unsupported(f"{where}: {attribute.name}", attribute.type, plan, language)


def unit(spec: FunctionSpec, interface: ClassInterface, plan: Plan) -> dict[str, Any]:
    """What the bridge has to know of it: its bases and members, each with the key of its call."""
    members = [_member(spec.name, method, plan) for method in interface.methods]
    if not interface.constructor:
        members.append(_member(spec.name, shapes.constructor(interface, plan), plan))
    names = {member["name"] for member in members}
    for attribute in interface.attributes:
        if attribute.name not in names:
            shape = shapes.shape(attribute.type, plan)
            name, key = attribute.name, f"{spec.name}.{attribute.name}"
            read = {"name": name, "kind": "get", "key": key, "parameters": "self", "given": ["self"]}
            members.append({**read, "shapes": [["any"]], "returns": shape, "async": False})
            written = {"name": name, "kind": "set", "key": f"{key}=", "parameters": "self, value"}
            taken = {"given": ["self", "value"], "shapes": [["any"], shape]}
            members.append({**written, **taken, "returns": ["any"], "async": False})
    return {"members": members, "bases": list(interface.base_names)}


def _member(owner: str, method: Method, plan: Plan) -> dict[str, Any]:
    kind = {"property": "get", "setter": "set"}.get(method.kind, "static" if method.kind in _STATIC else "method")
    is_new = method.name == "__init__"
    given = shapes.given(method)
    own = [] if kind == "static" else ["self"]
    heads = [f"{one.name}=_OMITTED" if one.default else one.name for one in given]
    return {
        "name": method.name,
        "kind": kind,
        "key": owner if is_new else f"{owner}.{method.name}{'=' * (kind == 'set')}",
        "parameters": ", ".join([*own, *heads]),
        "given": [*own[is_new:], *(one.name for one in given)],
        "shapes": [*([["any"]] * len(own[is_new:])), *(shapes.shape(one.type, plan) for one in given)],
        "returns": ["object", owner] if is_new else shapes.shape(method.returns, plan),
        "async": isinstance(method.node, ast.AsyncFunctionDef),
    }


def calls(name: str, unit: dict[str, Any]) -> list[str]:
    """The entries of an object in JavaScript that make a unit's calls by their keys."""
    ways = {
        "method": "(self, ...given) => self.{0}(...given)",
        "static": "(...given) => {1}.{0}(...given)",
        "get": "(self) => self.{0}",
        "set": "(self, value) => {{ self.{0} = value; }}",
    }
    entries = [f'"{name}": (...given) => new {name}(...given)']
    members = (one for one in unit["members"] if one["key"] != name)
    return [*entries, *(f'"{one["key"]}": {ways[one["kind"]].format(one["name"], name)}' for one in members)]


def stub(spec: FunctionSpec, interface: ClassInterface, ignored: str) -> str:
    """The class before anything is written: nothing can be made of it."""
    heads = ["constructor", *(f"static {one.name}" for one in interface.methods if one.kind in _STATIC)]
    body = "".join(f'  {head}({ignored}) {{\n    throw new _Unwritten("{spec.name}");\n  }}\n' for head in heads)
    if interface.base_names:  # a constructor of a derived class may throw before it calls another
        return f"class {spec.name} extends {interface.base_names[0]} {{\n{body}}}\n"
    return f"class {spec.name} {{\n{body}}}\n"


def skeleton(spec: FunctionSpec, interface: ClassInterface, plan: Plan, *, typed: bool, declared: bool = False) -> str:
    """The class's head and those of its members; `declared`, as TypeScript declares what is elsewhere."""
    base = f" extends {interface.base_names[0]}" if interface.base_names else ""
    words = TYPES if typed else WHOLE
    lines = []
    for one in interface.attributes:
        kind = type_of(one.type, plan, words)
        lines.append(f"  {one.name}: {kind};" if typed else f"  {one.name}; // {kind}")
    lines += [_line(method, plan, typed=typed, declared=declared) for method in interface.methods]
    return "\n".join([f"class {spec.name}{base} {{", *lines, "}"])


def _line(method: Method, plan: Plan, *, typed: bool, declared: bool) -> str:
    words = TYPES if typed else WHOLE
    is_async = isinstance(method.node, ast.AsyncFunctionDef)
    returns = "void" if typed and method.returns == "None" else type_of(method.returns, plan, words)
    returns = f"Promise<{returns}>" if is_async else returns
    is_new, parts, notes = method.name == "__init__", [], []
    for one in shapes.given(method):
        kind, rest = type_of(one.type, plan, words), one.name.startswith("*")
        kind += " | null" * (one.default == "None" and "null" not in kind)
        name = f"...{one.name[1:]}" if rest else f"{one.name}{'?' * (declared and one.default is not None)}"
        notes.append(f"{name}: {f'Array<{kind}>' if rest else kind}")
        parts.append((notes[-1] if typed else name) + ("" if declared else default(one.default)))
    before = {"property": "get ", "setter": "set ", "class": "static ", "static": "static "}.get(method.kind, "")
    gives = "" if is_new or method.kind == "setter" else f": {returns}" if typed else returns
    before += "async " * (is_async and not declared)
    head = f"  {before}{'constructor' if is_new else method.name}({', '.join(parts)}){gives if typed else ''}"
    if typed:
        return f"{head};" if declared else f"{head} {{ … }}"
    return f"{head} {{ … }} // {'; '.join([*notes, *([f'gives {gives}'] if gives else [])])}".rstrip(" /")


def default(source: str | None) -> str:
    """A parameter's default as it stands in the head; where none can be written, what it is in Python."""
    if source is None:
        return ""
    try:
        return f" = {literal(source)}"
    except Unsayable:
        return f" = /* the contract's {source} */"
