"""Stand-ins: planned classes as the oracle knows them, by which cases write down instances and checks read them.

A stand-in has public state and the exceptions of the class's body, and no code of a candidate's. Instances of one that
holds no data alone are written by what is public of them.
"""

from __future__ import annotations

from textwrap import indent

from tdgen.source.trees import import_lines
from tdgen.types import Plan

_STAND_IN = """
class {name}({bases}):
    def __init__(self, /, *given, **public):
        wrong = [*given, *(name for name in public if name not in {names!r})]
        if wrong or not public:
            told = f": not {{wrong[0]!r}}" if wrong else ""
            raise TypeError(f"an instance of {name} is written by what is public of it, {names!r}{{told}}")
        self.__dict__.update(public)
"""


def stand_ins(plan: Plan) -> str:
    """The source of a class for each of the plan's.

    That of a dataclass or an enum holds what it holds; that of an exception has its bases. They come below their bases.
    """
    public, exceptions = plan.public_state, plan.exceptions
    interfaces = {spec.name: spec.interface for spec in plan.functions if spec.interface}
    bodies: dict[str, str] = {}

    def write(name: str, below: frozenset[str]) -> None:
        interface = interfaces[name]
        data = interface.data(name)
        bases = interface.bases if name in exceptions or data else ()
        for base in bases:
            if base in interfaces.keys() - below:
                write(base, below | {base})
        if data is None:
            source = _STAND_IN.format(name=name, names=public[name], bases=", ".join(bases))
        nested = [indent(f"\n{shared.source}\n", "    ") for shared in interface.types]
        bodies.setdefault(name, (f"\n{data.source}\n" if data else source) + "".join(nested))

    for name in interfaces:
        write(name, frozenset({name}))
    return "\n".join([*import_lines(bodies.values(), packages=plan.packages), *bodies.values()])
