"""Mechanical mending of a developer's answer: what needs no thought is put right without another model call.

Mended are fences and prose around the code, imports of what is in the module already, and standard-library imports
that are missing. What was meant must be plain; where it is not, the code is left as it is, for its author to mend.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tdgen.impl.context import DeveloperContext
from tdgen.impl.importing import with_imports, without_own_imports
from tdgen.source.edits import lines_of
from tdgen.source.syntax import parse, parses

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*\w*[ \t]*$")
_START = re.compile(r"^(?:import |from [\w.]+ import |def |async def |class |@|[A-Z_][A-Z0-9_]* *[:=])")
_DEFINITION = re.compile(r"^(?:def |async def |class )", re.MULTILINE)
_MOST_TRIES = 60


class Mend(NamedTuple):
    """The source as it is now, and a sentence for each thing that was done; none where it is as it was."""

    source: str
    done: tuple[str, ...]


def mended(code: str, brief: DeveloperContext) -> Mend:
    """A developer's code, or a whole answer, mended as far as that is plain; it may still be unusable.

    What was mended once is not mended again: the source that comes out goes through unchanged.
    """
    done: list[str] = []
    if not parses(code):
        found = _unwrapped(code)
        if found is None:
            return Mend(code, ())
        code = found
        done.append("what stood around the code was taken away")
    for mend in (without_own_imports, with_imports):
        better = mend(code, parse(code), brief)
        if better is not None and parses(better[0]):
            code = better[0]
            done.append(better[1])
    return Mend(code, tuple(done))


def _unwrapped(text: str) -> str | None:
    """The code between fences or stretches of prose: what is cut off stands at the margin and defines nothing."""
    lines = [line for line in lines_of(text) if not _FENCE.match(line)]
    starts = [place for place, line in enumerate(lines) if _START.match(line)]
    margins = [place for place, line in enumerate(lines) if line[:1].strip() and not _START.match(line)]
    ends = [len(lines), *reversed(margins)][:_MOST_TRIES]
    for start in starts[:10]:
        if _DEFINITION.search("\n".join(lines[:start])):
            return None
        for end in ends:
            code, rest = "\n".join(lines[start:end]) + "\n", "\n".join(lines[end:])
            if end > start and not _DEFINITION.search(rest) and _DEFINITION.search(code) and parses(code):
                return code
    return None
