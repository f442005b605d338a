"""The container that a sandbox runs in now: started when first needed, replaced when it has ended."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from tdgen.errors import SandboxError
from tdgen.sandbox.docker.container import Container
from tdgen.sandbox.docker.server import DockerServer
from tdgen.sandbox.server import Plan, ServerLost


class Containers:
    """One container at a time, which `make` starts with a client of docker. Safe to use from several threads."""

    def __init__(self, client: Any, make: Callable[[Any], Container]) -> None:
        self._client, self._make = client, make
        self._lock = threading.Lock()
        self._current: Container | None = None
        self._closed = False
        self.last_death = ""

    def current(self) -> Container:
        """The one that runs. SandboxError where none can be started, or after `close`."""
        with self._lock:
            if self._closed:
                raise SandboxError("the sandbox was closed: open another one")
            if self._current is None:
                self._current = self._make(self._client)
            return self._current

    def start(self, plan: Plan) -> DockerServer:
        """A server for `plan`, in the container that the plan was made for. ServerLost where that has ended."""
        container = self.current()
        if container.id != plan.place:
            raise ServerLost("another container runs by now")
        return DockerServer(container, plan)

    def forget_if_ended(self) -> None:
        """Have the next job start a new one where the current one has ended; `last_death` then tells how."""
        with self._lock:
            if self._current is not None and self._current.has_ended():
                self.last_death = self._current.death()
                self._current.end()
                self._current = None

    def close(self) -> None:
        """Kill the container and hang up on docker. Closing twice is allowed."""
        with self._lock:
            self._closed = True
            if self._current is not None:
                self._current.end()
                self._current = None
            self._client.close()
