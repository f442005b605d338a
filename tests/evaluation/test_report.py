"""The page: one file, nothing from elsewhere, and nothing in it that a data set or a model could have run."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from tdgen.evaluation.hidden import Judged
from tdgen.evaluation.plots import Curve, bars, divided, steps
from tdgen.evaluation.problems import Problem
from tdgen.evaluation.report import Told, page

HOSTILE = "</pre></svg><script>alert(1)</script><img src=x onerror=alert(2)>&\"'"


class Tags(HTMLParser):
    """Every tag with its attributes, and that each which is opened is closed."""

    void = frozenset({"meta", "rect", "line", "path"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in self.void:
            assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


@pytest.fixture
def made(record, studio, double):
    """A page all of whose texts are hostile."""
    solution = studio.solve(double()).solution
    cursed = solution.model_copy(
        update={
            "module_source": HOSTILE,
            "test_files": {HOSTILE: HOSTILE},
            "results": tuple(
                result.model_copy(
                    update={
                        "function": HOSTILE,
                        "history": tuple(
                            a.model_copy(update={"source": HOSTILE, "findings": (HOSTILE,)}) for a in result.history
                        ),
                    }
                )
                for result in solution.results
            ),
        }
    )
    bad = record(HOSTILE, "red", last=1, reason=HOSTILE, purposes={HOSTILE: 1.0}, seconds=2.0)
    bad = bad.model_copy(update={"last": Judged(tests=4, failed=1, faults=(HOSTILE,))})
    problem = Problem(id=HOSTILE, instruction=HOSTILE, function="f")
    return page(Told(HOSTILE, HOSTILE, "quick", [HOSTILE]), [problem], [[bad]], {HOSTILE: cursed})


def test_whatever_it_holds_is_shown_and_not_run(made):
    """No script, no handler, no address; every tag that is opened is closed."""
    found = Tags(made).tags
    allowed = "html head meta title style body h1 h2 h3 p table tr td ul li pre details summary figure figcaption"
    assert {tag for tag, _ in found} <= {*allowed.split(), "svg", "rect", "line", "path", "text", "a"}
    assert not [name for _, given in found for name in given if name.startswith("on") or name in ("src", "href")]
    assert made.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 8


def test_it_needs_nothing_from_elsewhere(made):
    """And would be refused it."""
    assert "default-src 'none'" in made
    assert not re.search(r"https?://|url\(", made)


def test_a_problem_opens_to_its_story(record, doubling, studio, double):
    """Its prose, how it ended, its attempts, the code and the tests; a false green is marked."""
    solution = studio.solve(double()).solution
    made = page(Told("made", "m", "quick"), [doubling], [[record(doubling.id, last=1)]], {doubling.id: solution})
    assert "made/double: green, 3 of 4 hidden tests pass" in made
    assert 'class="wrong false"' in made
    for part in ("Double a number.", "attempt 1 (first): 4 of 4 cases pass", "test_double.py", "return 2 * number"):
        assert part in made


def test_plots_of_nothing_are_plots():
    """An evaluation that ended at once has a page too."""
    for plot in (steps("t", "x", []), bars("t", "x", []), divided("t", [])):
        Tags(plot)


def test_a_curve_ends_at_its_share():
    """A step for each point, and on to the right edge."""
    plot = steps("t", "x", [Curve("c", [(50, 0.5), (100, 1.0)])])
    assert 'd="M48.0 204.0H300.0V110.0H552.0V16.0H552.0"' in plot
