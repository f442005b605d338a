"""Annotations as shapes, and which values they admit."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import PurePosixPath

import pytest

from tdgen.types import Field, SharedType
from tdgen.values.shapes import Constructed, Word, admits_none, fits, shape_of

SHARED = (
    SharedType(name="P", kind="dataclass", fields=(Field(name="x", type="int"), Field(name="n", type="P | None"))),
    SharedType(name="Color", kind="enum", fields=(Field(name="RED", default="1"),)),
    SharedType(name="Row", kind="typed_dict", fields=(Field(name="a", type="int"),)),
)
ADMITTED = {
    "int": ([1, True], [1.0, "1", None]),
    "float": ([1.5, 1], [True, "1.5"]),
    "bool": ([True], [1, None]),
    "str": (["a"], [b"a", None, 1]),
    "list[int]": ([[], [1]], [(1,), ["a"], [1.5], "a"]),
    "list": ([[1, "a"]], [()]),
    "tuple[int, str]": ([(1, "a")], [(1,), ("a", 1), [1, "a"]]),
    "tuple[int, ...]": ([(), (1, 2)], [(1, "a")]),
    "tuple[()]": ([()], [(1,)]),
    "dict[str, list[int]]": ([{}, {"a": [1]}], [{"a": 1}, {1: []}]),
    "set[int]": ([{1}], [[1], {"a"}]),
    "Sequence[int]": ([[1], (1,)], [["a"], {1}, 5]),
    "Iterable[str]": ([["a"], "ab", {"a"}], [[1], 5]),
    "Mapping[str, int]": ([{"a": 1}], [[("a", 1)]]),
    "int | None": ([1, None], ["a"]),
    "Optional[str]": (["a", None], [1]),
    "Union[int, list[str]]": ([1, ["a"]], ["a", [1]]),
    "Literal['a', 2]": (["a", 2], ["b", 2.0]),
    "'int'": ([1], ["a"]),
    "datetime.date": ([date(2024, 1, 1)], [datetime(2024, 1, 1), "2024-01-01"]),
    "Path": ([PurePosixPath("a")], ["a"]),
    "P": (
        [Constructed("P", (1,)), Constructed("P", (), (("x", 1), ("n", None)))],
        [Constructed("P", ("a",)), Constructed("Q", (1,)), 1],
    ),
    "Color": ([Word("Color.RED")], [Word("Other.RED"), 1]),
    "Row": ([{"a": 1}, Constructed("Row", (), (("a", 1),))], [1]),
    "Any": ([1, None, "a"], []),
    "Callable[[int], int]": ([1, "anything"], []),
    "numpy.ndarray": ([1, "anything"], []),
    "int | Callable[[], int]": ([1, "anything"], []),
    "list[": ([1], []),
}


@pytest.mark.parametrize(("annotation", "fitting", "other"), [(k, *v) for k, v in ADMITTED.items()], ids=ADMITTED)
def test_a_type_admits_its_values_alone(annotation, fitting, other):
    """What can't be told by reading admits everything."""
    shape = shape_of(annotation, SHARED)
    assert [value for value in fitting if not fits(value, shape)] == []
    assert [value for value in other if fits(value, shape)] == []


def test_none_is_admitted_where_it_is_said():
    """Not where nothing is known."""
    assert [admits_none(shape_of(text)) for text in ("int | None", "None", "int", "Any")] == [True, True, False, False]
