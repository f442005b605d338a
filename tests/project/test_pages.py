"""What prompts see of a project's pages: doctests that call a unit, and nothing that may be another's."""

import os
from pathlib import Path

import pytest

from tdgen.project.filling import read_filling
from tdgen.project.guarding import read_guarding
from tdgen.project.index import read_index
from tdgen.project.module import read_module
from tdgen.project.pages import shown_on_pages
from tdgen.project.root import find_project

PRICES = '''"""Prices."""


class Basket:
    """What is bought."""

    def total(self):
        """The total."""
        raise NotImplementedError

    def update(self, n):
        """Another number."""
        raise NotImplementedError


def split(cents):
    """Net and tax."""
    raise NotImplementedError
'''
PAGE = """\
Prices
======

.. code-block:: python

    >>> cents = 119
    >>> split(cents)
    (100, 19)

In prose nothing is meant by ``split(3)``.

    >>> b = Basket()
    >>> b.update(3)
    >>> b.total()
    0

Others split, too:

    >>> other.split('a b')
    ['a', 'b']
    >>> split('a')  # doctest: +SKIP
    >>> split(1)
"""


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """What pages (texts by path) show of units of the shop's prices."""
    monkeypatch.chdir(tmp_path)

    def show(*units, **pages):
        files = {"pyproject.toml": "[project]\nname = 'shop'\n", "shop/__init__.py": "", "shop/prices.py": PRICES}
        for path, text in (files | pages.pop("files", {"docs/prices.rst": PAGE})).items():
            Path(path).parent.mkdir(exist_ok=True, parents=True)
            Path(path).write_text(text)
        project = find_project(Path("shop/prices.py"))
        return shown_on_pages(project, read_index(project), read_module(project, Path("shop/prices.py")), units)

    return show


def test_a_stretch_of_doctests_is_shown_as_it_stands(shown):
    """What a page shows of a function has what its calls need, and what comes of them."""
    assert shown("split") == (
        "\n### What the project's page `docs/prices.rst` shows of `split`\n\n"
        "```pycon\n>>> cents = 119\n>>> split(cents)\n(100, 19)\n```\n"
    )


def test_a_method_is_told_by_its_name_alone(shown):
    """A method that one class alone has is found; one that lists and dicts have could be theirs."""
    assert ">>> b.total()\n0" in shown("Basket.total")
    assert shown("Basket.update") == ""


@pytest.mark.parametrize(
    ("page", "why"),
    [
        (">>> text.split('a')\n['a']\n", "another's method"),
        (">>> split(1)  # doctest: +SKIP\n(1, 0)\n", "not to be run"),
        (">>> split(1)\n", "nothing is said to come of it"),
        (">>> split(cents)\n(1, 0)\n", "it reads what nobody binds"),
        (">>> split(\n(1, 0)\n", "no Python"),
        ("    >>> split(1)\n  (1, 0)\n", "its lines are indented in two ways"),
        (">>> split(119)\n" + "'x'\n" * 400, "too long"),
    ],
)
def test_what_may_be_anything_else_is_left_out(shown, page, why):
    """Only a doctest that is run, calls the function and has a result says something of it."""
    assert shown("split", files={"README.md": page}) == "", why


def test_fences_of_markdown_are_no_results(shown):
    """A block of Markdown ends with a fence, which its last doctest does not give."""
    text = shown("split", files={"README.md": "```pycon\n>>> prices.split(119)\n(100, 19)\n```\n"})
    assert text.endswith("```pycon\n>>> prices.split(119)\n(100, 19)\n```\n")


def test_pages_of_tests_and_of_earlier_versions_are_left_out(shown):
    """What a page says was so once, or a test's page, is no documentation."""
    page = ">>> split(119)\n(100, 19)\n"
    assert not shown("split", files={"CHANGES.md": page, "tests/data.txt": page, ".cache/a.md": page})
    assert shown("split", files={"docs/prereleases.rst": page})


def test_what_is_no_file_of_text_is_passed_over(shown):
    """A pipe would never end, a link may lead anywhere, and what is no text can't be shown."""
    shown("split")
    os.mkfifo("docs/pipe.md")
    Path("docs/away.md").symlink_to("prices.rst")
    Path("README.md").write_bytes(b"\xff\xfe>>> split(1)\n1\n")
    assert shown("split").count("What the project's page") == 1


def test_a_function_of_two_modules_is_not_told_apart(shown):
    """Where two modules define the name nobody can say which of them a page means."""
    assert shown("split", files={"README.md": ">>> split(1)\n(1, 0)\n", "shop/b.py": "def split(text):\n    1\n"}) == ""


def test_pages_are_prose_of_what_is_filled_and_guarded(shown):
    """The examples of pages are words of the instruction, so that they can be pinned."""
    shown("split")
    assert ">>> split(cents)\n(100, 19)" in read_filling(["shop/prices.py::split"]).instruction
    Path("shop/prices.py").write_text(PRICES.replace("raise NotImplementedError", "return 1, 2"))
    assert ">>> split(cents)\n(100, 19)" in read_guarding(["shop/prices.py::split"]).instruction
