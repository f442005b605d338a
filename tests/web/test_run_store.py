"""Where runs lie: the same of a folder that one process has and of a store that many share."""

from __future__ import annotations

import json
import threading
from contextlib import closing
from typing import Any

import pytest

from tdgen.types import Asked
from tdgen.web.orders import Full, Order, RunRecord
from tdgen.web.run_folder import RunFolder
from tdgen.web.run_store import News, RunStore, Said, events_of, question_key


@pytest.fixture(params=["folder", pytest.param("shared", marks=pytest.mark.slow)])
def runs(request: pytest.FixtureRequest, tmp_path):
    if request.param == "shared":
        yield request.getfixturevalue("share")()
    else:
        with closing(RunFolder(tmp_path)) as folder:
            yield folder


def waiting(identity: str, **more: Any) -> RunRecord:
    order = Order(instruction="Double it.")
    return RunRecord(id=identity, order=order, created=f"2026-01-01T00:00:0{identity}", **more)


def claimed(runs: RunStore, identity: str = ""):
    claim = runs.claim(identity)
    assert claim is not None
    return claim


def test_runs_are_claimed_in_turn(runs):
    """Each once, or by its id; the newest is listed first."""
    for identity in "123":
        runs.add(waiting(identity), 3)
    first, third = claimed(runs), claimed(runs, "3")
    assert (first.record.id, third.record.id) == ("1", "3")
    second = claimed(runs)
    assert second.record.id == "2"
    assert runs.claim() is runs.claim("1") is runs.claim("none") is None
    assert [record.id for record in runs.records()] == ["3", "2", "1"]
    for claim in (first, second, third):
        claim.release()


def test_so_many_may_wait(runs):
    """Those that are worked on are not among them."""
    runs.add(waiting("1"), 1)
    with pytest.raises(Full):
        runs.add(waiting("2"), 1)
    assert runs.record("2") is None
    claim = claimed(runs)
    runs.add(waiting("2"), 1)
    claim.release()


def test_what_is_written_is_read(runs):
    """A record, events by their numbers, and that nothing came of it yet."""
    runs.add(waiting("1"), 1)
    claim = claimed(runs)
    claim.save(claim.record.model_copy(update={"state": "running", "module": "kit"}))
    for number in range(120):
        claim.append({"event": "noted", "text": f"{number} \ud800"})
    assert runs.record("1").module == "kit"
    assert runs.solution("1") is None
    assert [event["text"] for event in events_of(runs.reader("1"))] == [f"{n} \ud800" for n in range(120)]
    reader = runs.reader("1", after=118)
    (line, last) = reader.read()
    assert (line.number, last.number, json.loads(last.text)["text"]) == (119, 120, "119 \ud800")
    assert reader.read() == []
    claim.append({"event": "noted", "text": "more"})
    assert [line.number for line in reader.read()] == [121]
    claim.release()


def test_what_is_said_to_a_run_is_heard(runs):
    """That it is to end, and an answer, once: whoever works on it is told."""
    runs.add(waiting("1"), 1)
    claim = claimed(runs)
    heard = threading.Event()

    def listen(news: News) -> None:
        if news == News("1", "said"):
            heard.set()

    question = question_key(Asked(question="Which?", assumption="this", function="double"))
    assert runs.said("1") == Said(stopping=False, answers={})
    with runs.listening(listen):
        assert runs.answer("1", question, "2")
        assert heard.wait(10)
        assert not runs.answer("1", question, "3")
        heard.clear()
        runs.stop("1")
        assert heard.wait(10)
    assert runs.said("1") == Said(stopping=True, answers={question: "2"})
    claim.release()


def test_what_has_ended_is_not_claimed(runs):
    """Nor does it wait."""
    runs.add(waiting("1"), 1)
    claim = claimed(runs)
    claim.save(claim.record.model_copy(update={"state": "green", "ended": "now"}))
    claim.release()
    assert runs.claim() is runs.claim("1") is None
    runs.add(waiting("2"), 1)


def test_turns_and_figures(runs):
    """So many turns a minute of each name; figures add up, and are kept apart by what they are about."""
    assert [runs.book("ci", 2), runs.book("ci", 2), runs.book("ci", 2), runs.book("anna", 2)] == [
        True,
        True,
        False,
        True,
    ]
    runs.count("all", {"calls ci": 2, "money ci": 0.25})
    runs.count("all", {"calls ci": 1})
    runs.count("2026-11-26", {"calls ci": 1})
    assert runs.counts("all") == {"calls ci": 3, "money ci": 0.25}
    assert (runs.counts("2026-11-26"), runs.counts("2026-11-27")) == ({"calls ci": 1}, {})
    with runs.alone("ci"):
        pass
