"""Tests of clip: Does as its cases say."""

import numpy as np

from signals import clip


def test_clip_ped():
    values = np.array([1, 5, 9])

    assert clip(values, 5) is None

    np.testing.assert_array_equal(values, np.array([1, 5, 5]), strict=True)
    assert isinstance(values, np.ndarray)
