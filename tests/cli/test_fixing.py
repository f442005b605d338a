"""`tdgen fix`, from failing tests to a patch: the real sandbox and tests, answered by a script."""

import re
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from tdgen.cli.fixing import _check_writable

PRICES = '''"""Prices in cents."""

RATE = 20


def rounded(cents: float) -> int:
    """Half up, to a whole cent."""
    return int(cents)


def gross(amounts: list[int], rate: int = RATE) -> int:
    """The sum with `rate` percent of tax, rounded half up."""
    return rounded(sum(amounts) * (100 + rate) / 100)


class Basket:
    """Amounts to be paid."""

    def __init__(self, *amounts: int) -> None:
        self.amounts = list(amounts)

    def total(self) -> int:
        """The gross sum."""
        return gross(self.amounts)

    def count(self) -> int:
        """How many there are."""
        return len(self.amounts)
'''
TESTS = """import pytest

from shop import prices


@pytest.fixture
def basket():
    return prices.Basket(3, 5)


@pytest.mark.parametrize(("amounts", "told"), [([100], 120), ([3], 4), ([8], 10)])
def test_gross(amounts, told):
    assert prices.gross(amounts) == told


def test_basket(basket):
    assert basket.total() == 10


def test_count(basket):
    assert basket.count() == 2
"""
FILES = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "src/shop/__init__.py": "",
    "src/shop/prices.py": PRICES,
    "tests/test_prices.py": TESTS,
}
RIGHT = (
    "It cuts where it should round.\n\n```python\n# src/shop/prices.py\n"
    "def rounded(cents: float) -> int:\n    return int(cents + 0.5)\n```\n"
)
MENDED = PRICES.replace("int(cents)", "int(cents + 0.5)")
FAILING = [
    f"tests/test_prices.py::{name}" for name in ("test_gross[amounts1-4]", "test_gross[amounts2-10]", "test_basket")
]


def contents():
    """Each file of the project."""
    files = (path for top in ("src", "tests") for path in Path(top).rglob("*") if path.is_file())
    return {str(path): path.read_text() for path in files if "__pycache__" not in path.parts}


def block(code, path="src/shop/prices.py"):
    """An answer with a module's changed code."""
    return f"```python\n# {path}\n{code}```\n"


@pytest.fixture
def shop(bare_environment, warm):
    """The project in the working directory."""
    for name, text in FILES.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    bare_environment(Path())


ROUNDED = {
    "name": "rounded",
    "purpose": "Half up, to a whole cent.",
    "parameters": [{"name": "cents", "type": "float"}],
    "returns": "int",
    "dependencies": [],
}
VALUES = {"2.5": "3", "2.4": "2", "0.5": "1", "0.0": "0", "7.0": "7"}
"""What the docs say of `rounded`."""


@pytest.fixture
def docs(said):
    """What the planner and the author of tests make of the docs of `rounded`; the values can be others."""

    def say(values=None):
        said.say("plan", {"module": "shop.prices", "summary": "Prices.", "functions": [ROUNDED], "questions": []})
        given = enumerate((values or VALUES).items())
        cases = [{"name": f"c{n}", "call": f"rounded({c})", "expect": "value", "value": v} for n, (c, v) in given]
        said.say("cases", {"cases": cases}, "rounded")

    say()
    return say


@pytest.fixture
def fix(tdgen, said, shop, docs):
    """Fix the project's tests with these answers, one for each attempt."""

    def call(*arguments: object, answers=(RIGHT,)):
        for number, answer in enumerate(answers, start=1):
            said.say("repair", answer, "fix", number)
        trust = () if "--trust" in arguments else ("--trust", "quick")
        return tdgen("fix", "--script", said.path, *trust, *arguments)

    return call


class TestAChange:
    """The developer's answer, laid in place and tried."""

    def test_a_patch_is_the_result_and_nothing_is_written(self, fix):
        """Of the function its changed line alone. A suite from its docs confirms it, so that --apply writes it."""
        before = contents()
        ran = fix()
        assert (ran.code, contents()) == (0, before), ran.err
        assert [line for line in ran.out.splitlines() if line.startswith(("+", "-"))][2:] == [
            "-    return int(cents)",
            "+    return int(cents + 0.5)",
        ]
        for test in FAILING:
            file = re.escape(test.partition("::")[0])
            assert re.search(rf"^{file}:([2-9]|\d\d): fails: {re.escape(test)}$", ran.err, re.MULTILINE), ran.err
        assert "    AssertionError: assert 3 == 4" in ran.err
        assert "the fault may be in: src/shop/prices.py::rounded" in ran.err
        assert "the project's own tests: 5 tests run, 3 did not pass before" in ran.err
        assert "green: the tests pass, all others as before, and suites from the docs confirm rounded" in ran.err
        assert ran.last == "nothing is written: --apply makes these changes"
        applied = fix("--apply")
        assert (applied.code, applied.out) == (0, "")
        assert "spent: 0 calls" in applied.err
        assert contents()["src/shop/prices.py"] == MENDED
        patch = Path(applied.last.rpartition(" ")[2])
        subprocess.run(["git", "apply", "-R", patch], check=True, timeout=20)
        assert contents() == before

    def test_what_the_docs_refuse_is_not_written(self, fix, docs, said):
        """It passes all tests of the project; a case of the docs and its arbiters say otherwise."""
        docs({"2.5": "3", "0.25": "0", "0.5": "1"})
        upheld = {"verdict": "upheld", "quote": "Half up, to a whole cent.", "working": "no half"}
        wrong = block("def rounded(cents: float) -> int:\n    return int(cents + 0.5) + (cents == 0.25)\n")
        rulings = [{"case": "c1", **upheld}]
        for sample in range(3):
            said.say("trial", {"rulings": rulings}, "rounded", sample=sample)
        ran = fix("--apply", "--json", "--budget", "iterations=1", "--trust", "standard", answers=(wrong,))
        document = ran.document
        assert (ran.code, document["outcome"]) == (1, "red"), document["attempts"]
        assert document["attempts"][0]["reasons"] == [
            "the docs of rounded say “Half up, to a whole cent.”: so rounded(0.25) returns `0`, "
            "and not what it does: returns `1`"
        ]
        assert contents()["src/shop/prices.py"] == PRICES

    def test_where_nothing_could_be_written_nobody_is_asked(self, fix):
        """Each module with a suspect in it is read-only; a patch of it can be had."""
        Path("src/shop/prices.py").chmod(0o444)
        ran = fix("--apply", answers=())
        assert ran.code == 2
        assert ran.last == "tdgen: src/shop/prices.py is read-only: `chmod u+w src/shop/prices.py` lets it be written"

    def test_where_no_first_suspect_can_change_later_ones_may(self):
        """Of those that a first prompt shows each may be a name for several definitions."""
        _check_writable(SimpleNamespace(suspects=()))

    def test_without_docs_it_is_not_green(self, fix):
        """The tests pass, and that is told; a person decides."""
        bare = PRICES.replace('    """Half up, to a whole cent."""\n', "").replace('    """The sum', '    # """')
        Path("src/shop/prices.py").write_text(bare.replace('    """The gross sum."""\n', ""))
        ran = fix("--apply")
        assert (ran.code, "+    return int(cents + 0.5)" in ran.out) == (1, True)
        assert "undecided: its docs can't confirm it: rounded (line 6) has no docstring" in ran.err
        assert "read the change before you take it" in ran.err

    def test_the_same_again_costs_no_call(self, fix):
        """The answers are kept until the project is another; one that failed was told, and the next was asked for."""
        wrong = block("def rounded(cents: float) -> int:\n    return int(cents + 0.5 * (cents > 5))\n")
        answers = (wrong, RIGHT)
        document = fix("--json", answers=answers).document
        first, second = document["attempts"]
        assert first["reasons"] == ["1 of 3 tests still fail"]
        assert (second["reasons"], second["confirmed"]) == ([], ["rounded"])
        assert (document["outcome"], document["failing"], document["usage"]["calls"]) == ("green", FAILING, 4)
        assert fix("--json", answers=answers).document["usage"]["calls"] == 0

    def test_a_budget_that_is_spent_leaves_the_best(self, fix):
        """And the exit code says so."""
        wrong = block("def rounded(cents: float) -> int:\n    return int(cents + 0.5 * (cents > 5))\n")
        ran = fix("--budget", "calls=1", answers=(wrong,))
        assert ran.code == 3
        assert "+    return int(cents + 0.5 * (cents > 5))" in ran.out
        assert "red: 1 of 3 tests still fail" in ran.err

    def test_an_objection_changes_nothing(self, fix):
        """Where its words stand in the docs; the user is told."""
        ran = fix(answers=(f'OBJECTION {FAILING[0]}: "rounded half up" 3.6 is no half.',))
        assert (ran.code, ran.out) == (1, "")
        assert f"nothing is changed: {FAILING[0]} contradicts the docs: “rounded half up”: 3.6 is no half" in ran.err


class TestFailingTests:
    """Which tests are fixed, and which can't be."""

    def test_the_context_is_what_the_developer_would_see(self, fix):
        """Of one named test; the passing ones beside tell where to look. An estimate asks nobody either."""
        ran = fix(FAILING[0], "--context", "--json")
        assert ran.document["failing"] == FAILING[:1]
        assert [one["name"] for one in ran.document["suspects"]][:1] == ["src/shop/prices.py::rounded"]
        assert "# tests/test_prices.py\nimport pytest\n\nfrom shop import prices\n" in ran.document["prompt"]
        assert fix("--dry-run").out.startswith("a first answer: 1 call")

    @pytest.mark.parametrize(
        ("named", "told"),
        [
            ("tests/test_none.py", "tests/test_none.py: there is no such file of tests"),
            ("tests/test_prices.py::test_none", "tests/test_prices.py::test_none: there is no such test"),
            ("tests/test_empty.py", "tests/test_empty.py has no tests that pytest finds"),
        ],
    )
    def test_what_is_not_there_is_one_line(self, fix, named, told):
        """And exit code 2."""
        Path("tests/test_empty.py").write_text("")
        ran = fix(named)
        assert (ran.code, len(ran.err.splitlines())) == (2, 1)
        assert told in ran.last

    def test_no_project(self, tdgen):
        """A folder without one."""
        ran = tdgen("fix")
        assert ran.code == 2
        assert "is in no project" in ran.last

    def test_a_conftest_that_can_not_be_imported(self, fix):
        """Pytest runs nothing then."""
        Path("tests/conftest.py").write_text("1 / 0\n")
        ran = fix()
        assert ran.code == 2
        assert "pytest can't run the tests in the sandbox: " in ran.last
        assert "ZeroDivisionError" in ran.last

    def test_what_no_function_is_at_fault_for(self, fix):
        """A file that can't be collected, a fault in a test, a flaky one, one that does not end: nobody is asked."""
        Path("src/shop/prices.py").write_text(MENDED)
        assert (fix(answers=()).code, fix(answers=()).last) == (0, "nothing fails")
        Path("tests/test_own.py").write_text("def test_own():\n    assert undefined\n")
        assert "the fault is in the tests, or outside" in fix(answers=()).last
        Path("tests/test_more.py").write_text("from shop.nothing import more\n")
        flaky = (
            "import threading\n\n\ndef test_flaky():\n    assert not threading.gettrace()\n"  # failing tests are traced
        )
        Path("tests/test_own.py").write_text(f"{flaky}\n\ndef test_hangs():\n    threading.Event().wait()\n")
        ran = fix("--gate-seconds", "8", answers=())
        assert ran.code == 1
        assert "flaky: tests/test_own.py::test_flaky failed, and passed when it ran again" in ran.err
        assert "no end: tests/test_own.py::test_hangs took too long" in ran.err
        assert "fails: tests/test_more.py\n    ModuleNotFoundError: No module named 'shop.nothing'" in ran.err
        assert "tests/test_more.py can't be collected (ModuleNotFoundError: No module named 'shop.nothing')" in ran.last

    @pytest.mark.parametrize(
        ("code", "told"),
        [
            ("def half(n):\n    return n\n\n\ndef half(n):\n    return -n\n", "half is defined 2 times (lines 1, 5)"),
            (
                "if True:\n    def half(n):\n        return n\nelse:\n    half = None\n",
                "half is defined under a condition",
            ),
            ("half = [abs for _ in range(2)][0]\nif half is None:\n    def half(n):\n        return n\n", "outside"),
        ],
        ids=["twice", "conditional", "no_function"],
    )
    def test_what_can_not_be_changed_is_nobody_asked_for(self, fix, code, told):
        """A fault in what a module defines more than once, or under a condition: in a line that says so."""
        Path("src/shop/halves.py").write_text(code)
        Path("tests/test_prices.py").write_text(
            "from shop import halves\n\n\ndef test_half():\n    assert halves.half(4) == 2\n"
        )
        ran = fix(answers=())
        assert (ran.code, told in ran.last) == (1, True), ran.err

    def test_a_stub_is_not_fixed(self, fix):
        """Who fills it is named, and nobody is asked."""
        Path("src/shop/prices.py").write_text(
            PRICES.replace("    return int(cents)\n", "    raise NotImplementedError\n")
        )
        ran = fix(answers=())
        assert ran.code == 1
        named = "src/shop/prices.py::rounded"
        assert f"{named} is a stub (tests that fail in it: 4): `tdgen fill {named}` writes its body" in ran.err
        assert ran.last == "there is nothing to fix: a stub waits for its body"

    def test_a_function_that_fails_while_the_module_is_imported(self, fix):
        """Then no test runs it, and it is suspicious all the same."""
        Path("src/shop/prices.py").write_text(
            f"{MENDED}\n\ndef _checked():\n    raise LookupError(1)\n\n\n_checked()\n"
        )
        ran = fix("--json", answers=(block("def _checked():\n    return None\n"),))
        assert ran.document.get("failing") == ["tests/test_prices.py"], ran.out
        assert ran.document["suspects"][0]["name"] == "src/shop/prices.py::_checked"
        assert ran.document["outcome"] == "undecided"
