"""The module's name: what no other module has, and none of the things in it."""

from __future__ import annotations

import builtins
import keyword
import sys

from tdgen.specs.annotations import package_names
from tdgen.types import Plan


def with_own_module_name(plan: Plan, wanted: str = "") -> Plan:
    """The plan with a module name that is free: the one that is `wanted`, else the planner's, with `_module` behind it.

    Nobody but tdgen cares what a module is called that nobody named, so that no model is asked for another name.
    """
    name = wanted or plan.module
    while not wanted and name.isidentifier() and _is_taken(name, plan):
        name += "_module"
    return plan.model_copy(update={"module": name})


def _is_taken(name: str, plan: Plan) -> bool:
    things = {spec.name for spec in plan.functions} | {shared.name for shared in plan.types}
    return name in things or shadows(name, plan) or name in vars(builtins) or keyword.iskeyword(name)


def shadows(name: str, plan: Plan) -> bool:
    """Whether a module of that name would hide the standard library's, or that of a package of the plan."""
    return name in sys.stdlib_module_names | package_names(plan.packages)
