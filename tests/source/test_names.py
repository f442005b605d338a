"""The well-known names are really where the table says."""

from __future__ import annotations

import importlib
import keyword

import pytest

from tdgen.source.names import KNOWN_NAMES, PACKAGES, STDLIB
from tdgen.source.trees import import_lines


@pytest.mark.parametrize("name", sorted(KNOWN_NAMES))
def test_each_name_can_be_imported_from_its_module(name: str) -> None:
    """`from <module> import <name>` works."""
    assert name.isidentifier()
    assert not keyword.iskeyword(name)
    assert hasattr(importlib.import_module(KNOWN_NAMES[name]), name)


def test_only_datetime_is_both_a_module_and_a_name() -> None:
    """Every other module's name means the module, so that `copy.copy` and `time.time` need no guess."""
    assert {name for name in KNOWN_NAMES if name in STDLIB} == {"datetime"}


@pytest.mark.parametrize(
    ("source", "imports"),
    [
        ("datetime.time(23, 5)", ("import datetime",)),
        ("datetime.UTC", ("import datetime",)),
        ("datetime.date(2026, 1, 1)", ("import datetime",)),
        ("datetime.min", ("from datetime import datetime",)),
        ("datetime.now()", ("from datetime import datetime",)),
    ],
)
def test_what_follows_datetime_tells_the_module_from_the_class(source: str, imports: tuple[str, ...]) -> None:
    """A `time` of the class, the method, takes no numbers."""
    assert import_lines([source]) == imports


def test_no_module_that_does_something_when_imported_is_offered() -> None:
    """Nor any private one."""
    assert not STDLIB & {"this", "antigravity", "turtle", "idlelib"}
    assert {"math", "itertools", "asyncio", "json"} <= STDLIB


def test_numpy_and_pandas_are_known_in_full_and_in_short() -> None:
    """Their import comes after those of the standard library, and only where a name is free."""
    assert PACKAGES.keys() == {"np", "numpy", "pd", "pandas"}
    assert not PACKAGES.keys() & (KNOWN_NAMES.keys() | STDLIB)
    sources = ["np.zeros(math.floor(x))", "pandas.Series(deque())", "[pd for pd in []]"]
    assert import_lines(sources) == (
        "import math",
        "from collections import deque",
        "import numpy as np",
        "import pandas",
    )
