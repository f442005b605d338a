"""What all types have in common: frozen, a digest; and contents of files, as text or as bytes."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, PlainSerializer


class Frozen(BaseModel):
    """An immutable value; an unknown field is an error, never dropped in silence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some fields changed. What was computed of the original's fields and cached is left behind."""
        copied = super().model_copy(update=update, deep=deep)
        for name in vars(copied).keys() - type(self).model_fields.keys():
            del vars(copied)[name]
        return copied

    @classmethod
    def from_json(cls, text: str | bytes | None) -> Self | None:
        """The value that was kept as this JSON; None where there is no text, or none of today's shape."""
        try:
            return cls.model_validate_json(text) if text is not None else None
        except ValueError:
            return None


def is_empty(value: Any) -> bool:
    """Whether a field that came later says nothing: keys and files, which lack it then, stay as they were."""
    return not value


def digest(content: Any) -> str:
    """The SHA-256 of `content` as canonical JSON, tagged with its algorithm: `sha256:<64 hex digits>`."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()


def content_of(data: bytes) -> str | bytes:
    """The text of `data`; `data` itself where it is no text: no UTF-8, or with a null, as grep has it."""
    try:
        return data if b"\0" in data else data.decode("utf-8")
    except UnicodeDecodeError:
        return data


def data_of(content: str | bytes) -> bytes:
    """The bytes of a content: of a text those of UTF-8."""
    return content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content


def _read(stored: Any) -> Any:
    """One form for what is the same, so that contents can be compared as they are."""
    if isinstance(stored, dict) and stored.keys() == {"base64"}:
        try:
            return content_of(base64.b64decode(stored["base64"], validate=True))
        except (binascii.Error, TypeError, ValueError):
            raise ValueError("its bytes are not base64") from None
    if isinstance(stored, str) and "\0" in stored:
        return data_of(stored)
    return content_of(stored) if isinstance(stored, bytes) else stored


def _written(content: str | bytes) -> str | dict[str, str]:
    return content if isinstance(content, str) else {"base64": base64.b64encode(content).decode("ascii")}


Content = Annotated[str | bytes, BeforeValidator(_read), PlainSerializer(_written)]
"""A text, or bytes where there is none; in JSON these are `{"base64": …}`."""
