"""The page in a real Chromium: how soon it is painted, and how long it keeps the main thread from its reader.

Paint is what the browser itself noted (`paint` entries); long tasks are all of 50 ms and more that it noted
(`longtask` entries), in each part of a visit to a run of many functions: while it is built, while it is loaded again,
scrolled through by the browser's own scroll gestures, and while its functions are opened one after the other.
"""

from __future__ import annotations

import shutil
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from service.process import PATIENCE_S, script, serving

ARGUMENTS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1440,1000")
WATCH = """
window.longTasks = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.longTasks.push(entry.duration);
}).observe({type: "longtask", buffered: true});
"""
TAKE = "return window.longTasks.splice(0)"
PAINTED = "return performance.getEntriesByName('first-contentful-paint').map((entry) => entry.startTime)"
FRAME = "const done = arguments[0]; requestAnimationFrame(() => setTimeout(done, 0))"
OPEN = "for (const one of document.querySelectorAll('.detail details')) one.open = true"
FIND = """
const node = document.querySelector(arguments[0]);
node.scrollIntoView({block: "start"});
const place = node.getBoundingClientRect();
return [place.x + 60, Math.min(innerHeight - 20, Math.max(20, place.y + 60))];
"""
PLACES = ("body", ".functions", ".graph-frame")
STEPS = 12

Rows = list[tuple[str, str, str]]


def page(functions: int, loads: int) -> tuple[Rows, Rows]:
    """Two tables: first paints, and long tasks by part of a visit."""
    names = [f"double_{number}" for number in range(functions)]
    needs = {name: [names[number // 2]] for number, name in enumerate(names) if number > 3}
    options = ("--budget", f"calls={10 * functions},seconds=30m")
    with serving(script(names, needs), *options) as service, _browser() as driver:
        empty = _paints(driver, f"{service.url}/", loads)
        visit = _Visit(driver, service.url)
        rows = visit.made(service.post("Double numbers."), functions)
        full = _paints(driver, visit.address, loads)
    told = (("an empty page", empty), (f"a run of {functions} functions", full))
    return [(name, f"{statistics.median(took):.0f}", f"{max(took):.0f}") for name, took in told], rows


@contextmanager
def _browser() -> Iterator[Any]:
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ARGUMENTS:
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    try:
        yield driver
    finally:
        driver.quit()


def _paints(driver: Any, url: str, loads: int) -> list[float]:
    """Milliseconds from navigation to the first content, with nothing in the browser's cache."""
    found = []
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": True})
    for _ in range(loads):
        driver.get("about:blank")
        driver.get(url)
        found += _until(lambda: driver.execute_script(PAINTED))
    driver.execute_cdp_cmd("Network.setCacheDisabled", {"cacheDisabled": False})
    return found


def _until(holds: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE_S
    while not (found := holds()):
        assert time.monotonic() < end, "the page never got there"
        time.sleep(0.1)
    return found


class _Visit:
    """Somebody who looks at a run."""

    def __init__(self, driver: Any, url: str) -> None:
        self._driver = driver
        self._url = url
        self.address = ""

    def made(self, identity: str, functions: int) -> Rows:
        """Each part of the visit, and its long tasks."""
        self.address = f"{self._url}/#/run/{identity}"
        parts: list[tuple[str, Callable[[], None]]] = [
            ("built while it is watched", lambda: self._watched(functions)),
            ("loaded again", lambda: self._loaded(functions)),
            ("scrolled through", self._scrolled),
            ("each function opened", self._opened),
        ]
        return [(name, *self._tasks(part)) for name, part in parts]

    def _tasks(self, part: Callable[[], None]) -> tuple[str, str]:
        part()
        self._driver.execute_async_script(FRAME)
        time.sleep(0.2)
        found = self._driver.execute_script(TAKE)
        return str(len(found)), f"{max(found, default=0):.0f}"

    def _watched(self, functions: int) -> None:
        self._driver.get(self.address)
        self._green(functions)

    def _loaded(self, functions: int) -> None:
        self._driver.get("about:blank")
        self._watched(functions)

    def _green(self, functions: int) -> None:
        counted = "return document.querySelectorAll(arguments[0]).length"
        for selector in (".functions li.green", ".graph .node.green", ".run.over"):
            least = 1 if selector == ".run.over" else functions
            _until(lambda s=selector, n=least: self._driver.execute_script(counted, s) >= n)

    def _scrolled(self) -> None:
        """The page, the list and the graph, down and up again, as a wheel would."""
        for selector in PLACES:
            x, y = self._driver.execute_script(FIND, selector)
            at = {"x": int(x), "y": int(y)}
            for step in range(2 * STEPS):
                distance = -600 if step < STEPS else 600
                self._driver.execute_cdp_cmd(
                    "Input.synthesizeScrollGesture", {**at, "yDistance": distance, "speed": 4000}
                )

    def _opened(self) -> None:
        """Every function, with all that can be opened in it."""
        number = self._driver.execute_script("return document.querySelectorAll('.functions li').length")
        for place in range(number):
            self._driver.execute_script("document.querySelectorAll('.functions button')[arguments[0]].click()", place)
            self._driver.execute_async_script(FRAME)
            self._driver.execute_script(OPEN)
            self._driver.execute_async_script(FRAME)
