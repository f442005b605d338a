"""What was spent, in words: money only where a price is known."""

import pytest

from tdgen.cli.spending import dollars, spent_lines, told
from tdgen.types import Spent, Usage

pytestmark = pytest.mark.usefixtures("warm")


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (0, "$0"),
        (0.00001, "under $0.0001"),
        (0.0001, "$0.0001"),
        (0.01234, "$0.0123"),
        (0.5, "$0.5000"),
        (1.005, "$1.00"),
        (1234.5, "$1,234.50"),
    ],
)
def test_an_amount(amount, text):
    """As exact as it matters."""
    assert dollars(amount) == text


@pytest.mark.parametrize(
    ("usage", "text"),
    [
        (Usage(), "0 calls, 0 tokens"),
        (Usage(calls=1, prompt_tokens=1200, completion_tokens=4), "1 call, 1,204 tokens"),
        (Usage(calls=1, prompt_tokens=1, cost=0.25), "1 call, 1 token, $0.2500"),
        (Usage(calls=1, prompt_tokens=1, cost=0.0), "1 call, 1 token, $0"),
        (
            Usage(calls=2, prompt_tokens=9, cost=2.0, unpriced=5),
            "2 calls, 9 tokens, $2.00 and 5 tokens of unknown price",
        ),
    ],
)
def test_what_was_used(usage, text):
    """What has no price is told in tokens."""
    assert told(usage) == text


def test_what_was_spent_where():
    """A line for each purpose and function."""
    one = Usage(calls=1, prompt_tokens=10, seconds=1.25)
    lines = spent_lines([Spent(purpose="plan", usage=one), Spent(purpose="implement", function="f", usage=one)])
    assert [line.text for line in lines] == [
        "spent on plan: 1 call, 10 tokens, 1.2 s",
        "spent on implement f: 1 call, 10 tokens, 1.2 s",
    ]
