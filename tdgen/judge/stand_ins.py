"""Stand-ins: planned classes as the oracle knows them, by which cases write down instances and checks read them.

A stand-in has public state and the exceptions of the class's body, and no code of a candidate's.
"""

from __future__ import annotations

from textwrap import indent

from tdgen.source.trees import import_lines
from tdgen.types import Plan

_STAND_IN = """
class {name}:
    def __init__(self, /, **public):
        for name in public:
            if name not in {names!r}:
                raise TypeError(f"an instance of {name} is written by what is public of it, {names!r}: not {{name!r}}")
        self.__dict__.update(public)
"""


def stand_ins(plan: Plan) -> str:
    """The source of a class for each of the plan's."""
    interfaces = {spec.name: spec.interface for spec in plan.functions if spec.interface}
    public = plan.public_state
    bodies = []
    for name, interface in interfaces.items():
        nested = [indent(f"\n{shared.source}\n", "    ") for shared in interface.types]
        bodies.append(_STAND_IN.format(name=name, names=public[name]) + "".join(nested))
    return "\n".join([*import_lines(bodies, packages=plan.packages), *bodies])
