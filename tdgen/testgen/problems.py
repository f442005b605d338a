"""What is wrong with a test author's cases, as far as reading tells; running them tells the rest."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import PurePosixPath

from tdgen.source.syntax import expression_or_none, literal_or, parse, parses
from tdgen.source.trees import names_in
from tdgen.testgen.class_problems import class_faults, uses_public
from tdgen.types import (
    Case,
    Check,
    Exits,
    Expectation,
    ExpectedException,
    FunctionSpec,
    Value,
    argument_value,
)

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
MOST_OBSERVED = 1024 * 1024
MOST_BYTES = MOST_OBSERVED // 4 * 3
"""They are told in base64."""
"""Characters of a stream or a file: as many as a run tells, `Limits.output_kb`."""
WIDEST_TOLERANCE = 0.5
"""Relative. From 1 on it takes 0, and everything of the same sign near it, for right."""


def faults(cases: Sequence[Case], pinned: Sequence[Case], spec: FunctionSpec) -> dict[str, str]:
    """What is wrong with which case, by name; `pinned` are the user's own examples, which always win."""
    reasons: dict[str, str] = {}
    for case in cases:
        if problem := next(broken(case, spec), None):
            reasons[case.name] = problem
    readable = [case for case in cases if case.name not in reasons]
    return reasons | _clashes(readable, pinned)


def broken(case: Case, spec: FunctionSpec) -> Iterator[str]:
    """What is wrong with one case by itself."""
    for what, source in _expressions(case):
        if expression_or_none(source) is None:
            yield f"the {what} {source!r} is not a Python expression"
            return
    if not parses(case.setup):
        yield "its setup is not valid Python"
        return
    is_named = _mentions(case.setup, spec.name) or _mentions(case.expression.strip(), spec.name)
    if not is_named and not uses_public(case, spec):
        yield f"it never calls {spec.name!r}"
    if isinstance(case.expectation, Check) and not parses(case.expectation.source):
        yield f"the check {case.expectation.source!r} is not valid Python"
    elif isinstance(case.expectation, Check) and not _mentions(case.expectation.source, "result"):
        yield "its check never looks at `result`"
    if isinstance(case.expectation, Value) and not case.expectation.tolerance.rel <= WIDEST_TOLERANCE:
        yield f"a relative tolerance of {case.expectation.tolerance.rel:g} would take nearly anything for right"
    yield from class_faults(case, spec)
    yield from unobservable(case, spec)


def unobservable(case: Case, spec: FunctionSpec) -> Iterator[str]:
    """What of a case can never be done, or never be seen, whatever the code does."""
    yield from _script_problems(case, spec)
    yield from _world_problems(case)
    yield from _observed_problems(case)


def contradict(one: Expectation, other: Expectation) -> bool:
    """Whether no result at all can be what both expect, as far as reading them tells."""
    match one, other:
        case Value(source=a), Value(source=b):
            return _meaning(a) != _meaning(b)
        case ExpectedException(type=a), ExpectedException(type=b):
            # Of two that Python has built in it is known whether one may be both, of others it is believed.
            first, second = (getattr(builtins, name.strip().removeprefix("builtins."), None) for name in (a, b))
            if not (isinstance(first, type) and isinstance(second, type)):
                return False
            return not (issubclass(first, second) or issubclass(second, first))
        case Exits(code=a), Exits(code=b):
            return a != b
        case _:
            return isinstance(one, ExpectedException) != isinstance(other, ExpectedException)


def same(one: Expectation, other: Expectation) -> bool:
    """Whether two expectations say the same."""
    if isinstance(one, Value) and isinstance(other, Value):
        return one.tolerance == other.tolerance and _meaning(one.source) == _meaning(other.source)
    return one == other


def _clashes(cases: Sequence[Case], pinned: Sequence[Case]) -> dict[str, str]:
    """Cases that do what another does and expect something else: both fall, but a pinned one stands."""
    first: dict[str, Case] = {}
    clashes: dict[str, str] = {}
    for case in [*pinned, *cases]:
        earlier = first.setdefault(case.call_key, case)
        if not contradict(earlier.expectation, case.expectation):
            continue
        if earlier.is_pinned:
            clashes[case.name] = f"it contradicts the user's own example {earlier.why or earlier.name!r}"
        else:
            clashes[case.name] = f"it contradicts the case {earlier.name!r} on `{case.done.text}`"
            clashes[earlier.name] = f"it contradicts the case {case.name!r} on `{case.done.text}`"
    return clashes


def _expressions(case: Case) -> Iterator[tuple[str, str]]:
    for argument in case.arguments:
        yield "argument", argument_value(argument)
    yield "call", case.expression
    for after in case.after:
        yield "expression", after.expression
        yield "value", after.source
    match case.expectation:
        case Value(source=source):
            yield "value", source
        case ExpectedException(type=source):
            yield "exception", source


def _mentions(source: str, name: str) -> bool:
    return parses(source) and name in names_in(parse(source))


def _script_problems(case: Case, spec: FunctionSpec) -> Iterator[str]:
    """What can't be where the module is run as a script, in a process of its own that no code of the test reaches."""
    asked = case.expectation
    if case.world.script is None:
        if isinstance(asked, Exits):
            yield "it expects an exit code of what is not run as a script"
        return
    if not isinstance(asked, Exits) or not 0 <= asked.code <= 255:
        yield "a script's exit code is a whole number from 0 to 255"
    if case.setup.strip() or case.after or case.logs is not None:
        yield "what is run as a script has no `setup`, `after` or `logs`: say `world`, `stdout`, `stderr` and `files`"
    if not spec.script_call:
        yield f"{spec.name!r} can't be run as a script: call it"
    if any("\0" in word for word in case.world.script):
        yield "a command line holds no null character"


def _observed_problems(case: Case) -> Iterator[str]:
    """What can never be observed."""
    gives = "error" if isinstance(case.expectation, ExpectedException) else "result"
    for name in {"error", "result"} - {gives}:
        if not _mentions(case.setup, name) and any(_mentions(after.expression, name) for after in case.after):
            yield f"`{name}` in `after` is not there: the call {'raises' if gives == 'error' else 'returns'}"
    texts = {"stdout": case.stdout, "stderr": case.stderr, **case.files}
    for what, text in texts.items():
        if isinstance(text, str) and len(text) > MOST_OBSERVED:
            yield f"{what} is too long to be observed: at most {MOST_OBSERVED:,} characters are"
        if isinstance(text, bytes) and len(text) > MOST_BYTES:
            yield f"{what} is too long to be observed: at most {MOST_BYTES:,} bytes are"
    for record in case.logs or ():
        if record.level not in LEVELS:
            yield f"the level {record.level!r} is none of {', '.join(LEVELS)}"


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


def _meaning(source: str) -> object:
    """What a source says: the value of a literal, so that `2` and `2.0` are one, else its syntax tree."""
    tree = expression_or_none(source)
    if tree is None:
        return source
    return literal_or(tree, ast.dump(tree))
