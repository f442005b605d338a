"""What is wrong with a plan, in words that its author, model or person, can act on."""

from __future__ import annotations

import builtins
import keyword
from collections import Counter
from collections.abc import Iterator

from tdgen.briefs import is_quoted
from tdgen.source.imports import free_names
from tdgen.source.names import KNOWN_NAMES, STDLIB
from tdgen.source.syntax import expression_or_none, parse, parses
from tdgen.specs.annotations import annotation_problem, package_names
from tdgen.specs.declarations import message_problem
from tdgen.specs.interfaces import interface_problems
from tdgen.specs.misfits import misfits
from tdgen.specs.module_name import module_name_problem, name_problem
from tdgen.specs.quotes import quote_problem
from tdgen.types import Contradiction, Example, FunctionSpec, Plan, SharedType

_EXCEPTIONS = frozenset(n for n, t in vars(builtins).items() if isinstance(t, type) and issubclass(t, BaseException))


def plan_problems(plan: Plan, text: str, *, max_functions: int, packages: frozenset[str]) -> list[str]:
    """Why the plan can't stand, all reasons at once; `text` is the instruction, `packages` what may be imported."""
    return list(_plan(plan, text, max_functions, packages))


def _plan(plan: Plan, text: str, max_functions: int, packages: frozenset[str]) -> Iterator[str]:
    yield from _module_problems(plan)
    if not plan.functions:
        yield "the plan has no function"
    if len(plan.functions) > max_functions:
        yield f"the plan has {len(plan.functions)} functions, at most {max_functions} are allowed: plan coarser ones"
        return
    for shared_type in plan.types:
        yield from _type_problems(shared_type, plan)
    for spec in plan.functions:
        yield from _unit_problems(spec, plan)
    for example in plan.examples:
        yield from _example_problems(example, plan, text)
        yield from misfits(example, plan)
    for contradiction in plan.contradictions:
        yield from _contradiction_problems(contradiction, text)
    for package in {package.split(".")[0] for package in plan.packages} - packages - STDLIB:
        yield f"the package {package!r} can't be imported here; allowed: the standard library, {_listed(packages)}"


def _module_problems(plan: Plan) -> Iterator[str]:
    if problem := module_name_problem(plan.module, plan.packages):
        yield problem
    imported = plan.module.partition(".")[0]
    names = [f.name for f in plan.functions] + [t.name for t in plan.types] + [imported]
    yield from (f"the name {name!r} is given to {count} things" for name, count in Counter(names).items() if count > 1)
    if plan.entry and plan.entry.function not in {f.name for f in plan.functions}:
        yield f"the entry function {plan.entry.function!r} is not among the functions"
    elif plan.entry and not plan.spec(plan.entry.function).script_call:
        yield f"the entry function {plan.entry.function!r} must take the command line as one list[str], or nothing"


def _unit_problems(spec: FunctionSpec, plan: Plan) -> Iterator[str]:
    if problem := name_problem(f"a {spec.unit}", spec.name):
        yield problem
        return
    if spec.name.startswith("test"):
        yield f"a {spec.unit} is named {spec.name!r}: pytest would take it for a test; choose another name"
    where = f"{spec.unit} {spec.name!r}: "
    packages = package_names(plan.packages)
    shared = packages | {t.name for t in plan.types} | plan.classes
    if spec.interface:
        yield from (where + problem for problem in interface_problems(spec, plan, shared))
    else:
        yield from _signature_problems(spec, shared, where)
    exceptions = {t.name for t in plan.types if t.kind == "exception"}
    for raised in spec.raises:
        if raised.type not in exceptions and not _is_exception(raised.type, packages):
            yield f"{where}{raised.type!r} is no exception of Python's or of the plan's types"
    units = frozenset(f.name for f in plan.functions)
    for name in spec.dependencies:
        if name not in units:
            yield f"{where}depends on {name!r}, which is not among the functions {_listed(units)}"


def _signature_problems(spec: FunctionSpec, shared: frozenset[str], where: str) -> Iterator[str]:
    yield from (where + problem for problem in _parameter_problems(spec, shared))
    if problem := annotation_problem(spec.returns.type, shared):
        yield f"{where}return type: {problem}"
    if not _is_signature(spec.signature):
        yield f"{where}`{spec.signature}` is not a valid signature (a parameter without default after one with?)"


def _parameter_problems(spec: FunctionSpec, shared: frozenset[str]) -> Iterator[str]:
    for name, count in Counter(parameter.name.lstrip("*") for parameter in spec.parameters).items():
        if not name.isidentifier() or keyword.iskeyword(name):
            yield f"the parameter name {name!r} is not an identifier"
        if count > 1:
            yield f"the parameter {name!r} is there {count} times"
    for parameter in spec.parameters:
        if problem := annotation_problem(parameter.type, shared):
            yield f"parameter {parameter.name!r}: {problem}"
        if parameter.default is not None and expression_or_none(parameter.default) is None:
            yield f"the default {parameter.default!r} of {parameter.name!r} is not a Python expression"


def _type_problems(shared_type: SharedType, plan: Plan) -> Iterator[str]:
    packages = package_names(plan.packages)
    shared = packages | {t.name for t in plan.types} | plan.classes
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
    elif shared_type.base and shared_type.base not in shared and not _is_importable(shared_type.base, packages):
        yield f"{where}the base {shared_type.base!r} is unknown"
    if shared_type.kind == "exception" and (problem := message_problem(shared_type)):
        yield where + problem
    yield from (where + problem for problem in _field_problems(shared_type, shared))


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


def _example_problems(example: Example, plan: Plan, text: str) -> Iterator[str]:
    where = f"example {example.call!r}: "
    if example.function not in {spec.name for spec in plan.functions}:
        yield f"{where}{example.function!r} is not among the functions"
    elif example.expect == "exits":
        if not plan.script_call({example.function}):
            yield f"{where}{example.function!r} is not the entry of a script"
        if example.words is None:
            yield f"{where}where it exits, the call is the list of the command line's words, as ['a.txt']"
        if not (example.value.strip().isdecimal() and int(example.value) <= 255):
            yield f"{where}the exit code {example.value!r} is no number from 0 to 255"
    else:
        yield from (where + problem for problem in _call_problems(example))
    if expression_or_none(example.value) is None:
        yield f"{where}the value {example.value!r} is not a Python expression"
    if problem := quote_problem(example, text):
        yield where + problem


def _call_problems(example: Example) -> Iterator[str]:
    call = expression_or_none(example.call)
    if call is None:
        yield "the call is not a Python expression"
    elif not parses(example.setup):
        yield "its setup is not valid Python"
    elif example.function not in free_names(call) | free_names(parse(example.setup)):
        yield f"the call does not call {example.function!r}"


def _contradiction_problems(contradiction: Contradiction, text: str) -> Iterator[str]:
    for words in (contradiction.first, contradiction.second):
        if not words.strip() or not is_quoted(words, text):
            yield f"a contradiction quotes {words!r}, which is not in the instruction: copy the user's words exactly"
    first, second = contradiction.first, contradiction.second
    if is_quoted(first, second) or is_quoted(second, first):
        yield f"a contradiction is between two places, {first!r} and {second!r} are one"


def _is_signature(signature: str) -> bool:
    return parses(signature + ": ...")


def _is_exception(name: str, packages: frozenset[str]) -> bool:
    return name in _EXCEPTIONS or name in KNOWN_NAMES or ("." in name and name.split(".")[0] in STDLIB | packages)


def _is_importable(name: str, packages: frozenset[str]) -> bool:
    return name in vars(builtins) or name in KNOWN_NAMES or name.split(".")[0] in STDLIB | packages


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "none"
