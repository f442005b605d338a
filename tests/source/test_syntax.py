"""Python is read in one place, by one thread at a time, and never run.

Lines as the parser counts them.
"""

from __future__ import annotations

import ast
import gc
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest

import tdgen
from tdgen.source.syntax import (
    bindings,
    expression,
    expression_or_none,
    is_literal,
    line_starts,
    lines_of,
    literal,
    parse,
    parses,
    walk,
    whole_lines,
)

UNREADABLE = {
    "no Python": "def f(:",
    "a NUL byte": "x = '\0'",
    "a lone surrogate": "x = '\ud800'",
    "nested too deeply": "(" * 500 + ")" * 500,
    "nested too deeply for its tree": "-" * 50_000 + "1",
}


def test_a_module_is_read_as_a_tree():
    """Nothing of it is run."""
    assert ast.unparse(parse("import nowhere\nraise  SystemExit")) == "import nowhere\nraise SystemExit"
    assert parses("raise SystemExit")


@pytest.mark.parametrize("source", UNREADABLE.values(), ids=UNREADABLE)
def test_what_the_parser_cannot_read_is_a_syntax_error(source):
    """Whatever the parser itself says of it: so callers have one thing to catch."""
    assert not parses(source)
    with pytest.raises(SyntaxError):
        parse(source)
    with pytest.raises(SyntaxError):
        expression(source)
    with pytest.raises(ValueError, match="not a literal"):
        literal(source)


def test_an_expression_is_read_without_the_white_space_around_it():
    """Models indent what they quote."""
    assert ast.unparse(expression("\n   f( 1 )\n")) == "f(1)"


@pytest.mark.parametrize("source", ["", "x = 1", "f(1); f(2)", "pass"])
def test_a_statement_is_no_expression(source):
    """Nor is nothing."""
    assert expression_or_none(source) is None
    with pytest.raises(SyntaxError):
        expression(source)


@pytest.mark.parametrize("source", ["-1", " 'a'\n", "[1, (2.5, None)]", "{'a': {1, 2}}", "1 + 2j"])
def test_a_literal_has_a_value(source):
    """From its source or from its tree."""
    assert is_literal(source)
    assert literal(source) == literal(expression(source)) == eval(source)


@pytest.mark.parametrize("source", ["f()", "name", "1 + 1", "{[]: 1}", "{{}}", "x = 1"])
def test_what_is_no_literal_is_a_value_error(source):
    """A literal that has no value, for want of a hash, is one of these."""
    assert not is_literal(source)
    with pytest.raises(ValueError, match="not a literal"):
        literal(source)


def test_warnings_about_a_source_reach_nobody():
    """They would be about a model's code, on the user's terminal."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        parse("1 is 1\n'\\d'")
        expression("'\\d'")
        literal("'\\d'")
    assert seen == []


def test_threads_may_parse_at_once_whatever_the_garbage_collector_calls():
    """A callback lets another thread in, in the middle of a tree: CPython 3.11 can then lose count of its depth."""
    source = "\n".join(f"def f{n}(x):\n    return [x + {n}, (x, {n}), {{x: [{n}]}}]" for n in range(100))

    def let_others_in(_phase: str, _info: dict[str, int]) -> None:
        time.sleep(0)

    threshold = gc.get_threshold()
    gc.callbacks.append(let_others_in)
    gc.set_threshold(20)
    try:
        with ThreadPoolExecutor(4) as pool:
            trees = list(pool.map(parse, [source] * 24))
            values = list(pool.map(literal, [f"[{'[1, (2, 3)], ' * 200}]"] * 24))
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(let_others_in)
    assert all(len(tree.body) == 100 for tree in trees)
    assert all(len(value) == 200 for value in values)


ELSEWHERE = {
    "tdgen/source/syntax.py": "the one home",
    "tdgen/build/digesting.py": "its text is a module that a sandbox is given",
    "tdgen/build/screening.py": "as is this one's",
    "tdgen/languages/bridge.py": "as is this one's",
    "tdgen/languages/page/driver.py": "as is this one's",
    "tdgen/languages/fullstack/service.py": "as is this one's",
}


def test_nothing_else_calls_the_parser():
    """Beside programs of the sandbox, which have one thread each."""
    root = Path(tdgen.__file__).parent
    found = {
        f"{path.relative_to(root.parent)}:{node.lineno}"
        for path in root.rglob("*.py")
        if not {"inside", "in_project"} & {*path.parts} and str(path.relative_to(root.parent)) not in ELSEWHERE
        for node in ast.walk(parse(path.read_text()))
        if _calls_the_parser(node)
    }
    assert found == set()


def _calls_the_parser(node: ast.AST) -> bool:
    """`ast.parse`, `ast.literal_eval` or `compile`, by any name that an import gives it."""
    match node:
        case ast.Attribute(value=ast.Name(id="ast" | "builtins"), attr="parse" | "literal_eval" | "compile"):
            return True
        case ast.Call(func=ast.Name(id="compile")):
            return True
        case ast.Import(names=names):
            return any(name.name in ("ast", "builtins") and name.asname for name in names)
        case ast.ImportFrom(module="ast" | "builtins", names=names):
            return any(name.name in ("parse", "literal_eval", "compile", "*") for name in names)
    return False


SOURCES = [
    "",
    "x = 1",
    "x = 1\n",
    "x = 1\r\ny = 2\rz = 3\n\n",
    "x = '\x0c \x0b \x1c \x85 \u2028'\ny = 2\n",
    "\x0cx = 1\ny = 'ä'\n",
    "x = '''\r\na\r'''\ny = 2",
]


@pytest.mark.parametrize("source", SOURCES)
def test_trees_and_lines_count_alike(source):
    """Each statement's text is found at its tree's line, by number and by offset; joined, the lines are the source."""
    data, starts = source.encode(), line_starts(source.encode())
    for node in ast.parse(source).body:
        first, last = starts[node.lineno - 1], starts[node.end_lineno - 1]
        text = data[first + node.col_offset : last + node.end_col_offset]
        assert ast.dump(ast.parse(text)) == ast.dump(ast.Module([node], []))
        assert lines_of(source)[node.lineno - 1].encode()[node.col_offset :].startswith(text.splitlines()[0])
    assert "".join(whole_lines(source)) == source
    assert [len(line.encode()) for line in whole_lines(source)] == [end - start for start, end in pairwise(starts)]


@pytest.mark.parametrize("name", ["source/syntax.py", "sandbox/inside/forker.py"])
def test_a_walk_is_that_of_the_standard_library(name: str) -> None:
    """Each node once, and in the same order."""
    tree = parse((Path(tdgen.__file__).parent / name).read_text())
    assert walk(tree) == list(ast.walk(tree))


SOURCE = """
from __future__ import annotations
import re
import numpy as np
import os.path
from decimal import Decimal as D
from . import rates
from .money import Money
from ..base import Base

try:
    from fast import quick
except ImportError:
    quick = None

if True:
    LIMIT: int = 3

a, (b, c) = 1, (2, 3)


def total(items): ...


class Cart: ...
"""


def test_each_name_has_the_line_that_imports_it_elsewhere():
    """Relative imports are told as absolute ones."""
    lines = {one.name: one.line for one in bindings(SOURCE, "shop.pricing.cart").values()}
    assert lines == {
        "re": "import re",
        "np": "import numpy as np",
        "os": "import os.path",
        "D": "from decimal import Decimal as D",
        "rates": "from shop.pricing import rates",
        "Money": "from shop.pricing.money import Money",
        "Base": "from shop.base import Base",
        "quick": "from shop.pricing.cart import quick",
        "LIMIT": "from shop.pricing.cart import LIMIT",
        "a": "from shop.pricing.cart import a",
        "b": "from shop.pricing.cart import b",
        "c": "from shop.pricing.cart import c",
        "total": "from shop.pricing.cart import total",
        "Cart": "from shop.pricing.cart import Cart",
    }


def test_what_is_defined_there_is_told_from_what_is_imported():
    """A test imports the one from here, and the other from where it is at home."""
    found = bindings(SOURCE, "shop.pricing.cart")
    assert {name for name, one in found.items() if one.is_own} == {"quick", "LIMIT", "a", "b", "c", "total", "Cart"}


def test_in_a_package_a_dot_is_the_package_itself():
    """Not the one above it, as in a module."""
    assert bindings("from .money import Money", "shop", is_package=True)["Money"].line == "from shop.money import Money"
