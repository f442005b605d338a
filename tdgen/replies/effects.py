"""What must be observed of a call, out of the words in which models say it.

The test author's cases, its answers on single calls and the arbiter's rulings say it in one form.
"""

from __future__ import annotations

from typing import overload

from pydantic import BaseModel, ConfigDict, field_validator

from tdgen.source.syntax import literal_or
from tdgen.types import After, Check, Effects, Exits, Expectation, ExpectedException, Logged, Pattern, Tolerance, Value


class Reply(BaseModel):
    """A part of an answer; what it has beside its fields is not read."""

    model_config = ConfigDict(extra="ignore")


class NamedText(Reply):
    """A variable of the environment by its name."""

    name: str
    text: str


class BytesReply(Reply):
    """Bytes that are no text, as a Python literal."""

    bytes: str

    @field_validator("bytes")
    @classmethod
    def _is_literal(cls, source: str) -> str:
        _of_literal(source)
        return source


def _of_literal(source: str) -> bytes:
    """The bytes that a literal spells out; ValueError where it is none."""
    value = literal_or(source.strip())
    if not isinstance(value, bytes):
        raise ValueError("bytes are a literal such as b'\\x89PNG'")
    return value


@overload
def content(reply: str | BytesReply) -> str | bytes: ...
@overload
def content(reply: None) -> None: ...
def content(reply: str | BytesReply | None) -> str | bytes | None:
    """What a file or a stream holds, in the domain's words."""
    return _of_literal(reply.bytes) if isinstance(reply, BytesReply) else reply


class FileReply(Reply):
    """A file by its path, and the text or the bytes that it holds."""

    name: str
    text: str | BytesReply


class FileAfter(Reply):
    """A file by its path, and what it holds afterwards; None where it must not be there."""

    name: str
    text: str | BytesReply | None


class AfterReply(Reply):
    """An expression after the call, and what it must be."""

    expression: str
    value: str


class LoggedReply(Reply):
    """A record that is logged."""

    logger: str
    level: str
    message: str


class PatternReply(Reply):
    """A regular expression that is found in what is printed."""

    match: str


class ObserveReply(Reply):
    """What must be observed beside what the call returns or raises."""

    stdout: str | PatternReply | None = None
    stderr: str | PatternReply | None = None
    files: list[FileAfter] = []
    logs: list[LoggedReply] | None = None
    after: list[AfterReply] = []

    def beside(self, expectation: Expectation) -> Effects:
        """All that must be observed."""
        logs = [
            Logged(logger=one.logger, level=one.level.strip().upper(), message=one.message) for one in self.logs or ()
        ]
        return Effects(
            expectation=expectation,
            stdout=Pattern(match=self.stdout.match) if isinstance(self.stdout, PatternReply) else self.stdout,
            stderr=Pattern(match=self.stderr.match) if isinstance(self.stderr, PatternReply) else self.stderr,
            files={file.name: content(file.text) for file in self.files},
            logs=None if self.logs is None else tuple(logs),
            after=tuple(After(expression=a.expression, source=a.value) for a in self.after),
        )


def expected(expect: str, value: str, *, match: str = "", relative: float = 0.0) -> Expectation:
    """The expectation of an answer's fields; whatever is of no other form is a value.

    `value` is the source of a value, an exception's name, a predicate or an exit code; `match` the pattern of a
    message, and `relative` how far off a float may be (0 or less: as tdgen has it).
    """
    source = value.strip()
    if expect == "exits" and source.isdecimal():
        return Exits(code=int(source))
    if expect == "raises":
        return ExpectedException(type=source, match=match)
    if expect == "check":
        return Check(source=source)
    return Value(source=source, tolerance=Tolerance(rel=relative) if relative > 0 else Tolerance())
