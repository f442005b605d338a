"""Which lines of code decide what the user worries about? Asked of who reads code and writes no tests."""

from __future__ import annotations

from typing import Final

from tdgen.prompts import conversation
from tdgen.protocols import Model, Request
from tdgen.replies import Reply, ask_for
from tdgen.source.syntax import lines_of

MOST: Final = 12
"""How many lines may be named: what concerns all of the code steers nothing. Not tuned."""


class ConcernReply(Reply):
    """The lines, counted from 1."""

    lines: list[int]
    why: str = ""


def concerned_lines(model: Model, function: str, source: str, concern: str) -> frozenset[int]:
    """The lines of a function's source at which a concern is decided, perhaps none.

    ReplyError where the second answer can't be used either.
    """
    rows = lines_of(source)
    code = "\n".join(f"{number:>4}  {line}" for number, line in enumerate(rows, start=1))
    messages = conversation("tdgen.impl", "concern", concern=concern, code=code, most=str(MOST))
    request = Request(purpose="trial", subject=function, variant="concern", messages=messages)

    def wrong(reply: ConcernReply) -> list[str]:
        beyond = [line for line in reply.lines if not 1 <= line <= len(rows)]
        lines = [f"the code has no line {beyond[0]}"] if beyond else []
        return lines + [f"more than {MOST} lines: name those that decide"] * (len(set(reply.lines)) > MOST)

    return frozenset(ask_for(model, request, ConcernReply, wrong).lines)
