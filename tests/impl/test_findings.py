"""What reading alone finds: dangerous calls, names that nothing defines."""

from __future__ import annotations

import pytest

from tdgen.impl.findings import ACCIDENT, accidents, lint_findings, objected
from tdgen.types import Case, ExpectedException, Frame, Raised, Value, Verdict


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("import os\n    os.system(x)", "starting a shell is not allowed"),
        ("return undefined_thing(x)", "undefined_thing"),
    ],
)
def test_dangerous_calls_and_undefined_names_stand_against_the_code(body, told):
    """A comment that would silence the finding does not."""
    findings = lint_findings(f"def f(x):\n    {body}  # noqa\n", 1, 10)
    assert any(told in text for text in findings.blocking)


@pytest.mark.parametrize("name", ["eval", "exec"])
def test_running_text_is_objected_to(name):
    """It stands against the code, but not whatever its author says; of what a finding objects to, it tells the name."""
    findings = lint_findings(f"def f(x):\n    return {name}(x)  # noqa\n", 1, 10)
    assert findings.blocking == ()
    (told,) = findings.objections
    assert told.startswith(f"line 2: {name} is not allowed")
    assert objected(told) == name


def test_no_other_finding_is_an_objection():
    """Whatever it says."""
    assert objected("line 2: starting a shell is not allowed") == ""
    assert objected("the answer has no code") == ""


def test_a_program_may_be_started_where_the_user_allows_it():
    """By its name, as people write it; a shell stays a finding."""
    named = 'import subprocess\ndef f():\n    return subprocess.run(["git", "status"])\n'
    shell = "import subprocess\ndef f(x):\n    return subprocess.run(x, shell=True)\n"
    assert lint_findings(named, 1, 3).blocking == ("line 3: starting a process is not allowed",)
    assert lint_findings(named, 1, 3, allowed=("subprocess",)).blocking == ()
    assert lint_findings(shell, 1, 3, allowed=("subprocess",)).blocking == ("line 3: starting a shell is not allowed",)


def test_a_mutable_default_is_advice_not_a_verdict():
    """The cases decide about it."""
    findings = lint_findings("def f(x=[]):\n    return x\n", 1, 2)
    assert findings.blocking == ()
    assert any("mutable" in text for text in findings.advice)


def test_only_the_functions_own_lines_count_and_are_numbered_from_its_first():
    """What surrounds it was read before."""
    module = "def other(x):\n    return eval(x)\n\n\ndef f(x):\n    return eval(x)\n"
    assert lint_findings(module, 5, 6).objections == ("line 2: eval is not allowed: parse the text instead",)


def test_of_a_class_that_is_the_users_only_what_was_written_counts():
    """Its other methods are as they were."""
    body = "(self, x):\n        os.system(x)\n"
    module = f"import os\n\n\nclass A:\n    def f{body}\n    def g{body}"
    assert len(lint_findings(module, 4, 9).blocking) == 2
    found = lint_findings(module, 4, 9, within=[range(5, 7)])
    assert found.blocking == ("line 6: starting a shell is not allowed",)


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
    "a generator at its end": ("builtins.StopIteration", "", "return next(matches)"),
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
    case, verdict = passing("builtins.StopIteration", "", "results.append(work(item))")
    setup = "def work(item):\n    raise StopIteration"
    assert accidents([case.model_copy(update={"setup": setup})], [verdict]) == ()
    assert accidents([case.model_copy(update={"setup": "items = ["})], [verdict]) != ()
