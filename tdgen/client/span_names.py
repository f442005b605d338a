"""The names that spans and their attributes have: those of OpenTelemetry's conventions for generative AI, and our own.

The conventions are still in development: a name that they change is changed here alone.
"""

from typing import Final

TRACER: Final = "tdgen"
RUN: Final = "tdgen run"
STEP: Final = "tdgen step"
CHAT: Final = "chat"
"""A span's name is followed by what it is about: a step's name, a model's."""

OPERATION: Final = "gen_ai.operation.name"
MODEL: Final = "gen_ai.request.model"
INPUT_TOKENS: Final = "gen_ai.usage.input_tokens"
CACHED_TOKENS: Final = "gen_ai.usage.cache_read.input_tokens"
OUTPUT_TOKENS: Final = "gen_ai.usage.output_tokens"
ERROR: Final = "error.type"

TRUST: Final = "tdgen.trust"
STEP_NAME: Final = "tdgen.step"
PURPOSE: Final = "tdgen.purpose"
SUBJECT: Final = "tdgen.subject"
ATTEMPT: Final = "tdgen.attempt"
REPLAYED: Final = "tdgen.replayed"
COST: Final = "tdgen.cost"
"""In US dollars."""
FUNCTIONS: Final = "tdgen.functions"
"""Followed by an outcome: how many functions ended so."""
