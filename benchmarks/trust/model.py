"""Who answers in the trust benchmark: published suites as test author, known code as developer, a trial that errs.

What the trial says is known before the run: it knows each assert's label. Where it does not err, it upholds a right
assert and revises a wrong one to what the reference gives. Where it errs (at the stated rate, drawn for each case
and vote by itself), it upholds a wrong assert; of a right one it says in one half of the errors that it is unsettled,
and in the other it revises it to the expectation of another assert. Calls without an expectation are settled by the
reference as oracle; those that the data's own contract forbids are left open. The developer gives the same code each
time it is asked, and objects to no test. Cases that come back to the test author as not observable are given again
unchanged.

A second reading is the reference; at the rate `READS_WRONG`, drawn for each reading by itself, it is one of the task's
faulty bodies, among them those that the developer answers with: so both may be wrong in the same way. The rate is the
one at which the simulated model of the repair benchmark is wrong at first (`simulated/faults.py`).
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from simulated.draws import draw
from simulated.faults import RATES

from tdgen.errors import ModelError
from tdgen.judge.compare import differences
from tdgen.protocols import Answer, Request, Sandbox
from tdgen.types import Call, Case, Job, Observation, Probe, Usage, Value
from tdgen.values.decode import decode
from tdgen.values.equality import relation_of_call
from tdgen.values.readers import Unreadable
from trust.suites import Task, allowed, as_call

READS_WRONG = sum(RATES.values())


class KnownModel:
    """Answers for one task and one implementation; `asked` counts what it was asked for, by purpose.

    `misreadings` are the bodies that a wrong second reading may have; where it is None, nobody reads a second time.
    """

    def __init__(
        self,
        task: Task,
        source: str,
        reference: Sandbox,
        *,
        errs: float,
        suite: Sequence[Case],
        misreadings: Sequence[str] | None = None,
        seed: int = 0,
    ) -> None:
        self._task, self._source, self._reference = task, source, reference
        self._errs, self._suite, self._seed = errs, suite, seed
        self._misreadings = misreadings
        self._holds = {labelled.case.call_key: labelled.holds for labelled in task.suite}
        self._lock = threading.Lock()
        self.asked: Counter[str] = Counter()

    def ask(self, request: Request) -> Answer:
        """The answer, by what is asked for."""
        with self._lock:
            self.asked[request.purpose] += 1
        match request.purpose:
            case "cases" if returned := _listed_in(request, "cases_that_can_not_be_observed"):
                told: Any = {"cases": [_told(case) for case in self._suite if case.name in returned]}
            case "cases":
                told = {"cases": [_told(case) for case in self._suite] if request.attempt < 3 else []}
            case "implement" | "repair":
                return Answer(text=f"```python\n{self._source}\n```", usage=Usage(calls=1))
            case "reading" if self._misreadings is not None:
                return Answer(text=f"```python\n{self._reading(request.sample)}\n```", usage=Usage(calls=1))
            case "trial":
                names = _listed_in(request, "cases_in_doubt")
                told = {"rulings": [self._ruling(name, request.sample) for name in names]}
            case "settle":
                told = {"answers": self._settled(_listed(request))}
            case _:
                raise ModelError(f"the known model answers no {request.purpose}")
        return Answer(text=json.dumps(told), usage=Usage(calls=1))

    def _reading(self, sample: int) -> str:
        """A second reading's module."""
        key = (self._seed, self._task.problem.name, sample)
        if not self._misreadings or draw("reads", *key) >= READS_WRONG:
            return self._task.reference
        return self._misreadings[int(draw("misreads", *key) * len(self._misreadings))]

    def _ruling(self, name: str, sample: int) -> Mapping[str, str]:
        """What the trial says of one case in one vote."""
        case = next((case for case in self._suite if case.name == name), None)
        quote = self._task.problem.spec.purpose.split("\n")[0][:60]
        if case is None:  # settled by the reference: it is right
            return {"case": name, "verdict": "upheld", "quote": quote}
        holds = self._holds[case.call_key]
        key = (self._seed, self._task.problem.name, name, sample)
        if draw("errs", *key) < self._errs:
            return self._mistaken(case, holds, quote, key)
        if holds:
            return {"case": name, "verdict": "upheld", "quote": quote}
        right = self._right(case.done)
        if right["expect"] == "open":
            return {"case": name, "verdict": "unsettled"}
        return {"case": name, "verdict": "revised", "quote": quote} | right

    def _mistaken(self, case: Case, holds: bool, quote: str, key: tuple[object, ...]) -> Mapping[str, str]:  # noqa: FBT001
        others = [c.expectation.source for c in self._suite if isinstance(c.expectation, Value) and c != case]
        wrong = [source for source in others if source != getattr(case.expectation, "source", "")]
        if not holds:
            return {"case": case.name, "verdict": "upheld", "quote": quote}
        if not wrong or draw("how", *key) < 0.5:
            return {"case": case.name, "verdict": "unsettled"}
        return {"case": case.name, "verdict": "revised", "quote": quote, "expect": "value", "value": wrong[0]}

    def _right(self, call: Call) -> Mapping[str, str]:
        """What the reference makes of a call, as the value or the exception that is expected."""
        (seen,) = observed(self._reference, self._task.reference, [call])
        return _expected(seen)

    def _settled(self, calls: Sequence[Call]) -> list[Mapping[str, Any]]:
        may_be = allowed(self._task, calls, self._reference)
        seen = observed(self._reference, self._task.reference, calls)
        rows = zip(range(1, len(calls) + 1), may_be, seen, strict=True)
        return [{"number": n} | (_expected(one) if may else {"expect": "open", "value": ""}) for n, may, one in rows]


def observed(sandbox: Sandbox, source: str, calls: Sequence[Call]) -> Sequence[Observation]:
    """What a source does on calls; the first probe of each also tells the value's source."""
    probes = tuple(
        Probe(name=str(n), function=call.function, setup=call.setup, arguments=call.arguments, call=call.call)
        for n, call in enumerate(calls)
    )
    return sandbox.run(Job(module="reference", source=source, probes=probes)).observations if probes else ()


def same_behaviour(task: Task, one: Sequence[Observation], other: Sequence[Observation]) -> bool:
    """Whether two sources did the same on all hidden inputs, as the judge compares values."""
    return all(_same(task, call, a, b) for call, a, b in zip(task.hidden, one, other, strict=True))


def _same(task: Task, call: Call, one: Observation, other: Observation) -> bool:
    if one.status != "returned" or other.status != "returned":
        return one.status == other.status
    try:
        return not differences(one.value, other.value, relation_of_call(call, task.problem.spec))
    except Unreadable:
        return False


def _expected(seen: Observation) -> dict[str, str]:
    if seen.status == "returned":
        return {"expect": "value", "value": repr(decode(seen.value))}
    if seen.status == "raised" and seen.raised is not None:
        return {"expect": "raises", "value": seen.raised.type.removeprefix("builtins.")}
    return {"expect": "open", "value": ""}


def _told(case: Case) -> Mapping[str, Any]:
    source = case.expectation.source if isinstance(case.expectation, Value) else ""
    return {
        "name": case.name,
        "arguments": list(case.arguments),
        "call": case.call,
        "expect": "value",
        "value": source,
        "why": "the published suite says so",
    }


def _listed_in(request: Request, tag: str) -> list[str]:
    """The names of the cases that a section of the prompt lists; none where it has no such section."""
    text = request.messages[1].content.rpartition(f"<{tag}>")[2].partition(f"</{tag}>")
    return [line[2:].partition(":")[0] for line in text[0].splitlines() if line.startswith("- ") and text[1]]


def _listed(request: Request) -> list[Call]:
    """The calls that a settling prompt lists; what is set up before one of them is not read."""
    text = request.messages[1].content.rpartition("<calls>")[2].partition("</calls>")[0]
    found = []
    for line in text.splitlines():
        number, dot, call = line.partition(". `")
        if dot and number.isdecimal():
            found.append(as_call(request.subject, call.rstrip("`")))
    return found
