"""The module's name: what no other module has, and none of the things in it; dotted where it is in a package."""

from __future__ import annotations

import builtins
import keyword
import sys
from collections.abc import Iterable

from tdgen.errors import InputError
from tdgen.specs.annotations import package_names
from tdgen.types import Plan


def with_own_module_name(plan: Plan, wanted: str = "") -> Plan:
    """The plan with a module name that is free: the one that is `wanted`, else the planner's, with `_module` behind it.

    Nobody but tdgen cares what a module is called that nobody named, so that no model is asked for another name.
    InputError where the plan's module can't have the one that is wanted.
    """
    name = wanted or plan.module
    if wanted and (problem := _unfit(wanted, plan)) is not None:
        raise InputError(problem)
    while not wanted and name.isidentifier() and _is_taken(name, plan):
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


def _unfit(wanted: str, plan: Plan) -> str | None:
    imported = wanted.partition(".")[0]
    if imported in _things(plan):
        return f"the module can't be named {wanted!r}: {imported} is planned as a function or type in it"
    return module_name_problem(wanted, plan.packages)


def _is_taken(name: str, plan: Plan) -> bool:
    shadowed = sys.stdlib_module_names | package_names(plan.packages)
    return name in _things(plan) | shadowed or name in vars(builtins) or keyword.iskeyword(name)


def _things(plan: Plan) -> set[str]:
    return {spec.name for spec in plan.functions} | {shared.name for shared in plan.types}
