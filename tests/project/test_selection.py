"""Which units of a module are to be filled."""

import pytest

from tdgen.errors import InputError
from tdgen.project.module import read_module
from tdgen.project.root import find_project
from tdgen.project.selection import select


@pytest.fixture
def module(shop):
    """The module with stubs."""
    path = shop / "src/shop/prices.py"
    return read_module(find_project(path), path)


def test_without_names_all_stubs_that_say_what_they_do(module):
    """The others are passed over, and it is told why."""
    chosen = select(module)
    assert [unit.name for unit in chosen.units] == ["gross", "Basket.total"]
    assert chosen.by_owner == {"gross": (), "Basket": ("total",)}
    assert chosen.notes == (
        "passed over: Basket.bare (line 29) has no docstring, so there is nothing to go by: say what it does",
    )


@pytest.mark.parametrize(
    ("names", "chosen"), [(["Basket.total", "gross"], ["gross", "Basket.total"]), (["gross"], ["gross"])]
)
def test_names_choose(module, names, chosen):
    """In the module's order."""
    assert [unit.name for unit in select(module, names).units] == chosen


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("gros", r"src/shop/prices\.py defines no gros \(did you mean gross\?\)"),
        ("done", "done is no stub: tdgen fills bodies that are"),
        ("Basket.bare", "has no docstring, so there is nothing to go by"),
        ("Basket", "has no docstring"),
        ("Basket.__init__", "is no stub"),
    ],
)
def test_a_name_that_cant_be_filled_is_refused(module, name, told):
    """In a line that says why."""
    with pytest.raises(InputError, match=told):
        select(module, [name])


def test_a_name_that_is_defined_twice_is_refused_when_asked_for(bare):
    """And passed over otherwise."""
    doc = '    """Doc."""\n    ...\n'
    path = bare.write({"pyproject.toml": "", "a.py": f"def f():\n{doc}def f():\n{doc}def g():\n{doc}"})
    module = read_module(find_project(path), path)
    with pytest.raises(InputError, match="f is defined 2 times"):
        select(module, ["f"])
    assert [unit.name for unit in select(module).units] == ["g"]
    assert "f is defined 2 times" in select(module).notes[0]


def test_a_stub_behind_another_definition_is_told(bare):
    """Where it is the only one there is not just "nothing to fill"."""
    doc = '    """Doc."""\n    ...\n'
    path = bare.write({"pyproject.toml": "", "a.py": f"def f():\n{doc}def f():\n    return 1\n"})
    with pytest.raises(InputError, match=r"nothing to fill: f is defined 2 times \(lines 1, 4\)"):
        select(read_module(find_project(path), path))


def test_what_may_be_meant_empty_is_filled_when_asked_for(bare):
    """An empty class, and a function whose docstring is all."""
    text = 'class A(Exception):\n    """Doc."""\n    pass\ndef f():\n    """Doc."""\n'
    path = bare.write({"pyproject.toml": "", "a.py": text})
    module = read_module(find_project(path), path)
    with pytest.raises(InputError, match=r"a\.py has nothing to fill: no body in it is"):
        select(module)
    assert select(module, ["A", "f"]).by_owner == {"A": (), "f": ()}


def test_a_class_may_say_what_its_methods_do(bare):
    """Its docstring names them, or their names say it: `__len__`."""
    stub = "(self): ...\n"
    text = (
        f'class A:\n    """A list; `first` gives its head."""\n    def first{stub}    def __len__{stub}    def x{stub}'
    )
    path = bare.write({"pyproject.toml": "", "a.py": text})
    assert select(read_module(find_project(path), path)).by_owner == {"A": ("first", "__len__")}
