"""The simulated tester's and judge's answers on single calls: what the reference gives is what the contract says.

A call on which the reference raises is one that the contract leaves open: no problem's text names an exception.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any

from simulated.bench import Bench
from simulated.planner import case_reply
from simulated.problems import Problem

_CALL = re.compile(r"^(?P<number>\d+)\. `(?P<call>.+)`$", re.MULTILINE)
_DOUBTFUL = re.compile(r"^- (?P<name>\w+): `(?P<call>.+?)` (?P<wanted>.+)$", re.MULTILINE)
_TRIED = re.compile(r"^- (?P<name>\w+): `(?P<call>.+)`\n(?P<outcomes>(?:  .*\n?)*)", re.MULTILINE)
_OUTCOME = re.compile(r"^  (?P<letter>[A-D]): returns `(?P<value>.+)`", re.MULTILINE)


def settle_reply(reference: str, calls: str, bench: Bench) -> dict[str, Any]:
    """What each of the numbered calls must give."""
    found = list(_CALL.finditer(calls))
    values = bench.values(reference, [match["call"] for match in found])
    return {"answers": [_settled(int(m["number"]), value) for m, value in zip(found, values, strict=True)]}


def again_reply(problem: Problem, returned: str, passages: Sequence[int] = ()) -> dict[str, Any]:
    """The cases that went back to their author, as they were: they are right, and the code is at fault."""
    there = {f"call_{number}": call for number, call in enumerate(problem.calls, 1)}
    names = [match["name"] for match in _DOUBTFUL.finditer(returned)]
    return {"cases": [case_reply(there[name], name, passages) for name in names if name in there]}


def trial_reply(reference: str, prose: str, cases: str, bench: Bench) -> dict[str, Any]:
    """A ruling on each case in doubt, with the first line of the problem's text for evidence."""
    found = list(_TRIED.finditer(cases))
    values = bench.values(reference, [match["call"] for match in found])
    quote = prose.partition("\n")[0]
    return {"rulings": [_ruling(m["name"], m["outcomes"], v, quote) for m, v in zip(found, values, strict=True)]}


def _settled(number: int, value: str | None) -> dict[str, Any]:
    expect = "open" if value is None else "value"
    said = {"name": f"settled_{number}", "why": "worked out from the contract", "match": ""}
    return {"number": number, "working": "", "expect": expect, "value": value or "", **said}


def _ruling(name: str, outcomes: str, value: str | None, quote: str) -> dict[str, Any]:
    letters = [m["letter"] for m in _OUTCOME.finditer(outcomes) if value and _means(m["value"]) == _means(value)]
    verdict = letters[0] if letters else "revised"
    if value is None or not quote:
        verdict, quote = "unsettled", ""
    told = {"case": name, "working": "worked out from the text", "quote": quote, "verdict": verdict}
    return {**told, "expect": "value", "value": value or "", "match": ""}


def _means(source: str) -> object:
    try:
        return ast.literal_eval(source)
    except (ValueError, SyntaxError):
        return source
