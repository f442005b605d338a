"""From prose to green with numpy and pandas: contracts name them, cases hold them, and the user's own tests do."""

from __future__ import annotations

import pytest

from tdgen.client import Handed

SCALE = """
import numpy as np

def scale(values: np.ndarray, factor: float = 2.0) -> np.ndarray:
    '''Each value by the factor.'''
    return values * factor
"""


@pytest.fixture
def scale(write):
    """`scale(values, factor)`, with an array's cases."""

    def make(*tries, **more):
        cases = [
            write.returns("scale(np.array([1.0, 2.0]))", "np.array([2.0, 4.0])"),
            write.returns("scale(np.array([1.5, -1.0]), 3.0)", "np.array([4.5, -3.0])"),
            write.returns("scale(np.zeros((2, 2)), 5.0)", "np.zeros((2, 2))"),
            write.returns("scale(np.array([]))", "np.array([])"),
        ]
        told = {"cases": cases, "tries": tries or [SCALE]} | more
        return write.function("scale(values: np.ndarray, factor: float = 2.0) -> np.ndarray", **told)

    return make


def test_a_function_of_arrays_is_solved(array_studio, scale):
    """Contract, cases, stub, weak bodies, code and rendered file all know what `np` is."""
    solved = array_studio.solve(scale(), packages=["numpy"], settings={"trust": "standard"})
    assert solved["scale"].outcome == "green", solved["scale"].reason
    assert "import numpy as np" in solved.solution.module_source
    assert "import numpy as np" in solved.solution.test_files["test_scale.py"]


def test_an_array_that_is_wrong_is_told_and_mended(array_studio, scale):
    """Where it differs, item by item, as for plain values."""
    solved = array_studio.solve(scale(SCALE.replace("* factor", "+ factor"), SCALE), packages=["numpy"])
    assert solved["scale"].outcome == "green"
    (repair,) = solved.prompts("repair", "scale")
    assert "[0]: 3.0, expected 2.0" in repair


def test_an_exception_of_a_package_is_expected_by_its_name(array_studio, write):
    """By its short name as by its full one."""
    inverse = write.function(
        "inverse(matrix: np.ndarray) -> np.ndarray",
        raises=["np.linalg.LinAlgError"],
        cases=[
            write.raises("inverse(np.zeros((2, 2)))", "np.linalg.LinAlgError"),
            write.returns("inverse(np.eye(2))", "np.eye(2)"),
            write.returns("inverse(np.eye(3))", "numpy.eye(3)"),
        ],
        tries=["import numpy as np\ndef inverse(matrix: np.ndarray) -> np.ndarray:\n    return np.linalg.inv(matrix)"],
    )
    solved = array_studio.solve(inverse, packages=["numpy"])
    assert solved["inverse"].outcome == "green", solved["inverse"].reason


TESTS = """
import numpy as np
import pandas as pd
import pytest
from kit import scale

def test_scaled():
    expected = np.array([2, 4])
    np.testing.assert_allclose(scale(np.array([1.0, 2.0])), expected)

def test_nothing_is_left_of_it():
    np.testing.assert_allclose(scale(np.ones(3), 0.0), 0, atol=1e-12)

def test_no_dtype_is_asked_for():
    assert scale(np.float32([0.5])).tolist() == [1.0]

def test_a_series_stays_one():
    pd.testing.assert_series_equal(scale(pd.Series([1.0, 2.0])), pd.Series([2.0, 4.0]))
"""


def test_the_users_own_tests_of_arrays_are_law(array_studio, scale):
    """What they say is shown to the developer, held against the code, and run as it is besides."""
    wrong = SCALE.replace("* factor", "* factor + 1e-3")
    solved = array_studio.solve(scale(wrong, SCALE), packages=["numpy", "pandas"], handed=Handed(tests=TESTS))
    result = solved["scale"]
    assert result.outcome == "green", result.reason
    assert [case.name for case in result.suite.cases if case.provenance == "user"] == [
        "scaled",
        "nothing_is_left_of_it",
        "no_dtype_is_asked_for",
        "a_series_stays_one",
    ]
    failed = {verdict.case for verdict in result.history[0].verdicts if not verdict.passed}
    assert failed >= {"scaled", "nothing_is_left_of_it", "no_dtype_is_asked_for", "a_series_stays_one"}


def test_what_of_them_is_not_read_vetoes_all_the_same(array_studio, scale):
    """Where the plan does not name the package, no case can."""
    solved = array_studio.solve(
        scale(),
        packages=["numpy"],
        handed=Handed(tests=TESTS.replace("[2.0, 4.0]))", "[2.0, 5.0]))")),
        settings={"budget": {"iterations": 1}},
    )
    assert solved["scale"].outcome != "green"
