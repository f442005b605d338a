"""The object with which several tests of a class begin, as a fixture of their file."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from tdgen.source.syntax import parse
from tdgen.source.trees import free_names
from tdgen.types import Case, Effects, FunctionSpec, World

FEWEST = 3
"""How many tests must begin alike: for two a fixture is longer than what it saves."""


class SharedObject(NamedTuple):
    """An object by its name in the tests, and the source of the call that makes it."""

    name: str
    made: str
    kind: str

    @property
    def source(self) -> str:
        """The fixture."""
        return f"@pytest.fixture\ndef {self.name}() -> {self.kind}:\n    return {self.made}"

    def begins(self, case: Case, setup: Sequence[ast.stmt]) -> bool:
        """Whether the setup of a case begins by making it, and nothing of it is seen."""
        return bool(setup) and _is_plain(case) and ast.unparse(setup[0]) == f"{self.name} = {self.made}"


def shared_object(cases: Sequence[Case], spec: FunctionSpec, taken: Collection[str]) -> SharedObject | None:
    """What most of a class's cases begin with, where these are enough; `taken` are names that it can't have."""
    if spec.interface is None:
        return None
    found = Counter(one for case in cases for one in _first_object(case, spec) if one.name not in taken)
    most = found.most_common(1)
    return most[0][0] if most and most[0][1] >= FEWEST else None


def _is_plain(case: Case) -> bool:
    """Whether it does not matter when an object is made: nothing surrounds the case, or is observed beside values."""
    return case.world == World() and case.effects == Effects(expectation=case.expectation, after=case.after)


def _first_object(case: Case, spec: FunctionSpec) -> Iterator[SharedObject]:
    """The object of the class that a setup makes first of all."""
    try:
        body = parse(case.setup).body if _is_plain(case) else []
    except SyntaxError:
        return
    match body[:1]:
        case [ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=kind)) as made)]:
            is_known = free_names(made) <= {spec.name, *vars(builtins)}
            if kind == spec.name and is_known and not any(isinstance(node, ast.NamedExpr) for node in ast.walk(made)):
                yield SharedObject(name, ast.unparse(made), kind)
