"""What a contract's annotations mean to another language: the shapes of its values, as plain data.

A shape is a list: its kind first, then what it is of. `["list", ["int"]]`, `["record", "Item"]`. Drivers inside the
sandbox convert values by them, and back ends that are typed write their declarations from them.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Collection, Iterator
from importlib import resources
from typing import Any, Final

from tdgen.source.syntax import expression
from tdgen.types import FunctionSpec, Parameter, Plan
from tdgen.types.interface import ClassInterface, Method

Shape = list[Any]
_PLAIN: Final = {"int", "float", "bool", "str", "bytes", "None"}
_ANY: Final = {"Any", "object"}
_LISTS: Final = {"list", "List", "Sequence", "Iterable", "Collection", "MutableSequence"}
_DICTS: Final = {"dict", "Dict", "Mapping", "MutableMapping"}
_SETS: Final = {"set": "set", "Set": "set", "AbstractSet": "set", "frozenset": "frozenset", "FrozenSet": "frozenset"}
_OBJECT: Final = "object"
DOM: Final = "dom"
"""The module by whose names contracts and cases speak of a page, where the code has one: `dom.Element`, `dom.Page`."""
RECORDS: Final = ("dataclass", "named_tuple")
"""The kinds of declared types whose values are records."""


class Unsupported(ValueError):
    """A type of Python's that another language can't be asked for."""


def shape(annotation: str, plan: Plan) -> Shape:
    """The shape that an annotation of the plan's means; Unsupported where it has none."""
    classes = {one.name: _OBJECT for one in plan.functions if one.interface}
    classes |= {"Element": _OBJECT} if DOM in plan.packages else {}
    return _shape(expression(annotation), {one.name: one.kind for one in plan.types} | classes)


def _shape(node: ast.expr, declared: dict[str, str]) -> Shape:
    match node:
        case ast.Constant(value=None):
            return ["none"]
        case ast.Constant(value=str(text)):
            return _shape(expression(text), declared)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _union([left, right], declared)
        case ast.Name(id=name):
            return _named(name, declared)
        case ast.Attribute(attr=name):
            return _named(name, declared)
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inner):
            return _generic(name, inner.elts if isinstance(inner, ast.Tuple) else [inner], declared)
    raise Unsupported(ast.unparse(node))


def _named(name: str, declared: dict[str, str]) -> Shape:
    if name in _PLAIN:
        return [name.lower()]
    if name in _ANY:
        return ["any"]
    if declared.get(name) in RECORDS:
        return ["record", name]
    if declared.get(name) == _OBJECT:
        return ["object", name]
    if name in _LISTS:
        return ["list", ["any"]]
    if name in _DICTS:
        return ["dict", ["any"], ["any"]]
    if name in _SETS:
        return [_SETS[name], ["any"]]
    if name in ("tuple", "Tuple"):
        return ["tuple", [], ["any"]]
    raise Unsupported(name)


def _generic(name: str, inner: list[ast.expr], declared: dict[str, str]) -> Shape:
    if name == "Literal":
        return ["any"]
    if name in ("Optional", "Union"):
        return _union([*inner, *([ast.Constant(value=None)] if name == "Optional" else [])], declared)
    if name in ("Annotated", "Final"):
        return _shape(inner[0], declared)
    if name in _LISTS and len(inner) == 1:
        return ["list", _shape(inner[0], declared)]
    if name in _SETS and len(inner) == 1:
        return [_SETS[name], _shape(inner[0], declared)]
    if name in _DICTS and len(inner) == 2:
        return ["dict", *(_shape(one, declared) for one in inner)]
    if name in ("tuple", "Tuple"):
        if isinstance(inner[-1], ast.Constant) and inner[-1].value is ...:
            return ["tuple", [], _shape(inner[0], declared)]
        return [
            "tuple",
            [_shape(one, declared) for one in inner if not (isinstance(one, ast.Tuple) and not one.elts)],
            None,
        ]
    raise Unsupported(name)


def _union(parts: list[ast.expr], declared: dict[str, str]) -> Shape:
    shapes: list[Shape] = []
    for part in parts:
        one = _shape(part, declared)
        shapes += one[1] if one[0] == "union" else [one]
    return ["union", shapes]


OfClass = Callable[[FunctionSpec, ClassInterface, Plan, str], Iterator[str]]


def _no_class(spec: FunctionSpec, interface: ClassInterface, plan: Plan, language: str) -> Iterator[str]:
    yield f"class {spec.name!r}: code in {language} is functions alone: plan functions over a dataclass"


def records(plan: Plan) -> dict[str, dict[str, Shape]]:
    """By the names of the plan's records their fields' shapes, in order."""
    kinds = (*RECORDS, "exception")
    return {
        one.name: {field.name: shape(field.type, plan) for field in one.fields}
        for one in plan.types
        if one.kind in kinds
    }


def unsupported(where: str, annotation: str, plan: Plan, language: str) -> Iterator[str]:
    """That an annotation has no shape, where it has none."""
    try:
        shape(annotation, plan)
    except Unsupported as error:
        yield f"{where}: {annotation!r}: {error} has no counterpart in {language}"


def problems(plan: Plan, language: str, of_class: OfClass = _no_class, packages: Collection[str] = ()) -> Iterator[str]:
    """What of a plan can't be said in another language, for the planner to plan otherwise; of a class by `of_class`.

    `packages` are modules that stand for what the language has.
    """
    for one in plan.types:
        if one.kind not in (*RECORDS, "exception"):
            kind = one.kind.replace("_", " ")
            yield f"type {one.name!r}: {language} has no {kind}: take a dataclass, or str with the values in the words"
    fields = [(f"type {one.name!r}", field.type) for one in plan.types if one.kind != "enum" for field in one.fields]
    for spec in plan.functions:
        if spec.interface:
            yield from of_class(spec, spec.interface, plan, language)
            continue
        fields += [
            (f"function {spec.name!r}", text) for text in (*(one.type for one in spec.parameters), spec.returns.type)
        ]
        if any(parameter.name.startswith("**") for parameter in spec.parameters):
            yield f"function {spec.name!r}: {language} has no ** parameters: take a dict"
    for where, annotation in fields:
        yield from unsupported(where, annotation, plan, language)
    if plan.entry:
        yield f"a script can't be written in {language} yet: leave `entry_function` empty"
    if set(plan.packages) - set(packages):
        yield f"no packages can be used in {language}: leave `packages` empty"


_LOADING = """
import json as _json
import sys as _sys
from types import ModuleType as _ModuleType


def _loaded(name, text):
    if name not in _sys.modules:
        _sys.modules[name] = _ModuleType(name)
        exec(compile(text, name, "exec"), vars(_sys.modules[name]))
    return _sys.modules[name]


_loaded("tdgen", "")
_loaded("tdgen.languages", "")
_loaded("tdgen.languages.program", {program!r})
_loaded("tdgen.languages.bridge", {bridge!r})
_driver = _loaded("tdgen.languages.driver", {driver!r})
_setup = _json.loads({setup!r})
"""
_UNWRITTEN = "class _Unwritten(BaseException):\n    pass\n"


def parameters(spec: FunctionSpec) -> list[Parameter]:
    """A function's parameters, without the mark that some are given by name alone."""
    return [one for one in spec.parameters if one.name != "*"]


def given(method: Method) -> list[Parameter]:
    """A method's parameters in order, `self` and `cls` left out; those of `*` and `**` with these marks."""
    if method.node is None:
        return []
    arguments = method.node.args
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    pairs = list(zip(plain, defaults, strict=True))[0 if method.kind == "static" else 1 :]
    marked = [(mark, one) for mark, one in (("*", arguments.vararg), ("**", arguments.kwarg)) if one]
    return [
        *(_parameter(one, value) for one, value in pairs),
        *(_parameter(one, None, mark) for mark, one in marked),
        *(
            _parameter(one, value, is_named=True)
            for one, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        ),
    ]


def constructor(interface: ClassInterface, plan: Plan) -> Method:
    """The constructor as the contract has it, as it comes from a base, or one without parameters."""
    bases = [one.interface for one in plan.functions if one.interface and one.name in interface.base_names]
    return interface.constructor or next(
        (constructor(base, plan) for base in bases), Method(signature="def __init__(self)")
    )


def _parameter(one: ast.arg, default: ast.expr | None, mark: str = "", *, is_named: bool = False) -> Parameter:
    annotation = ast.unparse(one.annotation) if one.annotation else "Any"
    source = None if default is None else ast.unparse(default)
    return Parameter(name=f"{mark}{one.arg}", type=annotation, default=source, keyword_only=is_named)


def standing(setup: Any, driver: str, types: str) -> str:
    """The Python module that stands for code in another language: the declared types, and functions of a driver's."""
    return f"{types}\n\n{_UNWRITTEN}\n{warming(setup, driver, 'opened(_setup, globals())')}"


def warming(setup: Any, driver: str, call: str = "warm(_setup, limit, scratch)") -> str:
    """What loads a driver and calls it: as a process does that waits for a job, to have ready what takes long to start.

    `call` is another call of the driver's.
    """
    program, bridge = (
        resources.files("tdgen.languages").joinpath(f"{name}.py").read_text(encoding="utf-8")
        for name in ("program", "bridge")
    )
    loading = _LOADING.format(program=program, bridge=bridge, driver=driver, setup=json.dumps(setup))
    return f"{loading}_driver.{call}\n"
