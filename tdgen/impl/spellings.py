"""In how many ways code may write an input down: as it is, as text, as numbers, as a digest."""

from __future__ import annotations

import ast
import base64
import hashlib
import json
import operator
import zlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tdgen.syntax import literal

_JOINTS = (",", ", ", " ", "", "-", "_", "|", ":", ";", "/")
_LONGEST = 10_000
_LARGEST = 10**12
_FOLDS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


class Opaque(str):
    """An expression that is no literal, by its syntax tree."""

    __slots__ = ()


def value_of(node: ast.expr) -> Any:
    """The value of a literal, of literals in a list or tuple, of sums and products of ints; else its tree, Opaque."""
    try:
        return literal(node)
    except ValueError:
        if isinstance(node, ast.List | ast.Tuple):
            return tuple([value_of(item) for item in node.elts])
        folded = _folded(node)
        return Opaque(ast.dump(node)) if folded is None else folded


def _folded(node: ast.expr) -> int | None:
    if not isinstance(node, ast.BinOp) or type(node.op) not in _FOLDS:
        return None
    parts = [value_of(node.left), value_of(node.right)]
    if any(type(part) is not int or abs(part) > _LARGEST for part in parts):
        return None
    return _FOLDS[type(node.op)](*parts)


def canonical(value: Any) -> str:
    """A text that two values share where a lookup may take one for the other: lists are tuples, 2.0 is 2."""
    if isinstance(value, Opaque):
        return f"<{value}>"
    if isinstance(value, list | tuple):
        return f"({','.join(map(canonical, value))})"
    if isinstance(value, set | frozenset):
        return f"{{{','.join(sorted(map(canonical, value)))}}}"
    if isinstance(value, dict):
        return f"{{{','.join(f'{canonical(k)}:{canonical(v)}' for k, v in value.items())}}}"
    if isinstance(value, float) and value.is_integer():
        return repr(int(value))
    return repr(value)


def is_small(value: Any) -> bool:
    """Whether a value is such as any contract names: nothing, a truth value, a small number, a letter, one of these."""
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, int | float | complex):
        return abs(value) <= 3
    if isinstance(value, str | bytes):
        return len(value) < 2
    if isinstance(value, list | tuple | set | frozenset | dict):
        return len(value) == 0 or (len(value) == 1 and all(map(is_small, value)))
    return False


def spellings(value: Any) -> frozenset[str]:
    """The canonical texts of all the ways in which a value may be written as a key."""
    return frozenset(map(canonical, [value, *_encoded(value)]))


def row_spellings(values: Sequence[Any]) -> frozenset[str]:
    """The same for all of a call's arguments together."""
    joined = [joint.join(map(str, values)) for joint in _JOINTS] + [joint.join(map(repr, values)) for joint in _JOINTS]
    return spellings(tuple(values)) | frozenset(map(canonical, joined))


def _encoded(value: Any) -> Iterator[Any]:
    try:
        text, shown = str(value), repr(value)
    except ValueError:  # an int too long to be told
        return
    if isinstance(value, Opaque) or len(shown) > _LONGEST:
        return
    if isinstance(value, str):
        yield from (text.lower(), text.upper(), text.strip(), text[::-1], tuple(map(ord, text)))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from _of_items(list(value))
    for told in dict.fromkeys((text, shown, _as_json(value))):
        yield told
        yield from _digests(told.encode("utf-8", "surrogatepass"))
    if not isinstance(value, str) and "'" not in shown:
        yield from _hashes(value)


def _of_items(items: list[Any]) -> Iterator[Any]:
    yield from (frozenset(map(canonical, items)), tuple(map(str, items)))
    yield from (joint.join(map(str, items)) for joint in _JOINTS)
    try:
        yield sorted(items)
    except TypeError:
        return


def _digests(data: bytes) -> Iterator[Any]:
    yield data
    yield from (hashlib.new(name, data, usedforsecurity=False).hexdigest() for name in ("md5", "sha1", "sha256"))
    yield from (zlib.crc32(data), zlib.adler32(data), data.hex(), int.from_bytes(data, "big"), list(data))
    yield from (base64.b64encode(data), base64.b64encode(data).decode())


def _hashes(value: Any) -> Iterator[Any]:
    """Python's own hashes of what holds no text: they are the same in every process."""
    for thing in (value, tuple(value) if isinstance(value, list) else value):
        try:
            yield hash(thing)
        except TypeError:
            continue


def _as_json(value: Any) -> str:
    try:
        return json.dumps(value)
    except (TypeError, ValueError):
        return ""
