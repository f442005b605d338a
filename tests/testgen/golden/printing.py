"""Tests of greet."""

import pytest

from greetings import greet


def test_greet_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    greet("Ada")

    assert capsys.readouterr().out == "Hello, Ada!\n"


# Without a name no comma.
def test_greet_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    greet("")

    assert capsys.readouterr().out == "Hello!\n"
