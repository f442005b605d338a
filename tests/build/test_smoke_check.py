"""At trust level quick: what a green implementation does on likely calls, and what is worth a question of it."""

from __future__ import annotations

import pytest

from tdgen.build import smoke_check

QUICK = {"trust": "quick", "limits": {"wall_s": 1.5}}
FROM_50 = "return 'pass' if points >= 50 else 'fail'"
CRASHES = "return 'pass' if [points, points][len(str(points)) % 3] >= 50 else 'fail'"  # at two digits
HANGS = "import time\n    while len(str(points)) % 3 == 2:\n        time.sleep(0.01)\n    " + FROM_50  # the same
FAR = (5, 7, 100, 120)


def truth(points: int) -> str:
    return "pass" if points >= 50 else "fail"


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """What a busy machine makes slow is looked at all the same: seconds count that the processor works at it."""
    monkeypatch.setattr(smoke_check, "LOOK_S", 0.4)


class TestWhatTheContractNeverNames:
    """An exception on a likely call, or no end on one that is no larger than the cases."""

    @pytest.mark.parametrize("body", [CRASHES, HANGS], ids=["an exception", "no end"])
    def test_is_settled_and_healed(self, known, grade, body):
        """By what the author says that the call must give."""
        solved = known(grade(body, FROM_50, points=FAR), truth, **QUICK)
        assert solved.solution.all_tests_passed
        assert solved["grade"].history[0].green
        assert solved["grade"].best.number == 2
        (prompt,) = solved.prompts("settle")
        assert "len(str(" not in prompt

    def test_is_let_be_where_the_contract_leaves_it_open(self, known, grade):
        """It was asked about."""
        solved = known(grade(CRASHES, points=FAR), lambda points: None, **QUICK)
        assert solved.solution.all_tests_passed
        assert len(solved.prompts("settle")) == 1

    def test_is_no_exception_that_it_names(self, known, write):
        """Nobody is asked about that."""
        cases = [write.returns(f"half({n})", str(n // 2)) for n in (2, 8, 40)]
        source = "def half(n: int) -> int:\n    if n % 2:\n        raise ValueError(n)\n    return n // 2"
        cases.append(write.raises("half(3)", "ValueError"))
        half = write.function(
            "half(n: int) -> int",
            cases=cases,
            raises=["ValueError"],
            tries=[source],
        )
        assert not known(half, truth, **QUICK).prompts("settle")

    def test_is_no_large_call_that_takes_its_time(self, known, write):
        """A cost that grows is not a fault."""
        source = "def fib(n: int) -> int:\n    return n if n < 2 else fib(n - 1) + fib(n - 2)"
        cases = [write.returns(f"fib({n})", str(value)) for n, value in ((0, 0), (1, 1), (7, 13), (10, 55))]
        fib = write.function("fib(n: int) -> int", "The n-th Fibonacci number.", cases=cases, tries=[source])
        assert not known(fib, lambda n: 0, **QUICK).prompts("settle")


class TestLinesThatNoCaseReaches:
    """What stands there was never tried."""

    CASES = ((3, "odd"), (5, "odd"), (77, "odd"))
    SOURCE = "def parity(n: int) -> str:\n    if n % 2:\n        return 'odd'\n    word = {}\n    return word"

    @pytest.fixture
    def parity(self, write):
        def make(*even: str):
            cases = [write.returns(f"parity({n})", repr(value)) for n, value in self.CASES]
            tries = [self.SOURCE.format(body) for body in even]
            return write.function("parity(n: int) -> str", "'odd' or 'even'.", cases=cases, tries=tries)

        return make

    def test_are_asked_about_by_calls_that_reach_them(self, known, parity):
        """A simple one and the largest one, and what comes of it heals."""
        solved = known(parity("'evne'", "'even'"), lambda n: "odd" if n % 2 else "even", **QUICK)
        assert solved.solution.all_tests_passed
        assert solved["parity"].best.number == 2
        assert solved.model.calls
        assert all(int(call[7:-1]) % 2 == 0 for call in solved.model.calls)

    def test_cost_no_call_where_there_are_none(self, known, grade):
        """Nor where all likely calls end as the contract says."""
        assert not known(grade(FROM_50), truth, **QUICK).prompts("settle")

    def test_are_no_matter_where_they_say_what_is_given(self, known, write):
        """A guard that returns a constant computes nothing."""
        cases = [write.returns(f"head({row})", str(row[0])) for row in ([3], [4, 5], [6, 7, 8])]
        source = "def head(row: list[int]) -> int:\n    if not row:\n        return -1\n    return row[0]"
        head = write.function("head(row: list[int]) -> int", "The first, or -1.", cases=cases, tries=[source])
        assert not known(head, lambda row: 0, **QUICK).prompts("settle")

    def test_are_noted_where_no_call_is_to_spare(self, known, parity):
        """It stays green."""
        solved = known(parity("'evne'"), truth, budget="calls=3", **QUICK)
        assert solved.solution.all_tests_passed
        (note,) = solved.solution.notes
        assert note.startswith("parity: no call is left to ask for")
