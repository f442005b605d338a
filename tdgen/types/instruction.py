"""What the user asks for: the prose, and all that came with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tdgen.types.base import Frozen, digest
from tdgen.types.cases import Case, Suite
from tdgen.types.plan import Example, Plan
from tdgen.types.record import FunctionResult
from tdgen.types.target import Target

FORMAT = 2


class Instruction(Frozen):
    """The user's prose with what was handed in beside it.

    `text` is as the user wrote it and `normalised` what its hash is taken of. `tests` are the sources of the user's own
    pytest files; `answers` are what the user said to open questions, pinned as examples are, and `remarks` what was
    said in words, which is at the end of the text too. `plan` and `suites` were planned earlier, perhaps edited, and
    handed back. `follows` is the key of the solution that this instruction goes on from, `earlier` that solution's
    plan, `earlier_text` its instruction, with which the text begins, and `pinned` the user's own cases of it, which
    hold on; `earlier_results` are its green ones, by function. `module` is the name that the user wants the module to
    have, where they said so. `target` is the place in an existing project that the code is for.
    """

    text: str
    normalised: str
    tests: tuple[str, ...] = ()
    plan: Plan | None = None
    suites: tuple[Suite, ...] = ()
    answers: tuple[Example, ...] = ()
    remarks: tuple[str, ...] = ()
    follows: str = ""
    earlier: Plan | None = None
    earlier_text: str = ""
    pinned: tuple[Case, ...] = ()
    earlier_results: Mapping[str, FunctionResult] = {}
    module: str = ""
    target: Target | None = None

    @property
    def added(self) -> str:
        """What the text says beyond the instruction that it goes on from."""
        return self.text.removeprefix(self.earlier_text)

    def with_remarks(self, remarks: Sequence[str]) -> Instruction:
        """The instruction with what the user said to what was unclear in it, each a question and its answer."""
        listed = "".join(f"\n- {remark}" for remark in remarks)
        text = f"{self.text.rstrip()}\n\nAsked what was unclear, the author said:\n{listed}\n"
        return self.model_copy(update={"text": text, "remarks": (*self.remarks, *remarks)})

    def key(self, identity: dict[str, Any]) -> str:
        """The hash under which its solution is kept; `identity` holds the settings that change the result."""
        target = self.target
        return digest(
            [
                FORMAT,
                self.normalised,
                "".join(self.tests) if len(self.tests) < 2 else list(self.tests),
                [answer.model_dump(mode="json") for answer in self.answers],
                list(self.remarks),
                self.plan.model_dump(mode="json") if self.plan else None,
                [suite.model_dump(mode="json") for suite in self.suites],
                self.follows,
                identity,
                *([self.module] if self.module else []),
                # one without tests as before there were any, so that what is kept is found
                *([target.model_dump(mode="json", exclude=None if target.tests else {"tests"})] if target else []),
            ]
        )
