"""What stands against an attempt until its author, asked, means it so: `eval`, `exec`, exceptions by accident.

Such an exception is of the class that a case expects, and raised by a slip within rather than by a check:
`open_authors.remove(reviewer)` raises ValueError where the reviewer is no author; a case that expects ValueError for
another reason passes by it. Neither the class nor a mutant tells the two apart, so the author of the code is asked.
What rejects an input in the field's usual way (`int("x")`, a missing key, an index out of range) is no accident.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from tdgen.impl.feedback import cut
from tdgen.source.syntax import parse, parses
from tdgen.types import Case, ExpectedException, Raised, Verdict

OBJECTIONS = {
    "S102": "exec is not allowed",
    "S307": "eval is not allowed: parse the text instead",
}
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
