"""Keeping keys out of everything that is shown or written."""

from __future__ import annotations

import re
from collections.abc import Iterable

SHORTEST_SECRET = 6  # a shorter "key" is a placeholder, and a word of many texts
_LOOKS_LIKE_A_KEY = re.compile(r"\bsk-[A-Za-z0-9_*\-]{8,}|(?<=[Bb]earer )[A-Za-z0-9_.~+/=\-]{8,}")


def redact(text: str, secrets: Iterable[str] = ()) -> str:
    """`text` with the secrets, and whatever else looks like an API key, replaced by `[redacted]`."""
    for secret in secrets:
        if len(secret) >= SHORTEST_SECRET:
            text = text.replace(secret, "[redacted]")
    return _LOOKS_LIKE_A_KEY.sub("[redacted]", text)
