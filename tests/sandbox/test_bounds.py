"""What a job's children tell is bounded for the job, and no frame tells more than the inside would."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tdgen.sandbox.inside.messages import MAX_FRAME
from tdgen.sandbox.observing import Evaluation
from tdgen.sandbox.server import Allowance
from tdgen.sandbox.warm import WarmSandbox
from tdgen.types import FileJob, Job, Limits, Probe
from tdgen.values.decode import decode

LIMITS = Limits(wall_s=20.0, cpu_s=20.0, memory_mb=512)
FORGING = """
import os, struct
def write(body):
    data = memoryview(struct.pack("=I", len(body)) + body)
    for fd in range(3, 64):
        rest = data
        try:
            while rest:
                rest = rest[os.write(fd, rest):]
        except OSError:
            pass
    os._exit(0)
"""
FLOOD = (
    FORGING
    + 'def f(n):\n    head = b\'{"index":%d,"status":"returned","last":true,"value":[\' % n\n'
    + f"    item = ITEM\n    write(head + item * (({MAX_FRAME} - 200) // len(item)) + b'0]}}')\n"
)
MEASURE = """
import json, resource, sys
from tdgen.sandbox.local import LocalSandbox
from tdgen.types import Job, Limits, Probe

def run(sandbox, source, count):
    probes = tuple(Probe(name=str(n), call=f"f({n})") for n in range(count))
    limits = Limits(wall_s=20.0, cpu_s=20.0, memory_mb=512)
    return sandbox.run(Job(module="m", source=source, probes=probes, limits=limits))

with LocalSandbox() as sandbox:
    run(sandbox, "def f(n):\\n    return n", 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for source, count in json.load(sys.stdin):
        run(sandbox, source, count)
        print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.slow  # it takes a process, and much memory
def test_the_hosts_memory_does_not_grow_with_the_probes() -> None:
    """Each probe tells as much as a frame holds, in what takes most when it is read."""
    # Of the first one frame takes no more than its own 8 MB when it is read, of the others about 180 MB.
    items = {"b'\"' + b'x' * 100000 + b'\",'": 24, "b'[],'": 4, "b'{\"\":0},'": 4, "b'[[]],' * 7": 4}
    jobs = json.dumps([(FLOOD.replace("ITEM", item), count) for item, count in items.items()])
    grown = subprocess.check_output([sys.executable, "-c", MEASURE], input=jobs, text=True)
    of_text, *of_items = map(int, grown.split())
    assert of_text < 180
    assert max(of_items) < 300


def told(sandbox: WarmSandbox, allowance: int, sizes: list[int]) -> list[tuple[str, str]]:
    """How probes fare that return texts of these sizes, where the job may tell so much."""
    probes = tuple(Probe(name=str(n), call=f"'x' * {size}") for n, size in enumerate(sizes))
    evaluation = Evaluation(Job(module="m", source="", probes=probes, limits=LIMITS))
    evaluation._allowance = Allowance(allowance)
    sandbox._on_server("probes", 0, evaluation.completed)
    return [(seen.status, seen.detail) for seen in evaluation.observations]


def test_a_probe_that_finds_no_room_was_not_run(sandbox: WarmSandbox) -> None:
    """That those before it told too much is none of its doing; what needs little still finds room."""
    seen = told(sandbox, 100_000, [40_000, 40_000, 40_000, 100])
    assert [status for status, _ in seen] == ["returned", "returned", "not_run", "returned"]
    assert seen[2][1] == "the probes before it told too much for one job"


def test_a_probe_that_would_never_find_room_is_unreadable(sandbox: WarmSandbox) -> None:
    """It has told too much by itself."""
    assert [status for status, _ in told(sandbox, 30_000, [100_000, 5])] == ["not_run", "returned"]


def test_output_is_cut_to_its_bound_in_characters(sandbox: WarmSandbox) -> None:
    """What is no text takes four characters for each byte of a stream, and four for three bytes of a file."""
    source = (
        "import sys\ndef f():\n    sys.stdout.buffer.write(b'\\xff' * 5000)\n    open('a', 'wb').write(b'\\xff' * 5000)"
    )
    job = Job(module="m", source=source, probes=(Probe(name="p", call="f()"),), limits=Limits(output_kb=1))
    seen = sandbox.run(job).observations[0]
    assert seen.status == "returned"
    assert (len(seen.stdout), len(seen.files["a"])) == (1024, 768)


@pytest.mark.parametrize(("written", "kind"), [("'é' * 5000", str), ("'€' * 5000", str), ("b'\\xff' * 5000", bytes)])
def test_of_a_long_file_the_beginning_is_told(sandbox: WarmSandbox, written: str, kind: type) -> None:
    """A text that is cut within a character stays a text, and bytes take no more room than one."""
    source = (
        f"def f():\n    data = {written}\n    open('a', 'wb').write(data if bytes == type(data) else data.encode())\n"
    )
    job = Job(module="m", source=source, probes=(Probe(name="p", call="f()"),), limits=Limits(output_kb=1))
    seen = sandbox.run(job).observations[0]
    assert seen.status == "returned"
    assert isinstance(seen.files["a"], kind)
    assert 300 < len(seen.files["a"]) <= 1024


@pytest.mark.parametrize("held", [{"base64": "A" * 5000}, {"base64": "&"}, {"base64": "", "more": 1}, {}])
def test_a_file_of_no_form_is_nonsense(sandbox: WarmSandbox, held: dict[str, object]) -> None:
    """A frame that the inside never makes, or one that tells too much."""
    told = {"index": 0, "status": "returned", "value": 1, "last": True, "files": {"a": held}}
    source = f"{FORGING}def f():\n    import json\n    write(json.dumps({told!r}).encode())\n"
    job = Job(module="m", source=source, probes=(Probe(name="p", call="f()"),), limits=Limits(output_kb=1))
    assert sandbox.run(job).observations[0].status == "unreadable"


@pytest.mark.parametrize("field", ["stdout", "stderr", "detail"])
def test_more_output_than_there_may_be_is_nonsense(sandbox: WarmSandbox, field: str) -> None:
    """No frame of the inside holds it."""
    told = {"index": 0, "status": "returned", "value": 1, "last": True, field: "x" * 5000}
    source = f"{FORGING}def f():\n    import json\n    write(json.dumps({told!r}).encode())\n"
    job = Job(module="m", source=source, probes=(Probe(name="p", call="f()"),), limits=Limits(output_kb=1))
    seen = sandbox.run(job).observations[0]
    assert (seen.status, seen.stdout, seen.stderr) == ("unreadable", "", "")


@pytest.mark.parametrize(
    "frame",
    [
        "{'test': 'x' * 8000000, 'outcome': 'passed'}",
        "{'test': 'test_it.py::test', 'outcome': 'x' * 8000000}",
        "{'finished': True, 'code': 0, 'log': 'x' * 3000000}",
    ],
)
def test_a_test_run_tells_no_more_than_pytest_would(sandbox: WarmSandbox, frame: str) -> None:
    """Names and outcomes of eight megabytes, or a log beyond its bound, are nobody's."""
    source = f"{FORGING}def test():\n    import json\n    write(json.dumps({frame}).encode())\n"
    report = sandbox.run_files(FileJob(files={"test_it.py": source}, tests=("test_it.py",), limits=LIMITS))
    assert not report.complete
    assert len(report.model_dump_json()) < 10_000


def test_a_job_is_parsed_within_its_own_limits(sandbox: WarmSandbox) -> None:
    """A large probe takes the process that it belongs to, and no memory beyond what the job may have."""
    given = [[]] * 1_000_000
    probes = (Probe(name="large", call="1", given={"x": given}), Probe(name="small", call="2"))
    limits = Limits(wall_s=20.0, memory_mb=64)
    report = sandbox.run(Job(module="m", source="", probes=probes, limits=limits))
    assert [seen.status for seen in report.observations] == ["died", "returned"]
    assert report.resources.peak_kb < 100 * 1024


def test_what_a_probe_starts_first_is_no_time_of_its_own(sandbox: WarmSandbox) -> None:
    """Its clock begins when its module was executed; when it is over the probe is late, and the next one is run."""
    source = (
        "import signal\n\nLEFT = signal.getitimer(0)[0]\n\n\n"
        "def f(hangs):\n    while hangs:\n        pass\n    return LEFT, signal.getitimer(0)[0] > 0\n"
    )
    probes = tuple(Probe(name=call, call=call) for call in ("f(False)", "f(True)", "f(False)"))
    limits = LIMITS.model_copy(update={"wall_s": 1.0, "start_s": 60.0})
    first, late, last = sandbox.run(Job(module="m", source=source, probes=probes, limits=limits)).observations
    assert (late.status, late.detail) == ("timeout", "no result within 1 s")
    assert [decode(one.value) for one in (first, last)] == [(0.0, True)] * 2
