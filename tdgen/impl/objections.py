"""A developer's objections: tests that contradict the user's words or the contract, named beside the code.

An objection counts where the words that it quotes stand in the instruction or the contract. It changes no test by
itself: the arbiter decides, and what nobody decides leaves the function undecided rather than red.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from tdgen.briefs import PromptContext
from tdgen.types import Objection

LONGEST_QUOTE = 500
_LINE = re.compile(r"^[\s>*_`#-]*OBJECTION\b[\s`*:]*(?P<case>\w+)[`*]*\s*:\s*(?P<quote>\S.*)$", re.MULTILINE)
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def find_objections(text: str, context: PromptContext, shown: Collection[str]) -> tuple[Objection, ...]:
    """The objections of an answer to tests that it was shown, one a test, each with words that do stand there."""
    found: dict[str, Objection] = {}
    for line in _LINE.finditer(_FENCE.sub("", text)):
        case, quote = line["case"], line["quote"].strip().strip("`*\"'“”").strip()[:LONGEST_QUOTE]
        if case in shown and quote and context.says(quote):
            found.setdefault(case, Objection(case=case, quote=quote))
    return tuple(found.values())
