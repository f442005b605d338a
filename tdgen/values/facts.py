"""What a class and an instance are, read past whatever they say of themselves.

Shipped into the sandbox: standard library only, Python 3.9 and later. Everything goes through the descriptors of
`type` and of the builtins, which a metaclass or a subclass can't replace.
"""

from __future__ import annotations

import dataclasses
import types
from typing import Any

MAX_NAME = 300  # characters of a class's name; a judgement

mro_of = type.__dict__["__mro__"].__get__
members_of = type.__dict__["__dict__"].__get__
name_of = type.__dict__["__qualname__"].__get__
module_of = type.__dict__["__module__"].__get__
_FIELD = vars(dataclasses)["_FIELD"]


def honest_mro(cls: type) -> tuple[type, ...]:
    """The classes that `cls` inherits from, itself first, less those whose metaclass has an equality of its own.

    Only these may be looked up by `in`: any other could say that it is whatever it is compared with.
    """
    return tuple(base for base in mro_of(cls) if is_honest(base))


def is_honest(cls: type) -> bool:
    """Whether the equality and the hash of a class, as an object, are Python's own."""
    meta = type(cls)
    return meta is type or all(
        next((owner for owner in mro_of(meta) if name in members_of(owner)), None) is object
        for name in ("__eq__", "__hash__")
    )


def qualified_name(cls: type) -> str:
    """`module.Class` of a class."""
    module, name = module_of(cls), name_of(cls)
    return f"{module}.{name}"[:MAX_NAME] if type(module) is str and type(name) is str else "unknown"


def declared(mro: Any, name: str, kind: type) -> Any:
    """The class attribute `name` if the first class to have it has one of exactly that kind (object: any), or None."""
    for cls in mro:
        members = members_of(cls)
        if name in members:
            return members[name] if kind is object or type(members[name]) is kind else None
    return None


def dataclass_fields(mro: Any) -> list[str] | None:
    """The names of a dataclass's fields in order, without ClassVar and InitVar; None for any other class."""
    fields = declared(mro, "__dataclass_fields__", dict)
    if fields is None:
        return None
    own = [(name, field) for name, field in fields.items() if type(name) is str and type(field) is dataclasses.Field]
    return [name for name, field in own if field._field_type is _FIELD]  # type: ignore[attr-defined]  # noqa: SLF001


def instance_dict(x: Any) -> dict[str, Any]:
    """`x.__dict__`, past a property of that name; empty for an instance without one."""
    for cls in mro_of(type(x)):
        descriptor = members_of(cls).get("__dict__")
        if type(descriptor) is types.GetSetDescriptorType:
            held = descriptor.__get__(x)
            return held if type(held) is dict else {}
    return {}
