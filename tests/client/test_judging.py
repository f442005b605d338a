"""Somebody's tests on somebody's code: whether they hold, and how strong they are."""

from __future__ import annotations

import pytest

from tdgen.errors import InputError

CODE = """def pages(total: int, size: int) -> int:
    if size < 1:
        raise ValueError(size)
    return -(-total // size)
"""
WEAK = """from solution import pages

def test_pages():
    assert pages(10, 5) == 2
"""
STRONG = f"""import pytest
{WEAK}
    assert pages(11, 5) == 3
    assert pages(3, 1) == 3

@pytest.mark.parametrize("size", [0, -1])
def test_no_size(size):
    with pytest.raises(ValueError):
        pages(1, size)
"""


def test_stronger_tests_kill_more_mutants(solver):
    """What none of the tests notices is told with its line, and what stands there instead."""
    generator = solver.generator()
    weak, strong = generator.judge(CODE, WEAK), generator.judge(CODE, STRONG)
    assert weak.holds
    assert strong.holds
    assert weak.strength.score < strong.strength.score
    assert strong.strength.score == 1.0
    assert {survivor.line for survivor in weak.strength.survivors} >= {2}
    assert weak.untried == 0


def test_tests_that_do_not_hold_have_no_strength(solver):
    """What fails is told as pytest has it."""
    judged = solver.generator().judge(CODE, WEAK.replace("== 2", "== 3"))
    assert not judged.holds
    assert judged.strength is None
    assert "assert 2 == 3" in judged.report.reasons["test_solution.py::test_pages"]


def test_no_time_is_no_mutant_killed(solver):
    """Mutants for which there is no time are not counted as killed."""
    slow = WEAK.replace("def test", "import time\n\ndef test").replace("    assert", "    time.sleep(1)\n    assert", 1)
    judged = solver.generator().judge(CODE, slow, seconds=1.5)
    assert judged.holds
    assert judged.strength.mutants < judged.untried


@pytest.mark.parametrize(
    ("code", "tests", "module", "told"),
    [
        ("def f(:", WEAK, "solution", "the code can't be read as Python: line 1"),
        (CODE, "def f(:", "solution", "the tests can't be read as Python: line 1"),
        (CODE, WEAK, "not a name", "not a name"),
        (CODE, WEAK, "a.b", "a module in a package"),
        (CODE, None, "solution", "tests must be"),
    ],
)
def test_what_can_not_be_judged_is_said(solver, code, tests, module, told):
    """Before anything is run."""
    with pytest.raises(InputError, match=told):
        solver.generator().judge(code, tests, module=module)
