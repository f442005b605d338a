"""Tests of count_letters."""

import pytest

from letters import count_letters


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("é", 1, id="composed"),
        pytest.param("e\u0301", 2, id="decomposed"),
        pytest.param("\xa0\u200b", 2, id="blanks"),
        pytest.param(r"é", 2, id="raw"),
        pytest.param("🎉", 1, id="party"),
    ],
)
def test_count_letters(text: str, expected: int) -> None:
    assert count_letters(text) == expected


# It prints 'é'.
def test_count_letters_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert count_letters("e\u0301") == 2

    assert capsys.readouterr().out == "e\u0301\n"
