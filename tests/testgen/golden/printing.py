"""Tests of greet: Does as its cases say."""

from greetings import greet


def test_greet_by_name(capsys):
    assert greet("Ada") is None

    assert capsys.readouterr().out == "Hello, Ada!\n"


# Without a name no comma.
def test_greet_nobody(capsys):
    assert greet("") is None

    assert capsys.readouterr().out == "Hello!\n"
