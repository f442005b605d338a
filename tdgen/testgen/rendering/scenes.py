"""A case by itself: its own test function, arranged, acted and asserted, in the world that it names."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import PurePosixPath

from tdgen.syntax import literal, parse
from tdgen.testgen.rendering.blocks import Block
from tdgen.testgen.rendering.checks import checked
from tdgen.testgen.rendering.comparing import form_of
from tdgen.testgen.rendering.families import Expected, read_expected
from tdgen.testgen.rendering.sources import argument, dotted_name, expression, expression_text, statements, unparse
from tdgen.testgen.rendering.tables import pattern_text, provenance, raises_line, remarks
from tdgen.types import Case, Check, ExpectedException, FunctionSpec, SharedType, Tolerance, Value
from tdgen.values.imports import free_names
from tdgen.values.relation import Relation, relation_of_case

_IMPORTS = (ast.Import, ast.ImportFrom)


class Scene:
    """One case on its way to a test function."""

    def __init__(self, case: Case, spec: FunctionSpec, types: Mapping[str, SharedType]) -> None:
        self.case = case
        self.spec = spec
        self.types = types
        self.relation = relation_of_case(case, spec)
        self.setup = statements(case.setup)
        self.bound = {name for statement in self.setup for name in _bound(statement)}
        if clash := self.bound & {"io", "random", "deepcopy"}:
            raise ValueError(f"its setup binds {min(clash)}, which the test needs itself")
        self.fresh: list[str] = []
        self.compared: list[Expected] = []
        self.any_order = False

    def block(self, name: str, notes: Mapping[str, str], *, is_text: bool) -> Block:
        """The test function called `name`; `is_text` where the contract promises texts, dates and the like alone."""
        imports = [unparse(statement) for statement in self.setup if isinstance(statement, _IMPORTS)]
        arranged = [unparse(statement) for statement in self.setup if not isinstance(statement, _IMPORTS)]
        before, acted = self._act_and_assert(is_text=is_text)
        after = [*self._aftermath()]
        world = [*self._world()]
        parts = [[*imports, *world, *arranged, *before, *self.fresh], acted, after]
        body = "\n\n".join("\n".join(part) for part in parts if part)
        fixtures = _fixtures("\n".join([*world, *after]))
        text = "\n".join([*self._head(notes), f"def {name}({', '.join(fixtures)}):", *_indented(body)])
        return Block(
            name,
            text,
            sources=(text,),
            ids={self.case.name: ""},
            fixtures=fixtures,
            compared=tuple(self.compared),
            any_order=self.any_order,
        )

    def _head(self, notes: Mapping[str, str]) -> list[str]:
        whose = [f"# {provenance(self.case)}"] if self.case.is_law else []
        return [*whose, *remarks(self.case, notes, indent=0)]

    def _world(self) -> Iterator[str]:
        world = self.case.world
        made: set[str] = {"."}
        for path, text in world.files.items():
            folder = str(_inside(path).parent)
            if folder not in made:
                is_plain = "/" not in folder and not any(other.startswith(f"{folder}/") for other in made)
                yield f"(tmp_path / {folder!r}).mkdir({'' if is_plain else 'parents=True, exist_ok=True'})"
                made.add(folder)
            yield f'(tmp_path / {path!r}).write_text({text!r}, encoding="utf-8")'
        for name, value in world.environment.items():
            yield f"monkeypatch.setenv({name!r}, {value!r})"
        if world.stdin is not None:
            typed = f"io.BytesIO({_bytes(world.stdin)})"
            yield f'monkeypatch.setattr("sys.stdin", io.TextIOWrapper({typed}, encoding="utf-8"))'
        if world.clock is not None:
            yield f"frozen_clock({_moment(world.clock)!r})"
        if world.seed is not None:
            yield f"random.seed({world.seed})"

    def _act_and_assert(self, *, is_text: bool) -> tuple[list[str], list[str]]:
        """What the expectation needs arranged, and the lines that call and assert."""
        case, expectation = self.case, self.case.expectation
        arguments = [argument(source) for source in case.arguments]
        own = expression_text(case.call) if case.call else ""
        if isinstance(expectation, Check):
            check = checked(case, expectation, self.spec, arguments, own)
            return check.before, [f"result = {check.call}", *check.asserts]
        call = own or f"{case.function}({', '.join(given.source for given in arguments)})"
        if isinstance(expectation, ExpectedException):
            match = pattern_text(expectation.match) if expectation.match else ""
            return [], [raises_line(dotted_name(expectation.type), match), f"    {call}"]
        return [], self._compare(call, expectation, self.relation, is_text=is_text)

    def _compare(self, call: str, value: Value, relation: Relation, *, is_text: bool) -> list[str]:
        expected = read_expected(value, relation, self.types, is_text=is_text)
        if _is_bool(expected.tree) and _tells_truth(expression(call)):
            return [f"assert {call}" if ast.unparse(expected.tree) == "True" else f"assert not ({call})"]
        form = form_of(expected.family, [expected], relation)
        if form.is_helped:
            self.compared.append(expected)
            self.any_order |= form.op == "same_in_any_order"
        cell = _in_order(expected.tree) if form.ordered else form.cell(expected)
        return form.asserts(_operand(call), self._made_before(cell, expected.tree))

    def _made_before(self, cell: str, tree: ast.expr) -> str:
        """What is expected, made before the call where it is made of what the setup binds."""
        if not free_names(tree) & self.bound:
            return cell
        name = f"expected_{len(self.fresh) + 1}" if self.fresh else "expected"
        self.fresh.append(f"{name} = deepcopy({cell})" if isinstance(tree, ast.Name) else f"{name} = {cell}")
        return name

    def _aftermath(self) -> Iterator[str]:
        for after in self.case.after:
            tolerance = self.case.expectation.tolerance if isinstance(self.case.expectation, Value) else Tolerance()
            value = Value(source=after.source, tolerance=tolerance)
            lines = self._compare(after.expression, value, Relation(tolerance=tolerance), is_text=False)
            yield from lines
        if self.case.stdout is not None:
            yield f"assert capsys.readouterr().out == {self.case.stdout!r}"
        for path, text in self.case.files.items():
            _inside(path)
            read = "read_bytes().decode()" if "\r" in text else 'read_text(encoding="utf-8")'
            yield f"assert (tmp_path / {path!r}).{read} == {text!r}"


def _fixtures(text: str) -> tuple[str, ...]:
    """The fixtures that the lines around a call use."""
    return tuple(name for name in ("tmp_path", "monkeypatch", "capsys", "frozen_clock") if _uses(text, name))


def _uses(text: str, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(parse(text)))


def _bytes(text: str) -> str:
    """The source of `text` in UTF-8, as what reads `sys.stdin.buffer` finds it."""
    return repr(text.encode()) if text.isascii() else f"{text!r}.encode()"


def _is_bool(tree: ast.expr) -> bool:
    return isinstance(tree, ast.Constant) and isinstance(tree.value, bool)


def _tells_truth(tree: ast.expr) -> bool:
    """Whether the expression can be nothing but True or False."""
    if isinstance(tree, ast.Compare):
        return len(tree.ops) == 1 and isinstance(tree.ops[0], ast.Is | ast.IsNot | ast.In | ast.NotIn)
    return isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not)


def _in_order(tree: ast.expr) -> str:
    """A list or tuple of texts or ints as a sorted list."""
    return repr(sorted(literal(tree)))


def _operand(source: str) -> str:
    """An expression as it can stand beside an operator."""
    tree = expression(source)
    text = expression_text(source)
    return text if isinstance(tree, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant) else f"({text})"


def _bound(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _inside(path: str) -> PurePosixPath:
    """`path` where it stays in the test's folder; ValueError elsewhere."""
    pure = PurePosixPath(path)
    if not path or pure.is_absolute() or ".." in pure.parts or "\0" in path:
        raise ValueError(f"not a file in the test's folder: {path!r}")
    return pure


def _moment(clock: str) -> str:
    """The moment in UTC, without a zone; ValueError where it is no date and time."""
    moment = datetime.fromisoformat(clock)
    return (moment.astimezone(UTC) if moment.tzinfo else moment).replace(tzinfo=None).isoformat()


def _indented(body: str) -> list[str]:
    """The body's lines, indented but for those inside of a text that goes over several lines."""
    inside: set[int] = set()
    for node in ast.walk(parse(body)):
        if isinstance(node, ast.Constant | ast.JoinedStr) and node.end_lineno:
            inside.update(range(node.lineno + 1, node.end_lineno + 1))
    return [f"    {line}" if line and n not in inside else line for n, line in enumerate(body.split("\n"), start=1)]
