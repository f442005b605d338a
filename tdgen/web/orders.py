"""What may be asked of the service, and what it says of a run: the bodies of requests and answers."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from tdgen.errors import TdgenError
from tdgen.settings import Settings
from tdgen.settings.base import parse_budget
from tdgen.specs.instruction import MAX_CHARACTERS
from tdgen.types import Asked, Trust, Usage
from tdgen.web.callers import within

_PLAIN: Final = r"[^\x00-\x08\x0b\x0e-\x1f\x7f-\x9f]"
_INK: Final = r"[^\x00-\x20\x7f-\xa0\s]"
Prose = Annotated[
    str,
    Field(min_length=1, max_length=MAX_CHARACTERS, json_schema_extra={"pattern": f"^{_PLAIN}*{_INK}{_PLAIN}*$"}),
]
"""An instruction; the pattern tells callers what `read_instruction` takes, which says in words what it refuses."""
State = Literal["queued", "running", "green", "red", "failed", "cancelled"]
ENDED: Final = ("green", "red", "failed", "cancelled")
GONE: Final = "came to a solution that is gone, or was changed in the store by somebody else: solve it again"


class NoSuchRun(TdgenError):
    """There is no run of that id, or no kept solution of that key."""


class Conflict(TdgenError):
    """The run is not in a state in which that can be done."""


class Full(TdgenError):
    """As many instructions wait as may, or as a caller may ask; `retry_after` is in seconds."""

    def __init__(self, why: str, retry_after: int = 5) -> None:
        super().__init__(f"{why}: try again later")
        self.retry_after = retry_after


class Body(BaseModel):
    """JSON that is read or written; a field that is unknown is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Options(Body):
    """How an instruction is to be solved. What reaches out of the sandbox is the server's to say, not a caller's."""

    trust: Trust | None = Field(
        default=None, description="how thoroughly a result is checked; the server's own unless given"
    )
    budget: str = Field(default="", max_length=200, description="such as calls=12,seconds=2m; never above the server's")
    tests: str = Field(
        default="", max_length=400_000, description="the source of a pytest file: what it asserts is pinned"
    )
    questions: Literal["", "ask", "assume"] = Field(
        default="", description="ask: open questions are put to /runs/{id}/answers; assume: an assumption is recorded"
    )
    fresh: bool = Field(default=False, strict=True, description="use nothing that is cached")


class Order(Body):
    """An instruction to be solved; `follow` is the key of a kept solution to go on from."""

    instruction: Prose = Field(examples=["slugify(text): lower case, single hyphens"])
    options: Options = Options()
    follow: str = Field(default="", max_length=80)


class FollowUp(Body):
    """What is to change in a solution that is there."""

    instruction: Prose = Field(examples=["also accept tuples"])
    options: Options = Options()


class Reply(Body):
    """An answer to an open question: an option's number, a value's source, `raises E`, or "" for the assumption."""

    question: int = Field(ge=1)
    answer: str = Field(max_length=10_000)

    @field_validator("question", mode="before")
    @classmethod
    def _numeric(cls, value: object) -> object:
        """A JSON number such as 1 or 1.0; pydantic alone would take "1" and true, or not take 1.0."""
        if isinstance(value, str | bool):
            raise ValueError("it is no number")
        return value


class ErrorBody(Body):
    """Something that is said in one line."""

    error: str


class OpenQuestion(Body):
    """A question that a run waits for the answer to."""

    number: int
    question: Asked


class RunRecord(Body):
    """A run: what was asked, `by` which token, how it stands, and how it ended. Times are ISO 8601 in UTC."""

    id: str
    by: str = ""
    order: Order
    state: State = "queued"
    created: str
    started: str = ""
    ended: str = ""
    stopping: bool = False
    starts: int = 0
    deaths: int = 0
    error: str = ""
    advice: str = ""
    key: str = ""
    module: str = ""
    functions: int = 0
    names: tuple[str, ...] = ()
    green: int = 0
    cached: bool = False
    usage: Usage = Usage()
    answers: dict[str, str] = {}
    questions: tuple[OpenQuestion, ...] = ()

    @property
    def has_ended(self) -> bool:
        """Whether nothing more happens in it."""
        return self.state in ENDED


class RunRow(Body):
    """A run in a few words; `title` is the first line of what was asked."""

    id: str
    title: str
    state: State
    created: str
    ended: str = ""
    key: str = ""
    module: str = ""
    functions: int = 0
    names: tuple[str, ...] = ()
    green: int = 0

    @classmethod
    def of(cls, record: RunRecord) -> RunRow:
        """The record's few words."""
        title = record.order.instruction.strip().partition("\n")[0][:200]
        return cls(title=title, **record.model_dump(include=cls.model_fields.keys() - {"title"}))


def changes(options: Options, settings: Settings) -> dict[str, Any]:
    """The settings that the options change; InputError where they ask for more than the server spends."""
    changed: dict[str, Any] = {}
    if options.trust is not None:
        changed["trust"] = options.trust
    if options.questions:
        changed["questions"] = options.questions
    if options.fresh:
        changed["fresh"] = True
    if options.budget:
        asked = within(settings.budget, parse_budget(options.budget))
        changed["budget"] = settings.budget.model_copy(update=asked)
    return changed
