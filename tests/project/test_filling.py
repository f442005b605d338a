"""Stubs of a project as a task."""

import pytest

from tdgen.errors import InputError
from tdgen.project.applying import apply_changes
from tdgen.project.filling import instruction_of, read_filling
from tdgen.project.index import read_index
from tdgen.project.module import read_module
from tdgen.project.root import find_project
from tdgen.project.selection import select
from tdgen.project.task import target_of
from tdgen.prompts import passages


@pytest.fixture
def given(shop):
    """Project, index, module and selection of a module."""

    def call(*names, path="src/shop/prices.py"):
        project = find_project(shop / path)
        module = read_module(project, shop / path)
        return project, read_index(project), module, select(module, names)

    return call


def test_the_target_names_module_units_and_what_may_be_seen(given):
    """All that the engine is told of the project."""
    project, index, module, selection = given()
    target = target_of(project, index, module, selection)
    assert (target.module, target.path, target.source) == ("shop.prices", "src/shop/prices.py", module.text)
    assert target.units == {"gross": (), "Basket": ("total",)}
    assert "class Order:" in target.context
    assert "int(cents + 0.5)" in target.code
    assert "int(cents + 0.5)" not in target.context
    assert "shop" in target.packages
    assert target.public["shop.orders.Order"] == ("lines", "status")


def test_the_instruction_holds_signatures_and_docstrings_word_for_word(given):
    """Each function in a block, the methods of a class under its header."""
    _, _, module, selection = given()
    assert (
        instruction_of(module, selection)
        == """Write the bodies of these stubs of the module `shop.prices`, each as its signature and docstring say.

The function `gross`:

```python
def gross(order: Order, rate: int = RATE) -> int: ...
```

The sum of an order's lines in cents, with `rate` percent of tax, rounded half up.

Of the class `Basket` the method `total`:

```python
class Basket: ...
```

A basket that becomes an order.

```python
def total(self) -> int: ...
```

The gross sum of the order at the usual rate.
"""
    )


def test_each_sentence_and_doctest_of_a_docstring_is_a_passage(shop, given):
    """So that it can be asked which of them a case shows."""
    doc = '"""Half of n. Odd ones\n    are rounded up.\n\n    >>> half(3)\n    2\n    """'
    shop.write({"a.py": f"def half(n: int) -> int:\n    {doc}\n    ...\n"})
    assert passages(instruction_of(*given("half", path="a.py")[2:]))[2:] == (
        "```python\ndef half(n: int) -> int: ...\n```",
        "Half of n.",
        "Odd ones\nare rounded up.",
        ">>> half(3)\n2",
    )


def test_the_projects_own_tests_of_the_stubs_are_part_of_the_prose(shop):
    """With the fixtures that they use; prompts see what they name, too. Who measures by them hides them."""
    shop.write({"src/shop/failures.py": 'class Unpriced(LookupError):\n    """No price."""\n'})
    tests = (
        "import pytest\n\nfrom shop.failures import Unpriced\nfrom shop.prices import RATE, gross\n\n\n"
        "@pytest.fixture\ndef order():\n    return []\n\n\n"
        "def test_gross(order):\n    with pytest.raises(Unpriced):\n        gross(order)\n\n\n"
        "def test_rate():\n    assert RATE == 20\n"
    )
    shop.write({"tests/test_gross.py": tests})
    task = read_filling([f"{shop / 'src/shop/prices.py'}::gross"])
    assert task.target.tests == {"tests/test_gross.py::test_gross": ("gross",)}
    assert task.instruction.endswith(
        "tax, rounded half up.\n\nThe user's own tests of these; each call that they make gives what they say:\n\n"
        "```python\n# tests/test_gross.py\nimport pytest\n\nfrom shop.failures import Unpriced\n"
        "from shop.prices import RATE, gross\n\n@pytest.fixture\ndef order():\n    return []\n\n"
        "def test_gross(order):\n    with pytest.raises(Unpriced):\n        gross(order)\n```\n"
    )
    assert "class Unpriced(LookupError):" in task.target.context
    assert task.target.elsewhere["Unpriced"] == "shop.failures.Unpriced"
    hidden = read_filling([f"{shop / 'src/shop/prices.py'}::gross"], with_tests=False)
    assert not hidden.target.tests
    assert "test_gross" not in hidden.instruction


def test_decorators_and_signatures_of_several_lines_are_kept(shop, given):
    """A signature stands as it is written."""
    text = '@cache\ndef f(x,\n      y): "Doc."; ...\nclass E(Exception):\n    """```\n    x\n    ```"""\n    pass\n'
    shop.write({"a.py": text})
    prose = instruction_of(*given("f", "E", path="a.py")[2:])
    assert "```python\n@cache\ndef f(x,\n      y): ...\n```\n\nDoc.\n" in prose
    assert "```python\nclass E(Exception): ...\n```\n\n```\nx\n```\n" in prose


def test_paths_name_units_of_one_module(shop):
    """As pytest names tests; a path alone stands for all of its stubs."""
    path = shop / "src/shop/prices.py"
    chosen = [f"{path}::Basket::total", f"{path}::gross"]
    assert read_filling(chosen).target.units == {"gross": (), "Basket": ("total",)}
    assert read_filling(chosen).names == ("gross", "Basket.total")
    assert read_filling([f"{path}::gross"]).target.units == {"gross": ()}
    assert read_filling([str(path), f"{path}::gross"]).target == read_filling([str(path)]).target
    with pytest.raises(InputError, match="name one module at a time"):
        read_filling([str(path), str(shop / "src/shop/orders.py")])


def test_an_empty_path_is_not_the_whole_project(shop, monkeypatch):
    """As of a variable that is not set."""
    monkeypatch.chdir(shop / "src")
    with pytest.raises(InputError, match="an empty path names nothing to fill"):
        read_filling([""])


def test_what_was_made_goes_into_the_module_and_beside_its_tests(shop):
    """In the module's own encoding."""
    text = '# coding: latin-1\ndef f():\n    """é"""\n    ...\n'
    path = shop.write({"src/shop/prices.py": text.encode("latin-1")})
    task = read_filling([str(path)])
    filled = task.module.text.replace("...", "return 1")
    apply_changes(task.changes(filled, {"test_f.py": "x = 'é'\n"}))
    assert path.read_bytes() == filled.encode("latin-1")
    assert (shop / "tests/test_f.py").read_text() == "x = 'é'\n"
    assert task.changes(task.module.text, {}) == []
