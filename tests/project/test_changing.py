"""What changes of a function's contract, as a task."""

from tdgen.project.changing import read_change
from tdgen.project.own_tests import names_unit
from tdgen.project.root import find_project


def test_the_sentence_is_the_instruction_and_the_function_is_told_by_nobody_else(shop):
    """Prompts see what it mentions, and of a method's class all but that method."""
    task = read_change(f"{shop / 'src/shop/prices.py'}::done", "It is an Order.")
    assert (task.instruction, task.names, task.target.changed) == ("It is an Order.", ("done",), "done")
    assert "class Order:" in task.target.context
    assert "def done" not in task.target.context
    path = shop.write(
        {"src/shop/a.py": 'class A:\n    """A."""\n\n    def f(self):\n        """F."""\n        return 1\n'}
    )
    task = read_change(f"{path}::A::f", "It is two.")
    assert task.target.changed == "A.f"
    assert "class A:" in task.target.context
    assert "def f" not in task.target.context


def test_tests_that_name_a_function_are_found_by_their_ids(shop):
    """Also in classes and with parameters; not those that name others."""
    text = (
        "def test_a():\n    assert done(1)\n\n\nclass TestB:\n    def test_b(self):\n        prices.done()\n\n"
        "    def test_c(self):\n        undone()\n"
    )
    project = find_project(shop.write({"tests/test_d.py": text}))
    ids = ["test_a", "TestB::test_b", "TestB::test_b[x::y]", "TestB::test_c", "test_none"]
    assert [one for one in ids if names_unit(project, f"tests/test_d.py::{one}", "done")] == ids[:3]
    assert not names_unit(project, "tests/test_none.py::test_a", "done")
    assert not names_unit(project, "tests/test_d.py", "done")


def test_tests_of_what_calls_a_function_may_say_otherwise_too(shop):
    """By the names of the functions that call it; what stands beside these may not."""
    shop.write(
        {
            "src/shop/bills.py": (
                "from shop.prices import done\n\n\ndef bill(x):\n    return done(x)\n\n\ndef other():\n    pass\n"
            ),
            "tests/test_bills.py": (
                "from shop.bills import bill, other\n\n\ndef test_bill():\n    assert bill(1)\n\n\n"
                "def test_other():\n    other()\n"
            ),
        }
    )
    task = read_change(f"{shop / 'src/shop/prices.py'}::done", "It is an Order.")
    tests = [f"tests/test_bills.py::{name}" for name in ("test_bill", "test_other")]
    assert task.otherwise(tests, task.target) == (tests[0],)
