"""`tdgen eval`: the figures on stdout, the story in a folder, and the same again without a model."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("warm")

PROBLEM = {
    "id": "made/double",
    "prompt": "double(n) gives twice a number; double(4) is 8.",
    "entry_point": "double",
    "tests": ["assert double(21) == 42", "assert double(-3) == -6"],
}
QUICK = ("-o", "logs", "--trust", "quick")


def write(*problems: dict) -> str:
    Path("made.jsonl").write_text("".join(json.dumps(problem) + "\n" for problem in problems))
    return "made.jsonl"


@pytest.fixture
def script(said, one_function) -> Path:
    """Answers for one function; asked alone, the model says the same as the developer."""
    for purpose, answer in one_function.items():
        said.say(purpose, answer, "" if purpose == "plan" else "double")
    return said.path


@pytest.fixture
def evaluated(tdgen, script):
    """An evaluation of one problem, without baselines."""
    return tdgen("eval", write(PROBLEM), *QUICK, "--script", script, "--no-baselines")


def test_the_figures_are_the_result(evaluated):
    """On stdout; what else there is to read is told beside them."""
    assert evaluated.code == 0
    figures = dict(re.split(r" {2,}", line, maxsplit=1) for line in evaluated.out.splitlines())
    assert figures["right by hidden tests (pass@1)"] == "100.0% (20.7–100.0)"
    assert figures["false accepts, of the green"] == "0.0% (0.0–79.3)"
    assert figures["model calls a problem"] == "3.00"
    assert evaluated.last == "the whole story: logs/report.html"
    assert "2 of 2 hidden tests pass" in Path("logs/report.html").read_text()


@pytest.mark.usefixtures("evaluated")
class TestAgain:
    """What was evaluated can be gone on with, and played."""

    def test_the_same_again(self, tdgen, script):
        """As JSON now; the baselines, which the script can't answer, are told to be missing."""
        ran = tdgen("eval", "made.jsonl", *QUICK, "--script", script, "--json")
        assert ran.document["right"]["part"] == 1
        assert ran.document == json.loads(Path("logs/figures.json").read_text())
        assert "1 problem has no baseline: nobody answered, or there is no plan; the same command asks again" in ran.err

    def test_played_again_without_a_model(self, tdgen):
        """Figure for figure, at the trust that it had; nobody is there who could be asked."""
        ran = tdgen("eval", "made.jsonl", "--replay", "logs")
        assert (ran.code, ran.last) == (0, "every figure came out as it was")

    def test_what_comes_out_otherwise_is_told(self, tdgen):
        """Exit code 1."""
        (path,) = Path("logs").glob("run-1/judged/*.json")
        path.write_text(json.dumps(json.loads(path.read_text()) | {"own_cases": 1}))
        ran = tdgen("eval", "made.jsonl", "--replay", "logs", "--trust", "quick")
        assert ran.code == 1
        assert "otherwise: run-1 made/double: own_cases was 1 and is" in ran.err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("none.jsonl",), "there is no such file"),
        (("other.jsonl",), "line 1 of other.jsonl has the shape of no data set"),
        (("made.jsonl", "--only", "made/other"), "the data set has no problem 'made/other'"),
        (("made.jsonl", "--replay", "."), ". holds no evaluation"),
        (("made.jsonl", "--transcript", "t"), "leave --transcript out"),
        (("made.jsonl", "-o", "made.jsonl"), "made.jsonl"),
    ],
    ids=lambda given: given[-1] if isinstance(given, tuple) else "",
)
def test_what_cannot_be_evaluated(tdgen, script, arguments, told):
    """Exit code 2, and one line."""
    write(PROBLEM)
    Path("other.jsonl").write_text('{"question": "x"}\n')
    ran = tdgen("eval", *arguments, "--script", script)
    assert ran.code == 2
    assert told in ran.last


def test_nobody_reachable(tdgen, endpoint):
    """Exit code 4, with the reason; what was evaluated is told all the same."""
    endpoint.will(401)
    problems = [PROBLEM | {"id": f"p{n}", "prompt": f"double(n), {n}."} for n in range(8)]
    ran = tdgen("eval", write(*problems), *QUICK, "--no-baselines")
    assert ran.code == 4
    assert "refuses the key" in ran.err
    assert "pass@1" in ran.out


def test_a_folder_of_tasks(tdgen, script):
    """Its figures by kind, and again from the logs."""
    task = Path("tasks/twice")
    task.mkdir(parents=True)
    (task / "instruction.md").write_text(PROBLEM["prompt"])
    (task / "task.json").write_text('{"kind": "plain", "functions": ["double"], "entry": "", "refusal": []}')
    (task / "hidden_test.py").write_text("import solution\n\ndef test_it():\n    assert solution.double(21) == 42\n")
    (task / "reference.py").write_text("def double(n):\n    return 2 * n\n")
    ran = tdgen("eval", "tasks/", *QUICK, "--script", script)
    assert ran.code == 0
    assert re.search(r"^plain, 1 +right 1; 0 of 1 green are wrong", ran.out, re.MULTILINE)
    assert (again := tdgen("eval", "tasks", "--replay", "logs")).last == "every figure came out as it was"
    assert again.out == ran.out
    (task / "reference.py").unlink()
    assert tdgen("eval", "tasks").last.endswith("the task twice can't be used: there is no reference.py")
