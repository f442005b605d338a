"""The whole way of a page: planned and tested in Python's notation, red first, shown in a browser, judged, written."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from tdgen.build import smoke_check
from tdgen.errors import InputError, SandboxError
from tdgen.judge.compare import outcome
from tdgen.languages.page import PageScript, driver
from tdgen.languages.program import Program
from tdgen.runtime import Runtime
from tdgen.sandbox.server import Opened
from tdgen.sandboxes import Wants, open_sandbox
from tdgen.settings import Settings
from tdgen.types import After, Case, FunctionSpec, Job, Parameter, Plan, Probe, Returns, Suite, Value
from tests.languages.conftest import outcomes
from tests.languages.test_javascript_way import ran

pytestmark = pytest.mark.timeout(300)

SHOW = """function show(root, items) {
  const list = document.createElement("ul");
  for (const item of items) {
    const row = document.createElement("li");
    row.textContent = item;
    list.append(row);
  }
  const add = document.createElement("button");
  add.textContent = "Add";
  add.addEventListener("click", () => list.append(document.createElement("li")));
  root.replaceChildren(list, add);
}"""
OPEN = "page = dom.Page('<main id=\"app\"></main>')"


def show(write, *tries, **more):
    """A function that shows a list, with a button."""
    shown = f"{OPEN}\nshow(page.locator('#app'), ['pen', 'ink'])"
    cases = [
        write.returns("page.locator('li').all_inner_texts()", "['pen', 'ink']", name="rows", setup=shown),
        write.returns("page.locator('li').count()", "3", name="adds", setup=f"{shown}\npage.click('button')"),
        write.returns(
            "show(page.locator('#app'), [])",
            "None",
            name="empty",
            setup=OPEN,
            after=[{"expression": "page.get_by_role('button', 'Add').count()", "value": "1"}],
        ),
    ]
    told = {"cases": cases, "tries": tries} | more
    return write.function("show(root: dom.Element, items: list[str]) -> None", **told)


def test_what_is_shown_is_repaired_and_green(in_page, write, js, monkeypatch):
    """What the page does wrong is told by what it shows; the second attempt is green, and its tests run elsewhere."""
    monkeypatch.setattr(smoke_check, "LOOKED_AT", 4)
    wrong = js(SHOW.replace("row.textContent = item;", ""))
    solved = in_page(show(write, wrong, js(SHOW)))
    result = solved["show"]
    assert (result.outcome, len(result.history)) == ("green", 2), result
    assert "at [0]: '', expected 'pen'" in solved.prompts("repair")[0]
    assert set(solved.solution.files()) == {"kit.mjs", "kit.test.mjs", "page.mjs", "package.json"}


PLAN = Plan(
    module="kit",
    packages=("dom",),
    functions=(
        FunctionSpec(
            name="show",
            purpose="",
            parameters=(Parameter(name="root", type="dom.Element"), Parameter(name="items", type="list[str]")),
            returns=Returns(type="None"),
        ),
    ),
)
SHOWN = f"{OPEN}\nitems = ['pen', 'ink']\nshow(page.locator('#app'), items)"


def case(name, call, value, setup=SHOWN, after=()):
    """One case of `show`."""
    told = {"call": call, "expectation": Value(source=value), "setup": setup, "after": after}
    return Case(name=name, function="show", **told)


def test_what_is_written_passes_where_tdgen_is_not(page_sandbox):
    """Under `node --test` with a browser alone the tests pass on right code and fail on wrong code."""
    language = PageScript()
    if not language.commands(PLAN):
        pytest.skip("there is no Node")
    cases = (
        case("rows", "page.locator('li').all_inner_texts()", "['pen', 'ink']"),
        case("adds", "page.locator('li').count()", "3", setup=f"{SHOWN}\npage.click('button')"),
        case(
            "empty",
            "show(page.locator('#app'), [])",
            "None",
            setup=OPEN,
            after=(After(expression="page.get_by_role('button', 'Add').count()", source="1"),),
        ),
        case("kind", "type(page)", "None"),
    )
    files = language.tests(PLAN, [Suite(function="show", cases=cases)], {})
    files["kit.mjs"] = language.finished(PLAN, {"show": SHOW.replace('"Add"', '"Ad"')})
    assert "// 1 more case can't be said here" in files["kit.test.mjs"]
    code, said = ran(page_sandbox, files, ["/usr/bin/node", "--test"])
    assert code == 1, said
    for line in ("ok 1 - show: rows", "ok 2 - show: adds", "not ok 3 - show: empty"):
        assert f"\n{line}" in said, said


@pytest.mark.parametrize("language", ["page", "fullstack"])
def test_a_machine_without_a_browser_is_told_what_to_install(monkeypatch, language):
    """One line says what is missing, before anything is asked."""
    monkeypatch.setattr("tdgen.languages.page.PLACES", ())
    with pytest.raises(InputError, match="Chromium, which is not here"):
        _ = Runtime(Settings(language=language)).language


def test_the_time_of_a_browsers_start_is_none_of_a_cases():
    """A page that never ends takes its own time, however long a browser may take to be there."""
    limits, own = Runtime.limits(Settings(), PageScript()), Settings().limits
    assert (limits.wall_s, limits.start_s) == (own.wall_s + 2, 8)
    assert limits.cpu_s == own.cpu_s + 10


def test_a_page_is_refused_where_its_layers_are_not():
    """A browser is opened in the local sandbox alone."""
    with pytest.raises(SandboxError, match="pages run in the local sandbox alone"):
        open_sandbox("docker", Wants(opened=Opened(browses=True)))


def test_a_browser_that_waited_serves_one_job_alone(page_sandbox):
    """Cases of a job share it, no two jobs do, and one that has other limits than the job is not taken.

    A browser may end by itself as it waits; then its job begins another.
    """
    module = PageScript().module(PLAN, {"show": SHOW}, "")
    which = "[_driver._running['browser'].waited, _driver._running['browser'].program.pid]"
    limits = Runtime.limits(Settings(), PageScript()).model_dump()
    jobs = [outcomes(page_sandbox, module, [which] * 2, **limits) for _ in range(3)]
    assert all(one == other for one, other in jobs)
    assert len({one for one, _ in jobs}) == len(jobs)
    assert any(one.startswith("returned [True,") for one, _ in jobs)
    limits["memory_mb"] += 1
    assert outcomes(page_sandbox, module, [which], **limits)[0].startswith("returned [False,")


def test_a_browser_that_is_gone_before_there_is_code_in_it_is_begun_anew(monkeypatch):
    """It is ended first: its folder is the other one's too, and one folder is one browser's."""
    gone, other = Mock(), Mock()
    gone.open.side_effect = Program.Gone
    running = {"waiting": gone}
    monkeypatch.setattr(driver, "_running", running)
    closed: list[int] = []
    monkeypatch.setattr(driver, "begun", lambda *_: closed.append(gone.close.call_count) or other)
    assert driver.before_code("chromium", lambda browser: browser.open()) is other.open()
    assert (closed, running) == ([1], {"browser": other})


WHOLE = """<html><head><style>p { width: 9px }</style></head><body onload='said.push("load")'>
<script>var said = [document.readyState, typeof show]; document.write("<b>written</b>");
document.addEventListener("DOMContentLoaded", () => said.push("parsed"));</script>
<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"><p>a\r\nb</p>
<div><template shadowrootmode=open><i>shadow</i></template></div>
<script type=module>said.push(import.meta.url.length)</script>"""
FACTS = """function facts(root, items) {
  const { compatMode, characterSet, contentType, referrer, readyState } = document;
  root.textContent = JSON.stringify([compatMode, characterSet, contentType, referrer, readyState, history.length, said,
    document.querySelector("img")?.naturalWidth, document.querySelector("div")?.shadowRoot?.innerHTML,
    document.querySelector("p").offsetWidth, document.querySelector("p").innerHTML, location.pathname, scrollY,
    document.documentElement.outerHTML]);
}"""
FRAME = """function frame(root, items) {
  root.innerHTML = `<input autofocus><p style="height: 9px; overflow: auto"><b>a<br>b</b></p>
    <i style="transition: opacity 2s 1s">a</i>`;
  const [row, cell] = root.querySelectorAll("p, i");
  row.addEventListener("scroll", () => row.append("scrolled"));
  row.scrollTop = 5;
  new IntersectionObserver(() => row.append("seen")).observe(row);
  new ResizeObserver(() => cell.append("sized")).observe(cell);
  cell.addEventListener("transitionend", () => cell.append("ended"));
  cell.getBoundingClientRect();
  cell.style.opacity = 0;
}"""
TABLE = "function table(root, items) { root.innerHTML = `<table><tr><th>Pen<td>2<tr><th>Ink<td>0</table>`; }"
SOURCES = {"show": SHOW, "facts": FACTS, "frame": FRAME, "table": TABLE}
FRAMED = f"{OPEN}\nframe(page.locator('#app'), [])\nrow, cell = page.inner_text('p'), page.inner_text('i')"
AGAIN = f"{SHOWN}\nrow = page.locator('li').first\nother = dom.Page('<p>other</p>')"
TABLED = f"{OPEN}\ntable(page.locator('#app'), [])"
LOOKS = {
    "written": (f"page = dom.Page({WHOLE!r})\nfacts(page.locator('p'), [])", "page.inner_text('p')"),
    "gone to": (f"page = dom.Page({WHOLE!r})\nfacts(page.locator('p'), [])", "page.inner_text('p')"),
    "rows": (SHOWN, "page.locator('li').all_inner_texts()"),
    "gone": (AGAIN, "page.locator('p').count()"),
    "row that is gone": (AGAIN, "row.inner_text()"),
    "other": (AGAIN, "other.inner_text('p')"),
    **{
        f"frame {n}": (
            FRAMED,
            "[page.is_focused('input'), 'scrolled' in row, 'seen' in row, 'sized' in cell, 'ended' in cell]",
        )
        for n in range(3)
    },
    "row by text": (TABLED, "page.get_by_role('row', 'Ink').count()"),
    "row by name": (TABLED, "page.get_by_role('row', 'Pen 2', exact=True).accessible_name()"),
    "missing": (SHOWN, "page.inner_text('output')"),
    "slip": (SHOWN, "page.inner_words('li')"),
}


@pytest.fixture(scope="module")
def seen(page_sandbox):
    """What is seen of the pages, each a case of one job: a browser takes long to begin."""
    (function,) = PLAN.functions
    plan = PLAN.model_copy(update={"functions": tuple(function.model_copy(update={"name": one}) for one in SOURCES)})
    probes = tuple(Probe(name=name, setup=setup, call=call) for name, (setup, call) in LOOKS.items())
    limits = Runtime.limits(Settings(), PageScript())
    job = Job(module="kit", source=PageScript().module(plan, SOURCES, ""), probes=probes, limits=limits)
    return dict(zip(LOOKS, page_sandbox.run(job).observations, strict=True))


def test_a_text_that_is_written_into_a_waiting_page_is_a_page_as_any(seen):
    """The first case's page waited for it, others are gone to: scripts, images, styles and events are alike."""
    written, gone_to = outcome(seen["written"]), outcome(seen["gone to"])
    assert written == gone_to
    assert all(one in written for one in ('"BackCompat"', '"loading"', '"load"', "<i>shadow</i>", ",1,", ",9,")), (
        written
    )


def test_a_browsers_own_files_are_none_of_a_cases(seen):
    """What the browser keeps lies outside the case's folder: two runs of a case see the same, and no file."""
    assert (seen["rows"].status, seen["rows"].files) == ("returned", {})


def test_an_earlier_page_is_gone(seen):
    """What is asked of it is no answer of the page that took its place."""
    gone, row, there = (outcome(seen[name]) for name in ("gone", "row that is gone", "other"))
    assert gone == "raised dom.PageError: count: its page is gone: one that was opened later took its place"
    assert (row.startswith("raised dom.PageError: inner text: its page"), there) == (True, "returned 'other'")


def test_what_comes_with_a_frame_has_come_when_a_call_returned(seen):
    """A page is drawn before it is looked at, so that no chance decides; what is postponed to the next is no error."""
    told = [outcome(seen[f"frame {n}"]) for n in range(3)]
    assert told == ["returned [True, True, True, True, True]"] * 3


def test_a_row_is_found_by_its_text(seen):
    """Chromium has no name for it, Playwright does."""
    assert [outcome(seen[f"row by {how}"]) for how in ("text", "name")] == ["returned 1", "returned 'Pen 2'"]


def test_what_is_not_shown_is_the_code_s(seen):
    """That an element is not there came of the code; a slip in what a case asks did not."""
    assert [seen[name].raised.is_within for name in ("missing", "slip")] == [True, False]
