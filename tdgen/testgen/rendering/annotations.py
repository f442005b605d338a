"""Names, comments and annotations of a rendered test.

Names, ids and comments from what a model wrote: readable where that is possible, harmless always.

Type annotations of a rendered test: those of the contract, `Any` where a case passes what these don't allow.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from tdgen.source.imports import free_names
from tdgen.source.names import KNOWN_NAMES, STDLIB
from tdgen.source.syntax import expression_or_none, literal
from tdgen.testgen.rendering.sources import dotted, expression, last_name, unparse
from tdgen.types import FunctionSpec, Plan
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
        self._types = plan.types
        self.classes = plan.classes
        self._known = vars(builtins).keys() | KNOWN_NAMES.keys() | STDLIB | {shared.name for shared in plan.types}

    def of_parameter(self, name: str, spec: FunctionSpec, values: Sequence[str]) -> str:
        """That of a parameter, for values given as sources."""
        found = [parameter.type for parameter in spec.parameters if parameter.name == name]
        return self.fitting(found[0], values) if found else "Any"

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
        if tree is None or not self._is_known(tree):
            return "Any"
        trees = [expression_or_none(value) for value in values]
        return annotation if all(value is not None and self.fits(value, annotation) for value in trees) else "Any"

    def fits(self, value: ast.expr, annotation: str) -> bool:
        """Whether a type checker may take the value for one of that type: False only where it plainly is of another."""
        try:
            return fits(literal(value), shape_of(annotation, self._types))
        except ValueError:
            return True

    def _is_known(self, tree: ast.expr) -> bool:
        """Whether all its names can be imported, and no generic type stands without its parameters."""
        return free_names(tree) <= self._known and not set(_bare_names(tree)) & _PARAMETRIZED


def _bare_names(tree: ast.AST) -> Iterator[str]:
    """The names in an annotation that are not followed by parameters."""
    if isinstance(tree, ast.Subscript):
        yield from _bare_names(tree.slice)
    elif isinstance(tree, ast.Name | ast.Attribute):
        yield dotted(tree).rpartition(".")[2]
    else:
        for child in ast.iter_child_nodes(tree):
            yield from _bare_names(child)
