"""The holes in a call's sources: where a value stands that can be another.

Never in what the author of the call wrote around it: a helper, a lambda, what is done with the result. Nor in what
another planned function is called with there (the `','` of `compress(expand(','))`): another argument tests that one.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from tdgen.inputs.literals import Unreadable, read
from tdgen.source.names import STDLIB
from tdgen.source.syntax import line_starts
from tdgen.types import FunctionSpec, Method, SharedType, World
from tdgen.values.shapes import UNKNOWN, Shape, shape_of

_CLOSED = (ast.BinOp, ast.JoinedStr, ast.Import, ast.ImportFrom, ast.Lambda)
_FILE_CALLS = frozenset({"open", "read_text", "write_text", "encode", "decode", "strptime", "strftime", "format"})
_OWN_CODE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
OF_WORLD = ("file ", "stdin", "environment ", "clock")
"""How the keys of the slots begin that are of a call's world and no words of a command line: these may name a file."""
Place = tuple[str, Shape]
"""A parameter: the key of its slots, and its shape."""


@dataclass(frozen=True)
class Slot:
    """A place for a value; those with the same key mean the same in whatever calls. `whole`: it is an argument."""

    key: str
    value: Any
    shape: Shape = UNKNOWN
    whole: bool = False


@dataclass(frozen=True)
class Text:
    """A source with holes: one more piece of text than there are holes."""

    pieces: tuple[str, ...]

    def filled(self, values: Iterator[str]) -> str:
        """The text with the next values in its holes."""
        return self.pieces[0] + "".join(next(values) + piece for piece in self.pieces[1:])


class Parameters:
    """Parameters by place and by name, each with its key and its shape."""

    def __init__(self, parameters: Iterable[tuple[str, Place]]) -> None:
        """`parameters` are names, with their stars; `*` alone parts off those that are given by name."""
        self.positional: list[Place] = []
        self.by_name: dict[str, Place] = {}
        self.rest: Place | None = None
        named_only = False
        for starred, place in parameters:
            name = starred.lstrip("*")
            if starred.startswith("*"):
                named_only = True
                self.rest = place if name and not starred.startswith("**") else self.rest
                continue
            self.by_name[name] = place
            if not named_only:
                self.positional.append(place)

    def place(self, number: int, name: str | None) -> Place | None:
        """The parameter of an argument: its key and its shape."""
        if name is not None:
            return self.by_name.get(name)
        return self.positional[number] if number < len(self.positional) else self.rest


class Signature:
    """A function's name and parameters, a class's methods with theirs, and the names of the types that its plan shares.

    What is a method's has a key with the method's name before it. `own` are the function's parameters, or a
    constructor's, `methods` those of each method.
    """

    def __init__(self, spec: FunctionSpec, shared: Sequence[SharedType] = ()) -> None:
        self.name = spec.name
        self.shared = frozenset(kind.name for kind in shared)
        self.own = Parameters((one.name, (one.name, shape_of(one.type, shared))) for one in spec.parameters)
        methods = spec.interface.methods if spec.interface else ()
        self.methods = {one.name: Parameters(_of_method(one, shared)) for one in reversed(methods)}

    def places(self, call: ast.Call) -> Iterator[tuple[ast.expr, Place | None]]:
        """The arguments of a call of the function, or of a method, each with its parameter."""
        named = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        parameters = self.methods.get(named, self.own)
        for number, argument in enumerate(call.args):
            yield argument, parameters.place(number, None)
        for keyword in call.keywords:
            yield keyword.value, parameters.place(0, keyword.arg) if keyword.arg else None

    def is_called(self, node: ast.AST) -> bool:
        """Whether a node is a call of the function."""
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == self.name

    def is_method_called(self, node: ast.AST) -> bool:
        """Whether a node seems to be a call of a method: of its name, and of no module's or literal's."""
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            return False
        owner = node.func.value
        is_other = isinstance(owner, ast.Constant) or (isinstance(owner, ast.Name) and owner.id in STDLIB)
        return node.func.attr in self.methods and not is_other


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _of_method(method: Method, shared: Sequence[SharedType]) -> Iterator[tuple[str, Place]]:
    """A method's parameters but for `self` or `cls`, each with its key and its shape."""
    if method.node is None:
        return
    arguments = method.node.args
    positional = [*arguments.posonlyargs, *arguments.args][method.kind != "static" :]
    stars = [("", one) for one in positional]
    stars += [("*", arguments.vararg)] if arguments.vararg else []
    stars += [("", one) for one in arguments.kwonlyargs]
    for number, (star, one) in enumerate(stars):
        if number == len(positional) and not arguments.vararg:
            yield "*", ("", UNKNOWN)
        shape = shape_of(ast.unparse(one.annotation), shared) if one.annotation else UNKNOWN
        yield f"{star}{one.arg}", (f"{method.name}.{star}{one.arg}", shape)


class _Hole(NamedTuple):
    """A place for a value: where its text begins and ends, and which parameter it is an argument of, if any."""

    start: int
    end: int
    value: Any
    place: Place | None


class Around(NamedTuple):
    """What is around a source: the call's world, and the names that the call's setup binds."""

    world: World
    bound: frozenset[str]


class Holes:
    """The way through one source, noting each hole with the slot that fills it."""

    def __init__(self, function: Signature, source: str, where: str, around: Around) -> None:
        self.function, self.where, self.around = function, where, around
        self.source = source
        self.starts = line_starts(source.encode())
        self.holes: list[_Hole] = []
        self._is_read = False

    def visit(self, node: ast.AST, place: Place | None) -> None:
        """Note the holes in `node`; `place` is the parameter that it is an argument of."""
        if isinstance(node, ast.expr):
            with suppress(Unreadable):
                value = read(node, self.function.shared)
                if not (isinstance(value, str) and value in self.around.world.files):
                    start = self.starts[node.lineno - 1] + node.col_offset
                    end = self.starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
                    self.holes.append(_Hole(start, end, value, place))
                return
        if isinstance(node, _CLOSED):
            return
        if isinstance(node, ast.Call):
            self._visit_called(node)
            return
        if isinstance(node, ast.Subscript) and _is_text(node.slice) and "__getitem__" not in self.function.methods:
            self.visit(node.value, None)  # `["paths"]`: under another name nothing would be found
            return
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.expr_context | ast.operator | ast.arguments):
                self.visit(child, None)

    def visit_setup(self, tree: ast.Module, passed: Mapping[str, Place]) -> None:
        """Note what is bound to the names that are `passed` to the function, and what it is called with in a setup."""
        for statement in tree.body:
            for target, value in bindings(statement):
                if isinstance(target, ast.Name) and target.id in passed:
                    self.visit(value, passed[target.id])
                else:
                    self._visit_ours(value)
            if not isinstance(statement, ast.Assign | ast.AnnAssign):
                self._visit_ours(statement)

    def visit_call(self, tree: ast.expr, *, others: bool) -> None:
        """Note what the function is called with; what is done with the result only where there are no `others`."""
        self._visit_ours(tree)
        if not self.holes and not others:
            self._is_read = True
            self.visit(tree, None)

    def _visit_ours(self, node: ast.AST) -> None:
        """Note what the function is called with, what its result is called with, and what is gone through for it."""
        if isinstance(node, _OWN_CODE):
            return
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Call) and self.function.is_called(node.func):
            self._visit_called(node.func)
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                self.visit(argument, None)
        elif isinstance(node, ast.Call) and (
            self.function.is_called(node)
            # A method only in what is observed: what a setup does is varied in sequences.
            or (self.where == "call" and self.function.is_method_called(node))
        ):
            self._visit_called(node)
        elif isinstance(node, ast.comprehension):
            self.visit(node.iter, None)
        else:
            for child in ast.iter_child_nodes(node):
                self._visit_ours(child)

    def _visit_called(self, node: ast.Call) -> None:
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in _FILE_CALLS:
            return
        ours = self.function.is_called(node) or self.function.is_method_called(node)
        # Another planned function is called by a name that Python lacks, no shared type's, and bound by no setup.
        is_known = name in self.around.bound | self.function.shared or hasattr(builtins, name)
        if not ours and isinstance(node.func, ast.Name) and not is_known:
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                self._visit_ours(argument)
            return
        self.visit(node.func, None)
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        is_of_module = isinstance(owner, ast.Name) and owner.id in STDLIB
        is_told = self._is_read and not ours and is_of_module  # by what a result is told, such as `re.sub`
        for argument, place in self.function.places(node):
            if not (is_told and _is_text(argument)):
                self.visit(argument, place if ours else None)

    def taken(self, slots: list[Slot], head: str = "") -> Text:
        """The source with its holes; their slots go to `slots`."""
        encoded, pieces, at = self.source.encode(), [], 0
        self.holes.sort(key=lambda hole: hole.start)
        for hole in self.holes:
            pieces.append(encoded[at : hole.start].decode())
            at = hole.end
        pieces.append(encoded[at:].decode())
        around = "\0".join(pieces)
        for number, hole in enumerate(self.holes):
            key, shape = hole.place or (f"{self.where} {number}: {around}", UNKNOWN)
            slots.append(Slot(key, hole.value, shape, hole.place is not None))
        return Text((head + pieces[0], *pieces[1:]))


def bindings(statement: ast.stmt) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a statement binds: each target with its value, those of a tuple one by one."""
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        yield statement.target, statement.value
    if not isinstance(statement, ast.Assign):
        return
    value = statement.value
    for target in statement.targets:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            yield from zip(target.elts, value.elts, strict=True)
        else:
            yield target, value
