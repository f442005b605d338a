"""Tests as a prompt shows them."""

import pytest

from tdgen.project.root import find_project
from tdgen.project.shown_tests import ShownTests

TEST = '''import json

import pytest

from shop import prices

LIMIT = 3
UNUSED = 4


def amounts(n):
    return [LIMIT] * n


def others():
    return UNUSED


@pytest.mark.parametrize("n", [1, 2])
def test_sum(n, order):
    """The sum."""
    assert prices.gross(amounts(n)) == order


@pytest.mark.usefixtures("clean")
class TestBasket:
    RATE = 20

    def setup_method(self):
        self.basket = prices.Basket(LIMIT)

    def test_total(self):
        assert self.basket.total() == self.RATE

    def test_bare(self):
        assert not self.basket.bare()
'''
CONFTEST = """import pytest


@pytest.fixture
def order(rate):
    return rate


@pytest.fixture
def rate():
    return 5
"""
ABOVE = "import pytest\n\n\n@pytest.fixture\ndef clean():\n    yield\n\n\n@pytest.fixture\ndef unused():\n    yield\n"


@pytest.fixture
def shown(shop):
    """The tests of the small project."""
    shop.write({"tests/unit/test_more.py": TEST, "tests/unit/conftest.py": CONFTEST, "conftest.py": ABOVE})
    return ShownTests(find_project(shop / "src/shop/prices.py"))


def test_a_test_with_what_it_uses(shown):
    """Its imports, helpers, constants, and fixtures that fixtures ask for; nothing else."""
    assert (
        shown.text(["tests/unit/test_more.py::test_sum[1]"], 1000)
        == '''# tests/unit/test_more.py
import json

import pytest

from shop import prices

LIMIT = 3

def amounts(n):
    return [LIMIT] * n

@pytest.mark.parametrize("n", [1, 2])
def test_sum(n, order):
    """The sum."""
    assert prices.gross(amounts(n)) == order

# tests/unit/conftest.py
import pytest

@pytest.fixture
def order(rate):
    return rate

@pytest.fixture
def rate():
    return 5'''
    )


def test_a_method_with_its_class(shown):
    """The head, attributes, what sets tests up; other tests stay out. Fixtures may be named by a mark."""
    text = shown.text(["tests/unit/test_more.py::TestBasket::test_total"], 1000)
    assert "class TestBasket:\n    RATE = 20\n\n    def setup_method(self):" in text
    assert "def test_total(self):" in text
    assert "def clean():" in text
    assert "test_bare" not in text
    assert "unused" not in text


def test_what_there_is_no_room_for_is_left_out(shown):
    """The first is always there."""
    tests = [f"tests/unit/test_more.py::TestBasket::{name}" for name in ("test_total", "test_bare")]
    assert "test_total" in shown.text(tests, 1)
    assert "test_bare" not in shown.text(tests, 1)
    assert "test_bare" in shown.text(tests, 1000)


def test_what_can_not_be_read_is_left_out(shown, shop):
    """A file that is not there, one that does not parse, a test that the file does not spell out."""
    shop.write({"tests/test_wrong.py": "def (\n"})
    assert shown.text(["tests/none.py::test_a", "tests/test_wrong.py::test_a"], 1000) == ""
    assert shown.text(["tests/unit/test_more.py::test_made"], 1000).startswith("# tests/unit/test_more.py\nimport json")
