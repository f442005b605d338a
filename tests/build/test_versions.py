"""Limit cases run by themselves, within a time that is calibrated on this machine.

Many versions of one function on the same calls: in order, apart from each other, and granting nothing.
"""

from __future__ import annotations

import pytest

from tdgen.build import evaluator, versions
from tdgen.build.mutation_analysis import MutationAnalysis, MutationAnalyzer
from tdgen.build.versions import (
    MOST_PROBES,
    RESTRAINED,
    ROUNDS,
    SearchLimit,
    VersionCall,
    VersionRunner,
)
from tdgen.judge import Expected, Oracle
from tdgen.languages.python import Python
from tdgen.mutation import mutants
from tdgen.types import Call, Case, FunctionSpec, Job, Limits, Observation, Parameter, Report, Returns, Value


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
        monkeypatch.setattr(versions.time, "monotonic", lambda: sandbox.now)
        return versions.limit_seconds(sandbox, "kit")

    return measure


def test_the_known_machine_has_the_stated_time(allowed):
    """That is what the figure is of."""
    assert allowed(versions.REFERENCE_S, versions.REFERENCE_S) == pytest.approx(versions.LIMIT_S)


def test_a_slower_machine_has_more(allowed):
    """As much as it is slower."""
    assert allowed(3 * versions.REFERENCE_S, 3 * versions.REFERENCE_S) == pytest.approx(3 * versions.LIMIT_S)


def test_a_faster_one_has_no_less(allowed):
    """A case must not fail for a good machine."""
    assert allowed(0.0, 0.0) == pytest.approx(versions.LIMIT_S)


def test_a_machine_that_is_busy_for_a_moment_is_not_slow(allowed):
    """The faster of two runs counts."""
    assert allowed(8 * versions.REFERENCE_S, versions.REFERENCE_S) == pytest.approx(versions.LIMIT_S)


def test_there_is_an_end_to_it(allowed):
    """However slow the machine is."""
    assert allowed(10**6, 10**6) == pytest.approx(versions.LIMIT_S * versions.SLOWEST)


@pytest.fixture
def total(write):
    """`total(n)`, the sum of the numbers up to n, with a limit case."""

    def make(*bodies: str):
        cases = [write.returns(f"total({n})", str(n * (n + 1) // 2)) for n in (0, 1, 5)]
        cases.insert(1, write.returns(f"total({10**9})", str(10**9 * (10**9 + 1) // 2), kind="limit"))
        tries = [f"def total(n: int) -> int:\n    {body}" for body in bodies]
        return write.function("total(n: int) -> int", "The sum up to n, at once.", cases=cases, tries=tries)

    return make


def test_limit_cases_run_by_themselves_within_it(solver, total, recorder, monkeypatch):
    """The others have the time that the settings give; all come back in the suite's order."""
    monkeypatch.setattr(evaluator, "limit_seconds", lambda sandbox, module: 1.5)
    generator = solver.generator(solver.model(total("return n * (n + 1) // 2")))
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


def test_what_is_too_slow_fails_its_limit_case_alone(solver, total, monkeypatch):
    """And is repaired."""
    monkeypatch.setattr(evaluator, "limit_seconds", lambda sandbox, module: 0.2)
    solved = solver.solve(total("return sum(range(n + 1))", "return n * (n + 1) // 2"))
    assert solved.solution.all_tests_passed
    first, second = solved["total"].history
    assert [verdict.status for verdict in first.verdicts if not verdict.passed] == ["timeout"]
    assert second.green


def test_the_settings_may_ask_for_less(solver, total, recorder, monkeypatch):
    """A time that the user set is never exceeded."""
    monkeypatch.setattr(evaluator, "limit_seconds", lambda sandbox, module: 60.0)
    generator = solver.generator(solver.model(total("return n * (n + 1) // 2")), limits={"wall_s": 2.0})
    vars(generator._runtime).update(sandbox=recorder)
    assert generator.solve("Write total.").all_tests_passed
    assert max(job.limits.wall_s for job in recorder.jobs) <= 2.0


def test_where_there_is_none_nothing_is_measured(solver, double, monkeypatch):
    """The yardstick costs time."""
    monkeypatch.setattr(evaluator, "limit_seconds", lambda sandbox, module: pytest.fail("nobody asked for it"))
    assert solver.solve(double()).solution.all_tests_passed


SPEC = FunctionSpec(name="f", purpose="", parameters=(Parameter(name="x", type="int"),), returns=Returns(type="int"))
ORIGINAL = "def f(x: int) -> int:\n    return low(x) + 1"
MODULE = f"def low(x):\n    return 2 * x\n\n\n{ORIGINAL}\n"
CASE = Case(name="three", function="f", arguments=("3",), expectation=Value(source="7"))
THREE = Expected(value=7)


class Counting:
    """A sandbox that counts its runs."""

    def __init__(self, inner) -> None:
        self.inner = inner
        self.sizes: list[int] = []

    def run(self, job: Job) -> Report:
        self.sizes.append(len(job.probes))
        return self.inner.run(job)


@pytest.fixture
def sandbox(shared_sandboxes):
    return Counting(shared_sandboxes[0])


@pytest.fixture
def runner(sandbox, shared_sandboxes):
    oracle = Oracle(shared_sandboxes[1], "kit", "")
    return VersionRunner(sandbox, oracle, SPEC, MODULE, Limits(wall_s=1.0, cpu_s=30.0))


def version(body: str) -> str:
    return f"def f(x: int) -> int:\n    {body}"


def test_each_version_is_tried_in_the_module_that_it_belongs_to(runner):
    """It may call what is there, and takes the place of the one that is."""
    versions = [ORIGINAL, version("return low(x) - 1"), version("return 7"), version("return nowhere(x)")]
    assert runner.passing(versions, CASE, THREE) == [True, False, True, False]


def test_versions_know_nothing_of_each_other(runner):
    """What one leaves behind in the module is not there for the next."""
    spoiling = "def low(x):\n    return 99\n\n\ndef f(x: int) -> int:\n    global low\n    low = abs\n    return 7"
    assert runner.passing([spoiling, ORIGINAL], CASE, THREE) == [True, True]


def test_one_that_hangs_or_dies_takes_nobody_with_it(runner):
    """The others are tried all the same."""
    dying = "import os\n\n\ndef f(x: int) -> int:\n    os._exit(0)"
    versions = [version("while True: x += 1"), dying, version("raise SystemExit"), ORIGINAL]
    assert runner.passing(versions, CASE, THREE) == [False, False, False, True]


def test_many_share_a_process(runner, sandbox):
    """So many at once, and no more."""
    assert runner.passing([ORIGINAL] * (MOST_PROBES + 1), CASE, THREE) == [True] * (MOST_PROBES + 1)
    assert sandbox.sizes == [MOST_PROBES, 1]


def test_what_is_observed_comes_in_the_order_of_the_calls(runner):
    """Whatever each of them did."""
    calls = [Call(function="f", arguments=(str(n),)) for n in (1, 2)]
    arbitrations = [
        VersionCall(source, call) for source in (ORIGINAL, version("return 1 // (x - 1)")) for call in calls
    ]
    seen = runner.observed(arbitrations)
    assert [one.status for one in seen] == ["returned", "returned", "raised", "returned"]
    assert [one.value for one in seen if one.status == "returned"] == [3, 5, 1]
    assert runner.same(seen[0], seen[0], calls[0])
    assert not runner.same(seen[0], seen[2], calls[0])


class TestSameCode:
    """Versions whose byte code is another's need not be tried."""

    def test_those_that_compile_alike(self, runner):
        """The original's, or an earlier version's."""
        commented = ORIGINAL.replace("\n", "  # one more\n")
        minus = version("return low(x) - 1")
        assert runner.same_code(ORIGINAL, [commented, minus, version("return low(x) - (2 - 1)")]) == {0, 2}

    def test_none_where_there_are_none(self, runner):
        """Nothing to find out."""
        assert runner.same_code(ORIGINAL, []) == frozenset()

    def test_what_does_not_compile_is_like_nothing(self, runner):
        """Not even like another that does not."""
        assert runner.same_code(ORIGINAL, ["def f(:", "def f(:"]) == frozenset()

    def test_none_where_it_can_not_be_found_out(self, shared_sandboxes):
        """Then all are tried."""

        class Silent:
            def run(self, job: Job) -> Report:
                seen = shared_sandboxes[0].run(job).observations[0]
                return Report(observations=(seen.model_copy(update={"status": "died"}),))

        runner = VersionRunner(Silent(), Oracle(shared_sandboxes[1], "kit", ""), SPEC, MODULE, Limits())
        assert runner.same_code(ORIGINAL, [ORIGINAL]) == frozenset()


@pytest.mark.parametrize(("rounds", "bound"), [(10, ROUNDS), (2 * ROUNDS, RESTRAINED * ROUNDS), (11 * ROUNDS, 0)])
def test_the_bound_on_rounds_is_fitted_to_a_version_that_is_right(runner, rounds, bound):
    """Or each version of a function that goes round more often would be taken for endless."""
    counting = f"def f(x: int) -> int:\n    for _ in range({rounds}):\n        pass\n    return low(x) + 1"
    fitted, seconds = runner.fitted(counting, [CASE], {CASE.name: THREE})
    assert fitted.rounds == bound
    assert 0 < seconds < 10
    assert fitted.passing([counting, version("return 8")], CASE, THREE) == [True, False]
    assert runner.rounds == ROUNDS


class Unwell:
    """A sandbox that does not run some probes: those of these places in each job, as often as it is told."""

    def __init__(self, inner, *places: int, times: int) -> None:
        self.inner, self.places, self.times = inner, places, times

    def run(self, job: Job) -> Report:
        report = self.inner.run(job)
        if not self.times:
            return report
        self.times -= 1
        seen = list(report.observations)
        for place in self.places:
            seen[place] = Observation(name=seen[place].name, status="not_run", detail="no room")
        return report.model_copy(update={"observations": tuple(seen)})


@pytest.mark.parametrize(("times", "passed"), [(1, [True, False, True]), (2, [None, None, True])])
def test_what_was_not_run_is_run_again_and_else_says_nothing(shared_sandboxes, times, passed):
    """It counts neither as passing nor as failing."""
    sandbox = Unwell(shared_sandboxes[0], 0, 1, times=times)
    runner = VersionRunner(
        sandbox, Oracle(shared_sandboxes[1], "kit", ""), SPEC, MODULE, Limits(wall_s=1.0, cpu_s=30.0)
    )
    assert runner.passing([ORIGINAL, version("return 8"), ORIGINAL], CASE, THREE) == passed


def test_a_version_that_was_not_run_differs_from_none(shared_sandboxes):
    """Of two runs only one of which happened, nothing tells them apart."""
    sandbox = Unwell(shared_sandboxes[0], 0, times=2)
    runner = VersionRunner(
        sandbox, Oracle(shared_sandboxes[1], "kit", ""), SPEC, MODULE, Limits(wall_s=1.0, cpu_s=30.0)
    )
    call = Call(function="f", arguments=("3",))
    missing, right, wrong = runner.observed([VersionCall(v, call) for v in (ORIGINAL, ORIGINAL, version("return 8"))])
    assert runner.same(missing, right, call)
    assert runner.same(wrong, missing, call)
    assert not runner.same(right, wrong, call)


def test_a_mutant_that_could_not_be_run_is_not_killed(shared_sandboxes):
    """Nor has it survived: the figures leave it out."""
    places = tuple(range(len(mutants(ORIGINAL, "f"))))
    sandbox = Unwell(shared_sandboxes[0], *places, times=2)
    runner = VersionRunner(
        sandbox, Oracle(shared_sandboxes[1], "kit", ""), SPEC, MODULE, Limits(wall_s=1.0, cpu_s=30.0)
    )
    analyzer = MutationAnalyzer(Python().mutants, runner, ORIGINAL, SPEC, [CASE], [], SearchLimit(60, is_counted=True))
    before = MutationAnalysis(ORIGINAL, mutants(ORIGINAL, "f"), alive=places)
    found = analyzer.tried_on(before, [CASE], {CASE.name: THREE})
    assert (found.killed, found.alive, found.cut) == (0, (), set(places))
    assert found.strength(lines=None, branches=None, seconds=0.0).mutants == 0
