"""What a user hands in, and the instruction that it makes with the prose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tdgen.specs.instruction import read_instruction
from tdgen.types import Instruction, Plan, Solution, Suite


class Handed(NamedTuple):
    """What may be handed in beside the prose: own tests, an edited plan, edited suites, a solution to go on from."""

    tests: str = ""
    plan: Plan | None = None
    suites: Sequence[Suite] = ()
    follow: str = ""


def read(text: str, handed: Handed, earlier: Solution | None) -> Instruction:
    """The instruction of `text` and what was handed in; `earlier` is the solution it goes on from, if it does.

    InputError where the text is no instruction.
    """
    own = read_instruction(text)
    whole = read_instruction(f"{earlier.instruction.strip()}\n\n{text}") if earlier else own
    return whole.model_copy(
        update={
            "tests": handed.tests or (_own_tests(earlier) if earlier else ""),
            "plan": handed.plan,
            "suites": tuple(handed.suites),
            "follows": earlier.key if earlier else "",
            "earlier": earlier.plan if earlier else None,
        }
    )


def _own_tests(earlier: Solution) -> str:
    """The user's own tests that came with an earlier instruction: law until others take their place."""
    from tdgen.pipeline.draft import USER_TESTS

    return earlier.test_files.get(USER_TESTS, "")
