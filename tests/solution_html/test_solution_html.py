"""The story as one HTML file: all of it, and nothing in it that could run."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import get_args

import pytest

from tdgen.solution_html.code import changes, folded, python
from tdgen.solution_html.layout import STATE_MARKS, Markup, tag, text
from tdgen.types.record import Outcome, Strength, Survivor

WRONG = "def double(number: int) -> int:\n    return 2 * number if number < 7 else 0"
RIGHT = "def double(number: int) -> int:\n    '''Twice.'''\n    return 2 * number"
BAD = "</style><script>alert('1')</script><img src=x onerror=alert(2)>"


class Elements(HTMLParser):
    """The elements of a document, with their attributes, and its text."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words = ""
        self.feed(document)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in ("meta", "wbr", "input", "path", "rect"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in ("path", "rect"):
            assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words += data


@pytest.fixture(scope="module")
def story(one_studio, double) -> Elements:
    """A solution that took two attempts."""
    question = {"question": "Of floats too?", "assumption": "No."}
    solved = one_studio.solve(double(WRONG, RIGHT), text="Double a number.", questions=[question], summary="Larger.")
    return Elements(solved.solution.to_html())


@pytest.mark.parametrize(
    "words",
    [
        "Double a number.",
        "Larger.",
        "all green: 1 function",
        "Of floats too? Assumed: No.",
        "def double(number: int) -> int",
        "Twice the number.",
        "test_double.py",
        "assert double(number) == expected",
        "held out of every prompt",
        "the tester",
        "✗ attempt 1 3 of 4 cases pass: written from the contract",
        "✓ attempt 2 4 of 4 cases pass: repaired from what failed",
        "kit.py: the whole module",
        " · trust quick · ",
        "tdgen solve --follow",
        "Changed since attempt 1",
        "-     return 2 * number if number < 7 else 0",
        "+     return 2 * number",
        "where" "expected" "actual" "result" "14" "0",
        "What it cost",
        "all of it",
    ],
)  # fmt: skip
def test_it_tells(story, words):
    """What was asked, planned, tested, tried, found and spent."""
    assert words in story.words


def test_it_is_whole_and_alone(story):
    """Every element is closed, nothing is fetched, and no script is in it."""
    assert story.open == []
    assert {name for name, _ in story.found} & {"script", "link", "img", "iframe", "object", "base", "form"} == set()
    assert not [name for _, attributes in story.found for name in attributes if name.startswith("on") or name == "src"]


def test_each_passage_leads_to_its_functions(solver, write):
    """With the number of cases that show it; what no case shows, and what no function does, is seen."""
    cases = [write.returns("double(1)", "2", passages=[1]), write.returns("double(2)", "4", passages=[1])]
    right = "def double(number: int) -> int:\n    return 2 * number"
    double = write.function("double(number: int) -> int", cases=cases, tries=[right], sentences=[2, 3])
    text = "Hello. It doubles. Zero stays. Bye."
    told = Elements(solver.solve(double, text=text, asks_nothing=[1]).solution.to_html())
    assert "Hello. It doubles. double 2 Zero stays. double no case Bye. no function" in told.words
    assert [a["href"] for name, a in told.found if name == "a"][:2] == ["#function-double", "#function-double"]


@pytest.mark.parametrize("place", ["instruction", "purpose", "value", "exception", "question", "summary"])
def test_text_stays_text(solver, write, place):
    """Wherever it comes from."""
    said = {
        name: BAD if name == place else "plain" for name in ("purpose", "value", "exception", "question", "summary")
    }
    echo = write.function(
        "echo(text: str) -> str",
        said["purpose"],
        cases=[write.returns(f"echo({said['value']!r})", repr(said["value"])), write.returns("echo('b')", "'b'")],
        tries=[f"def echo(text: str) -> str:\n    raise ValueError({said['exception']!r})"],
    )
    text = f"Echo. {BAD}" if place == "instruction" else "Echo."
    questions = [{"question": said["question"], "assumption": "yes"}]
    settings = {"budget": "iterations=1"}
    solved = solver.solve(echo, text=text, settings=settings, questions=questions, summary=said["summary"])
    told = Elements(solved.solution.to_html())
    assert {name for name, _ in told.found} & {"script", "img"} == set()
    assert "<script>" in told.words
    assert told.open == []


def test_what_is_not_seen_is_spelt_out():
    """Controls, what reorders text, and what is no Unicode; line ends and tabs stay."""
    assert text("a\x00b\u202ec\ud800\n\t<") == "a\\x00b\\u202ec\\ud800\n\t&lt;"


def test_attributes_are_escaped():
    """A quote does not end one."""
    assert tag("a", "x", title='"><b>') == '<a title="&quot;&gt;&lt;b&gt;">x</a>'
    assert tag("p", Markup("<b>y</b>"), None, hidden=True, id=None) == "<p hidden><b>y</b></p>"


def test_a_notebook_shows_it_in_a_frame(solver, double):
    """Apart from the notebook's own page; no script runs in it."""
    shown = solver.solve(double()).solution._repr_html_()
    (name, attributes) = Elements(shown).found[0]
    assert (name, attributes["sandbox"]) == ("iframe", "")
    assert attributes["srcdoc"].startswith("<!DOCTYPE html>")


def test_what_is_not_green_says_so(solver, double):
    """First, and with what failed opened."""
    told = solver.solve(double(WRONG), settings={"budget": "iterations=1"}).solution.to_html()
    assert "✗ not all green: 0 of 1" in told
    assert "--follow" not in told
    assert re.search(r'<details open class="attempt">', told)


def test_what_was_assumed_and_the_cases_come_first(story):
    """Assumptions before the plan, and a function's cases before the source of its tests."""
    places = [story.words.index(words) for words in ("Assumed:", "The plan", "expected", "test_double.py")]
    assert places == sorted(places)


def test_every_case_has_expected_beside_actual(solver, double):
    """In the row of the case itself, whether it passes or fails, and labelled for where a row is a card."""
    told = Elements(solver.solve(double(WRONG), settings={"budget": "iterations=1"}).solution.to_html())
    labels = [
        attributes["data-label"] for name, attributes in told.found if name == "td" and "data-label" in attributes
    ]
    assert labels == ["call", "expected", "actual"] * 4
    assert re.search(r"double\(7\)\s*return 14\s*returned 0", told.words)


def test_mutants_are_told_with_those_that_survive(story, solver, double):
    """How many make a case fail, how much the cases reach, and each change that none sees; nothing where none ran."""
    assert "Mutants" not in story.words
    solution = solver.solve(double(RIGHT)).solution
    survivor = Survivor(line=2, operator="number", before="return 2 * n", after="return 3 * n")
    strength = Strength(mutants=5, killed=3, equivalent=1, survivors=(survivor,), lines=0.5)
    (result,) = solution.results
    result = result.model_copy(update={"strength": strength})
    told = solution.model_copy(update={"results": (result,)}).to_html()
    assert "3 of 5 small changes to the code make a case fail (75%); the cases reach 50% of its lines" in told
    assert "<li>line 2: <del>return 2 * n</del> → <ins>return 3 * n</ins></li>" in told


def test_functions_lead_to_each_other(solver, write):
    """From the graph, and from what is needed to what needs it, and back."""
    one, two = (
        write.function(
            f"{name}(number: int) -> int",
            cases=[write.returns(f"{name}({n})", str(n)) for n in (1, 2, 3)],
            tries=[f"def {name}(number: int) -> int:\n    return number"],
            uses=uses,
        )
        for name, uses in (("one", []), ("two", ["one"]))
    )
    told = Elements(solver.solve(one, two).solution.to_html())
    links = [attributes["href"] for name, attributes in told.found if name == "a"]
    assert links == ["#function-one", "#function-two", "#function-two", "#function-one"]
    assert {"function-one", "function-two"} <= {attributes.get("id") for _, attributes in told.found}
    assert "is needed by two" in told.words
    assert "needs one" in told.words


def test_a_long_value_is_folded():
    """To its beginning, and opens to all of it; a short one stands as it is."""
    assert folded("12") == "<code>12</code>"
    told = Elements(folded("'" + "x" * 300 + "'"))
    assert [name for name, _ in told.found][:2] == ["details", "summary"]
    assert "302 characters" in told.words
    assert "'" + "x" * 300 + "'" in told.words


def test_a_state_is_told_without_its_colour():
    """Every outcome that a function can have has a mark of its own."""
    marks = [STATE_MARKS[outcome] for outcome in get_args(Outcome)]
    assert len(set(marks)) == len(marks) == 4


def test_python_is_coloured_and_unchanged():
    """Whatever it is: the text of it stays the same."""
    source = "def f(x):  # <b>\n    '''Doc \\''' ''' \n    return \"a\\\"b\" + f'{x}' + 0x1F if x else \"\"\"unclosed"
    assert Elements(python(source)).words == source
    assert '<span class="py-keyword">def</span> <span class="py-name">f</span>' in python(source)


def test_changes_are_told_by_line():
    """With what stayed around them; a source that is the same says so."""
    told = Elements(changes("a\nb\nc\n", "a\nB\nc\n", "x")).words
    assert told == "@@ -1,3 +1,3 @@\n  a\n- b\n+ B\n  c\n"
    assert "The same source" in changes("a", "a", "x")


def test_it_says_which_methods_of_a_class_use_which(solver, write):
    """Read from the code: methods of its own, and what it stands on."""
    code = """
    class Till:
        def __init__(self):
            self._cents = 0

        def pay(self, cents):
            self._cents += cents
            return self.shown()

        def shown(self):
            return told(self._cents)
    """
    told = write.function(
        "told(cents: int) -> str",
        cases=[write.returns("told(5)", "'5 ct'"), write.returns("told(0)", "'0 ct'")],
        tries=["def told(cents):\n    return f'{cents} ct'"],
    )
    till = write.klass(
        "class Till:\n    def pay(self, cents: int) -> str: ...\n    def shown(self) -> str: ...",
        cases=[
            write.returns("till.pay(5)", "'8 ct'", name="again", setup="till = Till()\ntill.pay(2)\ntill.pay(1)"),
            write.returns("till.shown()", "'0 ct'", name="shown", setup="till = Till()"),
        ],
        tries=[code],
        uses=["told"],
    )
    words = Elements(solver.solve(told, till).solution.to_html()).words
    assert "Its methods usepay uses shownshown uses told" in words
    assert "Till: green; pay, shown" in words
