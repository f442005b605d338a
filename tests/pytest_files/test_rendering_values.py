"""How values and exceptions are rendered, held by golden files."""

from __future__ import annotations

import pytest

from tdgen.types import ExpectedException, Field, Returns, SharedType, Tolerance, Value


def value(source, **options):
    return Value(source=source, **options)


def raises(kind, match=""):
    return ExpectedException(type=kind, match=match)


def given(name, *arguments, **fields):
    return {"name": name, "arguments": arguments, **fields}


SCENARIOS = {
    "values_and_errors": {
        "name": "slugify",
        "module": "slugs",
        "purpose": "Turn a title into the part of an address that names it.",
        "parameters": {"title": "str", "separator": "str = '-'"},
        "returns": "str",
        "cases": [
            given("empty", "''", expectation=value("''"), why="Nothing stays nothing."),
            given(
                "two_words",
                "'Hello World'",
                expectation=value("'hello-world'"),
                provenance="instruction",
                why='"Hello World" becomes hello-world',
            ),
            given("many_spaces", "'a   b'", expectation=value("'a-b'"), kind="edge"),
            given("other_separator", "'a b'", "separator='_'", expectation=value("'a_b'")),
            given("empty_separator", "'a b'", "separator=''", expectation=value("'ab'")),
            given("number", "5", expectation=raises("TypeError", r"not \w+"), kind="error"),
            given("nothing", "None", expectation=raises("TypeError"), kind="error"),
        ],
        "source": """
def slugify(title, separator="-"):
    if not isinstance(title, str):
        raise TypeError("not text")
    return separator.join(title.lower().split())
""",
    },
    "look_alikes": {
        "name": "count_letters",
        "module": "letters",
        "parameters": {"text": "str"},
        "returns": "int",
        "cases": [
            given("composed", "'\xe9'", expectation=value("1")),
            given("decomposed", "'e\u0301'", expectation=value("2")),
            given("blanks", "'\xa0\u200b'", expectation=value("2")),
            given("raw", "r'e\u0301'", expectation=value("2")),
            given("party", "'🎉'", expectation=value("1")),
            given("printed", "'e\u0301'", expectation=value("2"), stdout="e\u0301\n", why="It prints 'e\u0301'."),
        ],
        "source": "def count_letters(text):\n    print(text)\n    return len(text)\n",
    },
    "floats": {
        "name": "mean",
        "module": "stats",
        "purpose": "The arithmetic mean.",
        "parameters": {"values": "list[float]"},
        "returns": "float",
        "cases": [
            given("halves", "[0.5, 1.5, 2.5]", expectation=value("1.5")),
            given("tenths", "[0.1, 0.2, 0.3]", expectation=value("0.2")),
            given("rough", "[1.0, 2.0, 2.0]", expectation=value("1.667", tolerance=Tolerance(rel=1e-3))),
            given("whole", "[1, 2, 6]", expectation=value("3")),
            given("zero", "[-1.0, 1.0]", expectation=value("0.0")),
            given("infinite", "[float('inf'), 1.0]", expectation=value("float('inf')")),
            given("empty", "[]", expectation=raises("ValueError"), kind="error"),
        ],
        "source": """
def mean(values):
    if not values:
        raise ValueError("no values")
    return sum(values) / len(values)
""",
    },
    "alike_floats": {
        "name": "third",
        "module": "parts",
        "parameters": {"number": "float"},
        "returns": "float",
        "cases": [
            given("of_one", "1", expectation=value("0.3333333333333333")),
            given("of_two", "2.0", expectation=value("0.6666666666666666")),
        ],
        "source": "def third(number):\n    return number / 3\n",
    },
    "lists_of_floats": {
        "name": "scaled",
        "module": "stats",
        "parameters": {"values": "list[float]", "factor": "float"},
        "returns": "list[float]",
        "cases": [
            given("by_a_third", "[0.3, 0.6]", "1 / 3", expectation=value("[0.1, 0.2]")),
            given("by_zero", "[0.3, 0.6]", "0", expectation=value("[0.0, 0.0]")),
            given("empty", "[]", "2", expectation=value("[]"), kind="edge"),
        ],
        "source": "def scaled(values, factor):\n    return [value * factor for value in values]\n",
    },
    "bools": {
        "name": "is_leap",
        "module": "years",
        "parameters": {"year": "int"},
        "returns": "bool",
        "cases": [
            given("common", "2023", expectation=value("False")),
            given("fourth", "2024", expectation=value("True")),
            given("century", "1900", expectation=value("False")),
            given("fourth_century", "2000", expectation=value("True")),
        ],
        "source": "def is_leap(year):\n    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)\n",
    },
    "ints": {
        "name": "find",
        "module": "searching",
        "parameters": {"items": "list[int]", "wanted": "int"},
        "returns": "int | None",
        "cases": [
            given("first", "[4, 5, 6]", "4", expectation=value("0")),
            given("last", "[4, 5, 6]", "6", expectation=value("2")),
            given("absent", "[4, 5, 6]", "7", expectation=value("None")),
            given("empty", "[]", "7", expectation=value("None"), kind="edge"),
        ],
        "source": "def find(items, wanted):\n    return items.index(wanted) if wanted in items else None\n",
    },
    "counts": {
        "name": "count_words",
        "module": "words",
        "parameters": {"text": "str"},
        "returns": "dict[str, int]",
        "cases": [
            given("twice", "'a b a'", expectation=value("{'a': 2, 'b': 1}")),
            given("empty", "''", expectation=value("{}"), kind="edge"),
        ],
        "source": "def count_words(text):\n    words = text.split()\n    return {w: words.count(w) for w in words}\n",
    },
    "iterators": {
        "name": "chunks",
        "module": "pieces",
        "parameters": {"items": "Iterable[int]", "size": "int"},
        "returns": "Iterator[tuple[int, ...]]",
        "cases": [
            given("even", "[7, 8, 9, 6]", "2", expectation=value("[(7, 8), (9, 6)]")),
            given("rest", "(7, 8, 9)", "2", expectation=value("((7, 8), (9,))")),
            given("empty", "[]", "2", expectation=value("[]"), kind="edge"),
            given(
                "endless",
                call="list(islice(chunks(itertools.count(), 2), 2))",
                expectation=value("[(0, 1), (2, 3)]"),
            ),
        ],
        "source": """
import itertools


def chunks(items, size):
    rest = iter(items)
    while chunk := tuple(itertools.islice(rest, size)):
        yield chunk
""",
    },
    "shared_types": {
        "name": "place",
        "module": "boards",
        "parameters": {"stone": "Stone", "at": "Point"},
        "returns": "Move",
        "types": (
            SharedType(
                name="Stone",
                kind="enum",
                fields=(Field(name="BLACK", default="'b'"), Field(name="WHITE", default="'w'")),
            ),
            SharedType(
                name="Point",
                kind="dataclass",
                frozen=True,
                fields=(Field(name="x", type="int"), Field(name="y", type="int")),
            ),
            SharedType(
                name="Move",
                kind="named_tuple",
                fields=(Field(name="stone", type="Stone"), Field(name="at", type="Point")),
            ),
            SharedType(name="OffBoard", kind="exception", base="ValueError"),
        ),
        "cases": [
            given("inside", "Stone.BLACK", "Point(3, 4)", expectation=value("Move(Stone.BLACK, Point(3, 4))")),
            given("corner", "Stone.WHITE", "Point(0, 0)", expectation=value("Move(Stone.WHITE, Point(0, 0))")),
            given("outside", "Stone.WHITE", "Point(-1, 0)", expectation=raises("OffBoard", "-1"), kind="error"),
        ],
        "source": """
def place(stone, at):
    if at.x < 0:
        raise OffBoard(at.x)
    return Move(stone, at)
""",
    },
    "nested": {
        "name": "grid",
        "module": "grids",
        "parameters": {"rows": "int"},
        "returns": "list[list[float]]",
        "cases": [
            given("one", "1", expectation=value("[[0.0, 0.5]]")),
            given("two", "2", expectation=value("[[0.0, 0.5], [float('nan'), 1.0]]")),
            given("none", "0", expectation=value("[]"), kind="edge"),
        ],
        "source": """
def grid(rows):
    return [[0.0, 0.5], [float("nan"), 1.0]][:rows]
""",
    },
    "any_order": {
        "name": "anagrams",
        "module": "letters",
        "parameters": {"words": "list[str]"},
        "returns": Returns(type="list[str]", unordered=True),
        "cases": [
            given("pair", "['ab', 'ba', 'c']", expectation=value("['ab', 'ba']")),
            given("none", "['ab', 'c']", expectation=value("[]")),
        ],
        "source": """
def anagrams(words):
    return [word for word in reversed(words) if sum(sorted(word) == sorted(other) for other in words) > 1]
""",
    },
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_form_is_held(name, scenario, golden):
    """A file reads as its golden file does."""
    golden(name, scenario(**SCENARIOS[name]).rendered)


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_right_implementation_passes(name, scenario, passes):
    """All of a file's tests pass on a right implementation, each case's under the id foretold, without a warning."""
    assert passes(scenario(**SCENARIOS[name]))
