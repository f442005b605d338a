"""Guesses of tokens: fair ones for accounts, high ones for limits."""

import pytest

from tdgen.models.costs import estimated_tokens, estimated_usage, most_prompt_tokens
from tdgen.protocols import Message
from tdgen.types import Usage


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2)])
def test_four_characters_are_a_token(text, tokens):
    """Rounded up."""
    assert estimated_tokens(text) == tokens


def test_a_calls_usage_is_guessed_from_its_texts(question):
    """All messages in, the answer out, one call."""
    assert estimated_usage(question(), "four", 2.5) == Usage(calls=1, prompt_tokens=4, completion_tokens=1, seconds=2.5)


def test_the_most_is_more_than_the_guess(question):
    """A limit must hold for dense text too: a Chinese character counts as a whole token."""
    text = "測試先行" * 100
    request = question(messages=(Message(role="user", content=text),))
    assert most_prompt_tokens(request) >= len(text) > estimated_usage(request, "").prompt_tokens


def test_a_schema_counts(question):
    """Servers put it into the prompt."""
    assert most_prompt_tokens(question(json_schema={"enum": ["x" * 300]})) >= most_prompt_tokens(question()) + 100
