"""What stands above a rendered file's tests: imports of what the tests name and nothing else.

A function's properties as the pytest file `test_<function>_properties.py`, with settings that bound them.

The same examples are drawn in each run, none is kept between runs, and no clock decides about an outcome.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator, Sequence

from tdgen.files.ruff import format_source
from tdgen.source.imports import free_names, import_lines
from tdgen.source.names import KNOWN_NAMES, PACKAGES, STDLIB
from tdgen.source.syntax import parse
from tdgen.testgen.rendering.annotations import comment, docstring
from tdgen.testgen.rendering.helpers import ISOLATED
from tdgen.testgen.rendering.sources import ALIASES
from tdgen.types import FunctionSpec, Plan, Property, module_case

_BROUGHT = {"pandas": "numpy"}


def header(
    functions: Iterable[str],
    plan: Plan,
    *,
    defined: frozenset[str] = frozenset(),
    third: Iterable[str] = (),
) -> str:
    """The imports for the sources of `functions`, in the usual groups; `defined` are names that need none.

    `third` are lines for packages of others. ValueError where a name is nobody's: neither the plan's nor the standard
    library's nor an allowed package's.
    """
    scopes = [ast.unparse(scope) for source in functions for scope in _scopes(source)]
    free = frozenset[str]().union(*(free_names(parse(text)) for text in scopes)) - frozenset(vars(builtins))
    declared = {function.name for function in plan.functions} | {shared.name for shared in plan.types}
    own, top = sorted(free & declared), plan.module.partition(".")[0]
    allowed = {*plan.packages, *(_BROUGHT[package] for package in plan.packages if package in _BROUGHT)}
    modules = {name: PACKAGES.get(name, name) for name in free - declared if PACKAGES.get(name, name) in allowed}
    aliased = {module: name for module, name in ALIASES.items() if name in free}
    known = {*own, *modules, *aliased.values(), top, "pytest", *defined}
    _refuse(free - known - KNOWN_NAMES.keys() - STDLIB)
    standard = [f"import {module} as {name}" for module, name in aliased.items()]
    standard += import_lines(scopes, known)
    packages = [f"import {m}" + (f" as {name}" if name != m else "") for name, m in modules.items()]
    packages += [*(["import pytest"] * ("pytest" in free)), *third]
    local = [f"import {plan.module}"] * (top in free)
    local += [f"from {plan.module} import {', '.join(own)}"] * bool(own)
    groups = [sorted(set(standard), key=_plain_first), sorted(packages, key=_plain_first), local]
    not_tests = [f"{name}.__test__ = False  # not a test, but what is tested" for name in own if _looks_like_test(name)]
    return "\n\n".join("\n".join(lines) for lines in (*groups, not_tests) if lines)


def _scopes(source: str) -> Iterator[ast.AST]:
    """The parts of a source that bind their names apart: a function, and what decorates it."""
    for statement in parse(source).body:
        if isinstance(statement, ast.FunctionDef):
            yield from statement.decorator_list
            statement.decorator_list = []
        yield statement


def _plain_first(line: str) -> tuple[bool, str]:
    return line.startswith("from "), line


def _looks_like_test(name: str) -> bool:
    """Whether pytest would collect it."""
    return name.startswith(("test", "Test"))


def _refuse(unknown: frozenset[str]) -> None:
    if unknown:
        raise ValueError(f"nobody knows the name {min(unknown)}: neither the plan nor the standard library has it")


MOST_EXAMPLES = 200
_BOUNDED = f"""
_bounded = settings(
    max_examples={MOST_EXAMPLES},
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=False,
    suppress_health_check=[HealthCheck.too_slow],
)
"""
_LENT = ("assume", "example", "given", "note", "reject", "target")


def render_properties(properties: Sequence[Property], spec: FunctionSpec, plan: Plan, *, isolated: bool = False) -> str:
    """The formatted source of the file, which needs pytest and hypothesis, and the module beside it.

    Where `isolated`, each test runs in a folder of its own. ValueError where a property names what nobody knows.
    """
    sources = [found.source for found in properties]
    helpers = [ISOLATED.strip()] * isolated
    named = frozenset[str]().union(*(free_names(parse(source)) for source in sources))
    lent = sorted([*(name for name in _LENT if name in named), "HealthCheck", "settings"])
    drawn = [f"from hypothesis import {', '.join(lent)}", "from hypothesis import strategies as st"]
    above = header([*sources, *helpers], plan, defined=frozenset({*_LENT, "st", "inside_tmp_path"}), third=drawn)
    tests = ["\n".join([*_why(found), "@_bounded", found.source]) for found in properties]
    first = docstring(f"Properties of {spec.name}: what holds for all inputs.")
    return format_source("\n\n\n".join([f"{first}\n\n{above}", _BOUNDED.strip(), *tests, *helpers]) + "\n")


def _why(found: Property) -> list[str]:
    """The words of the contract as a comment, unless its docstring says them."""
    (test,) = parse(found.source).body
    has_docstring = isinstance(test, ast.FunctionDef) and ast.get_docstring(test)
    return [] if has_docstring else comment(found.why)


def property_file(function: str) -> str:
    """The name of the file with a function's properties."""
    return f"test_{module_case(function)}_properties.py"
