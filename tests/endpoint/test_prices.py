"""What a model costs is known by name and address, or it is not known; nothing is fetched."""

import subprocess
import sys

import pytest

from tdgen.endpoint.prices import price_of, prices_of
from tdgen.errors import InputError
from tdgen.models import check_priced, unpriced
from tdgen.settings import Settings


@pytest.mark.parametrize(
    ("model", "url"),
    [
        ("gpt-5-mini", ""),
        ("gpt-5-mini-2025-08-07", "https://api.openai.com/v1"),
        ("openai/gpt-5-mini", "https://openrouter.ai/api/v1"),
        ("gpt-5-mini", "https://gateway.example.com/v1"),
    ],
)
def test_a_known_model_has_a_price(model, url):
    """At its provider, at another that has it, and behind a gateway that the lists don't have."""
    assert price_of(model, url).cost(1000, 1000) > 0


@pytest.mark.parametrize(
    ("model", "url"),
    [
        ("qwen3-coder", "http://localhost:11434/v1"),
        ("gpt-5-mini", "http://localhost:11434/v1"),
        ("gpt-5-mini", "http://127.0.0.1:8000/v1"),
        ("gpt-5-mini", "http://192.168.1.20/v1"),
        ("gpt-5-mini", "http://[::1]:8000/v1"),
        ("gpt-5-mini", "http://gpu-box:8000/v1"),
        ("gpt-5-mini", "http://host.docker.internal:11434/v1"),
        ("no-such-model", ""),
        ("gpt-5-mini", "https://api.deepseek.com"),
        ("sonar", "https://api.perplexity.ai"),
    ],
)
def test_what_nobody_knows_has_none(model, url):
    """One's own machines, names that no list has, a model at another's, and a price that is not by tokens alone."""
    assert price_of(model, url) is None


def test_words_out_cost_more_than_words_in():
    """And a million costs a million times as much."""
    price = price_of("gpt-5-mini")
    assert price.cost(0, 1000) > price.cost(1000, 0) > 0
    assert price.cost(1_000_000, 0) == pytest.approx(1000 * price.cost(1000, 0))


def test_what_was_cached_costs_less():
    """As the endpoint counts it, and never more than the prompt was long."""
    price = price_of("gpt-5-mini")
    assert 0 < price.cost(1000, 0, 800) < price.cost(1000, 0)
    assert price.cost(1000, 0, 5000) == price.cost(1000, 0, 1000)


def test_the_room_is_the_most_that_the_money_pays_for():
    """One token more would be too dear."""
    price = price_of("gpt-5-mini")
    room = price.room(0.01, 2000, 100_000)
    assert price.cost(2000, room) <= 0.01 < price.cost(2000, room + 1)
    assert price.room(1.0, 2000, 100) == 100
    assert price.room(0.0, 2000, 100) == -1


def test_a_tier_by_the_prompts_length_counts():
    """A long prompt makes every token dearer, and the room smaller."""
    price = price_of("gemini-2.5-pro", "https://generativelanguage.googleapis.com/v1beta/openai")
    assert price.cost(300_000, 0) > 2 * price.cost(150_000, 0)
    assert price.room(1.0, 300_000, 100_000) < price.room(1.0 - price.cost(150_000, 0), 150_000, 100_000)


def test_each_role_has_its_own_models_price():
    """One that is not known stays so beside the others."""
    prices = prices_of(Settings(model="gpt-5-mini", developer_model="no-such-model"))
    assert prices("plan").cost(1, 1) > 0
    assert prices("implement") is None


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"model": "qwen3-coder", "base_url": "http://localhost:11434/v1"}, "model qwen3-coder, so"),
        ({"trial_model": "no-such-model"}, "model no-such-model, so"),
    ],
)
def test_a_limit_that_can_not_hold_is_refused(settings, said):
    """In one line that says which model, and what to do."""
    chosen = Settings(**settings, budget={"money": 1})
    with pytest.raises(InputError, match=said) as caught:
        check_priced(chosen, prices_of(chosen))
    assert "--budget tokens=" in str(caught.value)


def test_without_a_limit_of_money_any_model_will_do():
    """And with one, models whose price is known."""
    check_priced(Settings(model="no-such-model"), unpriced)
    priced = Settings(model="gpt-5-mini", budget={"money": 1})
    check_priced(priced, prices_of(priced))


def test_the_lists_are_loaded_when_they_are_asked_for_and_nothing_is_fetched():
    """Importing tdgen's models does not load them; a price is looked up with the network forbidden."""
    program = """
import socket, sys
import tdgen.endpoint
assert "genai_prices" not in sys.modules
def forbidden(*args, **kwargs): raise AssertionError("network")
socket.socket.connect = socket.getaddrinfo = socket.create_connection = forbidden
from tdgen.endpoint.prices import price_of
import threading
assert price_of("gpt-5-mini").cost(10, 10) > 0
assert threading.active_count() == 1
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
