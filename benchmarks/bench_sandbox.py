"""What a sandboxed run costs beside other ways to run code: `python benchmarks/bench_sandbox.py` prints its tables.

The 164 problems of HumanEval, each one's reference solution with its tests, are run in turn by every harness that is
here, problem by problem, so that what else the machine does hits all alike. The data is read when the benchmark runs
(`--data`, or BENCHMARK_DATA: the file HumanEval.jsonl.gz or its folder) and is no part of this project. Docker's need
the image of `tdgen sandbox build`.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import peers
from project_costs import project_costs

from tdgen.errors import SandboxError
from tdgen.protocols import Sandbox
from tdgen.sandbox.docker import IMAGE
from tdgen.sandboxes import open_sandbox
from tdgen.types import FileJob, Job, Limits, Probe

_LIMITS = Limits(wall_s=20.0, cpu_s=20.0, memory_mb=1024)
_NAME = "HumanEval.jsonl.gz"
_PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")

Harness = Callable[["Problem"], bool]
"""Runs a problem's tests on its solution: whether they pass."""


class Problem(NamedTuple):
    """A module with the solution, the text of its tests, and the function's name."""

    module: str
    tests: str
    function: str

    @property
    def script(self) -> str:
        """All of it as one program."""
        return f"{self.module}\n{self.tests}\ncheck({self.function})\n"

    @property
    def files(self) -> dict[str, str]:
        """All of it as a module and a file for pytest."""
        test = f"from solution import *\n{self.tests}\ndef test_it():\n    check({self.function})\n"
        return {"solution.py": self.module, "test_solution.py": test}


def problems(data: Path, most: int) -> list[Problem]:
    """The first `most` problems."""
    path = data / _NAME if data.is_dir() else data
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][:most]
    return [Problem(row["prompt"] + row["canonical_solution"], row["test"], row["entry_point"]) for row in rows]


def probing(sandbox: Sandbox) -> Harness:
    """A function's cases in one of our sandboxes."""

    def run(problem: Problem) -> bool:
        probe = Probe(name="check", setup=problem.tests, call=f"check({problem.function})")
        report = sandbox.run(Job(module="solution", source=problem.module, probes=(probe,), limits=_LIMITS))
        return report.observations[0].status == "returned"

    return run


def testing(sandbox: Sandbox) -> Harness:
    """A rendered pytest file in one of our sandboxes."""

    def run(problem: Problem) -> bool:
        job = FileJob(files=problem.files, tests=("test_solution.py",), limits=_LIMITS)
        return sandbox.run_files(job).passed

    return run


def program(*command: str) -> Harness:
    """A program that reads the script from its standard input."""

    def run(problem: Problem) -> bool:
        done = subprocess.run(command, input=problem.script.encode(), capture_output=True, check=False)
        return done.returncode == 0

    return run


def in_folder(*command: str) -> Harness:
    """A program that runs in a folder with the problem's files; `{}` in the command is that folder."""

    def run(problem: Problem) -> bool:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in problem.files.items():
                Path(folder, name).write_text(text, encoding="utf-8")
            words = [word.replace("{}", folder) for word in command]
            plain = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # other plugins would take seconds
            return subprocess.run(words, cwd=folder, env=plain, capture_output=True, check=False).returncode == 0

    return run


def bubblewrapped(*command: str) -> tuple[str, ...]:
    """`command` in namespaces of its own, with this machine's files to read and the folder to write."""
    walls = ("--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
    return ("bwrap", *walls, "--bind", "{}", "{}", "--chdir", "{}", *command)


@contextmanager
def harnesses() -> Iterator[dict[str, Harness]]:
    """Every harness that is here, ready to run."""
    found: dict[str, Harness] = {}
    with ExitStack() as stack:
        for kind in ("local", "docker"):
            try:
                sandbox = open_sandbox(kind)
            except SandboxError as error:
                print(f"left out, {kind}: {error}")
                continue
            stack.callback(sandbox.close)
            found[f"tdgen {kind}, cases"] = probing(sandbox)
            found[f"tdgen {kind}, pytest file"] = testing(sandbox)
        found["python"] = program(sys.executable, "-")
        found["python -m pytest"] = in_folder(sys.executable, *_PYTEST)
        if shutil.which("bwrap"):
            found["bwrap, python -m pytest"] = in_folder(*bubblewrapped(sys.executable, *_PYTEST))
        else:
            print("left out, bwrap: it isn't installed")
        if "tdgen docker, cases" in found:
            found["docker run --rm, python"] = program(*_docker_run("--rm", "-i"), "python3", "-")
            name = subprocess.check_output([*_docker_run("-d"), "sleep", "infinity"], text=True).strip()
            stack.callback(subprocess.run, ["docker", "rm", "-f", name], capture_output=True, check=False)
            found["docker exec, python"] = program("docker", "exec", "-i", name, "python3", "-")
        found.update((name, scripted(run)) for name, run in stack.enter_context(peers.scripts(IMAGE)).items())
        yield found


def scripted(run: peers.Script) -> Harness:
    """Another project's way to run a program."""
    return lambda problem: run(problem.script)


def _docker_run(*options: str) -> tuple[str, ...]:
    return ("docker", "run", *options, "--network", "none", IMAGE)


def interleaved(found: dict[str, Harness], chosen: Sequence[Problem]) -> None:
    """Every harness on every problem, in turn: medians, p95, and ratios to our own."""
    seconds: dict[str, list[float]] = {name: [] for name in found}
    failed = dict.fromkeys(found, 0)
    for run in found.values():
        run(chosen[0])  # servers are started by now
    for place, problem in enumerate(chosen):
        names = list(found)
        for name in names[place % len(names) :] + names[: place % len(names)]:
            began = time.perf_counter()
            passed = found[name](problem)
            seconds[name].append(time.perf_counter() - began)
            failed[name] += not passed
    bases = {kind: statistics.median(seconds[name]) for kind in ("local", "docker") if (name := _cases(kind)) in found}
    ratios = "".join(f" {'x ' + kind:>9s}" for kind in bases)
    print(f"\n{f'one run of each of {len(chosen)} problems':36s} {'median ms':>10s} {'p95':>8s}{ratios}   failed")
    for name, values in sorted(seconds.items(), key=lambda item: statistics.median(item[1])):
        middle, high = statistics.median(values), statistics.quantiles(values, n=20)[-1]
        times = "".join(f" {middle / base:9.1f}" for base in bases.values())
        print(f"{name:36s} {1000 * middle:10.1f} {1000 * high:8.1f}{times}   {failed[name]}")


def _cases(kind: str) -> str:
    return f"tdgen {kind}, cases"


def back_to_back(found: dict[str, Harness], chosen: Sequence[Problem]) -> None:
    """All problems as fast as they go, on all processors."""
    workers = len(os.sched_getaffinity(0))
    print(f"\n{f'back to back on {workers} processors':36s} {'seconds':>10s} {'runs a second a processor':>28s}")
    for name in [name for name in found if name.startswith("tdgen")]:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(found[name], chosen[: 2 * workers]))  # a server for each worker
            began = time.perf_counter()
            list(pool.map(found[name], chosen))
            took = time.perf_counter() - began
        print(f"{name:36s} {took:10.2f} {len(chosen) / took / workers:28.0f}")


def starts(chosen: Sequence[Problem]) -> None:
    """From nothing to the first result, beside an empty `docker run`."""
    print(f"\n{'from nothing to the first result':36s} {'median ms':>10s}")
    for kind in ("local", "docker"):
        values = []
        for _ in range(5):
            began = time.perf_counter()
            try:
                sandbox = open_sandbox(kind)
            except SandboxError:
                break
            probing(sandbox)(chosen[0])
            values.append(time.perf_counter() - began)
            sandbox.close()
        if values:
            print(f"tdgen {kind:30s} {1000 * statistics.median(values):10.0f}")
            if kind == "docker":
                empty = [_timed(*_docker_run("--rm"), "true") for _ in range(5)]
                print(f"{'docker run --rm, true':36s} {1000 * statistics.median(empty):10.0f}")


def memory(chosen: Sequence[Problem]) -> None:
    """What a local server holds in all, and each child that waits in it for itself alone, as /proc tells it."""
    print(f"\n{'memory':36s} {'server MiB':>10s} {'a waiting child more':>22s}")
    for kind, harness in (("cases", probing), ("pytest file", testing)):
        try:
            sandbox = open_sandbox("local")
        except SandboxError:
            return
        with sandbox:
            for problem in chosen[:5]:
                harness(sandbox)(problem)
            time.sleep(0.5)  # the next children come to be meanwhile
            below = {pid: _children(pid) for pid in [os.getpid(), *_descendants(os.getpid())]}
            waiting = [pid for pid, children in below.items() if not children]
            servers = [pid for pid, children in below.items() if set(children) & set(waiting)]
            whole = max((_kb(pid, "Rss:") for pid in servers), default=0) / 1024
            alone = max((_kb(pid, "Private_") for pid in waiting), default=0) / 1024
        print(f"{'tdgen local, ' + kind:36s} {whole:10.1f} {alone:22.1f}")


def _children(pid: int) -> list[int]:
    """The processes that `pid` has started."""
    return [int(word) for path in Path(f"/proc/{pid}/task").glob("*/children") for word in path.read_text().split()]


def _descendants(pid: int) -> list[int]:
    return [found for child in _children(pid) for found in (child, *_descendants(child))]


def _kb(pid: int, kind: str) -> int:
    """KiB of that kind: `Rss:` is all, `Private_` what no other process shares."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(kind))


def _timed(*command: str) -> float:
    began = time.perf_counter()
    subprocess.run(command, capture_output=True, check=False)
    return time.perf_counter() - began


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    default = os.environ.get("BENCHMARK_DATA", str(Path(__file__).parents[2] / "shared" / "data"))
    parser.add_argument("--data", type=Path, default=Path(default), help=f"{_NAME}, or the folder that it is in")
    parser.add_argument("--problems", type=int, default=164, help="how many of the problems (164: all)")
    options = parser.parse_args()
    try:
        chosen = problems(options.data, options.problems)
    except OSError as error:
        print(f"skipped: {error.filename} can't be read ({error.strerror}): name the data by --data or BENCHMARK_DATA")
        return
    with harnesses() as found:
        interleaved(found, chosen)
        back_to_back(found, chosen)
    starts(chosen)
    memory(chosen)
    project_costs()


if __name__ == "__main__":
    main()
