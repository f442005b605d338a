"""Where live models answer: an endpoint, whose back end is found by the scheme of its address."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tdgen.extensions import MODELS, part
from tdgen.models.costs import Prices
from tdgen.models.retrying import WokenBy
from tdgen.models.transcript import OnText
from tdgen.protocols import Model
from tdgen.settings import Settings


class Endpoint(Protocol):
    """A back end for addresses of one scheme. It is closed by whoever opened it; safe to use from several threads."""

    def check(self, settings: Settings) -> None:
        """ModelError, naming the ways out, where nobody could be asked: before any work."""

    def prices(self, settings: Settings) -> Prices:
        """What the settings' models cost there."""

    def names(self, settings: Settings) -> tuple[str, ...]:
        """The models that the endpoint says it has, sorted; ModelError where it does not answer."""

    def model(
        self, settings: Settings, *, on_text: OnText, remaining: Callable[[], float | None], woken_by: WokenBy
    ) -> Model:
        """What asks there.

        `on_text` hears how many characters of an answer are there, `remaining` gives the seconds left for all work, and
        `woken_by` has a function called where the run ends meanwhile: what is being read is hung up on then.
        """

    def close(self) -> None:
        """Close what is open; asking again opens it anew. Closing twice is allowed."""


def scheme_of(settings: Settings) -> str:
    """What an endpoint's back end is found by: recorded answers, where there are any, else the address, or OpenAI's."""
    return "script" if settings.script else settings.base_url.partition(":")[0].lower() or "https"


def open_endpoint(scheme: str) -> Endpoint:
    """The back end for addresses of that scheme; InputError where no installed package has one."""
    endpoint: Endpoint = part(scheme, MODELS)()
    return endpoint
