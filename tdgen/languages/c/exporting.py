"""What the user gets: NAME.h, NAME.c, test_NAME.c with the cases that C can say alone, and a Makefile."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from tdgen.languages import shapes
from tdgen.languages.c.declaring import Types, c_type, plain, tag
from tdgen.languages.c.reading import HEADERS
from tdgen.languages.files import Unsayable, code_of, summary, tests_of
from tdgen.languages.shapes import Shape
from tdgen.source.syntax import expression_or_none, literal
from tdgen.types import Case, ExpectedException, FunctionSpec, Plan, Suite, Value

_FAIL: Final = """typedef struct failure { enum failure_kind kind; char message[256]; } failure;
static inline void fail(failure *error, enum failure_kind kind, const char *format, ...) {
    va_list given;
    va_start(given, format);
    error->kind = kind;
    vsnprintf(error->message, sizeof error->message, format, given);
    va_end(given);
}
"""
_UNWRITTEN: Final = """_Noreturn static inline void tdgen_unwritten(void) { exit(87); }
"""
_MAKEFILE: Final = """CFLAGS = -std=c17 -Wall -g -D_POSIX_C_SOURCE=200809L

test: test_{name}
\t./test_{name}

test_{name}: test_{name}.c {name}.c {name}.h
\t$(CC) $(CFLAGS) test_{name}.c {name}.c -lm -o $@

clean:
\trm -f test_{name}

.PHONY: test clean
"""


def kinds(plan: Plan) -> list[str]:
    """The kinds of failures, in order: the last names of all exceptions that contracts name."""
    told = [raised.type.rpartition(".")[2] for spec in plan.functions for raised in spec.raises]
    return list(dict.fromkeys([*(one.name for one in plan.types if one.kind == "exception"), *told]))


def classes(plan: Plan) -> dict[str, str]:
    """By each name in the code the class that it is in Python."""
    told = {raised.type.rpartition(".")[2]: raised.type for spec in plan.functions for raised in spec.raises}
    return told | {one.name: one.name for one in plan.types if one.kind in (*shapes.RECORDS, "exception")}


def declarations(plan: Plan, types: Types) -> str:
    """What stands above all code: headers, failures, and the types of the contracts."""
    return f"{_declarations(plan, types)}{_UNWRITTEN}"


def _declarations(plan: Plan, types: Types) -> str:
    included = "".join(f"#include <{name}.h>\n" for name in HEADERS)
    names = ", ".join(["NO_FAILURE", *kinds(plan)])
    failing = f"enum failure_kind {{ {names} }};\n{_FAIL}" if any(spec.raises for spec in plan.functions) else ""
    return f"{included}\n{failing}{types.declarations()}"


def module_text(plan: Plan, sources: Mapping[str, str]) -> str:
    """The module's file."""
    name = plan.module.rpartition(".")[2]
    return f'/* {summary(plan)} */\n\n#include "{name}.h"\n\n{code_of(sources)}\n'


def without_own_header(text: str) -> str:
    """A module's text where its header stands above it already."""
    return "\n".join("" if line.startswith('#include "') else line for line in text.split("\n"))


def files_beside(
    plan: Plan, suites: Sequence[Suite], module: str, head: Callable[[FunctionSpec], str]
) -> dict[str, str]:
    """The header, the tests and the Makefile."""
    name, types = module.removesuffix(".c"), Types(plan)
    guard = f"{name.upper()}_H"
    prototypes = "".join(f"{head(spec)};\n" for spec in plan.functions)
    header = f"#ifndef {guard}\n#define {guard}\n\n{_declarations(plan, types)}\n{prototypes}\n#endif\n"
    return {
        f"{name}.h": header,
        f"test_{name}.c": _Tests(plan, types).text(name, suites),
        "Makefile": _MAKEFILE.format(name=name),
    }


class _Tests:
    """The tests of a plan's suites in C."""

    def __init__(self, plan: Plan, types: Types) -> None:
        self._plan, self._types = plan, types

    def text(self, name: str, suites: Sequence[Suite]) -> str:
        """The file."""
        tests, left = tests_of(suites, self._test)
        said = f"/* {left} more cases can't be said in C alone: `tdgen verify` tries them. */\n" if left else ""
        same = "\n".join(text for of in self._types.all.values() for text in self._same(of))
        calls = "".join(f"    {test}\n" for test in tests)
        return (
            f'{said}#include "{name}.h"\n\n{_SAME}{same}\n\n{_CHECK}\nint main(void) {{\n{calls}'
            f'    printf("%d of %d tests pass\\n", passed, tried);\n    return passed != tried;\n}}\n'
        )

    def _same(self, of: Shape) -> Iterator[str]:
        """What tells whether two values of a type are equal."""
        parts = self._types.parts(of)
        if not parts or of == ["maybe", ["str"]]:
            return
        name, kind = tag(of), of[0]
        head = f"static inline bool same_{name}({name} one, {name} other) {{ "
        if kind in ("list", "set", "dict"):
            field = {key: f".{key}" if kind == "dict" else "" for key in parts}
            each = " && ".join(
                f"same_{tag(part)}(one.items[n]{field[key]}, other.items[m]{field[key]})" for key, part in parts.items()
            )
            if kind == "list":
                loop = f"for (size_t n = 0, m = 0; n < one.length; n++, m++) if (!({each})) return false;"
            else:
                loop = (
                    "for (size_t n = 0; n < one.length; n++) { bool found = false; "
                    f"for (size_t m = 0; m < other.length; m++) found = found || ({each}); if (!found) return false; }}"
                )
            yield f"{head}if (one.length != other.length) return false; {loop} return true; }}"
            return
        each = " && ".join(f"same_{tag(part)}(one.{key}, other.{key})" for key, part in parts.items())
        given = "one.has == other.has && (!one.has || " if kind == "maybe" else "("
        yield f"{head}return {given}{each}); }}"

    def _test(self, case: Case) -> str:
        spec, effects = self._plan.spec(case.function), case.effects
        beside = (effects.stdout, effects.stderr, effects.logs, case.setup, case.after, effects.files)
        call = expression_or_none(case.expression)
        if any(beside) or case.world != type(case.world)() or not isinstance(call, ast.Call):
            raise Unsayable(case.name)
        if not isinstance(call.func, ast.Name) or call.func.id != spec.name or spec.returns.unordered:
            raise Unsayable(case.name)
        given = self._given(call, spec)
        name, free = json.dumps(f"{spec.name}: {case.name}"), ""
        returns = plain(shapes.shape(spec.returns.type, self._plan))
        made = f"{spec.name}({', '.join([*given, *['&error'] * bool(spec.raises)])})"
        error = "failure error = {0}; " if spec.raises else ""
        asked = case.expectation
        if isinstance(asked, Value) and returns != ["none"]:
            expected = self._literal(_parsed(asked.source), returns)
            free = self._types.freed(returns, "actual")
            fine = " && error.kind == NO_FAILURE" if spec.raises else ""
            return (
                f"{{ {error}{c_type(returns)} actual = {made}; "
                f"check({name}, same_{tag(returns)}(actual, {expected}){fine}); {free}}}"
            )
        if isinstance(asked, ExpectedException) and asked.type.rpartition(".")[2] in kinds(self._plan) and spec.raises:
            return f"{{ {error}(void){made}; check({name}, error.kind == {asked.type.rpartition('.')[2]}); }}"
        raise Unsayable(case.name)

    def _given(self, call: ast.Call, spec: FunctionSpec) -> list[str]:
        """All arguments of a call, in order, as C."""
        real = [one for one in spec.parameters if one.name != "*"]
        told = {keyword.arg: keyword.value for keyword in call.keywords}
        told |= {one.name: value for one, value in zip(real, call.args, strict=False)}
        found = []
        for one in real:
            value = told.get(one.name) or (_parsed(one.default) if one.default is not None else None)
            if value is None:
                raise Unsayable(one.name)
            found.append(self._literal(value, plain(shapes.shape(one.type, self._plan))))
        return found

    def _literal(self, node: ast.expr, of: Shape) -> str:
        kind, *parts = of
        try:
            value = literal(node)
        except ValueError:
            return self._made(node, of)
        if kind == "maybe" and of != ["maybe", ["str"]]:
            inner = "" if value is None else f", {self._literal(node, parts[0])}"
            return f"({tag(of)}){{{'true' if inner else 'false'}{inner}}}"
        if kind == "tuple" and isinstance(node, ast.Tuple):
            return f"({tag(of)}){{{', '.join(map(self._literal, node.elts, parts[0]))}}}"
        if kind in ("list", "set") and isinstance(node, ast.List | ast.Tuple | ast.Set):
            return self._items(of, c_type(parts[0]), [self._literal(item, parts[0]) for item in node.elts])
        if kind in ("list", "set") and isinstance(value, bytes):
            return self._items(of, "uint8_t", [str(byte) for byte in value])
        if kind == "dict" and isinstance(node, ast.Dict):
            keys = [key for key in node.keys if key]
            entries = [
                f"{{{self._literal(k, parts[0])}, {self._literal(v, parts[1])}}}"
                for k, v in zip(keys, node.values, strict=True)
            ]
            return self._items(of, f"struct {tag(of)}_entry", entries)
        return _scalar(value, of)

    def _items(self, of: Shape, item: str, items: Sequence[str]) -> str:
        if not items:
            return f"({tag(of)}){{NULL, 0}}"
        return f"({tag(of)}){{({item}[]){{{', '.join(items)}}}, {len(items)}}}"

    def _made(self, node: ast.expr, of: Shape) -> str:
        """What is made by a call: a record, `set()`, or a float that has no literal."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            raise Unsayable(ast.unparse(node))
        if of[0] == "record" and node.func.id == of[1]:
            parts = self._types.parts(of)
            told = dict(zip(parts, node.args, strict=False)) | {one.arg: one.value for one in node.keywords}
            if list(told) != list(parts):
                raise Unsayable(ast.unparse(node))
            return f"({tag(of)}){{{', '.join(self._literal(told[key], part) for key, part in parts.items())}}}"
        if node.func.id == "float" and of[0] == "float" and isinstance(node.args[0], ast.Constant):
            text = str(node.args[0].value)
            return {"nan": "NAN", "inf": "INFINITY", "-inf": "-INFINITY"}.get(text) or _scalar(float(text), of)
        if node.func.id in ("set", "frozenset") and not node.args and of[0] == "set":
            return self._items(of, "", [])
        raise Unsayable(ast.unparse(node))


def _parsed(source: str) -> ast.expr:
    tree = expression_or_none(source)
    if tree is None:
        raise Unsayable(source)
    return tree


def _scalar(value: object, of: Shape) -> str:
    kind = of[0]
    if value is None and of == ["maybe", ["str"]]:
        return "NULL"
    if kind == "bool" and isinstance(value, bool):
        return str(value).lower()
    if kind == "int" and isinstance(value, int) and abs(value) < 2**63:
        return f"INT64_C({value})"
    if kind == "float" and isinstance(value, int | float):
        return repr(float(value))
    if (kind == "str" or of == ["maybe", ["str"]]) and isinstance(value, str) and "\0" not in value:
        return '"' + "".join(_byte(byte) for byte in value.encode()) + '"'
    raise Unsayable(repr(value))


def _byte(byte: int) -> str:
    return chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}"


_SAME: Final = """static inline bool same_int(int64_t one, int64_t other) { return one == other; }
static inline bool same_byte(uint8_t one, uint8_t other) { return one == other; }
static inline bool same_bool(bool one, bool other) { return one == other; }
static inline bool same_str(const char *one, const char *other) { return one && other && strcmp(one, other) == 0; }
static inline bool same_maybe_str(const char *one, const char *other) {
    return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}
static inline bool same_float(double one, double other) {
    return one == other || (isnan(one) && isnan(other)) || fabs(one - other) <= fmax(1e-9 * fabs(other), 1e-12);
}
"""
_CHECK: Final = """static int tried, passed;
static void check(const char *name, bool holds) {
    tried++;
    passed += holds;
    if (!holds) printf("failed: %s\\n", name);
}
"""
