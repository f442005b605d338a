"""Text made short enough for a prompt, its beginning and end kept, all of it visible, and the same from run to run."""

from __future__ import annotations

import re

from tdgen.visible import visible

LONGEST_TEXT = 400
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def cut(text: str, most: int = LONGEST_TEXT) -> str:
    """`text` in about `most` characters: no addresses, and as escapes control characters and what can't be seen."""
    kept = text if len(text) <= 4 * most else text[: 2 * most] + text[-2 * most :]  # whatever its size, little is read
    plain = _plain(kept)
    return plain if len(plain) <= most else f"{plain[: most // 2]} … {plain[-most // 2 :]}"


def _plain(text: str) -> str:
    escaped = _CONTROL.sub(lambda found: found.group().encode("unicode_escape").decode("ascii"), text)
    return visible(_ADDRESS.sub("", escaped))
