"""What reads and writes the values of a plan in C, and makes its calls, in the harness's program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tdgen.languages.c.declaring import Types, c_type
from tdgen.languages.gcc.harness import HEAD, MAIN, calling
from tdgen.languages.gcc.types import given, returned, tag
from tdgen.languages.shapes import Shape
from tdgen.types import FunctionSpec, Plan

_CODEC: Final = """
static char *tdgen_read_str(void) {
    size_t length = (size_t)tdgen_read_int();
    char *text = malloc(length + 1);
    memcpy(text, tdgen_in, length);
    text[length] = 0;
    tdgen_in += length;
    return text;
}
static char *tdgen_read_maybe_str(void) { return tdgen_read_bool() ? tdgen_read_str() : NULL; }
static void tdgen_write_str(const char *value) {
    if (value == NULL) { tdgen_write_int(-1); return; }
    tdgen_write_int((int64_t)strlen(value));
    tdgen_say_text(value);
}
static void tdgen_write_maybe_str(const char *value) {
    tdgen_write_bool(value != NULL);
    if (value) tdgen_write_str(value);
}
"""
_SETTLE: Final = "static void tdgen_settle(char *all) { (void)all; }\n"


def program(plan: Plan, types: Types) -> str:
    """The program's text, which stands below the candidate's."""
    through = "\n".join(text for of in types.all.values() for text in _through(types, of))
    calls = "".join(_call(types, plan, n, spec) for n, spec in enumerate(plan.functions))
    return f"{HEAD}{_CODEC}{through}{calling(calls)}{_SETTLE}{MAIN}"


def _through(types: Types, of: Shape) -> Iterator[str]:
    """What reads and what writes a value of a type that is made of others."""
    kind, name, parts = of[0], tag(of), types.parts(of)
    if not parts or of == ["maybe", ["str"]]:
        return
    if kind in ("list", "set", "dict"):
        place = (
            {"key": "value.items[n].key", "value": "value.items[n].value"}
            if kind == "dict"
            else {"value": "value.items[n]"}
        )
        reads = " ".join(f"{place[key]} = tdgen_read_{tag(part)}();" for key, part in parts.items())
        writes = " ".join(f"tdgen_write_{tag(part)}({place[key]});" for key, part in parts.items())
        loop = "for (size_t n = 0; n < value.length; n++) {{ {} }}".format
        room = "value.items = value.length ? malloc(value.length * sizeof *value.items) : NULL;"
        yield (
            f"static {name} tdgen_read_{name}(void) {{ {name} value; value.length = (size_t)tdgen_read_int(); "
            f"{room} {loop(reads)} return value; }}"
        )
        length = "tdgen_write_int((int64_t)value.length);"
        yield f"static void tdgen_write_{name}({name} value) {{ {length} {loop(writes)} }}"
        return
    reads = " ".join(f"value.{key} = tdgen_read_{tag(part)}();" for key, part in parts.items())
    writes = " ".join(f"tdgen_write_{tag(part)}(value.{key});" for key, part in parts.items())
    if kind == "maybe":
        reads, writes = (
            f"if ((value.has = tdgen_read_bool())) {{ {reads} }}",
            f"tdgen_write_bool(value.has); if (value.has) {{ {writes} }}",
        )
    start = f"{name} value; memset(&value, 0, sizeof value);"
    yield f"static {name} tdgen_read_{name}(void) {{ {start} {reads} return value; }}"
    yield f"static void tdgen_write_{name}({name} value) {{ {writes} }}"


def _call(types: Types, plan: Plan, number: int, spec: FunctionSpec) -> str:
    """The case of one function: its arguments read, the call made, its result told, all of it freed."""
    shapes_given, returns = given(spec, plan), returned(spec, plan)
    lines = [f"{c_type(of)} given{n} = tdgen_read_{tag(of)}();" for n, of in enumerate(shapes_given)]
    names = [f"given{n}" for n in range(len(shapes_given))]
    if spec.raises:
        lines.append("failure error = {NO_FAILURE, {0}};")
        names.append("&error")
    lines.append("size_t before = tdgen_allocated();")
    call = f"{spec.name}({', '.join(names)})"
    lines.append(f"{call};" if returns == ["none"] else f"{c_type(returns)} result = {call};")
    lines.append("size_t held = tdgen_allocated();")
    write = "" if returns == ["none"] else f"tdgen_write_{tag(returns)}(result);"
    if spec.raises:
        tell = 'tdgen_size = 0; tdgen_say("E", 1); tdgen_write_int(error.kind); tdgen_write_str(error.message);'
        write = f"if (error.kind != NO_FAILURE) {{ {tell} }} else {{ {write} }}"
    free = types.freed(returns, "result") if returns != ["none"] else ""
    lines += [write, f"if (error.kind == NO_FAILURE) {{ {free}}}" if spec.raises and free else free]
    lines.append("size_t after = tdgen_allocated();")
    lines.append("if (after > before && held > before) tdgen_lost = after - before;")
    lines += [types.freed(of, f"given{n}") for n, of in enumerate(shapes_given)]
    return (
        f"    case {number}: {{\n" + "".join(f"        {line}\n" for line in lines if line) + "        break;\n    }\n"
    )
