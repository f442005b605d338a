"""Tests of slugify."""

from typing import Any

import pytest

from slugs import slugify


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        # Examples of the instruction.
        # "Hello World" becomes hello-world
        pytest.param("Hello World", "hello-world", id="two_words"),
        # Further cases.
        # Nothing stays nothing.
        pytest.param("", "", id="empty"),
        pytest.param("a   b", "a-b", id="many_spaces"),
    ],
)
def test_slugify(title: str, expected: str) -> None:
    assert slugify(title) == expected


@pytest.mark.parametrize(
    ("title", "separator", "expected"),
    [
        pytest.param("a b", "_", "a_b", id="other_separator"),
        pytest.param("a b", "", "ab", id="empty_separator"),
    ],
)
def test_slugify_with_separator(title: str, separator: str, expected: str) -> None:
    assert slugify(title, separator=separator) == expected


@pytest.mark.parametrize(
    ("title", "match"),
    [
        pytest.param(5, r"not \w+", id="number"),
        pytest.param(None, None, id="nothing"),
    ],
)
def test_slugify_raises(title: Any, match: str | None) -> None:
    with pytest.raises(TypeError, match=match):
        slugify(title)
