"""A case's sources can't break out of the place that they are rendered into, whatever a model wrote."""

from __future__ import annotations

import ast

import pytest

from tdgen.pytest_files import render_suite
from tdgen.types import Check, ExpectedException, Suite, Value, World


@pytest.fixture
def one(scenario):
    """A scenario with one case of `f(x)` that returns what it is given."""

    def make(**case):
        case = {"name": "case", "arguments": ("1",), "expectation": Value(source="1")} | case
        return scenario("f", {"x": "object"}, "object", [case], source="def f(x=None, **more):\n    return x\n")

    return make


SAME = [
    '"""two\nlines"""',
    r"'back\\slash \x00 \N{BULLET}'",
    "'quotes \\' and \" and \\'\\'\\''",
    "'é ü ☃ \U0001f600'",
    "'# no comment'",
    "'a'  # a comment",
    "[1,\n  2,  # two\n]",
    "1_000_000",
    "b'\\xff\\x00'",
    "f'{1}\\n{2!r:>5}'",
    "f'''two\nlines {1}'''",
    "1e999",
    "'\\ud800'",
    "1, 2",
    "(lambda a, /, *b: (a, b))(1, 2)",
    "'\\d'",
    "' trailing backslash \\\\'",
    "...",
    "-1",
    "{**{'a': 1}, 'b': [*range(3)]}",
    "'\u202e backwards'",
]


@pytest.mark.parametrize("source", SAME)
def test_a_value_survives_its_way_into_the_file(source, one, run):
    """What a source means by itself it means in the file, as an argument and as what is expected."""
    report = run(one(arguments=(source if source != "1, 2" else "(1, 2)",), expectation=Value(source=source)))
    assert report.passed, report.log


@pytest.mark.parametrize("source", SAME)
def test_a_table_takes_it_too(source, scenario, run):
    """The same in a table's cells."""
    source = source if source != "1, 2" else "(1, 2)"
    cases = [{"name": str(n), "arguments": (source,), "expectation": Value(source=source)} for n in range(2)]
    report = run(scenario("f", {"x": "object"}, "object", cases, source="def f(x):\n    return x\n"))
    assert report.passed, report.log
    assert len(report.outcomes) == 2


NO_STATEMENTS = [
    "1)",
    "1) or f(2",
    "(yield 1)",
    "await f(1)",
    "*[1]",
    "'\x00'",
    "'\ud800'",
    "if",
    "'unclosed",
    "(" * 300 + ")" * 300,
    "]; import os; [",
    "no_such_name",
    "[x async for x in y]",
]
NO_EXPRESSIONS = [*NO_STATEMENTS, "1\nimport os", "x = 1", "1; 2", "pass"]


@pytest.mark.parametrize("source", [*NO_EXPRESSIONS, ""])
def test_a_value_is_an_expression(source, one):
    """ValueError names what is wrong; no file is rendered."""
    with pytest.raises(ValueError, match=r"case|name"):
        assert one(expectation=Value(source=source)).rendered


@pytest.mark.parametrize("source", NO_EXPRESSIONS)
def test_a_call_is_an_expression(source, one):
    """The same of a call of the case's own."""
    with pytest.raises(ValueError, match=r"case|name"):
        assert one(call=source).rendered


@pytest.mark.parametrize("source", NO_STATEMENTS)
def test_a_check_is_python(source, one):
    """A check may be statements, but none that change the test around them."""
    with pytest.raises(ValueError, match=r"case|name"):
        assert one(expectation=Check(source=source)).rendered


@pytest.mark.parametrize("source", ["1, 2", "1) + (2", "1)(2", "a=1, b=2", "", "1 # )\n, 2", "x=yield"])
def test_an_argument_is_one_argument(source, one):
    """Nothing passes for more arguments than one, or for none."""
    with pytest.raises(ValueError, match="case 'case'"):
        assert one(arguments=(source,)).rendered


def test_arguments_by_name_and_unpacked(one, run):
    """`name=value`, `*values` and `**values` are arguments."""
    for given in ("x=1", "*[1]", "**{'x': 1}"):
        assert run(one(arguments=(given,))).passed


@pytest.mark.parametrize("setup", ["return", "yield 1", "global f", "from os import *", "io = 3", "if"])
def test_a_setup_that_would_change_the_test_is_refused(setup, one):
    """Statements that end the test, make it a generator or change the file."""
    with pytest.raises(ValueError, match="case 'case'"):
        assert one(setup=setup).rendered


def test_a_setup_of_many_kinds(one, run):
    """Definitions, imports, loops and texts of several lines stand in a test's body as they are."""
    setup = (
        "import json as j\nfrom os import path\n"
        'def helper(a):\n    """Doc.\n\n    More."""\n    return a\n'
        "class Box:\n    size = 2\n"
        "text = f'''a\n  b{1}\n'''\n"
        "for n in range(3):\n    total = n"
    )
    call = "f((helper(text), Box.size, total, j.dumps(1), path.sep))"
    report = run(one(setup=setup, call=call, arguments=(), expectation=Value(source="('a\\n  b1\\n', 2, 2, '1', '/')")))
    assert report.passed, report.log


@pytest.mark.parametrize("name", ["", "a b\n'\"", "é", "test_f", "]]]", "x" * 500, "import"])
def test_any_name_makes_a_test(name, one, run):
    """A case's name becomes a harmless identifier."""
    assert run(one(name=name)).passed


def test_equal_names_make_different_tests(scenario, run):
    """Names that become the same identifier are told apart."""
    cases = [{"name": name, "call": "f(1)", "expectation": Value(source="1")} for name in ("a b", "a-b", "a_b")]
    report = run(scenario("f", {"x": "int"}, "int", cases, source="def f(x):\n    return x\n"))
    assert len(report.outcomes) == 3
    assert report.passed


@pytest.mark.parametrize("words", ['"""', "\\", 'ends in "', "a\nimport os\n", "\x00\ud800\u202e", "# " * 200])
def test_prose_stays_prose(words, scenario, run):
    """Purposes, reasons and remarks are comments and docstrings, and nothing else."""
    case = {"name": "a", "arguments": ("1",), "expectation": Value(source="1"), "why": words}
    made = scenario("f", {"x": "int"}, "int", [case], purpose=words, source="def f(x):\n    return x\n")
    assert run(made).passed
    assert not any(isinstance(node, ast.Import) for node in ast.walk(ast.parse(made.rendered)))


@pytest.mark.parametrize("path", ["/etc/passwd", "../up", "a/../../b", "", "nul\0"])
def test_files_stay_in_the_folder(path, one):
    """A path out of the test's folder is refused, to be written and to be read."""
    for fields in ({"world": World(files={path: "x"})}, {"files": {path: "x"}}):
        with pytest.raises(ValueError, match="case 'case'"):
            assert one(**fields).rendered


@pytest.mark.parametrize("kind", ["ValueError)", "1", "Value Error", "f()", "(ValueError, KeyError)", ""])
def test_an_exception_is_named(kind, one):
    """Only a name, perhaps with dots, can be expected to be raised."""
    with pytest.raises(ValueError, match="case 'case'"):
        assert one(expectation=ExpectedException(type=kind)).rendered


@pytest.mark.parametrize("match", ['"', "'", "\\d+", "a\\\\", "\n", "r'", '\\"', "é", "\\Z"])
def test_a_pattern_is_text(match, one, run):
    """Whatever is in a pattern, the file searches for exactly that."""
    made = one(expectation=ExpectedException(type="ValueError", match=match))
    assert repr(match) in repr([n.value for n in ast.walk(ast.parse(made.rendered)) if isinstance(n, ast.Constant)])


def test_names_that_pytest_would_collect(scenario, run):
    """A function under test whose name begins as a test's is not taken for one."""
    case = {"name": "five", "arguments": ("5",), "expectation": Value(source="6")}
    made = scenario("test_score", {"x": "int"}, "int", [case], source="def test_score(x):\n    return x + 1\n")
    assert list(run(made).outcomes.values()) == ["passed"]


def test_a_parameter_may_have_any_name(scenario, run):
    """Columns named as fixtures, as the function or as the table's own columns get other names."""
    names = ("expected", "request", "result", "f", "match", "pytest")
    cases = [{"name": str(n), "arguments": tuple("123456"), "expectation": Value(source="21")} for n in range(2)]
    source = f"def f({', '.join(names)}):\n    return 21\n"
    assert run(scenario("f", dict.fromkeys(names, "int"), "int", cases, source=source)).passed


def test_a_suite_without_cases_is_a_file(scenario):
    """Nothing to state is stated as nothing."""
    made = scenario("f", {}, "int", [])
    assert render_suite(Suite(function="f", cases=()), made.spec, made.plan).startswith('"""Tests of f')
