"""The page for everybody: what axe-core finds, in light and in dark, wide and narrow."""

from __future__ import annotations

import pytest

WRONG = "def double(number: int) -> int:\n    return 2 * number if number < 7 else 0"
RIGHT = "def double(number: int) -> int:\n    return 2 * number"
WIDTHS = [1440, 400]


@pytest.fixture(params=["light", "dark"])
def scheme(request, page):
    page.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": request.param}]}
    )
    yield request.param
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.fixture(params=WIDTHS)
def width(request, page):
    page.driver.set_window_size(request.param, 1000)
    yield request.param
    page.driver.set_window_size(1440, 1000)


def test_nothing_keeps_anybody_out(serve, studio, double, gate, page, axe, scheme, width):
    """No serious issue: an empty page, a run that goes on, and one that has ended with all of it opened."""
    gated = gate(studio.model(double(WRONG, RIGHT), questions=[{"question": "Floats?", "assumption": "No."}]), "repair")
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


def test_the_story_keeps_nobody_out(serve, studio, double, page, axe, scheme, tmp_path):
    """As one file, opened from disk."""
    solved = studio.solve(double(WRONG, RIGHT), text="Double a number.")
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
