"""A model that answers from a script: the demo, tests, and a recorded run that is played again.

A script is keyed by what is asked (see `tdgen.protocols.Identified`), not by the prompt's text, so that a mended prompt
does not break it. It is a JSON file:

    {"format": 1, "model": "name of whoever answered",
     "answers": [{"purpose": "plan", "subject": "", "variant": "", "ordinal": 1, "attempt": 1, "sample": 0,
                  "items": {"1": "digest of a call"},
                  "text": "...", "finish_reason": "stop",
                  "usage": {"calls": 1, "prompt_tokens": 10, "completion_tokens": 5}}]}

Only `purpose` and `text` must be there; usage that is not is guessed, one token for four characters.

Which calls and cases a run asks about, how many at once and in which order, may be another when it is played again. So
an answer with `items` is an answer to these alone: where others are asked together, what was said of each is put
together from all answers that speak of it, whatever their place.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from tdgen.errors import InputError, ModelError, ReplyError
from tdgen.models.costs import Prices, estimated_usage, unpriced
from tdgen.protocols import Answer, Closing, Identified, Model, Request, RequestKey
from tdgen.replies import find_json
from tdgen.settings import Settings
from tdgen.types import Frozen, Usage


class ScriptedAnswer(Identified):
    """One answer of a script, the key it is found by, and what it speaks of, as its request said (`Request.items`)."""

    items: Mapping[str, str] = Field(default_factory=dict)
    text: str
    finish_reason: str = "stop"
    usage: Usage | None = None


class Script(Frozen):
    """All answers of a script; `model` names who gave them."""

    format: Literal[1] = 1
    model: str = "script"
    answers: tuple[ScriptedAnswer, ...] = ()

    def save(self, path: Path) -> None:
        """Write the script as a file that `ScriptedModel.load` reads."""
        path.write_text(self.model_dump_json(indent=1, exclude_none=True) + "\n", encoding="utf-8")


class ScriptedModel:
    """Answers from a script; `asked` lists what it was asked, in order."""

    def __init__(self, script: Script, name: str = "the script") -> None:
        """`name` is what messages call the script. InputError where two of its answers have one key."""
        self._script = script
        self._name = name
        self._answers = {answer.key: answer for answer in script.answers}
        self._lock = threading.Lock()
        self._asked: list[Request] = []
        counted = Counter(answer.key for answer in script.answers)
        if twice := [key for key, count in counted.items() if count > 1]:
            raise InputError(f"{name} answers {twice[0]} twice: leave one")

    @classmethod
    def load(cls, path: str | Path) -> ScriptedModel:
        """The script in a file; InputError where it can't be read or is none."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise InputError(f"the script {path} can't be read: {reason}") from None
        try:
            return cls(Script.model_validate_json(text), f"the script {path}")
        except ValidationError as error:
            raise InputError(f"{path} is no script of model answers: {_first(error)}") from None

    @classmethod
    def from_dict(cls, script: dict[str, Any]) -> ScriptedModel:
        """The script given as a file's content would be; InputError where it is none."""
        try:
            return cls(Script.model_validate(script))
        except ValidationError as error:
            raise InputError(f"this is no script of model answers: {_first(error)}") from None

    @property
    def name(self) -> str:
        """Who gave the answers, as the script says."""
        return self._script.model

    @property
    def asked(self) -> tuple[Request, ...]:
        """Every request so far."""
        with self._lock:
            return tuple(self._asked)

    def ask(self, request: Request) -> Answer:
        """The answer of the script; ModelError, naming the key and the script, where it has none."""
        with self._lock:
            self._asked.append(request)
        answer = self._found(request)
        if answer is None:
            raise ModelError(f"{self._name} has no answer for {request.key}: add one, or use a live model")
        usage = answer.usage or estimated_usage(request, answer.text)
        return Answer(text=answer.text, usage=usage, finish_reason=answer.finish_reason, model=self._script.model)

    def _found(self, request: Request) -> ScriptedAnswer | None:
        """The answer to the same items; else the one under its key, if that says of no item which it speaks of.

        Else one that is put together from what is said of each item.
        """
        kept = self._answers.get(request.key)
        if kept is not None and kept.items == request.items:
            return kept
        kind = request.key._replace(ordinal=1)
        for answer in self._script.answers:
            if answer.items and answer.items == request.items and answer.key._replace(ordinal=1) == kind:
                return answer
        return kept if kept is not None and not kept.items else self._composed(request)

    def _composed(self, request: Request) -> ScriptedAnswer | None:
        """What is said of each item of a request, by whatever answers to such questions; None where of none is."""
        said: dict[str, tuple[str, dict[str, Any]]] = {}
        for answer in sorted(self._script.answers, key=lambda one: one.attempt):
            if (answer.purpose, answer.subject, answer.sample) == (request.purpose, request.subject, request.sample):
                said |= {answer.items[name]: (field, part) for name, field, part in _parts(answer)}
        answered = {name: said[item] for name, item in request.items.items() if item in said}
        if not answered:
            return None
        parts = [
            part | ({"number": int(name)} if "number" in part else {"case": name})
            for name, (_, part) in answered.items()
        ]
        field = next(iter(answered.values()))[0]
        return ScriptedAnswer(**request.key._asdict(), items=request.items, text=json.dumps({field: parts}))


class RecordedAnswers(Closing):
    """The back end for scripts, where the settings name one: see `tdgen.models.endpoint.Endpoint`."""

    def check(self, settings: Settings) -> None:
        """A script that can't be read is told when it is."""

    def prices(self, settings: Settings) -> Prices:
        """Recorded answers have no price."""
        return unpriced

    def names(self, settings: Settings) -> tuple[str, ...]:
        """Who gave the answers; InputError where the script can't be read."""
        return (ScriptedModel.load(settings.script).name,)

    def model(self, settings: Settings, **_: object) -> Model:
        """What answers from the settings' script; InputError where it can't be read."""
        return ScriptedModel.load(settings.script)

    def close(self) -> None:
        """Nothing is open."""


def _parts(answer: ScriptedAnswer) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """What an answer says of each of its items: the item's name, the field that lists them, and the words."""
    try:
        document = find_json(answer.text) if answer.items else {}
    except ReplyError:
        return
    for field, parts in document.items() if isinstance(document, dict) else ():
        for part in parts if isinstance(parts, list) else ():
            name = str(part.get("number", part.get("case", ""))) if isinstance(part, dict) else ""
            if name in answer.items:
                yield name, field, part


def _first(error: ValidationError) -> str:
    detail = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in detail["loc"])
    return f"{where}: {detail['msg']}" if where else detail["msg"]


def script_from(folder: str | Path) -> Script:
    """The script that plays a transcript again; of two answers to one key, the later one.

    InputError where the folder holds no answer.
    """
    answers: dict[RequestKey, ScriptedAnswer] = {}
    model = ""
    for path in sorted(Path(folder).glob("*.json")):
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            if record["answer"] is None:
                continue
            request, answer = Request.model_validate(record["request"]), Answer.model_validate(record["answer"])
        except (KeyError, TypeError, ValueError, ValidationError):
            raise InputError(f"{path} is not a transcript's file") from None
        paid = answers.get(request.key) if answer.replayed else answer  # what is remembered was paid for before
        kept = ScriptedAnswer(
            **request.key._asdict(),
            items=request.items,
            text=answer.text,
            finish_reason=answer.finish_reason,
            usage=paid.usage.model_copy(update={"cost": None}) if paid and paid.usage else None,
        )
        answers[kept.key] = kept
        model = answer.model or model
    if not answers:
        raise InputError(f"{folder} holds no transcript with an answer")
    return Script(model=model, answers=tuple(answers.values()))
