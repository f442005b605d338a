"""What is wrong with a plan, in words that its author, model or person, can act on; and the module's name.

A module is named as no other module is, nor any of the things in it; dotted where it is in a package.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import sys
from collections import Counter
from collections.abc import Iterable, Iterator

from tdgen.errors import InputError
from tdgen.prompts.context import is_quoted
from tdgen.source.names import KNOWN_NAMES, STDLIB
from tdgen.source.syntax import Definition, expression_or_none, parse, parses, statements_of
from tdgen.source.trees import free_names, parameter_names
from tdgen.specs.declarations import annotation_problem, message_problem, package_names
from tdgen.specs.interfaces import interface_problems
from tdgen.specs.pinning import misfits, quote_problem
from tdgen.types import (
    ClassInterface,
    Contradiction,
    Example,
    FunctionSpec,
    Plan,
    SharedType,
    Target,
    file_of_tests,
)

_EXCEPTIONS = frozenset(n for n, t in vars(builtins).items() if isinstance(t, type) and issubclass(t, BaseException))


def with_own_module_name(plan: Plan, wanted: str = "") -> Plan:
    """The plan with a module name that is free: the one that is `wanted`, else the planner's, with `_module` behind it.

    Nobody but tdgen cares what a module is called that nobody named, so that no model is asked for another name.
    InputError where the plan's module can't have the one that is wanted.
    """
    name = wanted or plan.module
    imported = wanted.partition(".")[0]
    things = {spec.name for spec in plan.functions} | {shared.name for shared in plan.types}
    if wanted and imported in things:
        raise InputError(f"the module can't be named {wanted!r}: {imported} is planned as a function or type in it")
    if wanted and (problem := module_name_problem(wanted, plan.packages)) is not None:
        raise InputError(problem)
    taken = things | sys.stdlib_module_names | package_names(plan.packages) | vars(builtins).keys()
    while not wanted and name.isidentifier() and (name in taken or keyword.iskeyword(name)):
        name += "_module"
    return plan.model_copy(update={"module": name})


def module_name_problem(name: str, packages: Iterable[str] = ()) -> str | None:
    """Why a module can't have this name; None where it can. `packages` are those that its code may import."""
    parts = name.split(".")
    if (problem := name_problem("the module", parts[0])) is not None:
        return problem
    for part in parts[1:]:
        if not part.isidentifier() or keyword.iskeyword(part) or part.startswith("__"):
            return f"the module is named {name!r}, and {part!r} can't be the name of a module or package"
    if parts[0] in sys.stdlib_module_names | package_names(packages):
        return f"the module's name {name!r} would shadow another module: choose another"
    if parts[-1].startswith("test") or parts[-1] == "conftest":
        return f"the module is named {name!r}: pytest would take {parts[-1]}.py for a file of tests; choose another"
    return None


def name_problem(what: str, name: str) -> str | None:
    """Why `what` can't have this name in a module; None where it can."""
    if not name.isidentifier():
        return f"{what} is named {name!r}, which is not a Python identifier"
    if keyword.iskeyword(name) or keyword.issoftkeyword(name):
        return f"{what} is named {name!r}, which is a Python keyword"
    if name in vars(builtins):
        return f"{what} is named {name!r}, which would shadow a builtin: choose another name"
    if name.startswith("__"):
        return f"{what} is named {name!r}: names that begin with two underscores are Python's own"
    return None


def plan_problems(plan: Plan, text: str, *, max_functions: int, packages: frozenset[str]) -> list[str]:
    """Why the plan can't stand, all reasons at once; `text` is the instruction, `packages` what may be imported."""
    reasons = list(_module_problems(plan))
    if not plan.functions:
        reasons.append("the plan has no function")
    if (count := len(plan.functions)) > max_functions:
        return [*reasons, f"the plan has {count} functions, at most {max_functions} are allowed: plan coarser ones"]
    for shared_type in plan.declared_types:
        reasons += _type_problems(shared_type, plan)
    for spec in plan.functions:
        reasons += _unit_problems(spec, plan)
    for example in plan.examples:
        reasons += [*_example_problems(example, plan, text), *misfits(example, plan)]
    for contradiction in plan.contradictions:
        reasons += _contradiction_problems(contradiction, text)
    allowed = f"allowed: the standard library, {', '.join(sorted(packages)) or 'none'}"
    for package in {package.split(".")[0] for package in plan.packages} - packages - STDLIB:
        reasons.append(f"the package {package!r} can't be imported here; {allowed}")
    return reasons


def _module_problems(plan: Plan) -> Iterator[str]:
    if plan.target:
        yield from [] if plan.target.is_open else _target_problems(plan, plan.target)
    elif problem := module_name_problem(plan.module, plan.packages):
        yield problem
    imported = plan.module.partition(".")[0]
    names = (
        [f.name for f in plan.functions] + [t.name for t in plan.declared_types] + [imported] * (plan.target is None)
    )
    yield from (f"the name {name!r} is given to {count} things" for name, count in Counter(names).items() if count > 1)
    files = {file_of_tests(f.name): f.name for f in plan.functions}
    for spec in plan.functions:
        if (other := files[file_of_tests(spec.name)]) != spec.name:
            yield f"the tests of {spec.name!r} and {other!r} would be one file: give one of them another name"
    if plan.entry and plan.entry.function not in {f.name for f in plan.functions}:
        yield f"the entry function {plan.entry.function!r} is not among the functions"
    elif plan.entry and not plan.spec(plan.entry.function).script_call:
        yield f"the entry function {plan.entry.function!r} must take the command line as one list[str], or nothing"


def _target_problems(plan: Plan, target: Target) -> Iterator[str]:
    """Where a plan has other units, methods or parameters than the code of a project that is to be filled."""
    planned = {spec.name: spec for spec in plan.functions}
    beside = [name for name in [*planned, *(one.name for one in plan.declared_types)] if name not in target.units]
    if beside:
        yield f"{', '.join(beside)}: planned beside what is to be written in {target.path}; plan that alone"
    tree = {node.name: node for node in parse(target.source).body if isinstance(node, Definition)}
    for name, methods in target.units.items():
        spec = planned.get(name)
        there = parameter_names(tree[name]) if name in tree else []
        if spec is None:
            yield f"{name!r} of {target.path} is not planned"
        elif not methods and spec.interface:
            yield f"{name!r} is a function in {target.path}, no class"
        elif not methods and there != [one.name for one in spec.parameters]:
            yield f"function {name!r}: its parameters in {target.path} are {', '.join(there) or 'none'}: plan these"
        elif methods and {*methods} != {one.name for one in (spec.interface.methods if spec.interface else ())}:
            yield f"{name!r} is a class in {target.path}: plan it as one of `classes`, with {', '.join(methods)} alone"


def _unit_problems(spec: FunctionSpec, plan: Plan) -> Iterator[str]:
    is_new = plan.target is None or plan.target.added_to == ""
    if is_new and (problem := name_problem(f"a {spec.unit}", spec.name)):
        yield problem
        return
    if is_new and spec.name.startswith("test"):
        yield f"a {spec.unit} is named {spec.name!r}: pytest would take it for a test; choose another name"
    where = f"{spec.unit} {spec.name!r}: "
    packages = package_names(plan.packages)
    there = frozenset(plan.target.case_names) if plan.target else frozenset[str]()
    shared = packages | {t.name for t in plan.types} | plan.classes | there
    if spec.interface:
        yield from (where + problem for problem in interface_problems(spec, plan, shared))
        yield from _own_type_problems(spec.interface, plan, where)
    else:
        yield from _signature_problems(spec, shared, where)
    for raised in spec.raises:
        top, dot, _ = raised.type.partition(".")
        is_there = raised.type in {*plan.exceptions, *_EXCEPTIONS, *KNOWN_NAMES} or top in there
        if not is_there and not (dot and top in STDLIB | packages):
            advice = ": to be raised, a class has an exception among its `bases`" * (raised.type in plan.classes)
            yield f"{where}{raised.type!r} is no exception of Python's or of the plan's{advice}"
    units = frozenset(f.name for f in plan.functions)
    for name in spec.dependencies:
        if name not in units:
            yield f"{where}depends on {name!r}, which is not among the functions {', '.join(sorted(units)) or 'none'}"


def _signature_problems(spec: FunctionSpec, shared: frozenset[str], where: str) -> Iterator[str]:
    for name, count in Counter(parameter.name.lstrip("*") for parameter in spec.parameters).items():
        if not name.isidentifier() or keyword.iskeyword(name):
            yield f"{where}the parameter name {name!r} is not an identifier"
        if count > 1:
            yield f"{where}the parameter {name!r} is there {count} times"
    for parameter in spec.parameters:
        if problem := annotation_problem(parameter.type, shared):
            yield f"{where}parameter {parameter.name!r}: {problem}"
        if parameter.default is not None and expression_or_none(parameter.default) is None:
            yield f"{where}the default {parameter.default!r} of {parameter.name!r} is not a Python expression"
    if problem := annotation_problem(spec.returns.type, shared):
        yield f"{where}return type: {problem}"
    if not parses(f"{spec.signature}: ..."):
        yield f"{where}`{spec.signature}` is not a valid signature (a parameter without default after one with?)"


def _own_type_problems(interface: ClassInterface, plan: Plan, where: str) -> Iterator[str]:
    """What is wrong with the types that stand in a class's body."""
    own = frozenset(one.name for one in interface.types)
    ordered = {one.name: place for place, one in enumerate(interface.types)}
    for one in interface.types:
        if ordered.get(one.base, -1) > ordered[one.name]:
            yield f"{where}the bases of the types in its body go round in a circle, by way of {one.name!r}"
    taken = own & ({method.name for method in interface.methods} | {one.name for one in interface.attributes})
    yield from (f"{where}the name {name!r} is given to a type in its body and to something else" for name in taken)
    for one in interface.types:
        if one.kind != "exception":
            yield f"{where}in its body stand exceptions alone: plan the {one.kind} {one.name!r} beside it"
        else:
            yield from (where + problem for problem in _type_problems(one, plan, own))


def _type_problems(shared_type: SharedType, plan: Plan, own: frozenset[str] = frozenset()) -> Iterator[str]:
    """What is wrong with a type; `own` are the names that stand beside it in a class's body."""
    packages = package_names(plan.packages)
    shared = packages | {t.name for t in plan.types} | plan.classes | own
    owner, _, inner = shared_type.name.rpartition(".")
    if owner.isidentifier() and inner.isidentifier():
        yield f"type {shared_type.name!r}: {owner!r}, in whose body it is to stand, is none of `classes`"
        return
    if problem := name_problem("a type", shared_type.name):
        yield problem
        return
    where = f"type {shared_type.name!r}: "
    if shared_type.kind in ("type_var", "param_spec"):
        if shared_type.base and (problem := annotation_problem(shared_type.base, shared)):
            yield f"{where}bound: {problem}"
        return
    if shared_type.base and not all(part.isidentifier() for part in shared_type.base.split(".")):
        yield f"{where}the base {shared_type.base!r} is not a class name"
    elif shared_type.base in plan.classes:
        yield f"{where}the base {shared_type.base!r} is a class with methods: plan this one so, too"
    elif shared_type.base and not (
        shared_type.base in {*shared, *vars(builtins), *KNOWN_NAMES}
        or shared_type.base.partition(".")[0] in STDLIB | packages
    ):
        yield f"{where}the base {shared_type.base!r} is unknown"
    if shared_type.kind == "exception":
        yield from (where + problem for problem in _exception_problems(shared_type, plan, own))
    yield from (where + problem for problem in _field_problems(shared_type, shared))


def _exception_problems(shared_type: SharedType, plan: Plan, own: frozenset[str]) -> Iterator[str]:
    """What is wrong with an exception's base and message."""
    base = shared_type.base
    if base == shared_type.name:
        yield f"the base {base!r} is the type itself"
    elif hasattr(builtins, base) and base not in _EXCEPTIONS - own - plan.exceptions:
        yield f"the base {base!r} is no exception"
    if problem := message_problem(shared_type):
        yield problem


def _field_problems(shared_type: SharedType, shared: frozenset[str]) -> Iterator[str]:
    for field in shared_type.fields:
        if not field.name.isidentifier() or keyword.iskeyword(field.name):
            yield f"the field name {field.name!r} is not an identifier"
        if shared_type.kind == "enum":
            if field.default is None:
                yield f"the member {field.name!r} has no value"
        elif problem := annotation_problem(field.type, shared):
            yield f"field {field.name!r}: {problem}"
        if field.default is not None and expression_or_none(field.default) is None:
            yield f"{field.default!r} of {field.name!r} is not a Python expression"


def without_unusable(plan: Plan, text: str, *, of_types: bool = False) -> tuple[Plan, list[str]]:
    """The plan less the examples that can be tried as no case, and why each can't; `text` is the instruction.

    With `of_types` less those alone that show a declared type and call no function: their author can mend nothing.
    """
    reasons = [
        "" if of_types and not _shows_type(example, plan) else next(_example_problems(example, plan, text), "")
        for example in plan.examples
    ]
    kept = tuple(example for example, reason in zip(plan.examples, reasons, strict=True) if not reason)
    return plan.model_copy(update={"examples": kept}), [reason for reason in reasons if reason]


def _shows_type(example: Example, plan: Plan) -> bool:
    """Whether an example is of a declared type, and calls nothing that is to be written."""
    trees = [expression_or_none(example.call), *statements_of(example.setup)]
    named = {name for tree in trees if tree for name in free_names(tree)}
    units = {spec.name for spec in plan.functions}
    return units.isdisjoint({example.function, *named}) and example.function in {one.name for one in plan.types}


def _example_problems(example: Example, plan: Plan, text: str) -> Iterator[str]:
    where = f"example {example.call!r}: "
    if _shows_type(example, plan):
        yield f"{where}it calls no function: the type {example.function!r} is written as it is declared"
    elif example.function not in {spec.name for spec in plan.functions}:
        yield f"{where}{example.function!r} is not among the functions"
    elif example.expect == "exits":
        if not plan.script_call({example.function}):
            yield f"{where}{example.function!r} is not the entry of a script"
        if example.words is None:
            yield f"{where}where it exits, the call is the list of the command line's words, as ['a.txt']"
        if not (example.value.strip().isdecimal() and int(example.value) <= 255):
            yield f"{where}the exit code {example.value!r} is no number from 0 to 255"
    else:
        yield from (where + problem for problem in _call_problems(example, plan.target))
    if expression_or_none(example.value) is None:
        yield f"{where}the value {example.value!r} is not a Python expression"
    if problem := quote_problem(example, text):
        yield where + problem


def is_of_other_methods(example: Example, target: Target) -> bool:
    """Whether an example of a class, as its docstring has them, shows none of the methods that are to be written."""
    methods = target.units.get(example.function, ())
    is_seen = not any(name.startswith("__") for name in methods)  # operators and builtins call those
    return bool(methods) and is_seen and _attributes(example).isdisjoint(methods)


def _attributes(example: Example) -> set[str]:
    trees = [expression_or_none(example.call), *statements_of(example.setup)]
    nodes = (node for tree in trees if tree for node in ast.walk(tree))
    return {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def _call_problems(example: Example, target: Target | None) -> Iterator[str]:
    call = expression_or_none(example.call)
    methods = frozenset(target.units.get(example.function, ()) if target else ())
    by_operators = {name for name in methods - {"__init__", "__new__"} if name.startswith("__")}
    if call is None:
        yield "the call is not a Python expression"
    elif not parses(example.setup):
        yield "its setup is not valid Python"
    elif by_operators or not _attributes(example).isdisjoint(methods):
        return  # a method of an object that a function of the project made
    elif example.function not in free_names(call) | free_names(parse(example.setup)):
        yield f"the call does not call {example.function!r}"


def _contradiction_problems(contradiction: Contradiction, text: str) -> Iterator[str]:
    for words in (contradiction.first, contradiction.second):
        if not words.strip() or not is_quoted(words, text):
            yield f"a contradiction quotes {words!r}, which is not in the instruction: copy the user's words exactly"
    first, second = contradiction.first, contradiction.second
    if is_quoted(first, second) or is_quoted(second, first):
        yield f"a contradiction is between two places, {first!r} and {second!r} are one"
