"""What came of an instruction, as data: attempts, what they cost, how each function ended."""

from __future__ import annotations

from typing import Literal

from tdgen.types.base import Frozen
from tdgen.types.cases import Suite
from tdgen.types.plan import Plan
from tdgen.types.runs import Verdict

Trust = Literal["quick", "standard", "strict"]
Outcome = Literal["green", "red", "blocked", "undecided"]


class Usage(Frozen):
    """What was paid: model calls, tokens in and out, seconds spent waiting for the model."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            seconds=self.seconds + other.seconds,
        )

    @property
    def tokens(self) -> int:
        """Tokens in and out together."""
        return self.prompt_tokens + self.completion_tokens


class Attempt(Frozen):
    """One implementation tried: its source, the verdicts on it, and what reading it found.

    `findings` stand against it, `vetoes` took its green away, `advice` is only worth saying where it fails.
    """

    function: str
    number: int
    source: str
    verdicts: tuple[Verdict, ...] = ()
    findings: tuple[str, ...] = ()
    vetoes: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()

    @property
    def passed(self) -> int:
        """How many cases passed."""
        return sum(verdict.passed for verdict in self.verdicts)

    @property
    def green(self) -> bool:
        """Every case passed, nothing static stands against it, and nothing took the green away."""
        return bool(self.verdicts) and self.passed == len(self.verdicts) and not self.findings and not self.vetoes


class Revision(Frozen):
    """A case that was changed, promoted or set aside, why, and on whose word."""

    function: str
    case: str
    action: Literal["promoted", "quarantined", "revised", "demoted"]
    reason: str


class FunctionResult(Frozen):
    """How one function ended: its suite, its best attempt, and all attempts before it."""

    function: str
    outcome: Outcome
    suite: Suite
    best: Attempt | None = None
    history: tuple[Attempt, ...] = ()
    reason: str = ""


class SolutionRecord(Frozen):
    """Everything that came of one instruction. `key` is the instruction's hash, under which it is cached."""

    key: str
    instruction: str
    plan: Plan
    results: tuple[FunctionResult, ...]
    module_source: str
    test_files: dict[str, str]
    trust: Trust = "quick"
    revisions: tuple[Revision, ...] = ()
    promotions: int = 0
    usage: Usage = Usage()
    seconds: float = 0.0
    sandbox: str = ""
    model: str = ""
    follows: str = ""
    stopped: str = ""
    notes: tuple[str, ...] = ()
    cached: bool = False

    @property
    def all_tests_passed(self) -> bool:
        """Whether every function ended green."""
        return bool(self.results) and all(result.outcome == "green" for result in self.results)
