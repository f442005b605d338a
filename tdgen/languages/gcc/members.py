"""The members of a plan's classes as functions: each has a key by which it is called, and a contract of its own.

A method's first parameter is `self` there; a property and its setter, and reading and writing an attribute, are
functions too. What is annotated `Self` gives back the object itself.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from tdgen.languages import shapes
from tdgen.types import FunctionSpec, Parameter, Plan, Returns
from tdgen.types.interface import Method

Kind = Literal["new", "method", "static", "get", "set", "read", "write"]
_KINDS: dict[str, Kind] = {"property": "get", "setter": "set", "class": "static", "static": "static"}
_SELF = re.compile(r"\b(?:\w+\.)*Self\b")


class Member(NamedTuple):
    """One way to use a class or an object of it; the name of `spec` is the key of its call."""

    owner: str
    name: str
    kind: Kind
    spec: FunctionSpec
    is_itself: bool = False
    """Whether what it gives back is the object that it is called on."""


def members(spec: FunctionSpec, plan: Plan) -> list[Member]:
    """All members of a class, the constructor first; none of a function."""
    if spec.interface is None:
        return []
    methods = [one for one in spec.interface.methods if one.name != "__init__"]
    of_class = [_member(spec.name, one) for one in (shapes.constructor(spec.interface, plan), *methods)]
    taken = {one.name for one in of_class}
    for attribute in spec.interface.attributes:
        if attribute.name not in taken:
            name, this = f"{spec.name}.{attribute.name}", Parameter(name="self", type=spec.name)
            value = Parameter(name="value", type=_SELF.sub(spec.name, attribute.type))
            read = FunctionSpec(name=name, purpose="", parameters=(this,), returns=Returns(type=value.type))
            written = FunctionSpec(name=f"{name}=", purpose="", parameters=(this, value), returns=Returns(type="None"))
            of_class.append(Member(spec.name, attribute.name, "read", read))
            of_class.append(Member(spec.name, attribute.name, "write", written))
    return of_class


def callables(plan: Plan, *units: FunctionSpec) -> list[FunctionSpec]:
    """All that is called of these units, or of all: functions, and the members of classes."""
    return [
        one
        for spec in units or plan.functions
        for one in ([member.spec for member in members(spec, plan)] if spec.interface else [spec])
    ]


def kin(plan: Plan) -> dict[str, dict[str, None]]:
    """By the names of the plan's classes these and all that derive from them, in order."""
    bases = {one.name: one.interface.base_names for one in plan.functions if one.interface}

    def derives(name: str, base: str) -> bool:
        return name == base or any(derives(one, base) for one in bases.get(name, ()) if one != name)

    return {base: {name: None for name in bases if derives(name, base)} for base in bases}


def _member(owner: str, method: Method) -> Member:
    is_new = method.name == "__init__"
    kind: Kind = "new" if is_new else _KINDS.get(method.kind, "method")
    own = () if kind in ("new", "static") else (Parameter(name="self", type=owner),)
    given = (  # of what `*` and `**` collect no kind can be had
        one.model_copy(update={"type": "Any" if one.name.startswith("*") else _SELF.sub(owner, one.type)})
        for one in shapes.given(method)
    )
    spec = FunctionSpec(
        name=owner if is_new else f"{owner}.{method.name}{'=' * (kind == 'set')}",
        purpose="",
        parameters=(*own, *given),
        returns=Returns(type=owner if is_new else _SELF.sub(owner, method.returns)),
        raises=method.raises,
    )
    itself = kind == "method" and _SELF.fullmatch(method.returns) is not None
    return Member(owner, f"set_{method.name}" if kind == "set" else method.name, kind, spec, itself)
