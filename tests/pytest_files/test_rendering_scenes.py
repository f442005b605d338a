"""How cases that need a test function of their own are rendered, held by golden files."""

from __future__ import annotations

import pytest

from tdgen.types import After, Check, ExpectedException, Pattern, Value, World


def value(source, **options):
    return Value(source=source, **options)


def raises(kind, match=""):
    return ExpectedException(type=kind, match=match)


def given(name, *arguments, **fields):
    return {"name": name, "arguments": arguments, **fields}


SCENARIOS = {
    "printing": {
        "name": "greet",
        "module": "greetings",
        "parameters": {"name": "str"},
        "returns": "None",
        "cases": [
            given("by_name", "'Ada'", expectation=value("None"), stdout="Hello, Ada!\n"),
            given("nobody", "''", expectation=value("None"), stdout="Hello!\n", why="Without a name no comma."),
            given("somehow", "'Bo'", expectation=value("None"), stdout=Pattern(match=r"\bBo\b")),
            given("complaint", "7", expectation=value("None"), stdout="", stderr=Pattern(match="7")),
            given(
                "names_of_its_own",
                "printed",
                setup="printed = 8",
                expectation=value("None"),
                stdout="",
                stderr="8 is no name\n",
            ),
            given(
                "refused",
                "raised",
                setup="raised = None",
                expectation=raises("ValueError"),
                after=[After(expression="str(error)", source="'no name'")],
            ),
        ],
        "source": """
import sys


def greet(name):
    if isinstance(name, int):
        print(f"{name} is no name", file=sys.stderr)
    elif name is None:
        raise ValueError("no name")
    else:
        print(f"Hello, {name}!" if name else "Hello!")
""",
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
            given(
                "no_text",
                "'in.bin'",
                "'out.bin'",
                world=World(files={"in.bin": b"\xff\n"}, stdin=b"\xfe"),
                expectation=raises("UnicodeDecodeError"),
                files={"in.bin": b"\xff\n"},
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
            given("pair", call="(make_counter(1)(), make_counter(2)())", expectation=value("(1, 2)")),
            given("sum", call="(make_counter(1)()) + (make_counter(2)())", expectation=value("3")),
            given("several", call="{n: make_counter(n)() for n in (1, 2)}", expectation=value("{1: 1, 2: 2}")),
        ],
        "source": "import itertools\n\n\ndef make_counter(start=0):\n    return itertools.count(start).__next__\n",
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


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_form_is_held(name, scenario, golden):
    """A file reads as its golden file does."""
    golden(name, scenario(**SCENARIOS[name]).rendered)


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_right_implementation_passes(name, scenario, passes):
    """All of a file's tests pass on a right implementation, each case's under the id foretold, without a warning."""
    assert passes(scenario(**SCENARIOS[name]))
