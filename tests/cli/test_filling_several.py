"""`tdgen fill` of several modules: the real pipeline and sandbox, answered by an endpoint, in turn."""

import json
from pathlib import Path

import pytest

HALF = '"""Halves."""\n\n\ndef half(n: int) -> int:\n    """Half of n, rounded down."""\n    ...\n'
QUARTER = (
    '"""Quarters."""\n\nfrom shop.low import half\n\n\ndef quarter(n: int) -> int:\n'
    '    """Half of the half of n."""\n    ...\n'
)
FILES = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "src/shop/__init__.py": "",
    "src/shop/low.py": HALF,
    "src/shop/high.py": QUARTER,
    "src/shop/plain.py": "X = 1\n",
    "tests/test_plain.py": "from shop.plain import X\n\n\ndef test_x():\n    assert X == 1\n",
}


def answers(name: str, divisor: int, code: str):
    """A plan, cases and code of a function."""
    contract = {"name": name, "purpose": "A part of n.", "parameters": [{"name": "n", "type": "int"}], "returns": "int"}
    numbers = {"eight": 8, "seven": 7, "none": 0, "four": 4}
    cases = [
        {"name": word, "call": f"{name}({n})", "expect": "value", "value": str(n // divisor)}
        for word, n in numbers.items()
    ]
    plan = {"module": "shop", "summary": "Parts.", "functions": [contract | {"dependencies": []}], "questions": []}
    return plan, {"cases": cases}, f"```python\ndef {name}(n: int) -> int:\n    return {code}\n```"


LOW, HIGH = answers("half", 2, "n // 2"), answers("quarter", 4, "half(half(n))")


@pytest.fixture
def shop(bare_environment, warm):
    """The project in the working directory: `high` imports `low`, and sorts before it."""
    for name, text in FILES.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    bare_environment(Path())


@pytest.fixture
def fill(tdgen, shop, endpoint):
    """Fill with what is replied in turn."""

    def call(*arguments: object, replies=()):
        if replies:
            endpoint.will(*replies)
        return tdgen("fill", *arguments, "--trust", "quick", "--concurrency", "1")

    return call


def contents():
    """Each file of the project."""
    files = (path for top in ("src", "tests") for path in Path(top).rglob("*") if path.is_file())
    return {str(path): path.read_text() for path in files if "__pycache__" not in path.parts}


@pytest.mark.slow
class TestSeveralModules:
    """Each is tested with those that came before it."""

    def test_a_module_that_others_import_comes_first(self, fill):
        """All changes are one patch, and one record; modules without stubs are passed over."""
        ran = fill("src", "--json", "--apply", replies=(*LOW, *HIGH))
        assert ran.code == 0, ran.err
        told = [(one["path"], one["green"]) for one in ran.document["modules"]]
        assert told == [("src/shop/low.py", True), ("src/shop/high.py", True)]
        tests = ("tests/test_half.py", "tests/test_quarter.py")
        assert ran.document["files"] == ["src/shop/low.py", tests[0], "src/shop/high.py", tests[1], "tdgen.json"]
        assert "return half(half(n))" in Path("src/shop/high.py").read_text()
        assert set(json.loads(Path("tdgen.json").read_text())["units"]) == {
            "src/shop/low.py::half",
            "src/shop/high.py::quarter",
        }

    def test_nothing_is_written_unless_all_is_green(self, fill):
        """What is green can be written alone, and is paid for."""
        wrong = answers("quarter", 4, "half(n)")
        before = contents()
        ran = fill("src/shop", "--apply", "--budget", "calls=7", replies=(*LOW, *wrong))
        assert ran.code in (1, 3), ran.err
        assert contents() == before
        assert "nothing is written, as not all is green" in ran.err
        assert "`tdgen fill src/shop/low.py --apply` writes what is green without a model call" in ran.last
        again = fill("src/shop/low.py", "--apply", "--json", replies=(500,))
        assert (again.code, again.document["applied"]) == (0, True), again.err

    def test_the_budget_is_for_all(self, fill):
        """What the first module used is not there for the second; the same command again goes on from there."""
        ran = fill("src", "--json", "--budget", "calls=4", replies=(*LOW, *HIGH))
        assert ran.code == 3, ran.err
        assert [one["green"] for one in ran.document["modules"]] == [True, False]
        assert "src/shop/high.py is left as it is: " in ran.err
        again = fill("src", "--json", "--budget", "calls=3", replies=(*HIGH,))
        assert again.code == 0, again.err

    def test_what_needs_a_module_that_is_not_green_is_not_begun(self, fill):
        """It could only fail."""
        ran = fill("src", "--budget", "calls=4", replies=answers("half", 2, "n"))
        assert ran.code in (1, 3), ran.err
        assert "src/shop/high.py is left as it is: it imports shop.low, which is not green" in ran.err

    def test_tests_of_one_name_lie_beside_each_other(self, fill):
        """The second one's has its module's name in it."""
        Path("src/shop/high.py").write_text(HALF)
        ran = fill("src", "--json", replies=(*LOW, *LOW))
        assert ran.code == 0, ran.err
        assert {"tests/test_half.py", "tests/test_low_half.py"} <= {*ran.document["files"]}


def test_one_document_is_for_one_module(fill):
    """Estimates and contexts of several are for people."""
    ran = fill("src", "--dry-run")
    assert ran.out.count("functions") == 2
    assert ran.err.count("no environment of its own") <= 1, "it is told once"
    ran = fill("src", "--context", "--json")
    assert (ran.code, ran.last) == (2, "tdgen: --json shows --context and --dry-run of one module alone: name one")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"more/__init__.py": ""}, "src/more: no module has a stub to fill"),
        (
            {"more/a.py": "def f(): ...\n"},
            "src/more: passed over: src/more/a.py has nothing to fill: f (line 1) has no",
        ),
    ],
)
def test_a_folder_without_what_can_be_filled(fill, files, said):
    """It is one line."""
    for name, text in files.items():
        Path("src", name).parent.mkdir(exist_ok=True)
        Path("src", name).write_text(text)
    ran = fill("src/more")
    assert ran.code == 2
    assert ran.last.startswith(f"tdgen: {said}")
