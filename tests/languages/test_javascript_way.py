"""The whole way in JavaScript: planned and tested in Python's notation, red first, written, judged, repaired."""

from __future__ import annotations

import json

import pytest

from tdgen.client import Handed
from tdgen.errors import InputError, PlanError
from tdgen.languages.javascript import JavaScript
from tdgen.outputs.places import Wishes, target_at
from tdgen.types import FunctionSpec, Parameter, Raises, Returns
from tests.languages.conftest import told_of, value_of
from tests.scripted import with_answer

SLUG = """function slug(text, sep = "-") {
  if (!text) throw new ValueError("empty");
  return text.toLowerCase().split(" ").join(sep);
}"""


SPEC = FunctionSpec(
    name="slug",
    purpose="",
    parameters=(Parameter(name="text", type="str"), Parameter(name="sep", type="str", default="'-'")),
    returns=Returns(type="str"),
    raises=(Raises(type="ValueError", when=""),),
)


def slug(write, *tries, **more):
    """A function with a default and an exception."""
    cases = [
        write.returns("slug('A b')", "'a-b'"),
        write.returns("slug('A b', sep='_')", "'a_b'"),
        write.returns("slug('x')", "'x'"),
        write.raises("slug('')", "ValueError"),
    ]
    told = {"cases": cases, "tries": tries, "raises": ["ValueError"]} | more
    return write.function("slug(text: str, sep: str = '-') -> str", **told)


@pytest.mark.parametrize("trust", ["quick", "standard", "strict"])
def test_a_function_is_repaired_and_green(in_javascript, write, js, trust):
    """What a first attempt does wrong is told with the values, and the second is green at each trust level."""
    wrong = js(SLUG.replace(".toLowerCase()", ""))
    solved = in_javascript(slug(write, wrong, js(SLUG)), settings={"trust": trust})
    result = solved["slug"]
    assert (result.outcome, len(result.history)) == ("green", 2)
    assert "'A_b', expected 'a_b'" in solved.prompts("repair")[0]
    assert solved.solution.plan.module_file == "kit.mjs"


def test_an_exception_of_the_code_is_the_code_s(in_javascript, write, js):
    """A case that expects a value, and on which the code throws, does not go back to its author: it is repaired."""
    solved = in_javascript(
        slug(write, js(SLUG.replace("!text", "text.length < 2")), js(SLUG)), settings={"trust": "standard"}
    )
    assert solved["slug"].outcome == "green"
    assert len(solved["slug"].suite.cases) == 4
    assert len(solved.prompts("cases")) == 1


def ran(sandbox, files, words):
    """What the words give where these files are, in the sandbox."""
    source = (
        "import subprocess\n\ndef run(files, words):\n    for name, text in files.items():\n"
        "        open(name, 'w').write(text)\n"
        "    done = subprocess.run(words, capture_output=True, text=True)\n"
        "    return [done.returncode, done.stdout + done.stderr]\n"
    )
    return value_of(sandbox, source, f"run({files!r}, {words!r})", memory_mb=4096, wall_s=30)


def test_what_is_written_passes_where_tdgen_is_not(in_javascript, write, js, node_sandbox):
    """The module's own tests run under `node --test`: those fail of which the code is wrong, and the others pass."""
    solved = in_javascript(slug(write, js(SLUG)))
    files = solved.solution.files()
    assert set(files) == {"kit.mjs", "kit.test.mjs", "package.json"}
    assert json.loads(files["package.json"])["scripts"] == {"test": "node --test"}
    wrong = {**files, "kit.mjs": files["kit.mjs"].replace(".toLowerCase()", "")}
    code, log = ran(node_sandbox, wrong, ["/usr/bin/node", "--test"])
    assert (code, "# pass 2" in log, "# fail 2" in log) == (1, True, True), log
    assert all(f"'A{sep}b' !== 'a{sep}b'" in log for sep in "-_"), log


def test_functions_stand_on_each_other(in_javascript, write, js):
    """A function calls another one by its name, and both are judged in the one file that the user gets."""
    double = write.function(
        "double(n: int) -> int",
        cases=[write.returns("double(2)", "4")],
        tries=[js("const _double_by = 2;\nconst double = (n) => n * _double_by;")],
    )
    four = write.function(
        "four(n: int) -> int",
        cases=[write.returns("four(2)", "8"), write.returns("four(double(1))", "8")],
        tries=[js("export function four(n) {\n  return double(double(n));\n}")],
        uses=["double"],
    )
    solved = in_javascript(double, four)
    assert [result.outcome for result in solved.solution.results] == ["green", "green"]
    assert solved.solution.module_source.endswith("export { double, four };\n")
    assert "export function" not in solved.solution.module_source


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("```js\ndef slug(text): return text\n```", "there is no code of slug in the answer: give one fenced block"),
        ("I can't.", "there is no code of slug in the answer"),
        ("```js\nimport fs from 'fs';\nfunction slug(text) {}\n```", "line 1: import is not allowed"),
        (
            "```js\nfunction slug(text) {}\nfunction help() {}\n```",
            "help stands beside the function: name it _slug_help",
        ),
        ("```js\nclass ValueError extends Error {}\nfunction slug(text) {}\n```", "ValueError is there already"),
        ("```js\nfunction slug(text) {}\nArray.prototype.last = 1;\n```", "line 2: prototypes are not changed"),
    ],
)
def test_what_is_wrong_with_an_answer_is_told(answer, told):
    """There is no code in it, or it has what it must not."""
    assert told in told_of(JavaScript(), answer, SPEC)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("```python\ndef slug(text): return text\n```", "the code is in python: write it in JavaScript"),
        ("```js\nfunction slug(text {}\n```", "SyntaxError: line 1:"),
    ],
)
def test_the_next_attempt_hears_what_is_wrong(in_javascript, write, js, answer, told):
    """Code of another language, and code that can't be loaded."""
    solved = in_javascript(slug(write, write.said(answer), js(SLUG)))
    assert solved["slug"].outcome == "green"
    assert told in solved["slug"].history[0].findings[0]
    assert told in solved.prompts("repair")[0]


def test_a_plan_that_it_can_not_write_goes_back(in_javascript, solver, write):
    """A class, a function as a parameter, a script and an enum are named to the planner, each with what to plan."""
    kit = write.klass("class Kit:\n    def __init__(self) -> None: ...\n    def __iter__(self) -> int: ...")
    call = write.function("call(f: Callable[[int], int]) -> int")
    model = solver.model(kit, call)
    model = with_answer(model, "plan", model._script.answers[0].text, attempt=2)
    with pytest.raises(PlanError) as error:
        in_javascript(text="Write Kit and call.", model=model)
    assert "class 'Kit': JavaScript has no __iter__" in str(error.value)
    assert "Callable has no counterpart in JavaScript" in str(error.value)


def test_cases_are_seen_red_first(in_javascript, write, js):
    """A case that passes where nothing is written says nothing, in this language as in Python."""
    idle = write.returns("[slug, 1][1]", "1", name="idle")
    sound = slug(write, js(SLUG)).cases[0]
    solved = in_javascript(slug(write, js(SLUG), cases=[*sound, idle], mended_cases=[*sound, idle]))
    assert "idle" not in [case.name for case in solved["slug"].cases]
    assert ["never calls the function" in one.reason for one in solved.solution.revisions] == [True]


def test_another_language_has_other_keys(in_javascript, solver, write, js):
    """A solution in JavaScript is none in Python: each is kept by itself, and is told apart when it is verified."""
    solved = in_javascript(slug(write, js(SLUG)))
    again = in_javascript(slug(write, js(SLUG)))
    assert (solved.solution.cached, again.solution.cached) == (False, True)
    generator = solver.generator(solver.model(), language="javascript")
    verified = generator.verify(again.solution)
    assert (verified.passed, verified.runner) == (True, "JavaScript")
    assert verified.report.outcomes == {"node --test": "passed"}
    files = again.solution.files()
    forged = {**files, "kit.test.mjs": files["kit.test.mjs"].replace("'a-b'", "'a+b'").replace('"a-b"', '"a+b"')}
    assert generator.verify(again.solution, forged).report.outcomes == {"node --test": "failed"}
    assert not generator.verify(again.solution, forged).passed
    broken = {"kit.mjs": solved.solution.module_source.replace("join(sep)", 'join("")')}
    assert not generator.verify(again.solution, broken).passed
    assert solver.generator(solver.model()).verify(again.solution).passed  # it says itself what it is in


def test_what_it_goes_on_from_is_in_the_same_language(in_javascript, solver, write, js):
    """A plan or a solution in JavaScript is not gone on with as Python; one line says what to give."""
    solution = in_javascript(slug(write, js(SLUG))).solution
    for handed in (Handed(follow=solution), Handed(plan=solution.plan)):
        with pytest.raises(InputError, match="goes on from is in javascript: give --language javascript"):
            solver.generator(solver.model()).solve("Write slug, and more.", handed)


def test_a_language_that_is_not_there(solver, monkeypatch, node_sandbox):
    """One line says which there are, and what to install where its program is missing."""
    with pytest.raises(InputError, match=r"there is no language 'cobol': it is c, .*javascript, .*python"):
        solver.generator(solver.model(), language="cobol").solve("Write it.")
    monkeypatch.setattr("tdgen.runtime.which", lambda name, path: None)
    with pytest.raises(InputError, match=r"code in JavaScript needs \S*node, which is not here: install it"):
        solver.generator(solver.model(), language="javascript").solve("Write it.")


def test_what_only_python_has_is_refused_before_anything_is_paid(solver, node_sandbox):
    """Own pytest files can't be run on JavaScript."""
    handed = Handed(tests="def test_a():\n    assert slug('a') == 'a'\n")
    with pytest.raises(InputError, match="tests of your own can't be had in javascript"):
        solver.generator(solver.model(), language="javascript").solve("Write slug.", handed)


def test_a_file_is_no_place_for_it(tmp_path):
    """Code comes with its tests and what runs them: where a file is named, one line asks for a folder."""
    for name in ("kit.py", "kit.mjs"):
        with pytest.raises(InputError, match="code in javascript goes into a folder with its tests, name one"):
            target_at(str(tmp_path / name), tmp_path, Wishes(language="javascript"))
