"""`tdgen fill`, from arguments to a project's files: the real pipeline and sandbox, answered by a script."""

import re
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from tdgen.client import Generator
from tdgen.files.saving import Record
from tdgen.project.applying import RECORD

PRICES = '''"""Prices in cents."""

from __future__ import annotations

from shop.orders import Line, Order

RATE = 20


def _rounded(cents: float) -> int:
    return int(cents + 0.5)


def gross(order: Order, rate: int = RATE) -> int:
    """The sum of an order's lines in cents, with `rate` percent of tax, rounded half up."""
    raise NotImplementedError


class Basket:
    """A basket that becomes an order."""

    def __init__(self, order: Order) -> None:
        self.order = order

    def total(self) -> int:
        """The gross sum of the order at the usual rate."""
        ...

    def bare(self): ...
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
GROSS = {
    "name": "gross",
    "purpose": "The gross sum of an order.",
    "parameters": [{"name": "order", "type": "Order"}, {"name": "rate", "type": "int", "default": "RATE"}],
    "returns": "int",
    "dependencies": [],
}
BASKET = {
    "name": "Basket",
    "purpose": "A basket.",
    "attributes": [],
    "methods": [{"signature": "def total(self) -> int", "purpose": "The gross sum at the usual rate."}],
    "dependencies": ["gross"],
}
SUMS = {"one": ("100", 120), "two": ("100, 2", 240), "up": ("3, 1", 4), "down": ("1, 1", 1), "none": ("0", 0)}
CODE = {
    "gross": "def gross(order: Order, rate: int = RATE) -> int:\n"
    "    return _rounded(sum(line.cents * line.count for line in order.lines) * (100 + rate) / 100)\n",
    "Basket": "class Basket:\n    def total(self) -> int:\n        return gross(self.order)\n",
}


@pytest.fixture
def shop(said, bare_environment, warm):
    """The project in the working directory, and all that leads to green; the module's path."""
    for name, text in FILES.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    bare_environment(Path())
    plan = {"module": "shop.prices", "summary": "Prices.", "functions": [GROSS], "classes": [BASKET], "questions": []}
    calls = {"gross": "gross(Order([Line({})]))", "Basket": "Basket(Order([Line({})])).total()"}
    said.say("plan", plan)
    for unit, call in calls.items():
        cases = [
            {"name": name, "call": call.format(given), "expect": "value", "value": str(value)}
            for name, (given, value) in SUMS.items()
        ]
        said.say("cases", {"cases": cases}, unit).say("implement", f"```python\n{CODE[unit]}```", unit)
    return Path("src/shop/prices.py")


@pytest.fixture
def fill(tdgen, said, shop):
    """Fill the project's module with what was said."""

    def call(*arguments: object, name: str = ""):
        return tdgen("fill", f"{shop}{name}", "--script", said.path, "--trust", "quick", *arguments)

    return call


def contents():
    """Each file of the project."""
    files = (path for top in ("src", "tests") for path in Path(top).rglob("*") if path.is_file())
    return {str(path): path.read_text() for path in files if "__pycache__" not in path.parts}


class TestGreen:
    """All that is asked for is right."""

    def test_a_patch_is_the_result_and_nothing_is_written(self, fill):
        """Of the module the bodies alone, and a test file for each unit beside the project's."""
        before = contents()
        ran = fill()
        assert ran.code == 0, ran.err
        assert contents() == before
        assert "-    raise NotImplementedError\n+    return _rounded(" in ran.out
        assert "-        ...\n+        return gross(self.order)\n" in ran.out
        assert "+++ b/tests/test_gross.py\n" in ran.out
        assert "+++ b/tests/test_basket.py\n" in ran.out
        assert "to fill in src/shop/prices.py: gross, Basket.total" in ran.err
        assert "passed over: Basket.bare (line 29) has no docstring" in ran.err
        assert ran.last == "nothing is written: --apply makes these changes"

    def test_what_is_applied_is_what_was_shown_and_can_be_taken_back(self, fill):
        """By the patch that is kept."""
        before = contents()
        shown = fill()
        ran = fill("--apply")
        assert (ran.code, ran.out) == (0, "")
        assert "wrote src/shop/prices.py, tests/test_basket.py, tests/test_gross.py, tdgen.json" in ran.err
        assert contents()["src/shop/prices.py"] == PRICES.replace(
            "    raise NotImplementedError\n",
            "    return _rounded(sum(line.cents * line.count for line in order.lines) * (100 + rate) / 100)\n",
        ).replace("        ...\n", "        return gross(self.order)\n")
        patch = Path(ran.last.rpartition(" ")[2])
        assert patch.read_text() == shown.out
        subprocess.run(["git", "apply", "-R", patch], check=True, timeout=20)
        assert contents() == before

    def test_a_repeat_costs_no_call(self, fill, tdgen):
        """The key is that of the stubs and of what stands around them; elsewhere it can't be tried."""
        first = fill("--json").document["solution"]
        again = fill("--json").document["solution"]
        assert (first["usage"]["calls"], again["key"]) == (5, first["key"])
        assert again["cached"]
        ran = tdgen("verify", first["key"])
        assert ran.code == 2
        assert "this is for src/shop/prices.py of a project, which the sandboxes do not show" in ran.last

    def test_what_is_kept_is_judged_in_the_project_as_it_is_now(self, fill, said, shop):
        """What a module imports by others is in no key: where that changed, the kept code may be wrong by now."""
        shop.with_name("mid.py").write_text("from shop.deep import whole\n")
        shop.with_name("deep.py").write_text("def whole():\n    return 100\n")
        shop.write_text(PRICES.replace("from shop.orders", "from shop.mid import whole\nfrom shop.orders"))
        said.say("implement", f"```python\n{CODE['gross'].replace('(100', '(whole()')}```", "gross")
        assert fill().code == 0
        shop.with_name("deep.py").write_text("def whole():\n    return 1000\n")
        said.say("repair", f"```python\n{CODE['gross']}```", "gross", 2)
        ran = fill("--json")
        assert (ran.code, ran.document["solution"]["cached"]) == (0, False), ran.err
        assert "(100 + rate)" in ran.document["diff"]

    def test_one_unit_alone(self, fill, said):
        """The others stay stubs."""
        plan = {"module": "shop.prices", "summary": "Prices.", "functions": [GROSS], "questions": []}
        said.say("plan", plan)
        ran = fill("--json", name="::gross")
        assert ran.code == 0
        assert ran.document["files"] == ["src/shop/prices.py", "tests/test_gross.py", "tdgen.json"]
        assert (ran.document["applied"], ran.document["solution"]["all_tests_passed"]) == (False, True)
        assert "gross(self.order)" not in ran.document["diff"]

    def test_what_a_killed_command_left_is_finished_by_the_next(self, fill, tdgen, shop):
        """With a line that says so: the module does not stay without its tests."""
        fill("--apply")
        written = Path("tests/test_gross.py")
        texts = {str(shop): (PRICES, shop.read_text()), str(written): ("", written.read_text())}
        digests = {
            path: tuple(text and sha256(text.encode()).hexdigest() for text in both) for path, both in texts.items()
        }
        Path(RECORD).write_text(Record(digests, {"token": "1a2b", "patch": "some.patch"}).text)
        written.rename("tests/.test_gross.py.1a2b")
        ran = tdgen("sync")
        assert ran.err.startswith(f"finished what a command was cut off in: wrote {shop}, {written}; to take it back: ")
        assert (ran.code, ran.last) == (0, "2 units: all as tdgen left them")
        assert not Path(RECORD).exists()

    def test_a_file_that_changed_meanwhile_is_left_as_it_is(self, fill, shop, monkeypatch):
        """Nothing is written, and the patch is kept."""
        solve = Generator.solve

        def meanwhile(generator, *given):
            solution = solve(generator, *given)
            shop.write_text(PRICES + "# mine\n")
            return solution

        monkeypatch.setattr(Generator, "solve", meanwhile)
        ran = fill("--apply")
        assert ran.code == 2
        assert "src/shop/prices.py was changed since it was read: nothing is written; what was to be" in ran.last
        assert shop.read_text() == PRICES + "# mine\n"
        assert sorted(Path("tests").iterdir()) == [Path("tests/test_prices.py")]
        assert Path(ran.last.rpartition(" ")[2]).read_text().startswith("--- a/src/shop/prices.py")

    def test_cases_name_what_the_module_lacks_when_it_runs(self, fill, shop):
        """What only type checkers see there, and what other modules have: in the sandbox and in the test file."""
        lacking = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from shop.orders import Order\n"
        shop.write_text(PRICES.replace("from shop.orders import Line, Order\n", lacking))
        ran = fill()
        assert ran.code == 0, ran.err
        assert "+from shop.orders import Line\n" in ran.out

    def test_a_stub_that_is_called_on_import_can_be_filled(self, fill, said, shop):
        """It gives None there until it is written."""
        said.say("plan", {"module": "shop.prices", "summary": "Prices.", "functions": [GROSS], "questions": []})
        shop.write_text(PRICES + "\n\nFIRST = gross(Order([Line(100)]))\n")
        ran = fill(name="::gross")
        assert ran.code == 0, ran.err

    def test_what_breaks_the_projects_own_tests_is_not_written(self, fill):
        """They ran before; what failed there already, and what the new tests say, is another matter."""
        own = (
            "import pytest\nfrom shop import prices\n\n\ndef test_stub():\n"
            "    with pytest.raises(NotImplementedError):\n        prices.gross(None)\n\n\n"
            "def test_none():\n    assert prices.RATE == 0\n"
        )
        Path("tests/test_stub.py").write_text(own)
        before = contents()
        ran = fill("--apply")
        assert ran.code == 1
        assert contents() == before
        assert "tests/test_stub.py::test_stub passed before, and does not with the new code" in ran.err
        assert "the project's own tests: 3 tests run, 1 did not pass before" in ran.err

    def test_code_is_repaired_until_the_projects_own_tests_of_the_stub_pass(self, fill, said):
        """Also where no case says what they say: they are the user's, and its author is told how they fail."""
        own = "from shop import prices\nfrom shop.orders import Line, Order\n\n\ndef test_gross():\n"
        Path("tests/test_own.py").write_text(f"{own}    assert prices.gross(Order([Line(100)]), 7) == 107\n")
        wrong = CODE["gross"].replace("100 + rate", "100 + 20")
        said.say("implement", f"```python\n{wrong}```", "gross")
        said.say("repair", f"```python\n{CODE['gross']}```", "gross", 2)
        ran = fill("--transcript", "told")
        assert ran.code == 0, ran.err
        assert "the project's own tests: 2 tests run, 1 did not pass before" in ran.err
        (told,) = (path.read_text() for path in Path("told").glob("*repair*.md"))
        assert "the user's own tests do not pass:\ntest_gross: " in told
        assert "120 == 107" in told

    def test_what_waited_for_the_code_and_refuses_it_takes_the_green_away(self, fill):
        """A test that does not name the stub says otherwise than the code; the next command knows what was before."""
        own = "from shop import prices\nfrom shop.orders import Order\n\n\ndef test_gross():\n"
        named = "getattr(prices, 'gro' + 'ss')"
        Path("tests/test_gross.py").write_text(f"{own}    assert {named}(Order()) == 1\n")
        for _ in range(2):
            ran = fill("--apply", "--gate-seconds", "90")
            assert ran.code == 1
            assert "tests/test_gross.py::test_gross did not pass without the new code, and does not with it" in ran.err
        assert "the project's own tests: 2 tests run, 1 did not pass before" in ran.err


class TestRed:
    """What is asked for is never right."""

    def test_nothing_is_applied(self, fill, said):
        """The exit code says so, and a line."""
        wrong = "```python\ndef gross(order: Order, rate: int = RATE) -> int:\n    return 7\n```"
        said.say("implement", wrong, "gross").say("implement", wrong, "gross", 2)
        for attempt in (2, 3, 4):
            said.say("repair", wrong, "gross", attempt)
        before = contents()
        ran = fill("--apply", "--budget", "iterations=1")
        assert ran.code == 1
        assert contents() == before
        assert ran.last == "nothing is written, as not all is green"
        assert re.search(r"^src/shop/\w+\.py:\d+: \w+: red: ", ran.err, re.MULTILINE), ran.err


class TestWithoutAModel:
    """What needs none."""

    def test_the_context_is_what_prompts_would_see(self, fill):
        """The instruction, the project around, and what planner and developer see besides."""
        ran = fill("--context")
        assert ran.code == 0
        assert "The function `gross`:\n\n```python\ndef gross(order: Order" in ran.out
        assert "# module shop.orders\n\n@dataclass(frozen=True)\nclass Line:" in ran.out
        assert "# the planner sees besides\n\n# of the class Basket:\n\ndef " in ran.out
        assert "# the developer sees besides\n\ndef _rounded(cents: float) -> int:\n    return" in ran.out
        document = fill("--context", "--json", name="::gross").document
        assert document["units"] == {"gross": []}

    def test_an_estimate_asks_nobody(self, tdgen, shop):
        """As `solve --dry-run` does."""
        ran = tdgen("fill", shop, "--dry-run")
        assert (ran.code, ran.out.split()[0]) == (0, "functions")
        assert [line.split()[0] for line in ran.out.splitlines()[1:3]] == ["2", "If"], "as many as are to be written"

    def test_changes_that_git_does_not_have_are_told(self, fill):
        """They stay in the file."""
        subprocess.run(["git", "init", "-q"], check=True, timeout=20)
        subprocess.run(["git", "add", "tests"], check=True, timeout=20)
        assert "src/shop/prices.py has changes that git does not have yet" in fill("--dry-run").err

    @pytest.mark.parametrize(
        ("path", "told"),
        [
            ("none.py", "none.py: there is no such file or folder"),
            ("src/shop/price.py", "there is no such file or folder (did you mean prices.py?)"),
            ("src::gross", "src is no Python file: name one, such as package/module.py"),
            ("pyproject.toml", "pyproject.toml is no Python file: name one, such as package/module.py"),
            ("src/shop/orders.py", "src/shop/orders.py has nothing to fill: no body in it is"),
            ("src/shop/prices.py::grosss", "src/shop/prices.py defines no grosss (did you mean gross?)"),
            ("src/shop/prices.py::Basket.bare", "Basket.bare (line 29) has no docstring"),
        ],
    )
    def test_what_cant_be_filled_is_one_line(self, tdgen, shop, path, told):
        """And exit code 2."""
        ran = tdgen("fill", path)
        assert (ran.code, len(ran.err.splitlines())) == (2, 1)
        assert told in ran.err


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("import nowhere_at_all", "(ModuleNotFoundError: No module named 'nowhere_at_all')"),
        ("FIRST = 1 + gross(Order([]))", "(TypeError: unsupported operand type(s) for +: 'int' and 'NoneType')"),
        ("raise SystemExit(3)", "(SystemExit: 3)"),
    ],
)
def test_a_module_that_cant_be_imported_is_one_line(fill, shop, line, told):
    """Before anything is paid for: nothing could be tested."""
    shop.write_text(f"{PRICES}\n{line}\n")
    ran = fill("--quiet")
    assert (ran.code, len(ran.err.splitlines())) == (2, 1)
    assert f"src/shop/prices.py can't be imported in the sandbox as it is {told}, so nothing could be" in ran.err
    assert ("belongs under `if __name__ == '__main__':`" in ran.err) is ("SystemExit" in line)


def test_a_method_may_give_an_instance_of_its_own_class(tdgen, said, shop):
    """A case expects it by what the project's class shows, though the plan has nothing but the method."""
    path = shop.parent / "points.py"
    path.write_text(
        "class Point:\n    def __init__(self, x: int, y: int) -> None:\n        self.x = x\n        self.y = y\n\n"
        '    def plus(self, other: "Point") -> "Point":\n        """The sum of both, a new point."""\n        ...\n'
    )
    method = {"signature": "def plus(self, other: Point) -> Point", "purpose": "The sum."}
    point = {"name": "Point", "purpose": "A point.", "attributes": [], "methods": [method], "dependencies": []}
    plan = {"module": "shop.points", "summary": "Points.", "functions": [], "classes": [point], "questions": []}
    cases = [
        {"name": f"sum_{n}", "call": f"Point({n}, 1).plus(Point(2, {n}))", "value": f"Point(x={n + 2}, y={n + 1})"}
        for n in range(4)
    ]
    said.say("plan", plan).say("cases", {"cases": [{**case, "expect": "value"} for case in cases]}, "Point")
    code = "class Point:\n    def plus(self, other):\n        return Point(self.x + other.x, self.y + other.y)\n"
    ran = tdgen(
        "fill", path, "--script", said.say("implement", f"```python\n{code}```", "Point").path, "--trust", "quick"
    )
    assert ran.code == 0, ran.err
    assert "+        return Point(self.x + other.x, self.y + other.y)\n" in ran.out


def test_a_second_reading_has_methods_of_a_class_that_holds_data(tdgen, said, shop, change_policy):
    """It is a type of the project, and what is to be written."""
    change_policy("quick", readings=1)
    path = shop.parent / "marks.py"
    path.write_text(
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Mark:\n    points: int\n\n"
        '    def half(self) -> int:\n        """Half of the points, rounded down."""\n        ...\n'
    )
    method = {"signature": "def half(self) -> int", "purpose": "Half of the points, rounded down."}
    mark = {"name": "Mark", "purpose": "A mark.", "attributes": [], "methods": [method], "dependencies": []}
    plan = {"module": "shop.marks", "summary": "Marks.", "functions": [], "classes": [mark], "questions": []}
    cases = [
        {"name": f"of_{n}", "call": f"Mark({n}).half()", "expect": "value", "value": str(n // 2)} for n in (3, 4, 7, 9)
    ]
    code = "```python\nclass Mark:\n    def half(self) -> int:\n        return self.points // 2\n```"
    said.say("plan", plan).say("cases", {"cases": cases}, "Mark").say("implement", code, "Mark").say("reading", code)
    ran = tdgen("fill", path, "--script", said.path, "--trust", "quick")
    assert ran.code == 0, ran.err
    assert "second reading: agrees on 4 of 4 calls" in ran.err
