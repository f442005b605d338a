"""`tdgen change`, from arguments to a project's files: the real pipeline and sandbox, answered by a script."""

from pathlib import Path

import pytest

PRICES = '''"""Prices in cents."""

RATE = 20


def gross(cents: int, rate: int = RATE) -> int:
    """The price with `rate` percent of tax.

    Halves are rounded down.

    >>> gross(100)
    120
    """
    # by hand
    return (cents * (100 + rate) + 49) // 100


class Basket:
    """A basket of prices."""

    def __init__(self, *prices):
        self.prices = prices

    def total(self):
        """The sum of all prices."""
        return sum(self.prices)
'''
TESTS = """from shop import prices


def test_gross():
    assert prices.gross(100) == 120


def test_half():
    assert prices.gross(5, 10) == 5


def test_rate():
    assert prices.RATE == 20
"""
FILES = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "src/shop/__init__.py": "",
    "src/shop/prices.py": PRICES,
    "tests/test_prices.py": TESTS,
}
WISH = "Halves are rounded up."
DOC = "The price with `rate` percent of tax.\n\nHalves are rounded up.\n\n>>> gross(100)\n120"
GROSS = {
    "name": "gross",
    "purpose": DOC,
    "parameters": [{"name": "cents", "type": "int"}, {"name": "rate", "type": "int", "default": "RATE"}],
    "returns": "int",
    "sentences": [1],
}
SUMS = {"usual": ("100", 120), "half": ("5, 10", 6), "below": ("4, 10", 4), "none": ("0", 0), "free": ("7, 0", 7)}
CODE = "def gross(cents, rate=RATE):\n    # by hand\n    return (cents * (100 + rate) + 50) // 100\n"


@pytest.fixture
def shop(said, bare_environment, warm):
    """The project in the working directory, and all that leads to green; the module's path."""
    for name, text in FILES.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    bare_environment(Path())
    said.say("plan", {"module": "shop.prices", "summary": "Prices.", "functions": [GROSS], "questions": []})
    said.say("cases", {"cases": cases("gross({})", SUMS)}, "gross").say("implement", f"```python\n{CODE}```", "gross")
    return Path("src/shop/prices.py")


def cases(call, sums):
    return [
        {"name": name, "call": call.format(given), "expect": "value", "value": str(value)}
        for name, (given, value) in sums.items()
    ]


@pytest.fixture
def change(tdgen, said, shop):
    """Change the project's function as was said."""

    def call(*arguments: object, name: str = "gross", wish: str = WISH):
        return tdgen("change", f"{shop}::{name}", wish, "--script", said.path, "--trust", "quick", *arguments)

    return call


def test_code_and_docstring_change_where_the_sentence_says_so(change, shop):
    """All else stays by the byte; tests that say otherwise are to be revised first."""
    Path("tests/test_prices.py").write_text(TESTS.replace("== 5", "== 6"))
    ran = change("--apply")
    assert ran.code == 0, ran.err
    assert shop.read_text() == PRICES.replace("rounded down", "rounded up").replace("49", "50")
    assert "gross(5, 10) == 6" in Path("tests/test_gross.py").read_text()
    assert "to change in src/shop/prices.py: gross" in ran.err
    assert "they show nothing" not in ran.err


HALF = "tests/test_prices.py::test_half"
STOOD = "    assert prices.gross(5, 10) == 5"
REVISED = {
    "verdict": "revised",
    "words": "Halves are rounded up.",
    "line": STOOD.strip(),
    "test": "def test_half():\n    # a half\n    assert prices.gross(5, 10) == 6\n",
}


def test_a_test_that_contradicts_the_sentence_is_revised(change, shop, said):
    """By its author, who is not shown the code; all else of its file stays by the byte, and the record follows."""
    said.say("cases", REVISED, HALF, variant="revise")
    ran = change("--apply")
    assert ran.code == 0, ran.err
    assert f"{HALF} said otherwise than what was asked for: it is revised" in ran.err
    assert Path("tests/test_prices.py").read_text() == TESTS.replace(STOOD, "    # a half\n" + STOOD[:-1] + "6")
    assert "49" not in shop.read_text()
    assert "wrote src/shop/prices.py, tests/test_gross.py, tests/test_prices.py, tdgen.json" in ran.err


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (
            REVISED | {"verdict": "stands"},
            "tests/test_prices.py:8: `assert prices.gross(5, 10) == 5` can stay, by “Halves are rounded up.”, but the "
            "new code does not pass it",
        ),
        (REVISED | {"verdict": "open"}, "“Halves are rounded up.” does not say what it is to demand from now on"),
        (
            REVISED | {"test": "def test_half():\n    assert prices.gross(5, 10) == 7\n"},
            "as its author revised it the new code does not pass it, either",
        ),
        (
            REVISED | {"test": "def test_half():\n    assert prices.gross(5, 10)\n"},
            "as its author revised it the code of before passes it, too: it would show nothing of the change",
        ),
        (REVISED | {"test": "def test_other():\n    pass\n"}, "nobody could be asked whether it can stay"),
        (REVISED | {"words": "Nobody said so."}, "nobody could be asked whether it can stay"),
    ],
)
def test_what_is_not_revised_is_told_and_nothing_is_written(change, shop, said, reply, told):
    """The user decides; the answer is kept, so that the same again costs nothing."""
    for attempt in (1, 2):
        said.say("cases", reply, HALF, attempt, variant="revise")
    ran = change("--apply")
    assert ran.code == 1
    assert f"{HALF} passed before, and does not with the new code: " in ran.err
    assert told in " ".join(ran.err.split())
    assert (shop.read_text(), Path("tests/test_prices.py").read_text()) == (PRICES, TESTS)
    document = change("--json").document
    assert (document["otherwise"], document["revised"], [*document["left"]]) == ([HALF], [], [HALF])


def test_a_change_that_nothing_shows_is_told(change, said):
    """The code of before passes, too."""
    said.say("cases", {"cases": cases("gross({})", SUMS | {"half": ("6, 10", 7)})}, "gross")
    said.say("cases", REVISED, HALF, variant="revise")
    ran = change()
    assert "the code as it stands passes all of these tests, too" in ran.err


def test_a_signature_changes_where_the_sentence_asks_for_it(change, said, shop):
    """A method's, in its class; the style of the module holds."""
    method = {"signature": "total(self, rate: int = 0) -> int", "purpose": "The sum of all prices, and `rate` percent."}
    basket = {"name": "Basket", "purpose": "A basket.", "methods": [method]}
    said.say("plan", {"module": "shop.prices", "summary": "Prices.", "classes": [basket], "questions": []})
    sums = {"none": ("", 0), "one": ("10", 11), "two": ("10, 20", 33), "many": ("10, 20, 30", 66)}
    said.say("cases", {"cases": cases("Basket({}).total(10)", sums)}, "Basket")
    code = "class Basket:\n    def total(self, rate=0):\n        return sum(self.prices) * (100 + rate) // 100\n"
    said.say("implement", f"```python\n{code}```", "Basket")
    ran = change("--apply", name="Basket.total", wish="Takes a rate in percent that is added, none unless given.")
    assert ran.code == 0, ran.err
    expected = PRICES.replace("def total(self)", "def total(self, rate: int = 0)")
    expected = expected.replace('The sum of all prices."', 'The sum of all prices, and `rate` percent."')
    assert shop.read_text() == expected.replace("sum(self.prices)\n", "sum(self.prices) * (100 + rate) // 100\n")


def test_another_signature_goes_back_to_the_planner(change, said):
    """Where the sentence says nothing of it."""
    parameters = [*GROSS["parameters"], {"name": "currency", "type": "str", "default": "'EUR'"}]
    for attempt in (1, 2):
        plan = {"module": "shop.prices", "functions": [GROSS | {"parameters": parameters}]}
        said.say("plan", plan, attempt=attempt)
    ran = change()
    assert ran.code == 2
    assert "`cents: int, rate: int=RATE`, and the instruction asks for no other 'currency': plan these" in ran.last


def test_what_prompts_would_see_asks_nobody(change):
    """The function itself is told by the plan alone; the developer sees its code."""
    ran = change("--context")
    assert ran.code == 0
    assert "def gross" not in ran.out
    assert "The sum of all prices." not in change("--context", name="Basket::total").out
    assert change("--dry-run").code == 0


def test_a_class_changes_by_a_sentence(change, said, shop):
    """The planner says which of its methods change; what they need of others may change with them, all else stays."""
    basket = {
        "name": "Basket",
        "purpose": "A basket of prices.",
        "methods": [{"signature": "total(self)", "purpose": "The sum of all prices but the first."}],
        "sentences": [1],
    }
    given = {"two": ("1, 2", 2), "one": ("1", 0), "three": ("1, 2, 3", 5), "none": ("", 0), "big": ("9, 9", 9)}
    code = (
        "class Basket:\n    def __init__(self, *prices):\n        self.prices = prices[1:]\n\n"
        "    def total(self):\n        return sum(self.prices)\n"
    )
    said.say("plan", {"module": "shop.prices", "summary": "P.", "functions": [], "classes": [basket], "questions": []})
    said.say("cases", {"cases": cases("Basket({}).total()", given)}, "Basket")
    said.say("implement", f"```python\n{code}```", "Basket")
    ran = change("--apply", name="Basket", wish="The first price is free.")
    assert ran.code == 0, ran.err
    wanted = PRICES.replace("sum of all prices.", "sum of all prices but the first.")
    assert shop.read_text() == wanted.replace("self.prices = prices", "self.prices = prices[1:]")
    assert Path("tests/test_basket.py").is_file()


@pytest.mark.parametrize(
    ("place", "told"),
    [
        (
            "src/shop/prices.py",
            "name what changes in src/shop/prices.py: src/shop/prices.py::function, ::Class.method or ::Class",
        ),
        ("src/shop/prices.py::gros", "src/shop/prices.py defines no gros (did you mean gross?)"),
        (
            "src/shop/prices.py::Basket.__init__",
            "Basket.__init__ (line 21) has no docstring, so nothing says what stays",
        ),
        ("src/shop/stubs.py::f", "src/shop/stubs.py: f is a stub: say in its docstring what it does"),
        ("src/shop/none.py::f", "src/shop/none.py: there is no such file"),
    ],
)
def test_what_cant_be_changed_is_one_line(tdgen, shop, place, told):
    """And exit code 2."""
    Path("src/shop/stubs.py").write_text('def f():\n    """Do it."""\n    ...\n')
    ran = tdgen("change", place, WISH)
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert told in ran.err
