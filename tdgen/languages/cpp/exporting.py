"""What the user gets: NAME.hpp, NAME.cpp, test_NAME.cpp with the cases that C++ can say alone, and a Makefile."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from tdgen.languages.cpp.declaring import cpp_type, declarations, exceptions, head
from tdgen.languages.cpp.reading import HEADERS
from tdgen.languages.cpp.saying import Scope
from tdgen.languages.files import Unsayable, code_of, summary
from tdgen.languages.gcc import exporting
from tdgen.languages.gcc.exporting import MAKEFILE, escaped, parsed
from tdgen.languages.gcc.types import Types
from tdgen.languages.shapes import Shape
from tdgen.types import Case, ExpectedException, Plan, Suite, Value

_OF_TYPES: Final = ("cmath", "cstdint", "map", "optional", "set", "stdexcept", "string", "tuple", "vector")
_HEAVY: Final = {"regex": "regex", "ranges": "ranges|views"}
"""Headers that take long to read, with what code that needs them says."""


INCLUDED: Final = "".join(f"#include <{name}>\n" for name in HEADERS)


def literal_in(plan: Plan) -> Callable[[str, Shape], str]:
    """What writes Python literals in C++."""
    tests = _Tests(plan, Types(plan))
    return lambda source, of: tests.literal(parsed(source), of)


def module_text(plan: Plan, sources: Mapping[str, str], header: str) -> str:
    """The module's file with the headers that its code may use; one with classes is a header, which has it all."""
    whole = dict(sources)
    for name in sources.keys() - plan.classes if plan.classes else ():  # a function that a header may hold is inline
        head = rf"(?m)^(?!inline\b)(?=[A-Za-z_][^\n;{{}}()=#]*\b{name}\s*\([^;{{}}]*\)\s*\{{)"
        whole[name] = re.sub(head, "inline ", sources[name], count=1)
    code = code_of(whole)
    needed = [name for name in HEADERS if name not in _OF_TYPES and re.search(_HEAVY.get(name, ""), code)]
    included = "".join(f"#include <{name}>\n" for name in needed)
    own = f'#include "{header}"\n\n{included}'
    above = _declared(plan, sorted([*_OF_TYPES, *needed])) if plan.classes else own
    return f"/* {summary(plan)} */\n\n{above}\n{code}\n"


def _declared(plan: Plan, headers: Iterable[str]) -> str:
    """What a header has of a plan: types, classes by their names, and the heads of functions."""
    types = Types(plan)
    said, mark = literal_in(plan), "inline " * bool(plan.classes)
    known = "".join(f"class {spec.name};\n" for spec in plan.functions if spec.interface)
    heads = "".join(f"{mark}{head(spec, plan, said)};\n" for spec in plan.functions if not spec.interface)
    included = "".join(f"#include <{name}>\n" for name in headers)
    return f"#pragma once\n\n{included}\n{declarations(plan, types, said)}\n{known}{heads}"


def files_beside(plan: Plan, suites: Sequence[Suite], name: str) -> dict[str, str]:
    """The tests and the Makefile, and the header of a module that is none."""
    module = "" if plan.classes else f"{name}.cpp "
    files = {
        f"test_{name}.cpp": _Tests(plan, Types(plan)).text(f"{name}.hpp", suites),
        "Makefile": MAKEFILE.format(
            # of itself make looks for g++; `c++` is the one that is there
            flags="CXXFLAGS = -std=c++20 -Wall -g\nifeq ($(origin CXX),default)\nCXX = c++\nendif",
            name=name,
            suffix="cpp",
            module=module,
            header="hpp",
            compile="$(CXX) $(CXXFLAGS)",
        ),
    }
    return {f"{name}.hpp": _declared(plan, _OF_TYPES), **files} if module else files


class _Tests(exporting.Tests):
    """The tests of a plan's suites in C++: what a call throws that nothing expects fails its test alone."""

    checking = """template <class Holds> static void test_check(const char *name, Holds holds) {
    bool passes = false;
    try { passes = holds(); } catch (...) {}
    tests_tried++;
    tests_passed += passes;
    if (!passes) printf("failed: %s\\n", name);
}
"""

    def same(self) -> str:
        """Equality, with a tolerance for floats wherever they stand."""
        records = [of for of in self.types.all.values() if of[0] == "record"]
        heads = "".join(f"bool test_same(const {of[1]}& one, const {of[1]}& other);\n" for of in records)
        bodies = "".join(
            f"bool test_same(const {of[1]}& one, const {of[1]}& other) {{ return "
            + (" && ".join(f"test_same(one.{key}, other.{key})" for key in self.types.parts(of)) or "true")
            + "; }\n"
            for of in records
        )
        return f"#include <algorithm>\n#include <cstdio>\n\n{heads}{_SAME}{bodies}"

    def test(self, case: Case) -> str:
        """The statement that tries a case, in a scope of its own."""
        effects, asked, scope = case.effects, case.expectation, Scope(self.plan, self.literal)
        if any((effects.stdout, effects.stderr, effects.logs, effects.files)) or case.world != type(case.world)():
            raise Unsayable(case.name)
        lines = [*scope.setup(case.setup)]
        call, shape = scope.said(parsed(case.expression))
        if isinstance(asked, ExpectedException):
            kind = asked.type.rpartition(".")[2]
            if kind not in exceptions(self.plan):
                raise Unsayable(case.name)
            lines.append(f"try {{ (void){call}; return false; }} catch (const {kind}&) {{}}")
        elif not isinstance(asked, Value) or self.plan.spec(case.function).returns.unordered:
            raise Unsayable(case.name)
        elif shape == ["none"]:
            lines.append(f"{call};")
        else:
            lines.append(f"if (!{scope.same((call, shape), asked.source)}) return false;")
        comparisons = (scope.same(scope.said(parsed(after.expression)), after.source) for after in case.after)
        lines += [f"if (!{comparison}) return false;" for comparison in comparisons]
        body = "".join(f"\n        {line}" for line in (*lines, "return true;"))
        return f"test_check({escaped(f'{case.function}: {case.name}')}, [] {{{body}\n    }});"

    def quoted(self, text: str) -> str:
        """A string, NULs in it too."""
        if "\0" in text:
            return f"std::string({escaped(text)}, {len(text.encode())})"
        return f"std::string({escaped(text)})"

    def group(self, of: Shape, parts: Sequence[str]) -> str:
        """A value of the type, made of its parts."""
        return f"{cpp_type(of)}{{{', '.join(parts)}}}"


_SAME: Final = """template <class T> bool test_same(const T& one, const T& other) { return one == other; }
bool test_same(double one, double other) {
    if (std::isnan(one) || std::isnan(other)) return std::isnan(one) && std::isnan(other);
    return one == other || (std::isfinite(other) && std::abs(one - other) <= std::max(1e-9 * std::abs(other), 1e-12));
}
template <class T> bool test_same(const std::optional<T>& one, const std::optional<T>& other);
template <class... T> bool test_same(const std::tuple<T...>& one, const std::tuple<T...>& other);
template <class T> bool test_same(const std::vector<T>& one, const std::vector<T>& other);
template <class K, class V> bool test_same(const std::map<K, V>& one, const std::map<K, V>& other);
template <class T> bool test_same(const std::optional<T>& one, const std::optional<T>& other) {
    return one.has_value() == other.has_value() && (!one || test_same(*one, *other));
}
template <class... T> bool test_same(const std::tuple<T...>& one, const std::tuple<T...>& other) {
    auto with = [&](const T&... a) {
        return std::apply([&](const T&... b) { return (test_same(a, b) && ...); }, other);
    };
    return std::apply(with, one);
}
template <class T> bool test_same(const std::vector<T>& one, const std::vector<T>& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](const T& a, const T& b) { return test_same(a, b); });
}
template <class K, class V> bool test_same(const std::map<K, V>& one, const std::map<K, V>& other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](const auto& a, const auto& b) { return a.first == b.first && test_same(a.second, b.second); });
}
"""
