"""Changes asked for, tried, and asked for again."""

import pytest

from tdgen.errors import BudgetSpent
from tdgen.fixing.loop import Opinion, fix
from tdgen.models.scripted import ScriptedModel
from tdgen.settings import Settings
from tests.fixing.conftest import FAILING, FILE, LINES, OUTCOMES, PATH, Runs, passing, report
from tests.fixing.test_changing import ROUNDED, block

RIGHT = block(ROUNDED)
LONG = block("def rounded(cents: float) -> int:\n    whole = int(cents)\n    return whole + (cents - whole >= 0.5)\n")
CASE = block("def rounded(cents: float) -> int:\n    return 4 if cents == 120 else int(cents + 0.5)\n")


class Tools:
    """What a fix uses of a solve's tools."""

    def __init__(self, answers, trust="quick", **samples):
        texts = [
            {"purpose": "repair", "subject": "fix", "attempt": number, "sample": sample, "text": text}
            for number, answer in enumerate(answers, start=1)
            for sample, text in enumerate(answer if isinstance(answer, list) else [answer])
        ]
        self.model = ScriptedModel.from_dict({"format": 1, "model": "said", "answers": texts})
        self.settings = Settings(trust=trust)
        self.policy = self.settings.policy
        self.notes = []

    def emit(self, event):
        self.notes.append(event.text)


@pytest.fixture
def call(problem):
    """Fix the problem: what the runs give after its own, what the docs say."""

    def fixing(answers, *given, opinion=Opinion(confirmed=("rounded",)), trust="quick"):  # noqa: B008
        tools, run, judged = Tools(answers, trust), Runs(*given), []

        def judge(changed):
            judged.append(changed)
            return opinion

        fixed = fix(tools, problem, run, judge, seconds=9.0)
        return fixed, tools.model.asked, run.asked, judged

    return fixing


BEFORE = report()


def test_green_where_tests_gate_and_docs_agree(call):
    """The failing tests, all tests without and with the change, and then the docs."""
    fixed, asked, runs, judged = call([RIGHT], passing(), BEFORE, passing())
    assert (fixed.outcome, fixed.best.confirmed, len(asked), len(judged)) == ("green", ("rounded",), 1, 1)
    overlay = judged[0].overlay
    assert [(tests, edit) for tests, edit, _ in runs] == [(FAILING, overlay), ((FILE,), {}), ((FILE,), overlay)]


def test_undecided_where_the_docs_say_nothing(call):
    """Nobody is asked for another change: it could be no better."""
    fixed, asked, *_ = call([RIGHT], passing(), BEFORE, passing(), opinion=Opinion(unknown=("no docs",)))
    assert (fixed.outcome, fixed.best.reasons, len(asked)) == ("undecided", ("no docs",), 1)


def test_what_the_docs_refuse_is_red(call):
    """And goes back with what they say; whoever gives it again is not asked a third time."""
    fixed, asked, *_ = call([RIGHT] * 4, passing(), BEFORE, passing(), opinion=Opinion(against=("rounded(2.5) is 3",)))
    assert (fixed.outcome, len(asked)) == ("red", 2)
    assert "It was not taken:\n- rounded(2.5) is 3" in asked[1].messages[-1].content


def test_what_the_code_did_before_as_well_is_for_the_user(call):
    """Another fault in the same function is mended by nobody unasked: a change that its author stands by is kept."""
    other = Opinion(before=("half(3) is 2; the code before does not do it either",))
    fixed, asked, *_ = call([RIGHT] * 4, passing(), BEFORE, passing(), opinion=other)
    assert (fixed.outcome, fixed.best.reasons, len(asked)) == ("undecided", other.before, 2)


def test_what_still_fails_goes_back_with_how(call):
    """The next prompt has the change and the failure; docs and gate are not asked before."""
    one = report({FAILING[0]: "failed", FAILING[1]: "passed"})
    fixed, asked, _, judged = call([LONG, RIGHT], one, passing(), BEFORE, passing())
    assert [attempt.reasons for attempt in fixed.attempts] == [("1 of 2 tests still fail",), ()]
    assert (fixed.outcome, len(judged)) == ("green", 1)
    prompt = asked[1].messages[-1].content
    assert "-    return int(cents)\n+    whole = int(cents)" in prompt
    assert f"- {FAILING[0]}\nAssertionError: assert 3 == 4" in prompt


def test_what_breaks_another_test_is_red(call):
    """Each time, and never without the change."""
    broken = report({**dict.fromkeys(OUTCOMES, "passed"), f"{FILE}::test_count": "failed"})
    without, within = (report({f"{FILE}::test_count": outcome}) for outcome in ("passed", "failed"))
    rounds = [without, *[within, without] * 2]
    fixed, *_ = call([RIGHT, "no"] + ["no"] * 2, passing(), BEFORE, broken, broken, *rounds)
    assert fixed.outcome == "red"
    assert fixed.best.against == (f"{FILE}::test_count passed before, and does not with this change",)


def test_what_passes_once_is_not_fixed(call):
    """The gate runs the failing tests a second time."""
    again = report({**dict.fromkeys(OUTCOMES, "passed"), FAILING[1]: "failed"})
    fixed, *_ = call([RIGHT, "no", "no", "no"], passing(), BEFORE, again)
    assert fixed.best.against == (f"{FAILING[1]} passed with this change, and failed when it ran again",)


def test_a_special_case_is_asked_about_once_more(call):
    """It passes all; the next answer is better. Where it stays, a person decides."""
    given = [passing(), BEFORE, passing()]
    fixed, asked, _, judged = call([CASE, RIGHT], *given, *given)
    assert [attempt.outcome for attempt in fixed.attempts] == ["undecided", "green"]
    assert "rounded compares with 120 of the tests" in asked[1].messages[-1].content
    assert len(judged) == 1
    stays, *_ = call([CASE] * 4, *given, *given, *given, *given)
    assert stays.outcome == "undecided"


def test_the_smallest_of_those_that_pass_alike(call):
    """At strict two are asked at once."""
    given = [passing(), BEFORE, passing()]
    fixed, *_ = call([[LONG, RIGHT]], *given, *given, trust="strict")
    assert (fixed.outcome, fixed.best.changed.lines) == ("green", 2)


def test_an_answer_that_can_not_be_used_costs_an_attempt(call):
    """Its reason goes back."""
    fixed, asked, *_ = call(["I can't.", RIGHT], passing(), BEFORE, passing())
    assert fixed.outcome == "green"
    assert "the answer holds no fenced Python block" in asked[1].messages[-1].content


def test_an_objection_ends_it(call):
    """Nothing is tried."""
    fixed, _, runs, _ = call([f'OBJECTION {FAILING[0]}: "rounded half up" no.\n{RIGHT}'], passing())
    assert (fixed.outcome, fixed.best, runs) == ("objection", None, [])


def test_a_spent_budget_leaves_the_best(call, monkeypatch):
    """And says so."""
    ask = ScriptedModel.ask

    def spent(model, request):
        if request.attempt > 1:
            raise BudgetSpent("the budget of 1 call is spent")
        return ask(model, request)

    monkeypatch.setattr(ScriptedModel, "ask", spent)
    fixed, *_ = call([LONG], report({FAILING[0]: "failed", FAILING[1]: "passed"}))
    assert (fixed.outcome, fixed.stopped, fixed.best.changed.lines) == ("red", "the budget of 1 call is spent", 3)


def test_tests_that_ran_what_changes_go_first(call):
    """Then those that import its module."""
    _, _, runs, _ = call([RIGHT], passing(), BEFORE, passing())
    assert runs[1][0] == (FILE,)
    assert LINES[FAILING[0]].keys() == {PATH}
