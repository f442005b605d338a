"""What is wrong with a test author's cases, as far as reading tells; running them tells the rest."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import PurePosixPath

from tdgen.types import Case, Check, ExpectedException, FunctionSpec, Value


def faults(cases: Sequence[Case], law: Sequence[Case], spec: FunctionSpec) -> dict[str, str]:
    """What is wrong with which case, by name; `law` are the user's own examples, which always win."""
    found: dict[str, str] = {}
    for case in cases:
        if problem := next(broken(case, spec), None):
            found[case.name] = problem
    readable = [case for case in cases if case.name not in found]
    return found | _clashes(readable, law)


def broken(case: Case, spec: FunctionSpec) -> Iterator[str]:
    """What is wrong with one case by itself."""
    for what, source in _expressions(case):
        if not parses(source, "eval"):
            yield f"the {what} {source!r} is not a Python expression"
            return
    if not parses(case.setup, "exec"):
        yield "its setup is not valid Python"
        return
    if not _mentions(case.setup + "\n" + case.expression, spec.name):
        yield f"it never calls {spec.name!r}"
    if isinstance(case.expectation, Check) and not parses(case.expectation.source, "exec"):
        yield f"the check {case.expectation.source!r} is not valid Python"
    elif isinstance(case.expectation, Check) and not _mentions(case.expectation.source, "result"):
        yield "its check never looks at `result`"
    yield from _world_problems(case)


def _clashes(cases: Sequence[Case], law: Sequence[Case]) -> dict[str, str]:
    """Cases that do what another does and expect something else: both fall, but law stands."""
    first: dict[str, Case] = {}
    found: dict[str, str] = {}
    for case in [*law, *cases]:
        earlier = first.setdefault(case.situation, case)
        if _meaning(earlier) == _meaning(case):
            continue
        if earlier.is_law:
            found[case.name] = f"it contradicts the user's own example {earlier.why or earlier.name!r}"
        else:
            found[case.name] = f"it contradicts the case {earlier.name!r} on `{case.expression}`"
            found[earlier.name] = f"it contradicts the case {case.name!r} on `{case.expression}`"
    return found


def parses(source: str, mode: str) -> bool:
    """Whether `source` is Python; what would overflow the parser is not."""
    try:
        ast.parse(source.strip() if mode == "eval" else source, mode=mode)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True


def _expressions(case: Case) -> Iterator[tuple[str, str]]:
    for argument in case.arguments:
        yield "argument", argument.partition("=")[2] if _is_keyword(argument) else argument
    yield "call", case.expression
    for after in case.after:
        yield "expression", after.expression
        yield "value", after.source
    match case.expectation:
        case Value(source=source):
            yield "value", source
        case ExpectedException(type=source):
            yield "exception", source


def _is_keyword(argument: str) -> bool:
    name, equals, rest = argument.partition("=")
    return bool(equals) and name.strip().isidentifier() and not rest.startswith("=")


def _mentions(source: str, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(ast.parse(source)))


def _world_problems(case: Case) -> Iterator[str]:
    for path in (*case.world.files, *case.files):
        pure = PurePosixPath(path)
        if pure.is_absolute() or ".." in pure.parts or not pure.parts or "\0" in path:
            yield f"the file {path!r} is not inside the working directory"
    for name in case.world.environment:
        if not name or "=" in name or "\0" in name:
            yield f"{name!r} can't name an environment variable"
    if case.world.clock is not None:
        try:
            datetime.fromisoformat(case.world.clock)
        except ValueError:
            yield f"the clock {case.world.clock!r} is not an ISO 8601 time"


def _meaning(case: Case) -> str:
    if isinstance(case.expectation, Value) and parses(case.expectation.source, "eval"):
        return ast.dump(ast.parse(case.expectation.source.strip(), mode="eval"))
    return repr(case.expectation)
