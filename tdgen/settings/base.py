"""What the models of settings have in common: frozen, no unknown fields, and a constructor that raises InputError."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from tdgen.errors import InputError
from tdgen.settings.wording import refusal

Init = TypeVar("Init", bound=Callable[..., None])


def constructor(init: Init) -> Init:
    """Mark an `__init__` as one that only direct calls go through.

    pydantic would call it for `model_validate` too, whose callers want the ValidationError as it is.
    """
    init.__dict__["__pydantic_base_init__"] = True
    return init


class SettingsModel(BaseModel):
    """A frozen model; its constructor says in one line what can't be used, `model_validate` in pydantic's way."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    called: ClassVar[str] = ""
    """What messages put before a field's name."""

    @constructor
    def __init__(self, **given: Any) -> None:
        try:
            super().__init__(**given)
        except ValidationError as error:
            first = error.errors()[0]
            path = [part for part in first["loc"] if isinstance(part, str)]
            known = type(self).model_fields if len(path) == 1 else ()
            raise InputError(refusal(first, self.called + ".".join(path), known)) from None
