"""Limit cases run by themselves, within a time that is calibrated on this machine."""

from __future__ import annotations

import pytest

from tdgen.build import calibration, evaluator
from tdgen.types import Job, Report


class Clockwork:
    """A sandbox that takes so many seconds for each run, one after the other, on a clock of its own."""

    def __init__(self, *seconds: float) -> None:
        self.seconds = list(seconds)
        self.now = 0.0

    def run(self, job: Job) -> Report:
        self.now += self.seconds.pop(0)
        return Report()


@pytest.fixture
def allowed(monkeypatch):
    """The seconds that a limit case may take where the yardstick takes so long."""

    def measure(*seconds: float) -> float:
        sandbox = Clockwork(*seconds)
        monkeypatch.setattr(calibration.time, "monotonic", lambda: sandbox.now)
        return calibration.limit_seconds(sandbox, "kit")

    return measure


def test_the_known_machine_has_the_stated_time(allowed):
    """That is what the figure is of."""
    assert allowed(calibration.REFERENCE_S, calibration.REFERENCE_S) == pytest.approx(calibration.LIMIT_S)


def test_a_slower_machine_has_more(allowed):
    """As much as it is slower."""
    assert allowed(3 * calibration.REFERENCE_S, 3 * calibration.REFERENCE_S) == pytest.approx(3 * calibration.LIMIT_S)


def test_a_faster_one_has_no_less(allowed):
    """A case must not fail for a good machine."""
    assert allowed(0.0, 0.0) == pytest.approx(calibration.LIMIT_S)


def test_a_machine_that_is_busy_for_a_moment_is_not_slow(allowed):
    """The faster of two runs counts."""
    assert allowed(8 * calibration.REFERENCE_S, calibration.REFERENCE_S) == pytest.approx(calibration.LIMIT_S)


def test_there_is_an_end_to_it(allowed):
    """However slow the machine is."""
    assert allowed(10**6, 10**6) == pytest.approx(calibration.LIMIT_S * calibration.SLOWEST)


@pytest.fixture
def total(write):
    """`total(n)`, the sum of the numbers up to n, with a limit case."""

    def make(*bodies: str):
        cases = [write.returns(f"total({n})", str(n * (n + 1) // 2)) for n in (0, 1, 5)]
        cases.insert(1, write.returns(f"total({10**9})", str(10**9 * (10**9 + 1) // 2), kind="limit"))
        tries = [f"def total(n: int) -> int:\n    {body}" for body in bodies]
        return write.function("total(n: int) -> int", "The sum up to n, at once.", cases=cases, tries=tries)

    return make


def test_limit_cases_run_by_themselves_within_it(studio, total, recorder, monkeypatch):
    """The others have the time that the settings give; all come back in the suite's order."""
    monkeypatch.setattr(evaluator, "limit_seconds", lambda sandbox, module: 1.5)
    generator = studio.generator(studio.model(total("return n * (n + 1) // 2")))
    vars(generator._runtime).update(sandbox=recorder)
    (result,) = generator.solve("Write total.").results
    assert result.outcome == "green"
    assert [verdict.case for verdict in result.best.verdicts] == [case.name for case in result.suite.cases]
    tried = [job for job in recorder.jobs if "def total(n" in job.source]
    names = {case.name for case in result.suite.cases}
    times = {probe.name: job.limits.wall_s for job in tried for probe in job.probes if probe.name in names}
    limit = f"total_{10**9}"
    assert times.pop(limit) == 1.5
    assert set(times.values()) == {5.0}
    assert all(len(job.probes) == 1 for job in tried if job.probes[0].name == limit)


def test_what_is_too_slow_fails_its_limit_case_alone(studio, total, monkeypatch):
    """And is repaired."""
    monkeypatch.setattr(evaluator, "limit_seconds", lambda sandbox, module: 0.2)
    solved = studio.solve(total("return sum(range(n + 1))", "return n * (n + 1) // 2"))
    assert solved.solution.all_tests_passed
    first, second = solved["total"].history
    assert [verdict.status for verdict in first.verdicts if not verdict.passed] == ["timeout"]
    assert second.green


def test_the_settings_may_ask_for_less(studio, total, recorder, monkeypatch):
    """A time that the user set is never exceeded."""
    monkeypatch.setattr(evaluator, "limit_seconds", lambda sandbox, module: 60.0)
    generator = studio.generator(studio.model(total("return n * (n + 1) // 2")), limits={"wall_s": 2.0})
    vars(generator._runtime).update(sandbox=recorder)
    assert generator.solve("Write total.").all_tests_passed
    assert max(job.limits.wall_s for job in recorder.jobs) <= 2.0


def test_where_there_is_none_nothing_is_measured(studio, double, monkeypatch):
    """The yardstick costs time."""
    monkeypatch.setattr(evaluator, "limit_seconds", lambda sandbox, module: pytest.fail("nobody asked for it"))
    assert studio.solve(double()).solution.all_tests_passed
