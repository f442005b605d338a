"""Tests of double_later: Does as its cases say."""

import asyncio

import pytest

from later import double_later


def test_double_later_small():
    assert asyncio.run(double_later(2)) == 4


def test_double_later_text():
    with pytest.raises(TypeError):
        asyncio.run(double_later("a"))
