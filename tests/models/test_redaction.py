"""Keys reach no eye."""

import pytest

from tdgen.models import redact


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
