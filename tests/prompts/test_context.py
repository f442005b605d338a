"""Contracts and what surrounds them as prompts tell them: nothing of them left out, nothing added."""

from __future__ import annotations

import pytest

from tdgen.prompts.cases import cases_section
from tdgen.prompts.context import (
    RANK,
    PromptContext,
    contract,
    dependencies_section,
    types_section,
    web_cases,
    web_scope,
)
from tdgen.types import (
    Case,
    Correction,
    FunctionSpec,
    Parameter,
    Plan,
    Question,
    Raises,
    Returns,
    Value,
)

SPEC = FunctionSpec(
    name="rank",
    purpose="Ranks the names.",
    parameters=(Parameter(name="names", type="list[str]", description="without duplicates"),),
    returns=Returns(type="dict[str, int]", description="from 1", unordered=True),
    raises=(Raises(type="ValueError", when="a name is there twice"),),
)


def case(**more) -> Case:
    return Case(
        **{"name": "it", "function": "rank", "arguments": ("['a']",), "expectation": Value(source="{'a': 1}")} | more
    )


def test_a_contract_is_told_whole():
    """Signature, purpose, parameters, result, whether its order counts, and exceptions."""
    assert contract(SPEC) == (
        "`def rank(names: list[str]) -> dict[str, int]`\n\nRanks the names.\n\n"
        "Parameters:\n- names: without duplicates\n\n"
        "Returns: from 1\n\nThe order of the result's items is free.\n\nRaises:\n- ValueError: a name is there twice"
    )


def test_what_is_wrong_with_a_contract_stands_under_it():
    """One correction of a sentence; a second that names the same sentence says nothing new."""
    one = Correction(quote="from zero on", refuted="from 1", effect="`rank(['a'])` returns `{'a': 0}`")
    corrected = SPEC.corrected([one, one.model_copy(update={"effect": "`rank([])` returns `{}`"})])
    assert contract(corrected) == (
        f'{contract(SPEC)}\n\nCorrected: "from zero on" holds, and not "from 1". For example:\n'
        "  `rank(['a'])` returns `{'a': 0}`"
    )


def test_a_bare_contract_has_no_empty_headings():
    """What is not there is not spoken of."""
    bare = FunctionSpec(name="now", purpose="The time.", returns=Returns(type="float"), is_async=True)
    assert contract(bare) == "`async def now() -> float`\n\nThe time."


def test_sections_that_hold_nothing_are_left_out():
    """No empty tags in a prompt."""
    assert types_section(" \n") == dependencies_section("pinned", []) == cases_section("pinned", []) == ""


def test_sections_stand_between_tags():
    """Under the name that the prompt speaks of."""
    assert types_section("class A: ...\n") == "\n<shared_types>\nclass A: ...\n</shared_types>\n"
    assert cases_section("pinned", [case()]) == "\n<pinned>\n- it: `rank(['a'])` returns `{'a': 1}`\n</pinned>\n"
    assert dependencies_section("below", [SPEC]).startswith("\n<below>\n`def rank")


class TestThePromptContext:
    """What every prompt about one function shows, whoever is asked: the user's words stand above the contract."""

    WORDS = "Rank the names:\n\n    rank(['a']) -> {'a': 1}\n\nTies go to the earlier name."
    LOW = FunctionSpec(name="low", purpose="The least.", returns=Returns(type="int"))
    PLAN = Plan(module="kit", functions=(SPEC, LOW))

    def context(self, spec=SPEC, **more) -> str:
        told = {"instruction": self.WORDS, "types": "class Name: ...\n", "pinned": (case(provenance="instruction"),)}
        return PromptContext(spec=spec, plan=self.PLAN, **(told | more)).text

    def test_it_holds_the_instruction_word_for_word_and_says_what_ranks_above_what(self):
        """Also what the planner left out of the contract."""
        text = self.context()
        assert text.startswith(f"<instruction>\n{self.WORDS}\n</instruction>\n{RANK.format(unit='function')}\n")
        assert text.index(RANK.format(unit="function")) < text.index("<contract>") < text.index("<users_examples>")

    def test_what_all_functions_share_comes_first(self):
        """So that an endpoint can cache it: the instruction and the shared types."""
        one, other = self.context(), self.context(self.LOW, pinned=())
        shared = one[: one.index("<contract>")]
        assert "class Name" in shared
        assert other.startswith(shared)

    def test_what_is_not_there_is_not_spoken_of(self):
        """A plan that was handed in may come without prose."""
        bare = self.context(instruction=" ", types="", pinned=())
        assert bare == f"<contract>\n{contract(SPEC)}\n</contract>"

    def test_of_a_long_instruction_the_passages_that_concern_the_function_are_shown(self):
        """In the order of the text, with those that the plan assigned to nobody."""
        first, second, third = "Rank the names.", "Draw a chart. " * 1000, "Ties go to the earlier name."
        spec = SPEC.model_copy(update={"passages": (third,)})
        plan = self.PLAN.model_copy(update={"unassigned": (first,)})
        told = PromptContext(spec=spec, plan=plan, instruction=f"{first} {second} {third}").text
        assert told.startswith(f"<instruction>\n{first}\n[…]\n{third}\n</instruction>")

    @pytest.mark.parametrize(
        ("quote", "stands"),
        [
            ("ties go to the *earlier* name", True),
            ("The least.", True),
            ("Ranks the names", True),
            ("the later", False),
        ],
        ids=["the user's", "a callee's contract", "the contract", "nobody's"],
    )
    def test_it_knows_which_words_stand_in_it(self, quote, stands):
        """Whoever quotes may quote all that was shown, less what a copyist changes."""
        spec = SPEC.model_copy(update={"dependencies": ("low",)})
        assert PromptContext(spec=spec, plan=self.PLAN, instruction=self.WORDS).says(quote) == stands


def test_what_was_assumed_is_told_beside_the_words():
    """What names no function stands in each prompt, and an arbiter may quote it."""
    plan = Plan(module="ranks", functions=(SPEC,), questions=(Question(question="Of no names?", assumption="Empty."),))
    context = PromptContext(spec=SPEC, plan=plan, instruction="Rank names.")
    assert (
        "</instruction>\n" + RANK.format(unit="function") + "\n\n<assumptions>\n- Of no names? Empty.\n</assumptions>\n"
        in context.text
    )
    assert context.says("Of no names? Empty.")


@pytest.mark.parametrize(
    ("assumed", "shown"),
    [
        ("Of no names `rank` gives nothing.", True),
        ("low([]) is 0.", True),
        ("Names are compared as they are, the low ones first.", True),
        ("Names are compared by sort_key and `rank`.", True),
        ("An axis is left out by `draw(names)`.", False),
        ("sort_key ignores case.", False),
    ],
    ids=["its own", "of one that it calls", "of no function", "its own and another's", "another's", "a name with _"],
)
def test_what_was_assumed_of_other_functions_is_not_told(assumed, shown):
    """A word of the language that is a function's name too names it only as code."""
    spec = SPEC.model_copy(update={"dependencies": ("low",)})
    others = (FunctionSpec(name=name, purpose="", returns=Returns(type="int")) for name in ("low", "draw", "sort_key"))
    plan = Plan(module="ranks", functions=(spec, *others), questions=(Question(question="How?", assumption=assumed),))
    assert (assumed in PromptContext(spec=spec, plan=plan).text) == shown


def test_a_helper_is_told_what_was_assumed_of_its_function():
    """The plan knew no helper yet."""
    helper = FunctionSpec(name="_rank_key", purpose="", returns=Returns(type="int"))
    assumed = Question(question="Of no names?", assumption="`rank` gives nothing.")
    plan = Plan(module="ranks", functions=(helper, SPEC), questions=(assumed,))
    assert "`rank` gives nothing." in PromptContext(spec=helper, plan=plan).text


class TestWhatTheUsersWordsRefute:
    """A planner's sentence, told to be wrong: it belongs to the function whose contract it stands in."""

    CONTEXT = PromptContext(
        spec=SPEC.model_copy(update={"dependencies": ("split",)}),
        plan=Plan(
            module="kit",
            functions=(
                SPEC,
                FunctionSpec(name="split", purpose="Splits at commas.", returns=Returns(type="list[str]")),
            ),
            questions=(
                Question(question="Of no names?", assumption="It is an error."),
                Question(question="Of one?", assumption="It is the first.", answered=True),
            ),
        ),
        instruction="Rank names from zero on, split at semicolons.",
    )

    @pytest.mark.parametrize(
        ("sentence", "function"),
        [
            ("from 1", "rank"),
            ("Splits at commas", "split"),
            ("It is an error.", "rank"),
            ("It is the first.", ""),
            ("split at semicolons", ""),
            ("nobody said so", ""),
        ],
        ids=[
            "its own",
            "a called function's",
            "an assumption",
            "the user's own answer",
            "the user's words",
            "no words",
        ],
    )
    def test_is_of_one_function(self, sentence, function):
        """An assumption counts as part of the contract that is asked about, unless it is the user's own answer."""
        assert self.CONTEXT.refuted_of("from zero on", sentence) == function

    def test_is_refuted_by_the_user_alone(self):
        """A contract's words prove nothing against a contract."""
        assert not self.CONTEXT.refuted_of("Ranks the names", "Splits at commas")


@pytest.mark.parametrize(
    ("package", "application", "client"),
    [
        ("fastapi", "fastapi.FastAPI", "client = TestClient(create_app())"),
        ("starlette", "starlette.applications.Starlette", "client = TestClient(create_app())"),
        ("flask", "flask.Flask", "client = create_app().test_client()"),
    ],
)
def test_where_a_framework_is_allowed_a_web_api_is_in_scope(package, application, client):
    """The planner hears what to plan, and both it and the author how requests are sent."""
    scope, cases = web_scope({package, "numpy"}), web_cases("create_app", application)
    assert f"`create_app() -> {application}`" in scope
    assert client in scope
    assert client in cases


def test_else_nothing_is_said():
    """Neither to the planner where none is allowed, nor to the author of other functions' tests."""
    assert web_scope({"numpy", "pydantic"}) == ""
    assert web_cases("total", "int") == ""


def test_routes_that_are_documented_are_compared_where_there_is_a_document():
    """FastAPI makes one of its routes; Flask does not."""
    assert "make_app().openapi()" in web_cases("make_app", "fastapi.FastAPI")
    assert "openapi" not in web_cases("make_app", "flask.Flask")
