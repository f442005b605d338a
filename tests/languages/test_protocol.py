"""Back ends have all that the protocol asks for, each by itself: what is asked of one is asked of all."""

from __future__ import annotations

from importlib.metadata import entry_points

import pytest

from tdgen.extensions import LANGUAGES
from tdgen.protocols import Language


@pytest.mark.parametrize("name", sorted({point.name for point in entry_points(group=LANGUAGES)}))
def test_nothing_is_missing(name):
    """Nor left abstract: it can be made, and has each member."""
    (point,) = entry_points(group=LANGUAGES, name=name)
    language = point.load()()
    members = {*Language.__annotations__, *(one for one in vars(Language) if not one.startswith("_"))}
    assert [one for one in sorted(members) if not hasattr(language, one)] == []
