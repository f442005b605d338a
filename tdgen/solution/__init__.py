"""A solution: all that came of an instruction, and the same as plain data for programs.

The JSON form is a contract that programs read, stable beside the types' own shapes. A value stands there plain where
JSON keeps it as it is, else as null; beside it always stands its Python source (`inputs_source` beside `inputs`,
`expected_source` beside `expected_output`). Beside `actual_output`, `actual` is a short line, and `actual_output_cut`
says that the value is left out for its size.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tdgen.errors import InputError
from tdgen.extensions import EXPORTS, load, registered
from tdgen.solution.package import Layout, package_files
from tdgen.source.syntax import literal
from tdgen.types.cases import Case, Check, Effects, Exits, ExpectedException, Tolerance, Value, argument_value
from tdgen.types.plan import FunctionSpec
from tdgen.types.record import Attempt, FunctionResult, SolutionRecord
from tdgen.types.runs import Verdict

FORMAT: Final = 1
"""Of the JSON form: raised by what takes a key away or gives it another meaning."""


class Solution(SolutionRecord):
    """Everything that came of one instruction; what `tdgen.solve` gives back.

    By name it gives each function's and class's result: `solution["slugify"].source`. To iterate over it gives the
    names, in the plan's order.
    """

    def __getitem__(self, name: str) -> FunctionResult:
        """The result of one function or class; KeyError, with the names that there are, for any other name."""
        for result in self.results:
            if result.function == name:
                return result
        raise KeyError(f"the solution has no {name!r}: it has {', '.join(self) or 'no functions'}")

    def __contains__(self, name: object) -> bool:
        return any(result.function == name for result in self.results)

    def __iter__(self) -> Iterator[str]:  # type: ignore[override]  # pydantic gives pairs of fields and values
        return (result.function for result in self.results)

    def __str__(self) -> str:
        """What came of it, what it cost, and its key: three lines."""
        return brief(self)

    def to_dict(self) -> dict[str, Any]:
        """The solution as plain JSON data, in the shape that the documentation promises."""
        results = {result.function: result for result in self.results}
        return {
            "format": FORMAT,
            "key": self.key,
            "instruction": self.instruction,
            "module": self.plan.module,
            "function_specs": [_spec(spec) for spec in self.plan.functions],
            "types": [shared.model_dump(mode="json") for shared in self.plan.types],
            "implementations": {name: r.source for name, r in results.items()},
            "tests": {name: [_case(case, r.suite.held_out) for case in r.cases] for name, r in results.items()},
            "properties": {
                name: [one.model_dump(mode="json") for one in r.suite.properties] for name, r in results.items()
            },
            "test_results": [_verdict(v) for r in results.values() for v in r.verdicts],
            "all_tests_passed": self.all_tests_passed,
            "outcomes": {name: {"outcome": r.outcome, "reason": r.reason} for name, r in results.items()},
            "attempts": {name: [_attempt(a) for a in r.history] for name, r in results.items()},
            "module_source": self.module_source,
            "test_files": dict(self.test_files),
            "questions": [question.model_dump(mode="json") for question in self.questions],
            "revisions": [revision.model_dump(mode="json") for revision in self.revisions],
            "promotions": self.promotions,
            "notes": list(self.notes),
            "strength": {
                name: r.strength
                and {"score": r.strength.score, "raw_score": r.strength.raw, **r.strength.model_dump(mode="json")}
                for name, r in results.items()
            },
            "findings": [finding.model_dump(mode="json") for finding in self.findings],
            "usage": self.usage.model_dump(mode="json"),
            "spent": [
                {"purpose": one.purpose, "function": one.function, **one.usage.model_dump(mode="json")}
                for one in self.spent
            ],
            "seconds": self.seconds,
            "cached": self.cached,
            "trust": self.trust,
            "model": self.model,
            "sandbox": self.sandbox,
            "stopped": self.stopped,
            "follows": self.follows,
        }

    def files(self, layout: Layout = "package", *, readme: bool = False) -> dict[str, str]:
        """The files of a folder with the solution by their paths: the module, its tests, what makes them importable."""
        return package_files(self, layout, readme=readme)

    def export(self, name: str) -> str:
        """The solution as a text of that kind, by what an installed package registers under `tdgen.exports`.

        InputError, with the kinds that there are, for any other name.
        """
        points = registered(EXPORTS)
        if name not in points:
            raise InputError(f"there is no export {name!r}: it is {', '.join(points) or 'none'}")
        text: str = load(points[name])(self)
        return text

    def to_html(self) -> str:
        """The story of the solution as one HTML document that needs nothing beside itself, and runs no script."""
        return self.export("html")

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return self.export("notebook")

    def save(
        self,
        folder: str | Path,
        *,
        layout: Layout | None = None,
        readme: bool = False,
        force: bool = False,
        overwrite: bool = False,
    ) -> Path:
        """Write the solution's files into `folder`, all or none, formatted as the user's settings there say.

        InputError where something would be lost: `force` writes beside what others put there, and `overwrite` also
        replaces what tdgen wrote there and somebody changed. The record in `.tdgen/` is what `tdgen verify` reads.
        """
        from tdgen.files.saving import Place
        from tdgen.solution.writing import write_package

        write_package(self, Place(Path(folder), force=force, overwrite=overwrite), layout, readme=readme)
        return Path(folder)


MOST_NAMES: Final = 6


def brief(solution: SolutionRecord) -> str:
    """How it ended function by function, what it cost, and where it is kept."""
    outcomes: dict[str, list[str]] = {}
    for result in solution.results:
        outcomes.setdefault(result.outcome, []).append(result.function)
    parts = []
    for outcome, functions in outcomes.items():
        more = len(functions) - MOST_NAMES
        parts.append(f"{outcome}: {', '.join(functions[:MOST_NAMES])}" + (f" and {more} more" if more > 0 else ""))
    ended = "all green" if solution.all_tests_passed else "not all green"
    stopped = f"; stopped: {solution.stopped}" if solution.stopped else ""
    cases = sum(len(result.cases) for result in solution.results)
    usage = solution.usage
    spent = [
        f"{cases:,} cases",
        f"{usage.calls:,} model calls",
        f"{usage.tokens:,} tokens",
        f"{solution.seconds:.1f} s",
    ]
    ending = f"{', '.join(spent)}, {solution.trust}, {solution.model}{', from the cache' if solution.cached else ''}"
    lines = (f"{solution.plan.module}: {ended} ({'; '.join(parts)}){stopped}", ending, f"key {solution.key}")
    return "\n".join(" ".join(line.split()) for line in lines)


def plain(source: str) -> tuple[bool, Any]:
    """Whether a Python source is a literal that survives JSON unchanged, and its value; None where it does not."""
    try:
        value = literal(source)
        survived = json.loads(json.dumps(value, allow_nan=False))
    except (ValueError, TypeError, RecursionError):
        return False, None
    return (True, value) if _shape(survived) == _shape(value) else (False, None)


def _shape(value: Any) -> Any:
    """A value with its types told, so that True and 1 or a list and a tuple are not alike."""
    if isinstance(value, dict):
        return [(_shape(key), _shape(item)) for key, item in value.items()]
    if isinstance(value, list | tuple):
        return type(value).__name__, [_shape(item) for item in value]
    return type(value).__name__, value


def _spec(spec: FunctionSpec) -> dict[str, Any]:
    interface = {"interface": spec.interface.model_dump(mode="json")} if spec.interface else {}
    return interface | {
        "name": spec.name,
        "purpose": spec.purpose,
        "inputs": [{"name": p.name, "type": p.type, "default": p.default} for p in spec.parameters],
        "outputs": {"type": spec.returns.type, "description": spec.returns.description},
        "raises": [raised.model_dump(mode="json") for raised in spec.raises],
        "dependencies": list(spec.dependencies),
        "complexity": spec.complexity,
        "corrections": [correction.model_dump(mode="json") for correction in spec.corrections],
    }


def _case(case: Case, held_out: frozenset[str]) -> dict[str, Any]:
    content: dict[str, Any] = {
        "name": case.name,
        "inputs": [plain(argument_value(argument))[1] for argument in case.arguments],
        "inputs_source": list(case.arguments),
        "call": case.expression,
        "setup": case.setup,
        "kind": case.kind,
        "provenance": case.provenance,
        "held_out": case.name in held_out,
        "world": case.world.model_dump(mode="json", exclude_defaults=True),
        "why": case.why,
        "confirmed": list(case.confirmed),
    }
    match case.expectation:
        case Value(source=source, tolerance=tolerance):
            content |= {"expected_output": plain(source)[1], "expected_source": source}
            if tolerance != Tolerance():
                content |= {"tolerance": tolerance.model_dump(mode="json")}
        case ExpectedException(type=name, match=pattern):
            content |= {"raises": name, "match": pattern}
        case Check(source=source):
            content |= {"check": source}
        case Exits(code=code):
            content |= {"exit_code": code}
    return content | case.model_dump(
        mode="json", include={*Effects.model_fields} - {"expectation"}, exclude_defaults=True
    )


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "function": verdict.function,
        "test": verdict.case,
        "passed": verdict.passed,
        "actual_output": json.loads(verdict.value_json) if verdict.value_json else None,
        "actual_output_cut": verdict.value_cut,
        "actual": verdict.actual,
        "difference": [difference.model_dump(mode="json") for difference in verdict.differences],
        "status": verdict.status,
        "detail": verdict.detail,
    }


def _attempt(attempt: Attempt) -> dict[str, Any]:
    return {
        "number": attempt.number,
        "rung": attempt.rung,
        "line": attempt.line,
        "source": attempt.source,
        "passed": attempt.passed,
        "cases": len(attempt.verdicts),
        "findings": list(attempt.findings),
        "vetoes": list(attempt.vetoes),
        "advice": list(attempt.advice),
        "mended": list(attempt.mended),
        "objections": [objection.model_dump(mode="json") for objection in attempt.objections],
    }
