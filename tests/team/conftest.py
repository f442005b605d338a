"""What the tests of a team's store share: this machine's store, and a case."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tdgen.types import Case, Value


@pytest.fixture
def make_case() -> Callable[..., Case]:
    """A case of `f`, by default `f(1)` with the value 2."""

    def make(**changes: Any) -> Case:
        fields = {"name": "case", "function": "f", "arguments": ("1",), "expectation": Value(source="2")}
        return Case(**fields | changes)

    return make
