"""What is alike in the files that the user gets: the module, the names in it, and tests of cases with plain data."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Final

from tdgen.languages import shapes
from tdgen.languages.files import Unsayable, code_of, summary, tests_of
from tdgen.languages.gcc.types import Types, plain
from tdgen.languages.shapes import Shape
from tdgen.source.syntax import expression_or_none, literal
from tdgen.types import Case, ExpectedException, FunctionSpec, Plan, Suite, Value

MAKEFILE: Final = """{flags}

test: test_{name}
\t./test_{name}

test_{name}: test_{name}.{suffix} {module}{name}.{header}
\t{compile} test_{name}.{suffix} {module}-lm -o $@

clean:
\trm -f test_{name}

.PHONY: test clean
"""


def kinds(plan: Plan) -> list[str]:
    """The kinds of failures, in order: the last names of all exceptions that contracts name."""
    declared = [raised.type.rpartition(".")[2] for spec in plan.functions for raised in spec.raises]
    return list(dict.fromkeys([*(one.name for one in plan.types if one.kind == "exception"), *declared]))


def classes(plan: Plan) -> dict[str, str]:
    """By each name in the code the class that it is in Python."""
    declared = {raised.type.rpartition(".")[2]: raised.type for spec in plan.functions for raised in spec.raises}
    return declared | {one.name: one.name for one in plan.types if one.kind in (*shapes.RECORDS, "exception")}


def module_text(plan: Plan, sources: Mapping[str, str], header: str) -> str:
    """The module's file."""
    return f'/* {summary(plan)} */\n\n#include "{header}"\n\n{code_of(sources)}\n'


def without_own_header(text: str) -> str:
    """A module's text where its header stands above it already."""
    return "\n".join("" if line.startswith('#include "') else line for line in text.split("\n"))


class Tests(ABC):
    """The tests of a plan's suites, as a program that says which of them fail."""

    checking: ClassVar[str]
    """The function `check`, which counts a test, and names it where it fails."""

    def __init__(self, plan: Plan, types: Types) -> None:
        self.plan, self.types = plan, types

    @abstractmethod
    def same(self) -> str:
        """What tells whether two values of the contracts' types are equal."""

    @abstractmethod
    def returning(self, spec: FunctionSpec, given: list[str], name: str, expected: ast.expr) -> str:
        """The statement that checks what a call gives."""

    @abstractmethod
    def failing(self, spec: FunctionSpec, given: list[str], name: str, kind: str) -> str:
        """The statement that checks how a call fails; Unsayable where it can't be said."""

    @abstractmethod
    def quoted(self, text: str) -> str:
        """A text as a literal."""

    @abstractmethod
    def group(self, of: Shape, parts: Sequence[str]) -> str:
        """A tuple, a record, or what may be None of these parts; of None there are none."""

    @abstractmethod
    def items(self, of: Shape, items: Sequence[str]) -> str:
        """A list, set or dict of these items."""

    def text(self, header: str, suites: Sequence[Suite]) -> str:
        """The file."""
        tests, left = tests_of(suites, self.test)
        said = f"/* {left} more cases can't be said here: `tdgen verify` tries them. */\n" if left else ""
        calls = "".join(f"    {test}\n" for test in tests)
        counting = f"static int tests_tried, tests_passed;\n{self.checking}"
        return (
            f'{said}#include "{header}"\n\n{self.same()}\n\n{counting}\nint main(void) {{\n{calls}'
            f'    printf("%d of %d tests pass\\n", tests_passed, tests_tried);\n'
            "    return tests_passed != tests_tried;\n}\n"
        )

    def test(self, case: Case) -> str:
        """The statement that tries a case; Unsayable where it looks at more than what a call gives."""
        spec, effects, asked = self.plan.spec(case.function), case.effects, case.expectation
        beside = (effects.stdout, effects.stderr, effects.logs, case.setup, case.after, effects.files)
        call = expression_or_none(case.expression)
        if any(beside) or case.world != type(case.world)() or not isinstance(call, ast.Call):
            raise Unsayable(case.name)
        if not isinstance(call.func, ast.Name) or call.func.id != spec.name or spec.returns.unordered:
            raise Unsayable(case.name)
        given, name = self._given(call, spec), escaped(f"{spec.name}: {case.name}")
        if isinstance(asked, Value) and spec.returns.type != "None":
            return self.returning(spec, given, name, parsed(asked.source))
        if isinstance(asked, ExpectedException) and asked.type.rpartition(".")[2] in kinds(self.plan):
            return self.failing(spec, given, name, asked.type.rpartition(".")[2])
        raise Unsayable(case.name)

    def _given(self, call: ast.Call, spec: FunctionSpec) -> list[str]:
        """All arguments of a call, in order."""
        real = shapes.parameters(spec)
        by_name = {keyword.arg: keyword.value for keyword in call.keywords}
        by_name |= {one.name: value for one, value in zip(real, call.args, strict=False)}
        literals = []
        for one in real:
            value = by_name.get(one.name) or (parsed(one.default) if one.default is not None else None)
            if value is None:
                raise Unsayable(one.name)
            literals.append(self.literal(value, plain(shapes.shape(one.type, self.plan))))
        return literals

    def literal(self, node: ast.expr, of: Shape) -> str:
        """A value of the shape; Unsayable where there is no literal of it."""
        kind, *parts = of
        value = _value(node)
        if kind == "maybe":
            return self.group(of, [] if value is None else [self.literal(node, parts[0])])
        if kind == "tuple" and isinstance(node, ast.Tuple):
            return self.group(of, list(map(self.literal, node.elts, parts[0])))
        if kind in ("list", "set") and isinstance(node, ast.List | ast.Tuple | ast.Set):
            return self.items(of, [self.literal(item, parts[0]) for item in node.elts])
        if kind in ("list", "set") and isinstance(value, bytes):
            return self.items(of, [str(byte) for byte in value])
        if kind == "dict" and isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            return self.items(
                of, [f"{{{self.literal(k, parts[0])}, {self.literal(v, parts[1])}}}" for k, v in pairs if k]
            )
        if kind in ("list", "set") and value in (set(), frozenset()):
            return self.items(of, [])
        return self._made(node, of) if value is _CALLED else self._scalar(value, kind)

    def _scalar(self, value: object, kind: str) -> str:
        if kind == "bool" and isinstance(value, bool):
            return str(value).lower()
        if kind == "int" and isinstance(value, int) and abs(value) < 2**63:
            return f"INT64_C({value})"
        if kind == "float" and isinstance(value, int | float):
            return repr(float(value))
        if kind == "str" and isinstance(value, str):
            return self.quoted(value)
        raise Unsayable(repr(value))

    def _made(self, node: ast.expr, of: Shape) -> str:
        """What is made by a call: a record, or a float that has no literal."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            raise Unsayable(ast.unparse(node))
        if of[0] == "record" and node.func.id == of[1]:
            parts = self.types.parts(of)
            by_name = dict(zip(parts, node.args, strict=False)) | {one.arg: one.value for one in node.keywords}
            if list(by_name) != list(parts):
                raise Unsayable(ast.unparse(node))
            return self.group(of, [self.literal(by_name[key], part) for key, part in parts.items()])
        if node.func.id == "float" and of[0] == "float" and isinstance(node.args[0], ast.Constant):
            text = str(node.args[0].value)
            return {"nan": "NAN", "inf": "INFINITY", "-inf": "-INFINITY"}.get(text) or repr(float(text))
        raise Unsayable(ast.unparse(node))


_CALLED: Final = object()
"""What a call in it makes, which is no literal."""


def _value(node: ast.expr) -> object:
    try:
        return literal(node)
    except ValueError:
        return _CALLED


def parsed(source: str) -> ast.expr:
    """An expression; Unsayable where the source is none."""
    tree = expression_or_none(source)
    if tree is None:
        raise Unsayable(source)
    return tree


def escaped(text: str) -> str:
    """A text between double quotes: printable ASCII as it is, all other bytes of its UTF-8 in octal."""
    return '"' + "".join(_byte(byte) for byte in text.encode()) + '"'


def told(text: str) -> str:
    """The statement by which a harness tells a part of its answer."""
    return f"tdgen_say_text({escaped(text)});"


def telling(before: str, parts: Iterable[str], after: str) -> str:
    """The statements by which it tells parts with commas between them, and what stands before and after these."""
    return f"{told(before)} {f' {told(chr(44))} '.join(parts)} {told(after)}"


def _byte(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}"
