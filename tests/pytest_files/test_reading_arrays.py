"""The user's own tests of arrays and tables: what becomes a case, and what stays a veto."""

from __future__ import annotations

from textwrap import dedent

import pytest

from tdgen.pytest_files.reading import read_tests
from tdgen.types import Check, Value

IMPORTS = (
    "import numpy as np\nimport pandas as pd\nimport pytest\nfrom decimal import Decimal\nfrom shop import scale\n\n"
)


@pytest.fixture
def tests():
    """Reads a file of tests of arrays, by default where the plan has both packages."""

    def read(body, packages=("numpy", "pandas"), imports=IMPORTS):
        return read_tests(imports + dedent(body), None, packages)

    return read


@pytest.fixture
def claim(tests):
    """Reads the one case that a single statement states."""

    def read(statement):
        found = tests(f"def test_it():\n    {statement}\n")
        assert found.unread == ()
        (case,) = found.cases
        return case

    return read


@pytest.mark.parametrize("array", ["[2, 4]", "np.array([2, 4])"])
def test_what_an_array_is_about_is_a_value(claim, array):
    """As a plain list, within the tolerance: pytest.approx looks neither at the dtype nor for an array."""
    case = claim(f"assert scale([1, 2]) == pytest.approx({array}, rel=0.1)")
    assert case.expression == "np.asarray(scale([1, 2])).tolist()"
    listed = array.replace("[2, 4]", "[2.0, 4.0]") if array.startswith("[") else array
    assert case.expectation.source == f"np.asarray({listed}, float).tolist()"
    assert case.expectation.tolerance.rel == 0.1


@pytest.mark.parametrize("value", ["dict(a=1.5)", "['a', 1.5]", "[1.5, None]", "Decimal('1.5')", "abs(-1.5)"])
def test_what_no_array_is_about_is_a_value_as_it_stands(claim, value):
    """It is no list of floats, and need not become one."""
    case = claim(f"assert scale(1) == pytest.approx({value})")
    assert (case.expression, case.expectation.source) == ("scale(1)", value)


def test_an_array_of_complex_numbers_stays_a_veto(tests):
    """As a list of floats it would lose what is imaginary."""
    found = tests("def test_it():\n    assert scale(1) == pytest.approx(np.array([1 + 2j]))\n")
    assert (found.cases, found.unread) == ((), ("test_it",))


@pytest.mark.parametrize(
    "call",
    [
        "np.testing.assert_allclose(result, 0.5)",
        "np.testing.assert_allclose(result, [2, 4.5])",
        "np.testing.assert_array_equal(result, np.array([[1], [2]]))",
        "np.testing.assert_allclose(result, [1.0], rtol=0.1, atol=0.1)",
        "np.testing.assert_allclose(result, np.linspace(0, 1, 3))",
        "np.testing.assert_allclose(result, [1 + 2j])",
        "np.testing.assert_array_equal(result, ['a', 1])",
        "np.testing.assert_array_equal(result, [1], strict=True)",
        "np.testing.assert_almost_equal(result, [1], decimal=3)",
        "pd.testing.assert_frame_equal(result, pd.DataFrame({'a': [1]}))",
        "pd.testing.assert_series_equal(result, pd.Series([1]), check_dtype=False)",
    ],
)
def test_an_assertion_is_a_check_word_for_word(claim, call):
    """A scalar is held against each item, two tolerances add up, a dtype may count: that is theirs to say."""
    case = claim(call.replace("result", "scale([1, 2])"))
    assert case.expression == "scale([1, 2])"
    assert case.expectation == Check(source=f"{call} is None")


@pytest.mark.parametrize(
    ("statement", "call", "expectation"),
    [
        ("assert scale([1]).tolist() == [2]", "scale([1]).tolist()", Value(source="[2]")),
        ("assert scale([1]).shape == (1,)", "scale([1]).shape", Value(source="(1,)")),
        ("assert scale([1]).dtype == np.float64", "scale([1])", Check(source="result.dtype == np.float64")),
        ("assert scale([1]).dtype == 'float64'", "scale([1])", Check(source="result.dtype == 'float64'")),
        ("assert scale([1])[0] == np.float32(2)", "scale([1])[0]", Check(source="result == np.float32(2)")),
        ("assert scale([1]).all() == True", "scale([1]).all()", Check(source="result == True")),
        ("assert np.allclose(scale([1]), [2])", "scale([1])", Check(source="np.allclose(result, [2])")),
        ("assert (scale([1]) == [2]).all()", "scale([1])", Check(source="(result == [2]).all()")),
    ],
)
def test_a_plain_assert_says_no_more_than_its_words(claim, statement, call, expectation):
    """`==` with a plain value is a value; where the judge would be stricter than `==`, it is a check."""
    case = claim(statement)
    assert (case.expression, case.expectation) == (call, expectation)


def test_local_names_lead_to_the_call(tests):
    """Those that the check names, too."""
    (case,) = tests(
        """
        def test_it():
            x = np.array([1.0, 2.0])
            expected = np.array([2.0, 4.0])
            found = scale(x)
            np.testing.assert_allclose(found, expected)
        """
    ).cases
    assert case.setup == "x = np.array([1.0, 2.0])\nexpected = np.array([2.0, 4.0])"
    assert case.expression == "scale(x)"
    assert case.expectation == Check(source="np.testing.assert_allclose(result, expected) is None")


def test_other_ways_to_import_say_the_same(tests):
    """A case knows no alias but `np` and `pd`."""
    imports = "import numpy as xp\nimport numpy.testing as npt\nfrom numpy import array\nfrom shop import scale\n"
    (case,) = tests("def test_it():\n    npt.assert_allclose(scale(array([1.0]), xp.pi), 0)\n", imports=imports).cases
    assert case.expression == "scale(numpy.array([1.0]), numpy.pi)"
    assert case.expectation == Check(source="numpy.testing.assert_allclose(result, 0) is None")


@pytest.mark.parametrize(
    ("packages", "imports"),
    [
        ((), IMPORTS),
        (("pandas",), IMPORTS),
        (("numpy",), "from shop import scale\nimport jax.numpy as np\n"),
    ],
)
def test_where_np_is_not_the_plans_numpy_the_test_stays_a_veto(tests, packages, imports):
    """Neither is numpy taken for the module under test, which most calls may go to."""
    found = tests("def test_it():\n    assert scale(np.array([1])).tolist() == [2]\n", packages, imports)
    assert (found.cases, found.unread, found.module) == ((), ("test_it",), "shop")


@pytest.mark.parametrize(
    "statement",
    [
        "np.testing.assert_allclose(actual=scale([1]), desired=[2])",
        "np.testing.assert_allclose(scale([1]), scale([2]))",
        "np.testing.assert_allclose(np.array([1]), np.array([1]))",
    ],
)
def test_an_assertion_of_no_single_result_stays_a_veto(tests, statement):
    """What the candidate gives is never what is expected of it."""
    assert tests(f"def test_it():\n    {statement}\n").unread == ("test_it",)
