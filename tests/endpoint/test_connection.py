"""Keys reach no eye.

Which endpoint, which key, which model: only what the settings say.

A capabilities loses what a server refuses, one part at a time, and nothing else.

Connections live as long as their workplace: one client for an endpoint and key, which keeps what was learnt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tdgen.cache import Journal
from tdgen.endpoint.connection import (
    Capabilities,
    check_configured,
    connect,
    is_openai,
    shown_url,
    speaks_of_json,
)
from tdgen.endpoint.openai import OpenAIModel
from tdgen.errors import InputError, ModelError
from tdgen.models import Ledger, redact
from tdgen.protocols import Model
from tdgen.runtime import Runtime
from tdgen.settings import Settings


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("the key my-own-secret fails", "the key [redacted] fails"),
        ("Incorrect API key provided: sk-proj-abc123*******Xyz9.", "Incorrect API key provided: [redacted]."),
        ("Authorization: Bearer abcdef.123456", "Authorization: Bearer [redacted]"),
        ("risk-free task-oriented sk-8", "risk-free task-oriented sk-8"),
        ("the bearer of news", "the bearer of news"),
    ],
)
def test_secrets_and_what_looks_like_one_are_replaced(text, shown):
    """The given secrets word for word, others by their look; ordinary words stay."""
    assert redact(text, ["my-own-secret", "", "task"]) == shown


def test_nothing_configured_names_the_ways_out():
    """Before any work, in one line, wherever it is found first."""
    for check in (check_configured, OpenAIModel, connect):
        with pytest.raises(ModelError) as caught:
            check(Settings())
        for way in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "http://localhost:11434/v1", "--script", "tdgen demo"):
            assert way in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("given", [{"api_key": "k"}, {"base_url": "http://localhost:11434/v1"}])
def test_a_key_or_a_server_is_enough(given):
    """Either of them."""
    check_configured(Settings(**given))


@pytest.mark.parametrize("url", ["localhost:11434", "ftp://x/v1", "http://", "http://[x/v1", "http://h:port/v1", "v1"])
def test_an_address_that_is_none_is_refused(url):
    """With an example of one."""
    with pytest.raises(InputError, match=r"^base_url: it is no address: one looks like http"):
        Settings(base_url=url)


@pytest.mark.parametrize("key", ["two\nlines", "ключ", "with space"])
def test_a_broken_key_is_refused_unseen(key):
    """Such characters come from copying, and the line doesn't repeat them."""
    with pytest.raises(ModelError, match="copy it again") as caught:
        check_configured(Settings(api_key=key))
    assert key not in str(caught.value)


def test_the_environment_is_not_asked(monkeypatch: pytest.MonkeyPatch):
    """A key for one endpoint never goes to another because it happened to be in the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", "for-openai-only")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere/v1")
    with connect(Settings(base_url="http://localhost:1/v1", api_key="")) as client:
        assert client.api_key == "none"
    with connect(Settings(api_key="mine\n", base_url="")) as client:
        assert (str(client.base_url), client.api_key) == ("https://api.openai.com/v1/", "mine")


def test_each_role_has_its_model():
    """Its own, or the one for all."""
    settings = Settings(model="all", planner_model="p", developer_model="d")
    purposes = ("plan", "cases", "implement", "repair", "trial")
    assert [settings.model_for(purpose) for purpose in purposes] == ["p", "all", "d", "d", "all"]


def test_an_address_is_shown_without_secrets():
    """Neither password nor query nor key."""
    settings = Settings(base_url="http://user:pass@host:1/deep-secret/v1?key=x", api_key="deep-secret")
    assert shown_url(settings) == "http://host:1/[redacted]/v1"


def test_openai_itself_is_known():
    """By its host, whether named or by default."""
    assert is_openai(Settings())
    assert is_openai(Settings(base_url="https://api.openai.com/v1/"))
    assert not is_openai(Settings(base_url="http://localhost:11434/v1"))


FULL = Capabilities()


@pytest.fixture
def body(question):
    """The fullest request there is."""
    request = question(schema_name="plan", json_schema={"type": "object"})
    return FULL.body(request, "m", 0.5)


def test_the_full_dialect_asks_for_everything(body):
    """Schema, room, temperature, a stream with usage."""
    assert body == {
        "model": "m",
        "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello?"}],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_completion_tokens": 100,
        "temperature": 0.5,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "plan", "schema": {"type": "object"}, "strict": False},
        },
    }


def test_free_text_asks_for_no_form(question):
    """And no temperature is sent where none is set."""
    assert FULL.body(question(), "m", None).keys() & {"response_format", "temperature"} == set()


def test_half_characters_are_not_sent(question):
    """UTF-8 can't carry them."""
    message = {"role": "user", "content": "a\ud800b"}
    assert FULL.body(question(messages=(message,)), "m", None)["messages"][0]["content"] == "a?b"


@pytest.mark.parametrize(
    ("refusal", "simpler"),
    [
        ("Invalid parameter: 'response_format' of type 'json_schema' is not supported", {"rung": "json_object"}),
        ("Invalid schema for response_format 'plan': In context=()", {"rung": "json_object"}),
        ("Failed to parse grammar", {"rung": "json_object"}),
        ("Extra inputs are not permitted", {"rung": "json_object"}),
        ("Unsupported value: 'temperature' does not support 0.5 with this model.", {"temperature": False}),
        ("Unrecognized request argument supplied: stream_options", {"stream_options": False}),
        ("Unsupported parameter: 'max_completion_tokens'. Use 'max_tokens' instead.", {"room_names": ("max_tokens",)}),
        ("max_tokens is too large: 8192. This model supports at most 4096", {"room_names": ()}),
        ("This model's maximum context length is 4096 tokens. However, you requested 9000", {"room_names": ()}),
    ],
)
def test_what_is_refused_is_left_out(refusal, simpler, body):
    """The part that the server's words name, whoever's words they are."""
    assert FULL.simpler(refusal, body) == replace(FULL, **simpler)


@pytest.mark.parametrize("refusal", ["messages: Input should be a valid list", "the prompt is naughty", ""])
def test_other_refusals_teach_nothing(refusal, body):
    """They are errors."""
    assert FULL.simpler(refusal, body) is None


def test_what_was_not_sent_is_not_left_out(question):
    """A refusal that speaks of it can't mean us."""
    bare = Capabilities("text", (), temperature=False, stream_options=False)
    body = bare.body(question(json_schema={}), "m", 0.5)
    assert body.keys() == {"model", "messages", "stream"}
    for word in ("response_format", "temperature", "max_tokens", "stream_options", "unsupported"):
        assert bare.simpler(word, body) is None


def test_every_way_down_has_an_end(question):
    """However a server repeats itself, the capabilities gets simpler until nothing is left."""
    refusals = ["response_format temperature max_tokens max_completion_tokens stream_options unsupported"]
    capabilities, steps = FULL, 0
    request = question(json_schema={"type": "object"})
    while (simpler := capabilities.simpler(refusals[0], capabilities.body(request, "m", 0.5))) is not None:
        capabilities, steps = simpler, steps + 1
    assert capabilities == Capabilities("text", (), temperature=False, stream_options=False)
    assert steps == 6


def test_words_about_the_form_of_answers_are_known():
    """They count even where a server calls its refusal an internal error."""
    assert speaks_of_json("failed to compile JSON Schema")
    assert not speaks_of_json("out of memory")


class TestOpenAIsOwn:
    """It enforces a schema, and caches prompts that begin alike."""

    TOLD = "\n\nAnswer as this schema says: {}"

    def body(self, question, capabilities, **more):
        messages = ({"role": "system", "content": "Test."}, {"role": "user", "content": f"Do it.{self.TOLD}"})
        request = question(messages=messages, json_schema={"type": "object"}, schema_told=self.TOLD, **more)
        return capabilities.body(request, "m", None)

    def test_is_sent_the_schema_once(self, question):
        """In the form that it enforces, not in the prompt."""
        body = self.body(question, Capabilities(is_openai=True))
        assert body["messages"][1]["content"] == "Do it."
        assert body["response_format"]["type"] == "json_schema"

    def test_is_sent_a_schema_of_which_every_property_is_required(self, question):
        """At every depth: it takes no other as strict. Others may leave out what says nothing."""
        part = {"type": "object", "properties": {"size": {"type": "integer"}}, "required": []}
        whole = {"type": "object", "properties": {"parts": {"type": "array", "items": part}}, "required": []}
        sent = [
            capabilities.body(question(json_schema=whole), "m", None)["response_format"]["json_schema"]
            for capabilities in (Capabilities(is_openai=True), Capabilities())
        ]
        required = [(s["schema"]["required"], s["schema"]["properties"]["parts"]["items"]["required"]) for s in sent]
        assert required == [(["parts"], ["size"]), ([], [])]
        assert [s["strict"] for s in sent] == [True, False]

    def test_is_sent_the_schema_in_the_prompt_where_it_does_not_take_the_form(self, question):
        """So are all other servers: some take the form and do not hold to it."""
        for capabilities in (Capabilities(is_openai=True, rung="json_object"), Capabilities()):
            assert self.body(question, capabilities)["messages"][1]["content"].endswith(self.TOLD)

    def test_is_told_which_prompts_begin_alike(self, question):
        """By a key of what the system says, which is the same for all functions."""
        one, other = (self.body(question, Capabilities(is_openai=True), subject=name) for name in ("f", "g"))
        assert one["prompt_cache_key"] == other["prompt_cache_key"]
        assert "prompt_cache_key" not in self.body(question, Capabilities())


SCHEMA = {"json_schema": {"type": "object"}, "schema_name": "x"}


@pytest.fixture
def workplace(chat: Any, tmp_path: Path) -> Iterator[Runtime]:
    """A workplace on the endpoint; no sandbox is opened."""
    made = Runtime(chat.settings(cache_dir=str(tmp_path)))
    vars(made).update(sandbox=None, oracle=None)
    yield made
    made.close()


@pytest.fixture
def solve(workplace: Runtime) -> Iterator[Callable[..., Model]]:
    """The model of another solve, under changed settings if so wished."""
    journals: list[Journal] = []

    def begin(**changes: Any) -> Model:
        settings = workplace.settings.changed(**changes)
        journals.append(Journal.open(workplace.folder, f"sha256:{len(journals):064}"))
        return workplace.tools(journals[-1], Ledger(settings.budget), lambda event: None, settings).model

    yield begin
    for journal in journals:
        journal.close()


@pytest.fixture
def clients(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The openai clients that are made."""
    import tdgen.endpoint.connection as module

    made: list[Any] = []
    connect = module.connect
    monkeypatch.setattr(module, "connect", lambda settings: made.append(connect(settings)) or made[-1])
    return made


def test_what_one_solve_learnt_the_next_one_knows(solve: Callable[..., Model], chat: Any, question: Any) -> None:
    """The refusal of the JSON schema is paid for once."""
    chat.will(chat.refused(400, "json_schema is unknown"), chat.said("{}"))
    solve().ask(question(**SCHEMA))
    solve(timeout=9.0).ask(question(**SCHEMA))
    formats = [body["response_format"]["type"] for body in chat.bodies]
    assert formats == ["json_schema", "json_object", "json_object"]


def test_solves_share_a_client(
    solve: Callable[..., Model], chat: Any, question: Any, clients: list[Any], workplace: Runtime
) -> None:
    """It is closed with the workplace; another key has a client of its own."""
    chat.will(chat.said("{}"))
    solve().ask(question())
    solve(trust="quick").ask(question())
    assert len(clients) == 1
    solve(api_key="another-key-4712").ask(question())
    assert len(clients) == 2
    workplace.close()
    assert all(client.is_closed() for client in clients)
