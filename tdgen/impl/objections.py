"""A developer's objections: tests that contradict the user's words or the contract, named beside the code.

An objection counts where the words that it quotes stand in the instruction or the contract; one to what was planned
(the contract, that of a called function, an assumption) only where they are the user's. It changes no test by itself:
the arbiter decides, and what nobody decides leaves the function undecided rather than red.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from tdgen.prompts.context import PromptContext
from tdgen.types import OF_ASSUMPTION, OF_CONTRACT, OF_DEPENDENCY, Objection

LONGEST_QUOTE, LONGEST_REASON = 500, 400
_LINE = re.compile(
    r"^[\s>*_`#-]*OBJECTION\b[\s`*:]*(?:contract of [`*]*)?(?P<case>\w+)[`*]*\s*:[ \t*]*(?P<said>\S.*)$", re.MULTILINE
)
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_CLOSING = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "`": "`"}


def find_objections(text: str, context: PromptContext, shown: Collection[str]) -> tuple[Objection, ...]:
    """The objections of an answer to tests that it was shown, one a test, each with words that do stand there.

    One to the contract has `OF_CONTRACT` in place of a test's name, one to a called function's contract that name after
    `OF_DEPENDENCY`, and one to an assumption `OF_ASSUMPTION`.
    """
    planned = {OF_CONTRACT: OF_CONTRACT, OF_ASSUMPTION: OF_ASSUMPTION, f"{OF_ASSUMPTION}s": OF_ASSUMPTION}
    planned |= {name: f"{OF_DEPENDENCY}{name}" for name in context.spec.dependencies}
    found: dict[str, Objection] = {}
    for line in _LINE.finditer(_FENCE.sub("", text)):
        named = line["case"]
        stands = context.says if named in shown else context.is_of_user
        case = named if named in shown else planned.get(named, "")
        for quote, reason in _readings(line["said"].strip()) if case and case not in found else ():
            if stands(quote):
                found[case] = Objection(case=case, quote=quote[:LONGEST_QUOTE], reason=reason[:LONGEST_REASON])
                break
    return tuple(found.values())


def _readings(said: str) -> Iterator[tuple[str, str]]:
    """What may be the quote, the longest first, with the reason after it: a quote may hold quotation marks itself."""
    closing = _CLOSING.get(said[0])
    is_quoted = closing is not None and said.rstrip(".*_ ").endswith(closing) and said.count(closing) > 1
    if not is_quoted:
        yield said, ""
    for end in (place for place in range(len(said) - 1, 0, -1) if said[place] == closing):
        if quote := said[1:end].strip():
            yield quote, said[end + 1 :].strip(" \t*_.,;:–—-")
