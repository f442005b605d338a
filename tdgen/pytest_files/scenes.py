"""A case by itself: its own test function, arranged, acted and asserted, in the world that it names."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import PurePosixPath

from tdgen.pytest_files.checks import checked, respelled, typed_setup
from tdgen.pytest_files.comparing import (
    Comparison,
    Expected,
    RenderedTest,
    pattern_text,
    raises_line,
    read_value,
    remarks,
    whose,
)
from tdgen.pytest_files.headers import Annotations, unique
from tdgen.pytest_files.sources import (
    argument,
    dotted_name,
    expression,
    expression_text,
    last_name,
    statements,
    unparse,
)
from tdgen.source.syntax import Definition, expression_or_none, parse
from tdgen.source.trees import free_names, names_in, stored_names
from tdgen.types import Case, Check, Exits, ExpectedException, FunctionSpec, Pattern, SharedType, Tolerance, Value
from tdgen.values.equality import Relation, relation_of_case

FIXTURES = {
    "tmp_path": "Path",
    "monkeypatch": "pytest.MonkeyPatch",
    "capsys": "pytest.CaptureFixture[str]",
    "caplog": "pytest.LogCaptureFixture",
    "frozen_clock": "Callable[[str], None]",
    "run_script": "Callable[..., int]",
}


_CLOSED = ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant | ast.List | ast.Dict | ast.DictComp
_CLOSED |= ast.ListComp | ast.Set | ast.SetComp
"""What needs no brackets to be compared."""


class Scene:
    """One case on its way to a test function."""

    def __init__(
        self,
        case: Case,
        spec: FunctionSpec,
        types: Mapping[str, SharedType],
        annotations: Annotations,
    ) -> None:
        self.case, self.spec, self.types, self.annotations = case, spec, types, annotations
        self.arguments = [] if case.call else [argument(source) for source in case.arguments]
        given = ", ".join(argument.source for argument in self.arguments)
        self.call = expression_text(case.call) if case.call else f"{case.function}({given})"
        self.setup = typed_setup(statements(case.setup), expression(self.call), spec, annotations)
        self.bound = {name for statement in self.setup for name in stored_names(statement)}
        own = {"io", "random", "deepcopy", "logging", *(["re"] if case.patterns else [])}
        if clash := self.bound & own:
            raise ValueError(f"its setup binds {min(clash)}, which the test needs itself")
        self.raised, self.printed = (unique(name, set(self.bound)) for name in ("raised", "printed"))
        self.before: list[str] = []
        self.helpers: set[str] = set()

    def rendered(self, name: str, *, failing: str = "") -> RenderedTest:
        """The test function called `name`, which is expected to fail where a reason is given."""
        world, acted = [*self._world()], self._act_and_assert()
        after = [*self._afterwards(), *self._printed(), *self._left()]
        setup = [*map(unparse, self.setup)]
        if self.case.logs is not None and not all(isinstance(one, Definition) for one in self.setup):
            setup.append("caplog.clear()")  # what the setup logs is not the call's
        parts = [[*world, *setup, *self.before], acted, after]
        body = "\n\n".join("\n".join(part) for part in parts if part)
        names = names_in(parse("\n".join([*world, *acted, *after])))
        used = [name for name in FIXTURES if name in names]
        fixtures = ", ".join(f"{name}: {FIXTURES[name]}" for name in used)
        above = [*whose(self.case), *([] if failing else remarks(self.case))]
        above += [f"@pytest.mark.xfail(strict=True, reason={failing!r})"] if failing else []
        text = "\n".join([*above, f"def {name}({fixtures}) -> None:", *_indented(body)])
        self.helpers |= {"inside_tmp_path"} if "tmp_path" in used else set()
        self.helpers |= {"frozen_clock", "run_script"} & set(used)
        return RenderedTest(name, text, {self.case.name: ""}, frozenset(self.helpers))

    def _world(self) -> Iterator[str]:
        world = self.case.world
        folders: set[str] = {"."}
        for path, text in world.files.items():
            folder = str(_inside(path).parent)
            if folder not in folders:
                is_plain = "/" not in folder and not any(other.startswith(f"{folder}/") for other in folders)
                yield f"(tmp_path / {folder!r}).mkdir({'' if is_plain else 'parents=True, exist_ok=True'})"
                folders.add(folder)
            written = f"write_bytes({text!r})" if isinstance(text, bytes) else f'write_text({text!r}, encoding="utf-8")'
            yield f"(tmp_path / {path!r}).{written}"
        for name, value in world.environment.items():
            yield f"monkeypatch.setenv({name!r}, {value!r})"
        if world.stdin is not None:
            # In UTF-8, as what reads `sys.stdin.buffer` finds it.
            typed = f"{world.stdin!r}.encode()"
            if isinstance(world.stdin, bytes):
                typed = repr(world.stdin)
            elif world.stdin.isascii():
                typed = repr(world.stdin.encode())
            yield f'monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO({typed}), encoding="utf-8"))'
        if world.clock is not None:
            moment = datetime.fromisoformat(world.clock)
            in_utc = moment.astimezone(UTC) if moment.tzinfo else moment
            yield f"frozen_clock({in_utc.replace(tzinfo=None).isoformat()!r})"
        if world.seed is not None:
            yield f"random.seed({world.seed})"
        if self.case.logs is not None:
            yield "caplog.set_level(logging.DEBUG)"

    def _act_and_assert(self) -> list[str]:
        """The lines that call and assert; what these need arranged goes before them."""
        case, expectation = self.case, self.case.expectation
        if isinstance(expectation, Exits):
            words = ", ".join(map(repr, case.world.script or ()))
            return [f"assert run_script({words}) == {expectation.code}"]
        if isinstance(expectation, Check):
            check = checked(case, expectation, self.spec, self.arguments, self.call if case.call else "")
            self.before += check.before
            is_open = any(word in self.spec.returns.type for word in ("|", "Optional", "Union", "object", "None"))
            return [f"result{': Any' * is_open} = {check.call}", *check.asserts]
        call = self.annotations.bypassed(self.call, self.spec, self.before)
        if isinstance(expectation, ExpectedException):
            line = raises_line(dotted_name(expectation.type), pattern_text(expectation.match))
            return [f"{line[:-1]} as {self.raised}:" if self._looks_at("error") else line, f"    {call}"]
        before = []
        if self._looks_at("result"):
            before, call = [f"result = {call}"], "result"
        elif self._gives_nothing(call, expectation):
            return [call]
        return [*before, *self._compare(call, read_value(expectation, relation_of_case(case, self.spec), self.types))]

    def _looks_at(self, name: str) -> bool:
        """Whether an expression after the call reads what came of it, which the setup does not bind itself."""
        return name not in self.bound and any(name in names_in(parse(after.expression)) for after in self.case.after)

    def _gives_nothing(self, call: str, value: Value) -> bool:
        """Whether the contract says so, and a type checker that nothing can be done with it."""
        tree = expression(call)
        if self.spec.interface:
            return value.source.strip() == "None" == self.spec.interface.gives(tree) and isinstance(tree, ast.Call)
        is_plain = isinstance(tree, ast.Call) and last_name(tree.func) == self.spec.name
        return is_plain and value.source.strip() == self.spec.returns.type.strip() == "None"

    def _compare(self, call: str, expected: Expected) -> list[str]:
        if free_names(expected.tree) & self.annotations.classes:
            named = expected.tree.id if isinstance(expected.tree, ast.Name) else ""
            return [f"assert {call} is {named}"] if named else self._compare_public(call, expected)
        is_bool = isinstance(expected.tree, ast.Constant) and isinstance(expected.tree.value, bool)
        if is_bool and _tells_truth(expression(call)):
            return [f"assert {call}" if expected.text == "True" else f"assert not ({call})"]
        comparison = Comparison([expected])
        self.helpers |= comparison.helpers
        text, tree = expression_text(call), expression(call)
        is_closed = isinstance(tree, _CLOSED) or (text[0] == "(" and expression_or_none(text[1:-1]) is not None)
        return [comparison.line((text if is_closed else f"({text})"), self._made_before(expected.text, expected.tree))]

    def _compare_public(self, call: str, expected: Expected) -> list[str]:
        """An instance of a planned class by what is public of it, wherever it stands in what is expected.

        Where the order of the items is free, only their number is asserted.
        """
        lines = []
        if expected.wrap or not isinstance(expression(call), ast.Name | ast.Attribute | ast.Subscript):
            name = unique("shown", self.bound)
            lines, call = [f"{name} = {expected.wrap}({call})" if expected.wrap else f"{name} = {call}"], name
        parts: list[tuple[str, ast.expr]] = []
        match expected.tree:
            case ast.Call(func=ast.Name(id=owner), keywords=named):
                lines.append(f"assert isinstance({call}, {owner})")
                parts = [(f"{call}.{keyword.arg}", keyword.value) for keyword in named]
            case ast.List(elts=items) | ast.Tuple(elts=items):
                lines.append(f"assert len({call}) == {len(items)}")
                parts = [(f"{call}[{place}]", item) for place, item in enumerate(items) if not expected.any_order]
            case ast.Dict(keys=keys, values=items):
                key_texts = [ast.unparse(key) for key in keys if key is not None]
                lines.append(f"assert set({call}) == {{{', '.join(key_texts)}}}")
                parts = [(f"{call}[{key}]", item) for key, item in zip(key_texts, items, strict=True)]
        for source, tree in parts:
            value = Value(source=ast.unparse(tree), tolerance=expected.tolerance)
            lines += self._compare(source, read_value(value, Relation(), self.types))
        return lines

    def _made_before(self, cell: str, tree: ast.expr) -> str:
        """What is expected, made before the call where it is made of what the setup binds."""
        if not free_names(tree) & self.bound:
            return cell
        count = sum(line.startswith("expected") for line in self.before)
        name = f"expected_{count + 1}" if count else "expected"
        self.before.append(f"{name} = deepcopy({cell})" if isinstance(tree, ast.Name) else f"{name} = {cell}")
        return name

    def _afterwards(self) -> Iterator[str]:
        tolerance = self.case.expectation.tolerance if isinstance(self.case.expectation, Value) else Tolerance()
        for after in self.case.after:
            value = Value(source=after.source, tolerance=tolerance)
            source = respelled(after.expression, {} if "error" in self.bound else {"error": f"{self.raised}.value"})
            yield from self._compare(source, read_value(value, Relation(), self.types))

    def _printed(self) -> Iterator[str]:
        printed = {"out": self.case.stdout, "err": self.case.stderr}
        asked = {stream: text for stream, text in printed.items() if text is not None}
        read = "capsys.readouterr()"
        if len(asked) > 1:
            yield f"{self.printed} = {read}"
            read = self.printed
        for stream, text in asked.items():
            if isinstance(text, Pattern):
                yield f"assert re.search({pattern_text(text.match)}, {read}.{stream})"
            else:
                yield f"assert {read}.{stream} == {text!r}"
        if self.case.logs is not None:
            records = [f"({one.logger!r}, logging.{one.level}, {one.message!r})" for one in self.case.logs]
            yield f"assert caplog.record_tuples == [{', '.join(records)}]"

    def _left(self) -> Iterator[str]:
        for path, text in self.case.files.items():
            _inside(path)
            if text is None:
                yield f"assert not (tmp_path / {path!r}).exists()"
                continue
            # What reads text takes every line end for the same.
            read = 'read_text(encoding="utf-8")' if "\r" not in str(text) else "read_bytes().decode()"
            read = "read_bytes()" if isinstance(text, bytes) else read
            yield f"assert (tmp_path / {path!r}).{read} == {text!r}"


def _tells_truth(tree: ast.expr) -> bool:
    """Whether the expression can be nothing but True or False."""
    if isinstance(tree, ast.Compare):
        return len(tree.ops) == 1 and isinstance(tree.ops[0], ast.Is | ast.IsNot | ast.In | ast.NotIn)
    return isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not)


def _inside(path: str) -> PurePosixPath:
    """`path` where it stays in the test's folder; ValueError elsewhere."""
    pure = PurePosixPath(path)
    if not path or pure.is_absolute() or ".." in pure.parts or "\0" in path:
        raise ValueError(f"not a file in the test's folder: {path!r}")
    return pure


def _indented(body: str) -> list[str]:
    """The body's lines, indented but for those inside of a text that goes over several lines."""
    inside: set[int] = set()
    for node in ast.walk(parse(body)):
        if isinstance(node, ast.Constant | ast.JoinedStr) and node.end_lineno:
            inside.update(range(node.lineno + 1, node.end_lineno + 1))
    return [f"    {line}" if line and n not in inside else line for n, line in enumerate(body.split("\n"), start=1)]
