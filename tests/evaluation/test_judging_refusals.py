"""A contradiction is named where both of its places are quoted, each by what tells it from the other."""

from __future__ import annotations

import pytest

from tdgen.evaluation import Problem
from tdgen.evaluation.judging import RefusalJudge

ROW, SENTENCE = "| `spans([12, 4, 11])` | `'4, 11-12'` |", "`spans([12, 4, 11])` is `'4, 11, 12'`,\nas it was"
PROBLEM = Problem(id="p", instruction=f"{ROW}\n{SENTENCE}", function="spans", refusal=(ROW, SENTENCE))


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        (f'contradicts itself: "{ROW}" against "{SENTENCE}"', True),
        (f'"{ROW}" against "`spans([12, 4, 11])` is `\'4, 11, 12\'`, as it was"', True),
        ("\"`spans([12, 4, 11])` | `'4, 11-12'`\" against \"`spans([12, 4, 11])` is `'4, 11, 12'`\"", True),
        (f'"{ROW}" against "{ROW}"', False),
        ("`spans([12, 4, 11])` is unclear", False),
        ("", False),
    ],
    ids=["whole", "in one line", "without their ends", "one alone", "what both have", "nothing"],
)
def test_both_places_must_be_named(text, is_named):
    """Blanks and line ends aside; what stands in both places names neither."""
    assert RefusalJudge(PROBLEM).judge(text).right == is_named
