"""What the service tells of a run beside the events of the solve: they are events like these, in the same stream."""

from __future__ import annotations

from tdgen.events import Event
from tdgen.solution_html.layout import Layout
from tdgen.types import Asked, Frozen, Question, Spent, Strength, Suite, Usage


class RunStarted(Event):
    """A run begins, or begins anew where an earlier service left it: what was told before is told again."""

    start: int
    model: str


class QuestionAsked(Event):
    """The run waits for an answer to this question."""

    number: int
    question: Asked


class QuestionAnswered(Event):
    """A question was answered; "" where the assumption is taken."""

    number: int
    answer: str


class RunEnded(Event):
    """Nothing more happens; `advice` says what can be done, `package` whether there is something to take home."""

    state: str
    error: str
    advice: str
    key: str
    package: bool


class GraphLaidOut(Event):
    """Where the graph's boxes and edges stand from now on."""

    graph: Layout


class Place(Frozen):
    """Which attempt it is: attempts of different lines of thought may have one number."""

    number: int
    line: int


class FunctionTold(Event):
    """How a function stands in the end: its suite as it became, its tests' file, and which attempt is its best."""

    function: str
    suite: Suite
    strength: Strength | None = None
    tests: str = ""
    best: Place | None = None


class SolutionTold(Event):
    """What is to be said of a solution as a whole."""

    instruction: str = ""
    questions: tuple[Question, ...] = ()
    usage: Usage = Usage()
    spent: tuple[Spent, ...] = ()
    seconds: float = 0.0
    trust: str = ""
    model: str = ""
    sandbox: str = ""
    notes: tuple[str, ...] = ()
    follows: str = ""
