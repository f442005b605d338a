"""A model that answers from a script: for the demo, for tests, and for playing a recorded run again.

A script is keyed by what is asked (see `tdgen.protocols.Identified`), not by the prompt's text, so that a mended prompt
does not break it. It is a JSON file:

    {"format": 1, "model": "name of whoever answered",
     "answers": [{"purpose": "plan", "subject": "", "variant": "", "ordinal": 1, "attempt": 1, "sample": 0,
                  "text": "...", "finish_reason": "stop",
                  "usage": {"calls": 1, "prompt_tokens": 10, "completion_tokens": 5}}]}

Only `purpose` and `text` must be there; usage that is not is guessed, one token for four characters.
"""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from tdgen.errors import InputError, ModelError
from tdgen.models.account import estimated_usage
from tdgen.protocols import Answer, Identified, Request
from tdgen.types import Frozen, Usage


class ScriptedAnswer(Identified):
    """One answer of a script, and the key it is found by."""

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
        answer = self._answers.get(request.key)
        if answer is None:
            raise ModelError(f"{self._name} has no answer for {request.key}: add one, or use a live model")
        usage = answer.usage or estimated_usage(request, answer.text)
        return Answer(text=answer.text, usage=usage, finish_reason=answer.finish_reason, model=self._script.model)


def _first(error: ValidationError) -> str:
    detail = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in detail["loc"])
    return f"{where}: {detail['msg']}" if where else detail["msg"]
