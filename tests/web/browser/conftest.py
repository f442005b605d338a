"""The page in a real Chromium, driven by selenium; where there is none, these tests are skipped and say so."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

PATIENCE_S = 30.0
ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--window-size=1440,1000",
    "--no-first-run",
    "--disable-background-networking",
    "--force-prefers-reduced-motion",
)


class Page:
    """A browser's window on a service."""

    def __init__(self, driver: Any, downloads: Path) -> None:
        self.driver = driver
        self.downloads = downloads

    def open(self, url: str) -> None:
        self.driver.get(url)

    def all(self, selector: str) -> list[Any]:
        return self.driver.find_elements("css selector", selector)

    def one(self, selector: str) -> Any:
        """The first that is there, as soon as it is."""
        return self.until(lambda: self.all(selector), f"{selector} is not there")[0]

    def text(self, selector: str) -> str:
        return self.one(selector).text

    def says(self, selector: str, words: str) -> None:
        """Wait until an element says something."""
        from selenium.common.exceptions import StaleElementReferenceException

        def holds() -> bool:
            try:
                return any(words in found.text for found in self.all(selector))
            except StaleElementReferenceException:
                return False

        self.until(holds, f"{selector} never said {words!r}")

    def until(self, holds: Callable[[], Any], told: str) -> Any:
        end = time.monotonic() + PATIENCE_S
        while not (found := holds()):
            assert time.monotonic() < end, f"{told}: {self.driver.find_element('css selector', 'body').text[:1500]}"
            time.sleep(0.05)
        return found

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def click(self, selector: str) -> None:
        """Click what the selector finds, as soon as it is there to be clicked: the page may just be drawn anew."""
        from selenium.common.exceptions import ElementNotInteractableException, StaleElementReferenceException

        def is_clicked() -> bool:
            try:
                self.run("arguments[0].scrollIntoView({block: 'center'})", self.one(selector))
                self.one(selector).click()
            except (StaleElementReferenceException, ElementNotInteractableException):
                return False
            return True

        self.until(is_clicked, f"{selector} could not be clicked")

    def type(self, selector: str, words: str) -> None:
        field = self.one(selector)
        field.clear()
        field.send_keys(words)

    def downloaded(self) -> Path:
        """The file that was downloaded, once it is whole."""
        whole = lambda: [p for p in self.downloads.iterdir() if p.suffix == ".zip"]  # noqa: E731
        return self.until(whole, "nothing was downloaded")[0]

    def complaints(self) -> list[str]:
        """What the browser's console holds against the page, a line that broke apart."""
        return [
            entry["message"]
            for entry in self.driver.get_log("browser")
            if entry["level"] == "SEVERE" and "ERR_CONNECTION_REFUSED" not in entry["message"]
        ]


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, Path]]:
    """One browser for the session."""
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if not find_spec("selenium"):
        pytest.skip("selenium is not installed: pip install selenium")
    if not chromium or not chromedriver:
        pytest.skip("there is no Chromium to drive: apt-get install chromium chromium-driver")
    from selenium import webdriver

    downloads = tmp_path_factory.mktemp("downloads")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in ARGUMENTS:
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    made = webdriver.Chrome(options=options, service=webdriver.ChromeService(chromedriver))
    yield made, downloads
    made.quit()


@pytest.fixture
def page(driver: tuple[Any, Path]) -> Iterator[Page]:
    """A window of its own, in which nothing was complained of."""
    made, downloads = driver
    for path in downloads.iterdir():
        path.unlink()
    made.get_log("browser")
    page = Page(made, downloads)
    yield page
    complaints = page.complaints()
    made.get("about:blank")
    made.delete_all_cookies()
    assert complaints == []


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, as a package ships it."""
    spec = find_spec("axe_playwright_python")
    if spec is None or spec.origin is None:
        pytest.skip("axe-core is not installed: pip install --no-deps axe-playwright-python")
    return Path(spec.origin).with_name("axe.min.js").read_text(encoding="utf-8")
