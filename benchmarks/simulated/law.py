"""The law of repair: when the simulated model mends what is wrong, and what it answers where it does not.

It was written down before anything was run, and knows nothing of who asks. What counts is the **feedback**: all
that the prompt says beside the instruction, the contract, the tests that are shown anyway, the shared types and the
code itself; where it names a failing test that the prompt shows, it says what that test says. The code that is to be
mended is run on all the calls that the model knows and on the tests that the prompt shows; each way in which it is
wrong there is a *trouble*, and the feedback **names** a trouble where one passage of it (`PASSAGE` lines in a row)
holds, each as a whole word:

- code that can't be parsed: that it can't, and the number or the text of the line;
- a name that is missing, or the function's under another name: the name, and that it is not there;
- a wrong value: each argument's source, the value expected and the value given (or, where only a part of the value
  differs, what was expected and what was given there);
- an exception, a call of sys.exit among them: the exception's class, and the text of the line that raised it;
- no end in time, or a process that died: each argument's source, and that it did not end or that it died.

Where a trouble is named, the model answers with its reference with probability `MENDS`. Where none is named, or
chance is against it, it gives the same code back, with probability `STRAYS` another fault instead. Where nothing is
wrong that it knows of, it answers with its reference. Where the place for the code is empty, as it could not be
read, it answers with its first fault again, unless the feedback names why. A question that has no place for code at
all, be it the first one or one for another way, gets the next fresh draw: as often wrong as the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol

from simulated.bench import Bench
from simulated.problems import told_case
from tdgen.types import Case, FunctionSpec, Raised, Value, Verdict

MENDS = 0.9
STRAYS = 0.2
PASSAGE = 40
_UNREADABLE = ("SyntaxError", "IndentationError", "does not parse", "never closed", "invalid syntax")
_MISSING = ("NameError", "UnboundLocalError", "ImportError", "Undefined name", "not defined", "does not define")
_LATE = ("time", "timeout", "timed out", "seconds", "s", "hangs", "did not end")
_DEAD = ("died", "exit code", "exited", "ended", "killed")
_SHOWN = re.compile(r"^- (?P<name>\w+): `(?P<call>.+)` returns `(?P<value>.+?)`", re.MULTILINE)


class Judged(Protocol):
    """What code is judged on: a problem of a data set's, a function or a class, with its cases."""

    @property
    def function(self) -> str:
        """Its name."""

    @property
    def spec(self) -> FunctionSpec:
        """Its contract."""

    def cases(self) -> tuple[Case, ...]:
        """What is known to be right of it."""


class Trouble(NamedTuple):
    """One way in which code is wrong: of each group of words, one must stand in the passage that names it."""

    groups: tuple[tuple[str, ...], ...]


def is_named(troubles: Sequence[Trouble], feedback: str) -> bool:
    """Whether a passage of the feedback names one of the troubles."""
    passages = [_folded("\n".join(part)) for part in _passages(feedback.splitlines())]
    return any(
        all(any(_holds(passage, word) for word in group) for group in trouble.groups)
        for passage in passages
        for trouble in troubles
    )


def troubles_of(problem: Judged, source: str, shown: str, bench: Bench) -> list[Trouble]:
    """What is wrong with `source` on the calls of the problem and on the tests in the text `shown`; empty: nothing."""
    broken = unreadable(source)
    if broken:
        return broken
    if not re.search(rf"^(async )?(def|class) {re.escape(problem.function)}\b", source, re.MULTILINE):
        return [Trouble(((problem.function,), _MISSING))]
    cases = [*problem.cases(), *_shown_cases(problem, shown)]
    verdicts = bench.on_cases(source, problem.spec, cases)
    by_name = {case.name: case for case in cases}
    return [trouble for v in verdicts if not v.passed for trouble in troubles_in(v, by_name[v.case], source)]


def unreadable(source: str) -> list[Trouble]:
    """The trouble of a source that can't be parsed; empty where it can."""
    try:
        compile(source, "answer", "exec", dont_inherit=True)
    except SyntaxError as error:
        lines = source.splitlines()
        near = [lines[n - 1].strip() for n in (error.lineno or 0,) if 0 < n <= len(lines)]
        return [Trouble((_UNREADABLE, (f"line {error.lineno}", *filter(None, near))))]
    return []


def troubles_in(verdict: Verdict, case: Case, source: str) -> Iterator[Trouble]:
    """What a verdict on a case says is wrong with the source."""
    arguments = tuple((argument,) for argument in case.arguments) or ((case.expression,),)
    if verdict.status == "raised" and verdict.raised is not None:
        yield _of_exception(verdict.raised, source)
    elif verdict.status == "returned":
        wanted = [case.expectation.source] if isinstance(case.expectation, Value) else []
        expected = (*wanted, *(d.expected for d in verdict.differences))
        actual = (verdict.actual.removeprefix("returned "), *(d.actual for d in verdict.differences))
        yield Trouble((*arguments, expected, actual))
    elif verdict.status == "timeout":
        yield Trouble((*arguments, _LATE))
    elif verdict.status == "died":
        yield Trouble((*arguments, _DEAD))


def _of_exception(raised: Raised, source: str) -> Trouble:
    kind = raised.type.rpartition(".")[2]
    missing = re.search(r"name '(\w+)' is not defined", raised.message)
    if kind == "NameError" and missing:
        return Trouble(((missing[1],), _MISSING))
    lines = [line.strip() for line in source.splitlines()]
    texts = tuple(frame.text.strip() for frame in raised.frames if frame.text.strip() in lines)
    return Trouble(((kind,), texts[-1:] or (kind,)))


def _shown_cases(problem: Judged, text: str) -> list[Case]:
    """The tests that a prompt shows in tdgen's words, as cases."""
    found = list(_SHOWN.finditer(text))
    return [told_case(problem.function, m["call"], m["value"], f"shown_{n}") for n, m in enumerate(found)]


def _passages(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, max(1, len(lines) - PASSAGE + 1), PASSAGE // 4):
        yield lines[start : start + PASSAGE]
    yield lines[-PASSAGE:]


def _holds(passage: str, word: str) -> bool:
    """Whether the word stands there whole: `1` is not in `12`, `1.5` or `-1`."""
    wanted = _folded(word)
    before = r"(?<![\w.-])" if wanted[:1].isalnum() or wanted[:1] == "_" else ""
    after = r"(?![\w]|\.\d)" if wanted[-1:].isalnum() or wanted[-1:] == "_" else ""
    return bool(wanted) and re.search(before + re.escape(wanted) + after, passage) is not None


def _folded(text: str) -> str:
    return " ".join(text.split())
