"""`results.jsonl`: a row for each line that has ended, and what a batch came to.

A row that a kill or a full disk tore in two was never finished: it is cut off, and its line is done again.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, ValidationError
from pydantic_core import PydanticSerializationError

from tdgen.batch.lines import Line, Malformed
from tdgen.errors import Contradicted, InputError, OutOfScope, TdgenError, UnreachableError
from tdgen.metrics import Sums, Task
from tdgen.solution import Solution
from tdgen.types import Attempt, Frozen, FunctionResult, Usage

Ending = Literal["green", "red", "undecided", "stopped", "declined", "contradicted", "failed", "malformed"]
BUG: Final = 70
LONGEST_REASON: Final = 2000
"""A refusal quotes two places of the instruction, whole."""
_ANSWERS: Final = frozenset({"repair", "trace", "fresh", "helpers"})
"""The rungs on which a model answers with code after the first."""


class Row(Frozen):
    """How one line ended.

    `outcome` is `green` where every function is; `stopped` where a budget ended it; `undecided` where no function is
    red or blocked, but not all are green; `declined` where the planner found it out of scope, `contradicted` where the
    instruction demands two things that can't both be; `failed` where another error ended it (`exit_code` is what
    `tdgen solve` would have ended with), `malformed` where the line can't be used.
    `usage` and `seconds` are what it cost in this run: nothing for what came from the cache, or from the line `twin_of`
    that asks for the same. `cases`, `first_failed` and `last_failed` count its own cases, and how many of them the
    first and the last code fail; `repairs` are the model's answers with code after the first. `mark` and `twin` tell
    the line and what it asks for from others.
    """

    line: int
    id: str
    outcome: Ending
    reason: str = ""
    exit_code: int = 0
    key: str = ""
    functions: dict[str, str] = Field(default_factory=dict)
    module: str = ""
    source: str = ""
    folder: str = ""
    trust: str = ""
    cached: bool = False
    twin_of: str = ""
    usage: Usage = Usage()
    seconds: float = 0.0
    cases: int = 0
    first_failed: int = 0
    last_failed: int = 0
    repairs: int = 0
    promotions: int = 0
    notes: tuple[str, ...] = ()
    mark: int = 0
    twin: str = ""

    @property
    def is_final(self) -> bool:
        """Whether trying the line again could only end alike: nobody being reachable is no end."""
        return self.exit_code != UnreachableError.exit_code

    def task(self) -> Task:
        """The row as the figures count it, measured by its own cases."""
        return Task(
            self.id,
            self.cases,
            self.first_failed,
            self.last_failed,
            self.repairs,
            self.outcome == "green",
            self.usage.calls,
            self.usage.tokens,
            self.seconds,
        )


def solved_row(line: Line, solution: Solution, seconds: float, notes: tuple[str, ...] = ()) -> Row:
    """The row of a line that came to a solution, green or not."""
    results = solution.results
    reasons = [f"{r.function}: {r.reason or r.outcome}" for r in results if r.outcome != "green"]
    return Row(
        line=line.number,
        id=line.id,
        outcome=_ending(solution),
        reason=(solution.stopped or "; ".join(reasons))[:500],
        key=solution.key,
        functions={result.function: result.outcome for result in results},
        module=solution.plan.module,
        source=solution.module_source,
        trust=solution.trust,
        cached=solution.cached,
        usage=Usage() if solution.cached else solution.usage,
        seconds=round(seconds, 3),
        cases=sum(len(result.suite.cases) for result in results),
        first_failed=sum(_failed(result, result.history[0] if result.history else None) for result in results),
        last_failed=sum(_failed(result, result.best) for result in results),
        repairs=sum(attempt.rung in _ANSWERS for result in results for attempt in result.history),
        promotions=solution.promotions,
        notes=notes,
        mark=line.mark,
    )


def failed_row(line: Line, error: Exception, seconds: float = 0.0) -> Row:
    """The row of a line that an error ended."""
    if isinstance(error, TdgenError):
        reason, code = str(error), error.exit_code
    else:
        reason, code = f"this is a bug in tdgen: {type(error).__name__}: {error}", BUG
    refused: Ending = "contradicted" if isinstance(error, Contradicted) else "failed"
    return Row(
        line=line.number,
        id=line.id,
        outcome="declined" if isinstance(error, OutOfScope) else refused,
        reason=reason[:LONGEST_REASON],
        exit_code=code,
        seconds=round(seconds, 3),
        mark=line.mark,
    )


def malformed_row(malformed: Malformed) -> Row:
    """The row of a line that can't be used."""
    return Row(
        line=malformed.number,
        id=malformed.id,
        outcome="malformed",
        reason=malformed.reason[:500],
        exit_code=2,
        mark=malformed.mark,
    )


def twin_row(line: Line, first: Row) -> Row:
    """The row of a line that asks for what another one asked for before."""
    spent = {"usage": Usage(), "seconds": 0.0, "twin_of": first.twin_of or first.id, "notes": ()}
    return first.model_copy(update={"line": line.number, "id": line.id, "mark": line.mark, **spent})


def _ending(solution: Solution) -> Ending:
    if solution.all_tests_passed:
        return "green"
    if solution.stopped:
        return "stopped"
    return "red" if any(result.outcome in ("red", "blocked") for result in solution.results) else "undecided"


def _failed(result: FunctionResult, attempt: Attempt | None) -> int:
    """How many of the function's cases that attempt fails: all where there is none, or it could not be run."""
    cases = len(result.suite.cases)
    if attempt is None or attempt.findings or not attempt.verdicts:
        return cases
    return min(cases, len(attempt.verdicts) - attempt.passed)


_PIECE: Final = 65_536


class Results:
    """The file of results, open for appending. Whoever opens it sees to it that nobody else does."""

    def __init__(self, path: Path) -> None:
        """Open the file, making it where it is not there; InputError where it can't be written."""
        self._path = path
        self._descriptor = -1
        self._end = 0
        with self._explained():
            _mend(path)
            self._open()

    def rows(self) -> Iterator[tuple[int, Row]]:
        """Where each row begins, and the row; InputError where one can't be read."""
        with self._explained(), self._path.open("rb") as file:
            offset = 0
            for number, text in enumerate(file, start=1):
                yield offset, self._read(text, number)
                offset += len(text)

    def row_at(self, offset: int) -> Row:
        """The row that begins there."""
        with self._explained(), self._path.open("rb") as file:
            file.seek(offset)
            return self._read(file.readline(), 0)

    def append(self, rows: Iterable[Row]) -> list[int]:
        """Write rows, and give where each begins; they are on the disk when this returns, if one of them cost anything.

        What is cached may come from there again: where a machine fails, and no other way, such rows may be lost.
        InputError where they can't be written: what was written before them stays.
        """
        rows = list(rows)
        texts = [_text(row) for row in rows]
        content = b"".join(texts)
        try:
            with self._explained():
                left = memoryview(content)
                while left:
                    left = left[os.write(self._descriptor, left) :]
                if not all(row.cached or row.twin_of for row in rows):
                    os.fsync(self._descriptor)
        except InputError:
            with suppress(OSError):
                os.truncate(self._path, self._end)
            raise
        offsets = [self._end + sum(map(len, texts[:place])) for place in range(len(texts))]
        self._end += len(content)
        return offsets

    def keep(self, wanted: Callable[[Row], bool]) -> None:
        """Leave out the rows that are not wanted, for good: the file is written anew, whole or not at all."""
        if all(wanted(row) for _, row in self.rows()):
            return
        draft = self._path.with_suffix(".draft")
        with self._explained():
            with draft.open("wb") as file:
                file.writelines(_text(row) for _, row in self.rows() if wanted(row))
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self._path)
            self.close()
            self._open()

    def close(self) -> None:
        """Close the file. Closing twice is allowed."""
        if self._descriptor >= 0:
            with suppress(OSError):
                os.fsync(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = -1

    def _open(self) -> None:
        # Without a buffer: what a full disk refused must not be written later.
        self._descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
        self._end = os.fstat(self._descriptor).st_size

    def _read(self, text: bytes, number: int) -> Row:
        try:
            return Row.model_validate_json(text)
        except ValidationError:
            where = f"line {number} of {self._path}" if number else str(self._path)
            raise InputError(f"{where} is no row that this version of tdgen reads: --force begins anew") from None

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            safe = "what is finished is safe, and the same command goes on from it"
            raise InputError(f"{self._path} can't be written: {error.strerror}; {safe}") from None


def _mend(path: Path) -> None:
    """Cut off what stands after the last whole row."""
    if not path.exists():
        return
    with path.open("r+b") as file:
        whole = end = file.seek(0, os.SEEK_END)
        while whole:
            begin = max(0, whole - _PIECE)
            file.seek(begin)
            last = file.read(whole - begin).rfind(b"\n")
            whole = begin + last + 1
            if last >= 0:
                break
        if whole < end:
            file.truncate(whole)


def _text(row: Row) -> bytes:
    """A row as a line; a lone surrogate, which JSON can't carry, becomes a question mark."""
    try:
        return row.model_dump_json().encode() + b"\n"
    except PydanticSerializationError:
        plain = json.dumps(row.model_dump(), ensure_ascii=False).encode("utf-8", "replace")
        return plain + b"\n"


class Summary(Frozen):
    """What a batch came to; all of it over every row of `results.jsonl`, earlier runs' too.

    `outcomes` counts lines by how they ended, `missing` those that have not ended. `cached` and `twins` were free.
    `figures` are those of `tdgen.metrics`, measured by each line's own cases: ESR is then the share of green lines.
    `stopped` says why the run ended before its lines did, and `seconds` how long this run took.
    """

    lines: int
    outcomes: dict[str, int]
    missing: int = 0
    cached: int = 0
    twins: int = 0
    usage: Usage = Usage()
    figures: dict[str, Any] = Field(default_factory=dict)
    seconds: float = 0.0
    stopped: str = ""
    exit_code: int = 0

    @property
    def all_green(self) -> bool:
        """Whether every line ended green."""
        return not self.missing and self.outcomes.get("green", 0) == self.lines


@dataclass
class BatchCounts:
    """Rows added up; however many there are, this stays as small."""

    outcomes: Counter[str] = field(default_factory=Counter)
    cached: int = 0
    twins: int = 0
    usage: Usage = field(default_factory=Usage)
    sums: Sums = field(default_factory=Sums)

    @property
    def ended(self) -> int:
        """How many lines have ended."""
        return self.outcomes.total()

    def add(self, row: Row) -> None:
        """Count a row in."""
        self.outcomes[row.outcome] += 1
        self.cached += row.cached
        self.twins += bool(row.twin_of)
        self.usage += row.usage
        if row.outcome != "malformed":
            self.sums.add(row.task())

    def summary(
        self, lines: int, missing: int = 0, *, seconds: float = 0.0, stopped: str = "", exit_code: int = 0
    ) -> Summary:
        """What all of it came to, of so many lines, of which so many have not ended."""
        green = not missing and self.outcomes["green"] == self.ended
        figures = self.sums.figures()
        esr = {"part": figures.esr.part, "whole": figures.esr.whole, "interval": list(figures.esr.interval)}
        names = ("ari", "ied", "fed", "err", "calls", "tokens", "seconds")
        return Summary(
            lines=lines,
            outcomes=dict(self.outcomes),
            missing=missing,
            cached=self.cached,
            twins=self.twins,
            usage=self.usage,
            figures={"esr": esr} | {name: round(getattr(figures, name), 6) for name in names},
            seconds=round(seconds, 3),
            stopped=stopped,
            exit_code=exit_code or (0 if green else 1),
        )
