"""How many tokens a text may be, guessed from its length: a fair guess for accounts, a high one for limits.

No tokenizer is asked: each model has its own, and a limit must hold before any of them answers.
"""

from __future__ import annotations

import json

from tdgen.protocols import Request
from tdgen.types import Usage

CHARACTERS_A_TOKEN = 4
WORST_BYTES_A_TOKEN = 3
WORST_TOKENS_A_MESSAGE = 8


def estimated_tokens(text: str) -> int:
    """About how many tokens `text` is: one for four characters, rounded up."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


def estimated_usage(request: Request, text: str, seconds: float = 0.0) -> Usage:
    """What a call that was answered with `text` cost, where the endpoint doesn't say."""
    prompt = sum(estimated_tokens(message.content) for message in request.messages)
    return Usage(calls=1, prompt_tokens=prompt, completion_tokens=estimated_tokens(text), seconds=seconds)


def most_prompt_tokens(request: Request) -> int:
    """How many tokens the prompt is at most: one for three bytes of UTF-8 (a character of Chinese is one token)."""
    schema = json.dumps(request.json_schema) if request.json_schema else ""
    texts = [schema, *(message.content for message in request.messages)]
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    return -(-size // WORST_BYTES_A_TOKEN) + WORST_TOKENS_A_MESSAGE * len(request.messages)
