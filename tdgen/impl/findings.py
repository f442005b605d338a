"""What reading and running find in code beside its verdicts: real bugs, dangerous calls, exceptions by accident.

Such an exception is of the class that a case expects, and raised by a slip within rather than by a check:
`open_authors.remove(reviewer)` raises ValueError where the reviewer is no author; a case that expects ValueError for
another reason passes by it. Neither the class nor a mutant tells the two apart, so the author of the code is asked.
What rejects an input in the field's usual way (`int("x")`, a missing key, an index out of range) is no accident.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from tdgen.files.ruff import lint
from tdgen.impl.feedback import cut
from tdgen.source.syntax import parse, parses
from tdgen.types import Case, ExpectedException, Raised, Verdict

ACCIDENT = "raised by accident"
_ANY = re.compile("")
_ABOUT_INTERNALS: Mapping[str, re.Pattern[str]] = {
    "ValueError": re.compile(
        r"not in (list|tuple|deque)\b|sub(string|section) not found|values? to unpack|closed file"
    ),
    "TypeError": re.compile(r"NoneType|required positional|unexpected keyword|positional arguments? but|not callable"),
    "AttributeError": _ANY,
    "NameError": _ANY,
    "UnboundLocalError": _ANY,
    "RecursionError": _ANY,
    "StopIteration": _ANY,
    "RuntimeError": re.compile(r"changed size during iteration|StopIteration"),
}


def accidents(cases: Sequence[Case], verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    """What to say of the first passing case whose expected exception came by accident; nothing where none did."""
    expecting = {
        case.name: case
        for case in cases
        if isinstance(case.expectation, ExpectedException) and not _raises_itself(case.setup)
    }
    for verdict in verdicts:
        case = expecting.get(verdict.case)
        if case is not None and verdict.passed and verdict.raised is not None and _is_accident(verdict.raised):
            return (_surprise(case, verdict.raised),)
    return ()


def _raises_itself(setup: str) -> bool:
    """Whether a setup raises: what it passes in may raise then, and the code lets it through."""
    return parses(setup) and any(isinstance(node, ast.Raise) for node in ast.walk(parse(setup)))


def _is_accident(raised: Raised) -> bool:
    """Whether no `raise` of the code made it, and its message speaks of the code's own data."""
    if not raised.frames or raised.frames[-1].text.startswith(("raise ", "raise\n", "assert ")):
        return False
    module, _, name = raised.type.rpartition(".")
    about = _ABOUT_INTERNALS.get(name) if module == "builtins" else None
    return about is not None and about.search(raised.message) is not None


def _surprise(case: Case, raised: Raised) -> str:
    name, line = raised.type.rpartition(".")[2], raised.frames[-1].text
    return (
        f"`{cut(case.done.text, 200)}`: {name} is {ACCIDENT}, not by a check: "
        f"`{cut(line, 120)}` gives {cut(raised.message, 120)!r}. Where the contract asks for {name}, test its "
        f"condition and raise it; if this line is that test, answer with the same code again"
    )


OBJECTIONS = {
    "S102": "exec is not allowed",
    "S307": "eval is not allowed: parse the text instead",
}
BLOCKING = {
    "S301": "unpickling is not allowed",
    "S302": "marshal is not allowed",
    "S602": "starting a shell is not allowed",
    "S604": "starting a shell is not allowed",
    "S605": "starting a shell is not allowed",
    "S606": "starting a process is not allowed",
    "S607": "starting a process is not allowed",
    "F821": "",
}
STARTING = ("S606", "S607")
ADVICE = (
    "B006",
    "B008",
    "B012",
    "B015",
    "B018",
    "B023",
    "B035",
    "B904",
    "F601",
    "F632",
    "F811",
    "F823",
    "PLE",
    "RUF033",
)
_WORDED = BLOCKING | OBJECTIONS


class Findings(NamedTuple):
    """What stands against the code, and what is worth saying only when it fails.

    `objections` stand against it until its author was told of them and comes back with the same.
    """

    blocking: tuple[str, ...]
    advice: tuple[str, ...]
    objections: tuple[str, ...] = ()


def lint_findings(module: str, first: int, last: int, *, python: str = "", allowed: Collection[str] = ()) -> Findings:
    """What ruff finds in lines `first` to `last` of a module, its line numbers counted from `first`.

    That a process is started is no finding where `allowed` has the module for it.
    """
    rules = [rule for rule in _WORDED | dict.fromkeys(ADVICE) if rule not in STARTING or "subprocess" not in allowed]
    remarks = [r for r in lint(module, rules, python=python) if first <= r.line <= last]
    told = [(r.code, f"line {r.line - first + 1}: {_WORDED.get(r.code) or r.message}") for r in remarks]
    return Findings(
        blocking=tuple(text for code, text in told if code in BLOCKING),
        advice=tuple(text for code, text in told if code not in _WORDED),
        objections=tuple(text for code, text in told if code in OBJECTIONS),
    )


def objected(finding: str) -> str:
    """What a finding objects to: `eval`, `exec`, or an exception by accident; empty where it is no objection."""
    text = finding.partition(": ")[2]
    if text in OBJECTIONS.values():
        return text.split()[0]
    return ACCIDENT if f" {ACCIDENT}, " in text else ""


def insistence(objection: str) -> str:
    """What the user is told of an author who was objected to and came back with the same."""
    if objection == ACCIDENT:
        return "an exception that its cases expect comes of no check; its author was asked, and means it so"
    return f"it calls {objection}, and did so again when told not to: never give it text that others wrote"
