"""What reads and tells the values of a plan in C, and makes its calls, below `runtime.h`."""

from __future__ import annotations

from collections.abc import Iterator

from tdgen.languages.c.declaring import Types, c_type, kinds
from tdgen.languages.gcc.exporting import telling, told
from tdgen.languages.gcc.types import given, returned, tag
from tdgen.languages.shapes import Shape
from tdgen.types import FunctionSpec, Plan


def codec(plan: Plan, types: Types) -> str:
    """What reads and tells the values of all types, and names the kinds of failures."""
    named = "".join(f'case {kind}: return "{kind}"; ' for kind in kinds(plan))
    naming = f'static const char *tdgen_kind(int kind) {{ switch (kind) {{ {named}}} return "a kind that is none"; }}'
    return "\n".join([*(text for of in types.all.values() for text in _through(types, of)), naming])


def _through(types: Types, of: Shape) -> Iterator[str]:
    """What reads and what tells a value of a type that is made of others."""
    kind, name, parts = of[0], tag(of), types.parts(of)
    if not parts or of == ["maybe", ["str"]]:
        return
    place = {key: f"value.items[n].{key}" if kind == "dict" else f"value.{key}" for key in parts}
    if kind in ("list", "set"):
        place = {"value": "value.items[n]"}
    reads = " ".join(f"{place[key]} = tdgen_read_{tag(part)}();" for key, part in parts.items())
    tells = {key: f"tdgen_write_{tag(part)}({place[key]});" for key, part in parts.items()}
    match kind:
        case "list" | "set" | "dict":
            loop = "for (size_t n = 0; n < value.length; n++)"
            room = "value.items = value.length ? malloc(value.length * sizeof *value.items) : NULL;"
            reads = f"value.length = (size_t)tdgen_read_int(); {room} {loop} {{ {reads} }}"
            mark = {"list": "l", "set": "s", "dict": "m"}[kind]
            before, each, after = f'["{mark}",[', tells["value"], "]]"
            if kind == "dict":
                each = telling("[", tells.values(), "]")
            each = f"if (n) {told(',')} {each}"
            if parts["value"] == ["byte"]:
                before, each, after = '["y","', "tdgen_write_hex(value.items[n]);", '"]'
            write = f"{told(before)} {loop} {{ {each} }} {told(after)}"
        case "maybe":
            reads = f"if ((value.has = tdgen_read_bool())) {{ {reads} }}"
            write = f"if (value.has) {{ {tells['value']} }} else {told('null')}"
        case "tuple":
            write = telling('["l",[', tells.values(), "]]")
        case _:
            named = [telling(f'["{key}",', [tell], "]") for key, tell in tells.items()]
            write = telling(f'["r","{name}",[', named, "]]")
    start = f"{name} value; memset(&value, 0, sizeof value);"
    yield f"static {name} tdgen_read_{name}(void) {{ {start} {reads} return value; }}"
    yield f"static void tdgen_write_{name}({name} value) {{ {write} }}"


def case(types: Types, plan: Plan, spec: FunctionSpec) -> str:
    """The call of one function: its arguments read, the call made, its result told, all of it freed."""
    shapes_given, returns = given(spec, plan), returned(spec, plan)
    is_nothing = returns == ["none"]
    call = (
        f"{spec.name}({', '.join([*(f'given{n}' for n in range(len(shapes_given))), *['&error'] * bool(spec.raises)])})"
    )
    tell = told('["o","undefined"]') if is_nothing else f"tdgen_write_{tag(returns)}(result);"
    free = "" if is_nothing else types.freed(returns, "result")
    if spec.raises:
        fail = "tdgen_fail(tdgen_kind(error.kind), error.message);"
        tell = f"if (error.kind != NO_FAILURE) {{ {fail} }} else {{ {tell} {free}}}"
    lines = [
        *(f"{c_type(of)} given{n} = tdgen_read_{tag(of)}();" for n, of in enumerate(shapes_given)),
        "failure error = {NO_FAILURE, {0}};" * bool(spec.raises),
        "size_t before = tdgen_allocated();",
        f"{call};" if is_nothing else f"{c_type(returns)} result = {call};",
        "size_t held = tdgen_allocated();",
        tell if spec.raises else f"{tell} {free}",
        "size_t after = tdgen_allocated();",
        "if (after > before && held > before) tdgen_lost = after - before;",
        *(types.freed(of, f"given{n}") for n, of in enumerate(shapes_given)),
        told("],["),
    ]
    return "\n".join(filter(None, lines))
