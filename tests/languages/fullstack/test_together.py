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
  fetch("/count", { method: "POST", headers, body: JSON.stringify({ count: 2 }) })
    .then((answer) => answer.json()).then(({ count }) => { root.textContent = `now ${count}`; });
}"""
SERVICE = """
import json
def create_app():
    kept = []
    async def app(scope, receive, send):
        kept.append(json.loads((await receive())["body"])["count"])
        answer = DONE
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
        await send({"type": "http.response.body", "body": json.dumps(answer).encode()})
    return app
"""
TOGETHER = """def shown(make, times=1):
    app = make()
    for _ in range(times):
        page = dom.Page('<main id="app"></main>')
        page.serve(app)
        show(page.locator('#app'))
    return page.inner_text('main')

def routed(answer):
    page = dom.Page('<main id="app"></main>')
    page.route('/count', answer)
    show(page.locator('#app'))
    return page.inner_text('main')
"""


def tried(sandbox, *calls, done="{'count': sum(kept)}", above="", show=SHOW, **limits):
    """What calls come to where the service answers so."""
    sources = {"create_app": above + SERVICE.replace("DONE", done), "show": show}
    module = FullStack().module(PLAN, sources, "", "show")
    return outcomes(sandbox, f"{module}\n{TOGETHER}", calls, **LIMITS | limits)


def test_the_service_answers_the_page_and_keeps_what_it_was_sent(page_sandbox):
    """An application goes on from page to page of a case, and is another one in the next case."""
    calls = ("shown(create_app, times=2)", "shown(create_app)", "routed({'count': 7})")
    assert tried(page_sandbox, *calls) == ["returned 'now 4'", "returned 'now 2'", "returned 'now 7'"]


def test_neither_side_says_what_the_contract_does_not(page_sandbox):
    """A service's answer, a page's request, and an answer that a case makes up are held against the contract."""
    (answered, routed) = tried(page_sandbox, "shown(create_app)", "routed({'count': 'two'})", done="{'sum': sum(kept)}")
    assert "the answer 200 to POST /count is not what the contract says: the body has no 'count'" in answered
    assert "route: the answer 200 to a request of /count" in routed
    (sent,) = tried(page_sandbox, "routed({'count': 7})", show=SHOW.replace("{ count: 2 }", "{ sum: 2 }"))
    assert "what POST /count sends is not what the contract says: the body has no 'count'" in sent


def test_what_shows_the_page_is_tried_with_the_service():
    """At least one case of it; the service is green without, and what the page has beside."""
    setup = "page = dom.Page('<main></main>')"
    alone = Case(name="alone", function="show", setup=setup, call="1", expectation=Value(source="1"))
    both = alone.model_copy(update={"setup": f"{setup}\npage.serve(create_app())"})
    app, show = PLAN.functions
    assert "with the service behind it" in FullStack().unshown(show, PLAN, [alone])
    assert [FullStack().unshown(show, PLAN, [alone, both]), FullStack().unshown(app, PLAN, [alone])] == ["", ""]


def test_a_service_that_raises_answers_as_a_server_does(page_sandbox):
    """Which no contract has; what is not written yet is told as that."""
    (seen,) = tried(page_sandbox, "shown(create_app)", done="1 / 0")
    assert "POST /count answers 500, not 200" in seen
    stubs = {spec.name: FullStack().stub(spec) for spec in PLAN.functions}
    module = FullStack().module(PLAN, stubs, "", "show")
    assert "create_app is not written yet" in outcomes(page_sandbox, module, ["create_app()"], **LIMITS)[0]


def test_a_service_that_never_answers_ends_its_case(page_sandbox):
    """A request is waited for as long as the case has."""
    (seen,) = tried(page_sandbox, "shown(create_app)", done="__import__('time').sleep(60)", wall_s=3.0)
    assert seen == "no result within 3 s"


def test_a_service_has_the_plans_types(page_sandbox):
    """Its code is a module of its own: a dataclass with annotations as texts can be made in it."""
    above = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass One:\n    n: int\n"
    )
    (seen,) = tried(page_sandbox, "shown(create_app)", above=above, done="{'count': One(5).n}")
    assert seen == "returned 'now 5'"


REACHING = """
import os
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
_REACHED = _reached()
"""


@pytest.mark.parametrize(
    ("above", "done", "said"),
    [
        (REACHING, "{'count': _REACHED}", "now 0"),
        ("import os\n", "os._exit(0)", ""),
        (
            "import os\n",
            'os.write(4, b\'["answer", [200, [], "{}"]]\\n["made", 0]\\n\') and {\'count\': 1}',
            "contract",
        ),
        ("import os\n", "os.write(4, b'\\xff\\n') and {'count': 1}", ""),
        ("import os, signal\n", "os.kill(os.getppid(), signal.SIGKILL) or {'count': 1}", ""),
        ("import builtins\nbuiltins.open = None\nimport json\n", "{'count': sum(kept)}", "now 2"),
        ("def show(root): raise SystemExit\n", "{'count': sum(kept)}", "now 2"),
    ],
)
def test_a_hostile_service_changes_nothing_but_its_answers(page_sandbox, above, done, said):
    """It has neither the browser's pipe nor the case's process: what it does ends the case, or is an answer."""
    (seen,) = tried(page_sandbox, "shown(create_app)", done=done, above=above)
    assert said in seen if said else not seen.startswith("returned"), seen
