"""Processes that are kept: started again where one dies, ended together, and not left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

pytestmark = pytest.mark.slow

WORK = """
import os, signal, time
from functools import partial
from tdgen.errors import StoreError
from tdgen.web.workers import keep_working, on_orphaned

keeper = os.getpid()

def work():
    os.write(1, f"worker {os.getpid()}{os.linesep}".encode())  # at once: two begin side by side
    on_orphaned(keeper, partial(os._exit, 0))
    signal.pause()

def fail():
    raise StoreError("there is no store")

keep_working(2, work, partial(print, flush=True))
print("ended", flush=True)
"""


@pytest.fixture
def keeping() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    started: list[subprocess.Popen[str]] = []

    def start(script: str = WORK) -> subprocess.Popen[str]:
        started.append(subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


def worker(process: subprocess.Popen[str]) -> int:
    return int(process.stdout.readline().removeprefix("worker "))


def test_one_that_dies_is_started_again(keeping):
    """And told; told to end, all of them do."""
    process = keeping()
    first, _ = worker(process), worker(process)
    os.kill(first, signal.SIGKILL)
    assert process.stdout.readline().endswith("ended (-9) and is started again\n")
    assert worker(process) != first
    process.send_signal(signal.SIGTERM)
    assert process.stdout.read() == "ended\n"
    assert process.wait() == 0


def test_whom_nobody_keeps_leaves(keeping):
    """A port would be held for ever: what they print ends."""
    process = keeping()
    worker(process), worker(process)
    process.kill()
    assert process.stdout.read() == ""


def test_whose_keeper_died_while_they_began_leave_too(keeping):
    """Their parent is another then from the first time that they ask."""
    process = keeping(WORK.replace("    on_orphaned", "    while os.getppid() == keeper: pass\n    on_orphaned"))
    worker(process), worker(process)
    process.kill()
    assert process.stdout.read() == ""


def test_what_a_worker_can_not_do_is_a_line(keeping):
    """No traceback."""
    process = keeping(WORK.replace("(2, work", "(1, fail"))
    assert process.stdout.readline() == "there is no store\n"
    assert process.stdout.readline() == "worker 1 ended (2) and is started again\n"
