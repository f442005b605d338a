"""Properties against green: a right one finds what no case shows, a wrong one falls and takes no green with it."""

from __future__ import annotations

import json
from functools import partial

import pytest

from tdgen.events import CaseRevised
from tdgen.models.scripted import ScriptedAnswer
from tdgen.properties import checking
from tdgen.properties.watched import Watching
from tdgen.types import Revision

RIGHT = "def largest(numbers: list[int]) -> int:\n    return max(numbers, default=0)"
FROM_ZERO = (
    "def largest(numbers: list[int]) -> int:\n"
    "    found = 0\n    for number in numbers:\n        found = number if number > found else found\n    return found"
)
DRAWN = "@given(st.lists(st.integers(-100, 100), min_size=1, max_size=8))\n"
MEMBER = DRAWN + "def test_is_one_of_them(numbers):\n    assert largest(numbers) in numbers\n"
FALSE = DRAWN + "def test_is_positive(numbers):\n    assert largest(numbers) >= 0\n"
FLAKY = DRAWN + (
    "def test_is_steady(numbers):\n    test_is_steady.turn = getattr(test_is_steady, 'turn', 0) + 1\n"
    "    assert test_is_steady.turn % 3 and largest(numbers) in numbers\n"
)
ENDLESS = (
    DRAWN + "def test_ends(numbers):\n    while largest(numbers) > 3:\n        time.sleep(0.01)\n"
    "    assert largest(numbers) <= 3\n"
)

NEGATIVE = {"expect": "value", "value": "-1"}


def promises(*sources: str, attempt: int = 1) -> ScriptedAnswer:
    """What the test author answers when it is asked for properties."""
    told = [{"name": "", "source": source, "why": "the largest of the numbers"} for source in sources]
    return ScriptedAnswer(purpose="properties", subject="", attempt=attempt, text=json.dumps({"properties": told}))


@pytest.fixture
def solved(solver, write, change_policy):
    """`largest(numbers)` whose cases have no list of negative numbers only, solved with what else a model answers.

    The properties `beside` come with its cases.
    """
    change_policy("strict", seconds=0.0, property_seconds=1.0)  # no time for mutants, and little for what never ends
    change_policy("standard", seconds=0.0)

    def solve(*also, tries=(RIGHT,), beside=(), trust="strict", wall_s=1.5):
        cases = [write.returns(f"largest({n})", str(max(n, default=0))) for n in ([], [3], [1, 7, 2], [5, -9])]
        largest = write.function(
            "largest(numbers: list[int]) -> int",
            "The largest of the numbers; 0 where there are none.",
            cases=write.said(json.dumps({"cases": cases, "properties": beside})),
            tries=tries,
            also=also,
        )
        return solver.solve(largest, settings={"trust": trust, "limits": {"wall_s": wall_s}})

    return solve


def quarantined(solved) -> list[Revision]:
    return [revision for revision in solved.solution.revisions if revision.action == "quarantined"]


def names(solved) -> list[str]:
    return [one.name for one in solved["largest"].suite.properties]


def test_a_property_that_holds_is_kept_and_saved(solved, tmp_path):
    """It stands in a file of its own beside the tests, which the package's README speaks of."""
    done = solved(promises(MEMBER))
    assert done.solution.all_tests_passed
    assert names(done) == ["test_is_one_of_them"]
    folder = done.solution.save(tmp_path / "package", readme=True)
    text = (folder / "test_largest_properties.py").read_text()
    assert "@given(st.lists(st.integers(-100, 100), min_size=1, max_size=8))" in text
    assert "derandomize=True" in text
    assert "`test_largest_properties.py` `hypothesis` must be installed" in (folder / "README.md").read_text()
    told = done.solution.to_dict()["properties"]["largest"]
    assert told == [{"name": "test_is_one_of_them", "source": MEMBER, "why": "the largest of the numbers"}]


def test_what_falsifies_a_property_becomes_a_case_and_is_healed(solved, write):
    """All cases pass, but not the property: the smallest example is settled, and what fails it is repaired."""
    done = solved(promises(MEMBER), write.settles(NEGATIVE, variant="properties"), tries=(FROM_ZERO, RIGHT))
    assert done.solution.all_tests_passed
    (case,) = [case for case in done["largest"].suite.cases if case.provenance == "property"]
    assert case.expression == "largest([-1])"
    assert case.name not in done["largest"].suite.held_out
    assert names(done) == ["test_is_one_of_them"]
    assert "max(numbers" in done.solution.module_source
    (asked,) = [prompt for prompt in done.prompts("settle") if "largest([-1])" in prompt.rpartition("<calls>")[2]]
    assert "found = 0" not in asked


def test_a_false_property_falls_and_what_is_green_stays_so(solved, write):
    """The implementation does what the contract says of the example: it was the property that was wrong."""
    done = solved(promises(MEMBER, FALSE), write.settles(NEGATIVE, variant="properties"))
    assert done.solution.all_tests_passed
    assert len(done["largest"].history) <= 2
    assert names(done) == ["test_is_one_of_them"]
    (revision,) = quarantined(done)
    assert (revision.case, revision.before) == ("test_is_positive", "numbers=[-1]")
    assert "what the contract says of `largest([-1])` is what the implementation does" in revision.reason
    assert revision in [event.revision for event in done.happened(CaseRevised)]
    assert "largest([-1])" in [case.expression for case in done["largest"].suite.cases]


def test_a_property_that_a_case_speaks_against_is_false(solved):
    """The call that falsifies it has a case, which passes: nobody is asked, and nothing is open."""
    denied = "@given(st.lists(st.integers(1, 9), max_size=3))\ndef test_is_some(n):\n    assert largest(n) != 0\n"
    done = solved(promises(denied))
    assert done.solution.all_tests_passed
    (revision,) = quarantined(done)
    assert "`largest([])` does what its case says" in revision.reason
    assert not any("test_is_some" in note for note in done.solution.notes)


def test_what_the_contract_leaves_open_takes_the_property_with_it(solved):
    """Nobody says what the example must give: the property is set aside, and that is noted."""
    done = solved(promises(FALSE))
    assert done.solution.all_tests_passed
    assert names(done) == []
    (revision,) = quarantined(done)
    assert "of which the contract settles nothing" in revision.reason
    assert any("test_is_positive is taken as open" in note for note in done.solution.notes)
    assert "test_largest_properties.py" not in done.solution.test_files


@pytest.mark.parametrize(
    ("source", "reason"),
    [(FLAKY, "does not come out the same"), (ENDLESS, "does not end within 1 s")],
    ids=["flaky", "endless"],
)
def test_luck_and_endlessness_are_set_aside(solved, monkeypatch, source, reason):
    """Neither says anything of the implementation, which stays green; nothing is asked about them."""
    if source == ENDLESS:  # it only waits: the clock ends it
        monkeypatch.setattr(checking, "LIMITS", checking.LIMITS.model_copy(update={"wall_s": 1.0}))
    done = solved(promises(source))
    assert done.solution.all_tests_passed
    (revision,) = quarantined(done)
    assert reason in revision.reason
    assert names(done) == []


def test_a_call_that_never_ends_is_a_finding(solved, write, monkeypatch):
    """The property would hold, but the implementation hangs on what it draws: that call becomes a case."""
    monkeypatch.setattr(checking, "Watching", partial(Watching, seconds=0.03))
    hangs = "def largest(numbers: list[int]) -> int:\n    while numbers and max(numbers) < 0:\n        pass\n" + (
        "    return max(numbers, default=0)"
    )
    settled = write.settles(NEGATIVE, variant="properties")
    done = solved(promises(MEMBER), settled, tries=(hangs, RIGHT), wall_s=0.5)
    assert done.solution.all_tests_passed
    assert "largest([-1])" in [case.expression for case in done["largest"].suite.cases]


def test_at_standard_they_come_with_the_cases(solved):
    """A property that holds costs no call of its own, and is saved as at strict."""
    done = solved(beside=[MEMBER], trust="standard")
    assert done.solution.all_tests_passed
    assert names(done) == ["test_is_one_of_them"]
    assert "test_largest_properties.py" in done.solution.test_files
    assert not done.prompts("properties")
    assert len(done.prompts("cases")) == 1


def test_at_standard_what_falsifies_one_becomes_a_case_too(solved, write):
    """The smallest example is settled, and what fails it is repaired."""
    done = solved(
        write.settles(NEGATIVE, variant="properties"), tries=(FROM_ZERO, RIGHT), beside=[MEMBER], trust="standard"
    )
    assert done.solution.all_tests_passed
    (case,) = [case for case in done["largest"].suite.cases if case.provenance == "property"]
    assert case.expression == "largest([-1])"
    assert "max(numbers" in done.solution.module_source


def test_at_standard_a_false_one_falls_too(solved, write):
    """What the contract says of the example is what the implementation does."""
    done = solved(write.settles(NEGATIVE, variant="properties"), beside=[FALSE], trust="standard")
    assert done.solution.all_tests_passed
    assert [revision.case for revision in quarantined(done)] == ["test_is_positive"]


@pytest.mark.parametrize("trust", ["quick", "strict"])
def test_at_other_levels_none_comes_with_the_cases(solved, trust):
    """At quick there are none, at strict they are asked for."""
    done = solved(beside=[MEMBER], trust=trust)
    assert names(done) == []
    assert "Hypothesis" not in done.prompts("cases")[0]
    assert len(done.prompts("properties")) == (trust == "strict")
