"""Each function starts as soon as what it needs has ended: a ready queue, and no barrier."""

from __future__ import annotations

import threading
from collections import Counter

import pytest

from tdgen.errors import ModelError
from tdgen.events import AttemptStarted, FunctionEnded
from tdgen.protocols import Answer, Request

WAIT_S = 20


class Gated:
    """A model in which some questions are only answered once others were asked."""

    def __init__(self, inner, after: dict[str, str]) -> None:
        self._inner = inner
        self._after = after
        self._asked = {name: threading.Event() for name in [*after, *after.values()]}

    @property
    def asked(self):
        return self._inner.asked

    def ask(self, request: Request) -> Answer:
        if request.purpose == "implement":
            if request.subject in self._asked:
                self._asked[request.subject].set()
            if request.subject in self._after:
                assert self._asked[self._after[request.subject]].wait(WAIT_S)
        return self._inner.ask(request)


@pytest.fixture
def chain(write):
    """A function that adds one, alone or to what another gives."""

    def make(name: str, *uses: str):
        inner = f"{uses[0]}(x)" if uses else "x"
        depth = {"slow": 1, "base": 1, "middle": 2, "top": 3}[name]
        return write.function(
            f"{name}(x: int) -> int",
            cases=[write.returns(f"{name}(0)", str(depth))],
            tries=[f"def {name}(x: int) -> int:\n    return {inner} + 1"],
            uses=uses,
        )

    return make


def test_a_function_waits_for_nothing_but_what_it_needs(solver, chain):
    """`top` is two generations above `slow`, and is asked for while that one is still being written."""
    functions = [chain("slow"), chain("base"), chain("middle", "base"), chain("top", "middle")]
    solved = solver.solve(*functions, model=Gated(solver.model(*functions), after={"slow": "top"}))
    assert solved.solution.all_tests_passed
    ended = [event.function for event in solved.happened(FunctionEnded)]
    assert ended.index("base") < ended.index("middle")
    assert ended.index("middle") < ended.index("slow")


def test_a_function_never_starts_before_what_it_needs_has_ended(solver, chain):
    """Also where there is room for all at once."""
    functions = [chain("top", "middle"), chain("middle", "base"), chain("base")]
    solved = solver.solve(*functions)
    told = [(type(e).__name__, e.function) for e in solved.events if isinstance(e, AttemptStarted | FunctionEnded)]
    assert told == [(kind, name) for name in ("base", "middle", "top") for kind in ("AttemptStarted", "FunctionEnded")]


def test_independent_functions_are_written_at_once(solver, chain):
    """Each of the two is only answered when the other was asked for too."""
    functions = [chain("slow"), chain("base")]
    model = Gated(solver.model(*functions), after={"slow": "base", "base": "slow"})
    assert solver.solve(*functions, model=model).solution.all_tests_passed


def test_what_came_of_it_is_told_in_the_plans_order(solver, chain):
    """Whoever ended first."""
    functions = [chain("slow"), chain("base")]
    solved = solver.solve(*functions, model=Gated(solver.model(*functions), after={"slow": "base"}))
    assert [result.function for result in solved.solution.results] == ["slow", "base"]


def test_an_executor_of_ones_own_does_the_work(solver, chain):
    """Any concurrent.futures.Executor will do, and it is not shut down."""
    from concurrent.futures import ThreadPoolExecutor

    functions = [chain("base"), chain("middle", "base")]
    with ThreadPoolExecutor(1, thread_name_prefix="mine") as executor:
        names = Counter()
        model = solver.model(*functions)
        asking = model.ask
        model.ask = lambda request: (names.update([threading.current_thread().name]), asking(request))[1]
        generator = solver.generator(model, executor)
        assert generator.solve("Build a chain.").all_tests_passed
        generator.close()
        assert executor.submit(int, "1").result() == 1
    assert set(names) == {"MainThread", "mine_0"}


def test_a_failure_in_one_function_ends_the_run(solver, chain, write):
    """What waits is not begun."""
    broken = write.function("base(x: int) -> int", cases=[write.returns("base(0)", "1")], tries=[])
    model = solver.model(broken, chain("middle", "base"))
    with pytest.raises(ModelError, match="implement of base"):
        solver.generator(model).solve("Build a chain.")
    assert "middle" not in [request.subject for request in model.asked if request.purpose == "implement"]
