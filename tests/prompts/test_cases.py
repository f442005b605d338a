"""Cases as prompts tell them: nothing of them left out, nothing added."""

from __future__ import annotations

import pytest

from tdgen.prompts.cases import LONGEST_TEXT, call_text, case_text, cases_text
from tdgen.types import (
    After,
    Case,
    Check,
    Exits,
    ExpectedException,
    Pattern,
    Tolerance,
    Value,
    World,
)


def case(**more) -> Case:
    return Case(
        **{"name": "it", "function": "rank", "arguments": ("['a']",), "expectation": Value(source="{'a': 1}")} | more
    )


TOLD = {
    "a value": (case(), "- it: `rank(['a'])` returns `{'a': 1}`"),
    "a value that may be off": (
        case(expectation=Value(source="0.5", tolerance=Tolerance(rel=0.01))),
        "- it: `rank(['a'])` returns `0.5` (within 0.01 relative, 1e-12 absolute)",
    ),
    "an exception": (
        case(expectation=ExpectedException(type="ValueError", match="twice")),
        "- it: `rank(['a'])` raises ValueError with a message that matches 'twice'",
    ),
    "a check": (
        case(expectation=Check(source="len(result) == 1")),
        "- it: `rank(['a'])` returns a result for which `len(result) == 1` holds",
    ),
    "a setup": (
        case(setup="x = 1\ny = 2"),
        "- it: `rank(['a'])` returns `{'a': 1}`\n  after setup:\n      x = 1\n      y = 2",
    ),
    "a world": (
        case(world=World(files={"a.txt": "hi"}, stdin="in", environment={"A": "b"}, clock="2020-01-01", seed=0)),
        "- it: `rank(['a'])` returns `{'a': 1}`\n  with the file 'a.txt': 'hi'\n  with stdin 'in'\n"
        "  with the environment variable A='b'\n  with the clock standing at 2020-01-01\n  with random.seed(0)",
    ),
    "what is observed beside the result": (
        case(stdout="hi\n", files={"b.txt": "ho"}, after=(After(expression="x", source="2"),)),
        "- it: `rank(['a'])` returns `{'a': 1}`\n  and prints to stdout 'hi\\n'\n"
        "  and afterwards the file 'b.txt' holds 'ho'\n"
        "  and afterwards `x` gives `2`",
    ),
    "bytes": (
        case(world=World(files={"a": b"\xff" * 5000}, stdin=b"\0"), files={"b": b"\x89"}),
        "- it: `rank(['a'])` returns `{'a': 1}`\n  with the file 'a': b'"
        + "\\xff" * LONGEST_TEXT
        + "', … 5,000 bytes in all\n  with stdin b'\\x00'\n  and afterwards the file 'b' holds b'\\x89'",
    ),
    "letters that look like others": (
        case(arguments=("['e\u0301', '\xe9']",), world=World(files={"a\u0301": "\xa0"}), stdout="e\u0301"),
        "- it: `rank(['e\\u0301', '\xe9'])` returns `{'a': 1}`\n  with the file 'a\\u0301': '\\xa0'\n"
        "  and prints to stdout 'e\\u0301'",
    ),
    "a pattern": (
        case(stdout="", stderr=Pattern(match=r"line \d")),
        "- it: `rank(['a'])` returns `{'a': 1}`\n  and prints nothing to stdout\n"
        "  and prints to stderr a text in which 'line \\\\d' is found",
    ),
}


@pytest.mark.parametrize(("given", "text"), TOLD.values(), ids=TOLD)
def test_a_case_is_told_whole(given, text):
    """All that decides about it."""
    assert case_text(given) == text


def test_a_call_is_told_without_what_must_come_of_it():
    """Nor its name, which may tell: only what is done, and in which situation."""
    told = call_text(case(name="duplicates_raise", setup="x = 1", world=World(stdin="in")).done)
    assert told == "`rank(['a'])`\n  after setup: `x = 1`\n  with stdin 'in'"


def test_a_long_setup_is_told_once():
    """Of cases that share it each after the first names that one; a short one stands with each."""
    long = "\n".join(f"names_{n} = ['{n}']" for n in range(5))
    told = cases_text([case(name="one", setup=long), case(name="two", setup=long), case(name="three", setup="x = 1")])
    assert told.count("names_4 = ['4']") == 1
    assert "- two: `rank(['a'])` returns `{'a': 1}`\n  after the setup of one\n" in told
    assert "  after setup: `x = 1`" in told


def test_helpers_that_setups_share_are_told_once():
    """What else stands in each setup stays; a short statement is told with each."""
    helper = "def named(*names):\n    return [name.strip() for name in names if name.strip()]"
    setups = {"one": f"{helper}\nx = named('a')", "two": f"x = 1\n{helper}\nx = named('b')", "three": "x = 1"}
    told = cases_text([case(name=name, setup=setup) for name, setup in setups.items()])
    assert told.count("name.strip() for name") == 1
    assert "  after setup:\n      x = 1\n      # as in one: def named(*names):\n      x = named('b')\n" in told
    assert told.endswith("  after setup: `x = 1`")


def test_numbered_cases_that_differ_in_their_calls_alone_are_told_as_one():
    """Inputs that are rejected alike take no line each; what observes something else stands by itself."""
    bad = [
        case(name=f"bad_{n}", arguments=(f"[{n}]",), expectation=ExpectedException(type="ValueError")) for n in (1, 3)
    ]
    told = cases_text([*bad, case(name="bad_4", arguments=("[4]",), expectation=ExpectedException(type="TypeError"))])
    assert told == (
        "- bad_1, _3: `rank([1])`, `rank([3])` each raises ValueError\n- bad_4: `rank([4])` raises TypeError"
    )


def test_so_are_the_command_lines_of_a_script():
    """What they share, such as the usage on stderr, is told once."""
    usage = {"arguments": (), "call": "main()", "expectation": Exits(code=2), "stderr": "usage\n"}
    lines = [case(name=f"wrong_{n}", world=World(script=words), **usage) for n, words in ((1, ()), (2, ("a", "b")))]
    assert cases_text(lines) == (
        "- wrong_1, _2: `python MODULE.py`, `python MODULE.py a b` each ends with exit code 2\n"
        "  and prints to stderr 'usage\\n'"
    )
