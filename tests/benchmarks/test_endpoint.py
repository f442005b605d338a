"""The endpoint speaks as OpenAI's does, also to those who ask nonsense."""

import http.client
import json
from urllib.parse import urlsplit

import pytest
from simulated.endpoint import MODEL, Endpoint

from tdgen.endpoint.openai import OpenAIModel
from tdgen.protocols import Message, Request
from tdgen.settings import Settings


@pytest.fixture
def endpoint():
    """An endpoint that answers with the last message, in capitals."""
    with Endpoint(lambda body: body["messages"][-1]["content"].upper()) as made:
        yield made


def posted(endpoint, path, body):
    """The status and the JSON of what is answered to a POST."""
    connection = http.client.HTTPConnection(urlsplit(endpoint.url).netloc, timeout=20)
    connection.request("POST", path, body=body)
    response = connection.getresponse()
    status, content = response.status, json.loads(response.read())
    connection.close()
    return status, content


def test_tdgens_own_client_gets_a_streamed_answer_and_what_it_cost(endpoint):
    """Through the openai package, in the first dialect it tries."""
    settings = Settings(base_url=endpoint.url, api_key="none", model=MODEL)
    model = OpenAIModel(settings)
    answer = model.ask(Request(purpose="implement", messages=(Message(role="user", content="hello"),)))
    model.close()
    assert (answer.text, answer.finish_reason, answer.model) == ("HELLO", "stop", MODEL)
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (2, 2)
    assert len(endpoint.asked) == 1


def test_a_question_that_is_not_streamed_is_answered_whole(endpoint):
    """One JSON document."""
    body = json.dumps({"model": MODEL, "messages": [{"role": "user", "content": "hi"}]})
    status, content = posted(endpoint, "/v1/chat/completions", body)
    assert status == 200
    assert content["choices"][0]["message"]["content"] == "HI"


def test_it_lists_its_model(endpoint):
    """As a client asks that looks for a name."""
    connection = http.client.HTTPConnection(urlsplit(endpoint.url).netloc, timeout=20)
    connection.request("GET", "/v1/models")
    content = json.loads(connection.getresponse().read())
    connection.close()
    assert [model["id"] for model in content["data"]] == [MODEL]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/v1/chat/completions", "no json", 400),
        ("/v1/chat/completions", "[]", 400),
        ("/v1/chat/completions", "{}", 400),
        ("/v1/chat/completions", '{"messages": ["hi"]}', 400),
        ("/v1/embeddings", "{}", 404),
    ],
)
def test_nonsense_is_refused_in_words(endpoint, path, body, status):
    """With the error object that clients read."""
    found, content = posted(endpoint, path, body)
    assert found == status
    assert content["error"]["message"]
