"""A class's state machine at strict, from its author's answer to the rendered file."""

from __future__ import annotations

import ast
import json

import pytest

from tdgen.models import ScriptedAnswer
from tests.pipeline.test_classes import RIGHT, TILL
from tests.pipeline.test_sequences import DOUBLES

STRICT = {"trust": "strict"}
MACHINE = '''class TillMachine(RuleBasedStateMachine):
    """The balance is what was paid in less what was taken."""

    def __init__(self) -> None:
        super().__init__()
        self.till = Till()
        self.balance = 0

    @rule(cents=st.integers(1, 9))
    def pay_in(self, cents: int) -> None:
        self.till.pay_in(cents)
        self.balance += cents

    @rule(cents=st.integers(1, 9))
    def take(self, cents: int) -> None:
        if cents > self.balance:
            with pytest.raises(ValueError):
                self.till.take(cents)
        else:
            self.till.take(cents)
            self.balance -= cents

    @invariant()
    def the_balance_is_what_is_left(self) -> None:
        assert self.till.balance == self.balance
'''
FALSE = MACHINE.replace("self.balance += cents", "self.balance = min(9, self.balance + cents)")
THREE = {"expect": "value", "value": "3"}
PLAIN = "@given(st.integers(1, 9))\ndef test_starts_with(n: int) -> None:\n    assert Till(n).balance == n\n"


def promises(*sources: str, attempt: int = 1) -> ScriptedAnswer:
    told = [{"name": "", "source": source} for source in sources]
    return ScriptedAnswer(purpose="properties", subject="", attempt=attempt, text=json.dumps({"properties": told}))


@pytest.fixture
def solved(solver, write, change_policy):
    """A till whose cases never pay in three times, solved at strict without mutants and sequences."""
    change_policy("strict", seconds=0.0, has_rival=False)
    change_policy("standard", seconds=0.0)

    def solve(*also, tries=(RIGHT,), beside=(), trust="strict"):
        cases = [
            write.returns("till.balance", "7", name="starts", setup="till = Till(7)"),
            write.returns("till.pay_in(2)", "8", name="pays_in_twice", setup="till = Till(1)\ntill.pay_in(5)"),
            write.returns("till.take(3)", "4", name="takes", setup="till = Till()\ntill.pay_in(9)\ntill.take(2)"),
            write.raises("till.take(6)", "ValueError", name="refuses", setup="till = Till(5)"),
        ]
        said = write.said(json.dumps({"cases": cases, "properties": beside}))
        till = write.klass(TILL, cases=said, raises=["ValueError"], tries=tries, also=also)
        return solver.solve(till, settings={"trust": trust})

    return solve


def test_a_machine_that_holds_is_rendered_beside_the_cases(solved, tmp_path):
    """As an engineer would write it; the file passes with the others in the end."""
    done = solved(promises(MACHINE))
    assert done.solution.all_tests_passed
    text = done.solution.test_files["test_till_properties.py"]
    assert "from hypothesis.stateful import RuleBasedStateMachine, invariant, rule" in text
    assert ast.unparse(ast.parse(text).body[-1]) == "TestTillMachine = TillMachine.TestCase"
    assert '"""The balance is what was paid in less what was taken."""' in text
    (prompt,) = done.prompts("properties")
    assert "def pay_in(self, cents: int) -> int" in prompt
    assert "self._balance" not in prompt


def test_what_falsifies_a_machine_becomes_a_case_and_is_mended(solved, write):
    """All cases pass. The shortest steps are asked about, and the developer sees the case that comes of them."""
    done = solved(promises(MACHINE), write.settles(THREE, THREE, variant="properties"), tries=(DOUBLES, RIGHT))
    assert done.solution.all_tests_passed
    steps = ["till = Till()", "till.pay_in(1)", "till.pay_in(1)", "till.pay_in(1)"]
    found = [case for case in done["Till"].suite.cases if case.provenance == "property"]
    assert {(case.setup, case.call) for case in found} == {
        ("\n".join(steps), "till.balance"),
        ("\n".join(steps[:-1]), steps[-1]),
    }
    assert done.prompts("repair")[0].count("till.pay_in(1)") >= len(steps) - 1
    assert [one.name for one in done["Till"].suite.properties] == ["TillMachine"]


def test_a_false_machine_falls_and_takes_no_green_with_it(solved, write):
    """What the contract says of the steps is what the class does."""
    ten = {"expect": "value", "value": "10"}
    done = solved(promises(FALSE), write.settles(ten, ten, variant="properties"))
    assert done.solution.all_tests_passed
    assert not done["Till"].suite.properties
    (revision,) = [one for one in done.solution.revisions if one.case == "TillMachine"]
    assert revision.action == "quarantined"
    assert revision.before.startswith("till = Till(); till.pay_in(")
    assert "test_till_properties.py" not in done.solution.test_files


NEVER = """class TillMachine(RuleBasedStateMachine):
    @rule(till=st.just(Till))
    def is_there(self, till):
        assert till is Till
"""
EARLY = MACHINE.replace("super().__init__()", "super().__init__()\n        assert isinstance(self, int)")


@pytest.mark.parametrize(
    ("source", "reason"),
    [(NEVER, "it never calls the class"), (EARLY, "it fails before the class is called")],
    ids=["never", "before"],
)
def test_a_machine_must_fail_because_nothing_is_written(solved, source, reason):
    """One that does not goes back once, and is set aside with its reason."""
    done = solved(promises(source), promises(source, attempt=2))
    assert done.solution.all_tests_passed
    assert len(done.prompts("properties")) == 2
    (revision,) = [one for one in done.solution.revisions if one.case == "TillMachine"]
    assert reason in revision.reason


def test_at_standard_plain_properties_come_with_the_cases(solved, write):
    """As of functions: no call of their own, and what falsifies one becomes a case."""
    wrong = RIGHT.replace("self._balance = balance", "self._balance = balance if balance != 3 else 2")
    done = solved(write.settles(THREE, variant="properties"), beside=[PLAIN], tries=(wrong, RIGHT), trust="standard")
    assert done.solution.all_tests_passed
    assert not done.prompts("properties")
    assert "which calls this class by its name" in done.prompts("cases")[0]
    (case,) = [case for case in done["Till"].suite.cases if case.provenance == "property"]
    assert (case.setup, case.call) == ("till = Till(3)", "till.balance")
    assert "def test_starts_with(n: int) -> None:" in done.solution.test_files["test_till_properties.py"]
