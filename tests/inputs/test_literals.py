"""Values as source and back, with nothing being run."""

from __future__ import annotations

import ast

import pytest

from tdgen.inputs.literals import Unreadable, blobs, read, written
from tdgen.values.shapes import Constructed, Word

SAME = [
    "1", "-1.5", "'a\\n'", "b'\\x00'", "True", "None", "[1, [2]]", "(1,)", "()", "{1, 2}", "set()", "{'a': (1, 2)}",
    "frozenset({1})", "frozenset()", "float('inf')", "float('nan')", "decimal.Decimal('1.50')",
    "fractions.Fraction(1, 3)", "datetime.date(2024, 2, 29)", "datetime.datetime(2024, 2, 29, 12, 0)",
    "[datetime.timedelta(days=1)]",
    "pathlib.Path('a/b.txt')", "Point(1, label='a')",
    "Color.RED", "[Point([1])]", "1j", "deque([1, 2])", "datetime(2024, 1, 1, tzinfo=timezone.utc)",
]  # fmt: skip


@pytest.mark.parametrize("source", SAME)
def test_what_is_read_is_written_as_it_was(source):
    """Containers, numbers, times, shared types and enums' members."""
    assert written(read(ast.parse(source, mode="eval").body, {"Point", "Color"})) == source


OTHERWISE = {
    "0x10": "16",
    "set([3, 1])": "{1, 3}",
    "{'b', 'a'}": "{'a', 'b'}",
    "math.inf": "float('inf')",
    "-math.pi": None,
    "date(2024, 1, 2)": "datetime.date(2024, 1, 2)",
    "date(2024, 13, 1)": "date(2024, 13, 1)",
    "[*x]": None,
    "x": None,
    "print(1)": None,
    "__import__('os')": None,
    "Other(1)": None,
    "1 + 1": None,
    "...": None,
    "{[]: 1}": None,
}


@pytest.mark.parametrize(("source", "expected"), OTHERWISE.items())
def test_one_spelling_for_each_value_and_none_for_what_must_be_run(source, expected):
    """A set's items stand in order; what no table knows is no value."""
    try:
        told = written(read(ast.parse(source, mode="eval").body))
    except Unreadable:
        told = None
    assert told == expected


def test_a_class_is_named_bare_where_the_setup_imports_it():
    """Else by its module, which is there: so that the call can be pasted; none where that name means something else."""
    day = read(ast.parse("date(2024, 1, 2)", mode="eval").body)
    assert written([day], {"date"}) == "[date(2024, 1, 2)]"
    assert written({"a": day}, {"Path"}) == "{'a': datetime.date(2024, 1, 2)}"
    with pytest.raises(Unreadable):
        written(day, {"datetime"})


def test_records_are_data():
    """A constructor's call with its parts, and a member's name."""
    assert read(ast.parse("Point(1, label='a')", mode="eval").body, {"Point"}) == Constructed(
        "Point", (1,), (("label", "a"),)
    )
    assert read(ast.parse("Color.RED", mode="eval").body, {"Color"}) == Word("Color.RED")


def test_each_of_the_first_bytes_is_left_out():
    """Of a line end of two, each by itself; of many bytes only the first few."""
    assert {b"\xff\r\x00", b"\xff\n\x00", b"\xff\r\n"} <= set(blobs(b"\xff\r\n\x00"))
    assert len(list(blobs(bytes(range(200))))) < 25
