"""Tests in another language: its own framework is run on a solution's files, in the sandbox where its code runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tdgen.protocols import Sandbox
from tdgen.types import FileReport, Job, Limits, Probe
from tdgen.values.decode import decode
from tdgen.values.readers import Unreadable

_LOG: Final = 4000  # characters of the runner's output, its end
_WALL_S: Final = 60.0  # for all tests of a solution, a judgement: a compiler may be among what is run
_PROCESSES: Final = 64
"""A runner starts a process for each file of tests, and each has a dozen threads."""
_RUNNER: Final = f"""
import subprocess

def run(files, commands):
    for name, text in files.items():
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    for words in commands:
        done = subprocess.run(words, capture_output=True, text=True, errors="replace")
        if done.returncode:
            return [done.returncode, (done.stdout + done.stderr)[-{_LOG}:]]
    return [0, ""]
"""


def run_tests(
    files: Mapping[str, str], commands: Sequence[Sequence[str]], sandbox: Sandbox, limits: Limits
) -> FileReport:
    """What came of the commands in a folder of these files: passed where each of them ends with 0, one after the other.

    It can only take a green away: what runs there is one process with the code.
    """
    flat = {name: text for name, text in files.items() if "/" not in name}
    more = {"wall_s": _WALL_S, "cpu_s": _WALL_S, "processes": _PROCESSES, "memory_mb": 2 * limits.memory_mb}
    job = Job(
        module="tests",
        source=_RUNNER,
        probes=(Probe(name="tests", call=f"run({flat!r}, {[list(words) for words in commands]!r})"),),
        limits=limits.model_copy(update=more),
    )
    (observation,) = sandbox.run(job).observations
    try:
        code, log = (
            decode(observation.value)
            if observation.status == "returned"
            else (1, observation.detail or observation.status)
        )
    except (Unreadable, TypeError, ValueError):
        code, log = 1, "what they ended with can't be read"
    program, *words = commands[-1]
    command = " ".join([Path(program).name, *words])
    return FileReport(outcomes={command: "failed" if code else "passed"}, complete=True, log=str(log))
