"""What reads and writes the values of a plan in C++, and makes its calls, in the harness's program.

Objects stay in a table, and a call names them by their numbers. Where memory is left over after a call, a fork ends all
objects; where some is left then, it makes the case's calls once more and ends what came of them: what a static table
holds is there already, and what is lost again is told. What an exception is, and what it holds, is told by its class.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from tdgen.languages.cpp.declaring import changed, cpp_type, exceptions
from tdgen.languages.gcc.exporting import kinds
from tdgen.languages.gcc.harness import HEAD, MAIN, calling
from tdgen.languages.gcc.members import Member, kin, members
from tdgen.languages.gcc.types import Types, fields, given, returned, tag
from tdgen.languages.shapes import Shape, parameters
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
"""
_OBJECTS: Final = """
struct tdgen_object { int kind; std::shared_ptr<void> held; };
static tdgen_object tdgen_objects[TDGEN_MOST_OBJECTS];
static std::int64_t tdgen_count;
static bool tdgen_reads;
static std::int64_t tdgen_keep(int kind, std::shared_ptr<void> made) {
    if (tdgen_count == TDGEN_MOST_OBJECTS) _exit(66);
    tdgen_objects[tdgen_count] = {kind, std::move(made)};
    return tdgen_first + tdgen_count++;
}
static tdgen_object& tdgen_find() {
    std::int64_t number = tdgen_read_int() - tdgen_first;
    if (number < 0 || number >= tdgen_count) _exit(64);
    return tdgen_objects[number];
}
template <class Base, class Own> static Base& tdgen_as(void *held) {
    if constexpr (std::is_convertible_v<Own *, Base *>) return *static_cast<Own *>(held);
    _exit(64);
}
static void tdgen_drop() { while (tdgen_count > 0) tdgen_objects[--tdgen_count].held.reset(); }
"""
_SETTLE: Final = """
#define TDGEN_MOST_CALLS 65536
static char *tdgen_calls[TDGEN_MOST_CALLS];
static size_t tdgen_made, tdgen_last;
static size_t tdgen_left() { return tdgen_allocated() > tdgen_start ? tdgen_allocated() - tdgen_start : 0; }
static size_t tdgen_lost_again() {
    tdgen_drop();
    size_t once = tdgen_left();
    for (size_t n = 0; once > 0 && n < tdgen_made; n++) {
        tdgen_in = tdgen_calls[n] + 33;
        tdgen_size = 0;
        tdgen_variant = tdgen_read_int();
        tdgen_dispatch(tdgen_read_int());
    }
    tdgen_drop();
    return tdgen_left() > once ? tdgen_left() - once : 0;
}
static void tdgen_settle(char *all) {
    std::cout.flush();
    fflush(stdout);
    if (tdgen_made == TDGEN_MOST_CALLS) _exit(66);
    tdgen_calls[tdgen_made++] = all;
    if (tdgen_left() == tdgen_last && (tdgen_reads || tdgen_count == 0)) return;
    tdgen_last = tdgen_left();
    off_t printed[3];
    int ends[2], status = 0;
    if (pipe(ends)) _exit(65);
    for (int fd = 1; fd < 3; fd++) printed[fd] = lseek(fd, 0, SEEK_CUR);
    pid_t child = fork();
    if (child == 0) {
        tdgen_lost = tdgen_lost_again();
        tdgen_send(ends[1], reinterpret_cast<char *>(&tdgen_lost), sizeof tdgen_lost);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) _exit(65);
    close(ends[1]);
    if (WIFSIGNALED(status)) kill(getpid(), WTERMSIG(status));
    if (status != 0) _exit(WEXITSTATUS(status));
    if (read(ends[0], &tdgen_lost, sizeof tdgen_lost) != sizeof tdgen_lost) _exit(65);
    for (int fd = 1; fd < 3; fd++) if (ftruncate(fd, printed[fd]) || lseek(fd, printed[fd], SEEK_SET) < 0) _exit(65);
    close(ends[0]);
}
"""


def program(plan: Plan, types: Types) -> str:
    """The program's text, which stands below the candidate's."""
    objects = "\n".join(_object(name, list(kin(plan)), own) for name, own in kin(plan).items())
    through = "\n".join(text for of in types.all.values() for text in _through(types, of))
    calls = "".join(_case(plan, n, *one) for n, one in enumerate(_calls(plan)))
    return f"{HEAD}{_CODEC}{_OBJECTS}{objects}{through}{calling(calls)}{MAIN}{_SETTLE}"


def _object(name: str, all_names: list[str], own: Collection[str]) -> str:
    """What finds an object of a class, and what keeps a value of it."""
    ways = " ".join(f"case {all_names.index(one)}: return tdgen_as<{name}, {one}>(found.held.get());" for one in own)
    kept = f"tdgen_keep({all_names.index(name)}, std::make_shared<{name}>(std::forward<T>(value)))"
    return (
        f"static {name}& tdgen_read_{name}() {{\n    auto& found = tdgen_find();\n"
        f"    switch (found.kind) {{ {ways} }}\n    _exit(64);\n}}\n"
        f"template <class T> static void tdgen_write_{name}(T&& value) {{ tdgen_write_int({kept}); }}\n"
    )


def _through(types: Types, of: Shape) -> Iterator[str]:
    """What reads and what writes a value of a type that is made of others."""
    kind, name, parts = of[0], tag(of), types.parts(of)
    if kind == "object" or (not parts and kind != "record"):
        return
    filled = ""
    if kind in ("list", "set", "dict"):
        one = "value.{}(tdgen_read_{}());".format("push_back" if kind == "list" else "insert", tag(of[1]))
        if kind == "dict":
            one = f"auto key = tdgen_read_{tag(of[1])}(); value.emplace(std::move(key), tdgen_read_{tag(of[2])}());"
        reads = f"for (auto n = tdgen_read_int(); n > 0; n--) {{ {one} }}"
        each = f"tdgen_write_{tag(of[1])}({'one.first' if kind == 'dict' else 'one'});"
        each += f" tdgen_write_{tag(of[2])}(one.second);" if kind == "dict" else ""
        writes = f"tdgen_write_int(static_cast<std::int64_t>(value.size())); for (const auto& one : value) {{ {each} }}"
    elif kind == "maybe":
        reads = f"if (tdgen_read_bool()) value.emplace(tdgen_read_{tag(of[1])}());"
        writes = f"tdgen_write_bool(value.has_value()); if (value) tdgen_write_{tag(of[1])}(*value);"
    else:
        place = {key: f"std::get<{n}>(value)" if kind == "tuple" else f"value.{key}" for n, key in enumerate(parts)}
        filled = ", ".join(f"tdgen_read_{tag(part)}()" for part in parts.values())
        reads = ""
        writes = " ".join(f"tdgen_write_{tag(part)}({place[key]});" for key, part in parts.items())
    yield f"static {cpp_type(of)} tdgen_read_{name}() {{ {cpp_type(of)} value{{{filled}}}; {reads} return value; }}"
    yield f"static void tdgen_write_{name}(const {cpp_type(of)}& value) {{ {writes} }}"


def _calls(plan: Plan) -> Iterator[tuple[str, FunctionSpec, str]]:
    """All that is called, in order: its kind, its contract, and the statement that makes the call and tells of it."""
    for spec in plan.functions:
        if not spec.interface:
            yield "function", spec, _written(spec, plan, f"{spec.name}({_given(spec)})")
        for one in members(spec, plan):
            yield one.kind, one.spec, _of_member(one, plan)


def _of_member(member: Member, plan: Plan) -> str:
    owner, rest = member.owner, _given(member.spec, 1)
    match member.kind:
        case "new":
            kind = list(kin(plan)).index(owner)
            return f"tdgen_write_int(tdgen_keep({kind}, std::make_shared<{owner}>({_given(member.spec)})));"
        case "write":
            return f"given0.{member.name} = given1;"
        case "read":
            call = f"given0.{member.name}"
        case "static":
            call = f"{owner}::{member.name}({_given(member.spec)})"
        case _:
            call = f"given0.{member.name}({rest})"
    if member.is_itself:
        other = 'tdgen_tell(0, "NotItself", "it gives back another object than itself");'
        return f"if (std::addressof({call}) == std::addressof(given0)) tdgen_write_int(itself); else {other}"
    return _written(member.spec, plan, call)


def _given(spec: FunctionSpec, first: int = 0) -> str:
    return ", ".join(f"given{n}" for n in range(first, len(parameters(spec))))


def _written(spec: FunctionSpec, plan: Plan, call: str) -> str:
    returns = returned(spec, plan)
    return f"{call};" if returns == ["none"] else f"tdgen_write_{tag(returns)}({call});"


def _case(plan: Plan, number: int, kind: str, spec: FunctionSpec, call: str) -> str:
    """The case of one call: its arguments read, the call made, and what came of it told."""
    shapes_given = given(spec, plan)
    lines = [
        "[[maybe_unused]] std::int64_t itself = std::strtoll(tdgen_in, nullptr, 10);",
        *(
            f"{cpp_type(of)}{'&' * (of[0] == 'object')} given{n} = tdgen_read_{tag(of)}();"
            for n, of in enumerate(shapes_given)
        ),
        f"tdgen_reads = {str(kind in ('get', 'read')).lower()};",
        f"try {{ {call} }}",
        *_catches(plan),
        *(f"tdgen_write_{tag(of)}(given{n});" for n, of in enumerate(shapes_given) if changed(spec, plan)[n]),
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
