"""Pages that do their worst: what they can't do, and that what one does says nothing of another."""

from __future__ import annotations

import pytest

from tdgen.judge.compare import outcome
from tdgen.languages.page import PageScript
from tdgen.runtime import Runtime
from tdgen.sandbox.local import LocalSandbox
from tdgen.settings import Settings
from tdgen.types import FunctionSpec, Job, Limits, Parameter, Plan, Probe, Returns

pytestmark = pytest.mark.timeout(300)

PLAN = Plan(
    module="kit",
    packages=("dom",),
    functions=(
        FunctionSpec(
            name="f",
            purpose="",
            parameters=(Parameter(name="x", type="int"),),
            returns=Returns(type="int | str"),
            is_async=True,
        ),
    ),
)
LIMITS = Runtime.limits(Settings(), PageScript()).model_copy(update={"wall_s": 60})
"""Time enough also where the browser starts slowly."""
FRAME = "const inner = document.body.appendChild(document.createElement('iframe')).contentWindow;"
HOSTILE = {
    "changes how values are told": (
        "Object.prototype.toJSON = Array.prototype.toJSON = JSON.stringify = JSON.parse = () => 'forged';"
        "Promise.prototype.then = () => {}; Array.isArray = () => false; Reflect.apply = () => 'forged'; return x;",
        ("returned 1", "never settles"),
    ),
    "puts setters in the way": (
        "for (const name of ['0', '1', 'then', 'serve', 'functions']) Object.defineProperty(Object.prototype, name, "
        "{ set() { throw new Error('caught'); }, get() { return undefined; }, configurable: true }); return x;",
        "returned 1",
    ),
    "asks the network": ("return fetch('https://example.com').catch((e) => e.name);", "returned 'TypeError'"),
    "asks it from a frame": (f"{FRAME} return inner.fetch('https://a.test').catch((e) => e.name);", "'TypeError'"),
    "reads a file": (f"{FRAME} return inner.fetch('file:///etc/passwd').catch((e) => e.name);", "'TypeError'"),
    "opens a socket": (
        f"{FRAME} const s = new inner.WebSocket('wss://a.test');"
        "return new Promise((done) => { s.onerror = () => done('held'); s.onopen = () => done('escaped'); });",
        "returned 'held'",
    ),
    "has a frame show a file": (
        "const f = document.createElement('iframe'); f.src = 'file:///etc/passwd'; document.body.append(f);"
        "await new Promise((done) => { f.onload = done; });"
        "try { return f.contentDocument.body.innerText; } catch (e) { return 'held'; }",
        ("returned ''", "returned 'held'", "never settles"),
    ),
    "starts a worker": (
        f"{FRAME} const w = new inner.Worker('data:text/javascript,postMessage(1)');"
        "return new Promise((done) => { w.onmessage = () => done('escaped'); w.onerror = () => done('held'); });",
        "returned 'held'",
    ),
    "registers a service worker": (
        "return navigator.serviceWorker.register('/w.js').then(() => 'escaped', () => 'held');",
        "returned 'held'",
    ),
    "makes a function in a frame": (f"{FRAME} return inner.Function('return 1')();", "EvalError"),
    "imports": (
        "return import('data:text/javascript,export default 1').then(() => 'escaped', () => 'held');",
        "'held'",
    ),
    "opens a window": (
        f"{FRAME} return [window, inner].some((one) => one.open('about:blank')) ? 'escaped' : 'held';",
        "returned 'held'",
    ),
    "goes elsewhere": (
        "document.body.textContent = 'here'; location.href = 'https://elsewhere.test/'; return x;",
        "returned 1",
    ),
    "goes to a file": ("location.href = 'file:///etc/passwd'; return location.protocol;", "returned 'https:'"),
    "crashes by an address": ("location.href = 'chrome://crash'; return x;", "returned 1"),
    "asks in a dialog of a frame": (
        f"{FRAME} inner.alert('a'); return String(inner.confirm('b'));",
        "returned 'false'",
    ),
    "closes the page": ("window.close(); return x;", "returned 1"),
    "gives a proxy": (
        "return new Proxy({}, { get: () => 1, getPrototypeOf: () => Number.prototype });",
        "class Number",
    ),
    "throws what throws": ("throw { toString() { throw 1; }, get message() { throw 2; } };", "thrown."),
}
DEADLY = {
    "never ends": ("for (;;);", {"wall_s": 2.0}, ("no result within",)),
    "changes what it observes": (
        "new MutationObserver(() => document.body.append('a')).observe(document.body, { childList: true });"
        "document.body.append('a'); return x;",
        {"cpu_s": 1.0},
        ("died",),
    ),
    "takes all memory": (
        "const kept = []; for (;;) kept.push(new Array(1e7).fill(kept.length));",
        {"cpu_s": 8.0},
        ("died",),
    ),
    "takes memory beside the heap": (
        "const kept = []; try { while (kept.length < 1e3) kept.push(new Uint8Array(1e8)); } catch {}"
        f"return 100 * kept.length < {LIMITS.memory_mb} ? 'held' : 'escaped';",
        {"cpu_s": 8.0},
        ("died", "returned 'held'"),
    ),
}
"""What does not end, what it has, and what may come of it: all but one as soon on a busy machine as on another."""
LIES = """
const kinds = [[Node, "textContent"], [HTMLElement, "innerText"], [Element, "innerHTML"], [Element, "id"]];
for (const [kind, name] of kinds) {
  Object.defineProperty(kind.prototype, name, { get: () => "forged", set() {}, configurable: true });
}
for (const name of ["querySelectorAll", "querySelector"]) Document.prototype[name] = Element.prototype[name] = () => [];
Element.prototype.checkVisibility = () => true;
Element.prototype.getAttribute = Array.prototype.map = String.prototype.replace = () => "forged";
globalThis.document.body.append("true");
"""
READ = (
    "[page.inner_text('#a'), page.text_content('#a'), page.inner_html('#a'), page.get_attribute('p', 'id'), "
    "page.locator('p').count(), page.get_by_text('real').count()]"
)
KEEPS = (
    "const was = [window.name, document.cookie, localStorage.length, sessionStorage.length, typeof window.kept, "
    "typeof Object.prototype.kept, history.length, history.state, document.documentElement.outerHTML.length].join();"
    "window.name = 'kept'; document.cookie = 'kept=1'; localStorage.kept = sessionStorage.kept = window.kept = 1; "
    "Object.prototype.kept = 1; history.pushState(1, '', '/kept'); document.documentElement.lang = 'kept';"
    "setInterval(() => document.body.append('kept'), 1); setTimeout(() => { location.href = '/elsewhere'; }, 5);"
    "addEventListener('beforeunload', (event) => { event.preventDefault(); document.write('kept'); }); return was;"
)


def module(source: str) -> str:
    """What stands for a function of that body."""
    return PageScript().module(PLAN, {"f": f"async function f(x) {{ {source} }}"}, "")


def seen(sandbox: LocalSandbox, source: str, calls: int, limits: Limits) -> list[str]:
    """What a page of that body comes to, given each number below `calls`."""
    probes = tuple(Probe(name=str(n), setup="import asyncio", call=f"asyncio.run(f({n}))") for n in range(calls))
    report = sandbox.run(Job(module="kit", source=module(source), probes=probes, limits=limits))
    return [outcome(one) for one in report.observations]


@pytest.fixture(scope="module")
def held(page_sandbox: LocalSandbox) -> dict[str, str]:
    """What each of the hostile pages comes to, one after the other, and what is read of one that lies."""
    acts = ", ".join(f"async (x) => {{ {source} }}" for source, _ in HOSTILE.values())
    source = module(f"return [{acts}, async (x) => {{ {LIES} return x; }}][x](1);")
    probes = [Probe(name=str(n), setup="import asyncio", call=f"asyncio.run(f({n}))") for n in range(len(HOSTILE))]
    shown = f"import asyncio\npage = dom.Page('<p id=\"a\">real</p>')\nasyncio.run(f({len(HOSTILE)}))"
    probes.append(Probe(name="lies", setup=shown, call=READ))
    report = page_sandbox.run(Job(module="kit", source=source, probes=tuple(probes), limits=LIMITS))
    return dict(zip([*HOSTILE, "lies"], map(outcome, report.observations), strict=True))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_is_held(held, name):
    """Each attempt is refused, ends, or gives what it is: never an answer that it may not have."""
    wanted = HOSTILE[name][1]
    assert any(one in held[name] for one in ([wanted] if isinstance(wanted, str) else wanted)), held[name]


@pytest.mark.parametrize("name", DEADLY)
def test_what_does_not_end_is_ended(page_sandbox, name):
    """It is a timeout or a death, or gets no more memory than there is; never an answer of another kind."""
    source, limits, wanted = DEADLY[name]
    (told,) = seen(page_sandbox, source, 1, LIMITS.model_copy(update=limits))
    assert any(one in told for one in wanted), told


def test_what_is_read_of_a_page_is_what_is_there(held):
    """A page that puts its own in the place of what elements are read by is read as it is."""
    assert held["lies"] == "returned ['real', 'real', 'real', 'a', 1, 1]"


def test_nothing_is_left_for_the_next_case(page_sandbox):
    """Names, cookies, storage, history, timers and globals of one case's page are not in the next one's."""
    setup = "import asyncio\ndom.Page('a').click('body')"  # who was clicked on may ask whether to leave
    probes = tuple(Probe(name=str(n), setup=setup, call="asyncio.run(f(1))") for n in range(3))
    report = page_sandbox.run(Job(module="kit", source=module(KEEPS), probes=probes, limits=LIMITS))
    length = len('<html lang="en"><head><meta charset="utf-8"><title></title></head><body>a</body></html>')
    assert [outcome(one) for one in report.observations] == [f"returned ',,0,0,undefined,undefined,2,,{length}'"] * 3


def test_the_walls_are_the_same_with_a_browser(page_sandbox):
    """All layers are in force where a browser may be started: none calls a socket, and memory is bounded."""
    layers = {layer.name: layer for layer in page_sandbox.layers()}
    assert all(layers[name].enforced for name in ("seccomp", "Landlock", "rlimits", "network namespace")), layers
    assert "memory" in layers["rlimits"].detail
