"""Tests of double_later."""

import asyncio
from typing import Any

import pytest

from later import double_later


def test_double_later_small() -> None:
    assert asyncio.run(double_later(2)) == 4


def test_double_later_text() -> None:
    number: Any = "a"

    with pytest.raises(TypeError):
        asyncio.run(double_later(number))
