"""Work that is cut off, by Ctrl-C or by a kill, leaves nothing half-written and goes on where it was."""

import os
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tdgen.cli.interrupts import Interrupted, held_back, resumable

pytestmark = pytest.mark.usefixtures("warm")

STAGES = ("plan", "cases", "implement")
IGNORING = ("sh", "-c", 'trap "" INT; exec "$@"', "sh")


@pytest.fixture
def hanging(start, endpoint, one_function):
    """Start a solve, and wait until the model is asked at a stage where it says nothing."""

    def begin(stage: str):
        asked = STAGES.index(stage) + 1
        endpoint.will(*[one_function[name] for name in STAGES[: asked - 1]], None)
        process = start("solve", "double(n); double(4) is 8", "-o", "out", "--trust", "quick")
        for _ in range(asked):
            assert endpoint.asked.acquire(timeout=100)
        return process

    return begin


@pytest.fixture
def goes_on(tdgen, endpoint, one_function):
    """See that the next run asks from a stage on, and ends green."""

    def see(stage: str) -> None:
        left = STAGES[STAGES.index(stage) :]
        endpoint.bodies.clear()
        endpoint.will(*[one_function[name] for name in left])
        ran = tdgen("solve", "double(n); double(4) is 8", "-o", "out", "--trust", "quick")
        assert ran.code == 0
        assert len(endpoint.bodies) == len(left)
        assert ("an unfinished run left" in ran.err) == (stage != "plan")

    return see


@pytest.mark.parametrize("stage", ["plan", "implement"])  # before the first answer, and after two
def test_ctrl_c_and_again(hanging, finished, goes_on, stage: str):
    """Exit code 130, one line, no file, no process; the same command asks only for what was not answered."""
    process = hanging(stage)
    servers = below(process.pid)
    process.send_signal(signal.SIGINT)
    ran = finished(process)
    assert (ran.code, ran.out) == (130, "")
    assert ran.last == "tdgen: interrupted: the same command goes on from here, nothing is asked or paid twice"
    assert "Traceback" not in ran.err
    assert not Path("out").exists()
    assert_none_left(servers, stage)
    goes_on(stage)


def test_kill_and_again(hanging, finished, goes_on):
    """Nothing can be said then, but nothing is lost either, and the sandbox's servers end with the command."""
    process = hanging(stage := "implement")
    servers = below(process.pid)
    process.kill()
    assert finished(process).code == -signal.SIGKILL
    assert not Path("out").exists()
    assert_none_left(servers, stage)
    goes_on(stage)


def assert_none_left(servers: list[int], stage: str) -> None:
    """The processes are gone, or soon are; where code is asked for, the sandbox has begun."""
    assert servers or stage != "implement"
    deadline = time.monotonic() + 10
    while (left := [pid for pid in servers if Path(f"/proc/{pid}/exe").exists()]) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not left


def below(pid: int) -> list[int]:
    """The processes that a process has started, and they in turn."""
    texts = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    children = [int(child) for text in texts for child in text.split()]
    return [found for child in children for found in (child, *below(child))]


def test_json_is_told_of_it(tdgen, endpoint):
    """A document even then."""
    endpoint.will(None)

    def interrupt() -> None:
        assert endpoint.asked.acquire(timeout=100)
        os.kill(os.getpid(), signal.SIGINT)

    with ThreadPoolExecutor(1) as pool:
        interrupted = pool.submit(interrupt)
        ran = tdgen("solve", "double(n)", "--json")
        interrupted.result()
    assert ran.document["exit_code"] == ran.code == 130


def test_an_ignored_ctrl_c_stays_ignored(start, finished, endpoint, one_function):
    """As in a job that a shell has put into the background."""
    endpoint.will(*[one_function[name] for name in STAGES])
    process = start("solve", "double(n); double(4) is 8", "--trust", "quick", by=IGNORING)
    assert endpoint.asked.acquire(timeout=100)
    process.send_signal(signal.SIGINT)
    assert finished(process).code == 0


class TestHeldBack:
    """What is being written is written whole."""

    def test_a_ctrl_c_counts_afterwards(self):
        """Not in the middle."""
        done = []

        def write() -> None:
            with held_back():
                signal.raise_signal(signal.SIGINT)
                done.append("written")

        with pytest.raises(KeyboardInterrupt):
            write()
        assert done == ["written"]

    def test_the_way_before_is_restored(self):
        """Whatever it was."""
        before = signal.getsignal(signal.SIGINT)
        with held_back():
            pass
        assert signal.getsignal(signal.SIGINT) is before

    def test_elsewhere_than_in_the_main_thread_it_does_nothing(self):
        """Signals are the main thread's."""

        def work() -> str:
            with held_back():
                return "done"

        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(work).result() == "done"


@pytest.mark.parametrize("fresh", [False, True])
def test_resumable_work_says_so(fresh: bool):
    """Its exit code is that of an interrupted command; --fresh again would forget what was answered."""
    said = f"the same command{' without --fresh' if fresh else ''} goes on from here"
    with pytest.raises(Interrupted, match=said) as caught, resumable(fresh=fresh):
        raise KeyboardInterrupt
    assert caught.value.exit_code == 130


def test_a_demo_does_not_go_on(start, finished):
    """Its cache is gone with it, so it promises nothing."""
    process = start("demo", stderr=subprocess.PIPE)
    assert process.stdout.readline() == b"asked:\n"
    process.send_signal(signal.SIGINT)
    ran = finished(process)
    assert (ran.code, ran.last) == (130, "tdgen: interrupted")
