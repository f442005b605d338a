"""What can't be observed goes back to its author, before any code is bent to it and before anybody rules on it."""

from __future__ import annotations

import json

import pytest

from tdgen.models.scripted import ScriptedAnswer

STANDARD = {"trust": "standard"}
RIGHT = """
def adder(step: int) -> Callable[[int], int]:
    def add(number: int) -> int:
        return number + step
    return add
"""


@pytest.fixture
def adder(write):
    """`adder(step)`, whose cases call what it returns, but for one; what its author writes anew is given."""

    def make(faulty, *again, **more):
        sound = [write.returns(f"adder({n})(3)", str(n + 3)) for n in (0, 1, 7, 9)]
        answer = ScriptedAnswer(purpose="cases", variant="rewrite", text=json.dumps({"cases": list(again)}))
        return write.function(
            "adder(step: int) -> Callable[[int], int]",
            "A function that adds `step` to a number.",
            cases=[*sound, faulty],
            tries=[f"from collections.abc import Callable\n{RIGHT}"],
            also=[answer],
            **more,
        )

    return make


@pytest.fixture
def unseen(write):
    """Cases of which nothing can be observed, by what is wrong with them."""
    return {
        "a check on a function": write.holds("adder(2)", "result(3) == 5", name="faulty"),
        "a call that fails by itself": write.returns("adder(2)(3)[0]", "5", name="faulty"),
        "a setup that fails": write.returns("adder(2)(x)", "5", name="faulty", setup="x = adder(2)(3).real.none"),
    }


@pytest.mark.parametrize("what", ["a check on a function", "a call that fails by itself", "a setup that fails"])
def test_it_is_written_anew(solver, adder, unseen, write, what):
    """Told why; neither a trial nor a repair comes of it."""
    solved = solver.solve(adder(unseen[what], write.returns("adder(2)(3)", "5", name="faulty")), settings=STANDARD)
    assert solved.solution.all_tests_passed
    assert len(solved["adder"].history) == 1
    assert not solved.prompts("trial")
    told = solved.prompts("cases")[-1].rpartition("<cases_that_can_not_be_observed>")[2]
    assert "- faulty: `adder(2)" in told
    assert "def add" not in told
    (revision,) = solved.solution.revisions
    assert (revision.case, revision.action) == ("faulty", "revised")
    assert revision.after == "`adder(2)(3)` returns `5`"


def test_what_its_author_leaves_out_is_set_aside(solver, adder, unseen):
    """With the reason."""
    solved = solver.solve(adder(unseen["a check on a function"]), settings=STANDARD)
    assert solved.solution.all_tests_passed
    (revision,) = solved.solution.revisions
    assert revision.action == "quarantined"
    assert "can't be observed" in revision.reason


def test_what_its_author_stands_by_goes_on_once(solver, adder, unseen, write):
    """To a trial, which may find it unfair; nobody is asked for it again."""
    faulty = unseen["a check on a function"]
    unfair = [write.rules({"case": "faulty", "verdict": "unfair"}, sample=sample) for sample in (0, 1)]
    function = adder(faulty, faulty)
    solved = solver.solve(type(function)(**vars(function) | {"also": [*function.also, *unfair]}), settings=STANDARD)
    assert solved.solution.all_tests_passed
    assert len(solved.prompts("cases")) == 2
    assert len(solved.prompts("trial")) == 2
    (revision,) = solved.solution.revisions
    assert revision.action == "quarantined"
    assert not solved.solution.questions
