"""A call taken apart into slots, the values that it spells out, and put together again with others.

A whole argument that can be read is one slot, under its parameter's name: so are the arguments of the function inside
a larger call (`asyncio.run(f(5))`). Otherwise the largest readable parts of a source are its slots: the 5 of
`list(islice(f(), 5))`. A file's text, stdin, the clock and an environment's value are slots too. What is computed
(`10**6`, `'a' * 1000`) is none: its parts mean something else than they say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tdgen.inputs.literals import Unreadable, read, written
from tdgen.replies.lines import line_starts
from tdgen.syntax import parse
from tdgen.types import Call, Case, FunctionSpec, SharedType, World
from tdgen.values.shapes import UNKNOWN, Shape, shape_of

_CLOSED = (ast.BinOp, ast.JoinedStr, ast.Import, ast.ImportFrom, ast.Lambda)
_FILE_CALLS = frozenset({"open", "read_text", "write_text", "encode", "decode", "strptime", "strftime", "format"})


@dataclass(frozen=True)
class Slot:
    """A place for a value; those with the same key mean the same in whatever calls. `whole`: it is an argument."""

    key: str
    value: Any
    shape: Shape = UNKNOWN
    whole: bool = False


@dataclass(frozen=True)
class _Text:
    """A source with holes: one more piece of text than there are holes."""

    pieces: tuple[str, ...]

    def filled(self, values: Iterator[str]) -> str:
        """The text with the next values in its holes."""
        return self.pieces[0] + "".join(next(values) + piece for piece in self.pieces[1:])


@dataclass(frozen=True)
class Form:
    """A call's slots, and how it is put together from their values."""

    origin: Call
    slots: tuple[Slot, ...]
    setup: _Text
    arguments: tuple[_Text, ...]
    call: _Text
    dotted: bool = False

    @cached_property
    def values(self) -> tuple[Any, ...]:
        """What the slots hold."""
        return tuple(slot.value for slot in self.slots)

    @cached_property
    def originals(self) -> tuple[str, ...]:
        """Each slot's text with the value that it holds."""
        return tuple(self._text(n, slot.value) for n, slot in enumerate(self.slots))

    @cached_property
    def first_of_world(self) -> int:
        """The number of the first slot that is of the world: its text is its value."""
        return len(self.slots) - len(_world_slots(self.origin.world))

    def texts(self, values: Sequence[Any]) -> tuple[str, ...]:
        """Each slot's text with these values; Unreadable where one has none."""
        given = enumerate(zip(values, self.slots, self.originals, strict=True))
        return tuple([text if value is slot.value else self._text(n, value) for n, (value, slot, text) in given])

    def called(self, texts: Sequence[str]) -> Call:
        """The call with these texts in its slots."""
        parts = iter(texts)
        return Call(
            function=self.origin.function,
            setup=self.setup.filled(parts),
            arguments=tuple(argument.filled(parts) for argument in self.arguments),
            call=self.call.filled(parts),
            world=_world(self.origin.world, parts) if self.first_of_world < len(self.slots) else self.origin.world,
        )

    def _text(self, n: int, value: Any) -> str:
        return written(value, dotted=self.dotted) if n < self.first_of_world else str(value)


class Forms:
    """Reads calls of one function."""

    def __init__(self, spec: FunctionSpec, shared: Sequence[SharedType] = ()) -> None:
        self.spec = spec
        self.shared = frozenset(kind.name for kind in shared)
        self.positional: list[tuple[str, Shape]] = []
        self.by_name: dict[str, tuple[str, Shape]] = {}
        self.rest: tuple[str, Shape] | None = None
        named_only = False
        for parameter in spec.parameters:
            name, place = parameter.name.lstrip("*"), (parameter.name, shape_of(parameter.type, shared))
            if parameter.name.startswith("*"):
                named_only = True
                self.rest = place if name and not parameter.name.startswith("**") else self.rest
                continue
            self.by_name[name] = place
            if not named_only:
                self.positional.append(place)

    def form(self, case: Case | Call) -> Form | None:
        """A case's form, or None where a source of it is not Python."""
        call = case.done if isinstance(case, Case) else case
        slots: list[Slot] = []
        try:
            setup = self._text(call.setup, slots, "setup", call.world)
            arguments = tuple(
                self._argument(source, number, slots, call.world) for number, source in enumerate(call.arguments)
            )
            whole = self._text(call.call.strip(), slots, "call", call.world)
        except (SyntaxError, RecursionError):
            return None
        slots += _world_slots(call.world)
        dotted = "import datetime" in call.setup
        return Form(call, tuple(slots), setup, arguments, whole, dotted)

    def place(self, number: int, name: str | None) -> tuple[str, Shape] | None:
        """The parameter of an argument: its key and its shape."""
        if name is not None:
            return self.by_name.get(name)
        return self.positional[number] if number < len(self.positional) else self.rest

    def _argument(self, source: str, number: int, slots: list[Slot], world: World) -> _Text:
        name, value = _parted(source)
        place = self.place(number, name)
        found = _Holes(self, value, f"argument {number}", world)
        found.visit(_expression(value), place)
        return found.taken(slots, f"{name}=" if name else "")

    def _text(self, source: str, slots: list[Slot], where: str, world: World) -> _Text:
        if not source.strip():
            return _Text((source,))
        found = _Holes(self, source, where, world)
        found.visit(parse(source), None)
        return found.taken(slots)


class _Holes:
    """The way through one source, noting each hole with the slot that fills it."""

    def __init__(self, forms: Forms, source: str, where: str, world: World) -> None:
        self.forms, self.where, self.world = forms, where, world
        self.source = source
        self.starts = line_starts(source.encode())
        self.holes: list[tuple[int, int, Any, tuple[str, Shape] | None]] = []

    def visit(self, node: ast.AST, place: tuple[str, Shape] | None) -> None:
        """Note the holes in `node`; `place` is the parameter that it is an argument of."""
        if isinstance(node, _CLOSED):
            return
        if isinstance(node, ast.expr):
            try:
                value = read(node, self.forms.shared)
            except Unreadable:
                value = self
            if value is not self:
                self._note(node, value, place)
                return
        self._visit_parts(node)

    def _visit_parts(self, node: ast.AST) -> None:
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name in _FILE_CALLS:
                return
            ours = name == self.forms.spec.name
            self.visit(node.func, None)
            for number, argument in enumerate(node.args):
                self.visit(argument, self.forms.place(number, None) if ours else None)
            for keyword in node.keywords:
                self.visit(keyword.value, self.forms.place(0, keyword.arg) if ours and keyword.arg else None)
            return
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.expr_context | ast.operator | ast.arguments):
                self.visit(child, None)

    def _note(self, node: ast.expr, value: Any, place: tuple[str, Shape] | None) -> None:
        is_docstring = place is None and self.where == "setup" and isinstance(value, str) and "\n" in value
        if is_docstring or (isinstance(value, str) and value in self.world.files):
            return
        start = self.starts[node.lineno - 1] + node.col_offset
        end = self.starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        self.holes.append((start, end, value, place))

    def taken(self, slots: list[Slot], head: str = "") -> _Text:
        """The source with its holes; their slots go to `slots`."""
        encoded, pieces, at = self.source.encode(), [], 0
        self.holes.sort(key=lambda hole: hole[0])
        for start, end, _, _ in self.holes:
            pieces.append(encoded[at:start].decode())
            at = end
        pieces.append(encoded[at:].decode())
        around = "\0".join(pieces)
        for number, (_, _, value, place) in enumerate(self.holes):
            whole = place is not None
            key, shape = place or (f"{self.where} {number}: {around}", UNKNOWN)
            slots.append(Slot(key, value, shape, whole))
        return _Text((head + pieces[0], *pieces[1:]))


def _world_slots(world: World) -> list[Slot]:
    text, slots = Shape("str"), []
    slots += [Slot(f"file {path}", content, text) for path, content in sorted(world.files.items())]
    if world.stdin is not None:
        slots.append(Slot("stdin", world.stdin, text))
    slots += [Slot(f"environment {name}", value, text) for name, value in sorted(world.environment.items())]
    if world.clock is not None:
        slots.append(Slot("clock", world.clock, text))
    return slots


def _world(world: World, given: Iterator[str]) -> World:
    changed: dict[str, Any] = {"files": {path: next(given) for path in sorted(world.files)}}
    if world.stdin is not None:
        changed["stdin"] = next(given)
    changed["environment"] = {name: next(given) for name in sorted(world.environment)}
    if world.clock is not None:
        changed["clock"] = next(given)
    return world.model_copy(update=changed)


def _expression(source: str) -> ast.expr:
    body = parse(source).body
    only = body[0] if len(body) == 1 else None
    if not isinstance(only, ast.Expr):
        raise SyntaxError("no expression")
    return only.value


def _parted(source: str) -> tuple[str | None, str]:
    """A keyword argument's name, or None, and the source of its value."""
    name, equals, value = source.partition("=")
    if equals and name.strip().isidentifier() and not value.startswith("="):
        return name.strip(), value.strip()
    return None, source.strip()
