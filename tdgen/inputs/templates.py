"""A call taken apart into slots, the values that it spells out, and put together again with others.

A whole argument that can be read is one slot, under its parameter's name: so are the arguments of the function inside
a larger call (`asyncio.run(f(5))`), and what a setup binds to a name that is such an argument. Otherwise the largest
readable parts of an argument are its slots. What is done with the result (the 5 of `list(islice(f(), 5))`, the 0 of
`f(x)[0]`) is one only where there is no other, and nothing else of a setup is: it is its author's own code. A file's
text, stdin, the clock and an environment's value are slots too. A short sequence that is put together (`[0] * 20`) is
one, as a whole. What else is computed (`10**6`, `'a' * 1000`) is none: its parts mean something else than they say.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tdgen.inputs.holes import Around, Holes, Place, Signature, Slot, Text, bindings
from tdgen.inputs.literals import Unreadable, read, written
from tdgen.source.syntax import Definition, expression, expression_or_none, literal, literal_or, parse, walk
from tdgen.source.trees import bound_names
from tdgen.types import Call, Case, FunctionSpec, SharedType, World
from tdgen.values.shapes import Constructed, Shape


@dataclass(frozen=True)
class CallTemplate:
    """A call's slots, and how it is put together from their values.

    `imported` names what its setup imports bare. A plain one is the function's call on arguments that are slots, and
    its setup does nothing but bind them. `codes` are the functions among its arguments, as their source.
    """

    origin: Call
    slots: tuple[Slot, ...]
    setup: Text
    arguments: tuple[Text, ...]
    call: Text
    imported: frozenset[str] = frozenset()
    is_plain: bool = False
    codes: frozenset[str] = frozenset()

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

    @cached_property
    def rest_of_world(self) -> str:
        """What of the world is in no slot, as text: all that is done in a search of one template shares it."""
        blank: dict[str, Any] = {"files": {}, "environment": {}, "stdin": None, "clock": None, "script": None}
        return repr(self.origin.world.model_copy(update=blank))

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
        if n < self.first_of_world:
            return written(value, self.imported)
        # bytes, and the words of a command line as a list, as literals
        return repr(value) if isinstance(value, list | bytes) else str(value)


class TemplateReader:
    """Reads calls of one function."""

    def __init__(self, spec: FunctionSpec, shared: Sequence[SharedType] = ()) -> None:
        self.function = Signature(spec, shared)
        self._fields = {kind.name: tuple(field.name for field in kind.fields) for kind in shared}
        self._defaults: dict[str, Any] = {p.name: p.default for p in spec.parameters if p.default is not None}
        for name, source in self._defaults.items():
            tree = expression_or_none(source)
            if tree is not None:
                with suppress(Unreadable):
                    self._defaults[name] = read(tree)

    def meaning(self, template: CallTemplate, values: Sequence[Any]) -> str | None:
        """What is done: equal for plain calls that differ only in how they say it; None of any other call."""
        if not template.is_plain:
            return None
        given = {slot.key: value for slot, value in zip(template.slots, values, strict=True)}
        if len(given) < len(template.slots):  # several of a starred parameter's
            return None
        return repr((sorted(self._normal(self._defaults | given).items()), template.rest_of_world))

    def template(self, case: Case | Call) -> CallTemplate | None:
        """A case's template, or None where a source of it is not Python."""
        call = case.done if isinstance(case, Case) else case
        slots: list[Slot] = []
        try:
            before = parse(call.setup) if call.setup.strip() else ast.Module([], [])
            passed, around = self._passed(call, before), Around(call.world, frozenset(bound_names(before)))
            setup = self._text(call.setup, before, slots, "setup", around, passed)
            arguments: list[Text] = []
            for number, source in enumerate(call.arguments):
                name, value = _parted(source)
                holes = Holes(self.function, value, f"argument {number}", around)
                holes.visit(expression(value), self.function.own.place(number, name))
                arguments.append(holes.taken(slots, f"{name}=" if name else ""))
            whole = self._text(call.call.strip(), None, slots, "call", around, {})
            codes = self._codes(call, before)
        except (SyntaxError, RecursionError):
            return None
        # A plain one's setup binds the names that are passed, and imports, and does nothing else.
        binding = (ast.Assign, ast.AnnAssign, ast.Import, ast.ImportFrom)
        bound = [target for statement in before.body for target, _ in bindings(statement)]
        names = {target.id if isinstance(target, ast.Name) else "" for target in bound}
        is_plain = names == set(passed) and all(isinstance(statement, binding) for statement in before.body)
        is_plain = is_plain and not call.call.strip() and all(slot.whole for slot in slots)
        is_plain = is_plain and len(slots) == len(call.arguments)
        slots += _world_slots(call.world)
        lines = (node for node in walk(before) if isinstance(node, ast.ImportFrom))
        imported = frozenset(alias.asname or alias.name for line in lines for alias in line.names)
        return CallTemplate(call, tuple(slots), setup, tuple(arguments), whole, imported, is_plain, codes)

    def _codes(self, call: Call, setup: ast.Module) -> frozenset[str]:
        """The functions that a call passes: lambdas, methods of types, and names of Python's or of the setup's own."""
        own = {node.name: ast.unparse(node) for node in setup.body if isinstance(node, Definition)}
        called = (node for node in walk(expression(call.expression)) if self.function.is_called(node))
        passed = (one for node in called if isinstance(node, ast.Call) for one, _ in self.function.places(node))
        names = vars(builtins).keys() | own.keys()
        return frozenset(
            own.get(source := ast.unparse(one), source)
            for one in passed
            if isinstance(one, ast.Lambda)
            or (isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id in names)
            or (isinstance(one, ast.Name) and one.id in names)
        )

    def _normal(self, value: Any) -> Any:
        """A value with records told field by field, and what has no order in one."""
        match value:
            case Constructed(name=name, positional=positional, named=named) if name in self._fields:
                fields = {**dict(zip(self._fields[name], positional, strict=False)), **dict(named)}
                return name, sorted(self._normal(fields).items())
            case dict():
                return {key: self._normal(item) for key, item in value.items()}
            case list() | tuple():
                return type(value)([self._normal(item) for item in value])
            case set() | frozenset():
                return type(value).__name__, sorted(repr(self._normal(item)) for item in value)
        return value

    def _passed(self, call: Call, setup: ast.Module) -> dict[str, Place]:
        """The names that a setup binds once and that are arguments of the function, with their parameters."""
        given: list[tuple[ast.expr, Place | None]] = []
        for number, source in enumerate(call.arguments):
            name, value = _parted(source)
            given.append((expression(value), self.function.own.place(number, name)))
        for tree in (setup, *([expression(call.call.strip())] if call.call.strip() else [])):
            for node in walk(tree):
                if isinstance(node, ast.Call) and (
                    self.function.is_called(node) or (tree is not setup and self.function.is_method_called(node))
                ):
                    given += self.function.places(node)
        bound = [n.id for n in walk(setup) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
        names = {node.id: place for node, place in given if isinstance(node, ast.Name) and place is not None}
        return {name: place for name, place in names.items() if bound.count(name) == 1}

    def _text(
        self,
        source: str,
        tree: ast.Module | None,
        slots: list[Slot],
        where: str,
        around: Around,
        passed: Mapping[str, Place],
    ) -> Text:
        if not source.strip():
            return Text((source,))
        holes = Holes(self.function, source, where, around)
        if tree is not None:
            holes.visit_setup(tree, passed)
        else:
            holes.visit_call(expression(source), others=bool(slots or _world_slots(around.world)))
        return holes.taken(slots)


def _content(held: str | bytes, text: str) -> str | bytes:
    """What a file or a stream that held text or bytes holds by a slot's text."""
    data = literal_or(text) if isinstance(held, bytes) else None
    return data if isinstance(data, bytes) else text


def _world_slots(world: World) -> list[Slot]:
    text, slots = Shape("str"), []
    contents = {f"file {path}": content for path, content in sorted(world.files.items())}
    contents |= {} if world.stdin is None else {"stdin": world.stdin}
    slots += [Slot(key, held, text if isinstance(held, str) else Shape("bytes")) for key, held in contents.items()]
    slots += [Slot(f"environment {name}", value, text) for name, value in sorted(world.environment.items())]
    if world.clock is not None:
        slots.append(Slot("clock", world.clock, text))
    if world.script:
        slots.append(Slot("words", list(world.script), Shape("list", (text,)), whole=True))
    return slots


def _world(world: World, given: Iterator[str]) -> World:
    changed: dict[str, Any] = {
        "files": {path: _content(world.files[path], next(given)) for path in sorted(world.files)}
    }
    if world.stdin is not None:
        changed["stdin"] = _content(world.stdin, next(given))
    changed["environment"] = {name: next(given) for name in sorted(world.environment)}
    if world.clock is not None:
        changed["clock"] = next(given)
    if world.script:
        changed["script"] = tuple(literal(next(given)))
    return world.model_copy(update=changed)


def _parted(source: str) -> tuple[str | None, str]:
    """A keyword argument's name, or None, and the source of its value."""
    name, equals, value = source.partition("=")
    if equals and name.strip().isidentifier() and not value.startswith("="):
        return name.strip(), value.strip()
    return None, source.strip()
