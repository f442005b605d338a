"""Tests of totals: The sum of each shop's sales."""

import pandas as pd

from sales import totals


def test_totals_two_shops():
    pd.testing.assert_frame_equal(
        totals(pd.DataFrame({"shop": ["a", "b", "a"], "sum": [1, 2, 3]})),
        pd.DataFrame({"shop": ["a", "b"], "sum": [4, 2]}),
    )


def test_totals_cents():
    pd.testing.assert_frame_equal(
        totals(pd.DataFrame({"shop": ["a", "a"], "sum": [0.1, 0.2]})),
        pd.DataFrame({"shop": ["a"], "sum": [0.3]}),
        rtol=1e-9,
        atol=1e-12,
    )


def test_totals_rough():
    pd.testing.assert_frame_equal(
        totals(pd.DataFrame({"shop": ["a", "a", "a"], "sum": [1.0, 1.0, 1 / 3]})),
        pd.DataFrame({"shop": ["a"], "sum": [2.33]}),
        rtol=1e-9,
        atol=0.01,
    )
