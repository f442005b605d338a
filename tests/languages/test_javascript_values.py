"""Values over the wire between a case and JavaScript: each comes back as what the contract says that it is."""

from __future__ import annotations

import pytest

from tdgen.languages.javascript import JavaScript
from tdgen.specs.declarations import declare_types
from tdgen.types import FunctionSpec, Job, Limits, Parameter, Plan, Probe, Returns, SharedType
from tdgen.types.declared import Field
from tdgen.types.interface import Raises
from tests.languages.conftest import outcomes

ITEM = SharedType(name="Item", kind="dataclass", fields=(Field(name="n", type="int"), Field(name="f", type="float")))
WRONG = SharedType(
    name="WrongLine", kind="exception", base="ValueError", fields=(Field(name="line", type="int"),), message="at {line}"
)


RANGE = SharedType(name="RangeError", kind="exception", base="ValueError")


def plan_of(returns: str, takes: str = "Any", **more) -> Plan:
    """A plan of one function `f` of one value."""
    parameters = (Parameter(name="x", type=takes), Parameter(name="y", type="int", default="2"))
    raises = (Raises(type="WrongLine", when="x"), Raises(type="TypeError", when="x"), Raises(type="KeyError", when="x"))
    spec = FunctionSpec(
        name="f", purpose="", parameters=parameters, returns=Returns(type=returns), raises=raises, **more
    )
    return Plan(module="kit", functions=(spec,), types=(ITEM, WRONG, RANGE))


@pytest.fixture
def run(node_sandbox):
    """What calls of `f` with this body are seen to do."""

    def run(body: str, *calls: str, returns: str = "Any", takes: str = "Any", source: str = "", **more):
        plan = plan_of(returns, takes, **more)
        code = source or f"{'async ' * bool(more)}function f(x, y = 2) {{ {body} }}"
        module = JavaScript().module(plan, {"f": code}, declare_types(plan))
        told = outcomes(node_sandbox, module, calls, memory_mb=2048, wall_s=5)
        return [one.removeprefix("returned ") for one in told]

    return run


@pytest.mark.parametrize(
    "value",
    [
        "[1, -3, 0.5, None, True, False, '']",
        "[inf, nan, -0.0]",
        "'\\ud800 \\u2028 😀 \"\\\\ \\x00'",
        "{'a': 1, '__proto__': {'b': [2]}, '1': 0}",
        "{1: 'a', (1, 2)[0] + 8: 'b'}",
        "[b'\\x00\\xff', {1, 2}, [[[]]]]",
        "[9007199254740991, -9007199254740991, 1e300, 5e-324]",
        "Item(n=1, f=2.0)",
    ],
)
def test_what_goes_in_comes_out(run, value):
    """Plain data, surrogates, keys that mean something to JavaScript, and declared types go there and back."""
    given = value.replace("inf", "float('inf')").replace("nan", "float('nan')")
    assert run("return x;", f"f({given})") == run("return x;", f"[y for y in [{given}]][0]")


def test_a_number_is_what_the_contract_says(run):
    """A whole number is a float where the contract says so, and minus zero is zero where it says int."""
    assert run("return x / y;", "f(4)", "f(5)", returns="float") == ["2.0", "2.5"]
    assert run("return x;", "f(-0.0)", returns="int") == ["0"]
    assert run("return [x, x];", "f(3)", returns="tuple[int, float]") == ["(3, 3.0)"]
    assert run("return 10n ** 20n;", "f(1)", returns="int") == ["100000000000000000000"]
    assert run("return x ? [x] : null;", "f(3)", "f(0)", returns="tuple[float, ...] | None") == ["(3.0,)", "None"]


def test_an_int_that_no_number_holds_is_not_passed(run):
    """No expectation may take it for an answer: it is no exception that a case can expect."""
    (seen,) = run("return x;", "f(2**53 + 1)")
    assert seen.startswith("raised tdgen.languages.bridge.Unwritable: 9007199254740993 is beyond")


def test_what_can_not_be_passed_is_no_fault_of_the_code(node_sandbox):
    """The code never saw it, so that its case goes back to its author; what the code throws is the code's."""
    plan = plan_of("int")
    source = "function f(x, y = 2) { if (x === 1) throw new Error('one'); return x; }"
    module = JavaScript().module(plan, {"f": source}, declare_types(plan))
    probes = tuple(Probe(name=call, call=call) for call in ("f(1)", "f(2**53 + 1)"))
    job = Job(module="kit", source=module, probes=probes, limits=Limits(memory_mb=2048, wall_s=5))
    assert [seen.raised.is_within for seen in node_sandbox.run(job).observations] == [True, False]


def test_what_has_no_counterpart_equals_nothing(run):
    """What is undefined is no None, a plain object no dict, a promise no value."""
    bodies = ("return undefined;", "return {a: 1};", "return f;", "return Promise.resolve(1);", "return Symbol();")
    seen = [run(body, "f(1)")[0] for body in bodies]
    told = ("undefined", "PlainObject", "Function", "Promise", "Symbol")
    assert seen == [f"<an object of class {name}>" for name in told]
    assert run("return;", "f(1)", returns="None") == ["None"]


def test_exceptions_are_the_contracts_own(run):
    """A declared one keeps its fields and message, one of Python's its name, and a slip of the engine's is neither."""
    assert run("throw new WrongLine(3);", "f(1)") == ["raised kit.WrongLine: at 3"]
    assert run('throw new KeyError("k");', "f(1)") == ["raised KeyError: 'k'"]
    assert run('throw new TypeError("t");', "f(1)") == ["raised TypeError: t"]
    assert run('throw new RangeError("native");', "f(1)") == ["raised kit.RangeError: native"]
    assert "RangeError" not in JavaScript().prelude(plan_of("Any"))
    assert run("return missing;", "f(1)") == ["raised thrown.ReferenceError: missing is not defined (line 1)"]
    assert run('throw "text";', "f(1)") == ["raised thrown.Thrown: something that is no Error was thrown: text"]


def test_an_argument_that_the_call_changed_is_changed(run):
    """What JavaScript does to an array or a Map is seen in Python's list or dict after the call."""
    assert run("x.push(y); return null;", "[x := [1], f(x), x][2]", "[x := [1], f(x, 5), x][2]") == ["[1, 2]", "[1, 5]"]
    assert run('x.set("b", 2); return null;', "[x := {'a': 1}, f(x), x][2]") == ["{'a': 1, 'b': 2}"]


def test_promises_are_awaited_and_time_is_virtual(run):
    """An hour passes at once, a rejection is raised, and what never settles is told as that."""
    wait = "await new Promise((done) => setTimeout(done, 3600e3)); if (x < 0) await new Promise(() => {});"
    body = f'{wait} if (!x) throw new KeyError("zero"); return x + 1;'
    calls = ("asyncio.run(f(1))", "asyncio.run(f(0))", "asyncio.run(f(-1))")
    told = ["2", "raised KeyError: 'zero'", "raised thrown.NeverSettled: it gave a promise that never settles"]
    assert run(body, *calls, is_async=True, returns="int") == told
