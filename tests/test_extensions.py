"""What other packages add: found by name, imported when it is asked for."""

from __future__ import annotations

import re
from importlib.metadata import EntryPoint
from inspect import signature
from pathlib import Path

import pytest

import tdgen
from tdgen.errors import InputError
from tdgen.extensions import EXPORTS, LANGUAGES, PARTS, SANDBOXES, STORES, load, part, registered
from tdgen.protocols import PropertyTests, SuiteFiles, property_tests, suite_files


@pytest.mark.parametrize(
    ("group", "names"),
    [
        (SANDBOXES, {"docker"}),
        (STORES, {"redis", "rediss", "unix"}),
        (LANGUAGES, {"c", "cpp", "javascript", "typescript"}),
        (EXPORTS, {"html", "notebook"}),
    ],
)
def test_our_own_are_registered_like_any_other(group: str, names: set[str]) -> None:
    """And each can be imported."""
    points = registered(group)
    assert names <= set(points)
    assert all(callable(load(points[name])) for name in names)


def test_who_writes_pytest_files_has_all_that_is_asked_of_it() -> None:
    """By the parameters of each function: it is loaded by its name, so no type checker holds it to the protocol."""
    for name in ("render_suite", "node_ids", "render_properties", "read_tests"):
        asked = list(signature(getattr(SuiteFiles, name)).parameters.values())[1:]
        assert list(signature(getattr(suite_files(), name)).parameters.values()) == asked


def test_each_part_that_is_asked_for_is_there_and_no_other() -> None:
    """They are asked for by their names in texts, which no type checker reads."""
    sources = (path.read_text(encoding="utf-8") for path in Path(tdgen.__file__).parent.rglob("*.py"))
    asked = {name for text in sources for name in re.findall(r"""\bpart\("(\w+)"\)""", text)}
    assert asked == set(registered(PARTS))
    assert all(part(name) for name in asked)
    for name in ("add_properties", "read_sources", "strengthen_by_properties", "check_in_module"):
        wanted = list(signature(getattr(PropertyTests, name)).parameters)[1:]
        assert list(signature(getattr(property_tests(), name)).parameters) == wanted


def test_an_installation_of_before_lacks_who_writes_pytest_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entry points are written when a package is installed: new code beside old ones is told in a line."""
    monkeypatch.setattr("tdgen.extensions.registered", lambda group: {})
    with pytest.raises(InputError, match="install tdgen anew"):
        suite_files()


def test_one_that_can_not_be_imported_is_a_line() -> None:
    """With its name, what it names, and what is wrong."""
    point = EntryPoint("lua", "its_package.lua:Lua", LANGUAGES)
    with pytest.raises(
        InputError,
        match=r"^lua of tdgen.languages \(its_package.lua:Lua\) can't be loaded: ModuleNotFoundError: .*: mend",
    ):
        load(point)
