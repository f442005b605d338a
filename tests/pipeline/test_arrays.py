"""From prose to green with numpy and pandas: contracts name them, cases hold them, and the user's own tests do."""

from __future__ import annotations

import pytest

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
