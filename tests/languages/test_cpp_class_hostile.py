"""Classes in C++ that do their worst: in constructors, destructors, copies and tables of virtual functions."""

from __future__ import annotations

import pytest

from tdgen.languages.cpp import Cpp
from tdgen.types import Plan
from tests.languages.conftest import outcomes
from tests.languages.test_cpp_classes import unit

PLAN = Plan(
    module="kit",
    functions=(
        unit(
            "Bag",
            "def __init__(self, n: int)",
            "def run(self) -> int",
            "def me(self) -> Self",
            "def all(self) -> list[Bag]",
            "property def size(self) -> int",
        ),
    ),
)
HOSTILE = {
    "ends the process as it is made": ("made", "exit(0);", "Bag({}).run()", "died"),
    "ends it at once as it is made": ("made", "_exit(0);", "Bag({}).run()", "died"),
    "answers as it is made": ("made", 'write(4, "0\\n0\\n", 4); _exit(0);', "Bag({}).run()", "died"),
    "tells a result without the nonce": ("made", 'write(3, "R7\\n", 3); _exit(0);', "Bag({}).run()", "died"),
    "throws as it is made": ("made", 'throw ValueError("no");', "Bag({})", "raised ValueError: no"),
    "throws what is none": ("made", "throw 7;", "Bag({})", "a thrown value that is no std::exception"),
    "loses memory as it is made": ("made", "new int[5];", "Bag({})", "memory is lost: 20 bytes"),
    "loses memory as it fails": ("made", 'new int[5]; throw ValueError("no");', "Bag({})", "memory is lost: 20 bytes"),
    "leaves a process behind": ("made", "if (fork() == 0) for (;;) pause();", "Bag({}).run()", "returned 1"),
    "ends the process as it ends": ("ended", "_exit(0);", "Bag({}).run()", "died"),
    "answers as it ends": ("ended", 'write(4, "0\\n", 2);', "Bag({}).run()", "died"),
    "throws as it ends": ("ended", "throw 7;", "Bag({}).run()", "terminate called"),
    "frees twice as it ends": ("ended", "delete[] p; delete[] p;", "Bag({}).run()", "double-free"),
    "kills itself as it ends": ("ended", "kill(getpid(), SIGKILL);", "Bag({}).run()", "died"),
    "prints as it ends": ("ended", 'std::cout << "returned 9" << std::endl;', "Bag({}).run()", "returned 1"),
    "loses what it held": ("done", "kept = true;", "Bag({}).run()", "memory is lost: 12 bytes"),
    "ends itself": ("done", "delete this; return 1;", "Bag({}).run()", "which was not malloc()-ed"),
    "is ended twice": ("done", "this->~Bag(); return 1;", "Bag({}).run()", "undefined.Sanitizer"),
    "writes beyond itself": (
        "done",
        "reinterpret_cast<char *>(this)[sizeof *this] = 1;",
        "Bag({}).run()",
        "overflow",
    ),
    "has no table": (
        "done",
        "*reinterpret_cast<void **>(this) = nullptr; return hidden();",
        "Bag({}).run()",
        "Sanitizer",
    ),
    "has a table of its own": (
        "done",
        "static void *table[9] = {}; *reinterpret_cast<void **>(this) = table + 2; return hidden();",
        "Bag({}).run()",
        "undefined.Sanitizer",
    ),
    "is another object": ("me", "static Bag other(99); return other;", "Bag({}).me()", "another object than itself"),
    "is another one at the same address": ("me", "return *new Bag(99);", "Bag({}).me()", "undefined.Sanitizer"),
    "is nothing": ("me", "Bag *none = nullptr; return *none;", "Bag({}).me()", "null pointer"),
    "throws as it is copied": ("copied", 'throw ValueError("copy");', "Bag({}).all()", "raised ValueError: copy"),
    "ends the process as it is copied": ("copied", "_exit(0);", "Bag({}).all()", "died"),
}


def bag(above: str = "", **bodies: str) -> str:
    """A class that does these things at those places."""
    body = {key: bodies.get(key, "") for key in ("made", "ended", "done", "me", "copied")}
    return f"""#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
{above}
class Bag {{
public:
    explicit Bag(std::int64_t n) : n(n) {{ {body["made"]} p = new int[3]; }}
    Bag(const Bag& other) : n(other.n) {{ {body["copied"]} p = new int[3]; }}
    virtual ~Bag() noexcept(false) {{ {body["ended"]} if (!kept) delete[] p; }}
    std::int64_t run() {{ {body["done"]} return 1; }}
    virtual std::int64_t hidden() {{ return 5; }}
    Bag& me() {{ {body["me"]} return *this; }}
    Bag* operator&() {{ return nullptr; }}
    std::vector<Bag> all() {{ return std::vector<Bag>(1, *this); }}
    std::int64_t size() const {{ return n; }}
private:
    std::int64_t n;
    int *p = nullptr;
    bool kept = false;
}};"""


@pytest.fixture(scope="module")
def attacked(gpp_sandbox) -> dict[str, str]:
    """What came of each attack, all in one program: which of them is tried is the number that the object is made of."""
    places: dict[str, str] = {}
    for number, (place, body, _, _) in enumerate(HOSTILE.values()):
        places[place] = f"{places.get(place, '')}if (n == {number}) {{ {body} }} "
    module = Cpp().module(PLAN, {"Bag": bag(**places)}, "")
    calls = [call.format(n) for n, (_, _, call, _) in enumerate(HOSTILE.values())]
    found = outcomes(gpp_sandbox, module, [*calls, "Bag(77).run()"], wall_s=60)
    return dict(zip([*HOSTILE, "none"], found, strict=True))


@pytest.mark.parametrize("name", HOSTILE)
def test_what_it_tries_is_no_answer(attacked, name):
    """Each ends as what it is, with the sanitizer's word where there is one; the one behind all of them is run."""
    assert HOSTILE[name][3] in attacked[name]
    assert attacked["none"] == "returned 1"


def test_what_does_not_end_is_ended(gpp_sandbox):
    """A constructor and a destructor that never end are no answer."""
    made, ended = (f"if (n == {n}) for (volatile unsigned k = 0;; k = k + 1);" for n in (1, 2))
    module = Cpp().module(PLAN, {"Bag": bag(made=made, ended=ended)}, "")
    calls = ["Bag(1).run()", "Bag(2).run()", "Bag(3).run()"]
    *endless, after = outcomes(gpp_sandbox, module, calls, wall_s=60, cpu_s=4.0)
    assert all(told.startswith("no result within") or "undefined.Timeout" in told for told in endless), endless
    assert after == "returned 1"


def test_what_objects_share_is_gone_with_the_case(gpp_sandbox):
    """A static object is made before the first case and never ended in one; what a class counts begins anew in each."""
    above = (
        "static std::int64_t Bag_count;\n"
        'static struct Bag_Early { ~Bag_Early() { write(3, "R9\\n", 3); write(4, "0\\n", 2); } } Bag_early;'
    )
    module = Cpp().module(PLAN, {"Bag": bag(above, made="Bag_count++;", done="return Bag_count;")}, "")
    told = outcomes(gpp_sandbox, module, ["(Bag(1), Bag(2))[0].run()", "Bag(1).run()"], wall_s=60)
    assert told == ["returned 2", "returned 1"]
