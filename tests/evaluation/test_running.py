"""An evaluation: solved from prose alone, judged once when sealed, gone on with, and played again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tdgen.errors import InputError, UnreachableError
from tdgen.evaluation import evaluate, keep, read_dataset, replay, scores
from tdgen.evaluation.judging import FunctionJudge
from tdgen.evaluation.report import write_report
from tdgen.settings import Settings

pytestmark = pytest.mark.usefixtures("warm")

WRONG = "def double(number: int) -> int:\n    return 1"
RIGHT = "def double(number: int) -> int:\n    return 2 * number"
HALF = "def double(number: int) -> int:\n    return number * 2 if number != 21 else 0"


@pytest.fixture
def settings() -> Settings:
    return Settings(trust="quick", search_seconds=0)


@pytest.fixture
def run(doubling, tmp_path, settings):
    """Evaluate the one problem into the folder `logs`."""

    def go(model, **more):
        return evaluate([doubling], tmp_path / "logs", name="made", settings=settings, model=model, **more)

    return go


def only(evaluation):
    ((record,),) = evaluation.runs
    return record


def test_a_green_that_is_right(run, alone, double):
    """First and last code are judged by hidden tests, and the model alone stands beside it."""
    record = only(run(alone(WRONG, RIGHT)))
    assert (record.outcome, record.last.right, record.repairs) == ("green", True, 1)
    assert (record.first.failed, record.last.tests) == (2, 2)
    assert not record.beside.once.judged.right
    assert record.beside.often.judged.right
    assert record.beside.often.samples > 1


def test_a_green_that_is_wrong_is_a_false_accept(run, alone):
    """It passes its own tests, and not the hidden ones."""
    found = run(alone(HALF), alone=False)
    assert only(found).accepted
    assert only(found).last.failed == 1
    assert scores(found.runs).figures.false_accepts.part == 1


def test_no_prompt_holds_anything_hidden(run, alone):
    """What is asked is made of the prose; neither the hidden calls nor what they give is in it."""
    model = alone()
    run(model)
    said = "\n".join(message.content for request in model.asked for message in request.messages)
    assert "Double a number." in said
    assert "21" not in said
    assert "42" not in said


def test_the_baselines_take_about_as_many_tokens(run, alone):
    """Another sample is asked for where it still fits."""
    record = only(run(alone()))
    assert record.beside.often.usage.tokens <= record.usage.tokens
    assert record.beside.often.usage.tokens + 120 > record.usage.tokens or record.beside.often.samples == 20


def test_hidden_tests_run_once(run, alone, nobody, monkeypatch):
    """What is judged is not judged again, nor is anything asked, when the same evaluation is run again."""
    first = only(run(alone()))
    monkeypatch.setattr(FunctionJudge, "judge", lambda *_: pytest.fail("judged again"))
    assert only(run(nobody)) == first


def test_baselines_can_be_asked_for_later(run, alone, nobody):
    """What was solved stays solved."""
    first = only(run(alone(), alone=False))
    assert first.beside is None
    assert only(run(nobody)).beside is None
    model = alone()
    assert only(run(model)).beside is not None
    assert {request.purpose for request in model.asked} == {"implement"}


def test_what_was_paid_for_before_it_was_cut_off_counts(run, alone, doubling, tmp_path, settings):
    """In calls and tokens, of a solve and of its baselines: played again, it comes out the same.

    A file that was being written just then is passed over.
    """
    cut_solve, cut_baselines, whole = alone(WRONG, RIGHT), alone(WRONG, RIGHT), alone(WRONG, RIGHT)
    cut_solve.ask = unreachable_at(cut_solve.ask, "repair", 0)
    cut_baselines.ask = unreachable_at(cut_baselines.ask, "implement", 1)
    assert only(run(cut_solve, alone=False)).outcome == "failed"
    (half,) = [path.with_name("099.json") for path in (tmp_path / "logs").rglob("001-plan*.json")]
    half.write_text('{"request": {')
    assert only(run(cut_baselines)).beside is None
    record = only(run(whole))
    half.unlink()
    assert record.usage.calls == 4
    assert record.beside.once.usage.tokens == 120
    assert record.beside.often.usage.calls == record.beside.often.samples > 1
    again = replay([doubling], tmp_path / "logs", name="made", settings=settings)
    assert again.differences == ()


def unreachable_at(ask, purpose, sample):
    """`ask`, where nobody is reachable for one purpose and sample."""

    def cut(request):
        if (request.purpose, request.sample) == (purpose, sample):
            raise UnreachableError("nobody is there")
        return ask(request)

    return cut


def test_another_evaluations_folder_is_refused(run, alone, doubling, tmp_path, settings):
    """A changed problem is another data set."""
    run(alone(), alone=False)
    other = doubling.model_copy(update={"asserts": "assert double(1) == 3"})
    with pytest.raises(InputError, match="holds the results of another run"):
        evaluate([other], tmp_path / "logs", name="made", settings=settings, model=alone())
    again = evaluate([other], tmp_path / "logs", name="made", settings=settings, model=alone(), force=True, alone=False)
    assert not only(again).last.right


def test_runs_are_apart(run, alone):
    """Each is solved anew: its cache is its own."""
    model = alone()
    found = run(model, runs=2, alone=False)
    assert len(found.runs) == 2
    assert sum(request.purpose == "plan" for request in model.asked) == 2
    assert scores(found.runs).stable.value == 1.0


def test_played_again_it_comes_out_the_same(run, alone, doubling, tmp_path, settings):
    """Figure for figure, from the logs alone."""
    found = run(alone(WRONG, RIGHT))
    again = replay([doubling], tmp_path / "logs", name="made", settings=settings)
    assert again.differences == ()
    assert again.evaluation.runs == found.runs


def test_what_is_kept_of_the_logs_is_enough_to_play_them_again(run, alone, doubling, tmp_path, settings):
    """The answers, without the prompts."""
    found = run(alone(WRONG, RIGHT))
    keep(tmp_path / "logs", tmp_path / "kept")
    again = replay([doubling], tmp_path / "kept", name="made", settings=settings)
    assert again.differences == ()
    assert again.evaluation.runs == found.runs
    assert not list((tmp_path / "kept").rglob("*.md"))
    for logs in (tmp_path / "logs", tmp_path):
        with pytest.raises(InputError):
            keep(logs, tmp_path / "kept")


def test_a_figure_that_comes_out_otherwise_is_told(run, alone, doubling, tmp_path, settings):
    """Here the answer in the logs was changed."""
    run(alone(RIGHT), alone=False)
    (path,) = (tmp_path / "logs").glob("run-1/transcripts/*/*-implement-*.json")
    path.write_text(path.read_text().replace("2 * number", "number + number if number != 21 else 0"))
    again = replay([doubling], tmp_path / "logs", name="made", settings=settings)
    assert any("last was" in difference for difference in again.differences)


def test_a_folder_without_an_evaluation_cannot_be_played(doubling, tmp_path, settings):
    """It is said."""
    with pytest.raises(InputError, match="holds no evaluation"):
        replay([doubling], tmp_path, name="made", settings=settings)


def test_what_is_left_to_read(run, alone, tmp_path, settings):
    """A page and the figures."""
    where = write_report(run(alone()), settings, tmp_path / "logs", "made")
    assert "made/double" in where.read_text()
    figures = json.loads((tmp_path / "logs/figures.json").read_text())
    assert figures["right"]["part"] == 1
    assert Path(where).name == "report.html"


def test_every_known_kind_can_be_evaluated(rows, dataset, nobody, tmp_path, settings):
    """Where nobody answers, all of them fail, and the evaluation says why it ended."""
    problems = read_dataset(dataset(*rows.values()))
    found = evaluate(problems, tmp_path / "logs", name="made", settings=settings, model=nobody, alone=False)
    assert found.exit_code == 4
    assert "asked for plan" in found.stopped


class TestTasks:
    """Tasks of a folder: whole modules by hidden pytest files, and contradictions by what is said of them."""

    @pytest.fixture
    def go(self, tmp_path, settings):
        """Evaluate a folder of tasks."""

        def go(folder, model, **more):
            problems = read_dataset(folder)
            return evaluate(problems, tmp_path / "logs", name="tasks", settings=settings, model=model, **more)

        return go

    @pytest.fixture
    def refusing(self, solver, double):
        """A model that plans, and sees the contradiction, whose places its reader gives."""

        def make(first, second, **more):
            told = [{"first": first, "second": second, "why": "One of them.", "assumption": "8."}]
            return solver.model(double(), contradictions=told, **more)

        return make

    def test_a_module_is_judged_by_its_hidden_file(self, go, alone, write_task):
        """The model is asked once beside it, for the whole module."""
        model = alone(HALF)
        record = only(go(write_task("t"), model))
        assert (record.outcome, record.last.failed, record.last.tests, record.kind) == ("green", 1, 3, "plain")
        assert record.is_false_green
        assert record.beside.often == record.beside.once
        (asked,) = [text for text in (r.messages[-1].content for r in model.asked) if "whole module" in text]
        assert asked.endswith("It defines double.")
        assert not any("reference" in m.content or "abab" in m.content for r in model.asked for m in r.messages)

    def test_a_contradiction_is_refused(self, go, refusing, contradicting, places):
        """Right where both places are named; it is no red, and its plan is paid for."""
        found = go(contradicting("t"), refusing(*places), alone=False)
        record = only(found)
        assert (record.outcome, record.last.right, record.usage.calls) == ("contradicted", True, 1)
        assert scores(found.runs).kinds[0].contradictions.value == 1.0

    def test_another_contradiction_is_none(self, go, refusing, contradicting, places):
        """Refused for a reason that is not there."""
        record = only(go(contradicting("t"), refusing("Double a number", places[0]), alone=False))
        assert (record.outcome, record.last.right) == ("contradicted", False)

    def test_a_contradiction_that_is_overlooked_is_a_false_green(self, go, alone, contradicting):
        """However right the code may be by one of its places."""
        found = go(contradicting("t"), alone(), alone=False)
        assert only(found).is_false_green
        assert scores(found.runs).figures.false_accepts.part == 1

    def test_a_question_names_a_contradiction_too(self, go, refusing, contradicting, places, settings):
        """Where questions are allowed, and assumed to be answered."""
        settings = settings.model_copy(update={"questions": "assume"})
        folder = contradicting("t")
        problems = read_dataset(folder)
        found = evaluate(
            problems, folder.parent / "logs", name="t", settings=settings, model=refusing(*places), alone=False
        )
        assert only(found).outcome == "green"
        assert only(found).last.right
        assert not only(found).is_false_green

    def test_the_model_asked_once_may_name_it(self, go, alone, contradicting, places):
        """Whatever code stands beside."""
        record = only(go(contradicting("t"), alone(says=" against ".join(places))))
        assert record.beside.once.judged.right

    def test_tasks_are_played_again(self, go, alone, write_task, contradicting, tmp_path, settings):
        """Figure for figure: a green and a contradiction that was overlooked."""
        write_task("one")
        folder = contradicting("two")
        found = go(folder, alone())
        again = replay(read_dataset(folder), tmp_path / "logs", name="tasks", settings=settings)
        assert again.differences == ()
        assert again.evaluation.runs == found.runs
        assert scores(again.evaluation.runs).kinds == scores(found.runs).kinds

    def test_a_refusal_is_played_again(self, go, refusing, contradicting, places, tmp_path, settings):
        """With what its plan cost."""
        folder = contradicting("t")
        found = go(folder, refusing(*places), alone=False)
        again = replay(read_dataset(folder), tmp_path / "logs", name="tasks", settings=settings)
        assert again.differences == ()
        assert again.evaluation.runs == found.runs


def test_what_was_tried_again_is_judged_again(run, alone, nobody):
    """A record of a problem that nobody answered does not outlive the answer."""
    assert only(run(nobody, alone=False)).outcome == "failed"
    record = only(run(alone(), alone=False))
    assert (record.outcome, record.last.right) == ("green", True)
