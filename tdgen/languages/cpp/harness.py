"""What reads and tells the values of a plan in C++, and makes its calls, below `runtime.h`."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from tdgen.languages.cpp import declaring
from tdgen.languages.cpp.declaring import cpp_type, exceptions, mutable
from tdgen.languages.gcc.exporting import telling, told
from tdgen.languages.gcc.members import Member, kin, members
from tdgen.languages.gcc.types import Types, fields, given, returned
from tdgen.languages.shapes import parameters
from tdgen.types import FunctionSpec, Plan

_NOTHING: Final = told('["o","undefined"]')


def codec(plan: Plan, types: Types) -> str:
    """What reads and tells the records of a plan, and its objects."""
    objects = [_object(name, list(kin(plan)), own) for name, own in kin(plan).items()]
    records = []
    for name in (of[1] for of in types.all.values() if of[0] == "record"):
        parts = types.parts(["record", name])
        read = ", ".join(f"tdgen_type<{cpp_type(part)}>::read()" for part in parts.values())
        tells = telling(f'["r","{name}",[', [_fields(parts, "value")], "]]")
        records.append(
            f"template <> struct tdgen_type<{name}> {{\n    static {name} read() {{ return {name}{{{read}}}; }}\n"
            f"    static void write([[maybe_unused]] const {name}& value) {{ {tells} }}\n}};\n"
        )
    return "".join([*objects, *records])


def _object(name: str, all_names: list[str], own: Collection[str]) -> str:
    """What finds an object of a class, and what keeps a value of it."""
    ways = " ".join(f"case {all_names.index(one)}: return tdgen_as<{name}, {one}>(found.held.get());" for one in own)
    kept = f"tdgen_keep({all_names.index(name)}, std::make_shared<{name}>(std::forward<T>(value)))"
    return (
        f"template <> struct tdgen_type<{name}> {{\n    static {name}& read() {{\n        auto& found = tdgen_find();\n"
        f"        switch (found.kind) {{ {ways} }}\n        _exit(64);\n    }}\n"
        f'    template <class T> static void write(T&& value) {{ tdgen_say_object("{name}", {kept}); }}\n}};\n'
    )


def _fields(parts: Collection[str], owner: str) -> str:
    names, values = ", ".join(f'"{key}"' for key in parts), "".join(f", {owner}.{key}" for key in parts)
    return f"tdgen_write_fields({{{names}}}{values});"


def calls(plan: Plan) -> Iterator[tuple[str, FunctionSpec, str]]:
    """All that is called, in order: its kind, its contract, and the statement that makes the call and tells of it."""
    for spec in plan.functions:
        if not spec.interface:
            of = f"{cpp_type(returned(spec, plan))} (*)({', '.join(declaring.parameters(spec, plan, None))})"
            yield "function", spec, _told(spec, plan, f"static_cast<{of}>({spec.name})({_given(spec)})")
        for one in members(spec, plan):
            yield one.kind, one.spec, _of_member(one, plan)


_USES: Final = {"write": "given0.{0} = given1", "read": "given0.{0}", "static": "{1}::{0}({2})"}


def _of_member(member: Member, plan: Plan) -> str:
    owner, own = member.owner, _given(member.spec)
    if member.kind == "new":
        made = f"tdgen_keep({list(kin(plan)).index(owner)}, std::make_shared<{owner}>({own}))"
        return f'tdgen_say_object("{owner}", {made});'
    use = _USES.get(member.kind, "given0.{0}({3})")
    call = use.format(member.name, owner, own, _given(member.spec, 1))
    if member.is_itself:
        other = 'tdgen_fail("NotItself", "it gives back another object than itself");'
        itself = f'tdgen_say_object("{owner}", itself)'
        return f"if (std::addressof({call}) == std::addressof(given0)) {itself}; else {other}"
    return _told(member.spec, plan, call)


def _given(spec: FunctionSpec, first: int = 0) -> str:
    return ", ".join(f"given{n}" for n in range(first, len(parameters(spec))))


def _told(spec: FunctionSpec, plan: Plan, call: str) -> str:
    returns = returned(spec, plan)
    return f"{call}; {_NOTHING}" if returns == ["none"] else f"tdgen_type<{cpp_type(returns)}>::write({call});"


def case(plan: Plan, kind: str, spec: FunctionSpec, call: str) -> str:
    """One of them: its arguments read, the call made, and what came of it told."""
    own = mutable(spec, plan)  # an object is no copy: nothing of it is told again
    types = [(n, cpp_type(of), "&" * (of[0] == "object")) for n, of in enumerate(given(spec, plan))]
    afters = [
        f"tdgen_type<{of}>::write(given{n});" if own[n] and not reference else told("null")
        for n, of, reference in types
    ]
    lines = [
        "[[maybe_unused]] std::int64_t itself = std::strtoll(tdgen_in, nullptr, 10);",
        *(f"{of}{reference} given{n} = tdgen_type<{of}>::read();" for n, of, reference in types),
        f"tdgen_reads = {str(kind in ('get', 'read')).lower()};",
        f"try {{ {call} }}",
        *_catches(plan),
        telling("],[", afters, ""),
    ]
    return "\n".join(lines)


def _catches(plan: Plan) -> Iterator[str]:
    """The handlers of what a call throws, the most derived class first."""
    held = fields(plan)
    for name in reversed(exceptions(plan)):
        own = f"{_fields(held.get(name, {}), 'thrown')} {told(']')}"
        yield f'catch (const {name}& thrown) {{ tdgen_begin_failure("{name}", thrown.what()); {own} }}'
    yield "catch (const std::exception& thrown) { tdgen_fail_otherwise(thrown); }"
    yield 'catch (...) { tdgen_fail("a thrown value that is no std::exception", ""); }'
