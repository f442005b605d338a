"""Code in another language is judged by the same hidden tests: what stands for it is called as Python would be."""

from __future__ import annotations

from shutil import which

import pytest

from tdgen.evaluation import evaluate, read_dataset
from tdgen.settings import Settings

pytestmark = [
    pytest.mark.usefixtures("warm"),
    pytest.mark.skipif(which("node") is None, reason="Node is not here"),
]
HIDDEN = """
import solution

def test_it():
    assert solution.double(-3) == -6

def test_large():
    assert solution.double(21) == 42
"""


@pytest.fixture
def judged(alone, write, tmp_path):
    """The record of problems solved with these attempts, each the body of a function in JavaScript."""

    def judged(problems, *bodies, says=""):
        tries = [write.said(f"```js\nfunction double(number) {{ {body} }}\n```") for body in bodies]
        settings = Settings(trust="quick", search_seconds=0, language="javascript")
        found = evaluate(problems, tmp_path / "logs", name="made", settings=settings, model=alone(*tries, says=says))
        ((record,),) = found.runs
        return record

    return judged


def test_single_calls(judged, doubling):
    """The first attempt and the last are judged, and so is the model asked beside it, in that language, once."""
    record = judged(
        [doubling], "return 1;", "return 2 * number;", says="```js\nfunction double(n) { return n + n; }\n```"
    )
    assert (record.outcome, record.first.failed, record.last.right) == ("green", 2, True)
    assert (record.beside.once.judged.right, record.beside.often.samples) == (True, 1)


def test_an_answer_in_another_language_is_wrong(judged, doubling):
    """Nothing of it is run."""
    record = judged([doubling], "return 2 * number;", says="```python\ndef double(n): return n + n\n```")
    assert record.beside.once.judged.faults == ("there is no code",)


def test_a_hidden_file(judged, write_task):
    """A green that fails a hidden test is a wrong one, and one that passes all is right."""
    problems = read_dataset(write_task("t", files={"hidden_test.py": HIDDEN}))
    record = judged(problems, "return number === 21 ? 0 : number * 2;")
    assert (record.outcome, record.last.failed, record.last.tests) == ("green", 1, 2)
