"""The story as one HTML file: all of it, and nothing in it that could run."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from tdgen.types.story.code import changes, python
from tdgen.types.story.graph import layers
from tdgen.types.story.markup import Markup, tag, text

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
        if tag not in ("meta", "wbr", "path", "rect", "circle"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag not in ("path", "rect", "circle"):
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
        "assert result == expected",
        "held out: no prompt shows it",
        "the test author",
        "attempt 1 3 of 4 cases pass: written from the contract",
        "attempt 2 4 of 4 cases pass: repaired from what failed",
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


@pytest.mark.parametrize("place", ["instruction", "purpose", "value", "exception", "question", "summary"])
def test_text_stays_text(studio, write, place):
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
    solved = studio.solve(echo, text=text, settings=settings, questions=questions, summary=said["summary"])
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


def test_a_notebook_shows_it_in_a_frame(studio, double):
    """Apart from the notebook's own page; no script runs in it."""
    shown = studio.solve(double()).solution._repr_html_()
    (name, attributes) = Elements(shown).found[0]
    assert (name, attributes["sandbox"]) == ("iframe", "")
    assert attributes["srcdoc"].startswith("<!DOCTYPE html>")


def test_what_is_not_green_says_so(studio, double):
    """First, and with what failed opened."""
    told = studio.solve(double(WRONG), settings={"budget": "iterations=1"}).solution.to_html()
    assert "not all green: 0 of 1" in told
    assert re.search(r'<details open class="attempt">', told)


@pytest.mark.parametrize(
    ("needs", "columns"),
    [
        ({}, []),
        ({"a": ()}, [["a"]]),
        ({"a": (), "b": ("a",), "c": ("a", "b")}, [["a"], ["b"], ["c"]]),
        ({"a": (), "b": ("a",), "near": (), "c": ("b", "near")}, [["a"], ["b", "near"], ["c"]]),
        ({"even": ("odd",), "odd": ("even",)}, [["even"], ["odd"]]),
        ({"own": ("own", "of_no_plan")}, [["own"]]),
    ],
)
def test_the_graph_has_columns(needs, columns):
    """What is needed stands to the left, as near as it can; circles end somewhere."""
    assert layers(needs) == columns


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
