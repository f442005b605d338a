"""What the models of settings have in common: frozen, closed, and one line for what can't be used.

How a setting that can't be used is spoken of: what is wrong with it, and what was probably meant.

What the models of settings have in common: frozen, no unknown fields, and a constructor that raises InputError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from tdgen.errors import InputError

GONE: Final = {
    "allow_net": "is gone: pass functions what they talk to, or test them against a server on 127.0.0.1 with"
    " --allow-loopback (allow_loopback = true)"
}
"""Settings of earlier versions, and what there is in their place."""


def reason(error: Mapping[str, Any]) -> str:
    """What one of a ValidationError's errors says, as the end of a line."""
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    said = str(error["msg"]).partition(", unable")[0].replace("Input should", "it should", 1)
    return f"{_short(error['input'])} is refused: {said}"


def refusal(error: Mapping[str, Any], label: str, known: Iterable[str]) -> str:
    """One of a ValidationError's errors in a line; `label` names the setting, `known` are those beside it."""
    if error["type"] == "extra_forbidden":
        if error["loc"][-1] in GONE:
            return f"{label} {GONE[error['loc'][-1]]}"
        return f"{label} is no setting of tdgen{nearest(str(error['loc'][-1]), known)}"
    if error["loc"][0] == "api_key":
        return f"{label} is no text"
    return f"{label}: {reason(error)}"


def nearest(name: str, known: Iterable[str]) -> str:
    """` (did you mean …?)` with the nearest of the known names, or nothing where none is near."""
    import difflib

    found = difflib.get_close_matches(name, list(known), n=1)
    return f" (did you mean {found[0]}?)" if found else ""


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


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
