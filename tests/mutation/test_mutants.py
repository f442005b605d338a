"""Mutants by which a suite is scored."""

import ast

import pytest

from tdgen.mutation import mutants


def _become(statement, *, before=""):
    """What the last line of a function becomes."""
    source = f"def f(x, y, xs):\n{before}    {statement}\n"
    lines = [mutant.source.splitlines() for mutant in mutants(source, "f")]
    return {line[-1].strip() for line in lines}


@pytest.mark.parametrize(
    ("statement", "becomes"),
    [
        ("return x < y", {"return x <= y", "return x >= y", "return None"}),
        ("return x == y", {"return x != y", "return None"}),
        ("return x in xs", {"return x not in xs", "return None"}),
        ("return x is not y", {"return x is y", "return None"}),
        ("x < y <= 3", {"x <= y <= 3", "x >= y <= 3", "x < y < 3", "x < y > 3", "x < y <= 4", "x < y <= 2"}),
        ("y = x - 1", {"y = x + 1", "y = x - 2", "y = x - 0"}),
        ("y = x // y", {"y = x * y", "y = x / y"}),
        ("y = x & y", {"y = x | y"}),
        ("y = 'a' + x", {"y = 'a'", "y = x", "y = '' + x", "y = 'A' + x"}),
        ("y = '%s' % x", {"y = '' % x", "y = '%' % x"}),
        ("x += y", {"x -= y", "x = y", "pass"}),
        ("y = -x", {"y = x"}),
        ("y = -1", {"y = 0", "y = -2", "y = 1"}),
        ("y = not x", {"y = x"}),
        ("y = True", {"y = False"}),
        ("y = 0.5", {"y = 1.5", "y = -0.5"}),
        ("y = ''", {"y = 'x'"}),
        ("y = [x, y]", {"y = []"}),
        ("y = {x: y}", {"y = {}"}),
        ("y = {x, y}", {"y = set()"}),
        ("y = xs[x:]", {"y = xs[x + 1:]", "y = xs[x - 1:]"}),
        ("y = xs[0]", {"y = xs[1]", "y = xs[-1]"}),
        ("y = range(x)", {"y = range(x + 1)", "y = range(x - 1)"}),
        ("y = range(x + 1)", {"y = range(x - 1)", "y = range(x + 2)", "y = range(x + 0)"}),
        ("y = sorted(x)", {"y = x"}),
        ("y = sorted(x, reverse=y)", {"y = x", "y = sorted(x)"}),
        ("y = x.strip()", {"y = x"}),
        ("y = abs(x)", {"y = x"}),
        ("y = min(x)", {"y = max(x)"}),
        ("y = any(x)", {"y = all(x)"}),
        ("xs.append(x)", {"pass"}),
        ("xs[x] = y", {"pass"}),
        ("y = x if y else xs", {"y = xs if y else x", "y = x", "y = xs", "y = x if not y else xs"}),
        ("y = x and y", {"y = x or y", "y = x", "y = y"}),
        ("y = [a for a in xs if a]", {"y = [a for a in xs]", "y = [a for a in xs if not a]"}),
        ("y = f'a{x:>3}'", {"y = f'{x:>3}'", "y = f'a'", "y = f'a{x}'", "y = f'A{x:>3}'"}),
        ("return [x]", {"return None", "return []"}),
        ("return all(xs)", {"return None", "return any(xs)", "return not all(xs)"}),
        ("return x", {"return None", "return y"}),
        ("yield x", {"(yield None)"}),
        ("raise ValueError('no')", {"pass", "raise TypeError('no')"}),
        ("raise", {"pass"}),
    ],
)
def test_what_a_statement_becomes(statement, becomes):
    """Each operator, and no more than is listed."""
    assert _become(statement) == becomes


@pytest.mark.parametrize(
    ("before", "line", "becomes"),
    [
        ("if x:\n        return 1", 2, {"if not x:", "if True:", "if False:"}),
        ("if x < y:\n        return 1", 2, {"if x <= y:", "if x >= y:", "if True:", "if False:"}),
        ("while x:\n        x = y", 2, {"while not x:", "while False:"}),
        ("while True:\n        x = y", 2, {"while False:"}),
        ("for a in xs:\n        x = y", 2, {"for a in ():"}),
        ("for a in xs:\n        break", 3, {"continue"}),
        ("for a in xs:\n        continue", 3, {"break"}),
        ("try:\n        x = y\n    except KeyError:\n        x = 1", 4, {"except IndexError:"}),
        ("try:\n        x()\n    except (KeyError, OSError):\n        y()", 4, {"except KeyError:", "except OSError:"}),
        ("try:\n        x = y\n    except KeyError:\n        x = y", 5, {"raise"}),
    ],
)  # fmt: skip
def test_what_a_block_becomes(before, line, becomes):
    """Conditions, loops and handlers."""
    source = f"def f(x, y, xs):\n    {before}\n    return\n"
    found = {m.source.splitlines()[line - 1].strip() for m in mutants(source, "f") if m.line == line}
    assert found == becomes


def test_default_arguments_and_constants_of_the_module_are_changed():
    """They are part of what a function does."""
    told = {(m.operator, m.line, m.after) for m in mutants("LIMIT = 7\n\ndef f(x=4):\n    return x < LIMIT\n", "f")}
    assert {("constant", 1, "8"), ("constant", 1, "6"), ("default", 3, "5"), ("default", 3, "3")} <= told


def test_nothing_is_changed_that_running_does_not_show(busy):
    """Docstrings, annotations, imports, comments, messages of exceptions, and what the function does not reach."""
    kept = [
        "Module's own words.", "import math  # for floor", "# inclusive", "# positive ones", "return x + 12345",
        '"""Every one from 5 to 7, or so."""', '"""Say how 1 + 1 is 2."""', "# a comment of its own", "# why",
        "def helper(xs: list[int], *, step: int =", "-> str | None:", "4711",
    ]  # fmt: skip
    for mutant in mutants(busy, "f"):
        assert [text for text in kept if text not in mutant.source and "exception" not in mutant.operator] == []


@pytest.mark.parametrize(
    "body",
    [
        "'''A docstring.'''",
        "logger.info('x', 1 + 1)",
        "assert x, 'message 1'\n    x: int",
        "import os\n    global G",
        "if TYPE_CHECKING:\n        y = 1",
    ],
)
def test_code_that_does_nothing_has_no_mutants(body):
    """A suite can't find what makes no difference."""
    assert mutants(f"def f(x):\n    {body}\n    return\n", "f") == ()


def test_type_only_code_is_left_alone():
    """Type variables and aliases."""
    source = "T = TypeVar('T')\nAlias: TypeAlias = 'list[int]'\n\ndef f(x: T) -> 'Alias':\n    return x\n"
    assert {mutant.line for mutant in mutants(source, "f")} == {5}


def test_main_blocks_are_left_alone():
    """They don't run in a test."""
    source = "def f(x):\n    return x\n\nif __name__ == '__main__':\n    print(f(1))\n"
    assert {mutant.line for mutant in mutants(source, "f")} == {2}


def test_each_mutant_is_another_tree(busy):
    """None twice, none like the source."""
    dumps = [ast.dump(ast.parse(source)) for source in [busy, *(mutant.source for mutant in mutants(busy, "f"))]]
    assert len(dumps) > 90
    assert len(set(dumps)) == len(dumps)


def test_what_stood_and_stands_there_is_told_in_short():
    """One line each."""
    (mutant, *_) = mutants("def f(x):\n    return (x\n        <\n        1)\n", "f")
    assert (mutant.line, mutant.before, mutant.after) == (2, "x < 1", "None")
    long = mutants(f"def f(x):\n    return x + '{'a' * 500}'\n", "f")
    assert max(len(m.before) for m in long) == 80


def test_the_number_is_bounded_by_an_even_spread(busy):
    """Not the first ones; and the same each time."""
    every, some = mutants(busy, "f"), mutants(busy, "f", most=20)
    assert len(some) == 20
    assert set(some) < set(every)
    assert some == mutants(busy, "f", most=20)
    assert {some[0].line, some[-1].line} == {every[0].line, every[-1].line}
    assert len({mutant.line for mutant in some}) >= 10


def test_a_function_that_is_not_there_means_all_of_the_source():
    """A piece may name its function otherwise."""
    assert len(mutants("x = 1\n", "f")) == 2


@pytest.mark.usefixtures("usual_depth")
@pytest.mark.parametrize("source", ["def f(:", "x = '\x00'", "x = " + "+".join(["x"] * 9000)])
def test_what_does_not_parse_is_a_syntax_error(source):
    """The caller has read it before; nothing else comes out."""
    with pytest.raises(SyntaxError):
        mutants(source, "f")


@pytest.mark.parametrize("source", ["", "# nothing\n", "def f(): ...", "class f: pass", "def f():\n\treturn  1"])
def test_sources_with_little_in_them(source):
    """Nothing to change, or little, is no fault."""
    assert all(ast.parse(mutant.source) for mutant in mutants(source, "f"))


def test_those_near_what_is_worried_about_come_first():
    """All of them before any other; the rest is taken evenly, and all stand in the order of the text."""
    lines = "".join(f"    y = x + {n}\n" for n in range(20))
    source = f"def f(x):\n{lines}    return y\n"
    near = [mutant for mutant in mutants(source, "f") if mutant.line in (5, 18)]
    assert 1 < len(near) < 10
    made = mutants(source, "f", most=10, near=(5, 18))
    assert [mutant for mutant in made if mutant.line in (5, 18)] == near
    assert len(made) == 10
    assert [mutant.line for mutant in made] == sorted(mutant.line for mutant in made)
    assert {mutant.line for mutant in mutants(source, "f", most=2, near=(5,))} == {5}
