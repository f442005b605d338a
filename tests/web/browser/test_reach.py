"""The page for everybody: what axe-core finds, in light and in dark, wide and narrow."""

from __future__ import annotations

import pytest

WRONG = "def double(number: int) -> int:\n    return 2 * number if number < 7 else 0"
RIGHT = "def double(number: int) -> int:\n    return 2 * number"
WIDTHS = {"light": 1440, "dark": 400}
"""Where a page is looked at in each scheme: colours do not hang on the width, nor places on the colours."""


@pytest.fixture(params=["light", "dark"])
def scheme(request, page):
    page.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": request.param}]}
    )
    yield request.param
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.fixture
def width(scheme, page):
    page.driver.set_window_size(WIDTHS[scheme], 1000)
    yield WIDTHS[scheme]
    page.driver.set_window_size(1440, 1000)


def test_nothing_keeps_anybody_out(serve, solver, double, gate, page, axe, scheme, width):
    """No serious issue: an empty page, a run that goes on, and one that has ended with all of it opened."""
    gated = gate(solver.model(double(WRONG, RIGHT), questions=[{"question": "Floats?", "assumption": "No."}]), "repair")
    service = serve(gated)
    page.open(service.url)
    page.one("#prose")
    assert issues(page, axe) == []
    identity = service.post("Double a number.")
    page.open(f"{service.url}/#/run/{identity}")
    page.says(".failing", "double(7)")
    assert issues(page, axe) == []
    gated.open.set()
    page.says(".run-head .badge", "all green")
    page.run("for (const one of document.querySelectorAll('details')) one.open = true")
    page.says(".diff", "2 * number")
    assert issues(page, axe) == []
    assert page.run("return document.documentElement.scrollWidth <= innerWidth"), "it scrolls sideways"


LONG = "https://example.org/" + "segment-of-a-path/" * 14
CLIPPED = """
const wide = document.documentElement.clientWidth;
const scrolls = (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible";
const cut = (one) => one.getBoundingClientRect().right > wide + 1 || scrolls(one);
const whole = ".cases td, .difference td, .cases-frame, .contract, blockquote, .run-head";
return [...document.querySelectorAll(whole)].filter(cut).map((one) => one.outerHTML.slice(0, 200));
"""
BESIDE = """
return [...document.querySelectorAll(".cases tbody tr")].every((row) => {
  const cells = ["expected", "actual"].map((label) => row.querySelector(`[data-label=${label}]`));
  const [left, right] = cells.map((cell) => cell.getBoundingClientRect());
  return left.right <= right.left + 1 && left.top < right.bottom && right.top < left.bottom;
});
"""


@pytest.mark.parametrize("across", [390, 1280])
def test_nothing_of_a_case_is_clipped(serve, solver, write, page, across):
    """Long names, calls and values: whole at any width, with what was expected beside what came of it."""
    name = "every_link_of_a_document_in_its_normal_form_without_duplicates"
    links = write.function(
        f"{name}(links: list[str]) -> list[str]",
        cases=[write.returns(f"{name}([{LONG + end!r}])", repr([LONG + end]), name=f"a_{end}") for end in "abc"],
        tries=[f"def {name}(links: list[str]) -> list[str]:\n    return [link[:90] for link in links]"],
    )
    service = serve(solver.model(links), budget="iterations=1")
    identity = service.post("Links.")
    service.ended(identity)
    page.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": across, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    )
    page.open(f"{service.url}/#/run/{identity}")
    page.says(".run-head .badge", "not all green")
    page.one(".failing .difference")
    page.run("for (const one of document.querySelectorAll('.folded')) one.open = true")
    assert page.run(CLIPPED) == []
    assert page.run(BESIDE), "expected is not beside actual"
    assert page.run("return document.documentElement.scrollWidth <= innerWidth"), "it scrolls sideways"
    page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_story_keeps_nobody_out(serve, solver, double, page, axe, scheme, tmp_path):
    """As one file, opened from disk."""
    solved = solver.solve(double(WRONG, RIGHT), text="Double a number.")
    story = tmp_path / "story.html"
    story.write_text(solved.solution.to_html(), encoding="utf-8")
    page.open(story.as_uri())
    assert "Double a number." in page.text("blockquote")
    page.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})  # for axe, not for the story
    page.driver.refresh()
    assert issues(page, axe) == []
    page.driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": False})


def issues(page, axe: str) -> list[str]:
    """What axe-core finds that is serious or worse."""
    page.run(axe)
    found = page.driver.execute_async_script("axe.run().then(arguments[0])")
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]} {one['nodes'][0].get('failureSummary', '')[:200]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]
