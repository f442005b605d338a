"""What is alike in the files that the user gets: the module, the names in it, and tests of cases with plain data."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import ClassVar, Final

from tdgen.languages.files import Unsayable, tests_of
from tdgen.languages.gcc.types import Types
from tdgen.languages.shapes import Shape
from tdgen.source.syntax import expression_or_none, literal
from tdgen.types import Case, Plan, Suite

MAKEFILE: Final = """{flags}

test: test_{name}
\t./test_{name}

test_{name}: test_{name}.{suffix} {module}{name}.{header}
\t{compile} test_{name}.{suffix} {module}-lm -o $@

clean:
\trm -f test_{name}

.PHONY: test clean
"""


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
    def test(self, case: Case) -> str:
        """The statement that tries a case; Unsayable where there is none."""

    @abstractmethod
    def quoted(self, text: str) -> str:
        """A text as a literal."""

    @abstractmethod
    def group(self, of: Shape, parts: Sequence[str]) -> str:
        """A tuple, a record, or what may be None of these parts; of None there are none."""

    def items(self, of: Shape, items: Sequence[str]) -> str:
        """A list, set or dict of these items."""
        return self.group(of, items)

    def text(self, header: str, suites: Sequence[Suite]) -> str:
        """The file."""
        tests, left = tests_of(suites, self.test)
        said = f"/* {left} more cases can't be said here: `tdgen verify` tries them. */\n" if left else ""
        calls = "".join(f"    {test}\n" for test in tests)
        return (
            f'{said}#include "{header}"\n\n{self.same()}\n\nstatic int tests_tried, tests_passed;\n{self.checking}\n'
            f"int main(void) {{\n{calls}"
            f'    printf("%d of %d tests pass\\n", tests_passed, tests_tried);\n'
            "    return tests_passed != tests_tried;\n}\n"
        )

    def literal(self, node: ast.expr, of: Shape) -> str:
        """A value of the shape; Unsayable where there is no literal of it."""
        kind, *parts = of
        try:
            value: object = literal(node)
        except ValueError:
            value = ...  # what a call in it makes is no literal
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
        return self._made(node, of) if value is ... else self._scalar(value, kind)

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


def parsed(source: str) -> ast.expr:
    """An expression; Unsayable where the source is none."""
    tree = expression_or_none(source)
    if tree is None:
        raise Unsayable(source)
    return tree


def escaped(text: str) -> str:
    """A text between double quotes: printable ASCII as it is, all other bytes of its UTF-8 in octal."""
    bytes_said = (chr(one) if 32 <= one < 127 and chr(one) not in '"\\?' else f"\\{one:03o}" for one in text.encode())
    return f'"{"".join(bytes_said)}"'


def told(text: str) -> str:
    """The statement by which a harness tells a part of its answer."""
    return f"tdgen_say_text({escaped(text)});"


def telling(before: str, parts: Iterable[str], after: str) -> str:
    """The statements by which it tells parts with commas between them, and what stands before and after these."""
    return f"{told(before)} {f' {told(chr(44))} '.join(parts)} {told(after)}"
