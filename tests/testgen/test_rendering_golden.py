"""The form of rendered files, held by golden files. TDGEN_UPDATE_GOLDEN=1 writes them anew: then read the diff."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tdgen.specs.declarations import declare_types
from tdgen.testgen.rendering import node_ids, render_suite
from tdgen.testgen.rendering.formatting import ruff
from tdgen.types import After, Check, ExpectedException, Field, FileJob, Returns, SharedType, Tolerance, Value, World

GOLDEN = Path(__file__).parent / "golden"


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
        "notes": {"many_spaces": "Revised: the instruction says that spaces in a row count once."},
        "source": """
def slugify(title, separator="-"):
    if not isinstance(title, str):
        raise TypeError("not text")
    return separator.join(title.lower().split())
""",
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
        "source": "def count_words(text):\n    words = text.split()\n    return {word: words.count(word) for word in words}\n",
    },
    "printing": {
        "name": "greet",
        "module": "greetings",
        "parameters": {"name": "str"},
        "returns": "None",
        "cases": [
            given("by_name", "'Ada'", expectation=value("None"), stdout="Hello, Ada!\n"),
            given("nobody", "''", expectation=value("None"), stdout="Hello!\n", why="Without a name no comma."),
        ],
        "source": 'def greet(name):\n    print(f"Hello, {name}!" if name else "Hello!")\n',
    },
    "files": {
        "name": "number_lines",
        "module": "lines",
        "parameters": {"source": "str", "target": "str"},
        "returns": "int",
        "cases": [
            given(
                "two_lines",
                "'in.txt'",
                "'out.txt'",
                world=World(files={"in.txt": "a\nb\n"}),
                expectation=value("2"),
                files={"out.txt": "1 a\n2 b\n"},
            ),
            given(
                "in_a_folder",
                "'data/in.txt'",
                "'data/out.txt'",
                world=World(files={"data/in.txt": "é\n"}),
                expectation=value("1"),
                files={"data/out.txt": "1 é\n"},
            ),
            given("missing", "'in.txt'", "'out.txt'", expectation=raises("FileNotFoundError"), kind="error"),
        ],
        "source": """
def number_lines(source, target):
    with open(source, encoding="utf-8") as file:
        lines = file.readlines()
    with open(target, "w", encoding="utf-8") as file:
        file.writelines(f"{number} {line}" for number, line in enumerate(lines, start=1))
    return len(lines)
""",
    },
    "closures": {
        "name": "make_counter",
        "module": "counting",
        "parameters": {"start": "int = 0"},
        "returns": "Callable[[], int]",
        "cases": [
            given("first", call="make_counter(5)()", expectation=value("5")),
            given(
                "third",
                setup="count = make_counter()\nfor _ in range(2):\n    count()",
                call="count()",
                expectation=value("2"),
                why="Each call counts on.",
            ),
            given("apart", call="[make_counter(1)(), make_counter(1)()]", expectation=value("[1, 1]")),
        ],
        "source": "import itertools\n\n\ndef make_counter(start=0):\n    return itertools.count(start).__next__\n",
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
    "coroutines": {
        "name": "double_later",
        "module": "later",
        "parameters": {"number": "int"},
        "returns": "int",
        "cases": [
            given("small", call="asyncio.run(double_later(2))", expectation=value("4")),
            given("text", call="asyncio.run(double_later('a'))", expectation=raises("TypeError"), kind="error"),
        ],
        "source": """
import asyncio


async def double_later(number):
    await asyncio.sleep(0)
    return number + number if isinstance(number, int) else number * 2.0
""",
    },
    "worlds": {
        "name": "report",
        "module": "reports",
        "parameters": {},
        "returns": "str",
        "cases": [
            given(
                "all_of_it",
                world=World(
                    stdin="Ada\n", environment={"GREETING": "Hi"}, clock="2024-02-29T12:30:00", seed=7, files={}
                ),
                setup="draw = random.Random(7).randint(1, 6)",
                expectation=value("f'Hi Ada, 2024-02-29 at 12:30, {draw}'"),
            ),
            given(
                "in_another_zone",
                call="report()[-24:-3]",
                world=World(stdin="", clock="2024-12-31T23:59:00-02:00"),
                expectation=value("', 2025-01-01 at 01:59'"),
            ),
        ],
        "source": """
import os
import random
import sys
from datetime import date, datetime


def report():
    now = datetime.now()
    assert isinstance(now, datetime)
    name = sys.stdin.readline().strip()
    greeting = os.environ.get("GREETING", "Hello")
    return f"{greeting} {name}, {date.today().isoformat()} at {now:%H:%M}, {random.randint(1, 6)}"
""",
    },
    "checks": {
        "name": "arrange",
        "module": "arranging",
        "parameters": {"items": "list[str]", "reverse": "bool = False"},
        "returns": "list[str]",
        "cases": [
            given("some", "['b', 'a']", expectation=Check(source="sorted(result) == sorted(items)")),
            given("none", "[]", expectation=Check(source="sorted(result) == sorted(items)"), kind="edge"),
            given(
                "default",
                "['b', 'a']",
                expectation=Check(source="ordered = sorted(items, reverse=reverse)\nassert result == ordered"),
            ),
            given(
                "set_up",
                "words",
                setup="words = ['b', 'a', 'c']",
                expectation=Check(source="all(len(word) == 1 for word in result) and len(result) == len(words)"),
            ),
        ],
        "source": "def arrange(items, reverse=False):\n    items.sort(reverse=reverse)\n    return items\n",
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
    "in_place": {
        "name": "rotate",
        "module": "rotating",
        "parameters": {"items": "list[int]", "steps": "int"},
        "returns": "None",
        "cases": [
            given(
                "one_step",
                "items",
                "1",
                setup="items = [7, 8, 9]",
                expectation=value("None"),
                after=(After(expression="items", source="[9, 7, 8]"),),
            ),
            given(
                "same_list",
                setup="items = [1, 2]\nalias = items",
                call="rotate(items, 2)",
                expectation=value("None"),
                after=(After(expression="alias", source="[1, 2]"), After(expression="alias is items", source="True")),
            ),
        ],
        "source": """
def rotate(items, steps):
    for _ in range(steps):
        items.insert(0, items.pop())
""",
    },
}


@pytest.fixture(params=SCENARIOS)
def rendered(request, scenario):
    """A scenario by its name, and the file rendered from it."""
    made = scenario(**SCENARIOS[request.param])
    return request.param, made, render_suite(made.suite, made.spec, made.plan, made.notes)


def test_the_form_is_held(rendered, golden):
    """A file reads as its golden file does."""
    name, _, text = rendered
    golden(f"{name}.py", text)


def test_golden_files_are_formatted():
    """Ruff would change nothing in any of them."""
    command = [ruff(), "format", "--isolated", "--line-length", "100", "--check", str(GOLDEN)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_golden_file_is_a_scenario():
    """None is left over from a scenario that is gone."""
    assert {path.stem for path in GOLDEN.glob("*.py")} == set(SCENARIOS)


def test_a_right_implementation_passes(rendered, sandbox):
    """All of a file's tests pass on a right implementation, each case's under the id foretold, without a warning."""
    _, made, text = rendered
    file = f"test_{made.spec.name}.py"
    module = declare_types(made.plan) + made.source
    report = sandbox.run_files(FileJob(files={f"{made.plan.module}.py": module, file: text}, tests=(file,)))
    assert report.passed, report.log
    assert set(report.outcomes) == set(node_ids(made.suite, made.spec, made.plan).values())
    assert "warning" not in report.log
