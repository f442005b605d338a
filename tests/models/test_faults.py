"""The doctor's question to an endpoint."""

import json

import pytest
from werkzeug import Response

from tdgen.errors import ModelError
from tdgen.models import probe
from tdgen.settings import Settings


def test_an_endpoint_lists_its_models(chat):
    """Sorted."""
    assert probe(chat.settings()) == ("a", "b")


def test_a_refused_key_is_told(chat):
    """As it would be for a question."""
    chat.models = chat.refused(401, f"Incorrect API key provided: {chat.key}")
    with pytest.raises(ModelError, match=r"refuses the key \(401\): check OPENAI_API_KEY or TDGEN_API_KEY$"):
        probe(chat.settings())


@pytest.mark.parametrize(
    "answer",
    [
        Response("<html>welcome</html>", content_type="text/html"),
        Response(json.dumps({"ok": True}), content_type="application/json"),
    ],
)
def test_something_else_at_that_address_is_told(answer, chat):
    """A web page, or some other service."""
    chat.models = answer
    with pytest.raises(ModelError, match="is the base URL right"):
        probe(chat.settings())


def test_a_closed_door_is_told(closed_port):
    """Nobody listens there."""
    with pytest.raises(ModelError, match=r"can't be reached .*is it running"):
        probe(Settings(base_url=f"http://127.0.0.1:{closed_port}/v1"))


def test_nothing_configured_is_told():
    """There is nobody to ask."""
    with pytest.raises(ModelError, match="no model is configured"):
        probe(Settings())
