"""From prose to contracts: reading the instruction, planning its functions, and holding the plan to its promises."""

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
