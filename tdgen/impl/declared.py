"""What a class declares: its exceptions are written by tdgen, its data and decorators must be as planned."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from textwrap import indent

from tdgen.source.syntax import Definition, expression, first_line, lines_of, parse
from tdgen.types import ClassInterface, FunctionSpec

_FREE = frozenset({"slots", "weakref_slot", "maxsize"})


def with_declared(code: str, spec: FunctionSpec) -> str:
    """`code` with the exceptions that the class of `spec` declares in its body written out; as it is where they are.

    They stand first in the body, below its docstring. Code that has no such class, or one in a line, is left as it is.
    """
    types = spec.interface.types if spec.interface else ()
    classes = [node for node in parse(code).body if isinstance(node, ast.ClassDef) and node.name == spec.name]
    if not types or not classes or classes[-1].body[0].lineno == classes[-1].lineno:
        return code
    node, names = classes[-1], {one.name for one in types}
    written = [part for part in node.body if names.intersection(_bound(part))]
    if [ast.dump(part) for part in written] == [ast.dump(parse(one.source).body[0]) for one in types]:
        return code
    has_docstring = ast.get_docstring(node, clean=False) is not None
    first = node.body[0]
    place = (first.end_lineno or 0) if has_docstring else first_line(first) - 1
    margin, lines = " " * first.col_offset, lines_of(code)
    for part in reversed(written):
        lines[first_line(part) - 1 : part.end_lineno] = [""] * len(range(first_line(part) - 1, part.end_lineno or 0))
    declared = [line for one in types for line in ("", *indent(one.source, margin).split("\n"))]
    lines[place:place] = [*declared, ""] if has_docstring else [*declared[1:], ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def class_findings(source: str, spec: FunctionSpec) -> tuple[str, ...]:
    """Where the written class is no such dataclass or enum as the contract says, or lacks a decorator of it."""
    classes = [node for node in parse(source).body if isinstance(node, ast.ClassDef) and node.name == spec.name]
    return tuple(_findings(classes[-1], spec.name, spec.interface)) if classes and spec.interface else ()


def _findings(node: ast.ClassDef, name: str, interface: ClassInterface) -> Iterator[str]:
    for decorator in interface.decorators:
        if not any(_is_same(one, expression(decorator)) for one in node.decorator_list):
            yield f"the class {name} must be decorated with `@{decorator}`, as in the contract"
    if interface.is_enum:
        yield from _member_findings(node, name, interface)
    elif interface.dataclass:
        yield from _field_findings(node, name, interface)
    written = {part.name: part.decorator_list for part in node.body if isinstance(part, Definition)}
    for method in interface.methods:
        for decorator in method.decorators if method.name in written else ():
            if not any(_is_same(one, expression(decorator)) for one in written[method.name]):
                yield f"the method {name}.{method.name} must be decorated with `@{decorator}`, as in the contract"


def _is_same(written: ast.expr, asked: ast.expr) -> bool:
    """Whether a decorator is the one that is asked for, whatever module is named before it.

    What only saves memory or time may stand in it beside what is asked for.
    """
    one, other = _parts(written), _parts(asked)
    return one[:2] == other[:2] and {k: v for k, v in one[2].items() if k not in _FREE or k in other[2]} == other[2]


def _parts(decorator: ast.expr) -> tuple[str, list[str], dict[str, str]]:
    """The last name of what decorates, and what it is given, by position and by name; `False` is what flags are."""
    call = decorator if isinstance(decorator, ast.Call) else ast.Call(decorator, [], [])
    named = {one.arg or "**": ast.unparse(one.value) for one in call.keywords}
    name = ast.unparse(call.func).rpartition(".")[2]
    is_flagged = name == "dataclass"
    return (
        name,
        [*map(ast.unparse, call.args)],
        {k: v for k, v in named.items() if not (is_flagged and _is_usual(k, v))},
    )


def _is_usual(flag: str, value: str) -> bool:
    """Whether a flag of a dataclass says what holds without it."""
    return value == str(flag in ("init", "repr", "eq", "match_args"))


def _member_findings(node: ast.ClassDef, name: str, interface: ClassInterface) -> Iterator[str]:
    """Members that differ from the contract's, by name, value or order."""
    if {ast.unparse(base).rpartition(".")[2] for base in node.bases} != {b.rpartition(".")[2] for b in interface.bases}:
        yield f"the class {name} must have the bases {', '.join(interface.bases)}, as in the contract"
    wanted = [(one.name, ast.unparse(expression(one.default or "None"))) for one in interface.fields]
    written = [
        (target.id, ast.unparse(part.value))
        for part in node.body
        if isinstance(part, ast.Assign)
        for target in part.targets
        if isinstance(target, ast.Name) and not target.id.startswith("_")
    ]
    if written != wanted:
        text = ", ".join(f"{member} = {value}" for member, value in wanted)
        yield f"the members of {name} must be exactly {text}, in this order"


def _field_findings(node: ast.ClassDef, name: str, interface: ClassInterface) -> Iterator[str]:
    """Fields that differ from the contract's by name, order or default, and further ones that would take part in it."""
    fields = [p for p in node.body if isinstance(p, ast.AnnAssign) and "ClassVar" not in ast.unparse(p.annotation)]
    named = {one.name for one in interface.fields}
    written = [(ast.unparse(one.target), one.value is not None) for one in fields if ast.unparse(one.target) in named]
    if written != [(one.name, one.default is not None) for one in interface.fields]:
        text = "; ".join(one.told for one in interface.fields)
        yield f"the fields of the dataclass {name} must be exactly {text}, in this order"
    for one in fields:
        value = ast.unparse(one.value) if one.value else ""
        if ast.unparse(one.target) not in named and not ("init=False" in value and "compare=False" in value):
            yield (
                f"{ast.unparse(one.target)} is no field of {name} in the contract: make it "
                "`field(init=False, repr=False, compare=False)`, or no field"
            )


def _bound(node: ast.stmt) -> Iterator[str]:
    """The names that a statement of a class's body binds."""
    if isinstance(node, Definition):
        yield node.name
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    yield from (target.id for target in targets if isinstance(target, ast.Name))
