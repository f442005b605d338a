"""The back end for pages: JavaScript that shows or changes a page, run by a Chromium without a network in the sandbox.

What JavaScript's back end says of plans, values and code holds here; the code has a document beside the language. Cases
open a page by `dom.Page`, look elements up and act on them as a user does, in Playwright's words. Each case has a
document of its own. Time is virtual, requests are answered by the case, and what a case reads of the page is read from
a world that the code has no way to.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from glob import glob
from pathlib import Path
from shutil import which
from typing import Any, Final

from tdgen.language import Capability
from tdgen.languages import shapes
from tdgen.languages.files import text_of
from tdgen.languages.javascript import JavaScript, node
from tdgen.languages.javascript.exporting import package_text
from tdgen.languages.page import exporting
from tdgen.languages.shapes import DOM
from tdgen.prompts import render
from tdgen.prompts.context import contract
from tdgen.types import FunctionSpec, Plan, Suite

PLACES: Final = (
    "/usr/lib/chromium/chromium",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/usr/lib/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/opt/chromium*/chrome",
)
"""Where the program itself is, and not a script that starts it."""
_OF_PAGE: Final = re.compile(
    r"(?i)\b(?:dom|document|window|pages?|elements?|buttons?|fetch\w*|requests?|\w*storage|timers?|click\w*|focus\w*|render\w*|"
    r"show[ns]?|dialogs?|events?|async|await)\b"
)
"""Words of what is shown, asked or waited for: to whom they are told wrongly, a page is told of too much."""
_SHOWN: Final = ("/etc/fonts", "/usr/share/fonts", "/usr/share/fontconfig", "/var/cache/fontconfig")


def program() -> str:
    """The path of this machine's Chromium; where there is none, a name that no program has."""
    return next((path for place in PLACES for path in sorted(glob(place))), "Chromium")  # noqa: PTH207 - absolute


@cache
def _version(path: str) -> str:
    """What it says that it is, with its version; its path where it does not say that."""
    try:
        ended = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60, check=False)  # noqa: S603 - this machine's own
    except (OSError, subprocess.TimeoutExpired):
        return path
    return ended.stdout.strip() or path


class PageScript(JavaScript):
    """Functions and classes in JavaScript that show or change a page."""

    browses = True
    packages = frozenset({DOM})
    advice = "install it (Debian: apt install chromium)"
    place = "tdgen.languages.page"
    held: Mapping[str, str] = {"Element": f"{DOM}.Element"}
    overhead_mb = 2560
    overhead_s = 2.0
    """Each case has a document of its own to open: 0.06 s on an idle machine."""
    start_s = 8.0
    """A browser starts in half a second of a processor's time, and is given up after so long (`driver.py`)."""

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Nothing beside: a call takes a page of its own, and a hundred mutants would take minutes."""
        return frozenset()

    @property
    def judged_by(self) -> tuple[str, ...]:
        """The browser."""
        return (_version(program()),)

    @property
    def lacks(self) -> tuple[str, ...]:
        """A Node for the tests that are written."""
        return () if len(self.programs) > 1 else (f"Node, so its own tests are not run: {super().advice}",)

    @property
    def programs(self) -> tuple[str, ...]:
        """The browser that runs it, and Node, where it is here, for the tests that are written."""
        runner = node.program(self.least)
        return (program(), *([runner] if which(runner, path=node.PATH) else []))

    @property
    def shown(self) -> tuple[str, ...]:  # type: ignore[override]
        """What the browser reads beside: its own files, and fonts."""
        return (str(Path(program()).parent), *_SHOWN)

    @property
    def driver(self) -> str:
        """What asks the browser, inside."""
        return text_of(__name__, "driver.py")

    @property
    def warming(self) -> str:
        """What has a browser ready while a process waits for a job."""
        return shapes.warming({"program": program(), "reader": text_of(__name__, "reader.js")}, self.driver)

    def planning(self, packages: Collection[str]) -> str:
        """What the planner is told."""
        return f"{super().planning(packages)}{render('tdgen.languages.page', 'planning')}\n"

    def unit_note(self, spec: FunctionSpec, plan: Plan) -> str:
        """How tests ask a page, for what has one: code that only computes is tried without."""
        return render("tdgen.languages.page", "note") if _OF_PAGE.search(contract(spec)) else ""

    def problems(self, plan: Plan) -> list[str]:
        """What of a plan can't be written."""
        given = (
            f"{spec.unit} {spec.name!r}: no code is given a page, it has one: take a `{DOM}.Element`"
            for spec in plan.functions
            if any(f"{DOM}.Page" in one for one in (*(one.type for one in spec.parameters), spec.returns.type))
        )
        fields = (
            f"type {one.name!r}: a field can't hold an element: give it as a parameter"
            for one in plan.types
            if any(DOM in field.type for field in one.fields)
        )
        return [*super().problems(plan), *given, *fields]

    def tests(self, plan: Plan, suites: Sequence[Suite], sources: Mapping[str, str]) -> dict[str, str]:
        """The files beside the module: its tests, what opens their pages, and how they are run."""
        name = plan.module.rpartition(".")[2]
        return {
            f"{name}.test.{self.suffix}": exporting.tests_text(plan, suites, self.file(plan), self.equality, ""),
            "page.mjs": exporting.opener_text(
                text_of(__name__, "page.mjs"), self.file(plan), self.started()["inner"], text_of(__name__, "reader.js")
            ),
            "package.json": package_text(name, self.least),
        }

    def commands(self, plan: Plan) -> tuple[tuple[str, ...], ...]:
        """What runs the tests, where there is a Node."""
        return super().commands(plan) if len(self.programs) > 1 else ()

    def started(self) -> dict[str, Any]:
        """What a page is opened with, and by which browser."""
        reader, dom, surface = (text_of(__name__, name) for name in ("reader.js", "dom.py", "surface.js"))
        inner = text_of("tdgen.languages.javascript", "inner.js").replace("  // MORE\n", surface)
        return {"program": program(), "inner": inner, "reader": reader, "dom": dom}
