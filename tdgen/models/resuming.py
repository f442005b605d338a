"""What an unfinished run has paid for is not paid for again: its answers are kept, and replayed by the next run.

An answer is kept under the digest of the whole request (purpose, subject, attempt, sample, every message), so a
question that changed by a letter is asked anew. Whoever wants a second opinion on the same words asks for another
sample. The journal is for one unfinished run; whoever keeps it clears it when the run has ended.
"""

from __future__ import annotations

from contextlib import nullcontext

from pydantic import ValidationError

from tdgen.models.ledger import Ledger
from tdgen.protocols import Answer, Answers, Model, Request
from tdgen.types import Usage, digest


class ResumingModel:
    """A model whose answers are kept in a journal. `identity` says who answers: another model is another answer.

    Whoever closes the `ledger` waits for the answers that are on their way into the journal.
    """

    def __init__(self, inner: Model, journal: Answers, identity: str = "", ledger: Ledger | None = None) -> None:
        self._inner = inner
        self._journal = journal
        self._identity = identity
        self._ledger = ledger

    def ask(self, request: Request) -> Answer:
        """The kept answer, replayed at no cost, or the inner model's, which is then kept.

        BudgetSpent where the ledger is closed.
        """
        with self._ledger.asking(request.purpose, request.subject) if self._ledger else nullcontext():
            return self._answer(request)

    def _answer(self, request: Request) -> Answer:
        key = digest([self._identity, request.model_dump(mode="json")])
        kept = _read(self._journal.get(key))
        if kept is not None:
            return kept.model_copy(update={"replayed": True, "usage": Usage()})
        answer = self._inner.ask(request)
        self._journal.put(key, answer.model_dump_json())
        return answer


def _read(text: str | None) -> Answer | None:
    """A kept answer; None where there is none, or none that can be read (it is asked for again)."""
    if text is None:
        return None
    try:
        return Answer.model_validate_json(text)
    except ValidationError:
        return None
