"""The shape of a trial's answer: its working comes before its verdict, so that it is not found afterwards."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from tdgen.types import Check, Expectation, ExpectedException, Value

Found = Literal["upheld", "revised", "unsettled"]


class RulingReply(BaseModel):
    """What is said of one case."""

    model_config = ConfigDict(extra="ignore")

    case: str
    working: str = ""
    quote: str = ""
    verdict: Found
    expect: Literal["value", "raises", "check"] = "value"
    value: str = ""
    match: str = ""

    def expectation(self) -> Expectation:
        """What is right in place of what the case expects."""
        if self.expect == "raises":
            return ExpectedException(type=self.value.strip(), match=self.match)
        if self.expect == "check":
            return Check(source=self.value.strip())
        return Value(source=self.value.strip())


class TrialReply(BaseModel):
    """The rulings on all cases that were in doubt."""

    model_config = ConfigDict(extra="ignore")

    rulings: list[RulingReply]
