"""Stubs of a project as a task."""

import pytest

from tdgen.errors import InputError
from tdgen.project.edit import apply_changes
from tdgen.project.filling import instruction_of, read_filling
from tdgen.project.index import read_index
from tdgen.project.module import read_module
from tdgen.project.root import find_project
from tdgen.project.selection import select
from tdgen.project.task import target_of


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
        == '''Write the bodies of these stubs of the module `shop.prices`, each as its signature and docstring say.

The function `gross`:

```python
def gross(order: Order, rate: int = RATE) -> int:
    """The sum of an order's lines in cents, with `rate` percent of tax, rounded half up."""
```

Of the class `Basket` the method `total`:

```python
class Basket:
    """A basket that becomes an order."""

    def total(self) -> int:
        """The gross sum of the order at the usual rate."""
```
'''
    )


def test_decorators_stubs_on_one_line_and_fences_are_kept(shop, given):
    """Whatever a docstring holds, the block ends after it."""
    text = '@cache\ndef f(x,\n      y): "Doc."; ...\nclass E(Exception):\n    """```\n    x\n    ```"""\n    pass\n'
    shop.write({"a.py": text})
    prose = instruction_of(*given("f", "E", path="a.py")[2:])
    assert '```python\n@cache\ndef f(x,\n      y):\n    "Doc."\n```' in prose
    assert '````python\nclass E(Exception):\n    """```\n    x\n    ```"""\n````' in prose


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
