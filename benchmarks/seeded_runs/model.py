"""The model of a seeded run: the seed's answers, its log's, those that an earlier run recorded, or a live endpoint's.

A log's answer counts only where the seed can't have changed what is asked: the plan, the second reading, each first
suite and each first code. Anything else answered another history. A recorded answer counts only for the very question
that it answered: the same calls, cases in doubt, code, observations. What all prompts about a function show, and how
they are worded, may have changed since. What was said of a call counts wherever that call is asked about: how many
are asked about at once depends on how fast the machine is.
"""

from __future__ import annotations

import re
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import Field, ValidationError

from seeded_runs.seeds import Seed
from tdgen.errors import InputError, ModelError, ReplyError
from tdgen.files.saving import write_file
from tdgen.models.costs import estimated_usage
from tdgen.models.scripted import ScriptedAnswer
from tdgen.protocols import Answer, Model, Purpose, Request, RequestKey
from tdgen.replies import find_json
from tdgen.testgen.arbiter import RulingsReply
from tdgen.testgen.queries import SettledReply, SettleReply
from tdgen.types import Frozen, digest

CONTEXT: Final = frozenset(
    [
        "instruction",
        "assumptions",
        "shared_types",
        "contract",
        "functions_it_calls",
        "other_functions_in_the_examples",
        "users_examples",
        "some_of_the_tests",
        "edit_found_by_search",
    ]
)
"""The sections that don't tell one question about a function from another: its context, and what depends on time."""
_SECTION: Final = re.compile(r"^<(\w+)>\n(.*?)^</\1>$", re.DOTALL | re.MULTILINE)
_SAMPLES: Final = {"survivors": 0, "rivals": 1, "properties": 2, "caller": 3, "edits": 5, "neighbours": 6, "reading": 7}
_BEFORE: Final = {
    ("plan", "again"): 2,
    ("cases", "more"): 2,
    ("cases", "rewrite"): 4,
    ("settle", "confirm"): 100,
    ("trial", "confirm"): 100,
    ("trial", "reading"): 200,
    ("trial", "corrected"): 304,
}
AS_LOGGED: Final[frozenset[Purpose]] = frozenset({"plan", "reading", "cases", "implement"})


class RecordedAnswer(ScriptedAnswer):
    """A live model's answer, and the digest of the question that it answers.

    `calls` are those that it is about, `code` is the digest of the code that it mends.
    """

    question: str
    calls: tuple[str, ...] = ()
    code: str = ""


class Recording(Frozen):
    """All answers that were recorded for a seed; `model` names who gave the last of them."""

    format: int = Field(default=1, ge=1, le=1)
    model: str = ""
    answers: tuple[RecordedAnswer, ...] = ()


class Recorder:
    """A seed's recorded answers and the file that keeps them. Safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        """InputError where the file is there and can't be read."""
        self._path = path
        self._lock = threading.Lock()
        try:
            kept = Recording.model_validate_json(path.read_bytes()) if path.exists() else Recording()
        except (OSError, ValidationError):
            raise InputError(f"{path} holds no recorded answers: remove it, and run against an endpoint") from None
        self._answers = {answer.question: answer for answer in kept.answers}

    def get(self, request: Request) -> ScriptedAnswer | None:
        """The answer to this very question, or of what was said of each of its calls; None where there is none."""
        with self._lock:
            return self._answers.get(question_of(request)) or self._composed(request)

    def near(self, request: Request) -> ScriptedAnswer | None:
        """The answer that mends the same code or rules on the same cases; None where there is none.

        Which cases a search for edits brought up before depends on how fast the machine is, and how the outcomes of a
        case in doubt are told is a matter of wording: what the case expects stands under the same letter.
        """
        with self._lock:
            code, cases = code_of(request), cases_of(request)
            for kept in self._in_order():
                if code and kept.code == code:
                    return kept
                if cases and kept.key == request.key and _ruled_on(kept) and _ruled_on(kept) <= cases:
                    return kept
            return None

    def put(self, request: Request, answer: Answer) -> None:
        """Keep an answer, in the file at once: what was paid for outlives whatever ends the run."""
        kept = RecordedAnswer(
            **request.key._asdict(),
            text=answer.text,
            finish_reason=answer.finish_reason,
            usage=answer.usage.model_copy(update={"cost": None, "seconds": 0.0}),
            question=question_of(request),
            calls=calls_of(request),
            code=code_of(request),
        )
        with self._lock:
            self._answers[kept.question] = kept
            kept_all = Recording(model=answer.model, answers=tuple(self._in_order()))
            text = kept_all.model_dump_json(indent=1, exclude_none=True)
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_file(self._path, text + "\n")

    def _in_order(self) -> list[RecordedAnswer]:
        return sorted(self._answers.values(), key=lambda answer: (answer.key, answer.question))

    def _composed(self, request: Request) -> ScriptedAnswer | None:
        """An answer made of what was said of the same calls in others; None unless all were asked about."""
        said: dict[str, SettledReply] = {}
        for kept in self._in_order():
            if (kept.purpose, kept.subject) == ("settle", request.subject):
                with suppress(ReplyError, ValidationError):
                    replies = SettleReply.model_validate(find_json(kept.text)).answers
                    said |= {kept.calls[one.number - 1]: one for one in replies if 0 < one.number <= len(kept.calls)}
        calls = calls_of(request)
        if not calls or not said.keys() >= {*calls}:
            return None
        answers = [said[call].model_copy(update={"number": number}) for number, call in enumerate(calls, start=1)]
        return ScriptedAnswer(purpose="settle", text=SettleReply(answers=answers).model_dump_json())


class Said(NamedTuple):
    """What was asked, and where the answer came from: `seed`, `log`, `record`, `live`; empty where nobody answered."""

    key: RequestKey
    source: str


class SeededModel:
    """Answers a seed's questions. `said` lists them in the order in which they were answered."""

    name = "a seeded log"

    def __init__(self, seed: Seed, recorder: Recorder, live: Model | None = None) -> None:
        self._seeded = {answer.key: answer for answer in seed.file.answers}
        self._logged = {a.key: a for a in seed.logged.answers if a.purpose in AS_LOGGED and a.attempt == 1}
        self._recorder = recorder
        self._live = live
        self.said: list[Said] = []

    @property
    def missing(self) -> tuple[RequestKey, ...]:
        """What nobody answered: a run with such a question tells nothing.

        Which of several edits is right need not be said: whether a search finds several depends on the machine's speed.
        """
        answered = {said.key for said in self.said if said.source}
        open_ones = [said.key for said in self.said if said.key not in answered]
        return tuple(dict.fromkeys(key for key in open_ones if key.variant != "edits"))

    def ask(self, request: Request) -> Answer:
        """The answer of the first source that has one; ModelError where none has."""
        key = request.key
        kept = self._recorder.get(request) or (None if self._live else self._recorder.near(request))
        sources = {"seed": self._seeded.get(key), "log": self._logged.get(key), "record": kept}
        for source, found in sources.items():
            if found is not None:
                self.said.append(Said(key, source))
                usage = found.usage or estimated_usage(request, found.text)
                return Answer(text=found.text, usage=usage, finish_reason=found.finish_reason, model=self.name)
        return self._asked(request, key)

    def _asked(self, request: Request, key: RequestKey) -> Answer:
        try:
            if self._live is None:
                raise ModelError(f"nobody answers {key}: set OPENAI_BASE_URL, and what is answered is kept")
            answer = self._live.ask(request)
        except ModelError:
            self.said.append(Said(key, ""))
            raise
        self._recorder.put(request, answer)
        self.said.append(Said(key, "live"))
        return answer


def question_of(request: Request) -> str:
    """The digest of what is asked beside a function's context: the sections of the first user message that say it.

    A repair's number counts the patches that a search found in time: which repair it is, its sections say.
    """
    attempt, sample = _numbers(request.key)
    about = [request.purpose, request.subject, attempt, sample, len(request.messages)]
    return digest([about, [(name, text) for name, text in _sections(request) if name not in CONTEXT]])


def _numbers(key: RequestKey) -> tuple[int, int]:
    """The attempt and the sample that a question had before variants had names: digests of recorded answers have them.

    A digest can't be made anew from what was recorded, as the question itself is not there.
    """
    if key.purpose == "repair":
        return 0, key.sample
    if key.purpose == "settle" and key.variant in _SAMPLES:
        return 2 * (key.ordinal - 1) + key.attempt, _SAMPLES[key.variant] + key.sample
    return _BEFORE.get((key.purpose, key.variant), 0) + 2 * (key.ordinal - 1) + key.attempt, key.sample


def calls_of(request: Request) -> tuple[str, ...]:
    """The calls that a question is about, each as it is told; none where it is about no calls."""
    if request.purpose != "settle":
        return ()
    told = "".join(text for name, text in _sections(request) if name == "calls")
    return tuple(call.strip() for call in re.split(r"^\d+\. (?=`)", told, flags=re.MULTILINE)[1:])


def cases_of(request: Request) -> frozenset[str]:
    """The names of the cases in doubt that a request is about; none where it is about no such."""
    told = "".join(text for name, text in _sections(request) if name == "cases_in_doubt")
    return frozenset(re.findall(r"^- (\w+): `", told, re.MULTILINE)) if request.purpose == "trial" else frozenset()


def _ruled_on(kept: RecordedAnswer) -> frozenset[str]:
    """The cases that an answer rules on; none where it can't be read."""
    with suppress(ReplyError, ValidationError):
        return frozenset(one.case for one in RulingsReply.model_validate(find_json(kept.text)).rulings)
    return frozenset()


def code_of(request: Request) -> str:
    """The digest of the code that a repair mends; empty where a request is about none."""
    code = [text for name, text in _sections(request) if name == "your_code"]
    return digest([request.purpose, request.subject, code]) if request.purpose == "repair" and code else ""


def _sections(request: Request) -> list[tuple[str, str]]:
    told = next(message.content for message in request.messages if message.role == "user")
    return _SECTION.findall(told)
