"""`tdgen add`, from arguments to a project's files: the real pipeline and sandbox, answered by a script."""

from pathlib import Path

import pytest

PRICES = '''"""Prices in cents."""

from shop.orders import Order

__all__ = ["gross"]

RATE = 20


def gross(order: Order, rate: int = RATE) -> int:
    """The sum of an order's lines in cents, with `rate` percent of tax."""
    return sum(line.cents * line.count for line in order.lines) * (100 + rate) // 100


class Basket:
    """A basket that becomes an order."""

    def __init__(self, order: Order) -> None:
        self.order = order


if __name__ == "__main__":
    print(RATE)
'''
FILES = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "src/shop/__init__.py": "",
    "src/shop/orders.py": (
        "from dataclasses import dataclass, field\n\n\n@dataclass(frozen=True)\nclass Line:\n    cents: int\n"
        "    count: int = 1\n\n\n@dataclass\nclass Order:\n    lines: list[Line] = field(default_factory=list)\n"
    ),
    "src/shop/prices.py": PRICES,
    "tests/test_prices.py": "from shop import prices\n\n\ndef test_rate():\n    assert prices.RATE == 20\n",
}
WISH = "dearest(order): the line of an order that costs most, all of it counted; None for an order without lines"
DEAREST = {
    "name": "dearest",
    "purpose": "The line of an order that costs most. All of its pieces count, and of equal lines the first is given.",
    "parameters": [{"name": "order", "type": "Order"}],
    "returns": "Line | None",
    "sentences": [1],
}
CASES = {
    "one": ("Line(5)", "Line(5)"),
    "second": ("Line(5), Line(6)", "Line(6)"),
    "counted": ("Line(5, 3), Line(6, 2)", "Line(5, 3)"),
    "equal": ("Line(6, 1), Line(3, 2)", "Line(6, 1)"),
    "none": ("", "None"),
}
CODE = """def dearest(order):
    return max(order.lines, key=_price, default=None)


def _price(line):
    return line.cents * line.count
"""
LAID = '''

def _dearest_price(line):
    return line.cents * line.count


def dearest(order: Order) -> Line | None:
    """The line of an order that costs most.

    All of its pieces count, and of equal lines the first is given.
    """
    return max(order.lines, key=_dearest_price, default=None)
'''


def say_function(said, plan=DEAREST):
    said.say("plan", {"module": "shop.prices", "summary": "Prices.", "functions": [plan], "questions": []})
    cases = [
        {"name": name, "call": f"dearest(Order([{given}]))", "expect": "value", "value": value}
        for name, (given, value) in CASES.items()
    ]
    return said.say("cases", {"cases": cases}, "dearest").say("implement", f"```python\n{CODE}```", "dearest")


@pytest.fixture
def shop(said, bare_environment, warm):
    """The project in the working directory, and all that leads to green; the module's path."""
    for name, text in FILES.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    bare_environment(Path())
    say_function(said)
    return Path("src/shop/prices.py")


@pytest.fixture
def add(tdgen, said, shop):
    """Add to the project's module what was said."""

    def call(*arguments: object, name: str = "", wish: str = WISH):
        return tdgen("add", f"{shop}{name}", wish, "--script", said.path, "--trust", "quick", *arguments)

    return call


def test_a_function_stands_behind_the_last_definition_with_the_planned_docstring(add, shop):
    """Its import with the others, its name in `__all__`; every other byte stays."""
    ran = add("--apply")
    assert ran.code == 0, ran.err
    expected = PRICES.replace("import Order", "import Line, Order", 1)
    expected = expected.replace('["gross"]', '["dearest", "gross"]')
    expected = expected.replace("\n\n\nif __name__", f"\n{LAID}\n\nif __name__")
    assert shop.read_text() == expected
    assert "dearest(Order([Line(5), Line(6)]))" in Path("tests/test_dearest.py").read_text()
    assert "to add to src/shop/prices.py\n" in ran.err


def test_what_the_project_imports_already_may_be_what_is_added(add, said, shop):
    """Then its package can't be imported before that is planned; another name that is missing is told then."""
    shop.with_name("__init__.py").write_text("from shop.prices import dearest\n")
    assert add().code == 0
    shop.with_name("__init__.py").write_text("from shop.prices import cheapest\n")
    ran = add("--fresh")
    assert (ran.code, "cannot import name 'cheapest' from 'shop.prices'" in ran.last) == (2, True)


def test_code_is_repaired_until_the_projects_tests_of_what_is_added_pass(add, said, shop):
    """They could not be imported before; here one of them alone has a line that costs nothing."""
    own = "from shop.orders import Line, Order\nfrom shop.prices import dearest\n\n\ndef test_free():\n"
    Path("tests/test_free.py").write_text(f"{own}    assert dearest(Order([Line(0)])) == Line(0)\n")
    wrong = CODE.replace("return max(", "return max(filter(_price, order.lines), ").replace(
        "order.lines, key", "key", 1
    )
    said.say("implement", f"```python\n{wrong}```", "dearest")
    said.say("repair", f"```python\n{CODE}```", "dearest", 2)
    ran = add()
    assert ran.code == 0, ran.err
    assert "the user's own tests do not pass" in ran.err
    assert "test_free.py" not in ran.out


def test_a_test_may_import_an_exception_that_is_added(add, said):
    """It is planned as a type: no code waits for it."""
    own = "from shop.orders import Order\nfrom shop.prices import NoLines, dearest\n\n\ndef test_none():\n"
    Path("tests/test_none.py").write_text(f"{own}    assert dearest(Order()) is None\n    assert NoLines\n")
    plan = {"module": "shop.prices", "summary": "Prices.", "functions": [DEAREST], "questions": []}
    said.say("plan", {**plan, "types": [{"name": "NoLines", "kind": "exception", "base": "ValueError"}]})
    ran = add()
    assert ran.code == 0, ran.err
    assert "+class NoLines(ValueError):" in ran.out


def test_a_method_stands_in_its_class(add, said, shop):
    """Whose state and whose other methods it has."""
    method = {"signature": "gross(self) -> int", "purpose": "The gross sum of the order at the usual rate."}
    basket = {"name": "Basket", "purpose": "A basket.", "methods": [method]}
    said.say("plan", {"module": "shop.prices", "summary": "Prices.", "classes": [basket], "questions": []})
    cases = [
        {"name": f"sum_{n}", "call": f"Basket(Order([Line({n}00)])).gross()", "expect": "value", "value": str(n * 120)}
        for n in range(5)
    ]
    said.say("cases", {"cases": cases}, "Basket")
    said.say(
        "implement", "```python\nclass Basket:\n    def gross(self):\n        return gross(self.order)\n```", "Basket"
    )
    ran = add("--apply", name="::Basket", wish="gross(): the gross sum of the order at the usual rate")
    assert ran.code == 0, ran.err
    doc = '"""The gross sum of the order at the usual rate."""'
    laid = f"    def gross(self) -> int:\n        {doc}\n        return gross(self.order)\n"
    assert shop.read_text() == PRICES.replace("self.order = order\n", f"self.order = order\n\n{laid}")


def test_a_class_and_its_exception_are_written_as_planned(add, said, shop):
    """The exception by tdgen, the methods by the developer, all behind what the module has."""
    methods = [
        {"signature": "__init__(self, size: int)", "purpose": "An empty shelf for so many lines."},
        {"signature": "put(self, line: Line) -> int", "purpose": "Put a line there and give how many there are.",
         "raises": [{"type": "FullError", "when": "there is no room."}]},
    ]  # fmt: skip
    shelf = {"name": "Shelf", "purpose": "Lines side by side.", "methods": methods}
    full = {"name": "FullError", "kind": "exception", "base": "ValueError", "description": "A shelf has no room."}
    plan = {"module": "shop.prices", "summary": "Prices.", "classes": [shelf], "types": [full], "questions": []}
    case = {"setup": "s = Shelf(2)", "expect": "value", "kind": "normal"}
    raises = {"call": "s.put(Line(1))", "expect": "raises", "value": "FullError"}
    cases = [
        {**case, "name": "first", "call": "s.put(Line(1))", "value": "1"},
        {**case, "name": "second", "call": "[s.put(Line(1)), s.put(Line(2))]", "value": "[1, 2]"},
        {**case, **raises, "name": "full", "setup": "s = Shelf(0)"},
        {**case, **raises, "name": "then", "setup": "s = Shelf(1)\ns.put(Line(1))"},
    ]  # fmt: skip
    code = (
        "class Shelf:\n    def __init__(self, size):\n        self._size, self._lines = size, []\n\n"
        "    def put(self, line):\n"
        "        if len(self._lines) >= self._size:\n            raise FullError\n        self._lines.append(line)\n"
        "        return len(self._lines)\n"
    )
    said.say("plan", plan).say("cases", {"cases": cases}, "Shelf").say("implement", f"```python\n{code}```", "Shelf")
    ran = add("--apply", wish="Shelf(size): put(line) gives how many lines there are; FullError where there is no room")
    assert ran.code == 0, ran.err
    text = shop.read_text()
    assert '__all__ = ["FullError", "Shelf", "gross"]' in text
    assert 'class FullError(ValueError):\n    """A shelf has no room."""\n\n\nclass Shelf:\n    """Lines side' in text
    assert "        Raises FullError: there is no room.\n" in text
    assert text.endswith('        return len(self._lines)\n\n\nif __name__ == "__main__":\n    print(RATE)\n')


def test_a_class_that_only_holds_data_is_written_as_a_whole(add, said, shop):
    """By what is planned of it."""
    fields = [{"name": "order", "type": "Order"}, {"name": "cents", "type": "int", "default": "0"}]
    refund = {"name": "Refund", "purpose": "What is given back.", "decorators": ["dataclass"], "attributes": fields}
    plan = {"module": "shop.prices", "summary": "Prices.", "classes": [refund | {"methods": []}], "questions": []}
    cases = [
        {"name": f"cents_{n}", "call": f"Refund(Order(), {n}).cents", "expect": "value", "value": str(n)}
        for n in range(4)
    ]
    said.say("plan", plan).say("cases", {"cases": cases}, "Refund")
    code = "from dataclasses import dataclass\n\n\n@dataclass\nclass Refund:\n    order: Order\n    cents: int = 0\n"
    said.say("implement", f"```python\n{code}```", "Refund")
    ran = add("--apply", wish="Refund: a dataclass of an order and the cents that are given back, 0 unless given")
    assert ran.code == 0, ran.err
    laid = '@dataclass\nclass Refund:\n    """What is given back."""\n\n    order: Order\n    cents: int = 0\n'
    assert laid in shop.read_text()


def test_a_module_that_is_not_there_is_made(tdgen, said, shop):
    """With what it imports of the project, and with the plan's summary."""
    ran = tdgen("add", "src/shop/lines.py", WISH, "--script", said.path, "--trust", "quick", "--apply")
    assert ran.code == 0, ran.err
    head = '"""Prices."""\n\nfrom shop.orders import Line, Order\n'
    assert Path("src/shop/lines.py").read_text() == head + LAID
    assert "from shop.lines import dearest\n" in Path("tests/test_dearest.py").read_text()
    assert "src/shop/lines.py is not there yet: it is made" in ran.err
    assert shop.read_text() == PRICES


def test_modules_that_import_this_one_are_imported_for_type_checkers(add, shop):
    """As importing them at the top would go round in a circle."""
    orders = Path("src/shop/orders.py")
    orders.write_text("from shop.prices import RATE\n" + orders.read_text())
    before = PRICES.replace("from shop.orders import Order\n", "import os\n").replace("order: Order", "order")
    shop.write_text(before)
    ran = add("--apply")
    assert ran.code == 0, ran.err
    block = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from shop.orders import Line, Order\n"
    assert f"import os\n{block}" in shop.read_text()
    assert 'def dearest(order: "Order") -> "Line | None":' in shop.read_text()


def test_line_ends_and_tabs_are_the_files(add, shop):
    """In what is new, too."""
    shop.write_bytes(PRICES.replace("    ", "\t").replace("\n", "\r\n").encode())
    assert add("--apply").code == 0
    expected = PRICES.replace("import Order", "import Line, Order", 1)
    expected = expected.replace('["gross"]', '["dearest", "gross"]').replace(
        "\n\n\nif __name__", f"\n{LAID}\n\nif __name__"
    )
    assert shop.read_bytes().decode() == expected.replace("    ", "\t").replace("\n", "\r\n")


def test_a_name_that_the_module_has_goes_back_to_the_planner(add, said):
    """Once; then nothing comes of it, in one line."""
    said.say("plan", {"module": "shop.prices", "functions": [{**DEAREST, "name": "gross"}]})
    said.say("plan", {"module": "shop.prices", "functions": [{**DEAREST, "name": "gross"}]}, attempt=2)
    ran = add("--apply")
    assert (ran.code, ran.last) == (
        2,
        "tdgen: no usable plan came of the instruction: 'gross' is in src/shop/prices.py already, and stays as it is: "
        "plan what is new, under another name",
    )
    say_function(said).say("plan", {"module": "shop.prices", "functions": [{**DEAREST, "name": "gross"}]})
    said.say("plan", {"module": "shop.prices", "summary": "Prices.", "functions": [DEAREST]}, attempt=2)
    assert add().code == 0


def test_a_file_that_cant_be_written_stays(add, shop):
    """It is said before a model is asked; a patch of it can be had."""
    shop.chmod(0o444)
    ran = add("--apply")
    assert ran.code == 2
    assert ran.last == "tdgen: src/shop/prices.py is read-only: `chmod u+w src/shop/prices.py` lets it be written"
    assert "planner" not in ran.err
    assert shop.read_text() == PRICES
    assert not Path("tests/test_dearest.py").exists()
    assert add().code == 0


def test_what_prompts_would_see_and_what_it_would_cost_asks_nobody(tdgen, add, shop):
    """As for stubs."""
    ran = add("--context")
    assert (ran.code, ran.out.splitlines()[0]) == (0, WISH)
    assert "class Line:" in ran.out
    assert add("--context", "--json", name="::Basket").document["added_to"] == "Basket"
    ran = tdgen("add", shop, WISH, "--dry-run")
    assert (ran.code, ran.out.split()[0]) == (0, "functions")


@pytest.mark.parametrize(
    ("place", "wish", "told"),
    [
        ("src/shop/prices.py", " ", "the instruction is empty"),
        ("src/shop/prices.py", "wish.md", "there is no file wish.md"),
        ("src/shop/prices.py::Shop", WISH, "src/shop/prices.py defines no class Shop"),
        ("src/shop/prices.py::gross", WISH, "gross is a function of src/shop/prices.py"),
        ("/etc/hostname", WISH, "/etc/hostname is in no project"),
        ("src/shop/link.py", WISH, "links out of the project"),
    ],
)
def test_what_cant_be_added_is_one_line(tdgen, shop, place, wish, told):
    """And exit code 2."""
    Path("src/shop/link.py").symlink_to("/etc/hostname")
    ran = tdgen("add", place, wish)
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert told in ran.err
