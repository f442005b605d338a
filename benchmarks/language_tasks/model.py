"""A simulated model that writes plans, tests and code for the tasks in one language, and errs at stated rates.

| what is wrong | rate | what it is |
| --- | --- | --- |
| a first answer's code | 30%, by half each | the task's first or second fault, of those that its file names |
| a first answer's code | 5% | the last closing brace is missing |
| a suite | 20% of suites | one case expects what another case of the task does |
| a ruling on a case in doubt | 10%, for each vote by itself | another outcome than the right one is borne out |

It writes every second of a task's hidden cases down as a tester, at most `MOST_SEEN` of them, as many as language
models wrote in their first suites; no prompt or answer holds the others. Other calls that it is asked about give what
the reference gives, in the sandbox. It mends by the law of `simulated.law`: what is wrong, nine times of ten, where the
feedback names a failing input with what was expected and given, an exception's class, or that the code can't be read;
else it gives the same code back, one time of five another fault. Draws repeat themselves: they hang on the task, the
language, the seed and how often the question was put, so that who asks otherwise is answered alike.
"""

from __future__ import annotations

import ast
import json
import re
import threading
from collections import Counter
from collections.abc import Sequence
from typing import Any

from simulated.draws import draw
from simulated.law import MENDS, STRAYS, Trouble, is_named, troubles_in
from simulated.planner import case_reply
from simulated.problems import Called
from simulated.prompts import Asked, minimal, read

from language_tasks.tasks import LANGUAGES, Name, Task
from language_tasks.trying import TaskJudge
from tdgen.evaluation.judging import RAISES
from tdgen.models.costs import estimated_usage
from tdgen.protocols import Answer, Request

MOST_SEEN = 10
WRONG_CODE, UNFINISHED, WRONG_SUITE, WRONG_RULING = 0.3, 0.05, 0.2, 0.1
_CALL = re.compile(r"^(?P<number>\d+)\. `(?P<call>.+)`$", re.MULTILINE)
_TRIED = re.compile(r"^- (?P<name>\w+): `(?P<call>.+)`\n(?P<outcomes>(?:  .*\n?)*)", re.MULTILINE)
_OUTCOME = re.compile(r"^  (?P<letter>[A-D]): (?:returns `(?P<value>.+)`|raises `?(?P<error>\w+))", re.MULTILINE)
_UNREADABLE = Trouble((("SyntaxError", "CompileError", "error", "brace"),))


class SimulatedModel:
    """Answers requests about the tasks; safe to ask from several threads at once."""

    name = "simulated"

    def __init__(self, tasks: Sequence[Task], judge: TaskJudge, seed: int = 0) -> None:
        self._tasks = tuple(tasks)
        self._judge = judge
        self._language: Name = judge.language
        self._seed = seed
        self._lock = threading.Lock()
        self._asked: Counter[tuple[str, str]] = Counter()

    def ask(self, request: Request) -> Answer:
        """The answer, its tokens counted at four characters each."""
        form = {"name": request.schema_name, "schema": request.json_schema}
        wanted = {"type": "json_schema", "json_schema": form} if request.json_schema else None
        messages = [message.model_dump() for message in request.messages]
        asked = read({"messages": messages, "response_format": wanted})
        text = self._text(self._task(asked.text), asked)
        return Answer(text=text, usage=estimated_usage(request, text), model=self.name)

    def _task(self, text: str) -> Task:
        return next(task for task in self._tasks if f"{task.name}(" in text)

    def _text(self, task: Task, asked: Asked) -> str:
        match asked.stage:
            case "code":
                return self._fenced(self._code(task, asked))
            case "reading":
                return self._fenced(self._drawn(task, "reading", self._count(task, "reading")))
            case "plan":
                return json.dumps(_plan(task, asked.passages))
            case "cases":
                return json.dumps({"cases": self._cases(task, asked)})
            case "settle":
                calls = {int(m["number"]): m["call"] for m in _CALL.finditer(asked.sections.get("calls", ""))}
                found = zip(calls, self._judge.outcomes(task, list(calls.values())), strict=True)
                return json.dumps({"answers": [_settled(number, wanted) for number, wanted in found]})
            case "trial":
                cases = list(_TRIED.finditer(asked.sections.get("cases_in_doubt", "")))
                outcomes = self._judge.outcomes(task, [m["call"] for m in cases])
                rulings = [self._ruling(task, *pair) for pair in zip(cases, outcomes, strict=True)]
                return json.dumps({"rulings": rulings})
            case _:
                return json.dumps(minimal(asked.schema))

    def _fenced(self, source: str) -> str:
        return f"It does what the contract says.\n\n```{self._language}\n{source}```\n"

    def _code(self, task: Task, asked: Asked) -> str:
        if asked.code is None:
            return self._drawn(task, "fresh", self._count(task, "fresh"))
        number = self._count(task, "repair")
        troubles = self._troubles(task, asked.code)
        if not troubles or (is_named(troubles, asked.feedback) and self._draw("mends", task, number) < MENDS):
            return task.source(self._language)
        if self._draw("strays", task, number) < STRAYS:
            return task.source(self._language, 1 + int(2 * self._draw("which", task, number)))
        return asked.code

    def _drawn(self, task: Task, why: str, number: int) -> str:
        """A fresh answer: right, or with one of its faults."""
        point = self._draw(why, task, number)
        if point < WRONG_CODE:
            return task.source(self._language, 1 + int(2 * point / WRONG_CODE))
        right = task.source(self._language)
        return right if point >= WRONG_CODE + UNFINISHED else "".join(right.rpartition("}")[::2])

    def _troubles(self, task: Task, code: str) -> list[Trouble]:
        """What is wrong with code at hand on all of the task's cases."""
        back_end, plan = LANGUAGES[self._language](), task.plan
        if code.count("{") != code.count("}") or back_end.read(self._fenced(code), plan.functions[0], plan).findings:
            return [_UNREADABLE]
        cases, verdicts = self._judge.verdicts(task, code)
        by_name = {case.name: case for case in cases}
        return [trouble for v in verdicts if not v.passed for trouble in troubles_in(v, by_name[v.case], code)]

    def _cases(self, task: Task, asked: Asked) -> list[dict[str, Any]]:
        """The tester's share of the cases, or what was sent back of it; in some suites one expects what is wrong."""
        share = _seen(task, self._language)
        if returned := asked.sections.get("cases_that_can_not_be_observed"):
            share = [pair for n, pair in enumerate(share) if re.search(rf"\bcase_{n}\b", returned)]
        elif "cases_that_exist" in asked.sections:
            share = share[MOST_SEEN:]
        else:
            share = share[:MOST_SEEN]
            if share and self._draw("suite", task, 0) < WRONG_SUITE:
                place = int(len(share) * self._draw("case", task, 0))
                others = [wanted for _, wanted in share if wanted != share[place][1]]
                share[place] = (share[place][0], others[0]) if others else share[place]
        return [_case(task, call, wanted, n, asked.passages) for n, (call, wanted) in enumerate(share)]

    def _ruling(self, task: Task, found: re.Match[str], wanted: str | None) -> dict[str, Any]:
        told = {"case": found["name"], "working": "worked out from the text", "match": ""}
        if wanted is None:
            return {**told, "verdict": "unsettled", "quote": "", "expect": "value", "value": ""}
        right = wanted.removeprefix(RAISES)
        outcomes = list(_OUTCOME.finditer(found["outcomes"]))
        borne_out = [one["letter"] for one in outcomes if _same(one["value"] or one["error"], right)]
        others = [one for one in outcomes if one["letter"] not in borne_out]
        about = f"ruling {found['call']}"
        if others and self._draw(about, task, self._count(task, about)) < WRONG_RULING:
            right, borne_out = others[0]["value"] or others[0]["error"], [others[0]["letter"]]
        said = {"verdict": [*borne_out, "revised"][0], "quote": task.instruction.strip().partition("\n")[0]}
        expect = "raises" if right == "ValueError" else "value"
        return {**told, **said, "expect": expect, "value": right}

    def _count(self, task: Task, what: str) -> int:
        with self._lock:
            number = self._asked[task.name, what]
            self._asked[task.name, what] += 1
        return number

    def _draw(self, what: str, task: Task, number: int) -> float:
        return draw(what, task.name, self._language, self._seed, number)


def _plan(task: Task, passages: Sequence[int]) -> dict[str, Any]:
    spec = task.plan.functions[0]
    function = {
        "name": spec.name,
        "purpose": spec.purpose,
        "parameters": [{"name": one.name, "type": one.type, "default": ""} for one in spec.parameters],
        "returns": spec.returns.type,
        "raises": [{"type": one.type, "when": one.when} for one in spec.raises],
        "sentences": list(passages),
    }
    summary = spec.purpose.partition("\n")[0]
    return {"module": task.plan.module, "summary": summary, "functions": [function], "examples": [], "questions": []}


def _seen(task: Task, language: Name) -> list[tuple[str, str]]:
    return list(task.problem(language).cases[::2])


def _case(task: Task, call: str, wanted: str, number: int, passages: Sequence[int]) -> dict[str, Any]:
    made = case_reply(Called((), wanted.removeprefix(RAISES)), f"case_{number}", passages)
    expect = "raises" if wanted.startswith(RAISES) else "value"
    return {**made, "kind": "error" if expect == "raises" else "normal", "call": call, "expect": expect}


def _settled(number: int, wanted: str | None) -> dict[str, Any]:
    expect = "open" if wanted is None else "raises" if wanted.startswith(RAISES) else "value"
    said = {"name": f"settled_{number}", "why": "worked out from the contract", "match": "", "working": ""}
    return {"number": number, "expect": expect, "value": (wanted or "").removeprefix(RAISES), **said}


def _same(a: str, b: str) -> bool:
    """Whether two sources say the same, as Python reads them."""
    return _dumped(a) == _dumped(b)


def _dumped(source: str) -> str:
    try:
        return ast.dump(ast.parse(source.strip(), mode="eval"))
    except SyntaxError:
        return source
