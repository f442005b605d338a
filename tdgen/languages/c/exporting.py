"""What the user gets: NAME.h, NAME.c, test_NAME.c with the cases that C can say alone, and a Makefile."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tdgen.languages import shapes
from tdgen.languages.c.declaring import Types, c_type, kinds
from tdgen.languages.c.reading import HEADERS
from tdgen.languages.files import Unsayable, code_of, summary
from tdgen.languages.gcc import exporting
from tdgen.languages.gcc.exporting import MAKEFILE, escaped, parsed
from tdgen.languages.gcc.types import plain, returned, tag
from tdgen.languages.shapes import Shape
from tdgen.source.syntax import expression_or_none
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
UNWRITTEN: Final = """_Noreturn static inline void tdgen_unwritten(void) { exit(87); }
"""


def declarations(plan: Plan, types: Types) -> str:
    """What stands above all code: headers, failures, and the types of the contracts."""
    included = "".join(f"#include <{name}.h>\n" for name in HEADERS)
    names = ", ".join(["NO_FAILURE", *kinds(plan)])
    failing = f"enum failure_kind {{ {names} }};\n{_FAIL}" if any(spec.raises for spec in plan.functions) else ""
    return f"{included}\n{failing}{types.declarations()}"


def module_text(plan: Plan, sources: Mapping[str, str], header: str) -> str:
    """The module's file."""
    return f'/* {summary(plan)} */\n\n#include "{header}"\n\n{code_of(sources)}\n'


def files_beside(plan: Plan, suites: Sequence[Suite], name: str, head: Callable[[FunctionSpec], str]) -> dict[str, str]:
    """The header, the tests and the Makefile."""
    types, guard = Types(plan), f"{name.upper()}_H"
    prototypes = "".join(f"{head(spec)};\n" for spec in plan.functions)
    header = f"#ifndef {guard}\n#define {guard}\n\n{declarations(plan, types)}\n{prototypes}\n#endif\n"
    flags = "CFLAGS = -std=c17 -Wall -g -D_POSIX_C_SOURCE=200809L"
    return {
        f"{name}.h": header,
        f"test_{name}.c": _Tests(plan, types).text(f"{name}.h", suites),
        "Makefile": MAKEFILE.format(
            flags=flags, name=name, suffix="c", module=f"{name}.c ", header="h", compile="$(CC) $(CFLAGS)"
        ),
    }


class _Tests(exporting.Tests):
    """The tests of a plan's suites in C."""

    types: Types
    checking = """static void test_check(const char *name, bool holds) {
    tests_tried++;
    tests_passed += holds;
    if (!holds) printf("failed: %s\\n", name);
}
"""

    def same(self) -> str:
        """A function for each type."""
        texts = []
        for of in self.types.all.values():
            parts = self.types.parts(of)
            if not parts or of == ["maybe", ["str"]]:
                continue
            name, kind = tag(of), of[0]
            head = f"static inline bool test_same_{name}({name} one, {name} other) {{ "
            if kind in ("list", "set", "dict"):
                field = {key: f".{key}" if kind == "dict" else "" for key in parts}
                each = " && ".join(
                    f"test_same_{tag(part)}(one.items[n]{field[key]}, other.items[m]{field[key]})"
                    for key, part in parts.items()
                )
                loop = f"for (size_t n = 0, m = 0; n < one.length; n++, m++) if (!({each})) return false;"
                if kind != "list":
                    loop = (
                        "for (size_t n = 0; n < one.length; n++) { bool found = false; for (size_t m = 0; "
                        f"m < other.length; m++) found = found || ({each}); if (!found) return false; }}"
                    )
                texts.append(f"{head}if (one.length != other.length) return false; {loop} return true; }}")
                continue
            each = " && ".join(f"test_same_{tag(part)}(one.{key}, other.{key})" for key, part in parts.items())
            given = "one.has == other.has && (!one.has || " if kind == "maybe" else "("
            texts.append(f"{head}return {given}{each}); }}")
        return _SAME + "\n".join(texts)

    def test(self, case: Case) -> str:
        """What a call with plain data gives, and no failure, or the failure; Unsayable for what looks at more."""
        spec, effects, asked = self.plan.spec(case.function), case.effects, case.expectation
        beside = (effects.stdout, effects.stderr, effects.logs, case.setup, case.after, effects.files)
        call = expression_or_none(case.expression)
        if any(beside) or case.world != type(case.world)() or not isinstance(call, ast.Call):
            raise Unsayable(case.name)
        if not isinstance(call.func, ast.Name) or call.func.id != spec.name or spec.returns.unordered:
            raise Unsayable(case.name)
        said = f"{spec.name}({', '.join([*self._given(call, spec), *['&error'] * bool(spec.raises)])})"
        name, returns = escaped(f"{spec.name}: {case.name}"), returned(spec, self.plan)
        error, fine = ("failure error = {0}; ", " && error.kind == NO_FAILURE") if spec.raises else ("", "")
        if isinstance(asked, Value) and returns != ["none"]:
            same = f"test_same_{tag(returns)}(actual, {self.literal(parsed(asked.source), returns)})"
            freed = self.types.freed(returns, "actual")
            return f"{{ {error}{c_type(returns)} actual = {said}; test_check({name}, {same}{fine}); {freed}}}"
        kind = asked.type.rpartition(".")[2] if isinstance(asked, ExpectedException) else ""
        if spec.raises and kind in kinds(self.plan):
            return f"{{ {error}(void){said}; test_check({name}, error.kind == {kind}); }}"
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

    def quoted(self, text: str) -> str:
        """A text without NUL."""
        if "\0" in text:
            raise Unsayable(repr(text))
        return escaped(text)

    def group(self, of: Shape, parts: Sequence[str]) -> str:
        """A struct; a text that may be None is a pointer that may be NULL."""
        if of == ["maybe", ["str"]]:
            return parts[0] if parts else "NULL"
        has = [str(bool(parts)).lower()] if of[0] == "maybe" else []
        return f"({tag(of)}){{{', '.join([*has, *parts])}}}"

    def items(self, of: Shape, items: Sequence[str]) -> str:
        """A struct of an array and its length."""
        if not items:
            return f"({tag(of)}){{NULL, 0}}"
        item = f"struct {tag(of)}_entry" if of[0] == "dict" else c_type(of[1])
        return f"({tag(of)}){{({item}[]){{{', '.join(items)}}}, {len(items)}}}"


_SAME: Final = """#pragma GCC diagnostic ignored "-Wunused-function"
static inline bool test_same_int(int64_t one, int64_t other) { return one == other; }
static inline bool test_same_byte(uint8_t one, uint8_t other) { return one == other; }
static inline bool test_same_bool(bool one, bool other) { return one == other; }
static inline bool test_same_str(const char *one, const char *other) { return one && other && strcmp(one, other) == 0; }
static inline bool test_same_maybe_str(const char *one, const char *other) {
    return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}
static inline bool test_same_float(double one, double other) {
    if (isnan(one) || isnan(other)) return isnan(one) && isnan(other);
    return one == other || (isfinite(other) && fabs(one - other) <= fmax(1e-9 * fabs(other), 1e-12));
}
"""
