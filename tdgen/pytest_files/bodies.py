"""A test's body read from top to bottom: what each of its asserts claims, and the statements that lead to it."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from tdgen.pytest_files.claims import Said, expected_exception, is_assertion, said
from tdgen.pytest_files.origins import Origins, substituted
from tdgen.source.syntax import is_constant
from tdgen.source.trees import Unread, bound_names, dotted, read_names
from tdgen.types import Check, Expectation, ExpectedException, Value

_HARMLESS = frozenset({"abs", "float", "int", "len", "max", "min", "range", "round", "sorted", "str", "sum"}).union(
    ("list", "tuple", "dict", "set", "frozenset")
)
_STEPS = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Import, ast.ImportFrom)


class Claim(NamedTuple):
    """What is called after which statements, and what is expected of it."""

    setup: tuple[ast.stmt, ...]
    call: ast.expr
    expectation: Expectation
    why: str = ""


class _Step(NamedTuple):
    """A statement that came before, and the name it binds to what a function under test gave, if it does."""

    statement: ast.stmt
    subject: str = ""
    value: ast.expr | None = None


def read_body(body: Iterable[ast.stmt], origins: Origins) -> list[Claim]:
    """The claims of a test, in order; Unread where a statement is of another kind, or none of them claims anything."""
    reader = _Reader(origins)
    for statement in body:
        reader.read(statement)
    if not reader.claims:
        raise Unread("it asserts nothing of a function under test")
    # a call that is expected to give two values has a memory, and none of its claims holds by itself
    values: dict[str, str] = {}
    for claim in reader.claims:
        if isinstance(claim.expectation, Value):
            does = "\n".join(map(ast.unparse, (*claim.setup, claim.call)))
            if values.setdefault(does, claim.expectation.source) != claim.expectation.source:
                raise Unread("one call gives two values")
    return reader.claims


@dataclass(eq=False)
class _Reader:
    """The statements read so far, and the claims found among them."""

    origins: Origins
    steps: list[_Step] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)

    def read(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Assert):
            why = statement.msg.value if isinstance(statement.msg, ast.Constant) else ""
            for test in _conjuncts(statement.test):
                self._claim(test, why if isinstance(why, str) else "")
        elif isinstance(statement, ast.With):
            expectation, call = expected_exception(statement, self.origins)
            self._add(call, expectation, len(self.steps), "")
        elif isinstance(statement, _STEPS):
            self.steps.append(self._step(statement))
        elif isinstance(statement, ast.Expr) and is_assertion(statement.value):
            self._claim(statement.value, "")
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            self.steps.append(_Step(statement))
        elif not isinstance(statement, ast.Pass) and not is_constant(statement):
            raise Unread(f"it has a statement of the kind {type(statement).__name__.lower()}")

    def _step(self, statement: ast.stmt) -> _Step:
        if not isinstance(statement, ast.Assign) or not self.origins.calls(statement.value):
            return _Step(statement)
        target = statement.targets[0]
        name = target.id if len(statement.targets) == 1 and isinstance(target, ast.Name) else ""
        return _Step(statement, name, statement.value if name else None)

    def _claim(self, test: ast.expr, why: str) -> None:
        if self.origins.calls(test):
            claimed = said(test, self.origins)
            self._add(claimed.call, claimed, len(self.steps), why)
            self.steps.append(_Step(ast.Expr(claimed.call)))
            return
        number = self._subject(test)
        step = self.steps[number]
        assert step.value is not None
        about = substituted(test, {step.subject: ast.Name("result", ast.Load())})
        claimed = said(about, self.origins, step.value)
        self._add(claimed.call, claimed, number, why)

    def _subject(self, test: ast.expr) -> int:
        """The number of the step whose result `test` is about."""
        read = read_names(test)
        numbers = {step.subject: number for number, step in enumerate(self.steps) if step.subject in read}
        if len(numbers) != 1:
            raise Unread("it asserts something that is not about one call")
        name, number = numbers.popitem()
        if any(name in read_names(s.statement) | bound_names(s.statement) for s in self.steps[number + 1 :]):
            raise Unread(f"{name} is used between the call and the assert")
        return number

    def _add(self, call: ast.expr, what: Said | ExpectedException, before: int, why: str) -> None:
        origins = self.origins
        setup = self._leading_to(read_names(call), before)
        bound = {name for statement in setup for name in bound_names(statement)}
        if isinstance(what, ExpectedException):
            expectation: Expectation = what
        elif what.value is not None:
            value = self._inlined(what.value)
            _require(origins, read_names(value), set())
            expectation = Value(source=ast.unparse(value), tolerance=what.tolerance)
        else:
            names = read_names(what.check) - {"result"}
            setup = self._leading_to(read_names(call) | names, before)
            bound = {name for statement in setup for name in bound_names(statement)}
            if names & bound and not all(map(origins.is_free, setup)):
                raise Unread("its check needs what a function under test gave")
            _require(origins, names, bound | bound_names(what.check))
            expectation = Check(source=ast.unparse(what.check))
        for part in (call, *setup):
            _require(origins, read_names(part), bound | bound_names(part))
        self.claims.append(Claim(tuple(setup), call, expectation, why))

    def _leading_to(self, names: set[str], before: int) -> list[ast.stmt]:
        """The statements before that touch `names`, or what those statements touch: all that the names depend on."""
        local = {name for step in self.steps for name in bound_names(step.statement)}
        needed, statements = names & local, list[ast.stmt]()
        for step in reversed(self.steps[:before]):
            touched = (bound_names(step.statement) | read_names(step.statement)) & local
            if _decides(step.statement, needed):
                needed |= touched
                statements.append(step.statement)
        return statements[::-1]

    def _inlined(self, value: ast.expr) -> ast.expr:
        """An expected value with the local names in it replaced by what they are bound to."""
        for _ in range(len(self.steps) + 1):
            names = read_names(value) & {n for step in self.steps for n in bound_names(step.statement)}
            if not names:
                break
            value = substituted(value, {name: self._constant(name) for name in names})
        if not self.origins.is_free(value):
            raise Unread("what it expects is computed by a function under test")
        return value

    def _constant(self, name: str) -> ast.expr:
        """What a local name is bound to, where it is bound once and nothing else touches it."""
        # a bare call could change in place what it reads
        touching = [
            statement
            for statement, *_ in self.steps
            if name in bound_names(statement) or (isinstance(statement, ast.Expr) and name in read_names(statement))
        ]
        if len(touching) != 1 or not isinstance(touching[0], ast.Assign | ast.AnnAssign) or not touching[0].value:
            raise Unread(f"{name} is not one plain value")
        target = touching[0].targets[0] if isinstance(touching[0], ast.Assign) else touching[0].target
        if not isinstance(target, ast.Name) or name in read_names(touching[0].value):
            raise Unread(f"{name} is not one plain value")
        return touching[0].value


def _decides(statement: ast.stmt, names: set[str]) -> bool:
    """Whether the statement binds one of the names, or could change what one of them is bound to."""
    if bound_names(statement) & names:
        return True
    calls = {dotted(node.func) for node in ast.walk(statement) if isinstance(node, ast.Call)}
    return bool(read_names(statement) & names) and not calls <= _HARMLESS


def _require(origins: Origins, names: set[str], bound: set[str]) -> None:
    for name in sorted(names - bound):
        if not origins.knows(name):
            raise Unread(f"{name} is not known to a case")


def _conjuncts(test: ast.expr) -> list[ast.expr]:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return [part for value in test.values for part in _conjuncts(value)]
    return [test]
