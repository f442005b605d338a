"""The OpenAI-compatible endpoint: a back end that is found by the scheme of its address, as others may be.

    connection    what the endpoint is capable of, and the client that all solves share
    openai        one streamed try, its errors as tdgen's own, and whether it answers at all
    streaming     an answer put together from its pieces, and hung up on
    prices        what its models cost

The `openai` package is loaded at the first question.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from tdgen.endpoint.connection import Connection, check_configured
from tdgen.endpoint.openai import OpenAIModel, probe
from tdgen.endpoint.prices import prices_of
from tdgen.models import Prices
from tdgen.models.retrying import WokenBy
from tdgen.models.transcript import OnText
from tdgen.protocols import Closing, Model
from tdgen.settings import Settings


@dataclass(eq=False)
class OpenAIEndpoint(Closing):
    """Endpoints that speak OpenAI's chat completions, with one connection for each address and key."""

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _open: dict[tuple[str, str], Connection] = field(default_factory=dict)

    def check(self, settings: Settings) -> None:
        """ModelError, naming the ways out, where nobody could be asked: no endpoint, no key, or a broken key."""
        check_configured(settings)

    def prices(self, settings: Settings) -> Prices:
        """What the settings' models cost there."""
        return prices_of(settings)

    def names(self, settings: Settings) -> tuple[str, ...]:
        """The models that the endpoint says it has; ModelError where it does not answer."""
        return probe(settings)

    def model(
        self, settings: Settings, *, on_text: OnText, remaining: Callable[[], float | None], woken_by: WokenBy
    ) -> Model:
        """What asks the endpoint of the settings, over the connection that all share who have its key."""
        known = settings.base_url, settings.api_key.get_secret_value()
        with self._lock:
            connection = self._open.setdefault(known, Connection(settings))
        return OpenAIModel(settings, connection, on_text=on_text, remaining=remaining, woken_by=woken_by)

    def close(self) -> None:
        """Close all clients; the next request makes another one. Closing twice is allowed."""
        with self._lock:
            connections = tuple(self._open.values())
        for connection in connections:
            connection.close()
