"""What `make test` runs: each file of tests there is."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

import pytest


def test_no_folder_of_tests_is_passed_over(pytestconfig: pytest.Config) -> None:
    """Pytest looks into no folder that a pattern of its settings names, and says nothing of it."""
    folders = {path.parent for path in Path(__file__).parent.rglob("test_*.py")}
    patterns = pytestconfig.getini("norecursedirs")
    assert not [folder for folder in folders for pattern in patterns if fnmatch(folder.name, pattern)]
    assert pytestconfig.getini("testpaths") == ["tests"]
