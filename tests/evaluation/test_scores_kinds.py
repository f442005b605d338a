"""The figures of real work, on records few enough to work out by hand."""

from __future__ import annotations

import json

import pytest

from tdgen.evaluation import scores
from tdgen.evaluation.judging import Judged
from tdgen.evaluation.records import Asked, Baselines
from tdgen.evaluation.scores import as_json, lines
from tdgen.types import Usage


@pytest.fixture
def found(record):
    """Six plain tasks, one for each ending, and three contradictions: refused, overlooked, refused elsewhere."""
    spent = Usage(calls=2, prompt_tokens=80, completion_tokens=10, cost=0.02)
    once = Asked(samples=1, judged=Judged(tests=4, failed=0), usage=Usage(calls=1, prompt_tokens=10, cost=0.001))
    beside = Baselines(once=once, often=once)
    plain, gap = {"kind": "plain"}, {"kind": "gap", "contradictory": True}
    return scores(
        [
            [
                record("green, right", usage=spent, beside=beside, **plain),
                record("green, wrong", last=1, **plain),
                record("red, right", "red", functions={"f": "red", "g": "blocked"}, **plain),
                record("red, wrong", "red", last=1, functions={"f": "red"}, **plain),
                record("blocked, right", "red", functions={"f": "undecided", "g": "blocked"}, **plain),
                record("undecided, wrong", "undecided", last=1, **plain),
                record("refused", "contradicted", **gap),
                record("overlooked", last=1, **gap),
                record("refused elsewhere", "contradicted", last=1, **gap),
            ]
        ]
    )


def told(share):
    return share.part, share.whole


def test_how_tasks_end(found):
    """A green where a refusal is right is a false green; a red with right code a false red, not an abstention."""
    everything, gap, plain = found.kinds
    assert [kind.kind for kind in found.kinds] == ["all kinds", "gap", "plain"]
    assert told(everything.right) == (4, 9)
    assert told(everything.false_greens) == (2, 3)
    assert told(everything.false_reds) == (1, 9)
    assert (everything.abstained_right, everything.abstained_wrong) == (1, 2)
    assert told(everything.contradictions) == (1, 3)
    assert told(gap.false_greens) == (1, 1)
    assert (gap.abstained_right, gap.abstained_wrong, gap.false_reds.part) == (0, 1, 0)
    assert told(plain.contradictions) == (0, 0)


def test_what_tasks_cost_beside_the_model_asked_once(found):
    """Means of a task; the model asked once stands there once."""
    plain = found.kinds[2]
    assert (plain.calls, plain.tokens, plain.cost) == (2 / 6, 15.0, 0.02 / 6)
    assert (told(plain.once), plain.once_tokens, plain.once_cost) == ((1, 1), 10.0, 0.001)
    assert [column.name for column in found.beside] == ["asked once"]
    assert found.figures.tokens == 10.0


def test_a_refusal_that_is_right_is_no_false_reject(found):
    """The figures of all data sets leave it out."""
    assert told(found.figures.false_accepts) == (2, 3)
    assert told(found.figures.false_rejects) == (2, 7)


def test_kinds_are_told_where_there_are_some(found, record):
    """A line a kind, and plain data."""
    rows = dict(lines(found))
    assert rows["gap, 3"].startswith("right 1; 1 of 1 green are wrong")
    assert "contradictions named 1 of 3" in rows["gap, 3"]
    assert json.loads(json.dumps(as_json(found)))["kinds"][2]["false_reds"]["part"] == 1
    assert scores([[record("a")]]).kinds == ()
