"""What the oracle makes of evaluations, from a table of answers and from a real sandbox."""

from __future__ import annotations

import pytest

from tdgen.judge.expected import Expected
from tdgen.judge.oracle import Oracle
from tdgen.judge.probes import candidate_probe
from tdgen.types import After, Case, Job, Observation, Parameter, Raised, World
from tdgen.values.wire import encode

TYPES = "class EmptyError(ValueError):\n    pass\n"


def _seen(probe, status="returned", value=None, kind="", message="", after=()):
    raised = Raised(types=(kind,), message=message) if kind else None
    return Observation(name=probe.name, status=status, value=value, raised=raised, after=after)


def test_all_cases_are_evaluated_in_one_job_without_a_candidate(table_sandbox, make_case):
    """In a module that has the shared types alone."""
    sandbox = table_sandbox(lambda probe: _seen(probe, value=int(probe.call)))
    cases = [make_case(name="one"), make_case(name="two")]
    found = Oracle(sandbox, "m", TYPES).expectations(cases)
    assert found == {"one": Expected(value=2), "two": Expected(value=2)}
    (job,) = sandbox.jobs
    assert (job.module, job.source, [probe.name for probe in job.probes]) == ("m", TYPES, ["one", "two"])


def test_an_exceptions_class_is_known_by_its_qualified_name(table_sandbox, make_case):
    """As the wire of a class says it."""
    sandbox = table_sandbox(lambda probe: _seen(probe, value={"$": "class", "name": "m.EmptyError"}))
    found = Oracle(sandbox, "m", TYPES).expectations([make_case(raises="EmptyError")])
    assert found["case"].exception == "m.EmptyError"


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ({"status": "raised", "kind": "builtins.NameError", "message": "y"}, "raised NameError: y"),
        ({"status": "timeout"}, "did not end in time"),
        ({"status": "not_run"}, "was not run"),
        ({"value": encode(len)}, "a function: len"),
        ({"value": {"$": "nonsense"}}, "unknown kind"),
        ({"value": 2, "after": (encode(len),)}, "what xs is can't be compared"),
        ({"value": 2}, "not evaluated"),
    ],
)
def test_what_can_not_be_evaluated_or_compared_is_the_cases_problem(table_sandbox, make_case, answer, problem):
    """Told as a reason."""
    sandbox = table_sandbox(lambda probe: _seen(probe, **answer))
    case = make_case(after=(After(expression="xs", source="len"),))
    assert problem in Oracle(sandbox, "m", TYPES).expectations([case])["case"].problem


def test_what_is_no_exception_is_the_cases_problem(table_sandbox, make_case):
    """`raises: int` can't be satisfied."""
    sandbox = table_sandbox(lambda probe: _seen(probe, value=None))
    assert "no exception" in Oracle(sandbox, "m", TYPES).expectations([make_case(raises="int")])["case"].problem


def test_a_setup_that_needs_the_candidate_is_left_out(table_sandbox, make_case):
    """`adder = make_adder(3)` can't run here; the expected value seldom needs it."""
    sandbox = table_sandbox(lambda probe: _seen(probe, "not_run" if probe.setup else "returned", 2))
    found = Oracle(sandbox, "m", TYPES).expectations([make_case(setup="g = f()", call="g(1)")])
    assert found["case"] == Expected(value=2)
    assert [job.probes[0].setup for job in sandbox.jobs] == ["g = f()", ""]


def test_a_missing_observation_is_not_taken_for_another(table_sandbox, make_case):
    """Only the one of the case's own name counts."""
    sandbox = table_sandbox(lambda probe: Observation(name="other", status="returned", value=2))
    assert Oracle(sandbox, "m", TYPES).expectations([make_case()])["case"].problem


@pytest.mark.parametrize(
    ("answer", "settled"),
    [
        ({"value": True}, Expected(holds=True)),
        ({"value": False}, Expected(holds=False)),
        ({"value": 1}, Expected(holds=False)),
        (
            {"status": "raised", "kind": "builtins.AssertionError", "message": "3 is odd"},
            Expected(holds=False, detail="3 is odd"),
        ),
        (
            {"status": "raised", "kind": "builtins.TypeError", "message": "no len"},
            Expected(holds=False, detail="the check raised TypeError: no len"),
        ),
        ({"status": "timeout"}, Expected(holds=False, detail="the check did not end in time")),
        (
            {"status": "raised", "kind": "builtins.NameError", "message": "y"},
            Expected(problem="it can't be evaluated: raised NameError: y"),
        ),
        (
            {"status": "not_run", "kind": "tdgen.values.readers.Unreadable", "message": "no dataclass"},
            Expected(holds=False, detail="the check was not run (tdgen.values.readers.Unreadable: no dataclass)"),
        ),
    ],
)
def test_a_check_is_settled_by_what_its_evaluation_came_to(
    table_sandbox, make_case, make_spec, returned, answer, settled
):
    """A fault of the result speaks against the candidate, one of the check against the case."""
    case = make_case(check="result")
    oracle = Oracle(table_sandbox(lambda probe: _seen(probe, **answer)), "m", TYPES)
    assert oracle.settle(make_spec(), [case], {"case": returned(1)}, {"case": Expected()}) == {"case": settled}


def test_a_check_that_is_no_python_is_the_cases_problem(table_sandbox, make_case, make_spec, returned):
    """And no sandbox is asked."""
    sandbox = table_sandbox(lambda probe: _seen(probe))
    case = make_case(check="result is is")
    (settled,) = (
        Oracle(sandbox, "m", TYPES).settle(make_spec(), [case], {"case": returned(1)}, {"case": Expected()}).values()
    )
    assert "no Python" in settled.problem
    assert not sandbox.jobs


def test_values_need_no_settling(table_sandbox, make_case, make_spec, returned):
    """So that most functions are judged without a second run."""
    sandbox = table_sandbox(lambda probe: _seen(probe))
    expected = {"case": Expected(value=2)}
    assert Oracle(sandbox, "m", TYPES).settle(make_spec(), [make_case()], {"case": returned(2)}, expected) == expected
    assert not sandbox.jobs


def test_a_case_without_an_observation_was_not_run(table_sandbox, make_case, make_spec, returned):
    """However many others there are."""
    oracle = Oracle(table_sandbox(lambda probe: _seen(probe)), "m", TYPES)
    cases = [make_case(), make_case(name="lost")]
    expected = {"case": Expected(value=2), "lost": Expected(value=2)}
    verdicts = oracle.verdicts(make_spec(), cases, [returned(2)], expected)
    assert [(v.case, v.passed, v.status) for v in verdicts] == [("case", True, "returned"), ("lost", False, "not_run")]


# On a real sandbox

MODULE = (
    TYPES
    + """
from dataclasses import dataclass

@dataclass
class Pair:
    left: int
    right: float
"""
)
CANDIDATE = (
    MODULE
    + """
def f(x):
    if x == 0:
        raise EmptyError(f"no {x} here")
    if x < 0:
        raise KeyError(x)
    print("hello")
    return Pair(x, x + 0.1 + 0.2)
"""
)


@pytest.fixture(scope="module")
def local():
    """The local sandbox, where this machine can enforce it."""
    from tdgen.errors import SandboxError
    from tdgen.sandbox.local import LocalSandbox

    sandbox = LocalSandbox()
    try:
        sandbox.run(Job(module="m", source="", probes=()))
    except SandboxError as error:
        pytest.skip(str(error))
    yield sandbox
    sandbox.close()


@pytest.fixture
def on_local(local, make_spec):
    """The verdict on one case of the candidate."""

    def verdict(case: Case):
        oracle = Oracle(local, "m", MODULE)
        expected = oracle.expectations([case])
        report = local.run(Job(module="m", source=CANDIDATE, probes=(candidate_probe(case),)))
        spec = make_spec("Pair", parameters=(Parameter(name="x", type="int"),))
        (found,) = oracle.verdicts(spec, [case], report.observations, expected)
        return found.passed, [d.where + ": " + d.actual for d in found.differences]

    return verdict


def test_a_declared_value_agrees_across_two_processes(on_local, make_case):
    """Made by the candidate's class there, by the shared class here."""
    case = make_case(expectation={"form": "value", "source": "Pair(1, 1.3)"}, stdout="hello\n")
    assert on_local(case) == (True, [])


def test_a_wrong_field_is_found(on_local, make_case):
    """By its name."""
    assert on_local(make_case(expectation={"form": "value", "source": "Pair(1, 2)"})) == (False, [".right: 1.3"])


def test_an_exception_and_its_message(on_local, make_case):
    """The class is the shared one, the pattern is searched in the sandbox."""
    assert on_local(make_case(arguments=("0",), raises="EmptyError", match=r"no \d")) == (True, [])
    assert on_local(make_case(arguments=("0",), raises="ValueError")) == (True, [])
    assert on_local(make_case(arguments=("-1",), raises="EmptyError")) == (False, [": raised KeyError: -1"])
    assert on_local(make_case(arguments=("0",), raises="EmptyError", match="yes"))[0] is False


def test_a_check_on_a_declared_value(on_local, make_case):
    """The result is a real Pair again, the parameter is bound."""
    assert on_local(make_case(check="isinstance(result, Pair) and math.isclose(result.right, x + 0.3)")) == (True, [])
    passed, (told,) = on_local(make_case(check="assert result.left == 7, f'left is {result.left}'"))
    assert not passed
    assert told == ": returned Pair(left=1, right=1.3) (left is 1)"


def test_a_setup_that_needs_the_candidate(on_local, make_case):
    """Its value is judged all the same, and what holds afterwards too."""
    case = make_case(
        setup="pair = f(2)",
        call="pair.left",
        world=World(),
        expectation={"form": "value", "source": "2"},
        after=(After(expression="pair.left + 1", source="1 + 2"),),
    )
    assert on_local(case) == (True, [])
    assert on_local(make_case(setup="pair = f(2)", call="pair.left", check="result == 2")) == (True, [])
