"""Runs that many processes share: taken over from one that died, and written by nobody else."""

from __future__ import annotations

import threading

import pytest

from tdgen.errors import LostLock, StoreError
from tdgen.web import run_redis
from tdgen.web.orders import Order, RunRecord
from tdgen.web.run_claim import DEATHS
from tdgen.web.run_redis import SharedRuns
from tdgen.web.run_store import News, events_of

pytestmark = pytest.mark.slow


def post(runs: SharedRuns, identity: str = "1") -> None:
    runs.add(RunRecord(id=identity, order=Order(instruction="Double it."), created="now"), 9)


def died_at(runs: SharedRuns, identity: str = ""):
    """A run whose worker begins it and dies: its lock is gone, and it never lets go."""
    claim = runs.claim(identity)
    assert claim is not None
    claim.save(claim.record.model_copy(update={"state": "running"}))
    claim.append({"event": "noted", "text": f"start {claim.record.deaths}"})
    runs.server.client.delete(claim._lock)
    return claim


def test_who_leaves_waits_for_no_news(share, monkeypatch):
    """Nor for an answer of the server's that does not come, as where none comes for an hour: that would be told."""
    monkeypatch.setattr(run_redis, "LOOK_S", 3600.0)
    notes = []
    share(notes=notes).close()
    assert notes == []


def test_a_run_whose_worker_died_is_taken_over(share):
    """By another process, which numbers its events on; who was thought dead writes nothing when it wakes."""
    one, other = share(), share()
    post(one)
    late = died_at(one)
    claim = other.claim()
    assert (claim.record.id, claim.record.deaths) == ("1", 1)
    claim.append({"event": "noted", "text": "taken over"})
    with pytest.raises(LostLock):
        late.append({"event": "noted", "text": "awake"})
    with pytest.raises(LostLock):
        late.save(late.record)
    assert [event["text"] for event in events_of(one.reader("1"))] == ["start 0", "taken over"]
    for each in (late, claim):
        each.release()


def test_a_run_whose_host_died_waits_for_no_free_place(share, serve, solver, double, gate):
    """It goes on beside those that are worked on; one that nobody has begun waits its turn."""
    gated = gate(solver.model(double()), "plan")
    service = serve(gated, runs=share())
    running = service.post("one")
    assert gated.waiting.wait(20)
    queued = service.post("two")
    runs, gone_on = share(), threading.Event()
    runs.add(RunRecord(id="1", order=Order(instruction="Double it."), created="now"), 9)
    with runs.listening(lambda news: gone_on.set() if news == News("1", "event") else None):
        late = died_at(runs, "1")
        gone_on.clear()
        assert gone_on.wait(20)
    assert [service.record(one)["state"] for one in (running, queued)] == ["running", "queued"]
    gated.open.set()
    assert [service.ended(one)["state"] for one in (running, "1", queued)] == ["green"] * 3
    late.release()


def test_a_store_that_can_only_be_read_is_told_once(share):
    """What it gives meanwhile does not have it told again each time that something can't be written."""
    notes = []
    runs = share(notes=notes)
    post(runs)
    runs._claimed = refuse
    listened = threading.Semaphore(0)
    with runs.listening(lambda news: listened.release()):
        for _ in range(3):
            assert runs.claim() is None
            assert listened.acquire(timeout=20)
    assert notes == ["the shared store is full; runs wait for that"]


def refuse(identity: str) -> None:
    raise StoreError("the shared store is full")


def test_who_stood_still_is_told_so(share):
    """Its claim is lost, and it hears of it."""
    runs = share(lock_s=0.2)
    post(runs)
    told = threading.Event()
    with runs.listening(lambda news: told.set() if news.kind == "said" and news.identity else None):
        claim = died_at(runs)
        assert told.wait(10)
    assert claim.is_lost
    claim.release()


def test_a_run_that_the_store_forgot_is_queued_again(share):
    """As in a restart without persistence; who worked on it remembers it, though it can't even keep how it ended."""
    runs = share()
    post(runs)
    claim = runs.claim()
    runs.server.client.flushall()
    with pytest.raises(LostLock):
        claim.save(claim.record.model_copy(update={"state": "failed"}))
    claim.release()
    again = runs.claim()
    assert (again.record.id, again.record.state, again.record.deaths) == ("1", "queued", 0)
    again.release()


def test_who_wakes_late_queues_no_run_that_another_has_queued_again(share):
    """What the next holder wrote of it stays."""
    runs, other = share(), share()
    post(runs)
    claim = runs.claim()
    runs.server.client.flushall()
    other.add(claim.record.model_copy(update={"state": "queued"}), 10)
    taken = other.claim()
    taken.save(taken.record.model_copy(update={"state": "running"}))
    claim.release()
    assert runs.record("1").state == "running"
    taken.release()


def test_what_is_wrong_with_an_entry_is_told_once(share):
    """However often it is read, as by a page that looks on; and a store that is slow is told as such."""
    notes = []
    runs, stranger = share(notes=notes), share(key="another")
    post(stranger)
    for _ in range(3):
        assert runs.record("1") is None
        runs.server.on_slow()
    assert [note.split(" in the shared store ")[0] for note in notes] == ["run/1/record", notes[1]]
    assert notes[1].endswith("takes over 0.5 s an answer, and a run waits for dozens")


def test_a_run_that_its_workers_die_of_is_set_aside(share):
    """After so many it is told, and not tried for ever. A worker that is ended in good order died of nothing."""
    runs = share()
    post(runs)
    claim = runs.claim()
    claim.save(claim.record.model_copy(update={"state": "running"}))
    claim.release()
    dead = [died_at(runs) for _ in range(DEATHS)]
    assert runs.claim() is None
    record = runs.record("1")
    assert (record.state, record.error[:25]) == ("failed", f"set aside: {DEATHS} workers died")
    for each in dead:
        each.release()


def test_what_lacks_the_teams_signature_counts_for_nothing(share):
    """A run, its events and what it is told, of somebody who has not the key."""
    team, stranger = share(), share(key="another")
    post(stranger, "2")
    post(team)
    stranger.stop("1")
    claim = team.claim()
    claim.append({"event": "noted", "text": "mine"})
    stranger.server.client.xadd(team.server.name("events", "1"), {"event": b'{"event": "noted"}'}, id="2-0")
    assert (claim.record.id, team.claim()) == ("1", None)
    assert not team.said("1").stopping
    assert [event["text"] for event in events_of(team.reader("1"))] == ["mine"]
    assert [record.id for record in team.records()] == ["1"]
    claim.release()


def test_two_services_share_their_runs(share, serve, solver, double, gate):
    """One asked, the other solves; each tells of it, its events too, and ends it."""
    gated = gate(solver.model(double()), "plan")
    first = serve(gated, runs=share())
    running = first.post("one")
    assert gated.waiting.wait(20)
    second = serve(solver.model(double()), runs=share())
    identity = first.post("two")
    assert second.ended(identity)["state"] == "green"
    assert first.http.get(f"/runs/{identity}/solution").json()["all_tests_passed"]
    events = [event["event"] for _, event in first.events(identity)]
    assert (events[0], events[-1]) == ("run_started", "run_ended")
    assert [event["event"] for _, event in second.events(identity, after=len(events) - 1)] == ["run_ended"]
    heard = threading.Event()
    with share().listening(lambda news: heard.set() if news == News(running, "event") else None):
        assert second.http.delete(f"/runs/{running}").json()["stopping"] is True
        assert heard.wait(20)  # who works on it has written that it is to end: answered before, it would be green
    gated.open.set()
    assert first.ended(running)["state"] == "cancelled"


def test_a_question_is_answered_at_another_service(share, serve, halves):
    """Whoever works on the run hears of it, and the other knows that it is open, and then that it is not."""
    first, second = serve(halves, runs=share()), serve(halves, runs=share())
    identity = first.post(questions="ask")
    working, other = None, None
    for _, event in second.events(identity):
        if event["event"] == "question_asked":
            working, other = (first, second) if first.server.run_queue._going else (second, first)
            reply = {"question": event["number"], "answer": "1"}
            assert other.http.post(f"/runs/{identity}/answers", json=reply).status_code == 204
            assert working.http.post(f"/runs/{identity}/answers", json=reply).status_code == 409
    assert working is not None
    told = other.http.get(f"/runs/{identity}/solution").json()["questions"]
    assert [question["answered"] for question in told].count(True) >= 1


def test_a_service_that_ends_leaves_its_run_to_another(share, serve, solver, double, gate):
    """At once, and nothing that was answered is asked again."""
    gated = gate(solver.model(double()), "plan")
    first = serve(gated, runs=share())
    identity = first.post()
    assert gated.waiting.wait(20)
    second = serve(solver.model(double()), runs=share())
    ending = threading.Thread(target=first.close)
    ending.start()
    while not first.server.run_queue._leaving:
        pass
    gated.open.set()
    ending.join()
    record = second.ended(identity)
    assert (record["state"], record["starts"], record["deaths"]) == ("green", 2, 0)
    again = [event for _, event in second.events(identity) if event["event"] == "model_answered"]
    assert {event["purpose"] for event in again if event["replayed"]} == {"plan"}


def test_a_run_that_a_service_lost_and_took_again(share, serve, solver, double, gate):
    """After it stood still: another of its workers goes on with it, and none is lost by that."""
    gated, runs = gate(solver.model(double()), "plan"), share(lock_s=0.5)
    service = serve(gated, runs=runs, at_once=2)
    identity = service.post()
    assert gated.waiting.wait(20)
    runs.server.client.delete(runs.server.name("lock", f"run/{identity}"))
    service.until(identity, lambda record: record["starts"] == 2)
    gated.open.set()
    assert service.ended(identity)["state"] == "green"
    workers = service.server.run_queue._workers
    service.close()
    assert not any(worker.is_alive() for worker in workers)
