"""The instruction as text: what may be one, and the form in which two of them are the same."""

from __future__ import annotations

import re
import unicodedata

from tdgen.errors import InputError
from tdgen.types import Instruction

MAX_CHARACTERS = 100_000

# What must stay as it is written: fenced code, inline code, doctest lines, and quoted text on one line.
_VERBATIM = re.compile(
    r"""(```.*?```|~~~.*?~~~|`[^`\n]+`|^[ \t]*(?:>>>|\.\.\.)[^\n]*$|"[^"\n]*"|(?<!\w)'[^'\n]*'(?!\w))""",
    re.DOTALL | re.MULTILINE,
)


def read_instruction(text: str) -> Instruction:
    """The instruction in `text`; InputError where it is blank, binary or too long to be one."""
    if not text.strip():
        raise InputError("the instruction is empty: say in a sentence or more what the functions should do")
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"the instruction has {len(text):,} characters, at most {MAX_CHARACTERS:,} can be planned at once: "
            "split it, or point to one part of it"
        )
    strange = next((c for c in text if unicodedata.category(c) in ("Cc", "Cs") and c not in "\t\n\r\f"), None)
    if strange is not None:
        raise InputError(f"the instruction is not text: it holds the character U+{ord(strange):04X}")
    return Instruction(text=text, normalised=normalise(text))


def normalise(text: str) -> str:
    """`text` with white space folded and Unicode composed, except in code and quotes, where each character counts."""
    pieces = _VERBATIM.split(text.replace("\r\n", "\n").strip())
    folded = [piece if index % 2 else _fold(piece) for index, piece in enumerate(pieces)]
    return "".join(folded).strip()


def _fold(prose: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", prose))
