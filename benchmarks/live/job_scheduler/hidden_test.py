import logging

import solution


def make(name, at, every=60, priority=1, run=None):
    return {"name": name, "next": at, "every": every, "priority": priority, "run": run or (lambda name: None)}


def fail(name):
    raise RuntimeError("disk full")


def test_due_is_inclusive():
    jobs = [make("a", 100), make("b", 101), make("c", 99)]
    assert solution.run_due(jobs, 100) == ["c", "a"]
    assert [job["next"] for job in jobs] == [160, 101, 159]


def test_called_with_the_name():
    seen = []
    jobs = [make("a", 2, run=seen.append), make("b", 1, run=seen.append)]
    solution.run_due(jobs, 5)
    assert seen == ["b", "a"]


def test_highest_priority_first():
    jobs = [make("low", 5, priority=1), make("high", 5, priority=9), make("early", 4, priority=0)]
    assert solution.run_due(jobs, 5) == ["early", "high", "low"]


def test_three_equal_in_list_order():
    jobs = [make("z", 5), make("a", 5), make("m", 5)]
    assert solution.run_due(jobs, 5) == ["z", "a", "m"]


def test_missed_runs_are_skipped():
    seen = []
    jobs = [make("a", 100, every=10, run=seen.append)]
    solution.run_due(jobs, 135)
    assert seen == ["a"]
    assert jobs[0]["next"] == 140


def test_next_is_later_than_now():
    jobs = [make("a", 100, every=10)]
    solution.run_due(jobs, 130)
    assert jobs[0]["next"] == 140


def test_run_once_leaves_the_same_list():
    jobs = [make("a", 100, every=0), make("b", 100), make("c", 200, every=0)]
    alias = jobs
    assert solution.run_due(jobs, 100) == ["a", "b"]
    assert [job["name"] for job in alias] == ["b", "c"]


def test_all_three_run_once():
    jobs = [make("a", 1, every=0), make("b", 1, every=0), make("c", 1, every=0)]
    assert solution.run_due(jobs, 1) == ["a", "b", "c"]
    assert jobs == []


def test_failure_is_logged_and_others_run(caplog):
    caplog.set_level(logging.DEBUG)
    jobs = [make("a", 1, run=fail), make("b", 2)]
    assert solution.run_due(jobs, 5) == ["b"]
    assert caplog.record_tuples == [("jobs", logging.ERROR, "a failed: disk full")]


def test_failed_repeating_job_gets_a_new_time():
    jobs = [make("a", 100, every=10, run=fail)]
    assert solution.run_due(jobs, 105) == []
    assert jobs[0]["next"] == 110


def test_failed_run_once_job_stays():
    jobs = [make("a", 100, every=0, run=fail), make("b", 100, every=0)]
    assert solution.run_due(jobs, 105) == ["b"]
    assert [(job["name"], job["next"]) for job in jobs] == [("a", 100)]


def test_success_logs_nothing(caplog):
    caplog.set_level(logging.DEBUG)
    solution.run_due([make("a", 1)], 5)
    assert caplog.record_tuples == []


def test_list_order_stays():
    jobs = [make("a", 3), make("b", 1), make("c", 2), make("d", 1, every=0)]
    solution.run_due(jobs, 5)
    assert [job["name"] for job in jobs] == ["a", "b", "c"]


def test_what_is_due_is_settled_first():
    jobs = [make("a", 1), make("b", 50)]
    jobs[0]["run"] = lambda name: jobs[1].update(next=2)
    assert solution.run_due(jobs, 5) == ["a"]
    assert jobs[1]["next"] == 2


def test_nothing_due():
    jobs = [make("a", 6)]
    assert solution.run_due(jobs, 5) == []
    assert jobs[0]["next"] == 6
