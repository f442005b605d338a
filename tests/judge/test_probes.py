"""What is sent to be evaluated, and where: nothing expected goes to a candidate, no candidate to what is expected."""

from __future__ import annotations

import ast

import pytest

from tdgen.judge.probes import (
    candidate_probe,
    code_of,
    expected_probe,
    holds_probe,
    is_call_on_literals,
    patterns_probe,
    read_observation,
)
from tdgen.types import After, Job, Parameter, Pattern, Probe, Value, World


@pytest.fixture
def run():
    """Evaluate a probe in this process: its sources are this test's own."""

    def evaluate(probe, **names):
        namespace = {**names, **probe.given}
        exec(probe.setup, namespace)
        return eval(probe.call, namespace)

    return evaluate


def test_a_candidates_probe_holds_nothing_that_is_expected(make_case):
    """Neither the value, nor its tolerance, nor what is expected of output, files and afterwards."""
    case = make_case(
        arguments=("xs",),
        setup="xs = [3]",
        world=World(stdin="in"),
        stdout="SECRET",
        files={"a": "SECRET"},
        after=(After(expression="xs", source="SECRET"),),
        why="SECRET",
    ).model_copy(update={"expectation": make_case(check="SECRET").expectation})
    probe = candidate_probe(case)
    assert "SECRET" not in probe.model_dump_json()
    assert (probe.setup, probe.arguments, probe.after, probe.world.stdin) == ("xs = [3]", ("xs",), ("xs",), "in")


def test_an_expected_value_is_evaluated_with_the_cases_setup_and_world(make_case):
    """Without the function's name or arguments."""
    case = make_case(setup="a = 1", world=World(seed=3), after=(After(expression="a", source="2"),))
    probe = expected_probe(case)
    assert (probe.setup, probe.call, probe.after, probe.world.seed) == ("a = 1", "2", ("2",), 3)
    assert (probe.function, probe.arguments) == ("", ())


def test_an_expected_exception_is_evaluated_to_its_class(make_case, run):
    """Anything else becomes None."""
    assert run(expected_probe(make_case(raises="ValueError"))) is ValueError
    assert run(expected_probe(make_case(raises="int"))) is None


@pytest.mark.parametrize(
    ("source", "result", "holds"),
    [
        ("result == x + 1", 2, True),
        ("result == x + 1", 3, False),
        ("  result > 0  # positive", 1, True),
        ("result and result[0]", [5], True),
        ("assert result == 2", 2, True),
        ("total = sum(result)\nassert total == 6, total", [1, 2, 3], True),
        ("result = sorted(result)\nresult == [1, 2]", [2, 1], True),
        ("x = x + 1\nx == result", 2, True),
        ("for item in result:\n    assert item", [1, 1], True),
        ('text = """a\n  b"""\nresult == text', "a\n  b", True),
        ("result == [x for x in [1, 2]]", [1, 2], True),
        ("import math\nmath.isqrt(result) ** 2 == result", 9, True),
    ],
)
def test_a_check_is_an_expression_or_statements(make_case, make_spec, returned, run, source, result, holds):
    """It speaks of the result and of the parameters, bound afresh to the case's arguments."""
    probe = holds_probe(make_case(check=source), make_spec(), returned(result))
    assert run(probe) is holds


def test_a_failing_assert_raises_its_message(make_case, make_spec, returned, run):
    """Which becomes the reason."""
    probe = holds_probe(make_case(check="assert result > 2, f'{result} is small'"), make_spec(), returned(1))
    with pytest.raises(AssertionError, match="1 is small"):
        run(probe)


def test_parameters_are_bound_by_position_name_and_default(make_case, make_spec, returned, run):
    """As the call itself binds them."""
    spec = make_spec(
        parameters=(
            Parameter(name="a", type="int"),
            Parameter(name="b", type="int", default="7"),
            Parameter(name="c", type="list[int]", default="[]"),
        )
    )
    case = make_case(check="(a, b, c) == (1, 7, [n])", setup="n = 4", arguments=("n - 3", "c=[n]"))
    assert run(holds_probe(case, spec, returned(0))) is True


def test_what_a_star_spreads_is_not_bound(make_case, make_spec, returned):
    """Nor anything after it."""
    case = make_case(check="True", arguments=("*[1, 2]", "3"))
    names = [
        node.id
        for node in ast.walk(ast.parse(holds_probe(case, make_spec(), returned(0)).setup))
        if isinstance(node, ast.Name)
    ]
    assert "x" not in names


def test_a_parameter_named_result_gives_way_to_the_result(make_case, make_spec, returned, run):
    """The check's `result` is what the function returned."""
    spec = make_spec(parameters=(Parameter(name="result", type="int"),))
    assert run(holds_probe(make_case(check="result == 9"), spec, returned(9))) is True


def test_patterns_are_searched_by_python_in_the_sandbox(make_case, raised, run):
    """They travel as data, and share a process with other plain values."""
    import re

    case = make_case(setup="import os", raises="E", match="no .*x'", stdout=Pattern(match="a"))
    probe = patterns_probe(case, raised("m.E", message="has no 'x'"))
    assert run(probe, re=re) == [False, True]
    assert (probe.setup, code_of(probe)) == ("", ())


def test_there_is_nothing_to_evaluate_where_nothing_could_pass(make_case, make_spec, returned, raised):
    """A value is compared on the host, a check needs a result."""
    spec = make_spec()
    assert holds_probe(make_case(), spec, returned(2)) is None
    assert holds_probe(make_case(check="True"), spec, raised("m.E")) is None
    assert holds_probe(make_case(raises="E"), spec, raised("m.E")) is None


def test_a_check_that_is_no_python_is_a_syntax_error(make_case, make_spec, returned):
    """The oracle tells it as the case's problem."""
    with pytest.raises(SyntaxError):
        holds_probe(make_case(check="result is is"), make_spec(), returned(1))


@pytest.mark.parametrize(
    ("setup", "call"),
    [
        ("", "[1, {'a': -2.5}]"),
        ("rows = [1, 2]\nmost = wanted = max(rows)", "rows[0] + most"),
        ("import math\nfrom decimal import Decimal", "Decimal(1) < math.pi"),
        ("", "bool((isinstance(result, dict) and result['a'][1:] == [2] and len(result) == 1))"),
        ("", "all(zip(result, [1])) is not math.isclose(1, 2.0, rel_tol=1e-9)"),
    ],
)
def test_what_only_names_and_compares_values_has_no_code_of_its_own(setup, call):
    """It may share a process: there is nothing in it that could do anything to another case."""
    assert code_of(Probe(name="p", setup=setup, call=call, given={"result": 1})) == ()


@pytest.mark.parametrize(
    "setup",
    [
        "def f(): return 1",
        "import os",
        "import math as len",
        "from os import system",
        "from math import *",
        "from pathlib import _x",
        "from . import math",
        "len = print",
        "datetime = 1",
        "a = len = 1",
        "a, len = 1, 2",
        "rows[0] = 1",
        "math.floor = 1",
        "a += 1",
        "a: int = 1",
        "print(1)",
        "a = f(2)",
        "a = (lambda: 1)",
        "a = ().__class__",
        "a = (b := 1)",
        "a = [n for n in (1, 2)]",
        "a = sorted([1], key=f)",
        "a = max(**x)",
        "a = 'x'.join(y)",
        "if 1: a = 1",
        "a = (",
    ],
)
def test_any_other_setup_is_code_of_its_own(setup):
    """It calls what may be anything, takes a name that is called elsewhere, or changes what is there already."""
    assert code_of(Probe(name="p", setup=setup, call="1"))


@pytest.mark.parametrize(
    "source",
    [
        *("f(2)", "(lambda: 1)()", "().__class__", "(b := 1)", "[n for n in (1, 2)]", "(n for n in x)", "[*x]"),
        *("f'{x}'", "sorted([1], key=f)", "max(**x)", "'x'.join(y)", "x.append(1)", "await x", "os.getcwd()"),
    ],
)
def test_any_other_expression_is_code_of_its_own(source):
    """As what is evaluated, and as what holds afterwards."""
    assert code_of(Probe(name="p", call=source))
    assert code_of(Probe(name="p", call="1", after=("2", source)))


LITERALS = ("1", "-0.5", "'a\\ud800'", "[(1,), {'a': {1, 2}}, None, b'x']", "2 * 3", "f(1)", "set()", "1j", "[x]", "(")


@pytest.mark.parametrize("source", LITERALS)
def test_what_is_read_is_what_running_it_gives(shared_sandboxes, make_case, source):
    """What is no literal is not read."""
    probe = expected_probe(make_case(expectation=Value(source=source), after=(After(expression="x", source="[1]"),)))
    observation = read_observation(probe, "")
    if observation is not None:
        (seen,) = shared_sandboxes[1].run(Job(module="m", source="", probes=(probe,))).observations
        assert (observation.status, observation.value, observation.after) == (seen.status, seen.value, seen.after)
    assert (observation is None) is (source in ("2 * 3", "f(1)", "[x]", "("))


@pytest.mark.parametrize(("raises", "is_read"), [("ValueError", True), ("int", True), ("shop.Error", False)])
def test_a_builtin_exception_is_read(shared_sandboxes, make_case, raises, is_read):
    """Unless the module may have its own of that name."""
    probe = expected_probe(make_case(raises=raises))
    observation = read_observation(probe, "")
    assert (observation is not None) is is_read
    if observation is not None:
        (seen,) = shared_sandboxes[1].run(Job(module="m", source="", probes=(probe,))).observations
        assert observation.value == seen.value
    assert read_observation(probe, f"class {raises}(Exception): pass") is None


@pytest.mark.parametrize(
    ("changed", "is_so"),
    [({}, True), ({"arguments": ("x=[1]",)}, True), ({"arguments": ("*[1]",)}, False), ({"arguments": ("y",)}, False)],
)
def test_a_call_on_literals_reaches_the_function(make_case, changed, is_so):
    """So it fails where nothing is written; what else is evaluated before may end it."""
    assert is_call_on_literals(make_case(**changed).done) is is_so
    assert not is_call_on_literals(make_case(**changed, setup="import nothing").done)
    assert not is_call_on_literals(make_case(**changed, function="g", call="f(1)").done)
