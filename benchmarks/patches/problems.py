"""Faulty code with so few shown tests that a patch may fit them by accident, and the hidden tests that tell.

- QuixBugs' programs, with their own tests hidden.
- Mutants of HumanEval's references, one a problem, with HumanEval's own calls and HumanEval+'s inputs hidden, both
  held against the reference. The mutants are tdgen's own; the edits of the patch search are other ones, but many of
  them undo a mutant.

Two or three of the tests are shown, drawn by the problem's name, and the faulty code fails at least one of them. All
tests, the shown ones among them, are the hidden ones that decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from repair import quixbugs
from simulated.bench import Bench
from simulated.draws import draw, shuffled
from simulated.problems import Called, Problem, case_of
from simulated.reference import right_source
from trust.suites import inputs_of, read_plus

from tdgen.mutation import mutants
from tdgen.types import Case, FunctionSpec, Plan, Suite

MOST_TRIED = 20
MOST_HIDDEN = 120


class Faulty(NamedTuple):
    """Faulty code of one function, its reference, the tests that are shown, and those that decide."""

    name: str
    spec: FunctionSpec
    source: str
    reference: str
    shown: tuple[Case, ...]
    hidden: tuple[Case, ...]

    @property
    def plan(self) -> Plan:
        """A plan of this one function."""
        return Plan(module=f"patched_{self.spec.name.lower()}", functions=(self.spec,))

    @property
    def suite(self) -> Suite:
        """The shown tests; none is held out."""
        return Suite(function=self.spec.name, cases=self.shown)


def of_quixbugs(path: Path, bench: Bench, most: int | None = None) -> list[Faulty]:
    """The first `most` programs, their tests drawn anew."""
    found = []
    for program in quixbugs.load(path, bench, most):
        tests = (*program.visible, *program.hidden, *program.held_out)
        shown = shown_of(program.name, program.faulty, program.spec, tests, bench)
        if shown:
            found.append(Faulty(program.name, program.spec, program.faulty, program.right, shown, tests))
    return found


def of_humaneval(problems: Sequence[Problem], folder: Path, bench: Bench, most: int) -> list[Faulty]:
    """So many problems, drawn by their names, each with a mutant that a recorded call tells from the reference."""
    rows = read_plus(folder)
    made = (_mutated(problem, rows[problem.name], bench) for problem in shuffled(problems, "patches"))
    return [one for one, _ in zip(filter(None, made), range(most), strict=False)]


def shown_of(name: str, source: str, spec: FunctionSpec, tests: Sequence[Case], bench: Bench) -> tuple[Case, ...]:
    """Two or three of the tests, at least one of which the source fails; none where it fails none."""
    verdicts = {verdict.case: verdict for verdict in bench.on_cases(source, spec, tests)}
    drawn = shuffled(tests, "shown", name)
    failing = [case for case in drawn if case.name in verdicts and not verdicts[case.name].passed]
    others = [case for case in drawn if case not in failing[:1]]
    return (*failing[:1], *others[: 1 + (draw("three", name) < 0.5)]) if failing else ()


def _mutated(problem: Problem, row: Mapping[str, Any], bench: Bench) -> Faulty | None:
    """The problem with the first drawn mutant that fails a recorded call; None where there is none."""
    reference = right_source(problem)
    made = shuffled(mutants(reference, problem.function, most=60), "patched", problem.name)
    for mutant in made[:MOST_TRIED]:
        if shown := shown_of(problem.name, mutant.source, problem.spec, problem.cases(), bench):
            hidden = (*problem.cases(), *_further(problem, row, reference, bench))
            return Faulty(problem.name, problem.spec, mutant.source, reference, shown, hidden)
    return None


def _further(problem: Problem, row: Mapping[str, Any], reference: str, bench: Bench) -> Iterator[Case]:
    """HumanEval+'s inputs as cases, each with what the reference gives."""
    calls = inputs_of(row)[:MOST_HIDDEN]
    values = bench.values(reference, [call.expression for call in calls])
    for number, (call, value) in enumerate(zip(calls, values, strict=True), 1):
        if value is not None:
            yield case_of(problem, Called(call.arguments, value), f"plus_{number}")
