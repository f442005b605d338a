"""C++ that does its worst, also what no answer may hold: it forges nothing, ends, and says nothing of another case."""

from __future__ import annotations

import pytest

from tdgen.languages.cpp import Cpp
from tdgen.specs.declarations import declare_types
from tdgen.types import FunctionSpec, Parameter, Plan, Returns
from tests.languages.conftest import outcomes

PLAN = Plan(
    module="kit",
    functions=(
        FunctionSpec(name="f", purpose="", parameters=(Parameter(name="x", type="int"),), returns=Returns(type="int")),
    ),
)
HEADS = f'#define COMPILER "{Cpp().tools.path}"\n'
HEADS += "#include <csetjmp>\n#include <csignal>\n#include <fcntl.h>\n#include <sys/mman.h>\n#include <unistd.h>\n"
ABOVE = """static std::jmp_buf f_place;
struct f_Bad { int* p = new int(5); ~f_Bad() noexcept(false) { delete p; throw 1; } };
static void f_handler(int) { _exit(0); }
struct f_Base { virtual ~f_Base() = default; virtual std::int64_t value() = 0; };
"""
HOSTILE = {
    "ends the process": ("std::exit(0);", "died"),
    "ends it at once": ("_exit(0);", "died"),
    "ends it with what was registered": ("std::atexit([] { _exit(0); }); std::exit(0);", "died"),
    "tells a result without the nonce": ('write(3, "R1\\n", 3); _exit(0);', "died"),
    "answers in the harness's place": ('write(4, "0\\n", 2); _exit(0);', "died"),
    "kills itself": ("kill(getpid(), SIGKILL);", "died"),
    "takes an abort for an end": ("std::signal(SIGABRT, f_handler); std::abort();", "died"),
    "ends when terminated": ("std::set_terminate([] { _exit(0); }); [] () noexcept { throw 1; }();", "died"),
    "lets nothing out": ('[] () noexcept { throw std::runtime_error("late"); }();', "terminate called after throwing"),
    "throws while it unwinds": ("try { f_Bad a; f_Bad b; } catch (...) {} return 1;", "terminate called"),
    "jumps over destructors": (
        "if (setjmp(f_place) == 0) { std::vector<int> v(100); longjmp(f_place, 1); } return 1;",
        "memory is lost: 400 bytes",
    ),
    "overflows": ("return std::numeric_limits<std::int64_t>::max() + x;", "signed integer overflow"),
    "shifts too far": ("return std::int64_t{1} << (x + 63);", "shift exponent 64"),
    "reads beyond a vector": ("std::vector<int> v(3); return v[x + 2];", "Assertion '__n < this->size()' failed"),
    "reads beyond its memory": ("std::vector<int> v(3); return v.data()[x + 2];", "heap-buffer-overflow"),
    "uses an iterator that is gone": (
        "std::vector<int> v{1}; auto i = v.begin(); v.resize(1000); return *i;",
        "heap-use-after-free",
    ),
    "looks at what is gone": (
        "std::string_view s; { std::string t(100, 'a'); s = t; } return s[static_cast<std::size_t>(x)];",
        "heap-use-after-free",
    ),
    "takes nothing for something": ("std::optional<int> o; return *o;", "Assertion 'this->_M_is_engaged()' failed"),
    "calls what is not there": ("f_Base* b = nullptr; return b->value();", "null pointer"),
    "frees twice": ("int* p = new int; delete p; delete p; return 1;", "double-free"),
    "frees as what it is not": ("int* p = new int[3]; delete p; return 1;", "alloc-dealloc-mismatch"),
    "loses memory": ("int* volatile p = new int[25]; return p != nullptr;", "memory is lost: 100 bytes"),
    "recurses for ever": ("volatile std::int64_t y = n; return f(y) + y;", "stack-overflow"),
    "looks for files": ('return open("/etc/passwd", O_RDONLY) + open("/proc/1/mem", O_RDWR);', "returned -2"),
    "looks into who asks": (
        'return open(("/proc/" + std::to_string(getppid()) + "/mem").c_str(), O_RDWR);',
        "returned -1",
    ),
    "has a library loaded": (
        'setenv("LD_PRELOAD", "/tmp/x.so", 1); execl(COMPILER, COMPILER, nullptr); return 7;',
        "died",
    ),
    "leaves a process behind": ("if (fork() == 0) for (;;) pause(); return x;", "returned 1"),
    "forges in assembly": ('asm volatile("syscall" :: "a"(231), "D"(0)); return 1;', "died"),
}
DEADLY = {
    "never ends": "for (volatile unsigned n = 0;; n = n + 1);",
    "takes all memory": "for (std::vector<std::string> v;;) v.emplace_back(1 << 20, 'a');",
    "maps all memory": "for (;;) memset(mmap(0, 1 << 24, 3, 34, -1, 0), 1, 1 << 24);",
    "forks without end": "for (;;) fork();",
}


def seen(sandbox, source: str, *calls: str, wall_s: float = 60.0, **limits: float) -> list[str]:
    return outcomes(sandbox, Cpp().module(PLAN, {"f": source}, declare_types(PLAN)), calls, wall_s=wall_s, **limits)


def f(body: str) -> str:
    return f"{HEADS}std::int64_t f(std::int64_t x) {{ {body} }}"


@pytest.fixture(scope="module")
def attacked(gpp_sandbox) -> dict[str, str]:
    """What came of each attack, all in one program: it is compiled anew only after one that ended its process."""
    bodies = "".join(f"        case {n}: {{ {body} break; }}\n" for n, (body, _) in enumerate(HOSTILE.values()))
    choosing = f"    std::int64_t n = x;\n    x = 1;\n    switch (n) {{\n{bodies}    }}\n    return n;\n"
    source = f"{HEADS}{ABOVE}std::int64_t f(std::int64_t x) {{\n{choosing}}}"
    found = seen(gpp_sandbox, source, *(f"f({n})" for n in range(len(HOSTILE))), "f(99)")
    return dict(zip([*HOSTILE, "none"], found, strict=True))


@pytest.mark.parametrize("name", HOSTILE)
def test_what_it_tries_is_no_answer(attacked, name):
    """Each ends as what it is, with the sanitizer's word where there is one; the one behind all of them is run."""
    assert HOSTILE[name][1] in attacked[name]
    assert attacked["none"] == "returned 99"


@pytest.fixture(scope="module")
def deadly(gpp_sandbox) -> dict[str, str]:
    """What came of each of those, all in one program. The clock ends forks: each has its own time of a processor."""
    bodies = "".join(f"if (x == {n}) {{ {body} }} " for n, body in enumerate(DEADLY.values()))
    source, forks = f(f"{bodies}return 0;"), [*DEADLY].index("forks without end")
    found = seen(gpp_sandbox, source, *(f"f({n})" for n in range(forks)), cpu_s=4.0)
    return dict(zip(DEADLY, [*found, *seen(gpp_sandbox, source, f"f({forks})", wall_s=2.0, cpu_s=4.0)], strict=True))


@pytest.mark.parametrize("name", DEADLY)
def test_what_does_not_end_is_ended(deadly, name):
    """It is a timeout or a death, never an answer."""
    assert deadly[name].startswith(("no result within", "died", "raised undefined"))


@pytest.mark.parametrize(
    "early",
    [
        "__attribute__((constructor)) static void f_a() { _exit(0); }",
        'static const int f_a = [] { write(4, "0\\n0\\n0\\n", 6); return 1; }();',
    ],
)
def test_what_runs_before_main_forges_nothing(gpp_sandbox, early):
    """A constructor or an initialiser that ends with 0, or answers before it is asked, is a death."""
    (attacked,) = seen(gpp_sandbox, f"{HEADS}{early}\nstd::int64_t f(std::int64_t x) {{ return 5; }}", "f(1)")
    assert attacked.startswith("died")


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ('#include "nowhere.h"\nstd::int64_t f(std::int64_t x) { return x; }', "nowhere.h"),
        ("std::int64_t f(std::int64_t x) { return tdgen_in[x]; }", "was not declared | undeclared identifier"),
        (
            "template <int N> struct f_A : f_A<N + 1> {};\n"
            "std::int64_t f(std::int64_t x) { return sizeof(f_A<0>) + x; }",
            "template instantiation depth | template instantiation exceeded maximum depth",
        ),
        (
            "constexpr int f_a(int n) { return n ? f_a(n) : 0; }\nconstexpr int f_b = f_a(1);\n"
            "std::int64_t f(std::int64_t x) { return x + f_b; }",
            "evaluation depth exceeds | must be initialized by a constant expression",
        ),
        ("std::int64_t f(int x) { return x; }", "f(long)'"),
        ("std::int64_t f(std::int64_t& x) { return x; }", "its head is to be the contract's"),
    ],
)
def test_what_the_compiler_says_is_the_failure(gpp_sandbox, source, told):
    """A header that is not there, the harness's names, templates and constants without end, another head."""
    (attacked,) = seen(gpp_sandbox, source, "f(1)")
    assert "CompileError" in attacked
    assert any(word in attacked for word in told.split(" | "))


@pytest.mark.parametrize(
    "source",
    [
        '#include "/dev/urandom"\n' + f("return x;"),
        "constexpr long f_a() { long s = 0; for (long i = 0; i < 1L << 60; i++) s += i; return s; }\n"
        f"constexpr long f_b = f_a();\n{f('return x + f_b;')}",
    ],
)
def test_what_makes_the_compiler_run_for_ever_is_ended(gpp_sandbox, source):
    """An include that has no end, and a constant that takes years."""
    is_read = Cpp().tools.is_clang and "urandom" in source  # clang takes it for an empty file
    assert ("returned 1" if is_read else "CompileError") in seen(gpp_sandbox, source, "f(1)", cpu_s=1.0)[0]


def test_one_case_leaves_nothing_to_the_next(gpp_sandbox):
    """Each call is made in a process of its own, also where operator new is another's."""
    counting = (
        "#include <new>\nstatic std::int64_t f_count;\n"
        "void* operator new(std::size_t n) { return std::malloc(n); }\n"
        "void operator delete(void* p) noexcept { std::free(p); }\n"
        "void operator delete(void* p, std::size_t) noexcept { std::free(p); }\n"
        "std::int64_t f(std::int64_t x) { f_count += x; return f_count; }"
    )
    assert seen(gpp_sandbox, counting, "f(1)", "f(1)", "f(5)") == ["returned 1", "returned 1", "returned 5"]


def test_what_kills_who_serves_it_is_served_no_more(gpp_sandbox):
    """What it gave in time is what it gave; nothing is forged, and it comes to an end."""
    told = seen(gpp_sandbox, f("kill(getppid(), SIGKILL); return x;"), "f(5)", "f(6)")
    assert all(one.startswith("died") or one == f"returned {n}" for n, one in enumerate(told, start=5))
