"""Classes in a plan: an interface as a unit's contract, and what is wrong with one, in words for its author."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from tdgen.source.names import KNOWN_NAMES, STDLIB
from tdgen.source.syntax import expression_or_none, statements_of
from tdgen.source.trees import dotted
from tdgen.specs.declarations import annotation_problem, package_names
from tdgen.types import ClassInterface, FunctionSpec, Method, MethodKind, Parameter, Plan, Returns

MOST_METHODS = 60
"""Of how many methods a class may be: a prompt must hold the contract of all, and an answer their code."""
_DEF = re.compile(r"(async\s+)?(?:def\s+)?")
_READ = ("property", "setter")


def class_spec(name: str, interface: ClassInterface) -> FunctionSpec:
    """A class as a unit: its constructor's parameters, and the exceptions of all its methods."""
    raised = {raised.type: raised for method in interface.methods for raised in method.raises}
    fields = interface.fields if interface.dataclass else ()  # of these a dataclass's own constructor is made
    of_fields = (Parameter(name=one.name, type=one.type, default=one.default) for one in fields)
    return FunctionSpec(
        name=name,
        purpose="",
        parameters=_parameters(interface.constructor) or tuple(of_fields),
        returns=Returns(type=name),
        raises=tuple(raised.values()),
        interface=interface,
    )


def with_written_constructor(interface: ClassInterface) -> ClassInterface:
    """The interface, of a dataclass with what its `__init__` does beside taking the fields as `__post_init__`."""
    if not interface.dataclass:
        return interface
    methods = []
    for method in interface.methods:
        if method.name != "__init__":
            methods.append(method)
        elif method.raises and interface.method("__post_init__") is None:
            methods.append(method.model_copy(update={"signature": "def __post_init__(self) -> None"}))
    return interface.model_copy(update={"methods": tuple(methods)})


def with_annotations(signature: str, kind: MethodKind) -> str:
    """A method's signature as code has it: `def` before it, `self` or `cls` first, and what it returns.

    As it is, where it is no signature.
    """
    text = signature.strip().rstrip(":").strip()
    opening = _DEF.match(text)
    is_async = bool(opening and opening[1])
    text = text[opening.end() :] if opening else text
    node = next(iter(statements_of(f"def {text}: ...")), None)
    if not isinstance(node, ast.FunctionDef):
        return signature.strip()
    given = node.args
    names = [one.arg for one in (*given.posonlyargs, *given.args)]
    if kind != "static" and names[:1] not in (["self"], ["cls"]):
        (given.posonlyargs or given.args).insert(0, ast.arg("cls" if kind == "class" else "self"))
    node.returns = node.returns or ast.Constant(value=None)
    head = f"def {node.name}({ast.unparse(given)}) -> {ast.unparse(node.returns)}"
    return f"async {head}" if is_async else head


def _parameters(constructor: Method | None) -> tuple[Parameter, ...]:
    """A constructor's parameters; none where its contract does not say."""
    if constructor is None or constructor.node is None:
        return ()
    given = constructor.node.args
    plain = [*given.posonlyargs, *given.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(given.defaults)) + list(given.defaults)
    parameters = [_parameter(one, default) for one, default in zip(plain, defaults, strict=True)][1:]
    parameters += [_parameter(given.vararg, None, "*")] if given.vararg else []
    parameters += [_parameter(one, default) for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    return (*parameters, _parameter(given.kwarg, None, "**")) if given.kwarg else tuple(parameters)


def _parameter(given: ast.arg, default: ast.expr | None, stars: str = "") -> Parameter:
    annotation = ast.unparse(given.annotation) if given.annotation else "Any"
    return Parameter(
        name=stars + given.arg, type=annotation, default=ast.unparse(default) if default is not None else None
    )


def interface_problems(spec: FunctionSpec, plan: Plan, shared: frozenset[str]) -> Iterator[str]:
    """What is wrong with a class's interface; `shared` are the names that annotations may use beside Python's own."""
    interface = spec.interface
    if interface is None:
        return
    if len(interface.methods) > MOST_METHODS:
        yield f"it has {len(interface.methods)} methods, at most {MOST_METHODS} are allowed: divide it"
        return
    if not interface.methods and not interface.attributes:
        yield "it has neither methods nor attributes"
    for decorator in (*interface.decorators, *(one for method in interface.methods for one in method.decorators)):
        if text := _decorator_problem(decorator, plan):
            yield text
    yield from _data_problems(interface)
    yield from _inherited_problems(spec, plan)
    yield from _name_problems(interface)
    for method in interface.methods:
        yield from _method_problems(method, shared)
    for attribute in interface.attributes:
        if not attribute.name.isidentifier() or keyword.iskeyword(attribute.name) or attribute.name.startswith("_"):
            yield f"the attribute name {attribute.name!r} is no public name"
        is_member = interface.is_enum and attribute.default is not None
        if not is_member and (problem := annotation_problem(attribute.type, shared)):
            yield f"attribute {attribute.name!r}: {problem}"
    yield from _base_problems(spec, plan, shared)


def _decorator_problem(decorator: str, plan: Plan) -> str:
    """Why a decorator can't be: it is no name or call, or of nothing that is there; empty where it can."""
    tree = expression_or_none(decorator)
    name = dotted(tree.func if isinstance(tree, ast.Call) else tree) if tree is not None else ""
    top = name.partition(".")[0]
    is_there = top in KNOWN_NAMES or top in vars(builtins) or top in {spec.name for spec in plan.functions}
    if name and (is_there or ("." in name and top in STDLIB | package_names(plan.packages))):
        return ""
    return f"the decorator {decorator!r} is unknown: write it as Python, of the standard library by its full name"


def _data_problems(interface: ClassInterface) -> Iterator[str]:
    """What is wrong with the fields of a dataclass, or the members of an enum."""
    if interface.is_enum and not interface.fields:
        yield "it is an enum and has no members: they are `attributes`, with their values as `default`"
    for one in interface.attributes:
        if one.default is not None and expression_or_none(one.default) is None:
            yield f"the default {one.default!r} of {one.name!r} is not a Python expression"
    if interface.dataclass and "kw_only=True" not in interface.dataclass:
        has_default = [one.default is not None for one in interface.fields]
        if has_default != sorted(has_default):
            late = interface.fields[has_default.index(True) + has_default[has_default.index(True) :].index(False)]
            yield f"the field {late.name!r} without default follows one with a default"


def _inherited_problems(spec: FunctionSpec, plan: Plan) -> Iterator[str]:
    """What Python refuses of data that inherits from data."""
    interface = spec.interface or ClassInterface()
    data = {one.name: one for one in plan.data_types}
    own = data.get(spec.name)
    for base in (data[name] for name in interface.base_names if name in data and name != spec.name):
        if base.kind == "enum" and base.fields:
            yield f"the base {base.name!r} is an enum with members, and nothing can inherit from that"
        elif own and {own.kind, base.kind} == {"dataclass"}:
            if own.frozen != base.frozen:
                yield f"the dataclasses {spec.name!r} and its base {base.name!r} must both be frozen, or neither"
            elif any(one.default is not None for one in base.fields) and any(one.default is None for one in own.fields):
                yield f"a field without default follows one with a default of the base {base.name!r}"


def _name_problems(interface: ClassInterface) -> Iterator[str]:
    """Names that two things of a class have; a property and its setter share one."""
    kinds: dict[str, list[str]] = {}
    for method in interface.methods:
        if method.name:
            kinds.setdefault(method.name, []).append("property" if method.kind in _READ else "method")
    for attribute in interface.attributes:
        kinds.setdefault(attribute.name, []).append("attribute")
    for name, roles in kinds.items():
        if len(set(roles)) > 1:
            things = " and a ".join(dict.fromkeys(roles))
            yield f"one name, {name!r}, is given to a {things}: choose another for one of them"
        elif Counter(roles) - Counter({"property": 2, "method": 1, "attribute": 1}):
            yield f"{name!r} is there {len(roles)} times"
    readable = {method.name for method in interface.methods if method.kind == "property"}
    for method in interface.methods:
        if method.kind == "setter" and method.name not in readable:
            yield f"the setter {method.name!r} has no property of that name"


def _method_problems(method: Method, shared: frozenset[str]) -> Iterator[str]:
    node = method.node
    if node is None:
        yield f"the method's signature {method.signature!r} is not Python: write `name(self, x: int) -> str`"
        return
    where = f"method {method.name!r}: "
    if method.is_private and not method.purpose.strip():
        yield f"{where}it is private: plan it only where another planned class calls it, and say so in its purpose"
    given = node.args
    typed = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    for one in filter(None, typed[0 if method.kind == "static" else 1 :]):
        if one.annotation is None:
            yield f"{where}the parameter {one.arg!r} has no annotation"
        elif problem := annotation_problem(ast.unparse(one.annotation), shared):
            yield f"{where}parameter {one.arg!r}: {problem}"
    if problem := annotation_problem(method.returns, shared):
        yield f"{where}return type: {problem}"


def _base_problems(spec: FunctionSpec, plan: Plan, shared: frozenset[str]) -> Iterator[str]:
    """Bases that are not there, that go round in a circle, or of which no class can be made."""
    interface = spec.interface or ClassInterface()
    unknown = [base for base in interface.bases if annotation_problem(base, shared)]
    for base in unknown:
        yield f"the base {base!r} is unknown: no planned class, no shared type, nothing of Python's"
    by_name = {one.name: one.interface for one in plan.functions if one.interface}
    if circle := _circle(spec.name, by_name):
        yield f"its bases go round in a circle: {' -> '.join(circle)}"
    elif not unknown and (problem := _unmade(spec.name, by_name)):
        yield f"no class can have the bases {', '.join(interface.bases)}: {problem}"


def _circle(name: str, interfaces: Mapping[str, ClassInterface]) -> list[str]:
    """The way from a class over bases back to itself; empty where there is none."""
    ways = [[name]]
    met: set[str] = set()
    while ways:
        way = ways.pop()
        for base in interfaces[way[-1]].base_names if way[-1] in interfaces else ():
            if base == name:
                return [*way, name]
            if base not in met:
                met.add(base)
                ways.append([*way, base])
    return []


def _unmade(name: str, interfaces: Mapping[str, ClassInterface]) -> str:
    """Why Python can't make a class of these bases (a final one, an order that can't be); empty where it can.

    Tried on empty classes of these names; of the builtins alone the class itself is taken.
    """
    classes: dict[str, type] = {}

    def make(one: str, above: Collection[str]) -> type:
        if one not in classes:
            if one in interfaces and one not in above:
                bases = [make(base, {*above, one}) for base in dict.fromkeys(interfaces[one].base_names)]
                classes[one] = type(one, tuple(bases), {})
            else:
                own = getattr(builtins, one, None)
                classes[one] = own if isinstance(own, type) else type(one.rpartition(".")[2] or "base", (), {})
        return classes[one]

    try:
        make(name, ())
    except TypeError as error:
        return " ".join(str(error).split())
    return ""
