"""Dataclasses and enums with methods, and decorators: planned, checked in what was written, judged and rendered."""

from __future__ import annotations

import pytest

MONEY = {
    "name": "Money",
    "purpose": "An amount of a currency.",
    "decorators": ["@dataclass(frozen=True, order=True)"],
    "attributes": [
        {"name": "cents", "type": "int", "purpose": "how much"},
        {"name": "currency", "type": "str", "default": "'EUR'"},
    ],
    "methods": [
        {
            "signature": "__post_init__(self)",
            "purpose": "It is never negative.",
            "raises": [{"type": "ValueError", "when": "there are fewer than 0 cents"}],
        },
        {"signature": "plus(self, other: Money) -> Money", "purpose": "The sum."},
        {"signature": "whole(self) -> int", "kind": "property", "purpose": "Its whole units."},
    ],
}
RIGHT_MONEY = '''
from dataclasses import dataclass

@dataclass(frozen=True, order=True)
class Money:
    """An amount of a currency."""

    cents: int
    currency: str = "EUR"

    def __post_init__(self) -> None:
        """Refuse less than nothing."""
        if self.cents < 0:
            raise ValueError("negative")

    def plus(self, other: Money) -> Money:
        """The sum."""
        return Money(self.cents + other.cents, self.currency)

    @property
    def whole(self) -> int:
        """Its whole units."""
        return self.cents // 100
'''
BY_HAND = """
class Money:
    def __init__(self, cents: int, currency: str = "EUR") -> None:
        if cents < 0:
            raise ValueError("negative")
        self.cents, self.currency = cents, currency

    def __lt__(self, other): return (self.cents, self.currency) < (other.cents, other.currency)

    def __eq__(self, other): return (self.cents, self.currency) == (other.cents, other.currency)

    def plus(self, other): return Money(self.cents + other.cents, self.currency)

    @property
    def whole(self): return self.cents // 100
"""
LEVEL = {
    "name": "Level",
    "purpose": "How urgent something is.",
    "bases": ["IntEnum"],
    "attributes": [{"name": "LOW", "default": "1"}, {"name": "MID", "default": "2"}, {"name": "HIGH", "default": "5"}],
    "methods": [
        {"signature": "raised(self) -> Level", "purpose": "The next one; the last stays."},
        {"signature": "named(cls, text: str) -> Level", "kind": "class", "purpose": "The one of that name."},
    ],
}
RIGHT_LEVEL = '''
from enum import IntEnum

class Level(IntEnum):
    """How urgent something is."""

    LOW = 1
    MID = 2
    HIGH = 5

    def raised(self) -> Level:
        """The next one."""
        levels = list(Level)
        return levels[min(levels.index(self) + 1, len(levels) - 1)]

    @classmethod
    def named(cls, text: str) -> Level:
        """The one of that name."""
        return cls[text.upper()]
'''


@pytest.fixture
def money(write):
    def written(*tries, **more):
        cases = [
            write.returns("Money(3).plus(Money(4))", "Money(7)", name="sum"),
            write.returns("Money(250).whole", "2", name="whole"),
            write.raises("Money(-1)", "ValueError"),
            write.returns("sorted([Money(3), Money(1)])", "[Money(1, 'EUR'), Money(cents=3)]", name="order"),
            write.returns("Money(3, 'USD')", "Money(3, 'USD')", name="made"),
            write.returns("{Money(1): 'a'}[Money(1)]", "'a'", name="hashed"),
            write.raises("setattr(one, 'cents', 3)", "AttributeError", name="frozen", setup="one = Money(2)"),
        ]
        made = write.klass("class Money:\n    pass", cases=cases, tries=tries or [RIGHT_MONEY])
        made.spec.update(MONEY | more)
        return made

    return written


@pytest.fixture
def level(write):
    def written(*tries, **more):
        cases = [
            write.returns("Level.LOW.raised()", "Level.MID", name="next"),
            write.returns("Level.HIGH.raised()", "Level.HIGH", name="last"),
            write.returns("Level.named('mid')", "Level.MID", name="named"),
            write.returns("[one.raised() for one in Level]", "[Level.MID, Level.HIGH, Level.HIGH]", name="all"),
            write.returns("Level(5)", "Level.HIGH", name="value"),
        ]
        made = write.klass("class Level:\n    pass", cases=cases, tries=tries or [RIGHT_LEVEL])
        made.spec.update(LEVEL | more)
        return made

    return written


@pytest.mark.usefixtures("some_mutants")
@pytest.mark.parametrize("trust", ["quick", "standard", "strict"])
def test_a_frozen_dataclass_with_methods(solver, money, trust):
    """What is expected is written as its user would, and rendered so."""
    solved = solver.solve(money(), settings={"trust": trust})
    assert solved["Money"].outcome == "green", solved["Money"].reason
    test = solved.solution.test_files["test_money.py"]
    assert "assert Money(3).plus(Money(4)) == Money(7)" in test
    assert "== [Money(1, 'EUR'), Money(cents=3)]" in test.replace('"', "'")
    assert "@dataclass(frozen=True, order=True)\nclass Money:" in solved.prompts("implement")[0]
    assert "currency: str = 'EUR'" in solved.prompts("cases")[0]


@pytest.mark.parametrize("trust", ["quick", "standard", "strict"])
def test_an_enum_with_methods(solver, level, trust):
    """Its members are expected by their names."""
    solved = solver.solve(level(), settings={"trust": trust})
    assert solved["Level"].outcome == "green", solved["Level"].reason
    test = solved.solution.test_files["test_level.py"]
    assert "assert Level.LOW.raised() == Level.MID" in test
    assert "class Level(IntEnum):\n    LOW = 1\n    MID = 2" in solved.prompts("implement")[0]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (BY_HAND, "the class Money must be decorated with `@dataclass(frozen=True, order=True)`"),
        (RIGHT_MONEY.replace("(frozen=True, order=True)", ""), "the class Money must be decorated with"),
        (
            RIGHT_MONEY.replace("    cents: int\n", "    note: str = ''\n    cents: int = 0\n"),
            "must be exactly cents: int;",
        ),
    ],
    ids=["by hand", "not frozen", "other fields"],
)
def test_what_is_no_such_dataclass_goes_back_to_its_author(solver, money, wrong, told):
    """Also where its cases would pass."""
    solved = solver.solve(money(wrong, RIGHT_MONEY))
    assert solved["Money"].outcome == "green"
    assert any(told in finding for finding in solved["Money"].history[0].findings)
    assert told in solved.prompts("repair")[0]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (
            RIGHT_LEVEL.replace("HIGH = 5", "HIGH = 3"),
            "the members of Level must be exactly LOW = 1, MID = 2, HIGH = 5",
        ),
        (RIGHT_LEVEL.replace("IntEnum", "Enum"), "the class Level must have the bases IntEnum"),
    ],
)
def test_what_is_no_such_enum_goes_back_to_its_author(solver, level, wrong, told):
    solved = solver.solve(level(wrong, RIGHT_LEVEL))
    assert solved["Level"].outcome == "green"
    assert any(told in finding for finding in solved["Level"].history[0].findings)


def test_other_units_use_them(solver, money, level, write):
    """As parameters and results, in what cases expect."""
    fee = write.function(
        "fee(level: Level, base: Money) -> Money",
        cases=[
            write.returns("fee(Level.HIGH, Money(100))", "Money(500)"),
            write.returns("fee(Level.LOW, Money(7, 'USD'))", "Money(7, 'USD')"),
        ],
        tries=["def fee(level, base):\n    return Money(base.cents * level.value, base.currency)"],
    )
    solved = solver.solve(fee, money(), level())
    assert solved.solution.all_tests_passed, [result.reason for result in solved.solution.results]
    assert solved.solution.plan.spec("fee").dependencies == ("Level", "Money")
    test = solved.solution.test_files["test_fee.py"]
    assert "assert fee(Level.HIGH, Money(100)) == Money(500)" in test


DECORATED = {
    "name": "Log",
    "purpose": "Lines in order.",
    "decorators": ["functools.total_ordering"],
    "methods": [
        {"signature": "__init__(self, lines: list[str])"},
        {"signature": "longest(self) -> str", "kind": "property", "decorators": ["@functools.cached_property"]},
        {
            "signature": "indented(self, by: int) -> Iterator[list[str]]",
            "decorators": ["contextlib.contextmanager"],
            "purpose": "The lines, indented.",
        },
        {"signature": "find(self, what: int | str) -> int", "decorators": ["functools.singledispatchmethod"]},
        {"signature": "__eq__(self, other: object) -> bool"},
        {"signature": "__lt__(self, other: Log) -> bool"},
    ],
}
RIGHT_LOG = '''
@functools.total_ordering
class Log:
    """Lines in order."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = list(lines)

    @functools.cached_property
    def longest(self) -> str:
        """The longest one."""
        return max(self._lines, key=len, default="")

    @contextmanager
    def indented(self, by: int) -> Iterator[list[str]]:
        """The lines, indented."""
        yield [" " * by + line for line in self._lines]

    @functools.singledispatchmethod
    def find(self, what: int | str) -> int:
        """Where a line or the first of a length is."""
        raise TypeError("neither")

    @find.register
    def _(self, what: str) -> int:
        return self._lines.index(what)

    @find.register
    def _(self, what: int) -> int:
        return [len(line) for line in self._lines].index(what)

    def __eq__(self, other: object) -> bool:
        """By length."""
        return isinstance(other, Log) and len(self._lines) == len(other._lines)

    def __lt__(self, other: Log) -> bool:
        """By length."""
        return len(self._lines) < len(other._lines)
'''


def test_decorators_are_part_of_the_contract(solver, write):
    """Of the class and of its methods; one that lacks goes back to the developer."""
    log = "log = Log(['a', 'bcd', 'ef'])"
    cases = [
        write.returns("log.longest", "'bcd'", name="longest", setup=log),
        write.returns(
            "seen", "['  a', '  bcd', '  ef']", name="in", setup=f"{log}\nwith log.indented(2) as seen:\n    pass"
        ),
        write.returns("[log.find('ef'), log.find(1), log.longest]", "[2, 0, 'bcd']", name="find", setup=log),
        write.returns(
            "[log >= Log(['x']), log == Log([]), log < Log([])]", "[True, False, False]", name="order", setup=log
        ),
    ]
    lacks = RIGHT_LOG.replace("    @functools.cached_property\n", "    @property\n")
    made = write.klass("class Log:\n    pass", cases=cases, tries=[lacks, RIGHT_LOG])
    made.spec.update(DECORATED)
    solved = solver.solve(made)
    assert solved["Log"].outcome == "green", solved["Log"].reason
    assert solved["Log"].history[0].findings == (
        "the method Log.longest must be decorated with `@functools.cached_property`, as in the contract",
    )
    assert "    @contextlib.contextmanager\n    def indented" in solved.prompts("implement")[0]
    assert "import functools" in solved.solution.module_source
