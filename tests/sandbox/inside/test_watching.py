"""Watched runs: lines, arcs and steps, alike in each kind of sandbox and on each Python, and never a verdict."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tdgen.errors import SandboxError
from tdgen.sandbox import interpreter
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.warm import WarmSandbox
from tdgen.types import Job, Limits, Observation, Probe, Step

Watched = Callable[..., Observation]

COUNT = """
TOP = [n for n in range(3)]
def total(xs):
    found = 0
    for x in xs:
        if x > 2:
            found += x
    return found
"""

USUAL = Limits()


@pytest.fixture
def watched(sandbox: WarmSandbox) -> Watched:
    """Runs one watched probe: `watched(source, "lines", call=…)`."""

    def run(source: str, watch: str, limits: Limits = USUAL, **probe: str) -> Observation:
        job = Job(module="m", source=source, probes=(Probe(name="p", **probe),), limits=limits)
        return sandbox.run(job.model_copy(update={"watch": watch})).observations[0]

    return run


def told(steps: tuple[Step, ...]) -> list[tuple[int, dict[str, str]]]:
    return [(step.line, step.changed) for step in steps]


def test_lines_and_the_arcs_between_them_are_told(watched: Watched) -> None:
    """Those of functions alone; a function is entered from -1 and left to it."""
    seen = watched(COUNT, "lines", call="total([1, 3])")
    assert (seen.status, seen.value) == ("returned", 3)
    assert seen.lines == (4, 5, 6, 7, 8)
    assert seen.arcs == ((-1, 4), (4, 5), (5, 6), (5, 8), (6, 5), (6, 7), (7, 5), (8, -1))
    assert seen.steps == ()


def test_what_the_setup_reaches_counts_as_lines_and_is_no_step(watched: Watched) -> None:
    """Coverage is of the whole case, a trace of its call alone."""
    source = "def make():\n    return [1]\ndef f(xs):\n    return xs\n"
    assert watched(source, "lines", setup="xs = make()", call="f(xs)").lines == (2, 4)
    assert {step.function for step in watched(source, "values", setup="xs = make()", call="f(xs)").steps} == {"f"}


def test_a_run_that_nobody_watches_tells_nothing_of_its_lines(watched: Watched) -> None:
    """Watching is asked for."""
    seen = watched(COUNT, "", call="total([1, 3])")
    assert (seen.lines, seen.arcs, seen.steps) == ((), (), ())


def test_an_exception_is_no_branch(watched: Watched) -> None:
    """No arc leads from the line that raised, neither to its handler nor out of the function."""
    source = "def f(x):\n    if x[0]:\n        return 1\n"
    source += "def g(x):\n    try:\n        f(x)\n    except IndexError:\n        return 2\n"
    seen = watched(source, "lines", call="g([])")
    assert seen.lines == (2, 5, 6, 7, 8)
    assert (2, -1) not in seen.arcs
    assert (6, 7) not in seen.arcs


def test_a_comprehension_is_not_taken_for_its_line(watched: Watched) -> None:
    """Its own entry and exit would look like those of the function it stands in."""
    source = "def f(xs):\n    if any(x for x in xs):\n        return 1\n    return 2\n"
    assert watched(source, "lines", call="f([1])").arcs == ((-1, 2), (2, 3), (3, -1))


def test_the_end_of_an_iterator_is_a_branch(watched: Watched) -> None:
    """Although it is an exception inside: of an iterator of one's own, of a generator, of an asynchronous one."""
    source = (
        "class Two:\n    def __init__(self):\n        self.n = 0\n    def __iter__(self):\n        return self\n"
        "    def __next__(self):\n        self.n += 1\n"
        "        if self.n > 2:\n            raise StopIteration\n        return 1\n"
        "async def ticks():\n    yield 1\nasync def f():\n    for x in Two():\n        x += 1\n"
        "    async for y in ticks():\n        y += 1\n    return 3\n"
    )
    arcs = watched(source, "lines", call="asyncio.run(f())").arcs
    assert {(14, 15), (14, 16), (16, 17), (16, 18), (18, -1)} <= set(arcs)


def test_steps_tell_what_each_line_changed(watched: Watched) -> None:
    """The `def` sets the arguments; a return says what is handed back."""
    assert told(watched(COUNT, "values", call="total([1, 3])").steps) == [
        (3, {"xs": "[1, 3]"}),
        (4, {"found": "0"}),
        (5, {"x": "1"}),
        (6, {}),
        (5, {"x": "3"}),
        (6, {}),
        (7, {"found": "3"}),
        (5, {}),
        (8, {"return": "3"}),
    ]


def test_what_a_call_inside_hands_back_is_told_after_it(watched: Watched) -> None:
    """Steps stand in the order of time: a line that called another function is told again with what it made of it."""
    source = "def g(n):\n    return n + 1\ndef f(n):\n    m = g(n)\n    return m\n"
    assert told(watched(source, "values", call="f(1)").steps) == [
        (3, {"n": "1"}),
        (4, {}),
        (1, {"n": "1"}),
        (2, {"return": "2"}),
        (4, {"m": "2"}),
        (5, {"return": "2"}),
    ]


def test_a_generator_is_told_as_it_goes_on(watched: Watched) -> None:
    """What it yields, and that it ends."""
    steps = watched("def f(n):\n    for i in range(n):\n        yield i\n", "values", call="f(2)").steps
    assert told(steps)[2:] == [(3, {"yield": "0"}), (2, {"i": "1"}), (3, {"yield": "1"}), (2, {"return": "None"})]


def test_many_steps_are_cut_to_the_first_and_the_last(watched: Watched) -> None:
    """A hundred, one that says how many are missing, two hundred."""
    steps = watched("def f(n):\n    while n:\n        n -= 1\n    return n\n", "values", call="f(1000)").steps
    assert len(steps) == 301
    assert steps[100] == Step(function="", line=0, changed={"steps left out": "1703"})
    assert steps[-1] == Step(function="f", line=4, changed={"return": "0"})


def test_a_clock_that_a_probe_breaks_is_not_what_the_next_is_watched_by(sandbox: WarmSandbox) -> None:
    """Its end is looked for by the clock that was there before any code was run."""
    probes = (Probe(name="a", setup="import time\ntime.monotonic = time.process_time = None", call="total([])"),)
    for limits in (USUAL, Limits(call_cpu_s=1.0)):
        job = Job(module="m", source=COUNT, probes=(*probes, Probe(name="b", call="total([1])")), limits=limits)
        seen = sandbox.run(job.model_copy(update={"watch": "lines"})).observations
        assert [one.status for one in seen] == ["returned", "returned"]


def test_an_endless_loop_is_told_by_its_steps(watched: Watched) -> None:
    """It is given up before it is killed, by the clock or the processor's time, so that what it did can be seen."""
    source = "def f():\n    print('on')\n    n = 0\n    while True:\n        n += 1\n"
    for watch, limits in (("lines", Limits(wall_s=1.0)), ("values", Limits(wall_s=20.0, call_cpu_s=0.3))):
        seen = watched(source, watch, limits, call="f()")
        assert seen.status == "timeout"
        assert seen.stdout == "on\n", seen.detail
    assert seen.steps[-1].line in (4, 5)


def test_values_are_short_and_the_same_in_each_run(watched: Watched) -> None:
    """Whatever they are: long, without a repr, with one that raises, or one that tells its address."""
    source = (
        "class Plain:\n    def __init__(self, x):\n        self.x = x\n"
        "class Bad:\n    def __repr__(self):\n        raise SystemExit\n"
        "def f():\n    plain = Plain(Plain(object()))\n    bad = Bad()\n"
        "    data = b'x' * 10**7\n    text = 'y' * 10**7\n"
        "    return len(text)\n"
    )
    steps = watched(source, "values", call="f()").steps
    changed = {name: text for step in steps if step.function == "f" for name, text in step.changed.items()}
    assert changed["plain"] == "Plain(x=Plain(x=<object object>))"
    assert changed["bad"] == "<m.Bad, whose repr raised builtins.SystemExit>"
    assert max(map(len, changed.values())) <= 120


@pytest.mark.parametrize(
    "body",
    [
        "import sys; sys.settrace(None)",
        "import sys; sys.settrace(lambda *a: None)",
        "import sys; vars(getattr(sys, 'monitoring', lambda: 0)).clear()",
        "import sys; m = getattr(sys, 'monitoring', None); m and (m.free_tool_id(1), m.use_tool_id(1, 'mine'))",
    ],
)
@pytest.mark.parametrize("watch", ["lines", "values"])
def test_whoever_ends_the_watching_ends_nothing_else(watched: Watched, body: str, watch: str) -> None:
    """The observation of the call is what it would be unwatched."""
    seen = watched(f"def f():\n    {body}\n    return 2\n", watch, call="f()")
    assert (seen.status, seen.value) == ("returned", 2)
    early = watched(f"{body}\ndef f():\n    return 2\n", watch, call="f()")
    assert (early.status, early.value) == ("returned", 2)


def test_deep_recursion_is_an_ordinary_exception(watched: Watched) -> None:
    """Where the recorder itself meets the limit, the run goes on."""
    source = "def f(n):\n    return f(n + 1)\n"
    source += "def g():\n    try:\n        f(0)\n    except RecursionError:\n        return 'deep'\n"
    for watch in ("lines", "values"):
        assert watched(source, watch, call="g()").value == "deep"


def test_each_probe_is_watched_by_itself(sandbox: WarmSandbox) -> None:
    """Probes of one job share a process; what one reached is not counted for the next."""
    probes = tuple(Probe(name=call, call=call) for call in ("total([3])", "total([])", "1 +", "total([1])"))
    seen = sandbox.run(Job(module="m", source=COUNT, probes=probes, watch="lines")).observations
    assert [run.lines for run in seen] == [(4, 5, 6, 7, 8), (4, 5, 8), (), (4, 5, 6, 8)]


@pytest.mark.slow  # each starts another interpreter
@pytest.mark.parametrize("version", ["3.9", "3.10", "3.12", "3.13"])
def test_other_versions_tell_the_same(version: str) -> None:
    """Versions that are not installed here are passed over."""
    try:
        interpreter.find(version)
    except SandboxError:
        pytest.skip(f"there is no Python {version} here")
    source = (
        COUNT + "def g(xs):\n    try:\n        return total(xs) // 0\n    except ZeroDivisionError:\n        return 1\n"
    )
    probes = (Probe(name="p", call="g([1, 3])"),)
    jobs = [Job(module="m", source=source, probes=probes, watch=watch) for watch in ("lines", "values")]
    with LocalSandbox(version) as other, LocalSandbox() as own:
        for job in jobs:
            one, two = (box.run(job).observations[0] for box in (other, own))
            assert (one.lines, one.arcs, told(one.steps)) == (two.lines, two.arcs, told(two.steps))
