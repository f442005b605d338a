"""A small project with a fault, what its tests gave, and runs that give what they were told."""

from pathlib import Path

import pytest

from tdgen.fixing.problem import find_problem
from tdgen.project.index import read_index
from tdgen.project.root import find_project
from tdgen.types import Failure, FileReport, Place

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
PATH = "src/shop/prices.py"
FILE = "tests/test_prices.py"
FILES = {"pyproject.toml": "", "src/shop/__init__.py": "", PATH: PRICES, FILE: TESTS}
FAILING = (f"{FILE}::test_gross[amounts1-4]", f"{FILE}::test_basket")
OUTCOMES = {
    f"{FILE}::test_gross[amounts0-120]": "passed",
    FAILING[0]: "failed",
    FAILING[1]: "failed",
    f"{FILE}::test_count": "passed",
}
LINES = {
    f"{FILE}::test_gross[amounts0-120]": {PATH: "8,13"},
    FAILING[0]: {PATH: "8,13"},
    FAILING[1]: {PATH: "8,13,20,24"},
    f"{FILE}::test_count": {PATH: "20,28"},
}


def failure(message="assert 3 == 4", kind="AssertionError", *places):
    """An exception in a test, and what it went by before."""
    own = [Place(path=FILE, line=13, function="test_gross"), *(Place(path=PATH, line=n, function=f) for f, n in places)]
    return Failure(type=kind, message=message, places=tuple(own))


def report(outcomes=OUTCOMES, *, ran=None, log="", **failures):
    """A run in which what fails has a failure."""
    failing = {name: failure() for name, outcome in outcomes.items() if outcome == "failed"}
    modules = {PATH: "shop.prices"} if ran else {}
    return FileReport(
        collected=tuple(outcomes),
        outcomes=outcomes,
        failures={**failing, **failures},
        ran=ran or {},
        modules=modules,
        complete=True,
        log=log,
    )


def passing():
    """A run in which all pass."""
    return report(dict.fromkeys(OUTCOMES, "passed"))


class Runs:
    """Runs that give what they were told in their order, the last one again and again."""

    def __init__(self, *given):
        self.given, self.asked = list(given), []

    def __call__(self, tests, overlay, seconds, *, traced=False):
        self.asked.append((tuple(tests), dict(overlay), traced))
        return self.given.pop(0) if len(self.given) > 1 else self.given[0]


@pytest.fixture
def project(tmp_path):
    """The project, read."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return find_project(tmp_path)


@pytest.fixture
def find(project):
    """The problem that runs show."""

    def call(*given, tests=(), seconds=9.0):
        run = Runs(*given)
        found = find_problem(project, read_index(project), run, tests, seconds=seconds)
        return found, run.asked

    return call


@pytest.fixture
def problem(find):
    """The problem as it is."""
    return find(report(ran=LINES), report())[0]


def write(project, name: str, text: str) -> Path:
    """A file of the project."""
    path = project.root / name
    path.write_text(text)
    return path
