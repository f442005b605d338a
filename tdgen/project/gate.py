"""The project's own tests as a gate: what passed before an edit must pass after it, and what waited for it too."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from tdgen.errors import InputError
from tdgen.project.own_tests import OwnTests
from tdgen.source.syntax import parse
from tdgen.types import Failure, FileReport

RunTests = Callable[[Sequence[str], Mapping[str, str], float], FileReport]
"""Runs test files or ids, from the root, with modules (sources by name) laid over the project's, for at most so many
seconds."""
FINE: Final = ("passed", "skipped", "xfailed", "xpassed")
ROUNDS: Final = 3
"""How often what breaks is run with the edit and without it: a test that comes out by the toss of a coin, and passed
before the edit and failed with it (one of four), is then called broken once in 256 times, where one round left 16."""
MOST_AGAIN: Final = 10
"""Of how many tests that break there is more than one round: where more do, it is no chance. Not tuned."""


class Edit(NamedTuple):
    """Modules' new sources by name, their paths from the root, and the bare names of the functions that are new."""

    texts: Mapping[str, str]
    paths: frozenset[str]
    functions: frozenset[str]


class GateReport(NamedTuple):
    """What the project's tests say of an edit, by the tests' ids; a file that can't be collected stands for its tests.

    `broken` passed before and don't after. `refusing` waited for the new code (they failed in its place, or in a file
    that could not be imported without it) or fail within it, and do not pass with it. `flaky` gave both outcomes to the
    same code. `failing` are those that did not pass before, or were not there, and `unmet` those of them that don't
    pass after either. `ran` counts the tests; `left_out` are the files for which there was no time, or not enough.
    """

    broken: tuple[str, ...]
    refusing: tuple[str, ...]
    flaky: tuple[str, ...]
    failing: tuple[str, ...]
    unmet: tuple[str, ...]
    ran: int
    left_out: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing that was seen speaks against the edit."""
        return not (self.broken or self.refusing)


@dataclass
class _Seen:
    """What runs of the same code gave, put together."""

    outcomes: dict[str, str] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)
    hung: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)

    def add(self, report: FileReport, files: Sequence[str]) -> None:
        self.outcomes |= report.outcomes
        self.outcomes |= {name: "error" for name in report.failures if "::" not in name}
        self.failures |= report.failures
        pending = [name for name in report.collected if name not in report.outcomes]
        self.hung += pending[:1]  # pytest runs them in order: those behind it had no time
        self.unseen += pending[1:]
        if not (report.collected or report.failures or report.complete):
            self.unseen += files

    def passes(self, test: str) -> bool:
        if "::" not in test:  # a file is here only where it can't be collected
            return test not in self.outcomes
        return self.outcomes.get(test) in FINE


def check_edit(
    tests: OwnTests,
    edit: Edit,
    run: RunTests,
    *,
    seconds: float,
    clock: Callable[[], float] = time.monotonic,
) -> GateReport:
    """Run the project's tests without and with an edit: the near ones, then all in time.

    InputError where pytest can't run them at all, as it can't load a conftest.py.

    What breaks is run again with the edit, and what fails again without it, `ROUNDS` times: a test that does not come
    out alike each time is flaky.
    """
    ends = clock() + seconds
    before, after = _Seen(), _Seen()
    left_out: tuple[str, ...] = ()
    longest = 0.0
    for files in (tests.near, tests.others):
        if not files:
            continue
        if (left := ends - clock()) <= 0:
            left_out += files
            continue
        began = clock()
        as_it_is = run(files, {}, left / 2)
        if problem := unrunnable(as_it_is):
            raise InputError(problem)
        before.add(as_it_is, files)
        longest = max(longest, clock() - began)
        after.add(run(files, edit.texts, max(ends - clock(), 2 * longest, 1.0)), files)
    passed = [test for test, outcome in before.outcomes.items() if outcome == "passed" and test not in after.unseen]
    suspects = [test for test in passed if not after.passes(test)]
    broken, flaky = _broken(suspects, edit, run, 2 * longest, lambda: ends - clock())
    every = tuple(dict.fromkeys([*before.outcomes, *after.outcomes, *after.hung]))
    endless = {test for test in before.hung if test not in after.outcomes}  # their files are told as left out
    failing = tuple(test for test in every if test not in endless and not before.passes(test))
    unmet = tuple(test for test in failing if not after.passes(test))
    refusing = tuple(test for test in unmet if _refuses(test, before, after, edit))
    unfinished = _files([*before.hung, *before.unseen, *after.unseen])
    left_out = tuple(dict.fromkeys([*unfinished, *left_out]))
    return GateReport(broken, refusing, flaky, failing, unmet, len(every), left_out)


def _broken(
    suspects: Sequence[str], edit: Edit, run: RunTests, least: float, time_left: Callable[[], float]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Which tests the edit breaks, and which are flaky: those that don't fail each time with it, or fail without it."""
    broken = list(suspects)
    for number in range(ROUNDS):
        if not broken or (number and (len(broken) > MOST_AGAIN or time_left() <= least)):
            break
        seconds = max(time_left(), least, 1.0)
        again = run(broken if number else _files(broken), edit.texts, seconds).outcomes
        broken = [test for test in broken if again.get(test) not in FINE]
        if broken:
            without = run(broken, {}, seconds).outcomes
            broken = [test for test in broken if without.get(test) in (*FINE, None)]
    return tuple(broken), tuple(test for test in suspects if test not in broken)


_CANT_RUN: Final = "pytest can't run the tests in the sandbox"
_INTERNAL: Final = "INTERNALERROR>"


def unrunnable(report: FileReport) -> str:
    """Why pytest ran no test, in a line; empty where it ran some, had no time for any, or there are none."""
    lines = _lines(report)
    inner = [line.removeprefix(_INTERNAL).strip() for line in lines if line.startswith(_INTERNAL)]
    first = next((line for line in lines if line.startswith(("ERROR", "ImportError"))), "")
    if report.collected or report.failures or report.complete or not (first or inner):
        return ""
    if inner:  # what ends pytest itself, as a module does that exits when it is imported
        place = next((line for line in reversed(inner) if line.startswith("File ")), "")
        return f"{_CANT_RUN}: {inner[-1]}{place and f' ({place})'}"
    first = next((line for line in lines if ": error: " in line), first) if "usage: " in first else first
    cause = next((line[1:].strip() for line in lines if line.startswith("E ")), "")
    return f"{_CANT_RUN}: {' '.join(filter(None, [first, cause]))}"


def why_none_ran(report: FileReport, tests: Sequence[str]) -> str:
    """Why a run of these tests, or of all the project's, ran none of them, in a line."""
    lines = _lines(report)
    if problem := unrunnable(report):
        return problem
    if report.complete or any("no tests ran" in line for line in lines):
        return f"{' '.join(tests) or 'the project'} has no tests that pytest finds"
    return f"{_CANT_RUN}: {lines[-1] if lines else 'it says nothing'}"


def _lines(report: FileReport) -> list[str]:
    return [line.strip() for line in report.log.splitlines() if line.strip()]


def _files(tests: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(test.partition("::")[0] for test in tests))


def _refuses(test: str, before: _Seen, after: _Seen, edit: Edit) -> bool:
    """Whether a test that does not pass with the edit speaks against it.

    It does where its exception comes from within the new code now; and where it waited for that code before, unless it
    waits for another stub, or another name, by now. What fails elsewhere, as it did before, may have any reason.
    """
    now = after.failures.get(test)
    if now is None:
        return False
    if _is_within(now, edit.functions, edit):
        return True
    if now.type == "NotImplementedError":
        return False
    if "::" not in test and _lacks_name(now, edit):
        return any(f"'{name}'" in now.message for name in edit.functions)
    then = before.failures.get(test) or before.failures.get(test.partition("::")[0])
    return then is not None and (_is_within(then, {*edit.functions, "<module>"}, edit) or _lacks_name(then, edit))


def _is_within(failure: Failure, functions: Collection[str], edit: Edit) -> bool:
    """Whether an exception's innermost place in the project is in these functions of an edited module."""
    own = (place for place in reversed(failure.places) if not place.path.startswith("/"))
    inner = next(own, None)  # a path that is not absolute is the project's own
    return inner is not None and inner.path in edit.paths and inner.function in functions


def _lacks_name(failure: Failure, edit: Edit) -> bool:
    """Whether a name could not be imported from an edited module."""
    return failure.type == "ImportError" and any(f"'{module}'" in failure.message for module in edit.texts)


def new_functions(before: str, after: str) -> frozenset[str]:
    """The bare names of the functions and methods whose code differs between two texts of a module."""
    dumps = []
    for text in (before, after):
        nodes = (node for node in ast.walk(parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        dumps.append({(node.name, ast.dump(node)) for node in nodes})
    return frozenset(name for name, _ in dumps[1] - dumps[0])
