"""What the oracle makes of evaluations, from a table of answers and from a real sandbox."""

from __future__ import annotations

import pytest

from tdgen.judge.oracle import Oracle
from tdgen.judge.probes import candidate_probe
from tdgen.judge.verdict import NO_COPY, Expected
from tdgen.types import (
    After,
    Attribute,
    Case,
    ClassInterface,
    FunctionSpec,
    Job,
    Limits,
    Observation,
    Parameter,
    Pattern,
    Plan,
    Raised,
    Returns,
    Target,
    Value,
    World,
)
from tdgen.values.encode import encode

TYPES = "class EmptyError(ValueError):\n    pass\n"


def _seen(probe, status="returned", value=None, kind="", message="", after=()):
    raised = Raised(types=(kind,), message=message) if kind else None
    return Observation(name=probe.name, status=status, value=value, raised=raised, after=after)


def test_all_cases_are_evaluated_in_one_job_without_a_candidate(table_sandbox, make_case):
    """In a module that has the shared types alone."""
    sandbox = table_sandbox(lambda probe: _seen(probe, value=eval(probe.call)))
    cases = [make_case(name=name, expectation=Value(source="1 + 1")) for name in ("one", "two")]
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
    found = Oracle(sandbox, "m", TYPES).expectations(
        [make_case(setup="g = f()", call="g(1)", expectation=Value(source="1 + 1"))]
    )
    assert found["case"] == Expected(value=2)
    assert [job.probes[0].setup for job in sandbox.jobs] == ["g = f()", ""]


def test_a_missing_observation_is_not_taken_for_another(table_sandbox, make_case):
    """Only the one of the case's own name counts."""
    sandbox = table_sandbox(lambda probe: Observation(name="other", status="returned", value=2))
    case = make_case(expectation=Value(source="1 + 1"))
    assert Oracle(sandbox, "m", TYPES).expectations([case])["case"].problem


@pytest.mark.parametrize(
    ("answer", "complete"),
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
            {"status": "raised", "kind": "builtins.NameError", "message": "name 'y' is not defined"},
            Expected(holds=False, detail="the check raised NameError: name 'y' is not defined"),
        ),
        (
            {"status": "raised", "kind": "builtins.NameError", "message": "name 'result' is not defined"},
            Expected(problem="it can't be evaluated: raised NameError: name 'result' is not defined"),
        ),
        (
            {"status": "not_run", "kind": "tdgen.values.readers.Unreadable", "message": "no dataclass"},
            Expected(holds=False, detail=NO_COPY),
        ),
    ],
)
def test_a_check_is_completed_by_what_its_evaluation_came_to(
    table_sandbox, make_case, make_spec, returned, answer, complete
):
    """A fault of the result speaks against the candidate, one of the check against the case."""
    case = make_case(check="result")
    oracle = Oracle(table_sandbox(lambda probe: _seen(probe, **answer)), "m", TYPES)
    assert oracle.completed(make_spec(), [case], {"case": returned(1)}, {"case": Expected()}) == {"case": complete}


def test_a_check_that_is_no_python_is_the_cases_problem(table_sandbox, make_case, make_spec, returned):
    """And no sandbox is asked."""
    sandbox = table_sandbox(lambda probe: _seen(probe))
    case = make_case(check="result is is")
    (complete,) = (
        Oracle(sandbox, "m", TYPES).completed(make_spec(), [case], {"case": returned(1)}, {"case": Expected()}).values()
    )
    assert "no Python" in complete.problem
    assert not sandbox.jobs


def test_values_need_no_settling(table_sandbox, make_case, make_spec, returned):
    """So that most functions are judged without a second run."""
    sandbox = table_sandbox(lambda probe: _seen(probe))
    expected = {"case": Expected(value=2)}
    assert (
        Oracle(sandbox, "m", TYPES).completed(make_spec(), [make_case()], {"case": returned(2)}, expected) == expected
    )
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


def test_what_a_setup_binds_without_the_candidate_is_bound(on_local, make_case):
    """A name that the candidate has no part in can be used where its calls can't run."""
    setup = "a = [3, 4]\npair = f(2)\nb = (pair.left, a[0])"
    assert on_local(make_case(setup=setup, call="b[1]", expectation={"form": "value", "source": "a[0]"})) == (True, [])


def test_what_the_candidate_may_have_changed_is_not_bound(on_local, make_case):
    """`a` has an item of the candidate's: what is expected of it would be another `a`."""
    setup = "a = [3, 4]\na.append(f(2).left)"
    assert (
        on_local(make_case(setup=setup, call="len(a)", expectation={"form": "value", "source": "len(a)"}))[0] is False
    )


# One case's code and another's

FORGE = """
import os, sys, gc, json, struct
def forge():
    for fd in range(3, 30):
        for index in range(1, 4):
            told = {"index": index, "status": "returned", "value": 7, "after": [], "mutated": {}, "stdout": "",
                    "stderr": "", "files": {}, "last": index == 3}
            body = json.dumps(told).encode()
            try:
                os.write(fd, struct.pack(">I", len(body)) + body)
            except (OSError, ValueError):
                pass
forge()
"""
PATCHES = {
    "a builtin": "import builtins\nbuiltins.sum = lambda items: 7",
    "a module": "import math\nmath.floor = lambda x: 7",
    "the frames": FORGE,
    "the encoder": "import sys\nfor m in list(sys.modules.values()):\n"
    "    if hasattr(m, 'encode') and hasattr(m, 'MAX_NODES'):\n        m.encode = lambda *a, **k: 7",
    "the runner": "import gc\nfor x in gc.get_objects():\n"
    "    if type(x) is dict and type(x.get('probes')) is list:\n"
    "        [probe.update(call='7', setup='') for probe in x['probes']]",
}


@pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)
@pytest.mark.parametrize("as_check", [False, True], ids=["its setup", "its check"])
def test_one_cases_code_can_not_speak_for_another(local, make_case, make_spec, returned, patch, as_check):
    """What a model's case does to its process, the user's case after it never notices."""
    first = make_case(name="first", **({"check": f"{patch}\nassert True"} if as_check else {"setup": patch}))
    user = make_case(
        name="user", provenance="user", expectation={"form": "value", "source": "sum([1]) + math.floor(1)"}
    )
    checked = make_case(name="checked", provenance="user", check="result == sum([1]) + math.floor(1)")
    oracle = Oracle(local, "m", MODULE)
    cases = [first, user, checked]
    expected = oracle.expectations(cases)
    assert expected["user"] == Expected(value=2)
    seven = [returned(7).model_copy(update={"name": case.name}) for case in cases]
    verdicts = {v.case: v.passed for v in oracle.verdicts(make_spec(), cases, seven, expected)}
    assert not verdicts["user"]
    assert not verdicts["checked"]
    assert set(oracle.failing(make_spec(), cases, seven, expected)) >= {"user", "checked"}


def test_plain_values_and_the_same_code_share_a_process(table_sandbox, make_case, make_spec, returned):
    """A fork for each would cost more than it holds: they can do nothing, or nothing to another. Literals are read."""
    sandbox = table_sandbox(lambda probe: _seen(probe, value=True))
    sources = [
        "2 * 3",
        "[1, {'a': -2.5 * 2}]",
        "Decimal('1.5')",
        "sorted([2, 1], key=print)",
        "Path('a')",
        "(lambda: 2)()",
    ]
    cases = [make_case(name=str(n), expectation={"form": "value", "source": s}) for n, s in enumerate(sources)]
    oracle = Oracle(sandbox, "m", TYPES)
    oracle.expectations(cases)
    assert [[probe.name for probe in job.probes] for job in sandbox.jobs] == [["0", "1", "2", "4"], ["3"], ["5"]]
    sandbox.jobs.clear()
    oracle.expectations([make_case(expectation=Value(source="[2]")), make_case(name="raises", raises="KeyError")])
    assert not sandbox.jobs
    versions = [make_case(name=str(n), check="result > 1") for n in range(3)]
    seen = {case.name: returned(2) for case in versions}
    oracle.completed(make_spec(), versions, seen, {case.name: Expected() for case in versions})
    assert [len(job.probes) for job in sandbox.jobs] == [3]


def test_two_cases_of_one_name_are_refused(table_sandbox, make_case, make_spec, returned):
    """What is seen of the one would be taken for the other."""
    sandbox = table_sandbox(lambda probe: _seen(probe, value=int(probe.call)))
    oracle = Oracle(sandbox, "m", TYPES)
    cases = [make_case(), make_case(expectation={"form": "value", "source": "3"}), make_case(name="other")]
    expected = oracle.expectations(cases)
    assert "same name" in expected["case"].problem
    seen = [returned(2), returned(2).model_copy(update={"name": "other"})]
    assert [v.passed for v in oracle.verdicts(make_spec(), cases, seen, expected)] == [False, False, True]
    assert oracle.failing(make_spec(), cases, seen, expected) == ["case", "case"]
    assert [
        v.passed
        for v in oracle.verdicts(make_spec(), cases, seen, {"case": Expected(value=2), "other": Expected(value=2)})
    ] == [False, False, True]


@pytest.mark.parametrize(
    ("check", "value"),
    [
        ("re.compile(result)", "("),
        ("eval(result) == 1", "1 +"),
        ("eval(result) == 1", "nowhere"),
        ("Color(result)", 9),
        ("result.x", {"$": "enum", "class": "m.Color", "name": [1], "value": 1}),
        ("result.x", {"$": "enum", "class": "m.Color", "name": {}, "value": [1]}),
        ("result.end", {"$": "namedtuple", "class": "m.Span", "fields": ["start", "end"], "items": [1]}),
        ("result.end", {"$": "namedtuple", "class": "m.Span", "fields": [[1], {}], "items": [1, 2]}),
        ("result", {"$": "pattern", "v": "(", "flags": 0}),
        ("result", {"$": "pattern", "v": "a", "flags": -1}),
        ("result.reason == 1", {"$": "exception", "class": "builtins.UnicodeDecodeError", "args": []}),
        ("result", {"$": "bytes", "b64": "\u00e9"}),
        ("result", {"$": []}),
        ("result", {"$": "sub", "class": "x", "base": {"$": [1]}}),
        ("result", {"$": "set", "items": [{"$": []}]}),
    ],
)
def test_a_value_that_makes_an_error_is_not_the_cases_fault(local, make_case, make_spec, returned, check, value):
    """A candidate that could spoil a case by what it returns would get rid of it."""
    types = "import enum, collections\nclass Color(enum.Enum):\n    RED = 1\n"
    types += "Span = collections.namedtuple('Span', 'start end')\n"
    case = make_case(check=check)
    oracle = Oracle(local, "m", types)
    complete = oracle.completed(make_spec(), [case], {"case": returned(value)}, {"case": Expected()})["case"]
    assert (complete.holds, complete.problem) == (False, "")


@pytest.mark.parametrize("check", ["re.match('(', str(result))", "resul == 1", "assert nowhere"])
def test_a_check_that_errs_whatever_is_returned_is_the_cases_fault(local, make_case, make_spec, returned, check):
    """No candidate could ever satisfy it."""
    oracle = Oracle(local, "m", "")
    case = make_case(check=check)
    complete = oracle.completed(make_spec(), [case], {"case": returned(1)}, {"case": Expected()})["case"]
    assert "can't be evaluated" in complete.problem


def test_a_pattern_that_is_none_is_the_cases_fault(local, make_case):
    """Found when it is read, so that no message is ever blamed for it."""
    expected = Oracle(local, "m", TYPES).expectations([make_case(raises="EmptyError", match="(")])["case"]
    assert "unterminated subpattern" in expected.problem


def test_a_pattern_is_searched_in_what_is_printed(on_local, make_case):
    """In the sandbox, and beside what else the case expects."""
    value = {"form": "value", "source": "Pair(1, 1.3)"}
    assert on_local(make_case(expectation=value, stdout=Pattern(match="^h.*o$"))) == (True, [])
    assert on_local(make_case(check="result.left == 1", stdout=Pattern(match="ell"))) == (True, [])
    assert on_local(make_case(check="result.left == 1", stdout=Pattern(match="bye"))) == (False, ["stdout: 'hello\\n'"])
    assert on_local(make_case(expectation=value, stderr=Pattern(match="."))) == (False, ["stderr: ''"])
    both = make_case(arguments=("0",), raises="EmptyError", match="no 0", stderr=Pattern(match="no"))
    assert on_local(both) == (False, ["stderr: ''"])


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("(", "its pattern can't be searched ('('): raised "),
        (".*", "its pattern for stderr, '.*', is found where nothing is printed"),
        ("", "its pattern for stderr, '', is found where nothing is printed"),
        (r"(\w+\s?)+:", "its pattern can't be searched ('(\\\\w+\\\\s?)+:'): no result within"),
    ],
)
def test_a_pattern_that_can_not_be_searched_or_asks_for_nothing_is_the_cases_fault(local, make_case, pattern, problem):
    """Its author hears of it before there is any code."""
    oracle = Oracle(local, "m", TYPES, Limits(wall_s=0.5))
    other = make_case(name="other", stderr=Pattern(match="fine"))
    told = oracle.expectations([make_case(stderr=Pattern(match=pattern)), other])
    assert problem in told["case"].problem
    assert not told["other"].problem


def test_a_search_without_an_end_is_the_patterns_fault_in_a_short_text_alone(local, make_case, make_spec, returned):
    """A candidate can't get rid of a case by printing much."""
    oracle = Oracle(local, "m", "", Limits(wall_s=0.5))
    case = make_case(stderr=Pattern(match="x(b+)+$"))
    for text, is_fault in (("x" + "b" * 60 + "!", True), ("x" + "b" * 60 + "!" * 3_000, False)):
        complete = oracle.completed(make_spec(), [case], {"case": returned(2, stderr=text)}, {"case": Expected()})[
            "case"
        ]
        assert bool(complete.problem) is is_fault
        assert not complete.patterns


# Classes of a project's module

BOXES = """
class Box:
    kind = "real"


def kind():
    return Box.kind
"""


def test_a_class_of_a_projects_module_is_stood_in_for_where_a_case_names_it_alone(local, make_case):
    """The rest of the project may subclass or call the class while it is imported."""
    interface = ClassInterface(attributes=(Attribute(name="size", type="int"),))
    box = FunctionSpec(name="Box", purpose="", parameters=(), returns=Returns(type="None"), interface=interface)
    target = Target(module="m", path="m.py", source=BOXES)
    oracle = Oracle.of(local, Plan(module="m", functions=(box,), target=target), BOXES)
    ours, written = make_case(expectation=Value(source="kind()")), make_case(expectation=Value(source="Box(size=3)"))
    assert oracle.expectations([ours])["case"].value == "real"
    assert "'size', 3" in str(oracle.expectations([written])["case"].value)
