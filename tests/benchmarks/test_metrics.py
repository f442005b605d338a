"""The figures' formulas on counts small enough to work out by hand."""

import pytest
from metrics import Share, Task, density, figures, reduction, stability


def test_a_success_is_accepted_and_right():
    """Code that is right but turned down, or accepted and wrong, is none."""
    assert Task("a", 3, 1, 0).success
    assert not Task("a", 3, 1, 0, accepted=False).success
    assert not Task("a", 3, 1, 1).success


def test_a_task_without_tests_is_no_success():
    """Nothing was shown of it."""
    assert not Task("a", 0, 0, 0).success


def test_the_refinement_iterations_are_those_of_healed_tasks_alone():
    """Tasks that were right at once, or never, don't count: two repairs and none make one on average."""
    tasks = [
        Task("healed by two", 2, 1, 0, repairs=2),
        Task("healed without the model", 2, 2, 0, repairs=0),
        Task("right at once", 2, 0, 0, repairs=5),
        Task("never right", 2, 2, 2, repairs=9),
    ]
    assert figures(tasks).ari == 1.0


def test_densities_count_tests_not_tasks():
    """Three of ten tests fail, though it is one task of two."""
    assert density([(3, 8), (0, 2)]) == 0.3
    assert density([]) == 0.0


def test_the_reduction_is_a_share_of_what_there_was():
    """From 0.4 to 0.1 is three quarters; worse is below 0; nothing to reduce is all reduced."""
    assert reduction(0.4, 0.1) == pytest.approx(0.75)
    assert reduction(0.2, 0.3) == pytest.approx(-0.5)
    assert reduction(0.0, 0.0) == 1.0


def test_false_accepts_are_a_share_of_what_was_accepted():
    """One of two accepted is wrong; one right one was turned down, of three."""
    tasks = [Task("a", 2, 0, 0), Task("b", 2, 1, 1), Task("c", 2, 0, 0, accepted=False)]
    found = figures(tasks)
    assert (found.false_accepts.part, found.false_accepts.whole) == (1, 2)
    assert (found.false_rejects.part, found.false_rejects.whole) == (1, 3)


def test_stability_is_the_same_outcome_in_every_run():
    """Always failing is stable too; a task that a run lacks is not."""
    good, bad = Task("a", 1, 0, 0), Task("b", 1, 1, 1)
    assert stability([[good, bad], [good, bad]]).value == 1.0
    assert stability([[good, bad], [good, bad._replace(last_failed=0)]]).value == 0.5
    assert stability([[good, bad], [good]]).value == 0.5


def test_the_interval_is_wilsons():
    """9 of 10 lies between 59.6% and 98.2%; of nothing nothing is known."""
    low, high = Share(9, 10).interval
    assert (round(low, 3), round(high, 3)) == (0.596, 0.982)
    assert Share(0, 0).interval == (0.0, 1.0)


def test_no_task_at_all_is_no_error():
    """All figures of nothing are 0 or empty shares."""
    assert figures([]).esr.value == 0.0
