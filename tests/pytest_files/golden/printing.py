"""Tests of greet."""

import re
from typing import Any

import pytest

from greetings import greet


def test_greet_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    greet("Ada")

    assert capsys.readouterr().out == "Hello, Ada!\n"


# Without a name no comma.
def test_greet_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    greet("")

    assert capsys.readouterr().out == "Hello!\n"


def test_greet_somehow(capsys: pytest.CaptureFixture[str]) -> None:
    greet("Bo")

    assert re.search(r"\bBo\b", capsys.readouterr().out)


def test_greet_complaint(capsys: pytest.CaptureFixture[str]) -> None:
    name: Any = 7

    greet(name)

    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.search("7", printed.err)


def test_greet_names_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    printed: Any = 8

    greet(printed)

    printed_2 = capsys.readouterr()
    assert printed_2.out == ""
    assert printed_2.err == "8 is no name\n"


def test_greet_refused() -> None:
    raised: Any = None

    with pytest.raises(ValueError) as raised_2:
        greet(raised)

    assert str(raised_2.value) == "no name"
