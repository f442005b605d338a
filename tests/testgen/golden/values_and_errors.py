"""Tests of slugify: Turn a title into the part of an address that names it."""

import pytest

from slugs import slugify


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        # The user's own examples.
        # "Hello World" becomes hello-world
        pytest.param("Hello World", "hello-world", id="two_words"),
        # Beyond what the user wrote.
        # Nothing stays nothing.
        pytest.param("", "", id="empty"),
        # Revised: the instruction says that spaces in a row count once.
        pytest.param("a   b", "a-b", id="many_spaces"),
    ],
)
def test_slugify(title, expected):
    assert slugify(title) == expected


@pytest.mark.parametrize(
    ("title", "separator", "expected"),
    [
        pytest.param("a b", "_", "a_b", id="other_separator"),
        pytest.param("a b", "", "ab", id="empty_separator"),
    ],
)
def test_slugify_with_separator(title, separator, expected):
    assert slugify(title, separator=separator) == expected


@pytest.mark.parametrize(
    ("title", "match"),
    [
        pytest.param(5, r"not \w+", id="number"),
        pytest.param(None, None, id="nothing"),
    ],
)
def test_slugify_raises(title, match):
    with pytest.raises(TypeError, match=match):
        slugify(title)
