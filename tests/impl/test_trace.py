"""A call's trace as text: a row a line, loops folded, and never too long."""

from __future__ import annotations

from tdgen.impl.trace import MOST_ROWS, trace_text
from tdgen.protocols import Sandbox
from tdgen.types import Job, Probe, Step

SUM = """\
def total(xs):
    found = 0
    for x in xs:
        if x > 2:
            found += x
    return found
"""


def steps(sandbox: Sandbox, source: str, call: str) -> tuple[Step, ...]:
    job = Job(module="m", source=source, probes=(Probe(name="p", call=call),), watch="values")
    return sandbox.run(job).observations[0].steps


def test_each_line_stands_with_its_code_and_what_it_set(shared_sandboxes):
    """Arguments at the `def`, the result at the return."""
    assert trace_text(steps(shared_sandboxes[0], SUM, "total([1, 3])"), SUM).splitlines() == [
        "1 | def total(xs): | xs=[1, 3]",
        "2 |     found = 0 | found=0",
        "3 |     for x in xs: | x=1",
        "4 |         if x > 2:",
        "3 |     for x in xs: | x=3",
        "4 |         if x > 2:",
        "5 |             found += x | found=3",
        "3 |     for x in xs:",
        "6 |     return found | returns 3",
    ]


def test_of_a_loop_the_first_and_the_last_rounds_are_shown(shared_sandboxes):
    """Two each; how the loop ends comes with the last."""
    told = trace_text(steps(shared_sandboxes[0], SUM, "total([1, 2, 3, 4, 5, 6, 7])"), SUM)
    assert told.splitlines()[2:] == [
        "3 |     for x in xs: | x=1",
        "4 |         if x > 2:",
        "3 |     for x in xs: | x=2",
        "4 |         if x > 2:",
        "  … 3 rounds left out …",
        "3 |     for x in xs: | x=6",
        "4 |         if x > 2:",
        "5 |             found += x | found=18",
        "3 |     for x in xs: | x=7",
        "4 |         if x > 2:",
        "5 |             found += x | found=25",
        "3 |     for x in xs:",
        "6 |     return found | returns 25",
    ]


def test_loops_within_loops_are_folded_too(shared_sandboxes):
    """Also a loop that calls others, and one whose middle was never kept."""
    source = "def f(n):\n    for i in range(n):\n        for j in range(n):\n            g(j)\n    return n\n"
    source += "def g(j):\n    return j\n"
    told = trace_text(steps(shared_sandboxes[0], source, "f(7)"), source)
    assert told.count("3 rounds left out") == 5
    assert told.count("\n") < MOST_ROWS
    long = trace_text(steps(shared_sandboxes[0], source, "f(60)"), source)
    assert "more steps left out" in long


def test_a_decorated_function_begins_with_its_def(shared_sandboxes):
    """Not with the decorator, on which its first step stands."""
    source = "import functools\n\n\n@functools.cache\ndef f(n):\n    return n\n"
    assert trace_text(steps(shared_sandboxes[0], source, "f(1)"), source).startswith("4 | def f(n): | n=1")


def test_recursion_is_cut_to_its_beginning_and_its_end(shared_sandboxes):
    """It has no loop to fold."""
    source = "def f(n):\n    if n:\n        return f(n - 1)\n    return 0\n"
    told = trace_text(steps(shared_sandboxes[0], source, "f(99)"), source).splitlines()
    assert len(told) <= MOST_ROWS + 2
    assert told[0] == "1 | def f(n): | n=99"
    assert told[-1] == "3 |         return f(n - 1) | returns 0"


def test_whatever_is_told_stays_short():
    """Steps come from a process that may lie: lines that there are not, endless names and values."""
    huge = "x" * 1_000_000
    lies = [Step(function=huge, line=10**9, changed={huge: huge} | {str(n): huge for n in range(99)})] * 300
    lies += [
        Step(function="", line=0, changed={"steps left out": huge}),
        Step(function="", line=0),
        Step(function="", line=-5),
    ]
    told = trace_text(lies, SUM)
    assert len(told) < MOST_ROWS * 500
    assert trace_text([], SUM) == ""
    assert trace_text([Step(function="f", line=1)], "def f(:") == "1 | def f(:"


def test_a_lie_about_what_was_left_out_is_no_error():
    """Its number may be no number."""
    rounds = [Step(function="f", line=3), Step(function="", line=0, changed={"steps left out": "many"})] * 9
    assert "rounds" in trace_text(rounds, SUM)
