"""The test author: what it is told, how its answers are read, and what becomes of an answer with faults."""

from __future__ import annotations

import json

import pytest

from tdgen.errors import ReplyError
from tdgen.models.scripted import ScriptedModel
from tdgen.prompts.context import PromptContext
from tdgen.testgen.author import MAX_CASES, more_cases, write_cases
from tdgen.testgen.reply import CaseReply, slug
from tdgen.types import (
    After,
    Case,
    Check,
    Entry,
    ExpectedException,
    FunctionSpec,
    Parameter,
    Plan,
    Returns,
    Tolerance,
    Value,
    World,
)

LOW = FunctionSpec(name="low", purpose="The least.", returns=Returns(type="int"))
SPEC = FunctionSpec(
    name="f",
    purpose="Counts up.",
    parameters=(Parameter(name="x", type="int"),),
    returns=Returns(type="int"),
    dependencies=("low",),
    complexity="complex",
)
PLAN = Plan(module="kit", functions=(LOW, SPEC), packages=("numpy",))
PINNED = Case(
    name="example_1",
    function="f",
    provenance="instruction",
    arguments=("9",),
    expectation=Value(source="10"),
    why="f(9) is 10",
)


def reply(name: str, argument: int, **more) -> dict:
    return {"name": name, "arguments": [str(argument)], "expect": "value", "value": str(argument + 1)} | more


GOOD = [reply("one", 1), reply("two", 2)]
BAD = reply("bad", 3, value="4 +")


class Author:
    """A scripted author and what came of asking it."""

    def __init__(self, *answers, pinned=(), evaluate=lambda cases: {}) -> None:
        texts = [answer if isinstance(answer, str) else json.dumps({"cases": answer}) for answer in answers]
        told = [{"purpose": "cases", "subject": "f", "attempt": n, "text": text} for n, text in enumerate(texts, 1)]
        self.model = ScriptedModel.from_dict({"answers": told})
        self._pinned, self._evaluate = tuple(pinned), evaluate

    def write(self, plan=PLAN, spec=SPEC):
        told = {"instruction": "Write `f`.", "types": "class Point: ...\n", "pinned": self._pinned}
        return write_cases(self.model, PromptContext(spec=spec, plan=plan, **told), evaluate=self._evaluate)

    @property
    def prompt(self) -> str:
        return "\n".join(message.content for message in self.model.asked[-1].messages)


def names(cases) -> list[str]:
    return [case.name for case in cases]


class TestTheQuestion:
    """One call, with all that the contract says and nothing more."""

    def test_it_holds_contract_types_law_and_what_is_called(self):
        """All that a test author needs to know."""
        author = Author(GOOD, pinned=[PINNED])
        author.write()
        assert len(author.model.asked) == 1
        for part in (
            "`def f(x: int) -> int`\n\nCounts up.",
            "<shared_types>\nclass Point: ...",
            "<functions_it_calls>\n`def low() -> int`",
            "<users_examples>\n- example_1: `f(9)` returns `10`",
            "Only the standard library, numpy",
        ):
            assert part in author.prompt

    def test_how_many_cases_hangs_on_the_complexity(self):
        """More for a real algorithm."""
        author = Author(GOOD)
        author.write()
        assert "at most 14 cases" in author.prompt

    @pytest.mark.parametrize(("packages", "is_told"), [(("numpy",), True), (("pandas",), True), (("rich",), False)])
    def test_what_holds_of_arrays_is_told_where_the_plan_has_them(self, packages, is_told):
        """Nobody else has to read it."""
        author = Author(GOOD)
        author.write(PLAN.model_copy(update={"packages": packages}))
        assert ("\n- An array's dtype counts" in author.prompt) is is_told

    def test_a_promise_of_speed_asks_for_a_large_input(self):
        """As an expression: nobody writes a hundred thousand numbers out."""
        author = Author(GOOD)
        author.write()
        assert "of kind limit: a large input as an expression" in author.prompt

    @pytest.mark.parametrize("is_entry", [True, False])
    def test_how_a_script_runs_is_told_at_its_entry(self, is_entry):
        """And to nobody else."""
        main = SPEC.model_copy(update={"parameters": (Parameter(name="argv", type="list[str]"),)})
        plan = Plan(module="kit", functions=(LOW, main), entry=Entry(function="f") if is_entry else None)
        author = Author(GOOD)
        author.write(plan, main)
        assert ("the module is run as a script" in author.prompt) is is_entry

    def test_it_asks_for_json_of_that_shape(self):
        """By a schema, where the endpoint has them."""
        author = Author(GOOD)
        author.write()
        assert author.model.asked[0].schema_name == "cases"
        assert author.model.asked[0].json_schema["properties"].keys() == {"cases", "no_case"}


class TestProperties:
    """At most so many come with the cases, in the same answer; they never cost a question."""

    HOLDS = '@given(st.integers(-9, 9))\ndef test_more(n):\n    """Counts up."""\n    assert f(n) > n\n'

    def write(self, *properties, cases=GOOD, most=2):
        self.author = Author(json.dumps({"cases": cases, "properties": properties}), GOOD)
        context = PromptContext(spec=SPEC, plan=PLAN, instruction="Write `f`.")
        return write_cases(self.author.model, context, evaluate=lambda cases: {}, properties=most)

    @pytest.mark.parametrize(("most", "is_told"), [(0, False), (2, True)])
    def test_the_author_hears_of_them_where_there_may_be_any(self, most, is_told):
        """Elsewhere neither rule nor schema names them, and none is taken."""
        written = self.write(self.HOLDS, most=most)
        (request,) = self.author.model.asked
        assert ("at most 2 Hypothesis tests" in self.author.prompt) is is_told
        assert ("properties" in request.json_schema["properties"]) is is_told
        assert len(written.promised.properties) == is_told

    def test_its_docstring_says_the_words(self):
        """The answer has no other place for them."""
        (one,) = self.write(self.HOLDS).promised.properties
        assert (one.name, one.source, one.why) == ("test_more", self.HOLDS, "Counts up.")

    def test_the_first_few_count(self):
        """As many as may be."""
        written = self.write(*(self.HOLDS.replace("more", f"more_{n}") for n in range(4)))
        assert [one.name for one in written.promised.properties] == ["test_more_0", "test_more_1"]

    @pytest.mark.parametrize("told", ["def test_x(:", {"source": HOLDS}, None])
    def test_one_that_cannot_be_read_is_not_asked_for_again(self, told):
        """The cases stand as they are."""
        written = self.write(told, self.HOLDS)
        assert len(self.author.model.asked) == 1
        assert [one.name for one in written.promised.properties] == ["test_more"]
        assert list(written.promised.set_aside) == ["test_x"] * isinstance(told, str)

    def test_a_second_answer_to_mend_cases_takes_none_away(self):
        """It holds the faulty cases alone."""
        written = self.write(self.HOLDS, cases=[*GOOD, BAD])
        assert len(self.author.model.asked) == 2
        assert [one.name for one in written.promised.properties] == ["test_more"]


class TestPassages:
    """What binds the function in the user's own words."""

    bound = SPEC.model_copy(update={"passages": ("It counts up.", "Be quick.")})
    plan = PLAN.model_copy(update={"functions": (LOW, bound)})
    instruction = "Two functions. It counts up. Be quick. And low."

    def write(self, *cases, no_case=()):
        text = json.dumps({"cases": cases, "no_case": no_case})
        model = ScriptedModel.from_dict({"answers": [{"purpose": "cases", "subject": "f", "text": text}]})
        context = PromptContext(spec=self.bound, plan=self.plan, instruction=self.instruction)
        return model, write_cases(model, context, evaluate=lambda cases: {})

    def test_they_are_numbered(self):
        """Those of the function alone."""
        model, _ = self.write(reply("one", 1))
        assert "Two functions. ⟦1⟧ It counts up. ⟦2⟧ Be quick. And low." in model.asked[0].messages[-1].content

    def test_a_case_says_which_it_shows(self):
        """Word for word, as a plan has them; a number that there is not is nothing."""
        _, written = self.write(reply("one", 1, passages=[1, 7]), no_case=[2, 9])
        assert [case.passages for case in written.cases] == [("It counts up.",)]
        assert written.without_case == ("Be quick.",)


class TestTheAnswer:
    """Read into cases; faults go back once."""

    def test_sound_cases_are_taken(self):
        """In their order."""
        written = Author(GOOD).write()
        assert names(written.cases) == ["one", "two"]
        assert written.set_aside == {}

    def test_faults_go_back_once_with_their_reasons(self):
        """The faulty case is asked for alone, by its name; the others are kept."""
        author = Author([*GOOD, BAD], [reply("bad", 3)])
        written = author.write()
        assert names(written.cases) == ["one", "two", "bad"]
        assert written.set_aside == {}
        assert "- case 'bad': the value '4 +' is not a Python expression" in author.prompt
        assert "Answer with these cases alone" in author.prompt
        assert "the whole answer" not in author.prompt

    def test_what_was_sound_is_not_taken_again(self):
        """An author who gives the whole answer again changes nothing of it."""
        other = reply("one", 1, value="9")
        assert Author([*GOOD, BAD], [other, *GOOD, reply("bad", 3)]).write().cases[0].expectation.source == "2"

    def test_a_mended_case_that_contradicts_a_kept_one_falls_with_it(self):
        """As two of one answer do."""
        written = Author([*GOOD, BAD], [reply("bad", 1, value="9")]).write()
        assert names(written.cases) == ["two"]
        assert written.set_aside.keys() == {"one", "bad"}

    def test_an_answer_that_can_not_be_read_is_asked_for_as_a_whole(self):
        """Nothing of it was kept."""
        author = Author("Sure!", GOOD)
        assert names(author.write().cases) == ["one", "two"]
        assert "give the whole answer again" in author.prompt

    def test_what_running_tells_goes_back_too(self):
        """Only cases that could be read are run at all."""
        seen = []

        def evaluate(cases):
            seen.append(names(cases))
            return {"two": "it never calls the function"} if len(seen) == 1 else {}

        author = Author([*GOOD, BAD], GOOD, evaluate=evaluate)
        assert author.write().set_aside.keys() == {"bad"}  # its author left it out
        assert seen == [["one", "two"], ["two"]]
        assert "- case 'two': it never calls the function" in author.prompt

    def test_what_stays_broken_is_set_aside(self):
        """With its reason, and the rest stands."""
        written = Author([*GOOD, BAD], [BAD, *GOOD]).write()
        assert names(written.cases) == ["one", "two"]
        assert written.set_aside.keys() == {"bad"}

    def test_a_second_answer_that_is_no_answer_costs_nothing(self):
        """What was sound in the first one is there."""
        written = Author([*GOOD, BAD], "I give up.").write()
        assert names(written.cases) == ["one", "two"]
        assert written.set_aside.keys() == {"bad"}

    def test_a_first_answer_that_is_none_does_not_spoil_the_second(self):
        """Its faults are set aside like those of any second answer."""
        written = Author("Sure!", [*GOOD, BAD]).write()
        assert names(written.cases) == ["one", "two"]
        assert written.set_aside.keys() == {"bad"}

    def test_two_answers_that_cannot_be_read_are_an_error(self):
        """Also where there is pinned: nothing was said of the edges."""
        with pytest.raises(ReplyError, match="no usable answer \\(cases for f\\)"):
            Author("Sure!", "Sure!", pinned=[PINNED]).write()

    def test_without_law_there_must_be_a_case(self):
        """With nothing to judge by, nothing can be green."""
        with pytest.raises(ReplyError, match="there is no case"):
            Author([], []).write()
        with pytest.raises(ReplyError, match="is not a Python expression"):
            Author([BAD], [BAD]).write()

    def test_law_alone_is_enough(self):
        """The user's examples decide then."""
        assert Author([], pinned=[PINNED]).write()[:3] == ((), {}, ())
        assert Author([BAD], [BAD], pinned=[PINNED]).write().cases == ()

    def test_names_are_made_different(self):
        """Also from those of the pinned."""
        author = Author([reply("Same thing!", 1), reply("same-thing", 2), reply("example 1", 3)], pinned=[PINNED])
        assert names(author.write().cases) == ["same_thing", "same_thing_2", "example_1_2"]

    def test_a_flood_is_cut(self):
        """Nobody reads two hundred cases."""
        written = Author([reply(f"case {n}", n) for n in range(MAX_CASES + 40)]).write()
        assert len(written.cases) == MAX_CASES


class TestSeveralInputs:
    """Of one case: its author counts it as one, and hears of each that is faulty."""

    several = reply("bad", 0, arguments=[], each=[["1"], ["2 +"], ["3"]], value="0")

    def test_the_faulty_input_goes_back_alone(self):
        """Under its number; those that are sound stay."""
        author = Author([self.several], [reply("bad_2", 2, value="0")])
        assert names(author.write().cases) == ["bad_1", "bad_3", "bad_2"]
        assert "- case 'bad_2': the argument '2 +' is not a Python expression" in author.prompt

    def test_inputs_that_are_numbered_anew_are_told_by_what_they_do(self):
        """Asked for what is faulty alone, an author gives all again, or a few under other numbers."""
        again = self.several | {"each": [["1"], ["2"], ["4"]]}
        written = Author([self.several], [again]).write()
        assert [case.arguments for case in written.cases] == [("1",), ("3",), ("2",), ("4",)]
        assert len(set(names(written.cases))) == 4

    def test_a_call_of_its_own_has_no_arguments_to_vary(self):
        """One case is left of it, the others are set aside with the reason."""
        written = Author([self.several | {"call": "f(1)(2)"}]).write()
        assert names(written.cases) == ["bad_1"]
        assert written.set_aside == dict.fromkeys(("bad_2", "bad_3"), "it repeats the case 'bad_1'")

    @pytest.mark.parametrize(
        ("call", "calls"),
        [
            ("[f(...)][0]", ["[f(1)][0]", "[f(3, 4)][0]"]),
            ("f('...')(é, ...)", ["f('...')(é, 1)", "f('...')(é, 3, 4)"]),
            ("f(..., ...)", ["f(1, ...)", "f(3, 4, ...)"]),
        ],
    )
    def test_a_call_says_where_the_inputs_stand(self, call, calls):
        """By `...` as an argument: of a method's inputs, too, several that are rejected alike are one case."""
        told = CaseReply.model_validate(self.several | {"call": call, "each": [["1"], ["3", " 4"]]}).cases("f")
        assert [(case.call, case.arguments) for case in told] == [(one, ()) for one in calls]

    def test_a_flood_of_inputs_is_cut(self):
        """As one of cases is."""
        flood = reply("bad", 0, each=[[str(n)] for n in range(MAX_CASES + 40)], value="0")
        assert len(Author([flood]).write().cases) == MAX_CASES

    @pytest.mark.parametrize("each", ["'a'", ["'a'"], [[1]], None])
    def test_what_is_no_list_of_argument_lists_goes_back(self, each):
        """With its place."""
        author = Author([self.several | {"each": each}], GOOD)
        assert names(author.write().cases) == ["one", "two"]
        assert "cases[0].each" in author.prompt


class TestReading:
    """An answer's way into the domain's words."""

    def test_a_value(self):
        """White space around sources is nobody's intent."""
        case = CaseReply(name="A b", arguments=[" 1 "], expect="value", value=" 2 ", why="as\n said").case("f")
        assert (case.name, case.arguments, case.expectation, case.why) == ("a_b", ("1",), Value(source="2"), "as said")

    def test_a_tolerance(self):
        """A relative one; what is none leaves the usual."""
        case = CaseReply(name="a", expect="value", value="0.5", tolerance=0.01).case("f")
        assert case.expectation.tolerance == Tolerance(rel=0.01)
        assert CaseReply(name="a", expect="value", value="1", tolerance=-1).case("f").expectation == Value(source="1")

    def test_an_exception_and_a_check(self):
        """By the form that the answer names."""
        raising = CaseReply(name="a", expect="raises", value=" KeyError ", match="b").case("f")
        assert raising.expectation == ExpectedException(type="KeyError", match="b")
        assert CaseReply(name="a", expect="check", value="result").case("f").expectation == Check(source="result")

    def test_a_call_of_its_own_leaves_the_arguments_out(self):
        """They would be evaluated for nothing."""
        case = CaseReply(name="a", arguments=["1"], call=" f(2)(3) ", expect="value", value="1").case("f")
        assert (case.call, case.arguments) == ("f(2)(3)", ())

    def test_several_inputs_that_are_rejected_alike(self):
        """Each becomes a case of its own, under a name that says to which it belongs; none twice."""
        told = CaseReply(
            name="bad", arguments=["1"], each=[["''"], [" '-' "], ["1"], []], expect="raises", value="ValueError"
        )
        assert [(case.name, case.arguments) for case in told.cases("f")] == [
            ("bad_1", ("1",)),
            ("bad_2", ("''",)),
            ("bad_3", ("'-'",)),
            ("bad_4", ()),
        ]
        assert {case.expectation for case in told.cases("f")} == {ExpectedException(type="ValueError")}
        assert [case.name for case in told.model_copy(update={"name": "x" * 99}).cases("f")][3] == "x" * 56 + "_4"

    @pytest.mark.parametrize("each", [(), (("1",),)])
    def test_one_input_is_a_case_like_any_other(self, each):
        """However it is told."""
        told = CaseReply(name="a", arguments=["1"], each=each, expect="value", value="1")
        assert told.cases("f") == [told.case("f")]

    def test_several_command_lines(self):
        """The words of each are what the script is run with."""
        told = CaseReply(name="usage", each=[["-x"], ["a", "b"]], expect="exits", value="2")
        assert [case.world.script for case in told.cases("f")] == [("-x",), ("a", "b")]

    def test_a_world_and_what_is_observed(self):
        """Lists of named texts become dicts, and an empty clock is none."""
        told = {
            "name": "a",
            "expect": "value",
            "value": "1",
            "world": {"files": [{"name": "a", "text": "b"}], "stdin": "", "environment": [], "clock": "", "seed": 3},
            "observe": {
                "stdout": "x",
                "files": [{"name": "c", "text": "d"}],
                "after": [{"expression": "y", "value": "1"}],
            },
        }
        case = CaseReply.model_validate(told).case("f")
        assert case.world == World(files={"a": "b"}, stdin="", seed=3)
        assert (case.stdout, case.files, case.after) == ("x", {"c": "d"}, (After(expression="y", source="1"),))

    @pytest.mark.parametrize(
        ("name", "short"),
        [("Two  Words", "two_words"), ("über", "ber"), ("…", "case"), ("x" * 99, "x" * 60), ("_a_", "a")],
    )
    def test_names(self, name, short):
        """What can stand in a test's id."""
        assert slug(name) == short


class TestRepeatedCases:
    """What says nothing new is dropped, with the reason, and costs no second answer."""

    def test_the_first_of_two_alike_stays(self):
        """However the call is spelled; one that observes more is another case."""
        printing = reply("loud", 1, observe={"stdout": "1", "files": [], "after": []})
        author = Author([reply("one", 1), reply("again", 1, arguments=["x=1"]), printing])
        written = author.write()
        assert names(written.cases) == ["one", "loud"]
        assert written.set_aside == {"again": "it repeats the case 'one'"}
        assert len(author.model.asked) == 1

    def test_the_users_own_stays(self):
        """A generated case that repeats it is dropped."""
        author = Author([reply("nine", 9), *GOOD], pinned=(PINNED,))
        assert names(author.write().cases) == ["one", "two"]

    def test_what_contradicts_a_case_that_is_there_falls_alone(self):
        """The suite that there is does not change by what is added to it."""
        there = reply("one", 1)
        answers = [{"cases": [reply("other", 1, value="9"), reply("five", 5)]}, {"cases": []}]
        told = [
            {"purpose": "cases", "subject": "f", "variant": "more", "attempt": n, "text": json.dumps(a)}
            for n, a in enumerate(answers, 1)
        ]
        written = more_cases(
            ScriptedModel.from_dict({"answers": told}),
            PromptContext(spec=SPEC, plan=PLAN),
            cases=[CaseReply(**there).case("f")],
            weaknesses=["returns None"],
            evaluate=lambda cases: {},
        )
        assert names(written.cases) == ["five"]
        assert written.set_aside.keys() == {"other"}
