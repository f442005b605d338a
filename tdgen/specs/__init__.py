"""From prose to contracts: reading the instruction, planning its functions, and holding the plan to its promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tdgen.specs.annotations import annotation_names, annotation_problem
    from tdgen.specs.declarations import declare_types
    from tdgen.specs.instruction import normalise, read_instruction
    from tdgen.specs.planner import Tested, make_plan

__all__ = [
    "Tested",
    "annotation_names",
    "annotation_problem",
    "declare_types",
    "make_plan",
    "normalise",
    "read_instruction",
]

# Who only reads an instruction, as for a repeat from the cache, does not wait for the planner to be loaded.
_HOMES = {
    "Tested": "planner",
    "annotation_names": "annotations",
    "annotation_problem": "annotations",
    "declare_types": "declarations",
    "make_plan": "planner",
    "normalise": "instruction",
    "read_instruction": "instruction",
}


def __getattr__(name: str) -> Any:
    """The public names, imported where first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
