"""The shape of a test author's answer, and its way into the domain's words."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tdgen.replies import expected
from tdgen.types import After, Case, CaseKind, World


class _Reply(BaseModel):
    model_config = ConfigDict(extra="ignore")


class NamedText(_Reply):
    """A file by its path, or a variable by its name."""

    name: str
    text: str


class WorldReply(_Reply):
    """What surrounds a call."""

    files: list[NamedText] = []
    stdin: str | None = None
    environment: list[NamedText] = []
    clock: str | None = None
    seed: int | None = None


class AfterReply(_Reply):
    """An expression after the call, and what it must be."""

    expression: str
    value: str


class ObserveReply(_Reply):
    """What must be observed beside the result."""

    stdout: str | None = None
    files: list[NamedText] = []
    after: list[AfterReply] = []


class CaseReply(_Reply):
    """One case."""

    name: str
    kind: CaseKind = "normal"
    why: str = ""
    setup: str = ""
    arguments: list[str] = []
    call: str = ""
    world: WorldReply | None = None
    expect: Literal["value", "raises", "check"]
    value: str
    match: str = ""
    tolerance: float = 0.0
    observe: ObserveReply | None = None

    def case(self, function: str) -> Case:
        """The case in the domain's words, unchecked."""
        world, observe = self.world or WorldReply(), self.observe or ObserveReply()
        return Case(
            name=slug(self.name),
            function=function,
            kind=self.kind,
            setup=self.setup.strip(),
            arguments=tuple(argument.strip() for argument in self.arguments) if not self.call.strip() else (),
            call=self.call.strip(),
            world=World(
                files={f.name: f.text for f in world.files},
                stdin=world.stdin,
                environment={v.name: v.text for v in world.environment},
                clock=world.clock or None,
                seed=world.seed,
            ),
            expectation=expected(self.expect, self.value, match=self.match, relative=self.tolerance),
            stdout=observe.stdout,
            files={f.name: f.text for f in observe.files},
            after=tuple(After(expression=a.expression, source=a.value) for a in observe.after),
            why=" ".join(self.why.split()),
        )


class CasesReply(_Reply):
    """All cases of a function."""

    cases: list[CaseReply]


def slug(name: str) -> str:
    """A name as an identifier's part: lower case, letters, digits and underscores, at most 60 characters."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:60].strip("_") or "case"
