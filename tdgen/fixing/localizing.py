"""Where the fault is: the project's functions ranked by what failing and passing tests run, and by tracebacks.

A line's suspicion is its Ochiai coefficient (see `tdgen.mutation`), and a function's that of its most suspicious line.
Among functions alike, those come first through which the exceptions went, the innermost before its callers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from tdgen.errors import InputError
from tdgen.impl.coverage import suspicion
from tdgen.project.module import Module, Unit, read_module
from tdgen.project.root import Project
from tdgen.source.syntax import Function
from tdgen.types import Failure, FileReport

INNERMOST: Final = 0.2
"""What the innermost place of a traceback adds to a function's suspicion; each caller adds half of the one it calls.

Not tuned; `benchmarks/bench_fix.py` shows what it is worth."""


class Suspect(NamedTuple):
    """A function or method of a module of the project; the higher its score, the likelier is the fault in it."""

    module: Module
    unit: Unit
    score: float

    @property
    def id(self) -> str:
        """The module's path and the unit's name."""
        return f"{self.module.path}::{self.unit.name}"


def localize(project: Project, report: FileReport, failing: Collection[str]) -> list[Suspect]:
    """The functions of the project that failing tests run, by a traced run's report, the most suspicious first.

    Files of tests are not among them, nor is what can't be read.
    """
    suspects: list[Suspect] = []
    raised = _raised(report.failures[test] for test in failing if test in report.failures)
    for path, name in report.modules.items():
        with suppress(InputError):
            module = read_module(project, project.root / path)._replace(name=name)
            suspects += _ranked(module, report, failing, raised.get(path, {}))
    for path in raised.keys() - report.modules.keys():  # what fails on import is run by no test
        with suppress(InputError):
            module = read_module(project, project.root / path)
            if not any((project.root / path).is_relative_to(folder) for folder in project.test_folders):
                for unit in module.units.values():
                    if isinstance(unit.node, Function) and (score := _added(unit, raised[path])):
                        suspects.append(Suspect(module, unit, score))
    return sorted(suspects, key=lambda one: -one.score)


def _ranked(
    module: Module, report: FileReport, failing: Collection[str], raised: Mapping[int, float]
) -> Iterator[Suspect]:
    last = len(module.text.splitlines()) + 1
    ran: dict[bool, list[frozenset[int]]] = {True: [], False: []}
    for test, files in report.ran.items():
        if test in failing or report.outcomes.get(test) == "passed":
            ran[test in failing].append(frozenset(lines_in(files.get(module.path, ""), last)))
    by_line = suspicion(ran[False], ran[True])
    for unit in module.units.values():
        score = max((by_line.get(line, 0.0) for line in range(unit.first, unit.last + 1)), default=0.0)
        if isinstance(unit.node, Function) and score > 0:
            yield Suspect(module, unit, score + _added(unit, raised))


def _added(unit: Unit, raised: Mapping[int, float]) -> float:
    """What tracebacks add to a function's suspicion, on average over the failing tests."""
    return max((raised.get(line, 0.0) for line in range(unit.first, unit.last + 1)), default=0.0)


def _raised(failures: Iterable[Failure]) -> dict[str, dict[int, float]]:
    """For each line through which exceptions went, what it adds, on average over all failures, by path."""
    sums: dict[str, Counter[int]] = {}
    number = 0
    for failure in failures:
        number += 1
        weight = INNERMOST
        for path, line in dict.fromkeys((place.path, place.line) for place in reversed(failure.places)):
            if not path.startswith("/"):
                sums.setdefault(path, Counter())[line] += weight  # type: ignore[assignment]
                weight /= 2
    return {path: {line: total / number for line, total in lines.items()} for path, lines in sums.items()}


def lines_in(ranges: str, last: int) -> Iterator[int]:
    """The numbers in a text such as `3-5,9`, up to `last`."""
    for part in filter(None, ranges.split(",")):
        first, _, end = part.partition("-")
        yield from range(int(first), min(int(end or first), last) + 1)
