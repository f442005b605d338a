"""Tests of totals."""

from typing import Any

import pandas as pd
import pytest

from sales import totals


@pytest.mark.parametrize(
    ("sales", "expected"),
    [
        pytest.param(
            pd.DataFrame({"shop": ["a", "b", "a"], "sum": [1, 2, 3]}),
            pd.DataFrame({"shop": ["a", "b"], "sum": [4, 2]}),
            id="two_shops",
        ),
        pytest.param(
            pd.DataFrame({"shop": ["a", "a"], "sum": [0.1, 0.2]}),
            pd.DataFrame({"shop": ["a"], "sum": [0.3]}),
            id="cents",
        ),
    ],
)
def test_totals(sales: Any, expected: Any) -> None:
    pd.testing.assert_frame_equal(totals(sales), expected, rtol=1e-9, atol=1e-12)


def test_totals_rough() -> None:
    pd.testing.assert_frame_equal(
        totals(pd.DataFrame({"shop": ["a", "a", "a"], "sum": [1.0, 1.0, 1 / 3]})),
        pd.DataFrame({"shop": ["a"], "sum": [2.33]}),
        rtol=1e-9,
        atol=0.01,
    )
