"""A page with the service behind it, in the sandbox: what passes between them, and what a hostile service can do."""

from __future__ import annotations

import pytest

from tdgen.languages.fullstack import FullStack
from tdgen.languages.page import PageScript
from tdgen.runtime import Runtime
from tdgen.settings import Settings
from tdgen.types import Case, FunctionSpec, Parameter, Plan, Returns, Value
from tdgen.types.interface import Answered, Route
from tests.languages.conftest import outcomes

pytestmark = pytest.mark.timeout(300)

COUNT = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
PLAN = Plan(
    module="kit",
    packages=("dom",),
    functions=(
        FunctionSpec(name="create_app", purpose="", returns=Returns(type="flask.Flask"), language="python"),
        FunctionSpec(
            name="show",
            purpose="",
            parameters=(Parameter(name="root", type="dom.Element"),),
            returns=Returns(type="None"),
            dependencies=("create_app",),
            language="javascript",
        ),
    ),
    routes=(Route(method="POST", path="/count", sent=COUNT, answers=(Answered(status=200, body=COUNT),)),),
)
LIMITS = Runtime.limits(Settings(), PageScript()).model_dump()
SHOW = """function show(root) {
  const headers = { "Content-Type": "application/json" };
  const sent = root.title === "breach" ? { sum: 2 } : { count: 2 };
  fetch("/count", { method: "POST", headers, body: JSON.stringify(sent) })
    .then((answer) => answer.json()).then(({ count }) => { root.textContent = `now ${count}`; });
}"""
SERVICE = """from __future__ import annotations
import builtins, dataclasses, json, os, signal, time
@dataclasses.dataclass
class One:
    n: int
def _reached():  # before there is a loop of asyncio's, which opens its own
    found = []
    for fd in range(5, 4096):
        try:
            os.fstat(fd)
            found.append(fd)
        except OSError:
            pass
    try:
        with open(f"/proc/{os.getppid()}/mem", "rb"):
            found.append("mem")
    except OSError:
        pass
    return len(found)
REACHED = _reached()
builtins.open = None
def show(root): raise SystemExit
def create_app(act="sum"):
    kept = []
    async def app(scope, receive, send):
        kept.append(json.loads((await receive())["body"])["count"])
        answer = {
ACTS
        }[act]()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": json.dumps(answer).encode()})
    return app
"""
"""It does its worst as it is loaded, too: it takes `open` away, and has a function of the page's name."""
ACTS = {
    "sum": "{'count': sum(kept)}",
    "breach": "{'sum': sum(kept)}",
    "raises": "1 / 0",
    "type": "{'count': One(5).n}",
    "sleeps": "time.sleep(60)",
    "reaches": "{'count': REACHED}",
    "ends": "os._exit(0)",
    "answers": 'os.write(4, b\'["answer", [200, [], "{}"]]\\n["made", 0]\\n\') and {"count": 1}',
    "babbles": "os.write(4, b'\\xff\\n') and {'count': 1}",
    "kills": "os.kill(os.getppid(), signal.SIGKILL) or {'count': 1}",
}
"""What it answers: a number of which the page tells, or a breach, or it is hostile."""
TOGETHER = """def shown(act='sum', times=1):
    app = create_app(act)
    for _ in range(times):
        page = dom.Page('<main id="app"></main>')
        page.serve(app)
        show(page.locator('#app'))
    return page.inner_text('main')

def routed(answer, title=''):
    page = dom.Page(f'<main id="app" title="{title}"></main>')
    page.route('/count', answer)
    show(page.locator('#app'))
    return page.inner_text('main')
"""
CALLS = (
    *("shown(times=2)", "shown()", "routed({'count': 7})", "routed({'count': 'two'})"),
    *("routed({'count': 7}, 'breach')", *(f"shown('{act}')" for act in ACTS if act not in ("sum", "sleeps"))),
)


def tried(sandbox, *calls, **limits):
    """What calls come to, by the call, each a case of its own."""
    acts = "\n".join(f"            '{act}': lambda: {done}," for act, done in ACTS.items())
    module = FullStack().module(PLAN, {"create_app": SERVICE.replace("ACTS", acts), "show": SHOW}, "", "show")
    return dict(zip(calls, outcomes(sandbox, f"{module}\n{TOGETHER}", calls, **LIMITS | limits), strict=True))


@pytest.fixture(scope="module")
def seen(page_sandbox):
    """What comes of all that ends, tried in one job: a browser takes long to begin."""
    return tried(page_sandbox, *CALLS)


def test_the_service_answers_the_page_and_keeps_what_it_was_sent(seen):
    """An application goes on from page to page of a case, and is another one in the next case."""
    assert [seen[call] for call in CALLS[:3]] == ["returned 'now 4'", "returned 'now 2'", "returned 'now 7'"]


def test_neither_side_says_what_the_contract_does_not(seen):
    """A service's answer, a page's request, and an answer that a case makes up are held against the contract."""
    assert (
        "the answer 200 to POST /count is not what the contract says: the body has no 'count'"
        in seen["shown('breach')"]
    )
    assert "route: the answer 200 to a request of /count" in seen["routed({'count': 'two'})"]
    sent = seen["routed({'count': 7}, 'breach')"]
    assert "what POST /count sends is not what the contract says: the body has no 'count'" in sent


def test_what_shows_the_page_is_tried_with_the_service():
    """At least one case of it; the service is green without, and what the page has beside."""
    setup = "page = dom.Page('<main></main>')"
    alone = Case(name="alone", function="show", setup=setup, call="1", expectation=Value(source="1"))
    both = alone.model_copy(update={"setup": f"{setup}\npage.serve(create_app())"})
    app, show = PLAN.functions
    assert "with the service behind it" in FullStack().unshown(show, PLAN, [alone])
    assert [FullStack().unshown(show, PLAN, [alone, both]), FullStack().unshown(app, PLAN, [alone])] == ["", ""]


def test_a_service_that_raises_answers_as_a_server_does(seen):
    """Which no contract has."""
    assert "POST /count answers 500, not 200" in seen["shown('raises')"]


def test_a_service_that_is_not_written_yet_is_told_as_that(page_sandbox):
    """By whoever makes it."""
    stubs = {spec.name: FullStack().stub(spec) for spec in PLAN.functions}
    module = FullStack().module(PLAN, stubs, "", "show")
    assert "create_app is not written yet" in outcomes(page_sandbox, module, ["create_app()"], **LIMITS)[0]


def test_a_service_that_never_answers_ends_its_case(page_sandbox):
    """A request is waited for as long as the case has."""
    assert tried(page_sandbox, "shown('sleeps')", wall_s=3.0) == {"shown('sleeps')": "no result within 3 s"}


def test_a_service_has_the_plans_types(seen):
    """Its code is a module of its own: a dataclass with annotations as texts can be made in it."""
    assert seen["shown('type')"] == "returned 'now 5'"


@pytest.mark.parametrize(
    ("act", "said"), [("reaches", "now 0"), ("ends", ""), ("answers", "contract"), ("babbles", ""), ("kills", "")]
)
def test_a_hostile_service_changes_nothing_but_its_answers(seen, act, said):
    """It has neither the browser's pipe nor the case's process: what it does ends the case, or is an answer."""
    told = seen[f"shown('{act}')"]
    assert said in told if said else not told.startswith("returned"), told
