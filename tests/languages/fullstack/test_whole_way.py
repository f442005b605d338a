"""The whole way of a service and its page: planned by sides, red first, held to the contract, together, written."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tdgen.build import smoke_check
from tdgen.languages.fullstack import FullStack
from tdgen.languages.page import PageScript
from tdgen.runtime import Runtime
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.packages import Packages
from tdgen.sandbox.server import Opened
from tdgen.settings import Settings
from tests.remembering import Remembering
from tests.scripted import Said, Solver

pytestmark = pytest.mark.timeout(300)

COUNT = '{"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}'
ROUTES = [
    {"method": method, "path": "/count", "answers": [{"status": 200, "body": COUNT}]} for method in ("GET", "POST")
]
APP = """
import starlette.applications
from starlette.responses import JSONResponse
from starlette.routing import Route


def create_app() -> starlette.applications.Starlette:
    '''An application that counts.'''
    kept = [0]

    async def count(request):
        kept[0] += request.method == "POST"
        return JSONResponse({"count": kept[0]})

    return starlette.applications.Starlette(routes=[Route("/count", count, methods=["GET", "POST"])])
"""
SHOW = """function mount_count(root) {
  const shown = document.createElement("output"), more = document.createElement("button");
  more.textContent = "More";
  const ask = (method) => fetch("/count", { method }).then((answer) => answer.json())
    .then(({ count }) => { shown.textContent = `${count} so far`; });
  more.addEventListener("click", () => ask("POST"));
  root.replaceChildren(shown, more);
  ask("GET");
}"""
PAGE = "page = dom.Page('<main></main>')\n"
MOUNTED = "mount_count(page.locator('main'))\n"


@pytest.fixture
def full_stack(shared_sandboxes, reports, tmp_path) -> Iterator[Solver]:
    """A solver whose sandbox has a browser, and the starlette that is installed beside the tests."""
    language = FullStack()
    spec = pytest.importorskip("starlette") and find_spec("starlette")
    if not Path(language.programs[0]).exists():
        pytest.skip(language.advice)
    limits = Runtime.limits(Settings(), PageScript())
    packages = str(Path(str(spec.origin)).parents[1])
    with LocalSandbox(packages=lambda _: packages, opened=Opened.to_run(language, limits)) as sandbox:
        allowed = Packages(imports=frozenset({"starlette"}))
        made = Solver(Remembering(sandbox, reports), shared_sandboxes[1], tmp_path / "cache", allowed)
        yield made
        made.close()


def test_a_service_and_its_page_are_green_together(full_stack, write, monkeypatch):
    """An answer that the contract does not say is mended; the page is shown with the service behind it."""
    monkeypatch.setattr(smoke_check, "LOOKED_AT", 4)
    client = "client = TestClient(create_app())\n"
    app = write.function(
        "create_app() -> starlette.applications.Starlette",
        side="service",
        cases=[
            write.returns("client.get('/count').json()['count']", "0", name="begins", setup=client),
            write.returns("client.post('/count').json()['count']", "1", name="counts", setup=client),
        ],
        tries=[APP.replace('{"count": kept[0]}', '{"count": str(kept[0])}'), APP],
    )
    answered = f"{PAGE}page.route('/count', {{'count': 7}})\n{MOUNTED}"
    served = f"{PAGE}page.serve(create_app())\n{MOUNTED}page.click('button')\npage.click('button')"
    page = write.function(
        "mount_count(root: dom.Element) -> None",
        side="page",
        uses=["create_app"],
        cases=[
            write.returns("page.inner_text('output')", "'7 so far'", name="answered", setup=answered),
            write.returns("page.inner_text('output')", "'2 so far'", name="served", setup=served),
        ],
        tries=[Said(f"```js\n{SHOW}\n```")],
    )
    settings = {"language": "fullstack", "allow": ("starlette",)}
    solved = full_stack.solve(app, page, settings=settings, packages=["starlette", "dom"], routes=ROUTES)
    assert {one.function: (one.outcome, len(one.history)) for one in solved.solution.results} == {
        "create_app": ("green", 2),
        "mount_count": ("green", 1),
    }
    assert 'is not what the contract says: count is "0", no integer' in solved.prompts("repair")[0]
    assert set(solved.solution.files()) >= {
        "kit.py",
        "kit.mjs",
        "test_create_app.py",
        "end_to_end.test.mjs",
        "serve.py",
    }
