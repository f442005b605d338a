"""What the trust levels mean: each checks all that the one before it checks."""

from __future__ import annotations

from itertools import pairwise
from typing import get_args

import pytest

from tdgen.settings import Settings
from tdgen.settings.policy import POLICIES
from tdgen.types import Trust


def test_every_level_has_a_policy():
    """The table is whole, in the order of the levels."""
    assert tuple(POLICIES) == get_args(Trust)


@pytest.fixture
def no_second_reading():
    """The levels as they are."""


@pytest.mark.parametrize("field", POLICIES["quick"]._fields)
def test_a_higher_level_checks_no_less(field):
    """In nothing is it laxer than the one before it."""
    found = [getattr(policy, field) for policy in POLICIES.values()]
    assert all(one <= other for one, other in pairwise(found))


def test_settings_have_that_of_their_level():
    """Nobody else asks which it is."""
    assert Settings(trust="strict").policy is POLICIES["strict"]
