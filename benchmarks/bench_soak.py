"""Does the sandbox leak? Run `python benchmarks/bench_soak.py`: 10,000 runs in a row, one in ten of them hostile.

Figures are taken before, on the way and after: processes, open descriptors, files in the temporary folder and in the
scratch folders, memory of this process and of the servers. What is paid once (the servers, their caches) is there
before: the first runs are not counted. What still grows from row to row is a leak. A container's processes are those
that docker tells of; their descriptors and scratch folders are read as root alone.

At the end each figure has a line with its bar; where one is missed, the exit code is 1.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from tdgen.errors import SandboxError
from tdgen.protocols import Sandbox
from tdgen.sandbox.conformance import LIMITS, escape, site
from tdgen.sandbox.docker import DockerSandbox
from tdgen.sandbox.programs import Awkward, Hostile, awkward, hostile
from tdgen.sandboxes import open_sandbox
from tdgen.types import FileJob, Job, Probe

WARM_UP, CHUNK, ROWS = 500, 100, 5
LATE, MOST_MIB = 3, 50
IMPATIENT, PATIENT = (LIMITS.model_copy(update={"wall_s": seconds}) for seconds in (0.2, 10.0))
SOURCE = "def add(a, b):\n    return a + b\n"
PLAIN = Job(module="plain", source=SOURCE, probes=tuple(Probe(name=str(n), call=f"add({n}, 1)") for n in range(8)))
FILES = FileJob(
    files={"plain.py": SOURCE, "test_plain.py": "from plain import add\ndef test_add():\n    assert add(1, 1) == 2\n"},
    tests=("test_plain.py",),
)


class Run(NamedTuple):
    """Something to run, and how long it may take: `act` tells what came of it, and whether that was right."""

    sort: str
    limit_s: float
    act: Callable[[Sandbox], tuple[str, bool]]


class Came(NamedTuple):
    """What came of a run; `late` where it took more than three times its limit."""

    what: str
    right: bool
    late: bool


class Figures(NamedTuple):
    """What a sandbox holds at one moment; memory is resident, in MiB."""

    processes: int
    zombies: int
    own_fds: int
    server_fds: int
    temporary: int
    scratch: int
    own_mib: float
    servers_mib: float


def descendants(pid: int) -> list[int]:
    """The processes that `pid` started, and all that those did."""
    parents = {int(path.name): _status(path).get("PPid") for path in Path("/proc").iterdir() if path.name.isdigit()}
    found, fresh = [], {pid}
    while fresh:
        fresh = {child for child, parent in parents.items() if parent and int(parent) in fresh}
        found += sorted(fresh)
    return found


def contained(sandbox: DockerSandbox) -> list[int]:
    """The processes in its container, as this machine numbers them."""
    import docker

    with closing(docker.from_env()) as client:
        return [int(row[0]) for row in client.api.top(sandbox.container_id, "-eo pid")["Processes"]]


def figures(sandbox: Sandbox | None = None) -> Figures:
    """Taken now, when nothing runs."""
    gc.collect()
    time.sleep(0.3)  # spare children confine themselves meanwhile
    servers = descendants(os.getpid()) + (contained(sandbox) if isinstance(sandbox, DockerSandbox) else [])
    statuses = [_status(Path("/proc", str(pid))) for pid in servers]
    temporary = list(Path(tempfile.gettempdir()).iterdir())
    scratches = {_identity(path): path for pid in servers for path in [Path(f"/proc/{pid}/root/scratch")]}
    return Figures(
        processes=len(servers),
        zombies=sum(status.get("State", "").startswith("Z") for status in statuses),
        own_fds=_count(Path("/proc/self/fd")),
        server_fds=sum(_count(Path(f"/proc/{pid}/fd")) for pid in servers),
        temporary=len(temporary) + sum(_count(folder) for folder in temporary),
        scratch=sum(_count(path) for path in scratches.values()),
        own_mib=_mib(_status(Path("/proc/self"))),
        servers_mib=sum(_mib(status) for status in statuses),
    )


def _status(process: Path) -> dict[str, str]:
    """The lines of a process' status; none where it has ended meanwhile."""
    try:
        lines = (process / "status").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _mib(status: dict[str, str]) -> float:
    return int(status.get("VmRSS", "0").split()[0]) / 1024


def _count(folder: Path) -> int:
    try:
        return sum(1 for _ in folder.iterdir())
    except OSError:
        return 0


def _identity(path: Path) -> tuple[int, int]:
    """Which folder it really is: a server and its children see the same."""
    try:
        facts = path.stat()
    except OSError:
        return 0, 0
    return facts.st_dev, facts.st_ino


def runs(outside: dict[str, Any]) -> Iterator[Run]:
    """Endlessly: of ten runs one hostile and one awkward, of fifty one of pytest, the others eight plain cases each."""
    attacks, oddities = itertools.cycle(hostile()), itertools.cycle(awkward())
    for number in itertools.count():
        if number % 10 == 0:
            yield attacking(next(attacks), f"attempt({outside!r})")
        elif number % 10 == 5:
            yield being_odd(next(oddities))
        elif number % 50 == 1:
            yield Run("pytest", FILES.limits.wall_s, testing)
        else:
            yield Run("plain", PLAIN.limits.wall_s * len(PLAIN.probes), adding)


def attacking(program: Hostile, call: str) -> Run:
    """A hostile program. Right is all but getting through; many end by the clock, which is short here."""
    job = Job(module="hostile", source=program.source, probes=(Probe(name="hostile", call=call),), limits=IMPATIENT)

    def act(sandbox: Sandbox) -> tuple[str, bool]:
        seen = sandbox.run(job).observations[0]
        got_through = "" if seen.status == "timeout" else escape(program, seen)
        return f"{program.name}: {got_through}" if got_through else seen.status, not got_through

    return Run("hostile", IMPATIENT.wall_s, act)


def being_odd(program: Awkward) -> Run:
    """An awkward program. Right is what it must return, however busy the machine is."""
    job = Job(module="awkward", source=program.source, probes=(Probe(name="odd", call="attempt()"),), limits=PATIENT)

    def act(sandbox: Sandbox) -> tuple[str, bool]:
        seen = sandbox.run(job).observations[0]
        right = (seen.status, seen.value) == ("returned", program.value)
        return seen.status if right else f"{program.name}: {seen.status}", right

    return Run("awkward", PATIENT.wall_s, act)


def adding(sandbox: Sandbox) -> tuple[str, bool]:
    """The plain cases."""
    seen = sandbox.run(PLAIN).observations
    return seen[-1].status, [one.value for one in seen] == [number + 1 for number in range(len(PLAIN.probes))]


def testing(sandbox: Sandbox) -> tuple[str, bool]:
    """The pytest file."""
    passed = sandbox.run_files(FILES).passed
    return "passed" if passed else "failed", passed


def timed(sandbox: Sandbox, run: Run) -> Came:
    """What comes of a run, and whether in time."""
    began = time.monotonic()
    try:
        what, right = run.act(sandbox)
    except SandboxError as error:
        what, right = str(error), False
    return Came(f"{run.sort} {what}", right, time.monotonic() - began > LATE * run.limit_s)


def soak(sandbox: Sandbox, count: int, threads: int) -> dict[str, float]:
    """Run so many, in rows with the figures after each; what has a bar, by name."""
    came: Counter[Came] = Counter()
    print(f"{'runs':>8s} {'seconds':>8s}", *(f"{name:>11s}" for name in Figures._fields))
    with site() as outside, ThreadPoolExecutor(threads) as executor:
        endless = runs(outside.names)
        list(executor.map(lambda run: timed(sandbox, run), itertools.islice(endless, WARM_UP)))
        first = figures(sandbox)
        _row(0, 0.0, first)
        done, seconds, last = 0, 0.0, first
        for row in range(1, ROWS + 1):
            began = time.monotonic()
            while chunk := list(itertools.islice(endless, min(CHUNK, count * row // ROWS - done))):
                came.update(executor.map(lambda run: timed(sandbox, run), chunk))
                done += len(chunk)
            seconds += time.monotonic() - began
            last = figures(sandbox)
            _row(done, seconds, last)
        touched = outside.touched()
    grown = Figures(*(after - before for before, after in zip(first, last, strict=True)))
    _row("growth", seconds, grown)
    print("\nwhat came of them:", ", ".join(f"{number} {one.what}" for one, number in sorted(came.items())))
    print(f"{count / seconds:.0f} runs a second on {threads} threads")
    wrong = sum(number for one, number in came.items() if not one.right)
    return {
        "entries left in scratch folders": grown.scratch,
        "files left in the temporary folder": grown.temporary,
        "processes left": grown.processes + grown.zombies,
        "descriptors left": grown.own_fds + grown.server_fds,
        "wrong verdicts": wrong + bool(touched),
        "MiB that this process grew by": grown.own_mib,
        "runs above three times their limit": sum(number for one, number in came.items() if one.late),
    }


def _row(name: object, seconds: float, taken: tuple[float, ...]) -> None:
    values = (f"{value:11.1f}" if isinstance(value, float) else f"{value:11d}" for value in taken)
    print(f"{name!s:>8s} {seconds:8.1f}", *values, flush=True)


def main() -> None:
    """Soak, close the sandbox, and see what is left then. Exits with 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000, help="how many, after 500 that are not counted")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--sandbox", choices=("local", "docker"), default="local")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        tempfile.tempdir = folder  # all that is left there is ours
        before = figures()
        with closing(open_sandbox(options.sandbox)) as sandbox:
            print(sandbox.describe())
            found = soak(sandbox, options.runs, options.threads)
        after = figures()
    for name in ("processes", "own_fds", "temporary"):
        found[f"{name} left by the closed sandbox"] = getattr(after, name) - getattr(before, name)
    print()
    missed = 0
    for name, value in found.items():
        bar = MOST_MIB if "MiB" in name else 0
        missed += value > bar
        print(f"{name:40s} {value:8.1f}   {'MISSED' if value > bar else 'held'}, at most {bar}")
    sys.exit(missed > 0)


if __name__ == "__main__":
    main()
