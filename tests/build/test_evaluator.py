"""The judge grants green; what plain pytest says of the same file can only take it away."""

from __future__ import annotations

import pytest

from tdgen.build.evaluator import part_of
from tdgen.client import Handed
from tdgen.types import Job, Probe

FORGETFUL = """
def collect(item: int, into: list[int] = []) -> list[int]:
    into.append(item)
    return into
"""
RIGHT = """
def collect(item: int) -> list[int]:
    return [item]
"""
BY_HASH = """
def letters(text: str) -> list[str]:
    return list(set(text))
"""


@pytest.fixture
def collect(write):
    """A function that is easily written so that its calls remember each other."""

    def make(*tries):
        cases = [write.returns(f"collect({n})", f"[{n}]") for n in (1, 2)]
        return write.function("collect(item: int) -> list[int]", cases=cases, tries=tries)

    return make


def test_state_that_outlives_a_call_takes_the_green_away(solver, collect):
    """Each case passes by itself, in a fresh copy of the module; the file in one process does not."""
    solved = solver.solve(collect(FORGETFUL, RIGHT))
    first, second = solved["collect"].history
    assert first.passed == len(first.verdicts) == 2
    assert not first.green
    told = "test_collect[collect_2] passes by itself: it sees what another test's calls left\n"
    assert first.vetoes[0].startswith(f"the rendered tests do not pass: {told}")
    assert "assert [1, 2] == [2]" in solved.prompts("repair")[0]
    assert second.green


def test_a_result_that_hangs_on_the_hash_seed_is_caught(solver, write):
    """At trust level standard, by a second run under another one; quick does not look."""
    calls = ["letters('abcdefgh')", "letters('hijklmno')", "letters('opqrstuv')"]
    job = Job(module="kit", source=BY_HASH, probes=tuple(Probe(name=call, call=call) for call in calls))
    cases = [write.returns(seen.name, repr(seen.value)) for seen in solver.sandbox.run(job).observations]
    function = write.function("letters(text: str) -> list[str]", cases=cases, tries=[BY_HASH])
    quick = solver.solve(function, settings={"budget": "iterations=1"})
    assert quick["letters"].outcome == "green"
    standard = solver.solve(function, settings={"budget": "iterations=1", "trust": "standard"})
    assert standard["letters"].outcome == "red"
    assert "shuffled and under another PYTHONHASHSEED" in standard["letters"].best.vetoes[0]


def test_the_order_of_tests_must_not_matter(solver, write):
    """At trust level standard they are shuffled too."""
    once = """
_CALLS = []


def first_is_free(price: int) -> int:
    _CALLS.append(price)
    return 0 if len(_CALLS) == 1 and price == 1 else price
"""
    cases = [write.returns(f"first_is_free({n})", str(n) if n > 1 else "0") for n in range(1, 7)]
    function = write.function("first_is_free(price: int) -> int", cases=cases, tries=[once])
    quick = solver.solve(function, settings={"budget": "iterations=1"})
    assert quick["first_is_free"].outcome == "green"
    standard = solver.solve(function, settings={"budget": "iterations=1", "trust": "standard"})
    assert standard["first_is_free"].outcome == "red"


UNREADABLE = """
from kit import double


def test_many(subtests=None):
    total = 0
    for n in range(5):
        total += double(n)
    assert total == 20
"""


def test_what_cannot_be_read_of_the_users_tests_is_run_as_it_is(solver, double):
    """It takes green away like any other file, and what pytest says of the test is told."""
    cheat = "def double(number: int) -> int:\n    return {0: 0, 1: 2, 7: 14, -4: -8}.get(number, 0)"
    right = "def double(number: int) -> int:\n    return 2 * number"
    solved = solver.solve(double(cheat, right), handed=Handed(tests=UNREADABLE))
    first, second = solved["double"].history
    assert first.passed == 4
    assert first.vetoes[0].startswith("the user's own tests do not pass:")
    assert "assert 2 == 20" in solved.prompts("repair")[0]
    assert second.green
    assert solved.solution.test_files["test_by_the_user.py"] == UNREADABLE


def test_the_users_tests_run_where_all_that_they_call_is_there(solver, double, write):
    """So on the function that stands on all others, and at the end on the module as a whole."""
    tests = UNREADABLE.replace("import double", "import double, half").replace("double(n)", "half(double(2 * n))")
    half = write.function(
        "half(number: int) -> int",
        cases=[write.returns("half(4)", "2")],
        tries=["def half(number: int) -> int:\n    return double(number) // 4"],
        uses=["double"],
    )
    broken = "def double(number: int) -> int:\n    return 2 * number if number < 8 else 0"
    solved = solver.solve(double(broken), half, handed=Handed(tests=tests), settings={"budget": "iterations=1"})
    assert solved["double"].outcome == "green"
    assert solved["half"].outcome == "red"
    assert solved["half"].best.vetoes


def test_a_type_that_the_users_tests_call_is_no_function_to_wait_for(solver, double):
    """Their file is run for a function as soon as the functions that it calls are there."""
    tests = (
        "from kit import Size, double\n\n\ndef test_size():\n    for n in [3]:\n        assert double(Size(n).n) == 5\n"
    )
    types = [{"name": "Size", "kind": "dataclass", "fields": [{"name": "n", "type": "int"}]}]
    solved = solver.solve(double(), types=types, handed=Handed(tests=tests), settings={"budget": "iterations=1"})
    assert solved["double"].outcome == "red"
    assert solved["double"].best.vetoes


def test_a_source_is_found_in_its_module_below_its_imports():
    """What stands there above it is another function's code, and no line of a trace of this one."""
    own = "def f(x):\n    return g(x)\n"
    module = f"import json\nimport re\n\n\ndef g(x):\n    return x\n\n\n{own}"
    assert part_of(module, f"import json\nimport re\nimport json as j\nimport re as r\n\n\n{own}") == (9, 10)
