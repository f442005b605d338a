"""The shape of a trial's answer: its working comes before its verdict, so that it is not found afterwards."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import WithJsonSchema

from tdgen.replies import ObserveReply, Reply, expected
from tdgen.types import Case, Effects, Value

Found = Literal["upheld", "revised", "unsettled", "unfair"]
LETTERS: Final = ("A", "B", "C", "D")
"""Under which the outcomes stand from which an arbiter chooses: what the case expects, and what else was seen."""
_ASKED_FOR: Final = [*LETTERS, "revised", "unsettled", "unfair"]

Word = Literal["A", "B", "C", "D", "upheld", "revised", "unsettled", "unfair"]
"""A verdict; "upheld" is what arbiters said before there were letters, and what old logs hold."""


class RulingReply(Reply):
    """What is said of one case. An empty `value`, and what `observe` lacks, leave that part as the case has it.

    `verdict` is the letter of an outcome, or a word.
    `name` is a new one for a case whose own says what is not right; empty where that fits.
    `refuted` is the sentence of a contract or an assumption that the quoted words contradict; empty where they don't.
    """

    case: str
    working: str = ""
    quote: str = ""
    refuted: str = ""
    verdict: Annotated[Word, WithJsonSchema({"enum": _ASKED_FOR, "type": "string"})]
    expect: Literal["value", "raises", "check", "exits"] = "value"
    value: str = ""
    match: str = ""
    observe: ObserveReply | None = None
    name: str = ""

    def effects(self, case: Case) -> Effects:
        """What is right in place of what the case observes; a value's tolerance stays the case's."""
        expectation = case.expectation
        if self.value.strip():
            expect = "exits" if case.world.script is not None else self.expect
            expectation = expected(expect, self.value, match=self.match)
            if isinstance(expectation, Value) and isinstance(case.expectation, Value):
                expectation = expectation.model_copy(update={"tolerance": case.expectation.tolerance})
        said = self.observe or ObserveReply()
        told = said.beside(expectation)
        return case.effects.model_copy(
            update={"expectation": expectation, **{name: getattr(told, name) for name in said.model_fields_set}}
        )


class RulingsReply(Reply):
    """The rulings on all cases that were in doubt."""

    rulings: list[RulingReply]
