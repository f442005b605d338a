"""What is to be added to a module of a project, as a task."""

import pytest

from tdgen.errors import InputError
from tdgen.project.adding import read_addition
from tdgen.project.applying import apply_changes


def test_the_prose_is_the_instruction_and_chooses_what_prompts_see(shop):
    """Nothing is to be written yet: the plan says what."""
    task = read_addition(str(shop / "src/shop/prices.py"), "half(order): like `done`")
    assert task.instruction == "half(order): like `done`"
    assert (task.target.added_to, task.target.units, task.names) == ("", {}, ())
    assert task.target.source == task.module.text
    assert "class Order:" in task.target.context
    assert "def done(x):" in task.target.code
    assert task.notes == ()


def test_tests_that_import_what_is_not_there_are_part_of_the_prose(shop):
    """They wait for what is to be added; those of what the module has say nothing of it."""
    shop.write(
        {
            "tests/test_half.py": "from shop.prices import done, half\n\n\n"
            "def test_half():\n    assert half(2) == 1\n\n\ndef test_done():\n    assert done(2) == 2\n"
        }
    )
    task = read_addition(str(shop / "src/shop/prices.py"), "half(order): like `done`")
    assert task.target.tests == {"tests/test_half.py::test_half": ("half",)}
    assert task.instruction.startswith("half(order): like `done`\n\nThe user's own tests of these; each call that they")
    assert "assert half(2) == 1" in task.instruction
    assert "assert done(2) == 2" not in task.instruction


def test_methods_are_added_to_a_class(shop):
    """Which prompts see, whatever the prose names."""
    task = read_addition(f"{shop / 'src/shop/prices.py'}::Basket", "Half of it.", tokens=150)
    assert task.target.added_to == "Basket"
    assert "class Basket:" in task.target.context


def test_a_list_of_public_names_that_is_put_together_is_told(shop):
    """As what is new is not in it."""
    path = shop.write({"src/shop/names.py": "from shop import orders\n\n__all__ = orders.__all__ + ['x']\n"})
    (note,) = read_addition(str(path), "Do it.").notes
    assert "`__all__` of src/shop/names.py is put together when it is imported" in note
    assert read_addition(str(shop.write({"src/shop/n.py": "__all__ = ['x']\n"})), "Do it.").notes == ()


def test_a_module_that_is_not_there_is_made(shop):
    """In a folder that is; prompts see what the prose speaks of."""
    task = read_addition(str(shop / "src/shop/sums.py"), "sum(order): all lines of an order")
    assert (task.target.module, task.target.path, task.target.source) == ("shop.sums", "src/shop/sums.py", "")
    assert "class Order:" in task.target.context
    assert task.notes == ("src/shop/sums.py is not there yet: it is made",)
    (change,) = task.changes("X = 1\n", {})
    assert (change.before, change.after) == (None, b"X = 1\n")
    apply_changes([change])
    assert (shop / "src/shop/sums.py").read_text() == "X = 1\n"


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("src/shop/prices.py::Baskets", r"src/shop/prices.py defines no class Baskets \(did you mean Basket\?\)"),
        ("src/shop/prices.py::gross", "gross is a function of src/shop/prices.py: name a class to add methods to"),
        ("src/shop/prices.py::Basket::total", "Basket::total is a method of src/shop/prices.py: name a class"),
        ("src/shop/twice.py::A", r"src/shop/twice.py: A is defined 2 times \(lines 1, 4\): leave one of them"),
        ("src/shop/broken.py", "src/shop/broken.py does not parse: .* \\(line 1\\)"),
        ("src/shop", "is no Python file: name one"),
        ("src/shop/sums", "is no Python file: name one"),
        ("src/shop/new/sums.py", "new/sums.py can't be made: the folder src/shop/new is not there, make it first"),
        ("src/shop/my-sums.py", "src/shop/my-sums.py can't be made: 'my-sums' is no name that can be imported"),
        ("src/json.py", "src/json.py can't be made: 'json' is a module of Python's own"),
        ("src/shop.py", "src/shop.py can't be made: a package of that name is there, shop/"),
        ("src/shop/none.py::A", "src/shop/none.py: there is no such file"),
        ("../sums.py", "is in no project|lies outside of"),
    ],
)
def test_a_place_where_nothing_can_be_added_is_one_line(shop, place, told):
    """Before any model is asked."""
    shop.write({"src/shop/twice.py": "class A: ...\n\n\nclass A: ...\n", "src/shop/broken.py": "def f(:\n"})
    with pytest.raises(InputError, match=told):
        read_addition(f"{shop.root}/{place}", "Do it.")
