"""An objection counts where it names a test that was shown and quotes words that stand there.

What the developer is asked on each rung, and what is made of the answer.
"""

from __future__ import annotations

import pytest

from tdgen.impl import another, implement, repair, trace_repair
from tdgen.impl.developer import ACCIDENT, accidents, find_objections, with_code_there, written_lines
from tdgen.models.scripted import Script, ScriptedAnswer, ScriptedModel
from tdgen.specs.placed import in_place
from tdgen.types import (
    OF_ASSUMPTION,
    OF_CONTRACT,
    OF_DEPENDENCY,
    Attempt,
    Case,
    ExpectedException,
    Frame,
    FunctionSpec,
    Objection,
    Plan,
    Raised,
    Returns,
    Step,
    Target,
    Value,
    Verdict,
)
from tests.stand_ins import TARGET

WORDS = "Overlapping entries keep the earlier one."
QUOTED = {
    "as it is asked for": 'OBJECTION overlap: "Overlapping entries keep the earlier one."',
    "with back-ticks": "OBJECTION `overlap`: “overlapping entries keep\u00a0the earlier one”",
    "as an item of a list": '- OBJECTION overlap: "keep the earlier one"',
    "in bold": '**OBJECTION overlap:** "keep the earlier one"',
}
NONE = {
    "other words than the user's": 'OBJECTION overlap: "the later one wins"',
    "a test that was not shown": f'OBJECTION hidden: "{WORDS}"',
    "no words": "OBJECTION overlap: ",
    "a comment in the code": f'```python\n# OBJECTION overlap: "{WORDS}"\n```',
    "prose": "I have no objection to overlap.",
}


@pytest.fixture
def context(brief):
    return brief("f(x: int) -> int", instruction=f"Merge them. {WORDS}")


@pytest.mark.parametrize("line", QUOTED.values(), ids=QUOTED)
def test_it_is_found_however_it_is_marked_up(context, line):
    """The words are compared less what a copyist changes."""
    (found,) = find_objections(f"The test is wrong.\n{line}\n```python\nx = 1\n```\n", context, {"overlap"})
    assert found.case == "overlap"


def test_one_to_the_contract_quotes_the_user(brief):
    """What only the contract says is no word against it."""
    context = brief("f(x: int) -> int", instruction=f"Merge them. {WORDS}")
    (found,) = find_objections(f'OBJECTION contract: "{WORDS}" it keeps the later one', context, {"overlap"})
    assert (found.case, found.reason) == (OF_CONTRACT, "it keeps the later one")
    assert find_objections('OBJECTION contract: "def f(x: int) -> int"', context, {"overlap"}) == ()


@pytest.mark.parametrize(
    ("named", "of"),
    [
        ("assumption", OF_ASSUMPTION),
        ("Assumptions", ""),
        ("assumptions", OF_ASSUMPTION),
        ("g", f"{OF_DEPENDENCY}g"),
        ("contract of `g`", f"{OF_DEPENDENCY}g"),
        ("h", ""),
    ],
)
def test_one_to_what_else_was_planned_names_it(brief, named, of):
    """An assumption, or a function that is called; a test of the same name comes first."""
    context = brief("f(x: int) -> int", "g", instruction=f"Merge them. {WORDS}")
    calling = context.spec.model_copy(update={"dependencies": ("g",)})
    context = context.model_copy(update={"spec": calling})
    line = f'OBJECTION {named}: "{WORDS}" it keeps the later one'
    assert [one.case for one in find_objections(line, context, {"overlap"})] == [of] * bool(of)
    assert [one.case for one in find_objections(line, context, {"g"})] == ["g" if of.endswith("g") else of] * bool(of)


@pytest.mark.parametrize("text", NONE.values(), ids=NONE)
def test_nothing_else_is_one(context, text):
    """Words that nobody said prove nothing."""
    assert find_objections(text, context, {"overlap"}) == ()


@pytest.mark.parametrize(
    ("said", "quote", "reason"),
    [
        ('"keep the earlier one" - the test expects the later', "keep the earlier one", "the test expects the later"),
        ('"`f(3)` is the "third" of them"', '`f(3)` is the "third" of them', ""),
        ('"`f(3)` is the "third" of them": it counts', '`f(3)` is the "third" of them', "it counts"),
        ("`f(3)` is the “third” of them", "`f(3)` is the “third” of them", ""),
    ],
    ids=["a reason after it", "quotation marks within", "both", "no quotation marks around it"],
)
def test_quote_and_reason_are_kept_whole(brief, said, quote, reason):
    """The arbiter is told both."""
    context = brief("f(x: int) -> int", instruction='Merge them. `f(3)` is the "third" of them. Keep the earlier one.')
    (found,) = find_objections(f"OBJECTION overlap: {said}", context, {"overlap"})
    assert (found.quote, found.reason) == (quote, reason)


def test_a_test_is_objected_to_once(context):
    """The first words count."""
    text = 'OBJECTION overlap: "Merge them"\nOBJECTION overlap: "keep the earlier one"'
    assert find_objections(text, context, {"overlap"}) == (Objection(case="overlap", quote="Merge them"),)


CODE = "```python\ndef f(x: int) -> int:\n    return x\n```"


def model(purpose: str, attempt: int = 1, sample: int = 0, text: str = CODE, **more: str) -> ScriptedModel:
    answer = ScriptedAnswer(purpose=purpose, subject="f", attempt=attempt, sample=sample, text=text, **more)
    return ScriptedModel(Script(answers=(answer,)))


def asked(scripted: ScriptedModel) -> str:
    (request,) = scripted.asked
    return "\n".join(message.content for message in request.messages)


@pytest.fixture
def wrong(tell):
    """An attempt that fails the first of two shown cases, and the suite."""
    suite = tell.suite(
        tell.case("one", "1"), tell.case("two", "2", "2"), tell.case("secret", "4242"), held_out=("secret",)
    )
    verdicts = (tell.verdict("one", "777"), tell.verdict("two"), tell.verdict("secret", "888"))
    code = "def f(x):\n    return sorted(x)  # my way\n"
    return Attempt(function="f", number=1, source=code, verdicts=verdicts), suite


def test_a_first_attempt_is_asked_for_and_read(brief, tell):
    """It stands on no other."""
    scripted = model("implement")
    attempt = implement(scripted, brief(), tell.suite(tell.case("one", "1")))
    assert (attempt.rung, attempt.line, attempt.number) == ("first", 0, 1)
    assert attempt.source == "def f(x: int) -> int:\n    return x\n"


def test_lines_of_thought_are_samples_of_the_same_request(brief, tell):
    """What they are told is the same to the letter."""
    suite = tell.suite(tell.case("one", "1"))
    first, second = model("implement"), model("implement", sample=2)
    implement(first, brief(), suite)
    attempt = implement(second, brief(), suite, line=2)
    assert (attempt.rung, attempt.line, attempt.number) == ("first", 2, 1)
    assert asked(first) == asked(second)


def test_a_repair_goes_on_in_the_line_of_the_best(brief, wrong):
    """It sees that attempt's code and what was observed of it."""
    best, suite = wrong
    best = best.model_copy(update={"line": 3})
    scripted = model("repair", attempt=2)
    attempt = repair(scripted, brief(), suite, best, [best])
    assert (attempt.rung, attempt.line, attempt.number) == ("repair", 3, 2)
    assert "# my way" in asked(scripted)
    assert "777, expected 1" in asked(scripted)


def test_a_repair_of_methods_sees_of_their_class_what_was_written(brief, tell):
    """What stands in the user's file is shown as it stands there, and not once more as the attempt's code."""
    doc = '"""One.\n\n        Or more.\n        """'
    answer = f"import math\n\n\nclass Cart:\n    def add(self, item):\n        {doc}\n        return self._one()\n"
    written = in_place(answer, "Cart", TARGET)
    assert "def count" in written
    context = brief("f(x: int) -> int")
    context = context.model_copy(
        update={
            "spec": context.spec.model_copy(update={"name": "Cart"}),
            "plan": context.plan.model_copy(update={"target": TARGET}),
        }
    )
    scripted = ScriptedModel(Script(answers=(ScriptedAnswer(purpose="repair", subject="Cart", attempt=2, text=CODE),)))
    best = Attempt(function="Cart", number=1, source=written)
    repair(scripted, context, tell.suite(), best, [best])
    shown = asked(scripted).partition("<your_code>\n")[2].partition("</your_code>")[0]
    assert "return self._one()" in shown
    assert "import math" in shown
    assert "Or more" not in shown
    assert "def count" not in shown


def test_a_trace_repair_sees_the_failing_call_line_by_line(brief, wrong):
    """Beside what a repair sees."""
    best, suite = wrong
    scripted = model("repair", attempt=3)
    steps = [Step(function="f", line=1, changed={"x": "1"}), Step(function="f", line=2, changed={"return": "777"})]
    attempt = trace_repair(scripted, brief(), suite, best, [best, best], steps)
    assert (attempt.rung, attempt.line, attempt.number) == ("trace", 0, 3)
    assert "1 | def f(x): | x=1\n2 |     return sorted(x)  # my way | returns 777" in asked(scripted)


def test_another_way_knows_how_others_failed_and_not_their_code(brief, wrong):
    """Their means, and what they gave for the cases that are shown."""
    best, suite = wrong
    scripted = model("implement", attempt=2, sample=1)
    attempt = another(scripted, brief(), suite, [best], line=1)
    assert (attempt.rung, attempt.line, attempt.number) == ("fresh", 1, 2)
    prompt = asked(scripted)
    assert "- calling sorted: passes 1 of the 2 shown cases; `f(1)` gave 777, expected 1" in prompt
    assert "# my way" not in prompt


@pytest.mark.parametrize("rung", ["repair", "trace", "fresh"])
def test_no_rung_shows_what_is_held_out(brief, wrong, rung):
    """Neither the case nor what it gave."""
    best, suite = wrong
    scripted = model("implement" if rung == "fresh" else "repair", attempt=2, sample=int(rung == "fresh"))
    match rung:
        case "repair":
            repair(scripted, brief(), suite, best, [best])
        case "trace":
            trace_repair(scripted, brief(), suite, best, [best], [])
        case "fresh":
            another(scripted, brief(), suite, [best], line=1)
    assert "4242" not in asked(scripted)
    assert "888" not in asked(scripted)


def test_what_is_plain_is_mended_and_told(brief, tell):
    """No second call for an import, or for prose around the code."""
    text = "Here you are:\n\ndef f(x: int) -> int:\n    return math.floor(x)\n\nIt rounds."
    attempt = implement(model("implement", text=text), brief(), tell.suite())
    assert attempt.source == "import math\n\n\ndef f(x: int) -> int:\n    return math.floor(x)\n"
    assert attempt.findings == ()
    assert len(attempt.mended) == 2


@pytest.mark.parametrize(
    ("text", "finish_reason", "finding"),
    [
        ("I would rather not.", "stop", "the answer holds no fenced Python block"),
        ("```python\ndef f(x):\n    return (x\n```", "length", "the answer was cut off"),
        ("```python\nimport subprocess\ndef f(x):\n    return x\n```", "stop", "importing subprocess is not allowed"),
        ("```python\nasync def f(x)\n    return x\n```", "stop", "the code does not parse"),
    ],
)
def test_what_is_not_plain_stands_in_the_findings(brief, tell, text, finish_reason, finding):
    """A model's answer never is an exception; one that was cut off is not completed by guessing."""
    attempt = implement(model("implement", text=text, finish_reason=finish_reason), brief(), tell.suite())
    assert any(finding in told for told in attempt.findings)
    assert attempt.mended == ()


def test_who_writes_code_sees_what_stands_there():
    """The unit alone, and what the target has of code beside it; nothing of a new module."""
    spec = FunctionSpec(name="total", purpose="-", returns=Returns(type="int"))
    plan = Plan(module="shop.pricing", functions=(spec,), target=TARGET.model_copy(update={"code": "def _near(): ..."}))
    told = with_code_there("Words.", plan, ["total"])
    assert told.startswith("Words.\n<stands_there>\n@cached\ndef total(items, rate=0):  # called by the till\n")
    assert "class Cart" not in told
    assert "<code_beside_it>\ndef _near(): ...\n" in told
    assert with_code_there("Words.", plan.model_copy(update={"target": None}), ["total"]) == "Words."


def test_a_class_stands_once():
    """As it stands there: the project tells no more of it, and the contract, which comes behind, stays."""
    source = 'class A:\n    def f(self):\n        """One."""\n\n    def g(self):\n        """A\n        b"""\n'
    target = Target(module="a", path="a.py", source=source, units={"A": ("f",)})
    plan = Plan(module="a", functions=(), target=target)
    entry = 'class A:\n    ...\n    def g(self):\n        """A\n\n        b\n        """\n\n'
    rest = "def h(): ...\n</project>\n\n<contract>\nclass A:\n    def f(self): ...\n"
    told = with_code_there(f"<project>\n{entry}{rest}", plan, ["A"])
    assert told.startswith(f"<project>\nclass A: ...  # as it stands below\n\n{rest}\n<stands_there>\n")
    assert source in told


def test_of_a_class_only_what_was_written_is_tried_by_mutants():
    """What the user had is not what the suite is for; a new private helper is."""
    answer = (
        "class Cart:\n    def add(self, item):\n        self._put(item)\n\n    def _put(self, item):\n        pass\n"
    )
    placed = in_place(answer, "Cart", TARGET)
    plan = Plan(module="shop.pricing", functions=(), target=TARGET)
    lines = placed.splitlines()
    told = ["\n".join(lines[part.start - 1 : part.stop - 1]) for part in written_lines(placed, plan, "Cart")]
    assert [text.splitlines()[-1].strip() for text in told] == ["self._put(item)", "pass"]
    assert written_lines(placed, plan, "total") == ()


REJECTED = {
    "a raise of the code": ("builtins.ValueError", "no such reviewer", "raise ValueError('no such reviewer')"),
    "a number that can't be read": (
        "builtins.ValueError",
        "invalid literal for int() with base 10: 'x'",
        "n = int(text)",
    ),
    "a key that is not there": ("builtins.KeyError", "'x'", "return stock[name]"),
    "an index out of range": ("builtins.IndexError", "list index out of range", "return rows[at]"),
    "a date that does not exist": ("builtins.ValueError", "day is out of range for month", "date(year, month, day)"),
    "an iterator at its end": ("builtins.StopIteration", "", "return next(matches)"),
    "a class of the module's own": ("kit.StockError", "x not in list", "check(name)"),
}
ACCIDENTS = {
    "a list that lacks an item": (
        "builtins.ValueError",
        "list.remove(x): x not in list",
        "open_authors.remove(author)",
    ),
    "a row of another length": ("builtins.ValueError", "not enough values to unpack (expected 2, got 1)", "a, b = row"),
    "an attribute of None": ("builtins.AttributeError", "'NoneType' object has no attribute 'group'", "m.group(1)"),
    "a variable never set": ("builtins.UnboundLocalError", "cannot access local variable 'best'", "return best"),
}


def passing(kind: str, message: str, line: str) -> tuple[Case, Verdict]:
    raised = Raised(
        types=(kind, "builtins.Exception"), message=message, frames=(Frame(function="f", line=3, text=line),)
    )
    expectation = ExpectedException(type=kind.rpartition(".")[2])
    case = Case(name="rejected", function="f", arguments=("1",), expectation=expectation)
    return case, Verdict(function="f", case="rejected", passed=True, status="raised", raised=raised)


@pytest.mark.parametrize("how", REJECTED.values(), ids=REJECTED)
def test_what_rejects_an_input_is_no_accident(how):
    """The code's own check, and what Python says of an input."""
    case, verdict = passing(*how)
    assert accidents([case], [verdict]) == ()


@pytest.mark.parametrize("how", ACCIDENTS.values(), ids=ACCIDENTS)
def test_what_speaks_of_the_codes_own_data_is_one(how):
    """It names the line and what Python said, so that the author can tell whether it is meant."""
    case, verdict = passing(*how)
    (told,) = accidents([case], [verdict])
    assert ACCIDENT in told
    assert how[2] in told
    assert "f(1)" in told


def test_what_fails_or_expects_a_value_is_not_asked_about():
    """A failing case says enough by itself."""
    case, verdict = passing(*ACCIDENTS["a list that lacks an item"])
    assert accidents([case], [verdict.model_copy(update={"passed": False})]) == ()
    assert accidents([case.model_copy(update={"expectation": Value(source="1")})], [verdict]) == ()


def test_what_the_case_itself_raises_is_none():
    """A function that it passes in; the code lets its exception through."""
    case, verdict = passing("builtins.AttributeError", "", "results.append(work(item))")
    setup = "def work(item):\n    raise AttributeError"
    assert accidents([case.model_copy(update={"setup": setup})], [verdict]) == ()
    assert accidents([case.model_copy(update={"setup": "items = ["})], [verdict]) != ()
