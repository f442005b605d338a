"""Names, comments, annotations and imports of a rendered test file, and its properties.

Names and comments come from what a model wrote: readable where that is possible, harmless always. Properties draw the
same examples in each run, none is kept between runs, and no clock decides about an outcome.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from tdgen.files.ruff import format_source
from tdgen.pytest_files.helpers import ISOLATED
from tdgen.pytest_files.sources import ALIASES, expression, last_name, unparse
from tdgen.source.names import KNOWN_NAMES, PACKAGES, STDLIB
from tdgen.source.syntax import expression_or_none, is_literal, literal, parse
from tdgen.source.trees import dotted, free_names, import_lines
from tdgen.types import FunctionSpec, Plan, Property
from tdgen.values.shapes import fits, shape_of

_WIDTH = 88


def slug(text: str) -> str:
    """`text` as part of an identifier or of a test's id: ASCII letters, digits and underscores, never empty."""
    words = re.findall(r"[A-Za-z0-9]+", text)
    return "_".join(words)[:60].strip("_").lower() or "case"


def local_name(name: str, taken: frozenset[str]) -> str:
    """`name` as a parameter of a test, with an underscore where the test needs the name for something else."""
    while name in taken or keyword.iskeyword(name):
        name += "_"
    return name


def one_line(text: str) -> str:
    """`text` on one line of printable characters that any file can take."""
    line = " ".join(text.split())
    return "".join(character if character.isprintable() else "�" for character in line)


def comment(text: str, indent: int = 0) -> list[str]:
    """`text` as a comment, over as many lines as it takes."""
    return [f"# {line}" for line in textwrap.wrap(one_line(text), _WIDTH - indent - len("# "), break_on_hyphens=False)]


def docstring(text: str) -> str:
    """`text` as a docstring of one line."""
    line = one_line(text).replace("\\", "\\\\").replace('"""', "'''")
    return f'"""{line}"""' if not line.endswith('"') else f'"""{line} """'


def unique(name: str, taken: set[str]) -> str:
    """`name`, or that with a number where it is taken; taken it is afterwards."""
    candidate, number = name, 1
    while candidate in taken:
        number += 1
        candidate = f"{name}_{number}"
    taken.add(candidate)
    return candidate


_PARAMETRIZED = frozenset({"list", "dict", "set", "frozenset", "tuple", "type", "deque", "defaultdict"}).union(
    ("Iterator", "Iterable", "Generator", "Callable", "Sequence", "Mapping", "MutableMapping", "MutableSequence"),
    ("Collection", "Counter", "List", "Dict", "Set", "Tuple"),
)


class Annotations:
    """The annotations that a plan's test files can take from its contracts."""

    def __init__(self, plan: Plan) -> None:
        self._types = plan.data_types
        self.classes = plan.compared_by_state
        self._known = vars(builtins).keys() | KNOWN_NAMES.keys() | STDLIB | {shared.name for shared in plan.types}

    def of_parameter(self, name: str, spec: FunctionSpec, values: Sequence[str]) -> str:
        """That of a parameter, for values given as sources."""
        types = [parameter.type for parameter in spec.parameters if parameter.name == name]
        return self.fitting(types[0], values) if types else "Any"

    def of_expected(self, spec: FunctionSpec, values: Sequence[str]) -> str:
        """That of expected values: the return annotation, with a list for what is iterated."""
        tree = expression_or_none(spec.returns.type)
        is_iterated = isinstance(tree, ast.Subscript) and last_name(tree.value) in ("Iterator", "Iterable", "Generator")
        return "Any" if is_iterated else self.fitting(spec.returns.type, values)

    def bypassed(self, call: str, spec: FunctionSpec, before: list[str]) -> str:
        """The call with what a type checker refuses bound to names of any type, by lines added to `before`."""
        tree = expression(call)
        types = {parameter.name: parameter.type for parameter in spec.parameters}
        bound: list[str] = []

        def named(value: ast.expr, parameter: str) -> ast.expr:
            annotation = types.get(parameter)
            if annotation is None or self.fits(value, annotation):
                return value
            name = local_name(parameter, free_names(tree))
            bound.append(f"{name}: Any = {unparse(value)}")
            return ast.Name(name, ast.Load())

        for node in [node for node in ast.walk(tree) if isinstance(node, ast.Call) and last_name(node) == spec.name]:
            positional = [named(value, name) for value, name in zip(node.args, types, strict=False)]
            node.args = [*positional, *node.args[len(positional) :]]
            for given in node.keywords:
                given.value = named(given.value, given.arg or "")
        before += bound
        return unparse(tree) if bound else call

    def fitting(self, annotation: str, values: Iterable[str]) -> str:
        """The annotation where each value may be of it, and every name in it is known; else `Any`."""
        tree = expression_or_none(annotation)
        # all its names can be imported, and no generic type stands without its parameters
        if tree is None or not (free_names(tree) <= self._known and not set(_bare_names(tree)) & _PARAMETRIZED):
            return "Any"
        trees = [expression_or_none(value) for value in values]
        return annotation if all(value is not None and self.fits(value, annotation) for value in trees) else "Any"

    def fits(self, value: ast.expr, annotation: str) -> bool:
        """Whether a type checker may take the value for one of that type: False only where it plainly is of another."""
        return not is_literal(value) or fits(literal(value), shape_of(annotation, self._types))


def _bare_names(tree: ast.AST) -> Iterator[str]:
    """The names in an annotation that are not followed by parameters."""
    if isinstance(tree, ast.Subscript):
        yield from _bare_names(tree.slice)
    elif isinstance(tree, ast.Name | ast.Attribute):
        yield dotted(tree).rpartition(".")[2]
    else:
        for child in ast.iter_child_nodes(tree):
            yield from _bare_names(child)


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
    declared = {function.name for function in plan.functions} | {shared.name for shared in plan.declared_types}
    there = {
        name: one for name, one in (plan.target.case_names if plan.target else {}).items() if name in free - declared
    }
    declared |= {name for name, one in there.items() if one.is_own}
    standards = KNOWN_NAMES.keys() | STDLIB
    if plan.target:  # what its module has of the project or of a package by such a name is not the standard library's
        standards -= {name for name, one in plan.target.names.items() if _top(one.line) not in STDLIB}
    lines = {name: one.line for name, one in there.items() if not (one.is_own or name in standards)}
    own, top = sorted(free & declared), plan.module.partition(".")[0]
    allowed = {*plan.packages, *(_BROUGHT[package] for package in plan.packages if package in _BROUGHT)}
    modules = {name: PACKAGES.get(name, name) for name in free - declared if PACKAGES.get(name, name) in allowed}
    aliased = {name: module for module, name in [*ALIASES.items(), ("datetime", "dt")] if name in free}
    known = {*own, *modules, *lines, *aliased, top, "pytest", *defined}
    unknown = free - known - KNOWN_NAMES.keys() - STDLIB
    if unknown:
        raise ValueError(f"nobody knows the name {min(unknown)}: neither the plan nor the standard library has it")
    standard = [f"import {module} as {name}" for name, module in aliased.items()]
    named = import_lines(scopes, known)
    standard += (line for line in named if _top(line) in STDLIB)
    outside = (line for line in named if _top(line) not in STDLIB)
    packages = [f"import {m}" + (f" as {name}" if name != m else "") for name, m in modules.items()]
    packages += [*(["import pytest"] * ("pytest" in free)), *third, *outside]
    local = [f"import {plan.module}"] * (top in free)
    local += [f"from {plan.module} import {', '.join(own)}"] * bool(own)
    local = sorted({*local, *lines.values()}, key=_plain_first)
    groups = [sorted(set(standard), key=_plain_first), sorted(packages, key=_plain_first), local]
    collected = [name for name in own if name.startswith(("test", "Test"))]
    not_tests = [f"{name}.__test__ = False  # not a test, but what is tested" for name in collected]
    return "\n\n".join("\n".join(lines) for lines in (*groups, not_tests) if lines)


def _scopes(source: str) -> Iterator[ast.AST]:
    """The parts of a source that bind their names apart: a function, and what decorates it."""
    for statement in parse(source).body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            yield from statement.decorator_list
            statement.decorator_list = []
        yield statement


def _top(line: str) -> str:
    """The top-level package that an import statement names."""
    return line.split()[1].partition(".")[0]


def _plain_first(line: str) -> tuple[bool, str]:
    return line.startswith("from "), line


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
    sources = [prop.source for prop in properties]
    helpers = [ISOLATED.strip()] * isolated
    named = frozenset[str]().union(*(free_names(parse(source)) for source in sources))
    lent = sorted([*(name for name in _LENT if name in named), "HealthCheck", "settings"])
    drawn = [f"from hypothesis import {', '.join(lent)}", "from hypothesis import strategies as st"]
    defined = frozenset({*_LENT, "st", "inside_tmp_path"})
    above = header([*sources, *helpers], plan, defined=defined, third=drawn)
    tests: list[str] = []
    for prop in properties:
        (test,) = parse(prop.source).body
        # the words of the contract as a comment, unless its docstring says them
        has_docstring = isinstance(test, ast.FunctionDef) and ast.get_docstring(test)
        why = [] if has_docstring else comment(prop.why)
        tests.append("\n".join([*why, "@_bounded", prop.source]))
    first = docstring(f"Properties of {spec.name}: what holds for all inputs.")
    return format_source("\n\n\n".join([f"{first}\n\n{above}", _BOUNDED.strip(), *tests, *helpers]) + "\n")
