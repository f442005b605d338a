"""Under what key a function is kept: changed by all that could change it, and by nothing else.

Cases that name several planned functions are judged where all of them are, and count for green.
"""

from __future__ import annotations

import json
import re

import pytest

from tdgen.build.draft import Draft, decomposed, dependencies_of, function_keys, owned
from tdgen.client import Handed
from tdgen.depgraph import Dependencies
from tdgen.protocols import Answer, Request
from tdgen.settings import Settings
from tdgen.source.syntax import expression, literal
from tdgen.specs.instruction import read_instruction
from tdgen.testgen.pinned import pinned_of
from tdgen.types import Case, Correction, Example, FunctionSpec, Plan, Returns, Suite, Value


def spec(name: str, *uses: str, purpose: str = "does something") -> FunctionSpec:
    return FunctionSpec(name=name, purpose=purpose, returns=Returns(type="int"), dependencies=uses)


BASE = Plan(module="kit", functions=(spec("low"), spec("high", "low"), spec("other")))


def keys_of(plan: Plan = BASE, settings: Settings = Settings(), python: str = "3.12", suites=()) -> dict[str, str]:  # noqa: B008
    given = {suite.function: suite for suite in suites}
    asked = read_instruction("Something.")
    draft = Draft(asked, plan=plan, dependencies=Dependencies(plan), pinned=pinned_of(plan), given=given)
    return function_keys(draft, settings, python)


def changed(**other) -> set[str]:
    """The functions whose key is another one."""
    before, after = keys_of(), keys_of(**other)
    return {name for name in before if before[name] != after[name]}


def with_(*functions: FunctionSpec, **more) -> Plan:
    return BASE.model_copy(update={"functions": functions or BASE.functions} | more)


EXAMPLE = Example(function="high", quote="high() is 3", call="high()", value="3")


def test_a_corrected_contract_is_another_one():
    """The words that corrected it may be gone from the next instruction."""
    low = spec("low").corrected([Correction(quote="it is 3", refuted="it is 2")])
    assert changed(plan=with_(low, *BASE.functions[1:])) == {"low", "high"}


def test_nothing_changed_changes_nothing():
    """The same plan has the same keys."""
    assert changed() == set()


def test_a_contract_changes_what_stands_on_it_too():
    """And leaves alone what it stands upon, and all others."""
    assert changed(plan=with_(spec("low", purpose="does more"), *BASE.functions[1:])) == {"low", "high"}
    assert changed(plan=with_(spec("low"), spec("high", "low", purpose="more"), spec("other"))) == {"high"}


def test_law_is_part_of_the_contract():
    """A new example of the user's makes the function be tried anew."""
    assert changed(plan=with_(examples=(EXAMPLE,))) == {"high"}


def test_an_example_for_one_function_leaves_the_others_as_they_were():
    """Also where it comes before theirs."""
    before = keys_of(with_(examples=(EXAMPLE,)))
    earlier = EXAMPLE.model_copy(update={"function": "other", "call": "other()"})
    after = keys_of(with_(examples=(earlier, EXAMPLE)))
    assert {name for name in before if before[name] != after[name]} == {"other"}


def test_a_suite_that_was_handed_in_is_part_of_the_contract():
    """Edited cases are not answered from what was kept before."""
    assert changed(suites=(Suite(function="low", cases=pinned_of(with_(examples=(EXAMPLE,)))["high"]),)) == {
        "low",
        "high",
    }


@pytest.mark.parametrize(
    "other",
    [{"settings": Settings(trust="strict")}, {"settings": Settings(model="another")}, {"python": "3.11"}],
    ids=["trust", "model", "python"],
)
def test_what_changes_the_result_changes_all(other):
    """Who wrote it, how hard it was tried, and for which Python."""
    assert changed(**other) == {"low", "high", "other"}


def test_a_function_more_changes_nothing_of_the_others():
    """A plan grows without being built anew."""
    assert changed(plan=with_(*BASE.functions, spec("new", "low"))) == set()


SHOW = "def show(minutes: int) -> str:\n    return f'{minutes // 60}:{minutes % 60:02}'"
SHOW_WRONG = "def show(minutes: int) -> str:\n    return f'{minutes // 60}:{minutes % 60}'"
PARSE = "def parse(text: str) -> int:\n    hours, minutes = text.split(':')\n    return int(hours) * 60 + int(minutes)"
STRICT = (
    "def parse(text: str) -> int:\n    hours, minutes = text.split(':')\n"
    "    if len(minutes) != 2:\n        raise ValueError(text)\n    return int(hours) * 60 + int(minutes)"
)


def shown(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02}"


@pytest.fixture
def show(write):
    def make(*tries: str, **more):
        cases = [write.returns(f"show({n})", repr(shown(n))) for n in (75, 130, 59, 611)]
        return write.function("show(minutes: int) -> str", "As h:mm.", cases=cases, tries=tries or (SHOW,), **more)

    return make


@pytest.fixture
def parse(write):
    def make(*tries: str, **more):
        cases = [write.returns(f"parse({shown(n)!r})", str(n)) for n in (75, 130, 59, 611)]
        return write.function("parse(text: str) -> int", "Of h:mm.", cases=cases, tries=tries or (STRICT,), **more)

    return make


class Author:
    """A scripted model that knows what `show` must give."""

    def __init__(self, script) -> None:
        self._script = script
        self.settled: list[str] = []

    @property
    def asked(self):
        return self._script.asked

    def ask(self, request: Request) -> Answer:
        if request.purpose != "settle":
            return self._script.ask(request)
        self.settled.append(request.subject)
        told = request.messages[-1].content.rpartition("<calls>")[2].partition("</calls>")[0]
        calls = re.findall(r"^(\d+)\. `(.*)`$", told, re.MULTILINE)
        answers = [
            {"number": int(n), "expect": "value", "value": repr(shown(*map(literal, expression(call).args)))}
            if request.subject == "show"
            else {"number": int(n), "expect": "open"}
            for n, call in calls
        ]
        return Answer(text=json.dumps({"answers": answers}))


class TestARoundTrip:
    """`parse(show(93)) == 93`, of two functions that know nothing of each other."""

    TEXT = "Minutes as h:mm: show and parse. `parse(show(93))` -> 93."

    def test_right_code_is_green(self, solver, show, parse):
        """The case belongs to the last of the two, which waits for the other."""
        solved = solver.solve(show(), parse(), text=self.TEXT)
        assert solved.solution.all_tests_passed
        (case,) = [case for case in solved["parse"].suite.cases if case.is_pinned]
        assert (case.expression, case.provenance) == ("parse(show(93))", "instruction")
        assert not [case for case in solved["show"].suite.cases if case.is_pinned]

    def test_it_is_the_plans_order_that_says_which_is_the_last(self, solver, show, parse):
        """Where neither calls the other."""
        solved = solver.solve(parse(), show(), text=self.TEXT)
        assert solved.solution.all_tests_passed
        assert [case.expression for case in solved["show"].suite.cases if case.is_pinned] == ["parse(show(93))"]

    def test_the_one_that_calls_the_other_is_the_last(self, solver, show, parse):
        """Wherever it stands in the plan."""
        solved = solver.solve(parse(uses=["show"]), show(), text=self.TEXT)
        assert solved.solution.all_tests_passed
        assert [case.expression for case in solved["parse"].suite.cases if case.is_pinned] == ["parse(show(93))"]

    def test_those_who_write_see_the_other_contract(self, solver, show, parse):
        """An example of a function that nobody has heard of would be a riddle."""
        solved = solver.solve(show(), parse(), text=self.TEXT)
        for purpose in ("cases", "implement"):
            (prompt,) = solved.prompts(purpose, "parse")
            assert "def show(minutes: int) -> str" in prompt
            assert "def parse" not in solved.prompts(purpose, "show")[0]

    def test_it_counts_for_green(self, solver, show, parse):
        """Each function passes its own cases, and the module is not right."""
        off = PARSE.replace("int(minutes)", "int(minutes) - (int(minutes) == 33)")
        solved = solver.solve(show(), parse(off, *(off,) * 3), text=self.TEXT)
        assert solved["show"].outcome == "green"
        assert solved["parse"].outcome == "red"
        assert [v.case for v in solved["parse"].best.verdicts if not v.passed] == ["example_1"]

    def test_the_other_goes_back_to_work_where_it_is_the_wrong_one(self, solver, show, parse):
        """What the case asks of it is settled before any code is bent to it."""
        text = self.TEXT.replace("93", "65")
        functions = [show(SHOW_WRONG, SHOW), parse()]
        model = Author(solver.model(*functions))
        solved = solver.solve(*functions, text=text, model=model)
        assert solved.solution.all_tests_passed
        assert [attempt.rung for attempt in solved["parse"].history] == ["first"]
        assert [attempt.rung for attempt in solved["show"].history] == ["first", "repair"]
        assert "show(65)" in [case.expression for case in solved["show"].suite.cases]
        assert model.settled[:2] == ["show", "show"]

    def test_on_what_is_red_nobody_is_judged(self, solver, show, parse):
        """It is told as blocked: by the other's failure, not by its own."""
        wrong = "def show(minutes: int) -> str:\n    return ''"
        solved = solver.solve(show(wrong, *(wrong,) * 4), parse(), text=self.TEXT)
        assert (solved["show"].outcome, solved["parse"].outcome) == ("red", "blocked")
        assert "stands on what is not green: show" in solved["parse"].reason


SETUP = "from kit import parse, show\n\n\ndef test_back():\n    text = show(93)\n    assert parse(text) == 93\n"


def test_a_function_that_only_the_setup_names_counts_as_named(solver, show, parse):
    """Here in a test of the user's."""
    solved = solver.solve(parse(), show(), handed=Handed(tests=SETUP))
    assert solved.solution.all_tests_passed
    assert [(c.name, c.expression) for c in solved["show"].suite.cases if c.is_pinned] == [("back", "parse(text)")]


def test_a_case_over_what_is_not_planned_goes_back_to_the_planner(solver, show, parse, write):
    """It can't be tried, whatever is written: the plan is sent back with the name."""
    example = write.example("parse(shift(show(93))) is 94", "parse(shift(show(93)))", "94")
    model = solver.model(show(), parse(), examples=[example])
    with pytest.raises(Exception, match="plan, attempt 2"):
        solver.solve(model=model, text="parse(shift(show(93))) is 94")
    assert "nobody knows the name shift" in model.asked[1].messages[-1].content


def test_a_case_of_the_test_author_that_names_a_stranger_goes_back(solver, show, write):
    """It would hold the absence of another function against right code."""
    joint = write.returns("parse(show(75))", "75", name="joint")
    fine = write.returns("parse('1:15')", "75")
    parse = write.function("parse(text: str) -> int", cases=[joint, fine], mended_cases=[fine], tries=[PARSE])
    solved = solver.solve(show(), parse)
    assert "it names show, which parse neither calls nor is judged with" in solved.prompts("cases", "parse")[1]
    assert solved.solution.all_tests_passed


def test_a_joint_case_in_an_edited_suite_is_judged_with_all_too(solver, show, parse):
    """Also where the other function comes later: then it is that one's."""
    first = solver.solve(show(), parse())
    mine = Case(name="mine", function="show", provenance="user", call="parse(show(93))", expectation=Value(source="93"))
    suites = [Suite(function="show", cases=(*first["show"].suite.cases, mine)), first["parse"].suite]
    solved = solver.solve(show(), parse(), handed=Handed(plan=first.solution.plan, suites=suites))
    assert solved.solution.all_tests_passed
    assert [case.name for case in solved["parse"].suite.cases if case.is_pinned] == ["mine"]


class TestTheOrder:
    """Who waits for whom beside the contracts."""

    @pytest.fixture
    def plan(self):
        names = {"a": (), "b": (), "c": ("a",)}
        specs = [
            FunctionSpec(name=n, purpose="", returns=Returns(type="int"), dependencies=d) for n, d in names.items()
        ]
        return Plan(module="kit", functions=tuple(specs))

    def case(self, call: str, **more) -> Case:
        function = call.partition("(")[0]
        return Case(name="x", function=function, provenance="user", call=call, expectation=Value(source="1"), **more)

    def test_a_case_of_three_belongs_to_the_last(self, plan):
        """Which waits for both others, and needs what they need."""
        pinned = owned({"a": (self.case("a(b(c()))"),), "b": (), "c": ()}, plan)
        assert [name for name, cases in pinned.items() if cases] == ["c"]
        from tdgen.build.draft import Draft
        from tdgen.types import Instruction

        graph = dependencies_of(Draft(Instruction(text="", normalised=""), pinned=pinned), plan)
        assert graph.below("c") == ("a", "b")
        assert graph.names == (("a", "b"), ("c",))

    def test_names_stay_apart(self, plan):
        """Where the owner has a case of that name."""
        pinned = owned({"a": (self.case("a(c())"),), "b": (), "c": (self.case("c()"),)}, plan)
        assert [case.name for case in pinned["c"]] == ["x", "x_2"]

    def test_what_tdgen_wrote_stays_where_it_is(self, plan):
        """A handed-in suite loses only those cases of the user's that another function must wait for."""
        generated = self.case("a(c())").model_copy(update={"provenance": "model", "name": "generated"})
        suite = Suite(function="a", cases=(self.case("a(c())"), self.case("a()", setup="c = 3"), generated))
        kept, strays = decomposed([suite], plan)
        assert [case.expression for case in strays] == ["a(c())"]
        assert [case.expression for case in kept["a"].cases] == ["a()", "a(c())"]
