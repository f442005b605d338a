"""Event streams: many, slow and vanishing clients."""

from __future__ import annotations

import socket
import threading


def test_many_watch_and_nobody_misses_anything(serve, studio, double, gate):
    """Some from the start, some from the middle, all to the end."""
    gated = gate(studio.model(double()), "implement")
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


def test_a_client_that_vanishes_leaves_nothing_behind(serve, studio, double, gate):
    """Its place is cleared while the run goes on."""
    gated = gate(studio.model(double()), "implement")
    service = serve(gated)
    identity = service.post()
    assert gated.waiting.wait(20)
    log = service.server.run_queue.run(identity).log
    lines = [socket.create_connection(("127.0.0.1", service.port)) for _ in range(5)]
    for line in lines:
        line.sendall(f"GET /runs/{identity}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert line.recv(100).startswith(b"HTTP/1.1 200")
    service.until(identity, lambda _: len(log._listeners) == 5)
    for line in lines:
        line.close()
    service.until(identity, lambda _: len(log._listeners) == 0)
    gated.open.set()
    assert service.ended(identity)["state"] == "green"


def test_a_client_that_does_not_read_holds_nobody_up(serve, studio, double):
    """The run ends, others hear all of it, and what it has not read lies on disk."""
    service = serve(studio.model(double()))
    identity = service.post()
    with socket.create_connection(("127.0.0.1", service.port)) as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        deaf.sendall(f"GET /runs/{identity}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert service.ended(identity)["state"] == "green"
        assert [event["event"] for _, event in service.events(identity)][-1] == "run_ended"


def test_streams_end_with_the_service(serve, studio, double, gate):
    """Whoever listens is let go at once, so that ending takes no time."""
    gated = gate(studio.model(double()), "plan")
    service = serve(gated)
    identity = service.post()
    assert gated.waiting.wait(20)
    ended = threading.Event()

    def listen() -> None:
        list(service.events(identity))
        ended.set()

    thread = threading.Thread(target=listen)
    thread.start()
    log = service.server.run_queue.run(identity).log
    service.until(identity, lambda _: len(log._listeners) == 1)
    service.server.should_exit = True
    assert ended.wait(10)
    gated.open.set()
    thread.join()
