"""What a developer's code may import."""

from __future__ import annotations

import pytest

from tdgen.impl.findings import import_findings


def imports(source: str, **given: frozenset[str]) -> tuple[str, ...]:
    return import_findings(
        source,
        packages=given.get("packages", frozenset()),
        allowed=given.get("allowed", frozenset()),
        forbidden=given.get("forbidden", frozenset()),
    )


@pytest.mark.parametrize("line", ["import re, json", "from collections.abc import Iterable", "import urllib.parse"])
def test_the_standard_library_may_be_imported(line):
    """Most of it is what functions are made of."""
    assert imports(line) == ()


@pytest.mark.parametrize(
    "line",
    [
        "import subprocess",
        "from urllib import request",
        "import urllib.request",
        "from sys import _getframe",
        "import ctypes.util",
        "def f():\n    import socket",
        "import requests",
        "from . import other",
    ],
)
def test_what_a_function_has_no_business_with_is_found(line):
    """Also inside a function, and by either form of import."""
    assert len(imports(line)) == 1


def test_a_plans_package_may_be_imported_and_settings_decide():
    """`allow` opens what is forbidden, `forbid` closes what is not."""
    assert imports("import numpy.linalg", packages=frozenset({"numpy"})) == ()
    assert imports("import signal", allowed=frozenset({"signal"})) == ()
    assert imports("import sqlite3", forbidden=frozenset({"sqlite3"})) != ()
