"""The figures on records few enough to work out by hand."""

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
    """Four problems: healed, falsely green, falsely red, undecided and wrong."""
    right, wrong = Judged(tests=4, failed=0), Judged(tests=4, failed=1)
    spent = Usage(calls=4, prompt_tokens=300, completion_tokens=100, seconds=3.0, cost=0.02)
    once = Asked(samples=1, judged=wrong, usage=Usage(calls=1, prompt_tokens=90, completion_tokens=10, cost=0.001))
    often = Asked(samples=4, judged=right, usage=Usage(calls=4, prompt_tokens=360, completion_tokens=40, cost=0.004))
    return scores(
        [
            [
                record("a", first=2, repairs=2, usage=spent, seconds=5.0, beside=Baselines(once=once, often=often)),
                record("b", first=1, last=1),
                record("c", "red"),
                record("d", "undecided", first=1, last=1, seconds=1.0),
            ]
        ]
    )


def test_green_and_right_are_two_things(found):
    """A false accept is of the green, a false reject and an undecided one of all."""
    assert (found.right.part, found.right.whole) == (2, 4)
    assert (found.green.part, found.green.whole) == (2, 4)
    assert (found.figures.false_accepts.part, found.figures.false_accepts.whole) == (1, 2)
    assert (found.figures.false_rejects.part, found.figures.false_rejects.whole) == (1, 4)
    assert found.undecided.part == 1
    assert found.figures.esr.part == 1


def test_densities_and_repairs(found):
    """By hidden tests: four of sixteen fail at first, two in the end."""
    assert found.figures.ied == 4 / 16
    assert found.figures.err == 0.5
    assert found.figures.ari == 2


def test_what_a_problem_costs(found):
    """Means of all; seconds are divided between the model and tdgen."""
    assert (found.figures.calls, found.figures.tokens, found.cost) == (1.0, 100.0, 0.005)
    assert (found.model_seconds, found.own_seconds) == (0.75, 0.75)


def test_the_same_model_alone_stands_beside_it(found):
    """Asked once, and often for the same tokens."""
    once, often = found.beside
    assert (once.right.part, once.tokens, once.cost) == (0, 100.0, 0.001)
    assert (often.name, often.right.part, often.tokens) == ("asked 4.0 times, the best of them", 1, 400.0)


def test_stability_needs_several_runs(record):
    """The share of problems with one outcome in all of them."""
    one, other = [record("a"), record("b")], [record("a"), record("b", "red")]
    assert scores([one]).stable is None
    stable = scores([one, other]).stable
    assert stable is not None
    assert (stable.part, stable.whole) == (1, 2)


def test_of_nothing_nothing_is_known():
    """An evaluation that ended before its first problem has figures too."""
    assert dict(lines(scores([])))["right by hidden tests (pass@1)"] == "0.0% (0.0–100.0)"


def test_as_json(found):
    """Plain data; a share has its interval beside it."""
    plain = json.loads(json.dumps(as_json(found)))
    assert plain["right"]["interval"] == [pytest.approx(0.15, abs=0.01), pytest.approx(0.85, abs=0.01)]
    assert plain["beside"][0]["right"]["whole"] == 1
    assert plain["figures"]["esr"]["part"] == 1
