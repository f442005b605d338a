"""Exceptions in a class's body, and exceptions that are classes with methods, from the plan to the rendered test."""

from __future__ import annotations

import json

import pytest

from tdgen.errors import PlanError
from tests.scripted import with_answer

ERROR = {
    "name": "Roster.Error",
    "kind": "exception",
    "base": "ValueError",
    "fields": [{"name": "who", "type": "str"}],
    "message": "{who} is unknown",
}
ROSTER = '''
class Roster:
    """The names of a crew."""

    def __init__(self, names: list[str]) -> None: ...

    def place(self, name: str) -> int: ...

    def drop(self, name: str) -> list[str]: ...
'''
BARE = '''
class Roster:
    """The names of a crew."""

    def __init__(self, names: list[str]) -> None:
        self._names = list(names)

    def place(self, name: str) -> int:
        """Where a name stands."""
        if name not in self._names:
            raise self.Error(name)
        return self._names.index(name)

    def drop(self, name: str) -> list[str]:
        """Take a name away, and give the others."""
        if name not in self._names:
            raise Roster.Error(name)
        self._names.remove(name)
        return list(self._names)
'''
OWN = BARE.replace(
    '    """The names of a crew."""\n',
    '    """The names of a crew."""\n\n    class Error(Exception):\n        """Mine."""\n\n        code = 3\n',
)
WRONG = BARE.replace("raise self.Error(name)", "raise ValueError(name)")


@pytest.fixture
def cases(write):
    after = [{"expression": "error.who", "value": "'Eve'"}]
    crew = "crew = Roster(['Ann', 'Bob', 'Cid'])"
    return [
        write.returns("crew.place('Bob')", "1", name="place", setup=crew),
        write.returns("crew.place('Cid')", "0", name="moves_up", setup=f"{crew}\ncrew.drop('Ann')\ncrew.drop('Bob')"),
        write.raises("crew.place('Eve')", "Roster.Error", name="nobody", setup=crew, match="^Eve is unknown$"),
        write.raises("crew.drop('Eve')", "Roster.Error", name="drops", setup=crew, observe={"after": after}),
        write.returns(
            "seen",
            "['Eve is unknown', 'Ann']",
            name="caught",
            setup=f"{crew}\ntry:\n    crew.drop('Eve')\nexcept Roster.Error as error:\n    seen = [str(error), 'Ann']",
        ),
    ]


@pytest.fixture
def roster(write, cases):
    def written(*tries, **more):
        return write.klass(ROSTER, tries=tries or [BARE], raises=["Error"], **({"cases": cases} | more))

    return written


@pytest.mark.parametrize(("code", "trust"), [(BARE, "quick"), (OWN, "standard")], ids=["left out", "written otherwise"])
def test_an_exception_in_a_class_s_body_is_declared_judged_and_rendered(solver, roster, code, trust):
    """It is written by tdgen as it is planned, whatever the developer has in its place."""
    solved = solver.solve(roster(code), types=[ERROR], readings=[BARE], settings={"trust": trust})
    assert solved["Roster"].outcome == "green", solved["Roster"].reason
    module, test = solved.solution.module_source, solved.solution.test_files["test_roster.py"]
    assert '    class Error(ValueError):\n        """The exception Error."""\n' in module
    assert module.count("class Error") == 1
    assert "Exception" not in module
    assert 'super().__init__(f"{who} is unknown")' in module
    assert "with pytest.raises(Roster.Error" in test
    assert "from kit import Roster\n" in test


def test_authors_and_developers_see_it_where_it_stands(solver, roster):
    """In the contract's skeleton, and with the class's name where a method raises it."""
    solved = solver.solve(roster(WRONG, BARE), types=[ERROR])
    assert solved["Roster"].outcome == "green"
    for purpose in ("cases", "implement", "repair"):
        assert "    class Error(ValueError):" in solved.prompts(purpose)[0]
        assert "Raises Roster.Error: its cases say when" in solved.prompts(purpose)[0]
    assert "kit.Roster.Error" not in solved.prompts("repair")[0]


def test_a_function_that_raises_it_stands_on_its_class(solver, roster, write):
    """Whether the planner says so or not."""
    first = write.function(
        "first(names: list[str]) -> str",
        raises=["Roster.Error"],
        cases=[write.returns("first(['Ann'])", "'Ann'"), write.raises("first([])", "Roster.Error")],
        tries=["def first(names):\n    if not names:\n        raise Roster.Error('nobody')\n    return names[0]"],
    )
    solved = solver.solve(first, roster(), types=[ERROR])
    assert solved.solution.all_tests_passed
    assert solved.solution.plan.spec("first").dependencies == ("Roster",)
    assert "pytest.raises(Roster.Error)" in solved.solution.test_files["test_first.py"]


def test_another_exception_of_that_name_is_none(solver, roster):
    """A class that is only called so, raised by hand, is not the one that is declared."""
    posing = BARE.replace("raise self.Error(name)", "raise _Roster_Error(name)")
    posing += '\n\nclass _Roster_Error(ValueError):\n    __qualname__ = "Roster.Fault"\n'
    solved = solver.solve(roster(posing, posing), types=[ERROR], settings={"budget": "iterations=2"})
    assert solved["Roster"].outcome == "red"


def test_one_may_inherit_from_another_of_the_body(solver, roster):
    """They are written bases first, and their bases by their own names."""
    gone = {"name": "Roster.Gone", "kind": "exception", "base": "Roster.Error"}
    solved = solver.solve(roster(), types=[gone, ERROR])
    assert solved["Roster"].outcome == "green"
    module = solved.solution.module_source
    assert module.index("class Error(ValueError)") < module.index("class Gone(Error)")


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ({"name": "Crew.Error"}, "type 'Crew.Error': 'Crew', in whose body it is to stand, is none of `classes`"),
        ({"kind": "enum"}, "in its body stand exceptions alone: plan the enum 'Error' beside it"),
        ({"name": "Roster.place"}, "the name 'place' is given to a type in its body and to something else"),
        ({"base": "Other"}, "the base 'Other' is unknown"),
        ({"message": "{whom}"}, "may have its fields in braces"),
    ],
)
def test_what_can_t_stand_in_a_body_goes_back_to_the_planner(solver, roster, named, told):
    written = roster()
    for method in written.spec["methods"]:
        method["raises"] = []
    answer = {"module": "kit", "classes": [written.spec], "types": [ERROR | named]}
    model = with_answer(solver.model(plan=answer), "plan", json.dumps(answer), attempt=2)
    with pytest.raises(PlanError) as refused:
        solver.solve(model=model)
    assert told in str(refused.value)


SYNTAX_ERROR = '''
class BadLine(ValueError):
    """A line that can't be read."""

    line: int

    def __init__(self, line: int, text: str) -> None: ...

    @property
    def short(self) -> str: ...

    def pointed(self, at: int) -> str: ...
'''
WRITTEN = '''
class BadLine(ValueError):
    """A line that can't be read."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"line {line}: {text}")
        self.line = line
        self._text = text

    @property
    def short(self) -> str:
        """Its first letters."""
        return self._text[:3]

    def pointed(self, at: int) -> str:
        """The text with a mark."""
        return self._text + "\\n" + " " * at + "^"
'''


class TestAnExceptionWithMethods:
    """It is a unit like any class, and other units raise it."""

    @pytest.fixture
    def bad_line(self, write):
        made = "bad = BadLine(3, 'abcd')"
        cases = [
            write.returns("bad.short", "'abc'", name="short", setup=made),
            write.returns("bad.line", "3", name="line", setup=made),
            write.returns("bad.pointed(1)", "'abcd\\n ^'", name="pointed", setup=made),
            write.returns("str(bad)", "'line 3: abcd'", name="message", setup=made),
        ]
        return write.klass(SYNTAX_ERROR, cases=cases, tries=[WRITTEN])

    @pytest.fixture
    def read(self, write):
        def written(code, raises="BadLine"):
            after = [{"expression": "[error.line, error.short, error.pointed(0)]", "value": "[2, 'x', 'x\\n^']"}]
            cases = [
                write.returns("read(['1', '2'])", "[1, 2]"),
                write.raises("read(['1', 'x'])", "BadLine", observe={"after": after}, match="line 2"),
                write.raises("read(['y'])", "ValueError", name="it_is_a_value_error"),
                write.returns("read([])", "[]"),
            ]
            return write.function("read(lines: list[str]) -> list[int]", raises=[raises], cases=cases, tries=code)

        return written

    RIGHT = """
    def read(lines):
        found = []
        for number, line in enumerate(lines, start=1):
            if not line.isdigit():
                raise BadLine(number, line)
            found.append(int(line))
        return found
    """

    @pytest.mark.parametrize("trust", ["quick", "standard"])
    def test_other_units_raise_it(self, solver, bad_line, read, trust):
        """What is expected is evaluated on a stand-in that has its bases, and what it gives is observed outside."""
        wrong = self.RIGHT.replace("BadLine(number, line)", "ValueError(f'line {number}')")
        solved = solver.solve(read([wrong, self.RIGHT]), bad_line, settings={"trust": trust}, readings=[WRITTEN])
        assert solved.solution.all_tests_passed, [result.reason for result in solved.solution.results]
        assert len(solved["read"].history) == 2
        assert "raises BadLine" in solved.prompts("repair", "read")[0]
        test = solved.solution.test_files["test_read.py"]
        assert 'with pytest.raises(BadLine, match="line 2") as raised:' in test
        assert "from kit import BadLine, read" in test

    def test_a_class_that_is_no_exception_can_t_be_raised(self, solver, read, write):
        plain = write.klass(SYNTAX_ERROR.replace("(ValueError)", ""))
        answer = {"module": "kit", "classes": [plain.spec], "functions": [read([]).spec]}
        model = with_answer(solver.model(plan=answer), "plan", json.dumps(answer), attempt=2)
        with pytest.raises(PlanError, match="to be raised, a class has an exception among its `bases`"):
            solver.solve(model=model)
