"""The queue: bounded, cancelled, and gone on with by the next service."""

from __future__ import annotations

import io
import json
import threading
import time
import zipfile
from pathlib import Path

import pytest

from tdgen.errors import StoreError


def test_the_queue_has_a_bound(serve, solver, double, gate):
    """Beyond it a post is told when to come back; what waits is solved in its turn."""
    gated = gate(solver.model(double()), "plan")
    service = serve(gated, waiting=2)
    running = service.post("one")
    assert gated.waiting.wait(10)
    waiting = [service.post("two"), service.post("three")]
    answer = service.http.post("/runs", json={"instruction": "four"})
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
    assert [service.record(identity)["state"] for identity in waiting] == ["queued", "queued"]
    gated.open.set()
    assert [service.ended(identity)["state"] for identity in (running, *waiting)] == ["green"] * 3


def test_what_waits_is_cancelled_without_being_begun(serve, solver, double, gate):
    """It costs nothing, and makes room."""
    gated = gate(solver.model(double()), "plan")
    service = serve(gated, waiting=1)
    running = service.post("one")
    assert gated.waiting.wait(10)
    identity = service.post("two")
    assert service.http.delete(f"/runs/{identity}").status_code == 202
    assert service.record(identity)["state"] == "cancelled"
    assert [event["event"] for _, event in service.events(identity)] == ["run_ended"]
    third = service.post("three")
    gated.open.set()
    assert service.ended(third)["state"] == service.ended(running)["state"] == "green"
    assert len([request for request in gated.asked if request.purpose == "plan"]) == 2


def test_cancelling_stops_the_spending(serve, solver, double, gate):
    """After it no model is asked any more; what was best so far can be had, and cancelling twice is refused."""
    wrong = "def double(number: int) -> int:\n    return 2 * number if number < 7 else 0"
    gated = gate(solver.model(double(wrong, wrong.replace("0", "1"))), "repair")
    service = serve(gated)
    identity = service.post()
    assert gated.waiting.wait(20)
    assert service.http.delete(f"/runs/{identity}").json()["stopping"] is True
    asked = len(gated.asked)
    gated.open.set()
    record = service.ended(identity)
    assert record["state"] == "cancelled"
    assert len(gated.asked) == asked
    assert b"2 * number if number < 7" in _module(service, identity)
    assert service.http.delete(f"/runs/{identity}").status_code == 409


def test_a_restart_goes_on(serve, solver, double, gate):
    """What went on and what waited is solved by the next service, without paying twice, the events numbered on."""
    gated = gate(solver.model(double()), "plan")
    first = serve(gated)
    running, waiting = first.post("one"), first.post("two")
    assert gated.waiting.wait(20)
    ending = threading.Thread(target=first.close)
    ending.start()
    while not first.server.run_queue._leaving:
        time.sleep(0.01)
    gated.open.set()
    ending.join()
    assert len(gated.asked) == 1
    second = serve(solver.model(double()))
    assert second.ended(running)["state"] == second.ended(waiting)["state"] == "green"
    events = list(second.events(running))
    assert [number for number, _ in events] == list(range(1, len(events) + 1))
    starts = [place for place, (_, event) in enumerate(events) if event["event"] == "run_started"]
    assert len(starts) == 2
    again = [event for _, event in events[starts[1] :] if event["event"] == "model_answered"]
    assert {event["purpose"] for event in again if event["replayed"]} == {"plan"}


def test_what_was_cut_off_can_be_taken_home(serve, solver, write):
    """A model that stops answering leaves the best attempts so far, marked: nothing of it is all green."""
    right = write.function(
        "one(number: int) -> int",
        cases=[write.returns(f"one({n})", str(n + 1)) for n in (0, 1, 2)],
        tries=["def one(number: int) -> int:\n    return number + 1"],
    )
    stuck = write.function(
        "two(number: int) -> int",
        cases=[write.returns(f"two({n})", str(n + 2)) for n in (0, 1, 2)],
        tries=["def two(number: int) -> int:\n    return one(number) + number % 2 + 1"],
        uses=["one"],
    )
    service = serve(solver.model(right, stuck))
    record = service.ended(service.post("Add one, and two."))
    assert record["state"] == "failed"
    assert "no answer for repair of two" in record["error"]
    assert b"one(number) + number % 2 + 1" in _module(service, record["id"])
    solution = service.http.get(f"/runs/{record['id']}/solution").json()
    assert {name: one["outcome"] for name, one in solution["outcomes"].items()} == {"one": "green", "two": "red"}
    assert solution["all_tests_passed"] is False
    assert solution["test_files"].keys() == {"test_one.py", "test_two.py"}
    ended = list(service.events(record["id"]))[-1][1]
    assert (ended["event"], ended["package"]) == ("run_ended", True)


def test_a_disk_that_is_full_ends_a_run_not_the_service(serve, solver, double, gate):
    """The next one is solved."""
    gated = gate(solver.model(double()), "plan")
    service = serve(gated)
    first, second = service.post("one"), service.post("two")
    assert gated.waiting.wait(10)
    log = service.server.run_queue._going[first]._claim._log
    log._file.close()
    log._file = Path("/dev/full").open("ab")  # noqa: SIM115 - the log closes it
    gated.open.set()
    record = service.ended(first)
    assert record["state"] == "failed"
    assert "can't be kept" in record["error"]
    assert service.ended(second)["state"] == "green"


def test_half_a_line_is_mended(serve, solver, double, run_folder):
    """A process that was killed while it wrote an event leaves a line that is no line: it is cut off."""
    service = serve(solver.model(double()))
    identity = service.post()
    service.ended(identity)
    service.close()
    folder = run_folder(identity)
    record = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(record | {"state": "running", "ended": ""}))
    with (folder / "events.jsonl").open("a") as file:
        file.write('{"at":1,"event":"no')
    second = serve(solver.model(double()))
    assert second.ended(identity)["state"] == "green"
    assert [event["event"] for _, event in second.events(identity)][-1] == "run_ended"


def test_one_cache_one_service(serve, solver, double):
    """Two would go on with the same runs: the second is refused in a line."""
    serve(solver.model(double()))
    with pytest.raises(StoreError, match="another `tdgen serve` works on"):
        serve(solver.model(double()))


def test_a_question_is_put_and_answered(serve, halves):
    """It is an event; the answer is pinned from then on. A question that is not open is refused."""
    service = serve(halves)
    identity = service.post(questions="ask")
    answered = []
    for _, event in service.events(identity):
        if event["event"] == "question_asked":
            assert 1 <= event["question"]["place"] <= event["question"]["total"]
            reply = {"question": event["number"], "answer": "1"}
            answered.append(service.http.post(f"/runs/{identity}/answers", json=reply).status_code)
            assert service.http.post(f"/runs/{identity}/answers", json=reply).status_code == 409
    assert answered
    assert set(answered) == {204}
    assert service.http.post(f"/runs/{identity}/answers", json={"question": 99, "answer": "1"}).status_code == 409
    told = service.http.get(f"/runs/{identity}/solution").json()["questions"]
    assert [question["answered"] for question in told].count(True) >= 1


def _module(service, identity: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(service.http.get(f"/runs/{identity}/package.zip").content)) as packed:
        return packed.read("kit/kit.py")
