"""The model of a seeded run: the seed's answers, its log's, those that an earlier run recorded, or a live endpoint's.

A log's answer counts only where the seed can't have changed what is asked: the plan, the second reading, each first
suite and each first code. Anything else answered another history. A recorded answer counts only for the very prompt
that it answered.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import Field, ValidationError

from seeded_runs.seeds import Seed
from tdgen.errors import InputError, ModelError
from tdgen.models import ScriptedAnswer
from tdgen.models.scripted import Key
from tdgen.models.tokens import estimated_usage
from tdgen.protocols import Answer, Model, Purpose, Request
from tdgen.saving import write_file
from tdgen.types import Frozen, digest

AS_LOGGED: Final[frozenset[Purpose]] = frozenset({"plan", "reading", "cases", "implement"})


class RecordedAnswer(ScriptedAnswer):
    """A live model's answer, and the digest of the prompt that it answers."""

    prompt: str


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
        self._answers = {(answer.key, answer.prompt): answer for answer in kept.answers}

    def get(self, request: Request) -> ScriptedAnswer | None:
        """The answer to this very prompt; None where there is none."""
        with self._lock:
            return self._answers.get((key_of(request), _prompt(request)))

    def put(self, request: Request, answer: Answer) -> None:
        """Keep an answer, in the file at once: what was paid for outlives whatever ends the run."""
        kept = RecordedAnswer(
            purpose=request.purpose,
            subject=request.subject,
            attempt=request.attempt,
            sample=request.sample,
            text=answer.text,
            finish_reason=answer.finish_reason,
            usage=answer.usage.model_copy(update={"cost": None, "seconds": 0.0}),
            prompt=_prompt(request),
        )
        with self._lock:
            self._answers[kept.key, kept.prompt] = kept
            found = [self._answers[key] for key in sorted(self._answers)]
            text = Recording(model=answer.model, answers=tuple(found)).model_dump_json(indent=1, exclude_none=True)
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_file(self._path, text + "\n")


class Said(NamedTuple):
    """Something that was asked, and where its answer came from: `seed`, `log`, `record`, `live` or nowhere."""

    key: Key
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
    def missing(self) -> tuple[Key, ...]:
        """What nobody answered: a run with such a question tells nothing."""
        answered = {said.key for said in self.said if said.source}
        return tuple(dict.fromkeys(said.key for said in self.said if said.key not in answered))

    def ask(self, request: Request) -> Answer:
        """The answer of the first source that has one; ModelError where none has."""
        key = key_of(request)
        sources = {
            "seed": self._seeded.get(key),
            "log": self._logged.get(key),
            "record": self._recorder.get(request),
        }
        for source, found in sources.items():
            if found is not None:
                self.said.append(Said(key, source))
                usage = found.usage or estimated_usage(request, found.text)
                return Answer(text=found.text, usage=usage, finish_reason=found.finish_reason, model=self.name)
        return self._asked(request, key)

    def _asked(self, request: Request, key: Key) -> Answer:
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


def key_of(request: Request) -> Key:
    """What an answer is found by in a script."""
    return (request.purpose, request.subject, request.attempt, request.sample)


def _prompt(request: Request) -> str:
    return digest([message.model_dump() for message in request.messages])
