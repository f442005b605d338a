"""What prompts see of calls: statements that use a unit, and no code around them."""

from pathlib import Path

import pytest

from tdgen.project.filling import read_filling
from tdgen.project.index import read_index
from tdgen.project.module import read_module
from tdgen.project.root import find_project
from tdgen.project.usage import calls_shown

FILES = {
    "pyproject.toml": "[project]\nname = 'shop'\n",
    "shop/__init__.py": "from .prices import split\n",
    "shop/prices.py": '''
class Basket:
    def total(self):
        """The total."""
        ...

    def _part(self, n):
        """A part."""
        ...

    def search(self, name):
        """What has that name."""
        ...

    def match(self, name):
        """Whether it matches."""
        ...

    def shown(self):
        for name, cents in self._part(3):
            print(name)
        return self.total()


def split(cents):
    """Split a price into net and tax."""
    raise NotImplementedError


def half(cents):
    """The half."""
    raise NotImplementedError


def taxed(cents):
    secret = 19
    net, tax = split(cents)
    return net * secret
''',
    "shop/orders.py": """
import re
from shop import prices, split as parted
from shop.prices import Basket


def bill(order):
    if parted(order.cents)[1] is None:
        raise ValueError("no tax")
    return prices.split(order.cents)


def is_order(text):
    return re.search("order", text)


def sum_of(baskets):
    return sum(basket.total() for basket in baskets)


def words(text):
    return [word for word in text.split(" ") if re.compile("a").match(word)]
""",
    "shop/other.py": "def split(text):\n    return text\n\n\nprint(split('a'))\n",
    "tests/test_prices.py": "from shop.prices import split\n\n\ndef test_it():\n    assert split(119) == (100, 19)\n",
}


@pytest.fixture
def shown(tmp_path, monkeypatch):
    """What is shown of calls of these units of the shop's prices."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    monkeypatch.chdir(tmp_path)

    def show(*units, laid=None):
        project = find_project(Path("shop/prices.py"))
        module = read_module(project, Path("shop/prices.py"))
        return calls_shown(project, read_index(project).over(laid or {}), module, units, laid or {}).splitlines()[3:]

    return show


def test_a_functions_calls_are_statements_with_their_places(shown):
    """By its name, by another that it was imported as, by its module's; neither the caller's code nor tests."""
    assert shown("split") == [
        "# in shop.prices.taxed",
        "net, tax = split(cents)",
        "# in shop.orders.bill",
        "if parted(order.cents)[1] is None: ...",
        "return prices.split(order.cents)",
    ]


def test_a_methods_calls_are_those_that_can_be_told(shown):
    """On `self` in its class, and elsewhere where no other class has a method of that name."""
    assert shown("Basket._part") == ["# in shop.prices.Basket.shown", "for name, cents in self._part(3): ..."]
    assert shown("Basket.total") == [
        "# in shop.prices.Basket.shown",
        "return self.total()",
        "# in shop.orders.sum_of",
        "return sum((basket.total() for basket in baskets))",
    ]


def test_a_call_of_a_modules_function_is_no_methods(shown):
    """`re.search` of the standard library is not the one class's `search`."""
    assert shown("Basket.search") == []


def test_a_call_that_a_text_or_a_pattern_may_take_is_nobodys(shown):
    """`text.split(" ")` is no caller of the function `split`, nor a pattern's `match` one of the method."""
    assert "words" not in shown("split")
    assert "words" not in shown("Basket.match")


def test_what_nobody_calls_shows_nothing(shown):
    """Not even a title."""
    assert shown("half") == []


def test_a_module_that_is_laid_over_its_file_counts_as_it_is_now(shown):
    """A task before this one may have written it."""
    laid = {"shop.orders": "from shop.prices import split\n\n\nx, y, z = split(3)\n"}
    assert shown("split", laid=laid)[2:] == ["# in shop.orders", "x, y, z = split(3)"]


def test_every_prompt_sees_them(shown):
    """With what the project offers."""
    assert shown("split")
    task = read_filling(["shop/prices.py::split"])
    assert "# in shop.prices.taxed\nnet, tax = split(cents)\n" in task.target.context
    assert "secret" not in task.target.context
