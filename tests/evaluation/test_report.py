"""The page: one file, nothing from elsewhere, and nothing in it that a data set or a model could have run."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from tdgen.evaluation.judging import Judged, Problem
from tdgen.evaluation.report import Curve, Told, bars, divided, page, steps
from tdgen.solution_html import POLICY, look

HOSTILE = "</pre></svg><script>alert(1)</script><img src=x onerror=alert(2)>&\"'"


class Tags(HTMLParser):
    """Every tag with its attributes, and that each which is opened is closed."""

    void = frozenset({"meta", "wbr", "rect", "line", "path"})

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
def made(record, solver, double):
    """A page all of whose texts are hostile."""
    solution = solver.solve(double()).solution
    cursed = solution.model_copy(
        update={
            "module_source": HOSTILE,
            "test_files": {HOSTILE: HOSTILE},
            "plan": solution.plan.model_copy(
                update={"functions": tuple(f.model_copy(update={"name": HOSTILE}) for f in solution.plan.functions)}
            ),
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
    assert {tag for tag, _ in found} & {"script", "img", "link", "iframe", "object", "base", "form", "input"} == set()
    assert not [name for _, given in found for name in given if name.startswith("on") or name == "src"]
    assert all(given["href"].startswith("#") for _, given in found if "href" in given)
    assert made.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 8


def test_it_needs_nothing_from_elsewhere(made):
    """And would be refused it."""
    assert [given["content"] for _, given in Tags(made).tags if "http-equiv" in given] == [POLICY]
    assert not re.search(r"https?://|url\(", made)


def test_a_problem_opens_to_its_story(record, doubling, solver, double):
    """Its prose, how it ended, its attempts, the code and the tests; a false green is marked."""
    solution = solver.solve(double()).solution
    made = page(Told("made", "m", "quick"), [doubling], [[record(doubling.id, last=1)]], {doubling.id: solution})
    assert "3 of 4 hidden tests pass" in made
    assert "false green" in made
    for part in ("made/double", "Double a number.", "4 of 4 cases pass", "test_<wbr>double.py", "the whole module"):
        assert part in made


def test_a_right_verdict_is_not_called_false(record, doubling):
    """Green where the hidden tests pass, and red where they don't."""
    for outcome, failed in (("green", 0), ("red", 1)):
        made = page(Told("made", "m", "quick"), [doubling], [[record(doubling.id, outcome, last=failed)]], {})
        assert "false green" not in made
        assert "false red" not in made


def test_ids_are_of_one_problem_only(record, doubling, solver, double):
    """Two problems with functions of one name: each link leads within its own."""
    solution = solver.solve(double()).solution
    problems = [doubling, doubling.model_copy(update={"id": "made/again"})]
    records = [[record(problem.id) for problem in problems]]
    made = page(Told("made", "m", "quick"), problems, records, {problem.id: solution for problem in problems})
    ids = [given["id"] for _, given in Tags(made).tags if "id" in given]
    assert ids == ["problem-0-double", "problem-1-double"]


def test_it_wears_the_storys_design():
    """The style sheet of the story is in it, before its own."""
    made = page(Told("made", "m", "quick"), [], [[]], {})
    assert made.index(look()) < made.index(".plots")


def test_plots_of_nothing_are_plots():
    """An evaluation that ended at once has a page too."""
    for plot in (steps("t", "x", []), bars("t", "x", []), divided("t", [])):
        Tags(plot)


def test_a_curve_ends_at_its_share():
    """A step for each point, and on to the right edge."""
    plot = steps("t", "x", [Curve("c", [(50, 0.5), (100, 1.0)])])
    assert 'd="M48.0 184.0H230.0V100.0H412.0V16.0H412.0"' in plot
