"""What reads and writes the values of a plan in C++, and makes its calls, in the harness's program.

Where memory is left over after a call, it is made once more: what a static table holds is there then, and what is lost
again is told. What an exception is, and what it holds, is told by its class.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tdgen.languages.cpp.declaring import changed, cpp_type, exceptions
from tdgen.languages.gcc.exporting import kinds
from tdgen.languages.gcc.harness import HEAD, MAIN
from tdgen.languages.gcc.types import Types, fields, given, returned, tag
from tdgen.languages.shapes import Shape
from tdgen.types import FunctionSpec, Plan

_CODEC: Final = """
#include <cxxabi.h>
#include <typeinfo>

static std::string tdgen_read_str() {
    std::size_t length = static_cast<std::size_t>(tdgen_read_int());
    std::string text(tdgen_in, length);
    tdgen_in += length;
    return text;
}
static void tdgen_write_str(const std::string& value) {
    tdgen_write_int(static_cast<std::int64_t>(value.size()));
    tdgen_say(value.data(), value.size());
}
static void tdgen_tell(int kind, const char *name, const char *message) {
    tdgen_size = 0;
    tdgen_say("E", 1);
    tdgen_write_int(kind);
    if (kind == 0) tdgen_write_str(name);
    tdgen_write_str(message);
}
static void tdgen_tell_other(const std::exception& thrown) {
    int status = 0;
    char *name = abi::__cxa_demangle(typeid(thrown).name(), nullptr, nullptr, &status);
    tdgen_tell(0, name ? name : "std::exception", thrown.what());
    free(name);
}
static off_t tdgen_printed[3];
static void tdgen_mark() {
    std::cout.flush();
    fflush(stdout);
    for (int fd = 1; fd < 3; fd++) tdgen_printed[fd] = lseek(fd, 0, SEEK_END);
}
static void tdgen_unprint() {
    std::cout.flush();
    fflush(stdout);
    for (int fd = 1; fd < 3; fd++) if (ftruncate(fd, tdgen_printed[fd])) _exit(65);
}
"""


def program(plan: Plan, types: Types) -> str:
    """The program's text, which stands below the candidate's."""
    through = "\n".join(text for of in types.all.values() for text in _through(types, of))
    calls = "".join(_call(plan, n, spec) for n, spec in enumerate(plan.functions))
    return f"{HEAD}{_CODEC}{through}{MAIN % calls}"


def _through(types: Types, of: Shape) -> Iterator[str]:
    """What reads and what writes a value of a type that is made of others."""
    kind, name, parts = of[0], tag(of), types.parts(of)
    if not parts and kind != "record":
        return
    if kind in ("list", "set", "dict"):
        one = "value.{}(tdgen_read_{}());".format("push_back" if kind == "list" else "insert", tag(of[1]))
        if kind == "dict":
            one = f"auto key = tdgen_read_{tag(of[1])}(); value.emplace(std::move(key), tdgen_read_{tag(of[2])}());"
        reads = f"for (auto n = tdgen_read_int(); n > 0; n--) {{ {one} }}"
        each = f"tdgen_write_{tag(of[1])}({'one.first' if kind == 'dict' else 'one'});"
        each += f" tdgen_write_{tag(of[2])}(one.second);" if kind == "dict" else ""
        writes = f"tdgen_write_int(static_cast<std::int64_t>(value.size())); for (const auto& one : value) {{ {each} }}"
    elif kind == "maybe":
        reads = f"if (tdgen_read_bool()) value = tdgen_read_{tag(of[1])}();"
        writes = f"tdgen_write_bool(value.has_value()); if (value) tdgen_write_{tag(of[1])}(*value);"
    else:
        place = {key: f"std::get<{n}>(value)" if kind == "tuple" else f"value.{key}" for n, key in enumerate(parts)}
        reads = " ".join(f"{place[key]} = tdgen_read_{tag(part)}();" for key, part in parts.items())
        writes = " ".join(f"tdgen_write_{tag(part)}({place[key]});" for key, part in parts.items())
    yield f"static {cpp_type(of)} tdgen_read_{name}() {{ {cpp_type(of)} value{{}}; {reads} return value; }}"
    yield f"static void tdgen_write_{name}(const {cpp_type(of)}& value) {{ {writes} }}"


def _call(plan: Plan, number: int, spec: FunctionSpec) -> str:
    """The case of one function: its arguments read, the call made, what came of it told, and whether memory is lost."""
    told, returns, names = given(spec, plan), returned(spec, plan), [f"given{n}" for n in range(len(spec.parameters))]
    call = f"{spec.name}({', '.join(names[: len(told)])})"
    after = " ".join(
        f"tdgen_write_{tag(of)}(given{n});"
        for n, (of, is_changed) in enumerate(zip(told, changed(spec, plan), strict=True))
        if is_changed
    )
    lines = [
        "char *start = tdgen_in;",
        "for (int turn = 0; turn < 2; turn++) {",
        "    size_t before = __sanitizer_get_current_allocated_bytes() - tdgen_taken, kept = tdgen_size;",
        "    tdgen_in = start;",
        "    if (turn == 1) tdgen_mark();",
        "    {",
        *(f"        {cpp_type(of)} given{n} = tdgen_read_{tag(of)}();" for n, of in enumerate(told)),
        f"        try {{ {f'{call};' if returns == ['none'] else f'tdgen_write_{tag(returns)}({call});'} }}",
        *(f"        {text}" for text in _catches(plan)),
        f"        {after}",
        "    }",
        "    size_t now = __sanitizer_get_current_allocated_bytes() - tdgen_taken;",
        "    left = now > before ? now - before : 0;",
        "    if (turn == 1) { tdgen_unprint(); tdgen_size = kept; }",
        "    if (left == 0) break;",
        "}",
    ]
    return f"    case {number}: {{\n" + "".join(f"        {line}\n" for line in lines) + "        break;\n    }\n"


def _catches(plan: Plan) -> Iterator[str]:
    """The handlers of what a call throws, the most derived class first."""
    numbers, held = {name: n for n, name in enumerate(kinds(plan), start=1)}, fields(plan)
    for name in reversed(exceptions(plan)):
        parts = "".join(f" tdgen_write_{tag(of)}(thrown.{key});" for key, of in held.get(name, {}).items())
        number = numbers.get(name, 0)
        yield f'catch (const {name}& thrown) {{ tdgen_tell({number}, "{name}", thrown.what());{parts} }}'
    yield "catch (const std::exception& thrown) { tdgen_tell_other(thrown); }"
    yield 'catch (...) { tdgen_tell(0, "a thrown value that is no std::exception", ""); }'
