"""Many calls of two versions screened at once: on which do they seem to part?"""

from __future__ import annotations

import pytest

from tdgen.build.screening_job import screening_jobs
from tdgen.build.versions import VersionRunner
from tdgen.judge import Oracle
from tdgen.sandbox.local import LocalSandbox
from tdgen.types import Call, FunctionSpec, Limits, Parameter, Returns, World

SPEC = FunctionSpec(name="f", purpose="", parameters=(Parameter(name="x", type="int"),), returns=Returns(type="int"))
MODULE = "from __future__ import annotations\nimport sys\n\n\ndef f(x):\n    return x\n"
START = '\n\nif __name__ == "__main__":\n    raise SystemExit(f(sys.argv[1:]))\n'


@pytest.fixture(scope="module")
def runner():
    """A runner for versions of a module."""
    with LocalSandbox() as sandbox:
        oracle = Oracle(sandbox, "kit", "")
        yield lambda module=MODULE, **limits: VersionRunner(
            sandbox, oracle, SPEC, module, Limits(**{"wall_s": 0.5} | limits)
        )


def calls(*arguments: str, **more) -> list[Call]:
    return [Call(function="f", arguments=(argument,), **more) for argument in arguments]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("return x", "return x if x < 2 else -x"),
        ("return x", "return float(x) if x == 2 else x"),
        ("return x", "raise KeyError(x) if x == 2 else SystemExit(x)"),
        ("return x", "print('a' * (x == 2))\n    return x"),
        ("return {'a': 1, 'b': x}", "return {'b': -x if x == 2 else x, 'a': 1}"),
        ("return 1", "return 1 if x != 2 else [1].index(2)"),
        ("return 1", "open('a', 'w').close() if x == 2 else None\n    return 1"),
    ],
)
def test_a_call_on_which_they_part_is_picked(runner, one, other):
    """By what is returned, raised, printed and written; and where nothing differs none is."""
    versions = [f"def f(x):\n    {body}" for body in (one, other)]
    assert 1 in runner().likely(versions, calls("1", "2"))
    assert runner().likely([versions[0]] * 2, calls("1", "2")) == []


def test_an_argument_that_is_changed_counts(runner):
    """Also where nothing is returned."""
    versions = ["def f(x):\n    x.sort()", "def f(x):\n    pass"]
    assert runner().likely(versions, calls("[1, 2]", "[2, 1]")) == [1]


def test_order_in_a_set_and_a_mapping_does_not_count(runner):
    """Nor the last places of a float, nor where an object is in memory."""
    one = "class P:\n    pass\n\n\ndef f(x):\n    return {'a': 0.3, 'b': P()}"
    other = "class P:\n    pass\n\n\ndef f(x):\n    return {'b': P(), 'a': 0.1 + 0.2}"
    assert runner().likely([one, other], calls("1")) == []


@pytest.mark.parametrize("channel", ["stderr", "logs"])
def test_a_channel_counts_where_it_is_asked_for(runner, channel):
    """What is said beside the result is free else."""
    said = {"stderr": "print({}, file=sys.stderr)", "logs": "__import__('logging').getLogger('k').info({})"}[channel]
    versions = [f"import sys\n\n\ndef f(x):\n    {said.format(what)}\n    return x" for what in ("x", "-x")]
    assert runner().likely(versions, calls("0", "1")) == []
    assert runner().likely(versions, calls("0", "1"), channels=[channel]) == [1]


def test_a_script_has_its_words_files_and_input(runner):
    """It is started as by its last statement, and its exit code counts."""
    body = "import sys\n\n\ndef f(words):\n    text = open(words[0]).read() + sys.stdin.read()\n    return {}"
    versions = [body.format("len(text)"), body.format("len(text.strip())")]
    worlds = [World(script=("a.txt",), files={"a.txt": text}, stdin="x") for text in ("", " y", "z")]
    made = [Call(function="f", call="f()", world=world) for world in worlds]
    assert runner(MODULE + START).likely(versions, made) == [1]


def test_files_of_any_bytes_count_a_character_each():
    """So as many of them can be told together as of plain text."""
    world = World(files={"a": b"\xff" * 100_000})
    jobs = screening_jobs(["def f(x): pass"], "kit", calls(*map(str, range(20)), world=world), Limits(), "", ())
    assert len(next(jobs).probes[0].given["calls"]) > 2_000_000


def test_well_known_names_are_there(runner):
    """Of the call's own sources, whatever the version imports under them."""
    versions = [f"from datetime import datetime\n\n\ndef f(x):\n    return x.{part}" for part in ("day", "month")]
    assert runner().likely(versions, calls("datetime.date(2024, 3, 3)", "datetime.date(2024, 3, 4)")) == [1]


def test_what_hangs_ends_by_itself(runner):
    """Within a call's time, and the others are seen."""
    versions = ["def f(x):\n    while x == 1:\n        pass\n    return x", "def f(x):\n    return 2 * x"]
    assert runner().likely(versions, calls("0", "1", "2")) == [1, 2]


def test_what_waits_for_a_busy_machine_is_not_given_up(runner):
    """A call's time is the processor's."""
    versions = ["import time\ndef f(x):\n    time.sleep(0.2)\n    return 1", "def f(x):\n    return 1"]
    assert runner(wall_s=5.0, call_cpu_s=0.1).likely(versions, calls("1")) == []


@pytest.mark.parametrize("body", ["while True:\n        pass", "import time\n    time.sleep(9)"])
def test_what_hangs_on_every_call_is_given_up(runner, body):
    """What comes after its first calls is not looked at, and none of it is picked, whether it computes or waits."""
    versions = [f"def f(x):\n    {body}", "def f(x):\n    return x"]
    picked = runner(wall_s=0.1, call_cpu_s=0.04).within(0).likely(versions, calls(*map(str, range(100))))
    assert 0 < len(picked) <= 10
    assert max(picked) < 10


def test_where_nothing_can_be_seen_all_are_picked(runner):
    """A version that can't be executed says nothing of any call; nor does a world with a clock of its own."""
    assert runner().likely(["def f(x):\n    return x", "raise ValueError\ndef f(x): return x"], calls("1", "2")) == [
        0,
        1,
    ]
    timed = calls("1", world=World(clock="2024-01-01T00:00:00"))
    assert runner().likely(["def f(x):\n    return x"] * 2, timed) == [0]


def test_rows_tell_what_each_version_does(runner):
    """A script's exit code comes with what raised it, and what it logs where that is asked for."""
    log = "def f(x):\n    __import__('logging').warning('w')\n    return 3"
    (made, *_), (other, *_) = runner(MODULE + START).rows(
        [log, "def f(x):\n    return x"], [Call(function="f", call="f()", world=World(script=("a",)))], logs=True
    )
    assert (made.raised.exit_code, made.logs) == (3, (("root", "WARNING", "w"),))
    assert other.raised.exit_code == 1


def test_many_versions_share_a_process(runner):
    """Of each the first calls on which it parts are told; what does not end is cut off, what can't be run is None."""
    bodies = ["return x", "return x", "return abs(x)", "return -x", "while x > 1:\n        pass\n    return x"]
    right, *others = (f"def f(x):\n    {body}\n" for body in bodies)
    versions = [*others, "raise ValueError\n"]
    parted = runner().parted(right, versions, calls("0", "-1", "1", "2"), most=2, seconds=20)
    assert parted == [[], [1], [1, 2], [3], None]


def test_many_versions_are_ended_by_the_clock(runner):
    """What a program of its own computes is waited for, and is no time of this process's."""
    waiting = "import time\n\n\ndef f(x):\n    time.sleep(0.05)\n    return x\n"
    assert runner().parted(waiting, [waiting] * 2, calls("0", "1", "2", "3"), most=1, seconds=0.2) == [None, None]


def test_versions_that_are_too_much_text_for_one_job_are_compared_in_several(runner):
    """Each half of them has a job of its own, until it fits."""
    bodies = ("x + x", "2 * x", "x * 2", "x * x")  # the last is the same at 0 and 2
    longs = [f"def f(x):\n    return {body} if {'x' * 1_500_000!r} else {n}\n" for n, body in enumerate(bodies)]
    whole = "def f(x):\n    return 2 * x\n"
    parted = runner(cpu_s=30.0).parted(whole, longs, calls("0", "2", "3"), most=1, seconds=20)
    assert parted == [[], [], [], [2]]


def test_one_that_ends_its_process_takes_no_other_with_it(runner):
    """The others are told apart in two processes, and so on."""
    sources = [
        f"import os\n\n\ndef f(x):\n    {body}\n" for body in ("return x", "return -x", "os._exit(3)", "return x")
    ]
    right, *versions = sources
    assert runner().parted(right, versions, calls("1"), most=1, seconds=20) == [[0], None, []]
