"""Jobs that several calls ask a sandbox for, run as one."""

from __future__ import annotations

from functools import partial

import pytest

from tdgen.errors import SandboxError
from tdgen.team.together import Joint, Round
from tdgen.types import Job, Limits, Probe, Watch


class Listing:
    """A sandbox that lists the jobs that it runs."""

    def __init__(self, inner) -> None:
        self.inner, self.jobs = inner, []

    def run(self, job):
        self.jobs.append(job)
        return self.inner.run(job)


@pytest.fixture
def listing(shared_sandboxes):
    """The session's sandbox, with a list of its jobs."""
    return Listing(shared_sandboxes[0])


def job(source: str, *calls: str, name: str = "m", watch: Watch = "", plain: bool = False) -> Job:
    """Calls on a module."""
    probes = tuple(Probe(name=call, call=call) for call in calls)
    return Job(module=name, source=source, probes=probes, limits=Limits(wall_s=0.5), watch=watch, is_plain=plain)


def seen(sandbox, jobs, company="all"):
    """What comes of the jobs, each asked for by a call of its own: values, and else the status."""
    together = Round()
    joint = Joint(sandbox, together, company)

    def ask(one):
        return [o.value if o.status == "returned" else o.status for o in joint.run(one).observations]

    return together.each([partial(ask, one) for one in jobs])


def test_each_is_run_on_its_own_module(listing):
    """Modules and functions of several have the same names; what one has printed is not another's."""
    jobs = [job("def f(x): return x + 1", "f(1)", "f(2)"), job("def f(x): return -x", "f(1)"), job("f = abs", "f(-3)")]
    assert seen(listing, jobs) == [[2, 3], [-1], [3]]
    assert len(listing.jobs) == 1


def test_no_import_finds_the_module_of_another(listing):
    """It would not be there where each is run by itself."""
    jobs = [job("here = 1", "here", name="prices"), job("import prices", "1"), job("import a.b", "1")]
    assert seen(listing, [*jobs, job("here = 2", "here", name="a.b")]) == [[1], ["not_run"], ["not_run"], [2]]


def test_one_that_does_not_end_costs_the_others_nothing(listing):
    """What comes after it in the process is run in the next."""
    endless = job("while True:\n    pass", "1", "2")
    assert seen(listing, [job("x = 1", "x"), endless, job("x = 2", "x"), job("x = 3", "x")]) == [
        [1],
        ["timeout", "not_run"],
        [2],
        [3],
    ]
    assert len(listing.jobs) == 2


def test_calls_take_turns_until_the_last_has_ended(listing):
    """One that wants no more lets the others go on; what one asked for before is not run again."""
    together = Round()
    joint = Joint(listing, together, "all")
    calls = [lambda number=number: [joint.run(job("", str(turn))) for turn in range(number)] for number in range(4)]
    assert [[report.observations[0].value for report in reports] for reports in together.each(calls)] == [
        [],
        [0],
        [0, 1],
        [0, 1, 2],
    ]
    assert [len(one.probes) for one in listing.jobs] == [3, 2, 1]


@pytest.mark.parametrize(
    ("company", "one", "processes"),
    [
        ("all", job("x = 1", "x", watch="lines"), 2),
        ("", job("x = 1", "x"), 2),
        ("", job("x = 1", "x", plain=True), 1),
    ],
    ids=["watched", "of no company", "plain"],
)
def test_who_may_share_a_process(listing, company, one, processes):
    """Those of one company, and without one what can do nothing to others."""
    assert seen(listing, [one, one], company) == [[1], [1]]
    assert len(listing.jobs) == processes


def test_a_script_has_a_process_for_each_case(listing):
    """So have all cases of its job, and none of another one."""
    script = job("print(1)", "1")
    world = script.probes[0].world.model_copy(update={"script": ()})
    script = script.model_copy(update={"probes": (script.probes[0].model_copy(update={"world": world}),)})
    seen(listing, [script, job("", "1"), job("", "1")])
    assert sorted(len(one.probes) for one in listing.jobs) == [1, 2]


def test_a_sandbox_that_fails_is_told_to_each_that_waits():
    """And nobody waits for ever."""

    class Failing:
        def run(self, job):
            raise SandboxError("there is none")

    with pytest.raises(SandboxError, match="there is none"):
        seen(Failing(), [job("", "1"), job("", "1")])
