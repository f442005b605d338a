"""A model's endpoint that fails, each way in one line with exit code 4 and a way out."""

import re
import socket

import pytest

pytestmark = pytest.mark.usefixtures("warm")

WAYS_OUT = (
    "tdgen: no model is configured: set OPENAI_API_KEY, or OPENAI_BASE_URL to a local server (Ollama: "
    "http://localhost:11434/v1), or give recorded answers by --script, or try `tdgen demo`\n"
)


@pytest.mark.parametrize("command", ["solve", "plan", "tests"])
def test_no_key_and_no_endpoint(tdgen, command: str):
    """Names every way out, before any work."""
    ran = tdgen(command, "add numbers")
    assert (ran.code, ran.out, ran.err) == (4, "", WAYS_OUT)


def test_a_wrong_key(tdgen, endpoint):
    """Says what to set; the key itself is not shown."""
    endpoint.will(401)
    ran = tdgen("solve", "add numbers")
    assert ran.code == 4
    assert (
        ran.last == f"tdgen: the endpoint {endpoint.url} refuses the key (401): check OPENAI_API_KEY or TDGEN_API_KEY"
    )


def test_an_unknown_model(tdgen, endpoint):
    """Says which ones there are."""
    endpoint.will(404)
    ran = tdgen("solve", "add numbers", "--model", "nobody")
    assert ran.code == 4
    assert ran.last == f"tdgen: the endpoint {endpoint.url} has no model nobody: set --model to one of known"


def test_an_endpoint_that_is_down(tdgen, monkeypatch: pytest.MonkeyPatch):
    """Says its address."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
    monkeypatch.setenv("TDGEN_RETRIES", "0")
    ran = tdgen("solve", "add numbers", "--base-url", url)
    assert ran.code == 4
    assert ran.last.startswith(f"tdgen: the endpoint {url} ")
    assert len(ran.err.splitlines()) == 2


@pytest.mark.parametrize("address", ["localhost:11434/v1", "script://answers.json"])
def test_a_mistyped_address_is_bad_usage(tdgen, address):
    """Nothing was reached, since there is nothing to reach; the address is not quoted, as it may hold a password."""
    ran = tdgen("solve", "double(n)", "--base-url", address)
    said = "tdgen: the option base_url: it is no address: one looks like http://localhost:11434/v1, and begins with "
    assert (ran.code, ran.last) == (2, f"{said}http or https")


def test_an_endpoint_that_hangs(tdgen, endpoint, monkeypatch: pytest.MonkeyPatch):
    """Is waited for as long as the user says."""
    endpoint.will(None)
    monkeypatch.setenv("TDGEN_RETRIES", "0")
    ran = tdgen("solve", "add numbers", "--timeout", "0.5")
    assert ran.code == 4
    assert "gave no sign of life for 0.5 s" in ran.last


def test_an_endpoint_that_is_always_busy(tdgen, endpoint, monkeypatch: pytest.MonkeyPatch):
    """Is asked a few times, which is told, and then no more."""
    endpoint.will(429)
    monkeypatch.setenv("TDGEN_RETRIES", "1")
    ran = tdgen("solve", "add numbers")
    assert ran.code == 4
    assert "asks for fewer requests (429); trying again in" in ran.err
    assert ran.last == (
        f"tdgen: the endpoint {endpoint.url} asks for fewer requests (429) (2 tries): lower --rpm or --concurrency, or "
        "wait a while"
    )


def test_a_spent_time_budget_ends_a_hanging_call(tdgen, endpoint):
    """The budget's seconds hold even where the endpoint never answers."""
    endpoint.will(None)
    ran = tdgen("solve", "add numbers", "--budget", "seconds=1")
    assert ran.code == 3
    assert re.search("the budget's time|the budget of 1 seconds", ran.last)  # before the call or during it


def test_the_key_is_never_told(tdgen, endpoint, monkeypatch: pytest.MonkeyPatch, one_function):
    """Neither on stdout nor on stderr, however much is told."""
    endpoint.will(one_function["plan"], one_function["cases"], one_function["implement"])
    ran = tdgen("solve", "double(n); double(4) is 8", "--verbose", "--trust", "quick", "--json")
    assert ran.code == 0
    assert "key-of-nobody" not in ran.out + ran.err
