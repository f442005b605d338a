"""The shape of a test author's answer, and its way into the domain's words."""

from __future__ import annotations

import re
from typing import Literal

from tdgen.replies import NamedText, ObserveReply, Reply, expected
from tdgen.syntax import literal
from tdgen.types import Case, CaseKind, World


class WorldReply(Reply):
    """What surrounds a call."""

    files: tuple[NamedText, ...] = ()
    stdin: str | None = None
    environment: tuple[NamedText, ...] = ()
    clock: str | None = None
    seed: int | None = None


class CaseReply(Reply):
    """One case."""

    name: str
    kind: CaseKind = "normal"
    why: str = ""
    setup: str = ""
    arguments: tuple[str, ...] = ()
    call: str = ""
    world: WorldReply | None = None
    expect: Literal["value", "raises", "check", "exits"]
    value: str
    match: str = ""
    tolerance: float = 0.0
    observe: ObserveReply | None = None

    def case(self, function: str) -> Case:
        """The case in the domain's words, unchecked."""
        world, observe = self.world or WorldReply(), self.observe or ObserveReply()
        is_script = self.expect == "exits"
        call = f"{function}()" if is_script else self.call.strip()
        return Case(
            name=slug(self.name),
            function=function,
            kind=self.kind,
            setup=self.setup.strip(),
            arguments=tuple(argument.strip() for argument in self.arguments) if not call else (),
            call=call,
            world=World(
                files={f.name: f.text for f in world.files},
                stdin=world.stdin,
                environment={v.name: v.text for v in world.environment},
                clock=world.clock or None,
                seed=world.seed,
                script=tuple(map(_word, self.arguments)) if is_script else None,
            ),
            **dict(observe.beside(expected(self.expect, self.value, match=self.match, relative=self.tolerance))),
            why=" ".join(self.why.split()),
        )


class CasesReply(Reply):
    """All cases of a function."""

    cases: list[CaseReply]


def _word(argument: str) -> str:
    """A word of a command line, written as it is or as the source of a string."""
    try:
        value = literal(argument.strip())
    except ValueError:
        return argument
    return value if isinstance(value, str) else argument


def slug(name: str) -> str:
    """A name as an identifier's part: lower case, letters, digits and underscores, at most 60 characters."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:60].strip("_") or "case"
