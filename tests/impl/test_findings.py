"""What reading alone finds: dangerous calls, names that nothing defines."""

from __future__ import annotations

import pytest

from tdgen.impl.developer import objected
from tdgen.impl.findings import lint_findings


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
