"""From a conversation to an answer: whose problem it is, which stage asks, and what the simulated model says.

A fresh answer of a developer is drawn from the problem's name, the seed and how many fresh answers for the problem
there were before; one to a repair from the problem's name, the seed and how many repairs; a second reading by itself,
so that it is as often wrong as a first answer, and not in the same way. So two endpoints with one seed give the same
first answers, whoever asks, and the answers to many samples differ. The developer never objects to a test.
"""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Sequence
from typing import Any

from simulated import faults, planner, tester
from simulated.bench import Bench
from simulated.draws import draw
from simulated.law import MENDS, STRAYS, Trouble, is_named, troubles_of, unreadable
from simulated.problems import Problem, by_text
from simulated.prompts import Asked, minimal, read
from simulated.reference import right_source

UNKNOWN = "I only know the problems of my data set, and this is none of them."
_UNDEFINED = re.compile(r"does not define '?(\w+)")


class SimulatedModel:
    """Answers chat completions about the problems it knows; safe to ask from several threads at once."""

    def __init__(self, problems: Sequence[Problem], bench: Bench, seed: int = 0) -> None:
        self._problems = tuple(problems)
        self._bench = bench
        self._seed = seed
        self._lock = threading.Lock()
        self._asked: Counter[tuple[str, str]] = Counter()

    def reply(self, body: dict[str, Any]) -> str:
        """The text that it answers to the body of a chat completion."""
        asked = read(body)
        problem = by_text(self._problems, asked.text)
        if problem is None:
            return UNKNOWN
        if asked.stage not in ("code", "reading"):
            return json.dumps(self._json(problem, asked))
        source = self._code(problem, asked) if asked.stage == "code" else self._reading(problem)
        return f"It does what the contract says.\n\n```python\n{source}```\n"

    def _json(self, problem: Problem, asked: Asked) -> Any:
        match asked.stage:
            case "plan":
                return planner.plan_reply(problem, asked.passages)
            case "cases" if returned := asked.sections.get("cases_that_can_not_be_observed"):
                return tester.again_reply(problem, returned, asked.passages)
            case "cases":
                return planner.cases_reply(problem, more="cases_that_exist" in asked.sections, passages=asked.passages)
            case "settle":
                return tester.settle_reply(right_source(problem), asked.sections.get("calls", ""), self._bench)
            case "trial":
                return tester.trial_reply(
                    right_source(problem), problem.prose, asked.sections.get("cases_in_doubt", ""), self._bench
                )
            case _:
                return minimal(asked.schema)

    def _code(self, problem: Problem, asked: Asked) -> str:
        if asked.code is None:
            return self._fresh(problem, self._count(problem, "fresh"))
        number = self._count(problem, "repair")
        troubles = self._troubles(problem, asked)
        if troubles is None:
            return right_source(problem)
        is_mended = is_named(troubles, asked.feedback) and self._draw("mends", problem, number) < MENDS
        if is_mended:
            return right_source(problem)
        if self._draw("strays", problem, number) < STRAYS:
            return self._fresh(problem, number, "strays")
        return asked.code or self._fresh(problem, 0)

    def _reading(self, problem: Problem) -> str:
        key = (self._seed, self._count(problem, "reading"), "reading")
        return faults.answer(problem, self._problems, self._bench, *key).source

    def _troubles(self, problem: Problem, asked: Asked) -> list[Trouble] | None:
        """What is wrong with the code at hand; None where nothing is."""
        if asked.code:
            shown = "\n".join(asked.sections.get(tag, "") for tag in ("users_examples", "some_of_the_tests"))
            return troubles_of(problem, asked.code, shown, self._bench) or None
        first = self._fresh(problem, 0)
        found = unreadable(first)
        missing = _UNDEFINED.search(asked.feedback)
        return found or ([Trouble(((missing[1],),))] if missing else [])

    def _fresh(self, problem: Problem, number: int, why: str = "fresh") -> str:
        key = (self._seed, number) if why == "fresh" else (self._seed, number, why)
        kind = "" if why == "fresh" else self._kind(*key)
        return faults.answer(problem, self._problems, self._bench, *key, fault=kind).source

    def _kind(self, *key: object) -> str:
        """Some fault: one that strays is wrong again, and in no kind more than in another."""
        names = list(faults.RATES)
        return names[int(draw("kind", *key) * len(names))]

    def _count(self, problem: Problem, what: str) -> int:
        with self._lock:
            number = self._asked[problem.name, what]
            self._asked[problem.name, what] += 1
        return number

    def _draw(self, what: str, problem: Problem, number: int) -> float:
        return draw(what, problem.name, self._seed, number)
