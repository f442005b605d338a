"""Can a test of the user's own stay as it is? Asked of the test author, who sees what changes and the test, no code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple

from tdgen.prompts import conversation
from tdgen.prompts.context import is_quoted
from tdgen.protocols import Model, Request
from tdgen.replies import Reply, ask_for


class DoubtedTest(NamedTuple):
    """A test by its id, with its source and what that needs, and the change that it may contradict.

    `asked` are the user's words, `before` and `after` are what users of the function see of it, `context` is what they
    see of its project.
    """

    id: str
    source: str
    asked: str
    before: str
    after: str
    context: str

    def request(self) -> Request:
        """What is asked about it."""
        about = {"asked": self.asked.strip(), "before": self.before, "after": self.after, "context": self.context}
        messages = conversation("tdgen.testgen", "revise", test=self.id, source=self.source, **about)
        return Request(purpose="cases", subject=self.id, variant="revise", messages=messages)


class RevisionReply(Reply):
    """What is said of a test; `test` is all of it as it is to be, where it is revised."""

    working: str = ""
    verdict: Literal["stands", "revised", "open"]
    line: str
    words: str
    test: str = ""


def ask_for_revision(model: Model, test: DoubtedTest, misfits: Callable[[str], Sequence[str]]) -> RevisionReply:
    """The author's word on a test; `misfits` says why a text can't take its place.

    ReplyError where the second answer can't be used either.
    """

    def wrong(reply: RevisionReply) -> Iterator[str]:
        if not (reply.words.strip() and is_quoted(reply.words, f"{test.asked}\n{test.after}")):
            yield "`words` do not stand in what the user asks for, nor in what the function's users see from now on"
        if not (reply.line.strip() and is_quoted(reply.line, test.source)):
            yield "`line` does not stand in the test"
        if reply.verdict == "revised":
            yield from misfits(reply.test)

    return ask_for(model, test.request(), RevisionReply, lambda reply: list(wrong(reply)))
