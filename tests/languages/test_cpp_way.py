"""The whole way in C++: red first, compiled with sanitizers, judged, exported."""

from __future__ import annotations

import pytest

from tdgen.errors import PlanError
from tdgen.languages.c import C
from tdgen.languages.cpp import Cpp
from tdgen.specs.declarations import declare_types
from tdgen.types import FunctionSpec, Parameter, Plan, Raises, Returns, SharedType
from tests.languages import conftest
from tests.languages.conftest import outcomes, told_of, total, value_of
from tests.scripted import with_answer

TOTAL = """// The sum of the numbers; throws where there are none.
std::int64_t total(const std::vector<std::int64_t>& numbers, std::int64_t start) {
    if (numbers.empty()) throw ValueError("no numbers");
    std::int64_t sum = start;
    for (std::size_t n = 0; n < numbers.size(); n++) sum += numbers[n];
    return sum;
}"""
ITEM = SharedType.model_validate(
    {
        "name": "Item",
        "kind": "dataclass",
        "fields": [{"name": "name", "type": "str"}, {"name": "price", "type": "float | None", "default": "None"}],
    }
)
CLOCK_ERROR = SharedType.model_validate(
    {"name": "ClockError", "kind": "exception", "base": "ValueError", "fields": [{"name": "place", "type": "int"}]}
)


def spec(name, returns, *parameters, raises=()):
    return FunctionSpec(
        name=name,
        purpose="",
        parameters=tuple(Parameter(name=key, type=of, default=default) for key, of, default in parameters),
        returns=Returns(type=returns),
        raises=tuple(Raises(type=one, when="") for one in raises),
    )


PLAN = Plan(
    module="kit",
    types=(ITEM, CLOCK_ERROR),
    functions=(
        spec("same", "tuple[int, float, str, bytes, bool]", ("x", "tuple[int, float, str, bytes, bool]", None)),
        spec("sort_in_place", "None", ("xs", "list[int]", None), ("seen", "dict[str, set[int]]", None)),
        spec("late", "int", ("x", "int", None)),
        spec("dear", "list[Item]", ("items", "list[Item]", None), ("least", "int", "3"), raises=("ClockError",)),
    ),
)
SOURCES = {
    "same": (
        "std::tuple<std::int64_t, double, std::string, std::vector<std::uint8_t>, bool> same(\n"
        "    const std::tuple<std::int64_t, double, std::string, std::vector<std::uint8_t>, bool>& x) { return x; }"
    ),
    "sort_in_place": (
        "void sort_in_place(std::vector<std::int64_t>& xs, std::map<std::string, std::set<std::int64_t>>& seen) {\n"
        '    std::sort(xs.begin(), xs.end());\n    seen["all"].insert(xs.begin(), xs.end());\n}'
    ),
    "late": "std::int64_t late(std::int64_t x) { for (volatile bool on = x == 1; on;) {} return x; }",
    "dear": (
        "std::vector<Item> dear(const std::vector<Item>& items, std::int64_t least) {\n"
        '    if (items.empty()) throw ClockError("none", 7);\n'
        "    static const std::map<std::int64_t, std::int64_t> table{{3, 30}, {4, 40}};\n"
        "    std::vector<Item> found;\n"
        "    for (const auto& one : items)\n"
        "        if (one.price.value_or(0) >= table.at(least)) found.push_back(one);\n"
        "    return found;\n}"
    ),
}


def test_undefined_behaviour_is_a_failure_with_its_report(in_cpp, write, cpp):
    """A read beyond the end may give the right sum: what the library's assertion says goes to the developer."""
    wrong = cpp(
        TOTAL.replace("std::int64_t sum = start;", "std::int64_t sum = start + (numbers[numbers.size()] == 4);")
    )
    solved = in_cpp(total(write, wrong, cpp(TOTAL)))
    result = solved["total"]
    assert (result.outcome, len(result.history)) == ("green", 2)
    assert "Assertion '__n < this->size()' failed" in solved.prompts("repair")[0]
    assert solved.solution.plan.module_file == "kit.cpp"
    assert "The code is written in C++, examples and tests in Python's notation" in solved.prompts("cases")[0]


@pytest.mark.parametrize(
    ("language", "head"),
    [
        (Cpp(), "std::int64_t inner(const std::string& text);"),
        (C(), "int64_t inner(const char *text, failure *error);"),
    ],
)
def test_what_a_function_calls_is_shown_as_it_is_declared(language, head):
    """The developer of a caller sees the head in the language, and not only the contract's in Python."""
    inner = spec("inner", "int", ("text", "str", None), raises=("ValueError",))
    outer = spec("outer", "int", ("text", "str", None)).model_copy(update={"dependencies": ("inner",)})
    plan = Plan(module="kit", functions=(inner, outer))
    assert head in language.rules(outer, plan)
    assert "declared is" not in language.rules(inner, plan)


def test_values_go_there_and_back(gpp_sandbox):
    """Int64's ends, minus zero, NaN and texts with NULs are what they were; what C++ has no counterpart of is told."""
    module = Cpp().module(PLAN, SOURCES, declare_types(PLAN))
    calls = (
        r"same((2**63 - 1, -0.0, 'a\0b', b'\0\xff', True))",
        "same((-2**63, float('nan'), 'é', b'', False))",
        "same((2**63, 1, '', b'', True))",
        r"same((1, 1, '\ud800', b'', True))",
        "(lambda xs, seen: (sort_in_place(xs, seen), xs, seen))([3, 1], {'a': {2}})",
        "dear([Item('b', 30.5), Item('a'), Item('c', 31)])",
        "dear([])",
        "dear([Item('a')], 5)",
    )
    assert outcomes(gpp_sandbox, module, calls, wall_s=30.0) == [
        r"returned (9223372036854775807, -0.0, 'a\x00b', b'\x00\xff', True)",
        "returned (-9223372036854775808, nan, 'é', b'', False)",
        "raised tdgen.languages.bridge.Unwritable: 9223372036854775808 is beyond what 64 bits hold",
        "raised tdgen.languages.bridge.Unwritable: a lone surrogate is no text in UTF-8",
        "returned (None, [1, 3], {'a': {2}, 'all': {1, 3}})",
        "returned [Item(name='b', price=30.5), Item(name='c', price=31.0)]",
        "raised kit.ClockError: none",
        "raised thrown.std::out_of_range: map::at",
    ]


@pytest.mark.timeout(400)  # a program is built without precompiled headers
def test_what_is_written_builds_and_passes_where_tdgen_is_not(in_cpp, solver, write, cpp, gpp_sandbox):
    """Built by the Makefile's command, the module's own tests pass on right code and fail on wrong code."""
    names = write.function(
        "names(counts: dict[str, float], least: int | None = None) -> list[tuple[str, float]]",
        cases=[
            write.returns("names({'a': 1, 'b': 2.5}, 2)", "[('b', 2.5)]"),
            write.returns("names({'a?': float('inf')})", "[('a?', float('inf'))]"),
            write.returns("names({}, 0)", "[]"),
        ],
        tries=[
            cpp(
                "std::vector<std::tuple<std::string, double>> names(\n"
                "    const std::map<std::string, double>& counts, const std::optional<std::int64_t>& least) {\n"
                "    std::vector<std::tuple<std::string, double>> made;\n"
                "    for (const auto& [name, count] : counts)\n"
                "        if (!least || count >= *least) made.emplace_back(name, count);\n"
                "    return made;\n}"
            )
        ],
    )
    solved = in_cpp(total(write, cpp(TOTAL)), names)
    assert [result.outcome for result in solved.solution.results] == ["green", "green"]
    files = solved.solution.files()
    assert set(files) == {"kit.cpp", "kit.hpp", "test_kit.cpp", "Makefile"}
    assert "std::int64_t start = INT64_C(0));" in files["kit.hpp"]
    wrong = {**files, "kit.cpp": files["kit.cpp"].replace("sum += ", "sum -= ")}
    code, said = built(gpp_sandbox, wrong)
    assert (code, said.splitlines()[-1]) == (1, "4 of 7 tests pass"), said
    assert "failed: total: total_1_2" in said
    none = {**files, "kit.cpp": "", "test_kit.cpp": "int main() { return 1; }\n"}
    verified = solver.generator(solver.model(), language="cpp").verify(solved.solution, none)
    assert (verified.passed, verified.runner, verified.report.outcomes) == (False, "C++", {"tests": "failed"})


def built(sandbox, files):
    """What the tests print where these files are, built as the Makefile says."""
    source = (
        "import os, subprocess\n\ndef run(compiler, files):\n    for name, text in files.items():\n"
        "        open(name, 'w').write(text)\n"
        "    flags = files['Makefile'].splitlines()[0].partition('= ')[2].split()\n"
        "    units = [name for name in files if name.endswith('.cpp')]\n"
        "    words = [compiler, *flags, '-Werror', *units, '-o', 'tests']\n"
        "    place = {'TMPDIR': os.getcwd(), 'PATH': '/usr/bin'}\n"
        "    made = subprocess.run(words, capture_output=True, text=True, env=place)\n"
        "    if made.returncode:\n        return [made.returncode, made.stderr]\n"
        "    done = subprocess.run(['./tests'], capture_output=True, text=True)\n"
        "    return [done.returncode, done.stdout + done.stderr]\n"
    )
    return value_of(sandbox, source, f"run({Cpp().tools.path!r}, {files!r})", wall_s=60)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("```python\ndef total(): return 1\n```", "the code is in python: write it in C++20"),
        (f"```cpp\n#include <fstream>\n{TOTAL}\n```", "only headers of the standard library may be included"),
        (f'```cpp\n#embed "/etc/passwd"\n{TOTAL}\n```', "this directive is not allowed: #embed"),
        (f"```cpp\nvoid* operator new(std::size_t n) {{ return nullptr; }}\n{TOTAL}\n```", "is not the code's"),
        (f"```cpp\n{TOTAL.replace('throw', 'std::exit(0); throw')}\n```", "asks for this: std::exit("),
        (f"```cpp\nstatic int count;\n{TOTAL}\n```", "count stands beside the function: name it total_count"),
        (f"```cpp\nstruct Row {{ int x; }};\n{TOTAL}\n```", "Row stands beside the function: name it total_Row"),
        (f"```cpp\nclass ValueError {{}};\n{TOTAL}\n```", "ValueError is there already"),
        (f"```cpp\nint main() {{ return 0; }}\n{TOTAL}\n```", "there is a main already: main("),
        (f"```cpp\n#define total_it main\n{TOTAL}\n```", "there is a main already"),
        (f"```cpp\n{TOTAL.replace('for (', '__builtin_trap(); for (')}\n```", "the compiler's: __builtin_trap"),
    ],
)
def test_what_is_wrong_with_an_answer_is_told(answer, told):
    """Another language, another head, or what it must not have: the next attempt hears it."""
    assert told in told_of(Cpp(), answer, conftest.TOTAL)


@pytest.mark.parametrize(
    "source",
    [
        TOTAL,
        "template <typename T> static T total_one(const T& x) { return x; }\n" + TOTAL,
        "namespace total_detail { struct Row { int open; bool open_() const { return true; } }; }\n" + TOTAL,
        "using total_rows = std::vector<int>;\nstatic const std::map<int, int> total_table = {{1, 2}};\n" + TOTAL,
        TOTAL.replace("for (", "std::string t; t.erase(std::remove(t.begin(), t.end(), 'x'), t.end()); for (").replace(
            "const std::v", "const  std::v"
        ),
        TOTAL.replace("for (", "std::int64_t main = 0; (void)__builtin_add_overflow(main, 1, &main); for ("),
        TOTAL.replace("for (", "__extension__ typedef __int128 wide; (void)wide{1}; for ("),
    ],
)
def test_what_is_right_is_let_through(source):
    """Templates, namespaces and tables that bear the function's name are its own."""
    assert told_of(Cpp(), f"```cpp\n{source}\n```", conftest.TOTAL) == ""


@pytest.mark.parametrize("language", [C(), Cpp()])
def test_a_name_of_the_librarys_goes_back(language):
    """What C's headers declare can't be planned in C; C++ takes it as an overload. Tests take no name from anybody."""
    read = Plan(module="kit", functions=(spec("read", "str", ("text", "str", None)), spec("check", "bool")))
    told = ["the name 'read' is a keyword of C, or its library's: take another"] if language.name == "C" else []
    assert language.problems(read) == told


def test_a_parameter_may_be_named_as_a_function_of_the_library():
    """The user's `time` is seen in its function alone; what the code is handed beside and fails by is taken."""
    late = spec("late", "bool", ("time", "str", None), ("index", "int", None))
    assert C().problems(Plan(module="kit", functions=(late,))) == []
    odd = Plan(module="kit", functions=(spec("odd", "bool", ("error", "str", None), ("fail", "int", None)),))
    assert [problem[:16] for problem in C().problems(odd)] == ["the name 'error'", "the name 'fail' "]


@pytest.mark.parametrize("language", [C(), Cpp()])
@pytest.mark.parametrize("annotation", ["dict[str, None]", "tuple[int, None]", "None"])
def test_what_is_always_none_goes_back(language, annotation):
    """Only a result can be nothing."""
    plan = Plan(module="kit", functions=(spec("total", "None", ("x", annotation, None)),))
    assert language.problems(plan) == [f"the types: a value that is always None has no counterpart in {language.name}"]


def test_a_plan_that_it_can_not_write_goes_back(in_cpp, solver, write):
    """An async function, a union of types and a keyword are named to the planner."""
    wait = write.function("async wait(n: int) -> int")
    mixed = write.function("mixed(x: int | str, delete: int) -> None")
    model = solver.model(wait, mixed)
    model = with_answer(model, "plan", model._script.answers[0].text, attempt=2)
    with pytest.raises(PlanError) as error:
        in_cpp(text="Write wait and mixed.", model=model)
    assert "C++ has no async functions" in str(error.value)
    assert "'int | str': a value of several types has no counterpart in C++" in str(error.value)
    assert "'delete' is a keyword of C++, or its library's" in str(error.value)


def test_a_call_that_takes_too_long_ends_alone(gpp_sandbox):
    """It is told as that in seconds of a processor, and the cases behind it need no compiler again."""
    module = Cpp().module(PLAN, SOURCES, declare_types(PLAN))
    late, fine = outcomes(gpp_sandbox, module, ("late(1)", "late(2)"), wall_s=60.0, cpu_s=4.0)
    assert late == "raised undefined.Timeout: no result within 1 s"
    assert fine == "returned 2"
