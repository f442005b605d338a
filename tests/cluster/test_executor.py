"""A dask cluster as an executor: what comes back of lines, and what is refused before any is sent."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socketserver
import threading
from collections.abc import AsyncIterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest

pytest.importorskip("distributed")

from distributed.scheduler import KilledWorker, WorkerState

from tdgen.batch import run_file
from tdgen.cluster import Cluster, connected, executor, worker
from tdgen.cluster.worker import TOPIC, Opening, engine
from tdgen.errors import InputError, SandboxError, UnreachableError
from tdgen.settings import Settings


class Dask:
    """A client and its executor in one: `answers` are what it does with each task, in their order."""

    status = "running"

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.sent = 0

    def get_executor(self, **how: Any) -> Dask:
        del how
        return self

    def submit(self, *given: Any, **more: Any) -> Future[Any]:
        del given, more
        self.sent += 1
        answer, future = self.answers.pop(0), Future[Any]()
        if answer is None:
            future.cancel()
            future.set_running_or_notify_cancel()
        elif isinstance(answer, Exception):
            future.set_exception(answer)
        else:
            future.set_result(answer)
        return future


def killed() -> KilledWorker:
    worker = WorkerState(
        address="tcp://w:1", status="running", pid=1, name="w", nthreads=1, memory_limit=0, local_directory="",
        nanny="", server_id="w",
    )  # fmt: skip
    return KilledWorker("solve-1", worker, executor.DEATHS - 1)


def test_what_a_worker_gives_comes_back():
    """A result, or the error as it is."""
    cluster = Cluster(Dask("done", ValueError("no")), "tcp://s:1")
    assert cluster.submit(len, "").result() == "done"
    with pytest.raises(ValueError, match="no"):
        cluster.submit(len, "").result()


def test_a_line_that_its_workers_die_of_is_set_aside():
    """As one that nobody could do, so that the same command tries it again."""
    with pytest.raises(UnreachableError, match="set aside: 3 workers died while they were at work on it"):
        Cluster(Dask(killed()), "tcp://s:1").submit(len, "").result()


def test_what_the_scheduler_forgot_is_sent_again():
    """Not for ever, and not to one that is gone."""
    dask = Dask(None, None, "done")
    assert Cluster(dask, "tcp://s:1").submit(len, "").result() == "done"
    dask = Dask(*[None] * 9)
    with pytest.raises(UnreachableError, match="the scheduler at tcp://s:1 was lost"):
        Cluster(dask, "tcp://s:1").submit(len, "").result()
    assert dask.sent == 1 + executor.SENT_AGAIN


@pytest.mark.parametrize("where", ["", "local:0", "local:x", "host:8786", "http://h:1", "tcp://h", "tcp://h:99999"])
def test_what_is_no_cluster(where):
    """It is told how one is written, to who sends lines and to who works on them."""
    with pytest.raises(InputError, match="is no cluster: write tcp://host:8786"), connected(where, Settings(), 1):
        pass
    with pytest.raises(InputError, match="is no cluster: write tcp://host:8786, or tls://host:8786"):
        worker.work_for(where, 1, Settings())


def test_a_rate_needs_a_store():
    """Without one it would hold in each worker for itself."""
    with pytest.raises(InputError, match="set TDGEN_STORE"), connected("local:1", Settings(rpm=5), 1):
        pass


def test_a_scheduler_that_is_not_there(monkeypatch):
    """Nobody listens."""
    monkeypatch.setattr(executor, "CONNECT_S", 0.5)
    with pytest.raises(UnreachableError, match="no scheduler answers"), connected("tcp://127.0.0.1:1", Settings(), 1):
        pass


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n"])
def test_what_answers_and_is_no_scheduler(monkeypatch, said):
    """Is told as that, to who sends lines and to who works on them: it is silent, or a web server."""
    monkeypatch.setattr(executor, "CONNECT_S", 0.3)
    monkeypatch.setattr(worker, "CONNECT_S", 0.3)

    class Answering(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with suppress(ConnectionError):
                self.request.sendall(said)
                while self.request.recv(4096):
                    pass

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answering) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        address = f"tcp://127.0.0.1:{server.server_address[1]}"
        expected = f"what answers at {address} is no scheduler of distributed"
        with pytest.raises(UnreachableError, match=expected), connected(address, Settings(), 1):
            pass
        with pytest.raises(UnreachableError, match=expected):
            asyncio.run(worker._serve(address, 1))
        server.shutdown()


def test_a_worker_is_told_that_no_scheduler_is_there(monkeypatch):
    """Not that its process did not start."""
    monkeypatch.setattr(worker, "CONNECT_S", 0.3)
    with pytest.raises(UnreachableError, match=r"no scheduler answers at tcp://127\.0\.0\.1:1: start one"):
        asyncio.run(worker._serve("tcp://127.0.0.1:1", 1))


def test_tls_without_certificates(monkeypatch):
    """Is told as such, on both sides: nobody has answered yet."""
    monkeypatch.setattr(executor, "CONNECT_S", 5.0)
    with pytest.raises(InputError, match="tls:// needs certificates"), connected("tls://127.0.0.1:1", Settings(), 1):
        pass
    with pytest.raises(InputError, match="tls:// needs certificates"):
        asyncio.run(worker._serve("tls://127.0.0.1:1", 1))


def test_a_scheduler_that_dies_as_the_run_begins(monkeypatch):
    """Is told in a line, and is no bug."""
    monkeypatch.setattr(executor, "_check", Mock(side_effect=OSError("the stream is closed")))
    with pytest.raises(UnreachableError, match="was lost as the run began"):
        executor._make_ready(Mock(status="connecting"), "tcp://s:1", Settings())
    assert executor._check.call_count == 1


def test_a_worker_that_dies_as_the_run_begins(monkeypatch):
    """All are asked again: the scheduler asked one that was there no more, and the run ended with that."""
    monkeypatch.setattr(executor, "LOOK_S", 0.0)
    opening = Mock(side_effect=[OSError("the stream is closed"), None])
    monkeypatch.setattr(executor, "_check", Mock())
    monkeypatch.setattr(executor, "_open", opening)
    executor._make_ready(Mock(status="running"), "tcp://s:1", Settings())
    assert opening.call_count == 2


@pytest.mark.parametrize("fault", [InputError("this is no address of a store"), SandboxError("there is no sandbox")])
def test_what_workers_can_not_open_is_told_as_what_it_is(fault):
    """What the command's own settings say wrong is bad input, wherever it shows."""
    kind = InputError if isinstance(fault, InputError) else UnreachableError
    with pytest.raises(kind, match=f"^a worker can't do the work: {fault}$"):
        executor._open(Mock(**{"register_plugin.side_effect": fault}), Settings())


def test_workers_that_are_all_gone_are_told(monkeypatch):
    """In a line, where they stay away, and when they come back."""
    monkeypatch.setattr(executor, "LOOK_S", 0.01)
    monkeypatch.setattr(executor, "GONE_S", 0.0)
    workers, told, back = {"tcp://w:1": 1}, threading.Event(), threading.Event()
    said: list[str] = []

    class Client:
        def nthreads(self) -> dict[str, int]:
            return dict(workers)

    def say(line: str) -> None:
        said.append(line)
        (back if told.is_set() else told).set()

    with executor._watched(Client(), "tcp://s:1", say):
        assert said == []
        del workers["tcp://w:1"]
        assert told.wait(10)
        workers["tcp://w:2"] = 1
        assert back.wait(10)
    assert said == [
        "no worker is left at tcp://s:1: lines wait until one comes (`tdgen worker tcp://s:1`)",
        "there are workers at tcp://s:1 again: going on",
    ]


def test_a_worker_of_another_python_is_sent_away(monkeypatch):
    """One that comes later, too: it ends before it takes a line, and that is told."""
    opening = Opening(Settings())
    monkeypatch.setattr(opening, "_versions", {"Python": "3.9", "tdgen": "1"})
    told_of = Mock(address="tcp://w:1")
    opening.setup(told_of)
    topic, told = told_of.log_event.call_args.args
    assert topic == TOPIC
    assert re.fullmatch(r"tcp://w:1 has Python 3\.\d+, and here is 3\.9: make them the same; it is sent away", told)
    assert told_of.loop.add_callback.call_args.args[1] is told_of


def test_who_keeps_the_process_of_a_worker_that_is_sent_away_is_told_why():
    """Before the worker ends: no other process is started then, and its own terminal says why."""
    told: list[tuple[str, str]] = []

    class Process:
        nanny = "tcp://w:2"

        @asynccontextmanager
        async def rpc(self, address: str) -> AsyncIterator[Any]:
            async def send_away(reason: str) -> None:
                told.append((address, reason))

            yield Mock(send_away=send_away)

        async def close(self, reason: str) -> None:
            told.append(("closed", reason))

    asyncio.run(worker._end(Process(), "it has Python 3.9"))
    assert told == [("tcp://w:2", "it has Python 3.9"), ("closed", "it has Python 3.9")]


@pytest.mark.parametrize(("reason", "scheduler"), [("it has Python 3.9", {}), ("", {"distributed": "2024.1.0"})])
def test_a_worker_that_can_not_be_used_ends(monkeypatch, reason, scheduler):
    """By one line of its own: it was sent away, or its scheduler is of another version, and no process was started."""
    scheduling = AsyncMock(**{"versions.return_value": {"packages": engine() | scheduler}})
    scheduling.__aenter__.return_value = scheduling
    keeper = AsyncMock(sent_away=reason)
    monkeypatch.setattr(worker, "rpc", Mock(return_value=scheduling))
    monkeypatch.setattr(worker, "_started", started := AsyncMock(return_value=keeper))
    expected = reason or r"the scheduler has distributed 2024\.1\.0, and here is"
    with pytest.raises(UnreachableError, match=expected):
        asyncio.run(worker._serve("tcp://s:1", 1))
    assert (started.called, keeper.close.called) == (not scheduler, not scheduler)


def test_a_scheduler_of_another_version_is_told_before_workers_are_waited_for():
    """Those of this version may not come to it at all."""
    client = Mock(**{"get_versions.return_value": {"scheduler": {"packages": {"distributed": "2024.1.0"}}}})
    with pytest.raises(UnreachableError, match=r"the scheduler has distributed 2024\.1\.0, and here is .*the same"):
        executor._check(client, "tcp://s:1")
    assert not client.wait_for_workers.called


@pytest.mark.slow
def test_lines_are_solved_by_processes(solver, double, tmp_path: Path):
    """Here they come from the cache that all share; a Ctrl-C in the terminal is not for them."""
    file = tmp_path / "lines.jsonl"
    file.write_text("".join(json.dumps({"id": name, "instruction": "Double a number."}) + "\n" for name in "ab"))
    generator = solver.generator(solver.model(double()))
    run_file(file, tmp_path / "out", settings=generator.settings, generator=generator)
    with connected("local:1", generator.settings, 2) as cluster:
        assert cluster.threads == 2
        assert cluster.submit(signal.getsignal, signal.SIGINT).result() == signal.SIG_IGN
        summary = run_file(file, tmp_path / "other", settings=generator.settings, executor=cluster)
    assert (summary.outcomes, summary.usage.calls) == ({"green": 2}, 0)
