"""The whole way in C: red first, compiled with sanitizers, judged, exported."""

from __future__ import annotations

import pytest

from tdgen.errors import PlanError
from tdgen.languages.c import C
from tdgen.types import FunctionSpec, Parameter, Plan, Returns
from tests.languages import conftest
from tests.languages.conftest import outcomes, told_of, total, value_of
from tests.scripted import with_answer

TOTAL = """/* The sum of the numbers; a failure where there are none. */
int64_t total(list_int numbers, int64_t start, failure *error) {
    if (numbers.length == 0) { fail(error, ValueError, "no numbers"); return 0; }
    int64_t sum = start;
    for (size_t n = 0; n < numbers.length; n++) sum += numbers.items[n];
    return sum;
}"""


def test_undefined_behaviour_is_a_failure_with_its_report(in_c, write, c):
    """A read beyond the end may give the right sum: the sanitizer's report goes to the developer, and mends it."""
    wrong = c(TOTAL.replace("int64_t sum = start;", "int64_t sum = start + (numbers.items[numbers.length] == 47);"))
    solved = in_c(total(write, wrong, c(TOTAL)))
    result = solved["total"]
    assert (result.outcome, len(result.history)) == ("green", 2)
    assert "heap-buffer-overflow" in solved.prompts("repair")[0]
    assert solved.solution.plan.module_file == "kit.c"


def test_what_is_written_builds_and_passes_where_tdgen_is_not(in_c, solver, write, c, gcc_sandbox):
    """The module's own tests pass when they are built by the Makefile's command, and fail on code that is wrong."""
    names = write.function(
        "names(counts: dict[str, int], least: int | None) -> list[tuple[str, float]]",
        cases=[
            write.returns("names({'a': 1, 'b': 2}, 2)", "[('b', 2.0)]"),
            write.returns("names({'a?': 1}, None)", "[('a?', 1.0)]"),
            write.returns("names({}, 0)", "[]"),
        ],
        tries=[
            c(
                "list_tuple_str_float names(dict_str_int counts, maybe_int least) {\n"
                "    list_tuple_str_float made = {NULL, 0};\n"
                "    for (size_t n = 0; n < counts.length; n++) {\n"
                "        if (least.has && counts.items[n].value < least.value) continue;\n"
                "        made.items = realloc(made.items, (made.length + 1) * sizeof *made.items);\n"
                "        made.items[made.length].item0 = strdup(counts.items[n].key);\n"
                "        made.items[made.length++].item1 = (double)counts.items[n].value;\n"
                "    }\n    return made;\n}"
            )
        ],
    )
    solved = in_c(total(write, c(TOTAL)), names)
    assert [result.outcome for result in solved.solution.results] == ["green", "green"]
    files = solved.solution.files()
    assert set(files) == {"kit.c", "kit.h", "test_kit.c", "Makefile"}
    verified = solver.generator(solver.model(), language="c").verify(solved.solution)
    assert (verified.passed, verified.report.outcomes) == (True, {"tests": "passed"})
    wrong = {**files, "kit.c": files["kit.c"].replace("sum += ", "sum -= ")}
    code, log = built(gcc_sandbox, wrong)
    assert (code, log.splitlines()[-1]) == (1, "4 of 7 tests pass"), log
    assert "failed: total: total_1_2" in log


def built(sandbox, files):
    """What the tests print where these files are, built as the Makefile says."""
    source = (
        "import os, subprocess\n\ndef run(compiler, files):\n    for name, text in files.items():\n"
        "        open(name, 'w').write(text)\n"
        "    flags = files['Makefile'].splitlines()[0].partition('= ')[2].split()\n"
        "    words = [compiler, *flags, '-Werror', 'test_kit.c', 'kit.c', '-lm', '-o', 'tests']\n"
        "    place = {'TMPDIR': os.getcwd(), 'PATH': '/usr/bin'}\n"
        "    made = subprocess.run(words, capture_output=True, text=True, env=place)\n"
        "    if made.returncode:\n        return [made.returncode, made.stderr]\n"
        "    done = subprocess.run(['./tests'], capture_output=True, text=True)\n"
        "    return [done.returncode, done.stdout + done.stderr]\n"
    )
    return value_of(sandbox, source, f"run({C().tools.path!r}, {files!r})", wall_s=30)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("```python\ndef total(): return 1\n```", "the code is in python: write it in C17"),
        (f"```c\n#include <unistd.h>\n{TOTAL}\n```", "only headers of the standard library may be included"),
        (f'```c\n#include "/dev/urandom"\n{TOTAL}\n```', "only headers of the standard library may be included"),
        (f"```c\n%:include </dev/urandom>\n{TOTAL}\n```", "digraphs and trigraphs are not allowed"),
        (f"```c\n__attribute__((constructor)) static void total_a(void) {{}}\n{TOTAL}\n```", "__attribute__"),
        (f"```c\n{TOTAL.replace('int64_t sum', 'fork(); int64_t sum')}\n```", "fork is not among the functions"),
        (f"```c\nstatic int count;\n{TOTAL}\n```", "count stands beside the function: name it total_count"),
        (f"```c\n#define free(x)\n{TOTAL}\n```", "the macro free is named as if it were another's"),
    ],
)
def test_what_is_wrong_with_an_answer_is_told(answer, told):
    """Code of another language, or that has what it must not."""
    assert told in told_of(C(), answer, conftest.TOTAL)


def test_what_the_compiler_says_is_told_to_the_next_attempt(in_c, write, c):
    """Code that can't be compiled goes back with the line."""
    solved = in_c(total(write, c(TOTAL.replace("sum = start", "sum = startt")), c(TOTAL)))
    assert solved["total"].outcome == "green"
    assert any("line 4:19: error" in finding for finding in solved["total"].history[0].findings)


def test_a_plan_that_it_can_not_write_goes_back(in_c, solver, write):
    """An async function, a union of types and Any are named to the planner."""
    wait = write.function("async wait(n: int) -> int")
    mixed = write.function("mixed(x: int | str, y: Any) -> None")
    model = solver.model(wait, mixed)
    model = with_answer(model, "plan", model._script.answers[0].text, attempt=2)
    with pytest.raises(PlanError) as error:
        in_c(text="Write wait and mixed.", model=model)
    assert "C has no async functions" in str(error.value)
    assert "'int | str': a value of several types has no counterpart in C" in str(error.value)


def test_values_at_their_bounds_go_there_and_back(gcc_sandbox):
    """All of 64 bits, minus zero, what is no number and UTF-8; what has no counterpart is not passed."""
    row = "tuple[int, float, str]"
    spec = FunctionSpec(name="f", purpose="", parameters=(Parameter(name="x", type=row),), returns=Returns(type=row))
    same = "tuple_int_float_str f(tuple_int_float_str x) { x.item2 = strdup(x.item2); return x; }"
    module = C().module(Plan(module="kit", functions=(spec,)), {"f": same}, "")
    rows = ["(2**63 - 1, -0.0, 'é😀')", "(-2**63, float('nan'), '')", "(0, float('-inf'), 'a\\x00b')"]
    rows += ["(2**63, 0.5, '')", "(0, 0.5, '\\ud800')"]
    seen = outcomes(gcc_sandbox, module, [f"f({row})" for row in rows], wall_s=60)
    assert seen[:2] == ["returned (9223372036854775807, -0.0, 'é😀')", "returned (-9223372036854775808, nan, '')"]
    unwritable = ["a text with a NUL", "9223372036854775808 is beyond", "a lone surrogate is no text"]
    for told, wanted in zip(seen[2:], unwritable, strict=True):
        assert told.startswith(f"raised tdgen.languages.bridge.Unwritable: {wanted}")
