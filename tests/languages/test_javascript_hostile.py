"""JavaScript that does its worst: what it can't do, and that what it does to one case says nothing of another."""

from __future__ import annotations

import pytest

from tdgen.language import Language
from tdgen.languages.javascript import JavaScript
from tdgen.languages.typescript import TypeScript
from tdgen.sandbox.local import LocalSandbox
from tdgen.types import FunctionSpec, Parameter, Plan, Returns
from tests.languages.conftest import MEMORY_MB, outcomes

pytestmark = pytest.mark.slow  # each asks for its sandbox by the language

PLAN = Plan(
    module="kit",
    functions=(
        FunctionSpec(
            name="f", purpose="", parameters=(Parameter(name="x", type="int"),), returns=Returns(type="int | str")
        ),
    ),
)
ESCAPE = (
    "const host = (e) => e.constructor.constructor('return process')();"
    "try { return typeof host({e}).pid; } catch (error) {{ return error.name; }}"
)
HOSTILE = {
    "exits": ("process.exit(0);", "ReferenceError"),
    "asks for modules": ('return require("fs").readdirSync("/").join();', "ReferenceError"),
    "makes code of text": ('return eval("1");', "EvalError"),
    "makes functions of text": ('return new Function("return 1")();', "EvalError"),
    "makes functions by a constructor": ('return (() => 1).constructor("return process")();', "EvalError"),
    "escapes by this": ('return this.constructor.constructor("return process")().pid;', "TypeError"),
    "escapes by the console": ('return console.log.constructor("return process")().pid;', "EvalError"),
    "escapes by a timer": ('return setTimeout.constructor("return process")().pid;', "EvalError"),
    "escapes by its stack": (
        "Error.prepareStackTrace = (_, frames) => frames.map((one) => typeof one.getThis()).join();"
        "return new Error().stack.includes('object') ? 'the outer realm' : 'nothing';",
        "returned 'nothing'",
    ),
    "has a function of the outer realm called": (
        "Error.prepareStackTrace = (_, frames) => frames.map((one) => typeof one.getFunction()).join();"
        "return new Error().stack.includes('function,function') ? 'the outer realm' : 'nothing';",
        "returned 'nothing'",
    ),
    "changes how values are told": (
        "Object.prototype.toJSON = Array.prototype.toJSON = String.prototype.toJSON = () => 'forged';"
        "JSON.stringify = () => 'forged'; Map.prototype.forEach = () => {}; Array.isArray = () => false; return x;",
        "returned 1",
    ),
    "puts setters in the way": (
        "for (const name of ['0', '1', 'extra', 'then']) Object.defineProperty(Object.prototype, name, "
        "{ set() { throw new Error('caught'); }, get() { return 'forged'; }, configurable: true }); return x;",
        "returned 1",
    ),
    "gives a proxy": (
        "return new Proxy({}, { get: () => 1, getPrototypeOf: () => Number.prototype });",
        "<an object of class Number>",
    ),
    "gives what changes when it is read": (
        "return { get x() { return 1; }, valueOf: () => 1, toString: () => '1' };",
        "<an object of class PlainObject>",
    ),
    "recurses for ever": ("return (function g() { return g(); })();", "RangeError"),
    "nests without end": ("let a = []; for (let n = 0; n < 1e5; n++) a = [a]; return a;", "nested more than"),
    "gives too much": ("return new Array(1e6).fill(0);", "class TooLargeToTell"),
    "throws what throws": ("throw { toString() { throw 1; }, get message() { throw 2; } };", "thrown."),
    "throws an error whose message throws": (
        "const e = new Error('a'); Object.defineProperty(e, 'stack', { get() { for (;;); } }); throw 7;",
        "thrown.",
    ),
    "asks for wasm and shared memory": (
        "return typeof WebAssembly + typeof SharedArrayBuffer;",
        "returned 'undefinedundefined'",
    ),
    "keeps state where the next case may find it": (
        "const key = Symbol.for('kept'); Array.prototype.push = () => 9; Symbol.prototype[key] = x;"
        "console.kept = setTimeout.kept = structuredClone.kept = x; return typeof console.kept;",
        "returned 'number'",
    ),
    "makes its prototype another one's": (
        "const made = Object.create(Map.prototype); Object.defineProperty(made, 'size', { value: 1 }); return made;",
        "<an object of class Map>",
    ),
    "gives a Map that tells other things": (
        "class Liar extends Map { get size() { return 0; } forEach() {} entries() { return []; } }"
        "return new Liar([[1, x]]);",
        "{1: 1}",
    ),
    "gives an array with holes and getters": (
        "const a = [1]; Object.defineProperty(a, 0, { get() { return this.n = (this.n ?? 0) + 1; } });"
        "a.length = 2; return a;",
        "[1, <an object of class undefined>]",
    ),
    "gives a revoked proxy": ("const p = Proxy.revocable({}, {}); p.revoke(); return p.proxy;", "class TooLargeToTell"),
    "throws a revoked proxy": ("const p = Proxy.revocable({}, {}); p.revoke(); throw p.proxy;", "raised thrown.Thrown"),
    "throws an error of another kind by its constructor": (
        "const e = new Error('a'); e.constructor = class KeyError extends Error {}; throw e;",
        "thrown.",
    ),
    "writes its own nonce": ("console.log('0'.repeat(32) + ' [\"opened\"]\\n'); return x;", "returned 1"),
    "waits on shared memory": ("return typeof Atomics.wait(new Int32Array(8), 0, 0, 1e9);", "TypeError"),
    "finds what waits for garbage": (
        "new FinalizationRegistry(() => {}).register({}, 1); return typeof new WeakRef({}).deref();",
        "returned 'object'",
    ),
    "escapes by an error of the stack": (
        "try { (function g() { g(); })(); } catch (e) { return e.constructor.constructor('return process')().pid; }",
        "EvalError",
    ),
    "escapes by an async function": (
        "return (async () => {}).constructor('return process')().then;",
        "EvalError",
    ),
    "escapes by a generator": ("return (function* () {}).constructor('yield process')().next;", "EvalError"),
    "escapes by a getter that the tool reads": (
        "const e = new Error('a');"
        "Object.defineProperty(e, 'message', { get() { return e.constructor.constructor('1'); } }); throw e;",
        "raised thrown.Thrown",
    ),
    "prints without end": ("for (let n = 0; n < 1e5; n++) console.log('x'.repeat(100)); return x;", "returned 1"),
}
DEADLY = {
    "never ends": "for (;;);",
    "never ends in a microtask": "const again = () => Promise.resolve().then(again); again(); return x;",
    "takes all memory": "const a = []; for (;;) a.push(new Array(1e6).fill(Math.random()));",
    "takes all memory outside the heap": "const a = []; for (;;) a.push(new Uint8Array(1e8).fill(1));",
}


@pytest.fixture(scope="module", params=["JavaScript", "TypeScript"])
def either(request) -> tuple[Language, LocalSandbox]:
    """One of the languages that Node runs, and where it does."""
    typed = request.param == "TypeScript"
    return (TypeScript() if typed else JavaScript()), request.getfixturevalue(
        "typed_sandbox" if typed else "node_sandbox"
    )


def seen(where: tuple[Language, LocalSandbox], source: str, *calls: str, **limits) -> list[str]:
    language, sandbox = where
    module = language.module(PLAN, {"f": source}, "")
    return outcomes(sandbox, module, calls, **{"memory_mb": MEMORY_MB, "wall_s": 5.0, **limits})


@pytest.fixture(scope="module")
def attacked(either) -> dict[str, list[str]]:
    """What came of each attack and of the case behind it, all in one job: each case has a realm of its own."""
    acts = ",\n".join(f"function (x) {{ {body} }}" for body, _ in HOSTILE.values())
    source = f"function f(x) {{ if (x >= 1000) return [1].map((y) => y).length + x;\nreturn (0, [{acts}][x])(1); }}"
    calls = [call for number in range(len(HOSTILE)) for call in (f"f({number})", f"f({1000 + number})")]
    told = seen(either, source, *calls)
    return {name: told[2 * number : 2 * number + 2] for number, name in enumerate(HOSTILE)}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_it_tries_comes_to_nothing(attacked, name):
    """Each attack ends in an error or a value of its own, and the next case finds everything as it was."""
    told, after = attacked[name]
    assert HOSTILE[name][1] in told
    assert after == f"returned {1001 + [*HOSTILE].index(name)}"


@pytest.mark.parametrize("either", ["JavaScript"], indirect=True)  # TypeScript is JavaScript when it runs
@pytest.mark.parametrize(
    ("name", "memory_mb"),
    [
        *((name, MEMORY_MB) for name in DEADLY if name != "never ends"),
        *((name, MEMORY_MB - 256) for name in ("never ends", "takes all memory")),
    ],
)
def test_what_does_not_end_is_ended(either, name, memory_mb):
    """It is a death or an error, never an answer, and the next case is run; in a Node that waited, and in another.

    What it takes of a processor ends it, or of memory: both come to an end as soon on a busy machine.
    """
    source = f"function f(x) {{ if (x > 1) return x;\n{DEADLY[name]} }}"
    cpu_s = 3.0 if "memory" in name else 1.0
    attacked, after = seen(either, source, "f(1)", "f(2)", wall_s=60.0, cpu_s=cpu_s, memory_mb=memory_mb)
    assert attacked.startswith(("died", "raised thrown.RangeError"))
    assert after == "returned 2"


@pytest.mark.parametrize("either", ["JavaScript"], indirect=True)
def test_what_takes_longer_than_its_time_is_ended(either):
    """That is a timeout, and the next case is run. What Node may take to start is no time of the call's."""
    source = "function f(x) { if (x > 1) return x;\nfor (;;); }"
    assert seen(either, source, "f(1)", "f(2)", wall_s=1.0, start_s=60.0) == ["no result within 1 s", "returned 2"]


def test_what_runs_on_loading_can_forge_nothing(either):
    """Code beside the function runs before any call: it can end nothing and print nothing that is an answer."""
    forged = 'console.log(\'["returned",["n","1"]]\'); setTimeout(() => { throw new Error("late"); }, 0);\n'
    assert seen(either, f"{forged}function f(x) {{ return x + 1; }}", "f(1)") == ["returned 2"]
    (told,) = seen(either, 'throw new Error("at once");\nfunction f(x) { return x; }', "f(1)")
    assert told.startswith("was not run: the module could not be executed")
    assert "at once" in told


def test_a_dynamic_import_leads_nowhere(either):
    """What a refused import throws is of the outer realm: no code can be made of text there either."""
    attack = (
        "async function f(x) { try { await import('fs'); } catch (e) { "
        "try { return e.constructor.constructor('return process')().pid; } catch (inner) { return inner.name; } } }"
    )
    spec = PLAN.functions[0].model_copy(update={"is_async": True})
    language, sandbox = either
    module = language.module(PLAN.model_copy(update={"functions": (spec,)}), {"f": attack}, "")
    assert outcomes(sandbox, module, ["asyncio.run(f(1))"], memory_mb=2048) == ["returned 'EvalError'"]


def test_one_case_leaves_nothing_to_the_next(either):
    """Variables of the module, globals and built-in objects are new for each case."""
    source = "let count = 0;\nfunction f(x) { count += x; Array.prototype.extra = 1; extra_ = 2; return count; }"
    loose = source.replace("extra_ = 2;", "")
    assert seen(either, loose, "f(1)", "f(1)", "f(5)") == ["returned 1", "returned 1", "returned 5"]


def test_a_node_that_waited_serves_one_job_alone(either):
    """Cases of a job share it, no two jobs do, and one that has other limits than the job is not taken."""
    source = "function f(x) { return x; }"
    waited, pid = "_driver._running['node'].waited", "_driver._running['node'].program.pid"
    first = seen(either, source, f"[{waited}, {pid}]", f"[{waited}, {pid}]")
    second = seen(either, source, f"[{waited}, {pid}]")
    assert first[0] == first[1] != second[0]
    assert {told[:15] for told in (*first, *second)} == {"returned [True,"}
    assert seen(either, source, waited, memory_mb=MEMORY_MB + 1) == ["returned False"]
