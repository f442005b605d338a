"""What the developer is asked, and an objection in its answer."""

import pytest

from tdgen.fixing.asking import ask_for_change, earlier_told, failure_told, find_objection, told_apart
from tests.fixing.conftest import FAILING, FILE, LINES, failure, report


def test_the_request_has_all_that_is_known(problem):
    """The tests with their fixtures, how they fail, the suspects' code with their docs, what is near."""
    request = ask_for_change(problem, [earlier_told(1, "-a\n+b", ["1 of 2 tests still fail"])], 2)
    text = request.messages[-1].content
    assert request.key[:2] == ("repair", "fix")
    assert "def basket():\n    return prices.Basket(3, 5)" in text
    assert f"{FAILING[0]}\nAssertionError: assert 3 == 4\n  tests/test_prices.py:13 in test_gross: `assert" in text
    assert '# src/shop/prices.py\ndef rounded(cents: float) -> int:\n    """Half up, to a whole cent."""' in text
    assert "class Basket:\n    def total(self) -> int:" in text
    assert "RATE = 20" in text.partition("<project>")[2]
    assert (
        '<earlier_change number="1">\n-a\n+b\nIt was not taken:\n- 1 of 2 tests still fail\n</earlier_change>' in text
    )


def test_tests_that_fail_alike_are_shown_once(find):
    """Those that fail in another way first; all are counted."""
    names = [f"{FILE}::test_gross[{n}]" for n in range(9)]
    others = {names[-1]: failure("no", "KeyError", ("rounded", 8))}
    outcomes = dict.fromkeys(names, "failed")
    problem, _ = find(report(outcomes, ran={names[0]: LINES[FAILING[0]]}, **others), report(outcomes))
    assert told_apart(problem) == [names[0], names[-1], *names[1:4]]
    assert "(4 more tests fail.)" in ask_for_change(problem, (), 1).messages[-1].content


def test_a_line_that_a_recursion_goes_by_often_is_told_once(problem):
    """Forty-eight frames of one line say no more than one."""
    told = failure_told(problem, failure("no", "RecursionError", *[("rounded", 8)] * 48))
    assert told.splitlines()[2:] == ["  src/shop/prices.py:8 in rounded: `return int(cents)` (48 times)"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (f'OBJECTION {FAILING[0]}: "rounded half up" It says so.', (FAILING[0], "rounded half up", "It says so")),
        (f"- **OBJECTION** `{FAILING[1]}`: “Rounded half up.” no", (FAILING[1], "Rounded half up.", "no")),
        (f'OBJECTION {FAILING[0]}: "always cut off" It says so.', None),
        ('OBJECTION test_none: "rounded half up" It says so.', None),
        ("There is no objection.", None),
    ],
)
def test_an_objection_quotes_the_docs(problem, line, found):
    """Of a test that fails; else it is none."""
    assert find_objection(line, problem) == found
