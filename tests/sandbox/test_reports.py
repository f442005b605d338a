"""What a job's report says: one observation for each probe, whatever the candidate does, in each kind of sandbox."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from tdgen.sandbox.warm import WarmSandbox
from tdgen.types import Job, Limits, Observation, Probe, World

Observe = Callable[..., Observation]


def test_a_call_returns_its_value(observe: Observe) -> None:
    """Positional and keyword arguments are sources, evaluated inside."""
    seen = observe("def f(a, *, b):\n    return [a, b]", function="f", arguments=("1 + 1", "b='x'"))
    assert (seen.status, seen.value) == ("returned", [2, "x"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("*[1, 2]", "b=3"), "1 2 b=3"),
        (("n for n in 'xy'", "1"), "x,y 1"),
        (("1  # one", "-2", "b=[Decimal(2) for _ in range(1)]"), "1 -2 b=[Decimal('2')]"),
        (("b=1", "**{'b': 2}"), "b=2"),
        (("b=1", "b=2"), "b=2"),
        (("b=1", "2"), "2 b=1"),
        (("(m := 4)", "m"), "4 4"),
    ],
)
def test_arguments_are_all_that_a_call_may_have(observe: Observe, arguments: tuple[str, ...], told: str) -> None:
    """Starred, lazy, commented, out of order: all reach the function, of a name that comes twice the last."""
    source = "def f(*a, **k):\n    shown = [','.join(x) if hasattr(x, 'send') else f'{x}' for x in a]\n"
    source += "    return ' '.join(shown + [f'{name}={value}' for name, value in k.items()])"
    assert observe(source, function="f", arguments=arguments).value == told


def test_equal_arguments_are_two_objects(observe: Observe) -> None:
    """Code that compares by identity what is to be compared by `==` is told apart."""
    assert observe("def same(a, b):\n    return a is b", function="same", arguments=("'a b'", "'a b'")).value is False


def test_a_call_may_be_any_expression(observe: Observe) -> None:
    """An expression over the function stands in for the plain call."""
    seen = observe("def make(n):\n    return lambda m: n + m", call="make(3)(4)")
    assert seen.value == 7


def test_an_exception_is_told_by_its_classes_message_and_frames(observe: Observe) -> None:
    """Qualified names up to BaseException, and the lines of generated code with their locals."""
    source = "class Bad(ValueError):\n    pass\ndef f(n):\n    half = n / 2\n    raise Bad(f'no {half}')\n"
    raised = observe(source, function="f", arguments=("3",)).raised
    assert raised is not None
    assert raised.types == ("candidate.Bad", "builtins.ValueError", "builtins.Exception", "builtins.BaseException")
    assert raised.message == "no 1.5"
    (frame,) = raised.frames
    assert (frame.function, frame.line, frame.text) == ("f", 5, "raise Bad(f'no {half}')")
    assert frame.locals == {"n": "3", "half": "1.5"}


@pytest.mark.parametrize("source", ["raise ValueError('early')", "def f(:", "import sys; sys.exit(0)"])
def test_a_module_that_fails_is_not_a_call_that_raised(observe: Observe, source: str) -> None:
    """Whatever the module raises while it is executed is told, but never as what the call raised."""
    seen = observe(source, function="f")
    assert seen.status == "not_run"
    assert seen.raised is not None
    assert "the module could not be executed" in seen.detail


def test_a_failing_setup_or_argument_is_not_a_call_that_raised(observe: Observe) -> None:
    """An exception before the call is nobody's expected exception."""
    source = "def f(x):\n    return x"
    assert observe(source, setup="f(1 / 0)", function="f", arguments=("1",)).status == "not_run"
    assert observe(source, function="f", arguments=("1 / 0",)).status == "not_run"
    assert observe(source, function="missing").status == "not_run"


def test_a_failing_module_tells_its_line(observe: Observe) -> None:
    """A syntax error points at the line of the source."""
    raised = observe("x = 1\ndef f(:\n", function="f").raised
    assert raised is not None
    assert [(frame.line, frame.text) for frame in raised.frames] == [(2, "def f(:")]


def test_mutated_arguments_are_told_and_others_are_not(observe: Observe) -> None:
    """An argument that the call changed is told as it was left, by its place or its name."""
    source = "def f(a, b, *, c):\n    b.append(1)\n    c['k'] = a"
    seen = observe(source, function="f", arguments=("[0]", "[0]", "c={}"))
    assert set(seen.mutated) == {"1", "c"}
    assert seen.mutated["1"] == [0, 1]


def test_an_iterator_is_left_whole_for_the_call(observe: Observe) -> None:
    """Looking at the arguments takes nothing from them."""
    seen = observe("def f(xs):\n    return list(xs)", function="f", arguments=("iter([1, 2])",))
    assert seen.value == [1, 2]


def test_expressions_after_the_call_see_what_it_left(observe: Observe) -> None:
    """`after` is evaluated in the call's namespace; one that raises is a value like no other."""
    seen = observe(
        "def f(xs):\n    xs.clear()", setup="xs = [1]", function="f", arguments=("xs",), after=("xs", "xs[0]")
    )
    assert seen.after[0] == []
    assert seen.after[1]["$"] == "opaque"


def test_each_probe_has_the_module_afresh(sandbox: WarmSandbox) -> None:
    """State that a module keeps does not pass from one probe to the next."""
    source = "seen = []\ndef f(x):\n    seen.append(x)\n    return len(seen)"
    probes = tuple(Probe(name=str(n), function="f", arguments=(str(n),)) for n in range(3))
    report = sandbox.run(Job(module="stateful", source=source, probes=probes))
    assert [seen.value for seen in report.observations] == [1, 1, 1]


def test_well_known_names_need_no_import(observe: Observe) -> None:
    """Case source may name the standard library's modules and well-known classes."""
    source = "def f(x):\n    return x"
    assert observe(source, call="f(math.floor(Decimal('2.5')) + len(list(islice(count(), 3))))").value == 5
    assert observe(source, call="datetime(2024, 1, 2).day").value == 2
    assert observe(source, call="datetime.date(2024, 1, 3).day").value == 3
    assert observe(source, call="asyncio.run(asyncio.sleep(0, 'done'))").value == "done"


def test_what_the_candidate_imports_does_not_change_a_case(observe: Observe) -> None:
    """`datetime` means the same in a case whether the candidate imported the module or the class of that name."""
    for line in ("import datetime", "from datetime import datetime", "import math as datetime"):
        assert (
            observe(f"{line}\ndef f(x):\n    return x.year", function="f", arguments=("datetime(2024, 1, 2)",)).value
            == 2024
        )


def test_what_the_candidate_defines_comes_first(observe: Observe) -> None:
    """A class of the module's own is not mistaken for the standard library's of that name."""
    assert (
        observe("class Counter:\n    n = 5\ndef f(c):\n    return c.n", function="f", arguments=("Counter()",)).value
        == 5
    )


def test_a_world_gives_files_stdin_environment_clock_and_seed(observe: Observe) -> None:
    """All that surrounds a call can be given."""
    source = (
        "import os, random, sys, time\nfrom datetime import date, datetime\n"
        "def f():\n    return [open('in/a.txt').read(), input(), sys.stdin.read(), os.environ['WHO'],\n"
        "            date.today().isoformat(), datetime.now().isoformat(), time.time(), random.random()]"
    )
    world = World(
        files={"in/a.txt": "text"}, stdin="one\ntwo", environment={"WHO": "me"}, clock="2024-02-29T12:30:00Z", seed=7
    )
    expected = ["text", "one", "two", "me", "2024-02-29", "2024-02-29T12:30:00", 1709209800.0, 0.32383276483316237]
    assert observe(source, function="f", world=world).value == expected


def test_values_made_under_a_frozen_clock_are_real(observe: Observe) -> None:
    """Stopping the clock changes what time it is, not what a datetime is."""
    source = (
        "from datetime import datetime, timedelta\n"
        "def f():\n    now = datetime.now()\n"
        "    return [isinstance(now, datetime), now + timedelta(1) > now, type(datetime(2020, 1, 1)) is type(now),\n"
        "            datetime.strptime('2020', '%Y').year, issubclass(datetime, datetime)]"
    )
    assert observe(source, function="f", world=World(clock="2024-01-01")).value == [True, True, True, 2020, True]


def test_the_environment_is_only_the_worlds(sandbox: WarmSandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the host's environment is seen inside."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    with type(sandbox)() as fresh:
        probe = Probe(name="env", call="sorted(__import__('os').environ)", world=World(environment={"MINE": "1"}))
        value = fresh.run(Job(module="m", source="", probes=(probe,))).observations[0].value
    assert isinstance(value, list)
    assert [name for name in value if not str(name).endswith("_NUM_THREADS")] == [
        *("HOME", "LANG", "MINE", "PATH", "PYTHONHASHSEED", "TMPDIR", "TZ")
    ]


def test_what_is_printed_and_written_is_told(observe: Observe) -> None:
    """Both streams, and all files that are there afterwards."""
    source = (
        "import sys\ndef f():\n    print('out')\n    print('err', file=sys.stderr)\n"
        "    open('new.txt', 'w').write('n')\n    open('old.txt', 'a').write('+')"
    )
    seen = observe(source, function="f", world=World(files={"old.txt": "o", "same.txt": "s"}))
    assert (seen.stdout, seen.stderr) == ("out\n", "err\n")
    assert seen.files == {"new.txt": "n", "old.txt": "o+", "same.txt": "s"}


def test_bytes_are_given_and_told_as_they_are(observe: Observe) -> None:
    """Files and standard input that are no text; a text that looks like their escapes is another thing."""
    source = (
        "import sys\ndef f():\n    data = open('in.bin', 'rb').read() + sys.stdin.buffer.read()\n"
        "    open('out.bin', 'wb').write(data[::-1])\n    open('out.txt', 'w').write('\\\\xff')\n    return data"
    )
    seen = observe(
        source, call="f() == b'\\x89\\x00\\xfe\\xff'", world=World(files={"in.bin": b"\x89\0"}, stdin=b"\xfe\xff")
    )
    assert seen.value is True
    assert seen.files == {"in.bin": b"\x89\0", "out.bin": b"\xff\xfe\0\x89", "out.txt": "\\xff"}


def test_a_setup_may_put_a_stream_of_its_own_in_place(observe: Observe) -> None:
    """To look at what is said on standard error: the call's result can be told all the same."""
    source = "import sys\ndef f():\n    print('out')\n    print('err', file=sys.stderr)\n    return 2"
    setup = "import gc, io, sys\nsys.stderr = said = io.StringIO()\ngc.collect()"
    seen = observe(source, setup=setup, call="[f(), said.getvalue()]")
    assert (seen.status, seen.value, seen.stdout, seen.stderr) == ("returned", [2, "err\n"], "out\n", "")


def test_output_is_bounded(observe: Observe) -> None:
    """More output than the limit is cut, and the program goes on."""
    seen = observe("def f():\n    print('x' * 5000)\n    return 1", limits=Limits(output_kb=1), function="f")
    assert (len(seen.stdout), seen.value) == (1024, 1)


def test_given_values_are_bound_as_python_objects(observe: Observe) -> None:
    """Wire values come to life under their names."""
    given = {"result": {"$": "tuple", "items": [1, 2]}, "xs": [3]}
    assert observe("", given=given, call="result + tuple(xs)").value == {"$": "tuple", "items": [1, 2, 3]}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("import os; os._exit(3)", "died"),
        ("while True: pass", "timeout"),
        ("import os; os.kill(os.getpid(), 11)", "died"),
        ("return [[0] * 10**6] * 10", "unreadable"),
    ],
)
def test_a_probe_that_ends_badly_does_not_take_the_others_along(sandbox: WarmSandbox, body: str, status: str) -> None:
    """There is one observation for each probe, in order, and those after the bad one are as good as any."""
    source = f"def bad():\n    {body}\ndef good():\n    return 1\n"
    probes = tuple(
        Probe(name=f"{n}{name}", function=name) for n, name in enumerate(("good", "bad", "good", "bad", "good"))
    )
    report = sandbox.run(Job(module="m", source=source, probes=probes, limits=Limits(wall_s=0.4, memory_mb=256)))
    assert [seen.name for seen in report.observations] == [probe.name for probe in probes]
    assert [seen.status for seen in report.observations] == ["returned", status, "returned", status, "returned"]


@pytest.mark.parametrize(
    ("body", "status", "at_once"),
    [
        ("import os; os._exit(3)", "died", False),
        ("import time; time.sleep(9)", "timeout", False),
        ("import os; os._exit(3)", "died", True),
    ],
)
def test_a_job_that_stops_early_runs_nothing_after_the_first_bad_end(
    sandbox: WarmSandbox, body: str, status: str, at_once: bool
) -> None:
    """A probe that dies or runs out of time is the last one run; those after it are told as not run, known or not."""
    source = f"def bad():\n    {body}\ndef good():\n    return 1\n"
    probes = tuple(Probe(name=f"{n}{name}", function=name) for n, name in enumerate(("good", "bad", "good", "bad")))
    limits = Limits(wall_s=0.4, memory_mb=256)
    report = sandbox.run(Job(module="m", source=source, probes=probes, limits=limits, stop_early=True, at_once=at_once))
    assert [seen.name for seen in report.observations] == [probe.name for probe in probes]
    assert [seen.status for seen in report.observations] == ["returned", status, "not_run", "not_run"]


def test_a_job_that_stops_early_goes_on_after_an_exception(sandbox: WarmSandbox) -> None:
    """What a call raises, or that it can't be told, is an observation like any other: the next probe is run."""
    source = "import threading, time\ndef f(n):\n    return 1 / n\ndef g():\n    return object()\n"
    source += "def h():\n    threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n"
    probes = tuple(Probe(name=call, call=call) for call in ("f(0)", "g()", "missing()", "h()", "f(1)"))
    report = sandbox.run(Job(module="m", source=source, probes=probes, stop_early=True))
    assert report.observations[0].status == "raised"
    assert (report.observations[-1].status, report.observations[-1].value) == ("returned", 1.0)


def test_a_process_that_does_not_want_to_end_is_ended(sandbox: WarmSandbox) -> None:
    """What was told counts, and the next job finds nothing of it."""
    source = "import os, time\ndef f():\n    os._exit = lambda code: time.sleep(60)\n    return 1\n"
    for _ in range(2):
        report = sandbox.run(Job(module="m", source=source, probes=(Probe(name="p", function="f"),)))
        assert report.observations[0].value == 1
        assert report.resources.wall_s < 30


def test_a_death_is_described(observe: Observe) -> None:
    """The detail of a death says how: an exit code or a signal."""
    assert "exit code 3" in observe("import os\ndef f():\n    os._exit(3)", function="f").detail
    assert "SIGSEGV" in observe("import os\ndef f():\n    os.kill(os.getpid(), 11)", function="f").detail


def test_too_much_cpu_time_is_a_timeout(observe: Observe) -> None:
    """Threads that use up the CPU limit before the wall clock does are told as such."""
    seen = observe("def f():\n    while True:\n        pass", limits=Limits(wall_s=60, cpu_s=0.5), function="f")
    assert seen.status == "timeout"
    assert "CPU" in seen.detail


def test_a_probe_may_have_a_limit_of_its_own(sandbox: WarmSandbox) -> None:
    """Of the processor's time: one that waits longer than that comes to its end, one that computes is ended."""
    source = "import time\ndef f(busy):\n    time.sleep(0.3)\n    while busy:\n        pass\n    return 1"
    probes = tuple(Probe(name=busy, call=f"f({busy})") for busy in ("False", "True", "False"))
    limits = Limits(wall_s=20, cpu_s=20, call_cpu_s=0.2)
    seen = sandbox.run(Job(module="m", source=source, probes=probes, limits=limits)).observations
    assert [one.status for one in seen] == ["returned", "timeout", "returned"]
    assert seen[1].detail == "more than 0.2 s of CPU time"


def test_a_denial_is_reported(sandbox: WarmSandbox) -> None:
    """What the system refused is told with the line that met it."""
    source = "import socket\ndef f():\n    return socket.create_connection(('127.0.0.1', 9))"
    report = sandbox.run(Job(module="m", source=source, probes=(Probe(name="p", function="f"),)))
    assert len(report.denied) == 1
    assert "socket.create_connection" in report.denied[0]


def test_resources_are_measured(sandbox: WarmSandbox) -> None:
    """Seconds and KiB, of the whole job."""
    source = "def f():\n    return len(bytearray(50 * 2**20))"
    resources = sandbox.run(Job(module="m", source=source, probes=(Probe(name="p", function="f"),))).resources
    assert resources.peak_kb > 50 * 1024
    assert 0 < resources.cpu_s < 5
    assert resources.wall_s > 0


def test_files_written_are_measured(sandbox: WarmSandbox) -> None:
    """What all probes' files take at the end."""
    source = "def f():\n    with open('file', 'w') as file:\n        file.write('x' * 2**20)"
    report = sandbox.run(Job(module="m", source=source, probes=tuple(Probe(name=n, function="f") for n in "ab")))
    assert 2048 <= report.resources.written_kb < 2200


def test_a_job_without_probes_is_an_empty_report(sandbox: WarmSandbox) -> None:
    """Nothing asked, nothing observed."""
    assert sandbox.run(Job(module="m", source="", probes=())).observations == ()


def test_several_jobs_run_at_once(sandbox: WarmSandbox) -> None:
    """Threads may share a sandbox; each gets its own answers."""

    def square(n: int) -> object:
        job = Job(module="m", source="def f(n):\n    return n * n", probes=(Probe(name="p", call=f"f({n})"),))
        return sandbox.run(job).observations[0].value

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(square, range(40))) == [n * n for n in range(40)]


def test_what_is_logged_is_told_where_it_is_asked_for(observe: Observe) -> None:
    """Every record that reaches the root logger, whatever the levels; nothing is heard where nobody asks."""
    source = (
        "import logging\nlog = logging.getLogger('app.db')\n"
        "def f():\n    log.debug('open %s', 'a')\n    logging.warning('full')\n"
    )
    told = (("app.db", "DEBUG", "open a"), ("root", "WARNING", "full"))
    assert observe(source, function="f", logs=True).logs == told
    assert observe(source, function="f").logs == ()


def test_a_log_handler_that_is_left_behind_is_gone_for_the_next(sandbox: WarmSandbox) -> None:
    """So are levels and loggers: each probe finds logging as Python has it."""
    source = (
        "import logging\n\ndef f():\n    root, known = logging.root, logging.root.manager.loggerDict\n"
        "    before = len(root.handlers), root.level, 'a' in known\n"
        "    logging.basicConfig(level=1)\n    logging.getLogger('a').setLevel(50)\n    return before\n"
    )
    probes = (Probe(name="one", function="f"), Probe(name="two", function="f"))
    one, two = sandbox.run(Job(module="candidate", source=source, probes=probes)).observations
    assert one.value == two.value


def test_what_came_of_the_call_is_there_afterwards_as_it_is(observe: Observe) -> None:
    """The result and the exception themselves: identity and attributes can be asked for; a name of the setup stays."""
    source = "def f(x):\n    return x\n\nclass Bad(Exception):\n    place = 3\n\ndef g():\n    raise Bad\n"
    assert observe(source, setup="x = []", call="f(x)", after=("result is x",)).after == (True,)
    assert observe(source, function="g", after=("error.place",)).after == (3,)
    assert observe(source, setup="result = 7", call="f(1)", after=("result",)).after == (7,)


def test_an_exception_does_not_pass_for_one_of_pythons(observe: Observe) -> None:
    """A class that lies about its module is told under the candidate's own."""
    liar = "class Liar(ValueError):\n    __module__, __qualname__ = 'builtins', 'KeyError'\n"
    source = f"{liar}\ndef f():\n    raise Liar('x')\n"
    raised = observe(source, function="f").raised
    assert raised is not None
    assert raised.types[:2] == ("candidate.KeyError", "builtins.ValueError")
