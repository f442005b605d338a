"""Tests of clip."""

import numpy as np

from signals import clip


def test_clip_ped() -> None:
    values = np.array([1, 5, 9])

    clip(values, 5)

    np.testing.assert_array_equal(values, np.array([1, 5, 5]), strict=True)
