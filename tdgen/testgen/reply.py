"""The shape of a test author's answer, and its way into the domain's words."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import field_validator

from tdgen.replies import BytesReply, FileReply, NamedText, ObserveReply, Reply, content, expected
from tdgen.source.syntax import edited, expression_or_none, literal_or, over
from tdgen.types import Case, CaseKind, World

LONGEST_NAME = 60


class WorldReply(Reply):
    """What surrounds a call."""

    files: tuple[FileReply, ...] = ()
    stdin: str | BytesReply | None = None
    environment: tuple[NamedText, ...] = ()
    clock: str | None = None
    seed: int | None = None


class CaseReply(Reply):
    """One case, or with `each` several that differ in their arguments alone."""

    name: str
    kind: CaseKind = "normal"
    why: str = ""
    setup: str = ""
    arguments: tuple[str, ...] = ()
    each: tuple[tuple[str, ...], ...] = ()
    call: str = ""
    world: WorldReply | None = None
    expect: Literal["value", "raises", "check", "exits"]
    value: str
    match: str = ""
    tolerance: float = 0.0
    observe: ObserveReply | None = None
    passages: tuple[int, ...] = ()

    def cases(self, function: str, passages: Sequence[str] = ()) -> list[Case]:
        """The case as `case` has it, or with `each` one for each list of arguments, numbered.

        In a call they stand where it has `...`.
        """
        inputs = list(dict.fromkeys([*([self.arguments] if self.arguments else []), *self.each])) or [()]
        whole = [self.model_copy(update={"arguments": given}).case(function, passages) for given in inputs]
        if len(whole) == 1:
            return whole
        stem = whole[0].name[: LONGEST_NAME - 4]
        return [case.model_copy(update={"name": f"{stem}_{number}"}) for number, case in enumerate(whole, start=1)]

    def case(self, function: str, passages: Sequence[str] = ()) -> Case:
        """The case in the domain's words, unchecked; `passages` are those that the prompt numbers."""
        world, observe = self.world or WorldReply(), self.observe or ObserveReply()
        is_script = self.expect == "exits"
        call = f"{function}()" if is_script else _filled(self.call.strip(), self.arguments)
        # A word of a command line is written as it is or as the source of a string.
        words = [(text, literal_or(text.strip())) for text in self.arguments] if is_script else []
        return Case(
            name=slug(self.name),
            function=function,
            kind=self.kind,
            setup=self.setup.strip(),
            arguments=tuple(argument.strip() for argument in self.arguments) if not call else (),
            call=call,
            world=World(
                files={f.name: content(f.text) for f in world.files},
                stdin=content(world.stdin),
                environment={v.name: v.text for v in world.environment},
                clock=world.clock or None,
                seed=world.seed,
                script=tuple(word if isinstance(word, str) else text for text, word in words) if is_script else None,
            ),
            **dict(observe.beside(expected(self.expect, self.value, match=self.match, relative=self.tolerance))),
            why=" ".join(self.why.split()),
            passages=tuple(text for number, text in enumerate(passages, start=1) if number in self.passages),
        )


class CasesReply(Reply):
    """All cases of a function, and the numbers of the passages that none can show."""

    cases: list[CaseReply]
    no_case: tuple[int, ...] = ()


class SuiteReply(CasesReply):
    """Cases, and the sources of properties beside them."""

    properties: tuple[str, ...] = ()

    @field_validator("properties", mode="before")
    @classmethod
    def _of_sources(cls, given: Any) -> list[str]:
        """Those that are text: no case is asked for again because of a property."""
        return [one for one in given if isinstance(one, str)] if isinstance(given, list) else []


def _filled(call: str, arguments: Sequence[str]) -> str:
    """A call with its arguments in the place of the `...` that is passed in it."""
    tree = expression_or_none(call) if arguments and "..." in call else None
    passed = (
        [argument for node in ast.walk(tree) if isinstance(node, ast.Call) for argument in node.args] if tree else []
    )
    holes = [one for one in passed if isinstance(one, ast.Constant) and one.value is ...]
    given = ", ".join(argument.strip() for argument in arguments)
    return edited(call, [over(one, given) for one in holes[:1]])


def slug(name: str) -> str:
    """A name as an identifier's part: lower case, letters, digits and underscores, at most 60 characters."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:LONGEST_NAME].strip("_") or "case"
