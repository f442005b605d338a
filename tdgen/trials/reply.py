"""The shape of a trial's answer: its working comes before its verdict, so that it is not found afterwards."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from tdgen.replies import expected
from tdgen.types import Expectation

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
        return expected(self.expect, self.value, match=self.match)


class TrialReply(BaseModel):
    """The rulings on all cases that were in doubt."""

    model_config = ConfigDict(extra="ignore")

    rulings: list[RulingReply]
