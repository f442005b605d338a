"""Stand-ins: planned classes as the oracle knows them, by which cases write down instances and checks read them.

A stand-in has public state and the exceptions of the class's body, and no code of a candidate's.
"""

from __future__ import annotations

from textwrap import indent

from tdgen.source.trees import import_lines
from tdgen.types import ClassInterface, Plan

_STAND_IN = """
class {name}({bases}):
    def __init__(self, /, **public):
        for name in public:
            if name not in {names!r}:
                raise TypeError(f"an instance of {name} is written by what is public of it, {names!r}: not {{name!r}}")
        self.__dict__.update(public)
"""


def stand_ins(plan: Plan) -> str:
    """The source of a class for each of the plan's; that of an exception has its bases, and comes below them."""
    public, exceptions = plan.public_state, plan.exceptions
    bodies: dict[str, str] = {}

    def write(name: str, interface: ClassInterface, below: frozenset[str]) -> None:
        bases = interface.bases if name in exceptions else ()
        for base in bases:
            if base in interfaces.keys() - below:
                write(base, interfaces[base], below | {base})
        nested = [indent(f"\n{shared.source}\n", "    ") for shared in interface.types]
        source = _STAND_IN.format(name=name, names=public[name], bases=", ".join(bases))
        bodies.setdefault(name, source + "".join(nested))

    interfaces = {spec.name: spec.interface for spec in plan.functions if spec.interface}
    for name, interface in interfaces.items():
        write(name, interface, frozenset({name}))
    return "\n".join([*import_lines(bodies.values(), packages=plan.packages), *bodies.values()])
