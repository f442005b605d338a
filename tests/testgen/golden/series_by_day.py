"""Tests of by_day."""

import pandas as pd

from sales import by_day


def test_by_day_two_days() -> None:
    pd.testing.assert_series_equal(
        by_day([1.0, 2.5], "2024-01-01"),
        pd.Series(
            [1.0, 2.5], index=pd.to_datetime(["2024-01-01", "2024-01-02"]), name="sum"
        ),
        rtol=1e-9,
        atol=1e-12,
        check_freq=False,
    )


def test_by_day_first_day() -> None:
    sums = pd.Series([1.0, 2.5])

    assert by_day(sums.tolist(), "2024-01-01").index[0] == pd.Timestamp("2024-01-01")
