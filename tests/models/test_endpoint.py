"""Keys reach no eye.

Which endpoint, which key, which model: only what the settings say.
"""

from __future__ import annotations

import pytest

from tdgen.errors import InputError, ModelError
from tdgen.models import OpenAIModel, check_configured, model_for, redact
from tdgen.models.endpoint import connect, is_openai, shown_url
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


@pytest.mark.parametrize(
    "given", [{"api_key": "k"}, {"base_url": "http://localhost:11434/v1"}, {"script": "demo.json"}]
)
def test_a_key_a_server_or_a_script_is_enough(given):
    """Any one of them."""
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
    assert [model_for(settings, purpose) for purpose in purposes] == ["p", "all", "d", "d", "all"]


def test_an_address_is_shown_without_secrets():
    """Neither password nor query nor key."""
    settings = Settings(base_url="http://user:pass@host:1/deep-secret/v1?key=x", api_key="deep-secret")
    assert shown_url(settings) == "http://host:1/[redacted]/v1"


def test_openai_itself_is_known():
    """By its host, whether named or by default."""
    assert is_openai(Settings())
    assert is_openai(Settings(base_url="https://api.openai.com/v1/"))
    assert not is_openai(Settings(base_url="http://localhost:11434/v1"))
