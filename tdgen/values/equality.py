"""The relation between an expected value and an observed one, on plain data.

Python's `==`, except: True is not 1, at any depth. A float or complex number agrees within the tolerance, by
pytest.approx's rule, and an expected int is exact at any size. NaN agrees with NaN of its type. A dict's order is
free, an OrderedDict's too. An instance of a builtin's subclass is that builtin's value, a named tuple is a tuple, a
member of an IntEnum or StrEnum is its int or str too. Dataclasses and exceptions agree by class and, field by field, by
this relation; an instance of a planned class by class and the public attributes of which the expected one speaks;
other Enums by class and member. Dict keys and set items are compared without a tolerance. What is opaque
agrees with nothing.

Containers agree where they are of one kind and part by part, as `kinds.taken_apart` has them. A number of numpy's is
the number that it is, but neither a bool nor an exact int; where one is expected its dtype counts too, Python's numbers
being int64, float64, complex128 and bool. A Timestamp is the datetime of its moment.

A case and its function's contract set the options: the tolerance, whether ints are exact, whether an order is free.
"""

from __future__ import annotations

import ast
import collections
import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from tdgen.source.syntax import known_expression
from tdgen.types import Call, Case, FunctionSpec, Tolerance, Value
from tdgen.types.base import Frozen
from tdgen.values.keys import Keys, in_order_of
from tdgen.values.kinds import (
    CONTAINERS,
    Iterated,
    Member,
    NaT,
    Opaque,
    Record,
    Scalar,
    known_name,
    taken_apart,
)
from tdgen.values.numbers import MAX_STEPS, Budget, equal, is_nan

MAX_RANGE = 10_000  # a judgement: a longer range is not spelled out as a list
ABSENT = Opaque("", "nothing of that name")
_EXACT = Tolerance(rel=0.0, abs=0.0)


def agrees(expected: Any, actual: Any, relation: Relation) -> bool:
    """Whether the plain value `actual` is what `expected` asks for; TooLong where that costs too much to tell."""
    equality = Equality(relation)
    return equality.parts(*equality.prepared(expected, actual))


class Equality:
    """One comparison under one relation; it remembers which shared parts it has compared.

    The values given to it must stay alive as long as it does.
    """

    def __init__(self, relation: Relation, budget: Budget | None = None) -> None:
        self.relation = relation
        self._budget = budget or Budget(MAX_STEPS)
        self._keys = Keys(self._budget)
        self._known: dict[tuple[int, int], bool] = {}

    def prepared(self, expected: Any, actual: Any) -> tuple[Any, Any]:
        """Both results as they are compared: what is iterated as lists, what is unordered in the expected order.

        Of two results as wholes alone the relation's `iterated` and `unordered` matter.
        """
        if self.relation.iterated:
            expected, actual = _listed(expected), _listed(actual)
        if self.relation.unordered and type(expected) is type(actual) and type(expected) in (list, tuple):
            actual = type(actual)(in_order_of(expected, actual, self.parts, self._keys))
        return expected, actual

    def parts(self, expected: Any, actual: Any) -> bool:
        """Whether two values agree, at any depth."""
        self._budget.spend()
        kinds = {type(expected), type(actual)}
        if Opaque in kinds:
            return False
        if Member in kinds:
            return self._members(expected, actual)
        if bool in kinds:
            return expected is actual or (type(expected) is Scalar and self._scalars(expected, actual))
        if kinds <= _NUMBER_KINDS:
            return self._numbers(expected, actual)
        if kinds.isdisjoint(_WITH_PARTS):
            return (len(kinds) == 1 or kinds <= _BYTES_KINDS) and bool(expected == actual)
        if not _SCALAR_KINDS.isdisjoint(kinds):
            return self._scalars(expected, actual)
        pair = id(expected), id(actual)
        if pair not in self._known:
            self._known[pair] = self._containers(expected, actual)
        return self._known[pair]

    def missing(self, expected: Iterable[Any], actual: Iterable[Any]) -> tuple[list[Any], list[Any]]:
        """What only one of two sets (or two dicts' keys) has: the items missing in the actual, and those too many."""
        waiting: dict[str, list[Any]] = collections.defaultdict(list)
        for item in actual:
            waiting[self._keys.of(item)].append(item)
        exact = self._exact()
        absent = []
        for item in expected:
            same = waiting.get(self._keys.of(item))
            if same and exact.parts(item, same[-1]):
                same.pop()
            else:
                absent.append(item)
        return absent, [item for same in waiting.values() for item in same]

    def _exact(self) -> Equality:
        """The same relation without a tolerance."""
        return Equality(Relation(tolerance=_EXACT, exact_int=self.relation.exact_int), self._budget)

    def _members(self, expected: Any, actual: Any) -> bool:
        """An Enum's member with anything: as its builtin where it has one mixed in, else by class and name."""
        bases = [x.base if type(x) is Member and x.mixed else x for x in (expected, actual)]
        if any(base is not x for base, x in zip(bases, (expected, actual), strict=True)):
            return self.parts(*bases)
        are_members = type(expected) is type(actual) is Member
        if not are_members or known_name(expected.class_name) != known_name(actual.class_name):
            return False
        return expected.name == actual.name if expected.name else self.parts(expected.value, actual.value)

    def _numbers(self, expected: Any, actual: Any) -> bool:
        if self.relation.exact_int and type(expected) is int and type(actual) is not int:
            return False
        if type(expected) is float and type(actual) in (int, float):
            return _close(expected, actual, self.relation.tolerance)
        if type(expected) is type(actual) is complex:
            return _near(expected, actual, self.relation.tolerance)
        if is_nan(expected) or is_nan(actual):
            return type(expected) is type(actual) and is_nan(expected) and is_nan(actual)
        return equal(expected, actual, self._budget)

    def _scalars(self, expected: Any, actual: Any) -> bool:
        """One of numpy's values without parts, or NaT, with anything."""
        value = actual.value if type(actual) is Scalar else actual
        if type(expected) is Scalar:
            dtype = actual.dtype if type(actual) is Scalar else _NATURAL.get(type(actual))
            return expected.dtype == dtype and self.parts(expected.value, value)
        if type(actual) is Scalar:
            is_exact = self.relation.exact_int and type(expected) is int
            return not is_exact and not actual.dtype.startswith(_COUNTED) and self.parts(expected, value)
        return type(expected) is type(actual)

    def _containers(self, expected: Any, actual: Any) -> bool:
        if type(expected) is type(actual) is Record and expected.kind == actual.kind == "instance":
            same = known_name(expected.class_name) == known_name(actual.class_name)
            return same and all(self.parts(e, a) for _, e, a in fields_of(expected, actual))
        left, right = taken_apart(expected), taken_apart(actual)
        if left is None or right is None or left.head != right.head or len(left.items) != len(right.items):
            return False
        if left.kind == "set":
            return self.missing(left.items, right.items) == ([], [])
        return (
            self._dicts(left.items, right.items)
            if left.kind == "dict"
            else all(map(self.parts, left.items, right.items))
        )

    def _dicts(self, expected: Sequence[Any], actual: Sequence[Any]) -> bool:
        waiting: dict[str, list[Any]] = collections.defaultdict(list)
        for pair in actual:
            waiting[self._keys.of(pair[0])].append(pair)
        exact = self._exact()
        for key, value in expected:
            same = waiting.get(self._keys.of(key), [])
            for place, (other, held) in enumerate(same):
                if exact.parts(key, other) and self.parts(value, held):
                    del same[place]
                    break
            else:
                return False
        return True


def _close(expected: float, actual: float, tolerance: Tolerance) -> bool:
    """pytest.approx's rule for one number, NaN being equal to NaN."""
    if actual == expected or (is_nan(expected) and is_nan(actual)):
        return True
    try:
        if math.isinf(expected) or math.isinf(actual):
            return False
        return abs(expected - actual) <= max(tolerance.rel * abs(expected), tolerance.abs)
    except OverflowError:  # an int beyond all floats
        return False


def _near(expected: complex, actual: complex, tolerance: Tolerance) -> bool:
    """The same for complex numbers: within a tolerance of the whole number's size."""
    if any(map(math.isnan, (expected.real, expected.imag, actual.real, actual.imag))):
        pairs = ((expected.real, actual.real), (expected.imag, actual.imag))
        return all(e == a or (is_nan(e) and is_nan(a)) for e, a in pairs)
    size = math.hypot(expected.real, expected.imag)
    distance = math.hypot(expected.real - actual.real, expected.imag - actual.imag)
    return expected == actual or (math.isfinite(size) and distance <= max(tolerance.rel * size, tolerance.abs))


def _listed(value: Any) -> Any:
    """What an iterable yields, as a list; an endless one stays what it is, and a set or str is no sequence."""
    if type(value) is Iterated:
        return Iterated("", value.items, more=True) if value.more else list(value.items)
    if type(value) is Record and value.kind == "namedtuple":
        return list(value.items)
    short = type(value) is range and value[MAX_RANGE:] == range(0)
    return list(value) if short or type(value) in (tuple, collections.deque) else value


_NUMBER_KINDS = {int, float, complex, Decimal, Fraction}
_BYTES_KINDS = {bytes, bytearray}
_SCALAR_KINDS = {Scalar, NaT}
_WITH_PARTS = CONTAINERS | _SCALAR_KINDS
_NATURAL: dict[type, str] = {
    bool: "bool",
    int: "int64",
    float: "float64",
    complex: "complex128",
    str: "str",
    bytes: "bytes",
}
_COUNTED = ("datetime64", "timedelta64")


def fields_of(expected: Record, actual: Record) -> list[tuple[str, Any, Any]]:
    """The fields of which an expected instance speaks, each with both values; ABSENT where the actual has none."""
    held = dict(actual.fields)
    return [(name, value, held.get(name, ABSENT)) for name, value in expected.fields]


_ITERATORS = frozenset(
    {"Iterator", "Iterable", "Generator", "AsyncIterator", "AsyncIterable", "AsyncGenerator", "Reversible"}
)
_WRAPPERS = frozenset({"Optional", "Union", "Annotated", "Final"})
_SCALARS = frozenset(
    {"int", "bool", "str", "bytes", "bytearray", "None", "NoneType", "range", "slice", "type", "Literal"}
)
_BUILTINS = frozenset({"list", "tuple", "set", "frozenset", "dict", "List", "Tuple", "Set", "FrozenSet", "Dict"})
_COLLECTIONS = frozenset({"deque", "Deque", "defaultdict", "DefaultDict", "OrderedDict", "Counter", "AbstractSet"})
_SEQUENCES = frozenset(
    {"Sequence", "MutableSequence", "Collection", "Container", "MutableSet", "Awaitable", "Coroutine"}
)
_MAPPINGS = frozenset({"Mapping", "MutableMapping", "KeysView", "ValuesView", "ItemsView"})
_LIBRARY = frozenset({"date", "datetime", "time", "timedelta", "Path", "PurePath", "UUID"})
_MODULES = frozenset({"typing", "collections", "abc", "t", "datetime", "pathlib", "uuid"})
_NEVER_FRACTIONAL = frozenset[str]().union(
    _ITERATORS, _WRAPPERS, _SCALARS, _BUILTINS, _COLLECTIONS, _SEQUENCES, _MAPPINGS, _LIBRARY, _MODULES
)


class Relation(Frozen):
    """How an expected value and an observed one are compared.

    `exact_int`: where an int is expected, 2.0 is not 2. `unordered`: the order of the outermost list's or tuple's
    items is free. `iterated`: iterators, views, lists and tuples are compared by the items that they yield.
    """

    tolerance: Tolerance = Tolerance()
    exact_int: bool = False
    unordered: bool = False
    iterated: bool = False


def relation_for(
    spec: FunctionSpec,
    tolerance: Tolerance = Tolerance(),  # noqa: B008
    annotation: str | None = None,
) -> Relation:
    """The relation for what `spec` returns, or for what another annotation says. `tolerance` is the case's.

    Ints are exact where the annotation speaks of int and of nothing that may hold another number: neither float,
    complex, Decimal, Fraction, Any or object, nor a declared type, whose fields it doesn't show.
    """
    tree = _parsed(spec.returns.type if annotation is None else annotation)
    names = _names(tree)
    return Relation(
        tolerance=tolerance,
        exact_int="int" in names and names <= _NEVER_FRACTIONAL,
        unordered=spec.returns.unordered,
        iterated=any(name in _ITERATORS for name in _outermost(tree)),
    )


def relation_of_case(case: Case, spec: FunctionSpec) -> Relation:
    """The relation for what the call of `case` returns.

    A call that is an expression around the function's (`list(islice(f(), 5))`) returns another type than the function,
    so that the annotation says nothing of it; the order of the items stays as free as it was.
    """
    tolerance = case.expectation.tolerance if isinstance(case.expectation, Value) else Tolerance()
    return relation_of_call(case.done, spec, tolerance)


def relation_of_call(call: Call, spec: FunctionSpec, tolerance: Tolerance = Tolerance()) -> Relation:  # noqa: B008
    """The relation for what `call` returns, whatever is expected of it; a class's by the method that it calls."""
    tree = _parsed(call.expression)
    if spec.interface:
        return relation_for(spec, tolerance, spec.interface.gives(tree))
    if isinstance(tree, ast.Call) and _last_name(tree.func) == spec.name:
        return relation_for(spec, tolerance)
    return Relation(tolerance=tolerance, unordered=spec.returns.unordered)


def _parsed(annotation: str) -> ast.expr:
    return known_expression(annotation) or ast.Constant(None)


def _names(tree: ast.expr) -> frozenset[str]:
    """Every name in an annotation, those in quotes included; what a Literal lists is no name."""
    names: set[str] = set()
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            pending.append(_parsed(node.value))
        if isinstance(node, ast.Subscript) and _last_name(node.value) == "Literal":
            names.add("Literal")
            names.update(type(item.value).__name__ for item in ast.walk(node.slice) if isinstance(item, ast.Constant))
        else:
            pending.extend(ast.iter_child_nodes(node))
    return frozenset(names)


def _outermost(tree: ast.expr) -> list[str]:
    """The names of the type itself, or of each alternative of a union."""
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        return _outermost(_parsed(tree.value))
    members: list[ast.expr] = []
    while isinstance(tree, ast.BinOp):  # `a | b | c` is nested as deep as it has members
        members.append(tree.right)
        tree = tree.left
    if members:
        return [name for member in (tree, *reversed(members)) for name in _outermost(member)]
    if isinstance(tree, ast.Subscript):
        if _last_name(tree.value) in _WRAPPERS:
            parts = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
            return [name for part in parts for name in _outermost(part)]
        return [_last_name(tree.value)]
    return [_last_name(tree)]


def _last_name(tree: ast.expr) -> str:
    if isinstance(tree, ast.Attribute):
        return tree.attr
    return tree.id if isinstance(tree, ast.Name) else ""
