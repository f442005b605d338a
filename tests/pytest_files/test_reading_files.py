"""The user's own pytest file as a whole: its tables, its names, and what in it is not read."""

from __future__ import annotations

import ast

import pytest

from tdgen.errors import InputError
from tdgen.pytest_files.reading import read_tests


def test_a_table(read):
    """Each row is a case of its own, named by its id or its number."""
    found = read(
        """
        @pytest.mark.parametrize("text, expected", [("A", "a"), pytest.param("B c", "b-c", id="two words")])
        def test_slugify(text, expected):
            assert slugify(text) == expected

        @pytest.mark.parametrize(("n",), [(1,)], ids=["one"])
        def test_total(n):
            with pytest.raises(ValueError):
                total(n)

        @pytest.mark.parametrize("n", [[1, 2]])
        def test_list(n):
            assert total(n) == 3
        """
    )
    assert [(case.name, case.expression) for case in found.cases] == [
        ("slugify_1", "slugify('A')"),
        ("slugify_two_words", "slugify('B c')"),
        ("total_one", "total(1)"),
        ("list_1", "total([1, 2])"),
    ]
    assert found.unread == ()


def test_local_names_lead_to_the_call(said):
    """Assignments before the assert are its setup; an expected value is put in where it is named."""
    body = """
    def test_it():
        items = [3, 1]
        expected = [1, 3]
        result = shop.order(items)
        assert result == expected
    """
    assert said(body) == [("items = [3, 1]", "order(items)", "[1, 3]")]


def test_an_expected_value_is_no_part_of_the_setup(said):
    """What is computed from the same input stays away from where the function could see it."""
    body = """
    def test_it():
        items = [3, 1]
        expected = sorted(items)
        assert shop.order(items) == expected
    """
    assert said(body) == [("items = [3, 1]", "order(items)", "sorted([3, 1])")]


def test_checks_of_one_result_are_said_together(said):
    """Several asserts on one call are one case: two cases that do the same would contradict each other."""
    body = """
    def test_it():
        items = ['b', 'a']
        result = shop.order(items)
        assert len(result) == len(items)
        assert result[0] < result[1]
    """
    assert said(body) == [
        ("items = ['b', 'a']", "order(items)", "assert len(result) == len(items)\nassert result[0] < result[1]")
    ]


def test_a_value_says_more_than_a_check(said):
    """Where both are stated of one call, the value is kept; the file itself stays the veto for the rest."""
    body = (
        "def test_it():\n    assert slugify('A') == 'a'\n    assert slugify('A').islower()\n    assert slugify('A')\n"
    )
    assert said(body) == [("", "slugify('A')", "'a'")]


def test_many_asserts_are_many_cases(read):
    """Numbered in their order; `and` joins two of them; a message says why."""
    found = read(
        "def test_it():\n    assert slugify('') == '', 'stays empty'\n    assert total(1) == 1 and total(2) == 2\n"
    )
    assert [case.name for case in found.cases] == ["it_1", "it_2", "it_3"]
    assert found.cases[0].why == "stays empty"


def test_calls_before_are_repeated_where_they_share_something(said):
    """A list that an earlier call changed was changed when the later one was made."""
    body = """
    def test_it():
        stack = []
        assert shop.push(stack, 1) == [1]
        assert shop.push(stack, 2) == [1, 2]
    """
    assert said(body)[1] == ("stack = []\npush(stack, 1)", "push(stack, 2)", "[1, 2]")


def test_a_call_that_remembers_is_not_read(read):
    """The same call with two values can't be told as two cases."""
    found = read("def test_it():\n    assert shop.next_id() == 1\n    assert shop.next_id() == 2\n")
    assert (found.cases, found.unread) == ((), ("test_it",))


def test_constants_of_the_file_are_put_in(said):
    """A value bound once at the file's top is as good as a literal."""
    body = """
    DATA = [1, 2]
    ROWS = [(DATA, 3)]

    @pytest.mark.parametrize("values, expected", ROWS)
    def test_it(values, expected):
        assert total(values) == expected
        assert total(DATA + [1]) == 4
    """
    assert said(body) == [("", "total([1, 2])", "3"), ("", "total([1, 2] + [1])", "4")]


@pytest.mark.parametrize(
    ("imports", "claim", "expected"),
    [
        ("import datetime as dt\nfrom shop import day", "day() == dt.date(2024, 1, 2)", "datetime.date(2024, 1, 2)"),
        ("from datetime import date as d\nfrom shop import day", "day() == d(2024, 1, 2)", "date(2024, 1, 2)"),
        ("from shop import day as today", "today() == 1", "1"),
        ("import shop as s", "s.day() == s.Basket()", "Basket()"),
        ("from pytest import approx\nfrom shop import day", "day() == approx(1.5)", "1.5"),
        ("import big.shop", "big.shop.day() == 1", "1"),
    ],
)
def test_names_are_those_of_a_case(imports, claim, expected):
    """Whatever the file calls things, a case names the function, its types and well-known names plainly."""
    (case,) = read_tests(f"{imports}\n\ndef test_it():\n    assert {claim}\n").cases
    assert (case.expression, case.expectation.source) == ("day()", expected)


@pytest.mark.parametrize(
    "test",
    [
        "def test_it(tmp_path):\n    assert total(tmp_path) == 1",
        "def test_it(capsys):\n    shop.show()\n    assert capsys.readouterr().out == ''",
        "def test_it():\n    for n in [1]:\n        assert total(n) == n",
        "def test_it():\n    if True:\n        assert total(1) == 1",
        "def test_it():\n    with open('x') as file:\n        assert total(file) == 1",
        "def test_it():\n    with pytest.raises((ValueError, TypeError)):\n        total(1)",
        "def test_it():\n    with pytest.raises(ValueError) as e:\n        total(1)\n    assert e.value.args == ()",
        "def test_it():\n    with pytest.raises(ValueError):\n        total(1)\n        total(2)",
        "def test_it():\n    with pytest.raises(ValueError, match=PATTERN):\n        total(1)",
        "def test_it():\n    assert total(1) == total(2)",
        "def test_it():\n    assert all(total(n) for n in range(3))",
        "def test_it():\n    assert 1 + 1 == 2",
        "def test_it():\n    total(1)",
        "def test_it():\n    assert total(unknown) == 1",
        "def test_it():\n    assert total(1) == helper(1)",
        "def test_it():\n    items = [1]\n    total(items)\n    assert items == []",
        "def test_it():\n    result = total(1)\n    result.sort()\n    assert result == []",
        "def test_it():\n    assert total(1) == pytest.approx(1, rel=EPSILON)",
        "async def test_it():\n    assert total(1) == 1",
        "@pytest.mark.skip\ndef test_it():\n    assert total(1) == 1",
        "@pytest.mark.parametrize('n', range(3))\ndef test_it(n):\n    assert total(n) == n",
        "@pytest.mark.parametrize('n', [pytest.param(1, marks=SLOW)])\ndef test_it(n):\n    assert total(n) == 1",
        "@pytest.mark.parametrize('n', [1])\ndef test_it(n, tmp_path):\n    assert total(n) == 1",
        "@pytest.mark.parametrize('n, m', [(1,)])\ndef test_it(n, m):\n    assert total(n) == m",
    ],
)
def test_what_is_not_read_is_named(test, read):
    """A test is read whole or not at all; one that is not stays a veto under its name."""
    found = read(f"def helper(n):\n    return n\n\n{test}\n")
    assert (found.cases, found.unread) == ((), ("test_it",))


def test_methods_are_not_read(read):
    """Tests in classes are named as pytest names them."""
    body = "class TestShop:\n    def test_it(self):\n        assert total(1) == 1\n"
    body += "\ndef test_it():\n    assert total(2) == 2\n"
    found = read(body)
    assert found.unread == ("TestShop::test_it",)
    assert [case.expression for case in found.cases] == ["total(2)"]


@pytest.mark.parametrize(
    "surroundings",
    [
        "@pytest.fixture(autouse=True)\ndef always():\n    pass",
        "def setup_function():\n    pass",
        "pytestmark = pytest.mark.slow",
        "random.seed(1)",
    ],
)
def test_surroundings_keep_all_from_being_read(surroundings, read):
    """Where the file does something around each test, no test's body says all that it does."""
    found = read(f"{surroundings}\n\ndef test_it():\n    assert total(1) == 1\n")
    assert (found.cases, found.unread) == ((), ("test_it",))


def test_the_functions_are_those_called_of_the_module(read):
    """Classes are none, and neither are names of the standard library or of another module."""
    found = read(
        """
        import numpy
        from helpers import clean

        def test_it():
            assert total(Basket([])) == math.sqrt(4)
            assert shop.is_open(9)
            assert slugify(clean("x")) == 1

        class TestMore:
            def test_more(self):
                assert shop.more() == numpy.nan
        """
    )
    assert found.functions == ("is_open", "more", "slugify", "total")
    assert found.module == "shop"
    assert found.unread == ("test_it", "TestMore::test_more")


def test_functions_may_be_given():
    """Only calls of the functions named make cases; an import of them is not needed."""
    found = read_tests(
        "from shop import *\n\ndef test_it():\n    assert total(1) == 1\n\ndef test_b():\n    assert slugify(1) == 1\n",
        ["total"],
    )
    assert [case.function for case in found.cases] == ["total"]
    assert found.unread == ("test_b",)
    assert found.functions == ("total",)


def test_names_are_unique(read):
    """Two tests that come to one name are told apart."""
    body = """
    def test_it_1():
        assert total(1) == 1

    def test_it():
        assert total(2) == 2
        assert total(3) == 3
    """
    assert [case.name for case in read(body).cases] == ["it_1", "it_1_2", "it_2"]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def test_it(:\n", "line 1"),
        ("import shop\n\ndef test_it():\nassert 1\n", "line 4"),
        ("x = '\0'", "not Python"),
        ("", "no test"),
        ("print('hello')\n", "no test"),
        ("(" * 5000, "not Python"),
    ],
)
def test_a_file_of_another_kind_is_one_clear_line(source, words):
    """Bad input is an InputError that says where."""
    with pytest.raises(InputError, match=words) as caught:
        read_tests(source)
    assert "\n" not in str(caught.value)


def test_everything_read_is_python(read):
    """All sources of the cases parse."""
    found = read("def test_it():\n    text = 'a'\n    assert slugify(text, n=[1, *'b']) == {'a': 1}\n")
    for case in found.cases:
        for source in (case.setup, case.expression, *case.arguments, case.expectation.source):
            ast.parse(source if "=" in source else f"({source})")


def test_a_fixture_that_only_returns_is_part_of_the_setup(read):
    """As if each test that takes it made the object itself; what does more than that is not read."""
    found = read(
        """
        @pytest.fixture
        def items():
            return [3, 1]

        @pytest.fixture
        def others():
            yield [3]

        def test_order(items):
            items.append(2)
            assert total(items) == 6

        def test_other(others):
            assert total(others) == 3
        """
    )
    assert [(case.setup, case.expression) for case in found.cases] == [
        ("items = [3, 1]\nitems.append(2)", "total(items)"),
    ]
    assert found.unread == ("test_other",)
