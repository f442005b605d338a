"""Classes of a project that only hold data."""

from __future__ import annotations

import pytest

from tdgen.project.data_types import data_type
from tdgen.project.outline import outline
from tdgen.types import Field


def read(source: str):
    return data_type(outline(source).entries[-1])


def test_a_dataclass_has_its_fields():
    """Class variables and methods are none."""
    found = read(
        "@dataclasses.dataclass(frozen=True)\n"
        "class Money:\n"
        "    cents: int\n"
        "    currency: str = 'EUR'\n"
        "    known: ClassVar[int] = 3\n"
        "    def __add__(self, other): return self\n"
    )
    assert (found.name, found.kind, found.frozen) == ("Money", "dataclass", True)
    assert found.fields == (
        Field(name="cents", type="int"),
        Field(name="currency", type="str", default="'EUR'"),
    )


@pytest.mark.parametrize(
    ("source", "kind", "names"),
    [
        ("class Color(enum.StrEnum):\n    RED = 'r'\n    BLUE = 'b'\n", "enum", ["RED", "BLUE"]),
        ("class Point(NamedTuple):\n    x: int\n    y: int = 0\n", "named_tuple", ["x", "y"]),
        ("class Row(TypedDict):\n    name: str\n", "typed_dict", ["name"]),
    ],
)
def test_so_have_the_others(source, kind, names):
    """Enums, named tuples, typed dicts."""
    found = read(source)
    assert (found.kind, [field.name for field in found.fields]) == (kind, names)


@pytest.mark.parametrize(
    "source",
    [
        "class Cart:\n    def __init__(self):\n        self.lines = []\n",
        "@dataclass(eq=False)\nclass Node:\n    value: int\n",
        "@dataclass\nclass Fee(Money):\n    why: str\n",
        "def f(): ...\n",
        "LIMIT = 3\n",
    ],
)
def test_what_is_no_plain_data_is_none(source):
    """Compared by identity, with fields that stand elsewhere, or no data type at all."""
    assert read(source) is None
