"""The program that a candidate is compiled into: it reads calls, and makes each of them in a fork of itself.

All values are read and written by their types. What is told goes to descriptor 3, begins with the call's nonce, and is
written once, after the call and after what it gave was freed: where memory is left over then, that is told instead. How
the fork ended goes to descriptor 4. It is killed where it holds more than half a gigabyte.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tdgen.languages import shapes
from tdgen.languages.c.declaring import Types, c_type, plain, tag
from tdgen.languages.shapes import Shape
from tdgen.types import FunctionSpec, Plan

_HEAD: Final = """
#include <inttypes.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define TDGEN_MOST_PAGES 131072
size_t __sanitizer_get_current_allocated_bytes(void);

static char *tdgen_in, *tdgen_told;
static size_t tdgen_size, tdgen_room;

static void tdgen_say(const char *text, size_t length) {
    while (tdgen_size + length > tdgen_room) {
        tdgen_room = tdgen_room ? 2 * tdgen_room : 65536;
        tdgen_told = realloc(tdgen_told, tdgen_room);
    }
    memcpy(tdgen_told + tdgen_size, text, length);
    tdgen_size += length;
}
static void tdgen_say_text(const char *text) { tdgen_say(text, strlen(text)); }
static int64_t tdgen_read_int(void) { int64_t found = strtoll(tdgen_in, &tdgen_in, 10); tdgen_in++; return found; }
static double tdgen_read_float(void) { double found = strtod(tdgen_in, &tdgen_in); tdgen_in++; return found; }
static bool tdgen_read_bool(void) { return tdgen_read_int() != 0; }
static uint8_t tdgen_read_byte(void) { return (uint8_t)tdgen_read_int(); }
static char *tdgen_read_str(void) {
    size_t length = (size_t)tdgen_read_int();
    char *text = malloc(length + 1);
    memcpy(text, tdgen_in, length);
    text[length] = 0;
    tdgen_in += length;
    return text;
}
static char *tdgen_read_maybe_str(void) { return tdgen_read_bool() ? tdgen_read_str() : NULL; }
static void tdgen_write_int(int64_t value) {
    char text[32];
    tdgen_say(text, (size_t)snprintf(text, sizeof text, "%" PRId64 "\\n", value));
}
static void tdgen_write_float(double value) {
    char text[64];
    tdgen_say(text, (size_t)snprintf(text, sizeof text, "%a\\n", value));
}
static void tdgen_write_bool(bool value) { tdgen_write_int(value); }
static void tdgen_write_byte(uint8_t value) { tdgen_write_int(value); }
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
_MAIN: Final = """
static char *tdgen_take(void) {
    size_t size = 0, got = 0;
    char digit;
    while (read(0, &digit, 1) == 1 && digit != '\\n') size = 10 * size + (size_t)(digit - '0');
    char *all = size ? malloc(size + 1) : NULL;
    while (got < size) {
        ssize_t more = read(0, all + got, size - got);
        if (more <= 0) _exit(0);
        got += (size_t)more;
    }
    if (all) all[size] = 0;
    return all;
}
static void tdgen_make_call(char *all) {
    static char printed[1 << 16];
    char nonce[33] = "";
    setvbuf(stdout, printed, _IOFBF, sizeof printed);
    memcpy(nonce, all, 32);
    memset(all, '-', 32);
    tdgen_in = all + 33;
    int64_t number = tdgen_read_int();
    tdgen_say("R", 1);
    size_t left = 0;
    switch (number) {
%s    default: _exit(64);
    }
    fflush(stdout);
    if (left > 0) {
        tdgen_size = 0;
        tdgen_say("L", 1);
        tdgen_write_int((int64_t)left);
    }
    if (write(3, nonce, 32) != 32) _exit(65);
    for (size_t sent = 0; sent < tdgen_size;) {
        ssize_t done = write(3, tdgen_told + sent, tdgen_size - sent);
        if (done < 0) _exit(65);
        sent += (size_t)done;
    }
    _exit(0);
}
static int tdgen_wait(pid_t child) {
    char name[64], text[64];
    snprintf(name, sizeof name, "/proc/%%d/statm", (int)child);
    for (int turn = 1;; turn++) {
        int status;
        if (waitpid(child, &status, WNOHANG) == child) return status;
        usleep(turn < 50 ? 100 : 2000);
        int file = turn %% 25 ? -1 : open(name, O_RDONLY);
        if (file < 0) continue;
        ssize_t got = read(file, text, sizeof text - 1);
        close(file);
        text[got > 0 ? got : 0] = 0;
        char *resident = strchr(text, ' ');
        if (resident && atol(resident) > TDGEN_MOST_PAGES) kill(child, SIGKILL);
    }
}
int main(void) {
    for (;;) {
        char *all = tdgen_take();
        if (!all) return 0;
        pid_t child = fork();
        if (child == 0) {
            close(0);
            close(4);
            tdgen_make_call(all);
        }
        free(all);
        char told[32];
        int size = snprintf(told, sizeof told, "%%d\\n", child < 0 ? 1 : tdgen_wait(child));
        if (write(4, told, (size_t)size) != size) return 66;
    }
}
"""


def program(plan: Plan, types: Types) -> str:
    """The program's text, which stands below the candidate's."""
    through = "\n".join(text for of in types.all.values() for text in _through(types, of))
    return _HEAD + through + _MAIN % "".join(_call(types, plan, n, spec) for n, spec in enumerate(plan.functions))


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
    real = [one for one in spec.parameters if one.name != "*"]
    given = [plain(shapes.shape(one.type, plan)) for one in real]
    returns = plain(shapes.shape(spec.returns.type, plan))
    lines = [f"{c_type(of)} given{n} = tdgen_read_{tag(of)}();" for n, of in enumerate(given)]
    names = [f"given{n}" for n in range(len(given))]
    if spec.raises:
        lines.append("failure error = {NO_FAILURE, {0}};")
        names.append("&error")
    lines.append("size_t before = __sanitizer_get_current_allocated_bytes();")
    call = f"{spec.name}({', '.join(names)})"
    lines.append(f"{call};" if returns == ["none"] else f"{c_type(returns)} result = {call};")
    lines.append("size_t held = __sanitizer_get_current_allocated_bytes();")
    write = "" if returns == ["none"] else f"tdgen_write_{tag(returns)}(result);"
    if spec.raises:
        tell = 'tdgen_size = 0; tdgen_say("E", 1); tdgen_write_int(error.kind); tdgen_write_str(error.message);'
        write = f"if (error.kind != NO_FAILURE) {{ {tell} }} else {{ {write} }}"
    lines.append(f"size_t telling = __sanitizer_get_current_allocated_bytes(); {write}")
    lines.append("telling = __sanitizer_get_current_allocated_bytes() - telling;")
    free = types.freed(returns, "result") if returns != ["none"] else ""
    lines.append(f"if (error.kind == NO_FAILURE) {{ {free}}}" if spec.raises and free else free)
    lines.append("size_t after = __sanitizer_get_current_allocated_bytes() - telling;")
    lines.append("if (after > before && held > before) left = after - before;")
    lines += [types.freed(of, f"given{n}") for n, of in enumerate(given)]
    return (
        f"    case {number}: {{\n" + "".join(f"        {line}\n" for line in lines if line) + "        break;\n    }\n"
    )
