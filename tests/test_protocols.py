"""What is open is closed when its block ends."""

import pytest

from tdgen.protocols import Closing


class Door(Closing):
    """Counts how often it was closed."""

    def __init__(self) -> None:
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


def test_the_block_is_given_the_thing_itself_and_closes_it():
    """Once, at the end."""
    with Door() as door:
        assert door.closed == 0
    assert door.closed == 1


def test_an_error_closes_it_and_goes_on():
    """It is nobody's to swallow."""
    door = Door()
    with pytest.raises(KeyError), door:
        raise KeyError
    assert door.closed == 1
