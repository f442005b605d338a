"""Instructions that contradict themselves: right is whoever says so, and names both places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tdgen.evaluation.judged import Judged
from tdgen.evaluation.problems import Problem

LEAST_SHARE: Final = 1 / 3
"""How much of a place must be quoted at the least: a planner may quote a clause and leave the end of its row out."""


class RefusalJudge:
    """Judges what was said of an instruction that contradicts itself."""

    def __init__(self, problem: Problem) -> None:
        self._places = [_plain(place) for place in problem.refusal]

    def judge(self, text: str) -> Judged:
        """Right where a text (a refusal, a question, a model's answer) names both places."""
        text = _plain(text)
        if all(_is_named(place, self._places, text) for place in self._places):
            return Judged(tests=1, failed=0)
        return Judged(tests=1, failed=1, faults=("the two places that contradict each other are not both named",))


def _is_named(place: str, places: Sequence[str], text: str) -> bool:
    """Whether a passage of the place stands in the text, long enough, that is not in the other place as well."""
    least = max(1, round(len(place) * LEAST_SHARE))
    others = [other for other in places if other != place]
    for start in range(len(place) - least + 1):
        end = start + least
        # The longest passage from here on that the text holds: what is in it is not in the other place by any part.
        while end <= len(place) and place[start:end] in text:
            end += 1
        passage = place[start : end - 1]
        if len(passage) >= least and not any(passage in other for other in others):
            return True
    return False


def _plain(text: str) -> str:
    """The text in one line, single blanks between words."""
    return " ".join(text.split())
