"""Many versions of one function on the same calls: in order, apart from each other, and granting nothing."""

from __future__ import annotations

import time

import pytest

from tdgen.build.mutation_analysis import MutationAnalysis, MutationAnalyzer
from tdgen.build.versions import MOST_PROBES, RESTRAINED, VersionCall, VersionRunner, same_code
from tdgen.judge import Expected, Oracle
from tdgen.mutation import ROUNDS, mutants
from tdgen.types import Call, Case, FunctionSpec, Job, Limits, Observation, Parameter, Report, Returns, Value

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
        assert same_code(runner, ORIGINAL, [commented, minus, version("return low(x) - (2 - 1)")]) == {0, 2}

    def test_none_where_there_are_none(self, runner):
        """Nothing to find out."""
        assert same_code(runner, ORIGINAL, []) == frozenset()

    def test_what_does_not_compile_is_like_nothing(self, runner):
        """Not even like another that does not."""
        assert same_code(runner, ORIGINAL, ["def f(:", "def f(:"]) == frozenset()

    def test_none_where_it_can_not_be_found_out(self, shared_sandboxes):
        """Then all are tried."""

        class Silent:
            def run(self, job: Job) -> Report:
                seen = shared_sandboxes[0].run(job).observations[0]
                return Report(observations=(seen.model_copy(update={"status": "died"}),))

        runner = VersionRunner(Silent(), Oracle(shared_sandboxes[1], "kit", ""), SPEC, MODULE, Limits())
        assert same_code(runner, ORIGINAL, [ORIGINAL]) == frozenset()


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
    analyzer = MutationAnalyzer(runner, ORIGINAL, SPEC, [CASE], [], time.monotonic() + 60)
    found = MutationAnalysis(ORIGINAL, mutants(ORIGINAL, "f"), alive=list(places))
    analyzer.kill(found, [CASE], {CASE.name: THREE})
    assert (found.killed, found.alive, found.cut) == (0, [], set(places))
    assert found.strength(lines=None, branches=None, seconds=0.0).mutants == 0
