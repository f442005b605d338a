"""The base of all domain types: frozen, strict about unknown fields, hashable by content."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """An immutable value; an unknown field is an error, never dropped in silence."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def digest(content: Any) -> str:
    """The SHA-256 of `content` as canonical JSON, tagged with its algorithm: `sha256:<64 hex digits>`."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()
