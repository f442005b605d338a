"""What the simulated model does wrong, and how often.

| fault | rate | what it is |
| --- | --- | --- |
| syntax | 3% | a colon or a bracket is missing in one line |
| import | 3% | a module is used and not imported |
| name | 3% | a variable misspelled where it is read, or the function under another name |
| off_by_one | 9% | one constant, boundary, comparison or sign beside the right one |
| algorithm | 7% | the body of another problem's function with as many parameters, or a plausible simpler one |
| exception | 5% | it raises on some inputs: an index too far, a method that isn't there, a bare conversion |
| loop | 2% | it never ends on some inputs |
| forged | 3% | it ends the process, or returns an object that is equal to everything |

That makes 35%: the single pass is right on about 65 of 100, as in the study that the figures are set beside. Which
fault a problem gets, and where, is drawn from the problem's name, the seed and the number of the answer. A fault
must be one: of the ways to put it in, taken in a drawn order, the first is used that changes what some recorded
call gives. Calls that the tester is not shown count too, so a fault may be one that no case finds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from simulated import mutants, scenes
from simulated.bench import Bench, passes
from simulated.draws import drawn, shuffled
from simulated.problems import Problem
from simulated.reference import right_source
from tdgen.types import Verdict

RATES = {
    "syntax": 0.03,
    "import": 0.03,
    "name": 0.03,
    "off_by_one": 0.09,
    "algorithm": 0.07,
    "exception": 0.05,
    "loop": 0.02,
    "forged": 0.03,
}
MOST_TRIED = 25
Way = Callable[[Problem, Sequence[Problem]], Iterator[str]]
Sign = Callable[[Sequence[Verdict]], bool]


class Answer(NamedTuple):
    """A developer's answer: its source, and which fault is in it, if any."""

    source: str
    fault: str = ""


def answer(problem: Problem, others: Sequence[Problem], bench: Bench, *key: object, fault: str = "") -> Answer:
    """The answer that `key` (a seed, and the answer's number) draws; `fault`, where given, is the one put in.

    A fault that can't be put in gives way to a wrong algorithm.
    """
    kind = fault or drawn(RATES, "fault", problem.name, *key)
    if not kind:
        return Answer(right_source(problem))
    for tried in dict.fromkeys((kind, "algorithm")):
        way, sign = _WAYS[tried]
        ways = shuffled(list(way(problem, others)), "way", problem.name, tried, *key)
        for source in ways[:MOST_TRIED]:
            if sign(bench.on_problem(problem, source, hurried=True)):
                return Answer(source, tried)
    return Answer(right_source(problem))


def _fails(verdicts: Sequence[Verdict]) -> bool:
    return not passes(verdicts)


def _gives_wrong_values(verdicts: Sequence[Verdict]) -> bool:
    return not passes(verdicts) and all(verdict.status == "returned" for verdict in verdicts)


def _raises(verdicts: Sequence[Verdict]) -> bool:
    return any(verdict.status == "raised" for verdict in verdicts)


def _hangs(verdicts: Sequence[Verdict]) -> bool:
    return any(verdict.status == "timeout" for verdict in verdicts)


_WAYS: dict[str, tuple[Way, Sign]] = {
    "syntax": (mutants.unreadable, _fails),
    "import": (mutants.unimported, _fails),
    "name": (mutants.misnamed, _fails),
    "off_by_one": (mutants.beside, _gives_wrong_values),
    "algorithm": (scenes.other_bodies, _gives_wrong_values),
    "exception": (mutants.raising, _raises),
    "loop": (scenes.endless, _hangs),
    "forged": (scenes.forged, _fails),
}
