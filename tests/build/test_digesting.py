"""Sources of the same byte code, told by a digest: computed in the sandbox, from a module of the standard library."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from tdgen.build import digesting
from tdgen.types import Job, Probe
from tdgen.values.decode import decode
from tdgen.values.encode import encode

SOURCE = Path(digesting.__file__).read_text("utf-8")


@pytest.fixture
def digests(shared_sandboxes):
    """Digests as the pipeline has them computed."""

    def run(*sources):
        probe = Probe(name="p", call="digests(texts)", given={"texts": encode(list(sources))})
        seen = shared_sandboxes[0].run(Job(module="computed", source=SOURCE, probes=(probe,))).observations[0]
        assert seen.status == "returned", seen
        return decode(seen.value)

    return run


def test_line_numbers_comments_and_docstrings_make_no_difference(digests):
    """What Python runs is the same."""
    one, other = digests(
        "def f(x):\n    return x + 1\n", "def f(x):\n    'Says.'\n\n    # one more\n    return (x\n + 1)\n"
    )
    assert one == other != ""


def test_what_python_folds_is_the_same(digests):
    """A mutant that the compiler sees through is equivalent."""
    one, other = digests("def f(x):\n    return 2 * 3 if True else x\n", "def f(x):\n    return 6\n")
    assert one == other


def test_where_a_jump_leads_makes_a_difference(digests):
    """Also where what is jumped over is as long, whichever instructions return a constant."""
    loop = "def f(xs):\n    for x in xs:\n        if x:\n            return {}\n        {}\n    return 0\n"
    folded = "1 + 1" if sys.version_info < (3, 14) else "(2)"  # 3.14 folds it when it has laid out how a loop is left
    one, same, *others = digests(
        loop.format("2", "pass"), loop.format(folded, "pass"), loop.format("3", "pass"), loop.format("2", "break")
    )
    assert one == same
    assert one not in others


@pytest.mark.parametrize(
    "other",
    [
        "def f(x, y=1):\n    return x + True\n",
        "def f(x, y=1):\n    return x + 1.0\n",
        "def f(x, y=1):\n    return y + 1\n",
        "def f(x, y=1):\n    return x - 1\n",
        "def f(x, y=2):\n    return x + 1\n",
        "def f(x, *y):\n    return x + 1\n",
        "def f(x, y=1):\n    return (lambda: x + 1)()\n",
        "def g(x, y=1):\n    return x + 1\n",
        "async def f(x, y=1):\n    return x + 1\n",
    ],
)
def test_what_may_run_otherwise_differs(digests, other):
    """Constants by their types, names, operators, parameters, flags."""
    one, two = digests("def f(x, y=1):\n    return x + 1\n", other)
    assert one != two


def test_handlers_and_sets_are_told_apart(digests):
    """Where an exception is caught is part of the code, and the order in which a set was written is not."""
    caught = "def f(x):\n    try:\n        x()\n        x()\n    except KeyError:\n        pass\n"
    moved = "def f(x):\n    x()\n    try:\n        x()\n    except KeyError:\n        pass\n"
    one, two, three, four = digests(caught, moved, "f = x in {'a', 'b', 'c'}", "f = x in {'c', 'b', 'a'}")
    assert one != two
    assert three == four


def test_what_does_not_compile_has_no_digest(digests):
    """And harms none of the others."""
    bad = ["def f(:", "return 1", "x = '\x00'", "(" * 500, "def f():\n    nonlocal x", "break"]
    assert digests(*bad, "x = 1")[:-1] == [""] * len(bad)


def test_nothing_is_executed(digests):
    """Compiling is all."""
    assert digests("raise SystemExit(1)", "1 / 0", "while True: pass").count("") == 0


def test_the_module_stands_alone():
    """Standard library only: it is sent into the sandbox as text."""
    tree = ast.parse(SOURCE)
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names
