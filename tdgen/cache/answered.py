"""What users answered to open questions, under the key of the instruction that left them open."""

from __future__ import annotations

from pydantic import ValidationError

from tdgen.protocols import Store
from tdgen.types import Example, Frozen

_PLACE = "answers/"


class Said(Frozen):
    """A user's answers: as examples, which are pinned, and as remarks in words."""

    answers: tuple[Example, ...] = ()
    remarks: tuple[str, ...] = ()


class Answered:
    """Answers in a store, so that nobody is asked twice."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, key: str) -> Said:
        """What was said to the instruction of that key; nothing where nobody was asked, or it can't be read."""
        text = self._store.get(_PLACE + key)
        try:
            return Said.model_validate_json(text) if text is not None else Said()
        except ValidationError:
            return Said()

    def put(self, key: str, said: Said) -> None:
        """Keep it; StoreError where the store can't."""
        self._store.put(_PLACE + key, said.model_dump_json())
