"""An endpoint on loopback that behaves as told, and questions to it."""

from tests.models.conftest import (  # noqa: F401 - fixtures
    chat,
    closed_port,
    make_httpserver,
    question,
    raw_server,
    told,
)
