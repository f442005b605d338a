"""Verdicts on functions of arrays and tables, in a sandbox that has numpy and pandas."""

from __future__ import annotations

import pytest

from tdgen.judge import Oracle, candidate_probe
from tdgen.types import After, Check, Job, Value


@pytest.fixture
def verdict(array_sandbox, make_case, make_spec):
    """The verdict on one case of `f(x)`, whose source is given."""

    def judge(source, returns="np.ndarray", **case):
        made, spec = make_case(**case), make_spec(returns)
        oracle = Oracle(array_sandbox, "m", "")
        seen = array_sandbox.run(Job(module="m", source=source, probes=(candidate_probe(made),))).observations
        (told,) = oracle.verdicts(spec, (made,), seen, oracle.expectations((made,)))
        return told

    return judge


@pytest.mark.parametrize(
    ("argument", "expected", "source"),
    [
        ("np.array([0.1, 0.2])", "numpy.array([0.3, 0.6])", "def f(x): return x * 3"),
        ("[3, 1]", "np.array([[3, 1]])", "import numpy\ndef f(x): return numpy.atleast_2d(x)"),
        (
            "pd.DataFrame({'k': ['a', 'b', 'a'], 'v': [1, 2, 3]})",
            "pandas.Series([4, 2], index=pd.Index(['a', 'b'], name='k'), name='v')",
            "def f(x): return x.groupby('k')['v'].sum()",
        ),
        ("'2024-01-02'", "pd.Timestamp(2024, 1, 2)", "import pandas as pd\ndef f(x): return pd.to_datetime(x)"),
    ],
)
def test_a_right_function_is_right(verdict, argument, expected, source):
    """Cases name the two packages in full or in short, and need no import for it."""
    told = verdict(source, arguments=(argument,), expectation=Value(source=expected))
    assert told.passed, told.differences


def test_a_wrong_item_is_told_where_it_is(verdict):
    """Which is what the feedback to a model says."""
    told = verdict("def f(x): return x.cumsum()", arguments=("np.ones(3)",), expectation=Value(source="np.ones(3)"))
    assert [(d.where, d.expected, d.actual) for d in told.differences] == [("[1]", "1.0", "2.0"), ("[2]", "1.0", "3.0")]


def test_a_lie_about_equality_is_no_use(verdict):
    """The array is told by what it holds."""
    source = """
import numpy as np
class Yes(np.ndarray):
    def __eq__(self, other): return np.array(True)
    def __array_ufunc__(self, *args, **kwargs): return np.array(True)
def f(x): return np.zeros(3).view(Yes)
"""
    assert not verdict(source, expectation=Value(source="np.ones(3)")).passed


@pytest.mark.parametrize(
    ("check", "holds"),
    [
        ("np.allclose(np.sort(result), x)", True),
        ("result.dtype == float and result.shape == (3,)", True),
        ("np.testing.assert_array_equal(result, x)", False),
        ("pd.Series(result).is_monotonic_decreasing", True),
    ],
)
def test_a_check_gets_the_array_itself(verdict, check, holds):
    """Made again where no candidate is, of the dtype and shape that it had."""
    told = verdict("def f(x): return x[::-1]", arguments=("np.arange(3.0)",), expectation=Check(source=check))
    assert told.passed is holds


def test_an_argument_changed_in_place_is_seen(verdict):
    """By what names it afterwards, and in the verdict."""
    told = verdict(
        "def f(x):\n    x[0] = 9\n",
        returns="None",
        arguments=("np.arange(2)",),
        expectation=Value(source="None"),
    )
    assert told.passed
    assert told.mutated == {"0": "array([9, 1])"}
    after = (After(expression="x", source="pd.DataFrame({'a': [9]})"),)
    source = "def f(x):\n    x.loc[0, 'a'] = 9\n"
    setup = "x = pd.DataFrame({'a': [1]})"
    case = {"setup": setup, "call": "f(x)", "arguments": (), "expectation": Value(source="None"), "after": after}
    assert verdict(source, returns="None", **case).passed
    assert not verdict("def f(x): pass", returns="None", **case).passed


def test_functions_in_an_expected_array_are_the_cases_problem(verdict):
    """Nothing could ever agree with it."""
    told = verdict("def f(x): return x", expectation=Value(source="np.array([len, 1], dtype=object)"))
    assert "can't be compared" in told.differences[0].expected


def test_too_large_an_array_is_told_as_such(verdict):
    """The call returned, and what it returned can't be told."""
    told = verdict("import numpy as np\ndef f(x): return np.zeros(10_000_000)", expectation=Value(source="np.zeros(2)"))
    assert told.status == "unreadable"
    assert "too large" in told.actual
