"""The way to one endpoint: one client with its open connections, and what is known of the endpoint by now.

Connections outlive a solve: to open a client for each costs a TLS handshake, and each would be refused anew what the
endpoint can't do.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from tdgen.closing import Closing
from tdgen.models.endpoint import connect, is_openai
from tdgen.models.fallback import ROOM_NAMES, Capabilities
from tdgen.settings import Settings

if TYPE_CHECKING:
    from openai import OpenAI


class Connection(Closing):
    """The connection to the endpoint of the settings, under their key. Safe to use from several threads.

    `reached` says whether the endpoint has ever answered.
    """

    def __init__(self, settings: Settings) -> None:
        self.reached = False
        self._settings = settings
        self._lock = threading.Lock()
        self._client: OpenAI | None = None
        self._capabilities: dict[str, Capabilities] = {}

    @property
    def client(self) -> OpenAI:
        """The one client, made when it is first needed."""
        with self._lock:
            if self._client is None:
                self._client = connect(self._settings)
            return self._client

    def capabilities(self, model: str) -> Capabilities:
        """What the endpoint is believed to understand for that model."""
        first = Capabilities(is_openai=True) if is_openai(self._settings) else Capabilities(room_names=ROOM_NAMES[::-1])
        with self._lock:
            return self._capabilities.setdefault(model, first)

    def learn(self, model: str, capabilities: Capabilities, simpler: Capabilities) -> None:
        """Remember the simpler capabilities, unless another thread has learnt something meanwhile."""
        with self._lock:
            if self._capabilities[model] == capabilities:
                self._capabilities[model] = simpler

    def close(self) -> None:
        """Close the client; the next request makes another one. What was learnt stays. Closing twice is allowed."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()


class Connections(Closing):
    """One connection for each endpoint and key."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[tuple[str, str], Connection] = {}

    def to(self, settings: Settings) -> Connection:
        """The connection to the endpoint of the settings, under their key."""
        known = (settings.base_url, settings.api_key.get_secret_value())
        with self._lock:
            return self._open.setdefault(known, Connection(settings))

    def close(self) -> None:
        """Close all clients. Closing twice is allowed."""
        with self._lock:
            connections = tuple(self._open.values())
        for connection in connections:
            connection.close()
