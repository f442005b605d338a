"""What was observed, and how it differs, in words that a model and a person understand.

DeepDiff walks both values, and one custom operator says what agrees. DeepDiff's own notion of equality merges True with
1 and knows no relative tolerance, so it decides nothing here: the operator prunes every part that agrees by
`tdgen.values.equality`, and tells what doesn't.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from tdgen.types import Difference, Observation, Raised, Wire, data_of
from tdgen.values.decode import decode
from tdgen.values.equality import Equality, Relation, fields_of
from tdgen.values.kinds import TABULAR, Frame, Iterated, Opaque, Record, item_of, known_name, table_parts, taken_apart
from tdgen.values.numbers import TooLong
from tdgen.values.readers import Unreadable
from tdgen.values.show import LIMIT, brief, clean, cut, show, show_wire

_BEFORE, _AFTER = 30, 90
_BYTES_BEFORE, _BYTES_SHOWN = 4, 16
_ENDINGS = {
    "timeout": "did not end in time",
    "died": "died",
    "unreadable": "came to what can't be told as data",
    "not_run": "was not run",
}


def outcome(observation: Observation) -> str:
    """What a call did: `returned 3`, `raised KeyError: 'x'`, `died: killed by SIGSEGV`."""
    detail = brief(observation.detail, 300)
    if observation.status == "returned":
        return f"returned {show_wire(observation.value)}"
    if observation.status == "raised" and observation.raised is not None:
        return f"raised {exception(observation.raised)}"
    if observation.status == "timeout" and detail:
        return detail
    ending = _ENDINGS.get(observation.status, "raised what can't be told")
    because = f" ({exception(observation.raised)})" if observation.raised is not None else ""
    return (f"{ending}: {detail}" if detail else ending) + because


def exception(raised: Raised) -> str:
    """An exception as Python prints it: its class, without `builtins`, and its message."""
    if raised.exit_code is not None:
        return f"SystemExit, which ends with exit code {raised.exit_code}"
    name = brief(raised.type.removeprefix("builtins."), 80)
    message = brief(raised.message, 200)
    return f"{name}: {message}" if message else name


def text_difference(where: str, expected: str | bytes, actual: str | bytes) -> Difference:
    """The difference between two contents that are not equal; of long ones, what is around the first that differs."""
    if isinstance(expected, bytes) or isinstance(actual, bytes):
        return _bytes_difference(where, data_of(expected), data_of(actual))
    told: list[str] = []
    if "" != expected.rstrip("\n") == actual.rstrip("\n"):  # of nothing but line ends the literal says more
        for text in (expected, actual):
            body = text.rstrip("\n")
            count = len(text) - len(body)
            how = {0: "no line end", 1: "one line end"}.get(count, f"{count} line ends")
            told.append(f"{clean(repr(body[-60:]))} with {how} after it")
        return Difference(where=where, expected=told[0], actual=told[1])
    if max(len(expected), len(actual)) <= LIMIT - 2:
        return Difference(where=where, expected=clean(repr(expected)), actual=clean(repr(actual)))
    pairs = enumerate(zip(expected, actual, strict=False))
    place = next((place for place, (e, a) in pairs if e != a), min(len(expected), len(actual)))
    start, end = max(place - _BEFORE, 0), place + _AFTER
    for text in (expected, actual):
        shown = f"{'…' if start else ''}{clean(repr(text[start:end]))}{'…' if end < len(text) else ''}"
        told.append(f"{shown} at character {place}")
    return Difference(where=where, expected=told[0], actual=told[1])


def _bytes_difference(where: str, expected: bytes, actual: bytes) -> Difference:
    """The same of bytes: how many there are, and those from a little before the first that differs, in hex."""
    pairs = enumerate(zip(expected, actual, strict=False))
    place = next((place for place, (e, a) in pairs if e != a), min(len(expected), len(actual)))
    start = max(place - _BYTES_BEFORE, 0)

    dumped: list[str] = []
    for data in (expected, actual):
        row = data[start : start + _BYTES_SHOWN]
        more = " …" * (start + len(row) < len(data))
        dumped.append(f"{len(data):,} bytes, from byte {start}: {row.hex(' ')}{more} {row!r}")
    return Difference(where=where, expected=dumped[0], actual=dumped[1])


MAX_DIFFERENCES = 5
MAX_WHERE = 120
_ORDERED = (list, tuple, collections.deque)
_HEADS = (".dtype", ".shape", ".columns", ".index")


def differences(expected: Wire, actual: Wire, relation: Relation) -> tuple[Difference, ...]:
    """What of the `actual` wire is not as the `expected` one asks; empty where they agree.

    At most MAX_DIFFERENCES are told. Raises Unreadable (a ValueError) where the expected wire can't be read; an actual
    one that can't be is a difference.
    """
    wanted = decode(expected)
    try:
        observed = decode(actual)
    except Unreadable as error:
        return (
            Difference(where="", expected=show(wanted), actual=f"a value that can't be read: {brief(str(error), 200)}"),
        )
    return plain_differences(wanted, observed, relation)


def plain_differences(expected: Any, actual: Any, relation: Relation) -> tuple[Difference, ...]:
    """The same for two values that are decoded already.

    Two that can't be compared differ: at a bounded cost, or at all, as a hostile value may make what compares it fail.
    """
    agreement = Equality(relation)
    try:
        wanted, observed = agreement.prepared(expected, actual)
        if agreement.parts(wanted, observed):
            return ()
        found, why = _walk(wanted, observed, agreement), ""
    except (TooLong, RecursionError):
        found, why = (), " (too large to compare)"
    except Exception as error:  # noqa: BLE001 - the actual value is hostile
        found, why = (), f" (it can't be compared: {type(error).__name__})"
    summary = _difference("", expected, actual)
    return found or (summary.model_copy(update={"actual": summary.actual + why}),)


def _walk(expected: Any, actual: Any, agreement: Equality) -> tuple[Difference, ...]:
    """The differences between the parts of two values that don't agree; none where one of them has no parts."""
    if not (taken_apart(expected) and taken_apart(actual)):
        return ()
    from deepdiff import DeepDiff  # a third of a second: only where parts of both may agree

    operator = _Operator(agreement)
    DeepDiff(
        expected,
        actual,
        custom_operators=[operator],
        zip_ordered_iterables=True,
        ignore_private_variables=False,
        threshold_to_diff_deeper=0,
        view="tree",
    )
    return tuple(operator.found)


@dataclass(eq=False)
class _Operator:
    """Prunes what agrees, tells what doesn't, and narrows containers of one shape to the parts that differ."""

    agreement: Equality
    found: list[Difference] = field(default_factory=list)

    def match(self, level: Any) -> bool:
        """Every level is this operator's."""
        return True

    def give_up_diffing(self, level: Any, diff_instance: Any) -> bool:
        """Whether DeepDiff need not look any further at `level`; where it must, only the parts that differ are left."""
        expected, actual = level.t1, level.t2
        if len(self.found) >= MAX_DIFFERENCES or self.agreement.parts(expected, actual):
            return True
        where = _where(level)
        left, right = taken_apart(expected), taken_apart(actual)
        if left and right and left.kind == "set" and left.head == right.head:
            missing, extra = self.agreement.missing(left.items, right.items)
            there = "{} among the items".format
            pairs = [(there(show(item)), "missing") for item in missing[:MAX_DIFFERENCES]]
            pairs += [("no such item", there(show(item))) for item in extra[:MAX_DIFFERENCES]]
            self._tell(*(Difference(where=where, expected=one, actual=other) for one, other in pairs))
            return True
        parts = self._parts(where, expected, actual)
        if parts is None:
            self._tell(_difference(where, expected, actual))
            return True
        holder = _Fields if type(expected) is Record else dict
        level.t1 = holder({label: e for label, e, _ in parts})
        level.t2 = holder({label: a for label, _, a in parts})
        return False

    def _parts(self, where: str, expected: Any, actual: Any) -> list[_Part] | None:
        """The parts of two containers of one shape that differ, the first of them; None for anything else."""
        if type(expected) is type(actual) is dict:
            missing, extra = self.agreement.missing(expected, actual)
            keys = [(key, show(expected[key]), "no such key") for key in missing[:MAX_DIFFERENCES]]
            keys += [(key, "no such key", show(actual[key])) for key in extra[:MAX_DIFFERENCES]]
            for key, one, other in keys:
                self._tell(Difference(where=f"{where}[{show(key, 60)}]", expected=one, actual=other))
            return self._differing((key, value, actual[key]) for key, value in expected.items() if key in actual)
        if type(expected) is not type(actual):
            return None
        if type(expected) is Record:
            return self._record_parts(expected, actual)
        if type(expected) in TABULAR:
            return self._table_parts(where, expected, actual)
        if type(expected) not in (*_ORDERED, Iterated):
            return None
        left, right = (value.items if type(value) is Iterated else value for value in (expected, actual))
        parts = self._differing(zip(range(len(left)), left, right, strict=False))
        if len(left) == len(right) and parts:
            return parts
        counts = ["1 item: " if len(items) == 1 else f"{len(items)} items: " for items in (left, right)]
        self._tell(_difference(where, expected, actual, *counts))
        return parts[:1]  # after an item too many all that follow differ

    def _record_parts(self, expected: Record, actual: Record) -> list[_Part] | None:
        """The fields of two records of one class that differ."""
        if expected.kind != actual.kind or known_name(expected.class_name) != known_name(actual.class_name):
            return None
        if expected.kind == "instance":
            return self._differing(fields_of(expected, actual))
        if [name for name, _ in expected.fields] != [name for name, _ in actual.fields]:
            return None
        fields = zip(expected.fields, actual.fields, strict=True)
        return self._differing((name, e, a) for (name, e), (_, a) in fields)

    def _table_parts(self, where: str, expected: Any, actual: Any) -> list[_Part]:
        """The first parts of two arrays or tables that don't agree, up to one after which nothing can be compared."""
        parts: list[_Part] = []
        for (place, e), (_, a) in zip(table_parts(expected), table_parts(actual), strict=False):
            if self.agreement.parts(e, a):
                continue
            if place == ".shape":
                self._tell(_difference(f"{where}{place}", e, a))
            else:
                parts.append((_Words(_place_text(expected, place)), e, a))
            if place in _HEADS or len(parts) == MAX_DIFFERENCES:
                break
        return parts

    def _differing(self, parts: Iterable[_Part]) -> list[_Part]:
        """The first of `parts` that don't agree."""
        return list(islice((part for part in parts if not self.agreement.parts(part[1], part[2])), MAX_DIFFERENCES))

    def _tell(self, *differences: Difference) -> None:
        self.found.extend(differences[: MAX_DIFFERENCES - len(self.found)])


_Part = tuple[Any, Any, Any]


class _Fields(dict[str, Any]):
    """A record's fields by name, for DeepDiff to walk."""


class _Words(str):
    """A place in an array or a table, as it is read."""

    __slots__ = ()


def _difference(where: str, expected: Any, actual: Any, text: str = "", actual_type: str = "") -> Difference:
    """Two values that differ, each after its words; where they look the same, with what they are."""
    if type(expected) is type(actual) is str:
        return text_difference(where, expected, actual)
    texts = show(expected), show(actual)
    if type(actual) is Opaque:
        actual_type, texts = "", (texts[0], f"{texts[1]}, which equals nothing")
    elif texts[0] == texts[1] and not text:
        text, actual_type = f"{type(expected).__name__}: ", f"{type(actual).__name__}: "
    return Difference(where=where, expected=text + texts[0], actual=actual_type + texts[1])


def _where(level: Any) -> str:
    """The way from the top to `level`: `[2]['name'].x`."""
    steps: list[str] = []
    while level.up is not None:
        level = level.up
        label = level.t1_child_rel.param
        if type(label) is _Words:
            steps.append(label)
        else:
            steps.append(f".{brief(label, 80)}" if type(level.t1) is _Fields else f"[{show(label, 60)}]")
    return cut("".join(reversed(steps)).strip(), MAX_WHERE)


def _place_text(table: Any, place: str | int) -> str:
    """Where a part of an array or a table is: `[2, 1]`, `.dtype`, ` column 'x'`."""
    if isinstance(place, str):
        return place
    if type(table) is Frame:
        return f" column {show(item_of(table.columns.values, place), 60)}"
    position: list[int] = []
    for size in reversed(table.shape):
        place, step = divmod(place, size)
        position.insert(0, step)
    return str(position)
