"""Lines and branches that there are to reach, and what share of them watched runs reached."""

from __future__ import annotations

import pytest

from tdgen.impl.coverage import Shares, covered, lines_reached, lines_there, reachable, suspicion
from tdgen.protocols import Sandbox
from tdgen.types import Job, Observation, Probe

SIGN = """
LIMIT = 3

def sign(n):
    \"\"\"Its sign.\"\"\"
    if n < 0:
        return -1
    for step in range(
        LIMIT,
    ):
        n += step
    if n:
        n = 1
    return n

def other():
    return 0
"""


def reached(sandbox: Sandbox, source: str, *calls: str) -> Shares:
    probes = tuple(Probe(name=call, call=call) for call in calls)
    report = sandbox.run(Job(module="m", source=source, probes=probes, watch="lines"))
    return covered(source, (1, source.count("\n")), report.observations)


@pytest.fixture
def sandbox(shared_sandboxes: tuple[Sandbox, Sandbox]) -> Sandbox:
    return shared_sandboxes[0]


def test_what_there_is_to_reach_is_read_from_the_source():
    """Statements of functions by their first lines, and two ways for each fork; nothing of the module's own level."""
    lines, branches = reachable(SIGN)
    assert lines == {6, 7, 8, 11, 12, 13, 14, 17}
    assert branches == {(6, 7), (6, 0), (8, 11), (8, 0), (12, 13), (12, 0)}


@pytest.mark.parametrize(
    ("body", "branches"),
    [
        ("if a:\n        b\n    else:\n        c", {(2, 3), (2, 5)}),
        ("if a:\n        b\n    elif c:\n        d", {(2, 3), (2, 4), (4, 5), (4, 0)}),
        ("while True:\n        b", set()),
        ("while a:\n        b\n    else:\n        c", {(2, 3), (2, 5)}),
        ("if a: b", set()),
        ("try:\n        a\n    except E:\n        b\n    finally:\n        c", {(4, 5)}),
        ("match a:\n        case 1:\n            b\n        case _:\n            c", {(3, 4), (3, 0), (5, 6)}),
        ("x = 1 if a else [b for b in c if b] or d", set()),
        ("class K:\n        x = 1\n        def m(self):\n            if a:\n                b", {(5, 6), (5, 0)}),
    ],
)
def test_forks_are_those_that_lines_can_tell(body, branches):
    """A condition that never changes is none, nor is one within a line."""
    assert reachable(f"def f():\n    {body}\n")[1] == branches


@pytest.mark.parametrize("line", ["'''Doc.'''", "global g", "x: int"])
def test_what_never_runs_is_no_line(line):
    """It could not be reached."""
    assert reachable(f"def f():\n    {line}\n    return 1\n")[0] == {3}


def test_shares_are_of_the_part_asked_for(sandbox):
    """Other functions of the module count neither way."""
    report = sandbox.run(Job(module="m", source=SIGN, probes=(Probe(name="p", call="sign(-1)"),), watch="lines"))
    assert covered(SIGN, (4, 14), report.observations) == Shares(2 / 7, 1 / 6)
    assert covered(SIGN, (16, 17), report.observations) == Shares(0.0, 1.0)


def test_runs_add_up(sandbox):
    """Each case reaches its own."""
    assert reached(sandbox, SIGN, "sign(-1)", "sign(1)") == Shares(7 / 8, 5 / 6)
    assert reached(sandbox, SIGN, "sign(-1)", "sign(1)", "sign(-0.0)", "other()").lines == 1.0


FORKS = """
import contextlib

def forks(x):
    if (
        x > 1
        and x < 9
    ):
        x = [
            y
            for y in range(x)
        ][0]
    while x > 3:
        x -= 1
        if x == 12:
            break
    else:
        x = 2
    with contextlib.suppress(KeyError):
        if {2: 0}[x]:
            x = 3
    try:
        if 10 // x:
            x = 4
    except ZeroDivisionError:
        x = 5
    finally:
        x += 1
    match x:
        case 6:
            x = 1
        case [_, _]:
            x = 2
        case _:
            x = 3

    def inner(z):
        if z:
            return 1
        return 2

    return inner(x)
"""


def test_each_branch_is_reached_by_what_takes_it_and_by_nothing_else(sandbox):
    """Multi-line heads, `else` of loops, handlers, `match`, nested functions."""
    assert reached(sandbox, FORKS, "forks(2)") == Shares(16 / 24, 8 / 18)


def test_what_each_run_reached_is_told_by_its_lines(sandbox):
    """Of a part of the module, by the first lines of statements that compute something: not `return -1`, `return 0`.

    A run that was not watched reached nothing.
    """
    probes = tuple(Probe(name=call, call=call) for call in ("sign(-1)", "sign(1)", "other()"))
    seen = sandbox.run(Job(module="m", source=SIGN, probes=probes, watch="lines")).observations
    assert lines_there(SIGN, (4, 17)) == {6, 8, 11, 12, 13, 14}
    assert lines_reached(SIGN, (4, 14), seen) == [{6}, {6, 8, 11, 12, 13, 14}, frozenset()]
    assert lines_reached(SIGN, (4, 14), [Observation(name="p", status="returned")]) == [frozenset()]


def test_an_exception_past_a_fork_is_no_branch(sandbox):
    """The fork was not decided."""
    source = "def f(x):\n    try:\n        if x[0]:\n            x = 1\n"
    source += "    except IndexError:\n        x = 2\n    return x\n"
    assert reached(sandbox, source, "f([])") == Shares(4 / 5, 1 / 3)


def test_nothing_watched_is_nothing_measured():
    """Neither 0 nor 1."""
    assert covered(SIGN, (1, 20), [Observation(name="p", status="returned")]) == Shares(None, None)


def test_lies_reach_nothing_that_is_not_there():
    """A process may tell any numbers."""
    lie = Observation(name="p", status="returned", lines=(-5, 10**9, 7), arcs=((6, 7), (10**9, 3)))
    assert covered(SIGN, (4, 14), [lie]) == Shares(1 / 7, 1 / 6)


def test_what_only_failing_cases_run_is_most_suspicious():
    """Ochiai: failed / sqrt(failing * (failed + passed))."""
    found = suspicion([{1, 2}, {1, 2}, {1, 2}], [{1, 3}, {1, 2, 3}])
    assert found == pytest.approx({1: 2 / (2 * 5) ** 0.5, 2: 1 / (2 * 4) ** 0.5, 3: 1.0})


def test_lines_that_no_failing_case_ran_are_absent():
    """They can't be at fault."""
    assert suspicion([{1, 9}], [{1}]) == pytest.approx({1: 0.5**0.5})


def test_a_line_that_a_loop_runs_often_counts_once_a_case():
    """Cases count, not rounds."""
    assert suspicion([], [[1, 1, 1, 2]]) == {1: 1.0, 2: 1.0}


@pytest.mark.parametrize(("passing", "failing"), [([], []), ([{1}], []), ([], [set()])])
def test_without_a_failing_case_there_is_no_suspicion(passing, failing):
    """Nothing to blame."""
    assert suspicion(passing, failing) == {}
