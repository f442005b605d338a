"""A run's events on disk: numbered, read in pieces, mended.

Event streams: many, slow and vanishing clients.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tdgen.errors import StoreError
from tdgen.web.log import EventLog, Reader
from tdgen.web.run_store import events_of


@pytest.fixture
def opened() -> Iterator[Callable[[Path], EventLog]]:
    """Logs that are closed in the end."""
    logs: list[EventLog] = []

    def make(path: Path) -> EventLog:
        logs.append(EventLog(path))
        return logs[-1]

    yield make
    for log in logs:
        log.close()


def test_events_of_many_threads_are_numbered_without_a_gap(tmp_path, opened):
    """Each line is whole, whoever wrote it."""
    log = opened(tmp_path / "events")
    numbers: list[int] = []
    write = lambda: numbers.extend(log.append({"event": "noted", "text": "ü\n" * 500}) for _ in range(50))  # noqa: E731
    threads = [threading.Thread(target=write) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(numbers) == list(range(1, 401))
    assert [event["text"] for event in events_of(Reader(tmp_path / "events"))] == ["ü\n" * 500] * 400


def test_it_is_read_in_pieces(tmp_path, opened):
    """A reader holds no more than a piece, however long the log is."""
    log = opened(tmp_path / "events")
    for number in range(100):
        log.append({"event": "noted", "text": str(number) + "x" * 5_000})
    reader = Reader(tmp_path / "events", after=10)
    pieces = []
    while lines := reader.read():
        pieces.append(lines)
    assert len(pieces) > 5
    assert [line.number for piece in pieces for line in piece] == list(range(11, 101))
    assert max(sum(len(line.text) for line in piece) for piece in pieces) < 80_000
    log.append({"event": "noted", "text": "more"})
    assert [line.number for line in reader.read()] == [101]


def test_a_log_that_is_opened_again_goes_on(tmp_path, opened):
    """Behind its last whole line."""
    path = tmp_path / "events"
    first = opened(path)
    first.append({"event": "one"})
    first.close()
    assert first.append({"event": "too late"}) == 1
    with path.open("a") as file:
        file.write('{"event": "tw')
    second = opened(path)
    assert second.append({"event": "two"}) == 2
    assert [event["event"] for event in events_of(Reader(path))] == ["one", "two"]


def test_what_is_not_there_has_no_events(tmp_path):
    """And a folder that can't be written is said in a line."""
    assert Reader(tmp_path / "none").read() == []
    with pytest.raises(StoreError, match="the run's events can't be kept in"):
        EventLog(tmp_path / "none" / "events")


def test_text_that_is_no_unicode_is_kept(tmp_path, opened):
    """A lone surrogate comes out as it went in."""
    log = opened(tmp_path / "events")
    log.append({"event": "noted", "text": "\ud800"})
    (line,) = Reader(tmp_path / "events").read()
    assert json.loads(line.text)["text"] == "\ud800"


def test_many_watch_and_nobody_misses_anything(serve, solver, double, gate):
    """Some from the start, some from the middle, all to the end."""
    gated = gate(solver.model(double()), "implement")
    service = serve(gated)
    identity = service.post()
    assert gated.waiting.wait(20)
    heard: list[list[int]] = [[] for _ in range(12)]

    def listen(place: int) -> None:
        heard[place] = [number for number, _ in service.events(identity, after=place % 3)]

    threads = [threading.Thread(target=listen, args=(place,)) for place in range(len(heard))]
    for thread in threads:
        thread.start()
    gated.open.set()
    for thread in threads:
        thread.join(30)
    last = heard[0][-1]
    assert [found == list(range(place % 3 + 1, last + 1)) for place, found in enumerate(heard)] == [True] * 12


def test_a_client_that_vanishes_leaves_nothing_behind(serve, solver, double, gate):
    """Its place is cleared while the run goes on."""
    gated = gate(solver.model(double()), "implement")
    service = serve(gated)
    identity = service.post()
    assert gated.waiting.wait(20)
    told = service.server.run_queue.runs._listeners  # the queue's own among them
    lines = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(5)]
    for line in lines:
        line.sendall(f"GET /runs/{identity}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert line.recv(100).startswith(b"HTTP/1.1 200")
    service.until(identity, lambda _: len(told._all) == 6)
    for line in lines:
        line.close()
    service.until(identity, lambda _: len(told._all) == 1)
    gated.open.set()
    assert service.ended(identity)["state"] == "green"


def test_a_client_that_does_not_read_holds_nobody_up(serve, solver, double):
    """The run ends, others hear all of it, and what it has not read lies on disk."""
    service = serve(solver.model(double()))
    identity = service.post()
    with socket.create_connection(("127.0.0.1", service.port)) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        deaf.sendall(f"GET /runs/{identity}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert service.ended(identity)["state"] == "green"
        assert [event["event"] for _, event in service.events(identity)][-1] == "run_ended"


def test_streams_end_with_the_service(serve, solver, double, gate):
    """Whoever listens is let go at once, so that ending takes no time."""
    gated = gate(solver.model(double()), "plan")
    service = serve(gated)
    identity = service.post()
    assert gated.waiting.wait(20)
    ended = threading.Event()

    def listen() -> None:
        list(service.events(identity))
        ended.set()

    thread = threading.Thread(target=listen)
    thread.start()
    told = service.server.run_queue.runs._listeners
    service.until(identity, lambda _: len(told._all) == 2)
    service.server.should_exit = True
    assert ended.wait(10)
    gated.open.set()
    thread.join()
