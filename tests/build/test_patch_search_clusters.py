"""Which of many versions do the same, and which calls tell the others apart."""

from __future__ import annotations

import pytest

from tdgen.build.patch_search import clusters, distinguishing
from tdgen.build.versions import VersionRunner
from tdgen.judge import Oracle
from tdgen.types import Call, FunctionSpec, Limits, Parameter, Returns

SPEC = FunctionSpec(name="f", purpose="", parameters=(Parameter(name="x", type="int"),), returns=Returns(type="int"))
SAME = ("x + x", "2 * x", "x * 2")
OTHER = "x * x"  # is the same at 0 and 2
FAILING = "x // (x - 3) * 0 + 2 * x"  # raises at 3
CALLS = [Call(function="f", arguments=(str(n),)) for n in (0, 2, 3, 5)]


@pytest.fixture
def runner(shared_sandboxes):
    candidates, apart = shared_sandboxes
    return VersionRunner(candidates, Oracle(apart, "kit", ""), SPEC, version("x"), Limits(wall_s=1.0, cpu_s=30.0))


def version(body: str) -> str:
    return f"def f(x: int) -> int:\n    return {body}\n"


def places(found) -> list[list[int]]:
    return [cluster.places for cluster in found]


class TestClusters:
    """Versions that do the same on all calls."""

    def test_are_told_the_largest_first(self, runner):
        """However they are written; of two alike the one with the earlier version."""
        versions = [version(body) for body in (OTHER, *SAME, FAILING)]
        assert places(clusters(runner, versions, CALLS)) == [[1, 2, 3], [0], [4]]

    def test_are_one_where_no_call_tells(self, runner):
        """Without any call too."""
        versions = [version(SAME[0]), version(OTHER)]
        assert places(clusters(runner, versions, CALLS[:2])) == [[0, 1]]
        assert places(clusters(runner, versions, [])) == [[0, 1]]


class TestPartingCalls:
    """Calls on which clusters part."""

    def test_are_first_those_that_tell_all_apart(self, runner):
        """At 3 each of the three does another thing; at 5 two of them do, at 0 and 2 none."""
        found = clusters(runner, [version(body) for body in (*SAME, OTHER, FAILING)], CALLS)
        assert distinguishing(runner, found, CALLS) == [2, 3]

    def test_are_as_many_as_it_takes(self, runner):
        """No call alone tells these three apart."""
        found = clusters(runner, [version(body) for body in ("0", "x * (x == 2)", "x * (x == 5)")], CALLS)
        assert distinguishing(runner, found, CALLS) == [1, 3]

    def test_are_none_where_nobody_returns(self, runner):
        """There is nothing to settle on a call that all fail on, each in its way."""
        found = clusters(runner, [version("[][x]"), version("x // 0")], CALLS)
        assert len(found) == 2
        assert distinguishing(runner, found, CALLS) == []


def test_versions_that_are_too_much_text_for_one_job_are_compared_in_several(runner):
    """Each half of them has a job of its own, until it fits."""
    longs = [version(f"{body} if {'x' * 1_500_000!r} else {n}") for n, body in enumerate((*SAME, OTHER))]
    assert runner.parted(version(SAME[0]), longs, CALLS, most=1, seconds=20.0) == [[], [], [], [2]]
