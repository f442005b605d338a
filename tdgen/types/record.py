"""What came of an instruction, as data: attempts, what they cost, how each function ended."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from tdgen.types.base import Frozen
from tdgen.types.cases import Case, Suite
from tdgen.types.plan import Correction, FunctionSpec, Plan, Question
from tdgen.types.runs import Verdict

Trust = Literal["quick", "standard", "strict"]
Outcome = Literal["green", "red", "blocked", "undecided"]
Rung = Literal["first", "rival", "reading", "kept", "mechanical", "repair", "trace", "fresh", "helpers", "existing"]
Action = Literal["promoted", "quarantined", "revised", "demoted"]


class Usage(Frozen):
    """What was paid: model calls, tokens in and out, seconds spent waiting for the model, money.

    Of the prompt's tokens the endpoint had `cached_tokens` cached. `cost` is in US dollars, None where no price is
    known. A sum has the cost of the parts whose price is known, and the tokens of the others as `unpriced`.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None
    unpriced: int = 0

    def __add__(self, other: Usage) -> Usage:
        costs = [part.cost for part in (self, other) if part.cost is not None]
        return Usage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            seconds=self.seconds + other.seconds,
            cost=round(sum(costs), 10) if costs else None,
            unpriced=sum(u.tokens if u.cost is None else u.unpriced for u in (self, other)) if costs else 0,
        )

    @property
    def tokens(self) -> int:
        """Tokens in and out together."""
        return self.prompt_tokens + self.completion_tokens


class Spent(Frozen):
    """What was paid for one purpose (`plan`, `cases`, `implement`, …) and one function, where it was for one."""

    purpose: str
    function: str = ""
    usage: Usage


OF_CONTRACT: Final = "contract"
"""In place of a case's name: the objection is to the contract, and so to each case that was made from it."""
OF_DEPENDENCY: Final = f"{OF_CONTRACT} of "
"""How that begins where it is the contract of a called function, whose name follows."""
OF_ASSUMPTION: Final = "assumption"
"""In place of a case's name: the objection is to an assumption of the plan."""


class Objection(Frozen):
    """A developer's word against a case: the words that it contradicts, as they stand there, and why it does."""

    case: str
    quote: str
    reason: str = ""

    @property
    def is_of_plan(self) -> bool:
        """Whether it is to what was planned, and so to each case that was made from that."""
        return self.case in (OF_CONTRACT, OF_ASSUMPTION) or self.case.startswith(OF_DEPENDENCY)

    @property
    def sentence(self) -> str:
        """It in one line, for an arbiter or a user."""
        what = f" to the {self.case}" if self.is_of_plan else ""
        return f'a developer objects{what}, quoting "{self.quote}"' + (f": {self.reason}" if self.reason else "")


class Attempt(Frozen):
    """One implementation tried: its source, the verdicts on it, and what reading it found.

    `rung` says how it came to be, and `line` which line of thought it belongs to: attempts of different lines do not
    share code. `findings` stand against it, `vetoes` took its green away, `advice` is only worth saying where it fails.
    `mended` tells what was put right in the model's answer without asking it again. `objections` are its author's word
    against cases. `writes` tells whether files changed in a case's folder.
    """

    function: str
    number: int
    source: str
    rung: Rung = "first"
    line: int = 0
    verdicts: tuple[Verdict, ...] = ()
    findings: tuple[str, ...] = ()
    vetoes: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    objections: tuple[Objection, ...] = ()
    writes: bool = False

    @property
    def passed(self) -> int:
        """How many cases passed."""
        return sum(verdict.passed for verdict in self.verdicts)

    @property
    def passes(self) -> bool:
        """Every case passed, nothing static stands against it, and no further run found it wrong."""
        return bool(self.verdicts) and self.passed == len(self.verdicts) and not self.findings and not self.vetoes

    @property
    def is_patch(self) -> bool:
        """Whether an edit search made it, so that no author has ever confirmed it."""
        return self.rung == "mechanical"

    @property
    def green(self) -> bool:
        """Whether it passes and an author wrote it: a patch that only a search found is a guess, and never green."""
        return self.passes and not self.is_patch


class Revision(Frozen):
    """A case that was changed, promoted or set aside, why, and on whose word.

    `quote` is what of the instruction or the contract decided it; `before` and `after` tell what was expected,
    and `call` is the source of what was on trial; empty where nothing was.
    """

    function: str
    case: str
    action: Action
    reason: str
    quote: str = ""
    call: str = ""
    before: str = ""
    after: str = ""

    @property
    def sentence(self) -> str:
        """It in one line: such as `revised: 2 → 3: the contract says so ("counts from 1")`."""
        changed = " → ".join(filter(None, (self.before, self.after)))
        quote = f' ("{self.quote}")' if self.quote else ""
        return ": ".join(filter(None, (self.action, changed, self.reason))) + quote


class Survivor(Frozen):
    """A mutant that no case tells from the implementation: which line, what stood there, what stands there instead."""

    line: int
    operator: str
    before: str
    after: str


class Mutant(NamedTuple):
    """The changed `source`, and the edit: its operator, its line (from 1), what stood there and what stands there now.

    `before` and `after` are cut to one short line; one of them is empty where something was only added or removed.
    """

    source: str
    operator: str
    line: int
    before: str
    after: str

    @property
    def survivor(self) -> Survivor:
        """The edit as what is told of a mutant that no case kills."""
        return Survivor(line=self.line, operator=self.operator, before=self.before, after=self.after)


class Strength(Frozen):
    """How hard a suite is to deceive: mutants of the implementation, and the lines and branches that cases reach.

    `mutants` counts those tried and `killed` those that some case fails. `equivalent` could not be told from the
    implementation on many generated inputs (or compile to the same byte code), `open` only on inputs for which the
    contract settles nothing. `lines` and `branches` are shares from 0 to 1, None where they were not measured.
    `raw_before` and `score_before` are what `raw` and `score` were before cases were asked for by survivors. `near`
    counts those at lines where the user's concern is decided that can be told apart, `near_killed` those killed.
    """

    mutants: int = 0
    killed: int = 0
    equivalent: int = 0
    open: int = 0
    survivors: tuple[Survivor, ...] = ()
    lines: float | None = None
    branches: float | None = None
    seconds: float = 0.0
    raw_before: float | None = None
    score_before: float | None = None
    near: int = 0
    near_killed: int = 0

    @property
    def raw(self) -> float:
        """The share of all mutants that are killed; 1 where there are none."""
        return self.killed / self.mutants if self.mutants else 1.0

    @property
    def score(self) -> float:
        """The share of the mutants that can be told apart which are killed; 1 where there are none."""
        return self.killed / self.distinguishable if self.distinguishable else 1.0

    @property
    def distinguishable(self) -> int:
        """How many mutants can be told apart from the implementation."""
        return self.mutants - self.equivalent - self.open

    @property
    def sentence(self) -> str:
        """It in a few words: `93% of 28 mutants killed`; empty where there was none to kill."""
        return (
            f"{self.score:.0%} of {self.distinguishable} mutant{'s' * (self.distinguishable != 1)} killed"
            if self.distinguishable
            else ""
        )


class Finding(Frozen):
    """Where existing code does not do what its docs say: a call, what they say of it, and what was observed.

    `case` names the case of the suite that shows it, `also` others that show the same. `quote` is of the docs, word
    for word; `setup` are the statements before the call.
    """

    unit: str
    case: str
    call: str
    expected: str
    observed: str
    quote: str
    setup: str = ""
    also: tuple[str, ...] = ()

    @property
    def cases(self) -> tuple[str, ...]:
        """All cases that show it, the smallest first."""
        return (self.case, *self.also)


class FunctionResult(Frozen):
    """How one function ended: its suite, its best attempt, all attempts before it, and the suite's strength.

    `corrections` are what was found wrong with its contract. `findings` are of code that existed before; the cases that
    show them are in the suite.
    """

    function: str
    outcome: Outcome
    suite: Suite
    best: Attempt | None = None
    history: tuple[Attempt, ...] = ()
    reason: str = ""
    strength: Strength | None = None
    corrections: tuple[Correction, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def source(self) -> str:
        """The code of its best attempt; empty where nothing was written."""
        return self.best.source if self.best else ""

    @property
    def cases(self) -> tuple[Case, ...]:
        """The cases of its suite, those that no prompt shows among them."""
        return self.suite.cases

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """What each case found of its best attempt; none where nothing was run."""
        return self.best.verdicts if self.best else ()

    @property
    def writes(self) -> bool:
        """Whether its best attempt was seen to write files."""
        return self.best is not None and self.best.writes

    @property
    def expected_failures(self) -> dict[str, str]:
        """The cases that existing code is known to fail, by name, each with the docs' words against it."""
        return {case: f"the docs say: {finding.quote}" for finding in self.findings for case in finding.cases}


class KeptClass(Frozen):
    """A green class with the contract by which it was written: found again where few of its methods change."""

    spec: FunctionSpec
    result: FunctionResult


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
    questions: tuple[Question, ...] = ()
    promotions: int = 0
    usage: Usage = Usage()
    spent: tuple[Spent, ...] = ()
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

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Where code that existed before does not do what its docs say."""
        return tuple(finding for result in self.results for finding in result.findings)

    @property
    def is_kept(self) -> bool:
        """Whether it is worth keeping: all green or, of existing code, come to its end whatever was found."""
        return self.all_tests_passed or (self.plan.is_existing and not self.stopped)
