"""What the tests of the pipeline have: no time for the search for what a green suite lacks, unless they ask for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tdgen.build import second_reading


@pytest.fixture(autouse=True)
def no_mutants(change_policy: Callable[..., None]) -> None:
    """Green is strengthened by nothing that takes time: `tests/build` has what mutants find."""
    for level in ("standard", "strict"):
        change_policy(level, seconds=0.0)


@pytest.fixture(autouse=True)
def few_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code and readings are compared on a first few calls, on a busy machine, too, which is slow at what is timed."""
    for name in ("AT_ONCE", "SLOW_AT_ONCE"):
        monkeypatch.setattr(second_reading, name, 50)


@pytest.fixture
def some_mutants(no_mutants: None, change_policy: Callable[..., None]) -> None:
    """For what is to go the whole way: a few of them."""
    for level in ("standard", "strict"):
        change_policy(level, seconds=0.25)
