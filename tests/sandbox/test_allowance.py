"""What reading a frame will take is known before it is read, whatever the frame is made of."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest

from tdgen.sandbox.allowance import WHOLE, Allowance

COUNT = 20_000
FRAMES: dict[str, Any] = {
    "empty lists": [[]] * COUNT,
    "tables of one item": [{"": 0}] * COUNT,
    "tables of different items": [{f"key {n}": n} for n in range(COUNT)],
    "nested lists": [[[[n]]] for n in range(COUNT)],
    "tagged values": [{"$": "tuple", "items": [n]} for n in range(COUNT)],
    "short texts": [f"text {n}" for n in range(COUNT)],
    "numbers": [n + 0.5 for n in range(COUNT)],
    "one text": "x" * 10 * COUNT,
}


@pytest.mark.parametrize("name", FRAMES)
def test_a_frame_costs_about_what_it_takes(name: str) -> None:
    """Never much less, so that nothing gets by; not many times as much, so that nothing is refused for nothing."""
    body = json.dumps(FRAMES[name], separators=(",", ":")).encode()
    tracemalloc.start()
    try:
        held = json.loads(body)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held
    assert 0.6 * taken < Allowance().cost(body) < 5 * taken


@pytest.mark.parametrize("text", ["," * 100_000, '"[{:' * 20_000, "\\" * 50_000, '\\"' * 30_000, '"'])
def test_what_stands_in_a_text_is_only_text(text: str) -> None:
    """Commas, brackets, quotes and backslashes there make no values."""
    body = json.dumps([text]).encode()
    assert Allowance().cost(body) < len(body) + 1000


@pytest.mark.parametrize("item", [b"[],", b'{"":0},', b'"",', b"1,"])
def test_the_largest_frames_of_many_small_values_are_refused(item: bytes) -> None:
    """Each of them would take more than a whole job may."""
    assert Allowance().cost(b"[" + item * (8_000_000 // len(item)) + b"0]") > WHOLE
