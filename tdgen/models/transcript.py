"""What is written down of requests and found again there, and told of them while they are asked.

A transcript has for each call a Markdown file to read (written before the answer comes, so that a killed run shows what
it waited for) and a JSON file to use; together they become a script (`tdgen/models/scripted.py`). Files are for their
owner alone, and keys never reach them.

What an unfinished run has paid for is not paid for again: its answers are kept, and replayed by the next run. An answer
is kept under the digest of the whole request (its key and every message), so a question that changed by a letter is
asked anew. Whoever wants a second opinion on the same words asks for another sample. The journal is for one unfinished
run; whoever keeps it clears it when the run has ended.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tdgen.errors import InputError, TdgenError
from tdgen.events import ModelAnswered, ModelAsked, ModelFailed, ModelWrote
from tdgen.models.ledger import Ledger
from tdgen.protocols import Answer, Answers, Emit, Model, Request
from tdgen.types import Usage, digest

_NUMBER = re.compile(r"(\d+)-.*\.(md|json)")
_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")
SHORTEST_SECRET = 6  # a shorter "key" is a placeholder, and a word of many texts
_LOOKS_LIKE_A_KEY = re.compile(r"\bsk-[A-Za-z0-9_*\-]{8,}|(?<=[Bb]earer )[A-Za-z0-9_.~+/=\-]{8,}")


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """`text` with the secrets, and whatever else looks like an API key, replaced by `[redacted]`."""
    for secret in secrets:
        if len(secret) >= SHORTEST_SECRET:
            text = text.replace(secret, "[redacted]")
    return _LOOKS_LIKE_A_KEY.sub("[redacted]", text)


class TranscribedModel:
    """A model whose conversations are written to a folder, numbered in the order they began.

    `secrets` are redacted, and everything that looks like a key. InputError where the folder can't be written.
    """

    def __init__(self, inner: Model, folder: str | Path, secrets: Iterable[str] = ()) -> None:
        self._inner = inner
        self._folder = Path(folder)
        self._secrets = tuple(secrets)
        self._lock = threading.Lock()
        try:
            if not self._folder.is_dir():
                self._folder.mkdir(parents=True, mode=0o700)
            # the highest number that an earlier transcript in this folder has used, 0 where there is none
            matches = (_NUMBER.fullmatch(path.name) for path in self._folder.iterdir())
            self._last = max((int(match[1]) for match in matches if match), default=0)
        except OSError as error:
            raise InputError(f"the transcript folder {folder} can't be used: {error.strerror}") from None

    def ask(self, request: Request) -> Answer:
        """Ask, and write down what was asked and what was said, or how it failed."""
        stem = self._begin(request)
        try:
            answer = self._inner.ask(request)
        except TdgenError as error:
            self._write(f"{stem}.md", f"\n## failed\n\n{type(error).__name__}: {error}\n")
            self._write(f"{stem}.json", _record(request, None, str(error)))
            raise
        usage = answer.usage
        facts = [f"model {answer.model or 'unknown'}", f"finish_reason {answer.finish_reason}"]
        facts += [f"{usage.prompt_tokens} + {usage.completion_tokens} tokens", f"{usage.seconds:.1f} s"]
        facts += ["replayed"] if answer.replayed else []
        self._write(f"{stem}.md", f"\n## answer ({', '.join(facts)})\n\n{answer.text}\n")
        self._write(f"{stem}.json", _record(request, answer, ""))
        return answer

    def _begin(self, request: Request) -> str:
        """Write the prompt to a file of its own, and give its name: others may write to the same folder just now."""
        parts = [request.purpose, request.subject, request.variant, str(request.attempt)]
        about = "-".join(_UNSAFE.sub("_", part)[:60] for part in parts if part)
        while True:
            with self._lock:
                self._last += 1
                stem = f"{self._last:03d}-{about}"
            said = "".join(f"\n## {message.role}\n\n{message.content}\n" for message in request.messages)
            if self._write(f"{stem}.md", f"# {request.key}\n{said}", os.O_EXCL):
                return stem

    def _write(self, name: str, text: str, how: int = os.O_APPEND) -> bool:
        """Write to a file that only its owner can read; False where it must be new and is not."""
        path = self._folder / name
        safe = redact(text, self._secrets).encode("utf-8", "backslashreplace")
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | how, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(safe)
        except FileExistsError:
            return False
        except OSError as error:
            raise InputError(f"the transcript {path} can't be written: {error.strerror}") from None
        return True


def _record(request: Request, answer: Answer | None, failure: str) -> str:
    record = {
        "request": request.model_dump(mode="json"),
        "answer": answer.model_dump(mode="json") if answer else None,
        "failure": failure,
    }
    return json.dumps(record, indent=1) + "\n"


@dataclass(eq=False)
class ResumingModel:
    """A model whose answers are kept in a journal. `identity` says who answers: another model is another answer.

    Whoever closes the `ledger` waits for the answers that are on their way into the journal.
    """

    inner: Model
    journal: Answers
    identity: str = ""
    ledger: Ledger | None = None

    def ask(self, request: Request) -> Answer:
        """The kept answer, replayed at no cost, or the inner model's, which is then kept.

        BudgetSpent where the ledger is closed.
        """
        with self.ledger.asking(request.purpose, request.subject) if self.ledger else nullcontext():
            key = digest([self.identity, request.model_dump(mode="json", exclude={"items"})])
            kept = Answer.from_json(self.journal.get(key))
            if kept is not None:
                return kept.model_copy(update={"replayed": True, "usage": Usage()})
            answer = self.inner.ask(request)
            self.journal.put(key, answer.model_dump_json())
            return answer


OnText = Callable[[Request, int], None]


@dataclass(eq=False)
class AnnouncingModel:
    """A model whose requests and answers are emitted as events."""

    inner: Model
    emit: Emit
    clock: Callable[[], float] = time.monotonic

    def ask(self, request: Request) -> Answer:
        """Ask, with an event before and one after."""
        asked: dict[str, Any] = {"purpose": request.purpose, "subject": request.subject, "attempt": request.attempt}
        self.emit(ModelAsked(**asked))
        started = self.clock()
        try:
            answer = self.inner.ask(request)
        except Exception as error:
            self.emit(ModelFailed(**asked, error=type(error).__name__))
            raise
        seconds = self.clock() - started
        self.emit(ModelAnswered(**asked, usage=answer.usage, seconds=seconds, replayed=answer.replayed))
        return answer


def writing_announced(emit: Emit) -> OnText:
    """A hook for a streaming model: each call says how many characters of an answer are there."""

    def on_text(request: Request, characters: int) -> None:
        emit(ModelWrote(purpose=request.purpose, subject=request.subject, characters=characters))

    return on_text
