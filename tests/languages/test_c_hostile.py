"""C that does its worst, also what no answer may hold: it forges nothing, ends, and says nothing of another case."""

from __future__ import annotations

import pytest

from tdgen.languages.c import C
from tdgen.specs.declarations import declare_types
from tdgen.types import FunctionSpec, Parameter, Plan, Returns
from tests.languages.conftest import outcomes

PLAN = Plan(
    module="kit",
    functions=(
        FunctionSpec(name="f", purpose="", parameters=(Parameter(name="x", type="int"),), returns=Returns(type="int")),
        FunctionSpec(name="g", purpose="", parameters=(Parameter(name="x", type="str"),), returns=Returns(type="str")),
    ),
)
G = "char *g(const char *x) { return strdup(x); }"
HEADS = "#include <fcntl.h>\n#include <unistd.h>\n#include <signal.h>\n#include <sys/mman.h>\n"
FILLED = "returned -72340172838076674 | returned -6148914691236517206"  # gcc's and clang's pattern
HOSTILE = {
    "ends the process": ("exit(0);", "died"),
    "ends it at once": ("_exit(0);", "died"),
    "tells a result without the nonce": ('write(3, "R1\\n", 3); _exit(0);', "died"),
    "answers in the harness's place": ('write(4, "0\\n", 2); _exit(0);', "died"),
    "aborts": ("abort();", "died"),
    "kills itself": ("kill(getpid(), SIGKILL);", "died"),
    "divides by zero": ("return 1 / (x - 1);", "division by zero"),
    "overflows": ("return 9223372036854775807 + x;", "signed integer overflow"),
    "writes beyond an array": ("int64_t a[2] = {0}; a[x + 4] = 1; return a[0];", "out of bounds"),
    "uses what it freed": ("int64_t *p = malloc(8); free(p); return *p;", "heap-use-after-free"),
    "frees twice": ("void *volatile p = malloc(8); free(p); free(p); return 1;", "double-free"),
    "gives what it did not always set": ("int64_t s; if (n < 0) s = 0; return s;", FILLED),
    "loses memory": ("char *p = malloc(100); return p != NULL;", "memory is lost: 100 bytes"),
    "recurses for ever": ("volatile int64_t y = n; return f(y) + y;", "stack-overflow"),
    "looks for files": ('return open("/etc/passwd", O_RDONLY) + open("/proc/1/mem", O_RDWR);', "returned -2"),
    "looks into who asks": (
        'char n[40]; sprintf(n, "/proc/%d/mem", getppid()); return open(n, O_RDWR);',
        "returned -1",
    ),
    "leaves a process behind": ("if (fork() == 0) for (;;) pause(); return x;", "returned 1"),
}
DEADLY = {
    "never ends": "for (volatile unsigned n = 0;; n++);",
    "takes all memory": "for (;;) { char *p = malloc(1 << 20); memset(p, 1, 1 << 20); }",
    "maps all memory": "for (;;) memset(mmap(0, 1 << 24, 3, 34, -1, 0), 1, 1 << 24);",
    "forks without end": "for (;;) fork();",
}


def seen(sandbox, source: str, *calls: str, wall_s: float = 60.0, **limits: float) -> list[str]:
    module = C().module(PLAN, {"g": G, "f": source}, declare_types(PLAN))
    return outcomes(sandbox, module, calls, wall_s=wall_s, **limits)


@pytest.fixture(scope="module")
def attacked(gcc_sandbox) -> dict[str, str]:
    """What came of each attack, all in one program: it is compiled anew only after one that ended its process."""
    bodies = "".join(f"        case {n}: {{ {body} break; }}\n" for n, (body, _) in enumerate(HOSTILE.values()))
    choosing = f"    int64_t n = x;\n    x = 1;\n    switch (n) {{\n{bodies}    }}\n    return n;\n"
    source = f"{HEADS}int64_t f(int64_t x) {{\n{choosing}}}"
    found = seen(gcc_sandbox, source, *(f"f({n})" for n in range(len(HOSTILE))), "f(99)")
    return dict(zip([*HOSTILE, "none"], found, strict=True))


@pytest.mark.parametrize("name", HOSTILE)
def test_what_it_tries_is_no_answer(attacked, name):
    """Each ends as what it is, with the sanitizer's word where there is one; the one behind all of them is run."""
    assert any(word in attacked[name] for word in HOSTILE[name][1].split(" | "))
    assert " 0x" not in attacked[name]  # it differs from run to run, and so would what is asked about it
    assert attacked["none"] == "returned 99"


def test_the_harness_is_out_of_its_names(gcc_sandbox):
    """It stands below the code: nothing of it can be named there, the nonce's place neither."""
    reading = f"{HEADS}int64_t f(int64_t x) {{ write(3, tdgen_in - 40, 32); _exit(0); }}"
    assert "undeclared" in seen(gcc_sandbox, reading, "f(1)")[0]


@pytest.fixture(scope="module")
def deadly(gcc_sandbox) -> dict[str, str]:
    """What came of each of those, all in one program. The clock ends forks: each has its own time of a processor."""
    bodies = "".join(f"if (x == {n}) {{ {body} }} " for n, body in enumerate(DEADLY.values()))
    source, forks = f"{HEADS}int64_t f(int64_t x) {{ {bodies}return 0; }}", [*DEADLY].index("forks without end")
    found = seen(gcc_sandbox, source, *(f"f({n})" for n in range(forks)), cpu_s=2.0)
    return dict(zip(DEADLY, [*found, *seen(gcc_sandbox, source, f"f({forks})", wall_s=1.0, cpu_s=2.0)], strict=True))


@pytest.mark.parametrize("name", DEADLY)
def test_what_does_not_end_is_ended(deadly, name):
    """It is a timeout or a death, never an answer."""
    assert deadly[name].startswith(("no result within", "died", "raised undefined"))


def test_what_runs_before_main_forges_nothing(gcc_sandbox):
    """A constructor that ends with 0, or answers before it is asked, is a death."""
    for body in ("_exit(0);", 'write(4, "0\\n0\\n0\\n", 6);'):
        early = f"__attribute__((constructor)) static void f_a(void) {{ {body} }}\n"
        (attacked,) = seen(gcc_sandbox, f"{HEADS}{early}int64_t f(int64_t x) {{ return 5; }}", "f(1)")
        assert attacked.startswith("died")


def test_what_makes_the_compiler_run_for_ever_is_ended(gcc_sandbox):
    """An include that has no end, which clang takes for an empty one, and one of a file that is not there."""
    endless = '#include "/dev/urandom"\nint64_t f(int64_t x) { return x; }'
    assert ("returned 1" if C().tools.is_clang else "CompileError") in seen(gcc_sandbox, endless, "f(1)", cpu_s=1.0)[0]
    missing = '#include "nowhere.h"\nint64_t f(int64_t x) { return x; }'
    assert "nowhere.h" in seen(gcc_sandbox, missing, "f(1)")[0]


def test_one_case_leaves_nothing_to_the_next(gcc_sandbox):
    """Each call is made in a process of its own."""
    counting = "static int64_t f_count; int64_t f(int64_t x) { f_count += x; return f_count; }"
    assert seen(gcc_sandbox, counting, "f(1)", "f(1)", "f(5)") == ["returned 1", "returned 1", "returned 5"]


def test_what_kills_who_serves_it_is_served_no_more(gcc_sandbox):
    """What it gave in time is what it gave; nothing is forged, and it comes to an end."""
    told = seen(gcc_sandbox, f"{HEADS}int64_t f(int64_t x) {{ kill(getppid(), SIGKILL); return x; }}", "f(5)", "f(6)")
    assert all(one.startswith("died") or one == f"returned {n}" for n, one in enumerate(told, start=5))
