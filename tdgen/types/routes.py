"""What two sides of a plan agree on: the requests that one sends and the other answers, as JSON schemas."""

from __future__ import annotations

from typing import Any

from tdgen.types.base import Frozen


class Answered(Frozen):
    """An answer by its status: the JSON schema of its body, empty where nothing is said of it."""

    status: int
    body: dict[str, Any] = {}


class Route(Frozen):
    """A request by method and path (`/books/{id}`), the JSON schema of what is sent, and how it is answered."""

    method: str
    path: str
    sent: dict[str, Any] = {}
    answers: tuple[Answered, ...] = ()
