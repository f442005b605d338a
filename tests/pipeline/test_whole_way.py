"""From prose to green: what each kind of function takes, and how the steps hang together."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from tdgen.errors import InputError
from tdgen.events import FunctionEnded, StageFinished, StageStarted
from tdgen.pipeline import STEPS, Draft, Step, run, with_added
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.packages import Packages
from tests.scripted import Solver


def test_a_function_that_is_right_at_once_takes_three_calls(solver, double):
    """One for the plan, one for the cases, one for the code."""
    solved = solver.solve(double())
    assert solved.solution.all_tests_passed
    assert [request.purpose for request in solved.model.asked] == ["plan", "cases", "implement"]
    assert solved.solution.usage.calls == 3


def test_n_functions_take_one_call_and_two_for_each(solver, write):
    """Nothing is asked again that was right the first time."""
    names = ("one", "two", "three", "four")
    functions = [
        write.function(
            f"{name}(x: int) -> int",
            cases=[write.returns(f"{name}({x})", str(x + n)) for x in range(3)],
            tries=[f"def {name}(x: int) -> int:\n    return x + {n}"],
        )
        for n, name in enumerate(names)
    ]
    solved = solver.solve(*functions)
    assert solved.solution.all_tests_passed
    assert len(solved.model.asked) == 1 + 2 * len(names)


def test_what_comes_out_is_a_module_and_its_tests(solver, double):
    """The code with its docstring, and one pytest file a function."""
    solution = solver.solve(double(), summary="Numbers made larger.").solution
    assert solution.module_source.startswith('"""Numbers made larger."""')
    assert '"""Twice the number."""' in solution.module_source.replace("'''", '"""')
    assert list(solution.test_files) == ["test_double.py"]
    assert "from kit import double" in solution.test_files["test_double.py"]


def test_the_steps_come_in_order_and_are_told(solver, double):
    """Each stage begins, ends, and then the next one begins."""
    solved = solver.solve(double())
    told = [(type(e), e.stage) for e in solved.events if isinstance(e, StageStarted | StageFinished)]
    assert told == [(kind, step.name) for step in STEPS for kind in (StageStarted, StageFinished)]


def test_functions_share_types_and_exceptions(solver, write):
    """A dataclass and an exception of the plan's are there for cases, code and tests alike."""
    types = [
        {
            "name": "Point",
            "kind": "dataclass",
            "fields": [{"name": "x", "type": "int"}, {"name": "y", "type": "int", "default": "0"}],
        },
        {"name": "OffTheMap", "kind": "exception", "base": "ValueError"},
    ]
    shift = write.function(
        "shift(point: Point, by: int) -> Point",
        cases=[
            write.returns("shift(Point(1, 2), 3)", "Point(4, 2)"),
            write.returns("shift(Point(1), -1)", "Point(0)"),
            write.raises("shift(Point(0), -1)", "OffTheMap"),
        ],
        tries=[
            """
            def shift(point: Point, by: int) -> Point:
                if point.x + by < 0:
                    raise OffTheMap(f"{point.x} and {by}")
                return Point(point.x + by, point.y)
            """
        ],
        raises=["OffTheMap"],
    )
    solution = solver.solve(shift, types=types).solution
    assert solution.all_tests_passed
    assert "class Point:" in solution.module_source
    assert "class OffTheMap(ValueError):" in solution.module_source


def test_functions_that_call_each_other_are_built_together(solver, write):
    """Mutual recursion is a group, no error: neither could pass before the other is there."""
    is_even = write.function(
        "is_even(n: int) -> bool",
        cases=[write.returns("is_even(4)", "True"), write.returns("is_even(3)", "False")],
        tries=["def is_even(n: int) -> bool:\n    return n == 0 or is_odd(n - 1)"],
        uses=["is_odd"],
    )
    is_odd = write.function(
        "is_odd(n: int) -> bool",
        cases=[write.returns("is_odd(3)", "True"), write.returns("is_odd(0)", "False")],
        tries=["def is_odd(n: int) -> bool:\n    return n != 0 and is_even(n - 1)"],
        uses=["is_even"],
    )
    solved = solver.solve(is_even, is_odd)
    assert solved.solution.all_tests_passed
    assert len(solved.model.asked) == 5


class Kind(NamedTuple):
    """A function that is not plain: its cases, its code, and what in the code is spoiled so that it must not pass."""

    signature: str
    cases: list[tuple[str, ...]]
    code: str
    spoiled: tuple[str, str]
    more: Mapping[str, Any] = MappingProxyType({})


ODD_KINDS = {
    "a coroutine": Kind(
        "async soon(x: int) -> int",
        [("returns", "asyncio.run(soon(2))", "3"), ("raises", "asyncio.run(soon(-1))", "ValueError")],
        """
        async def soon(x: int) -> int:
            if x < 0:
                raise ValueError(x)
            return x + 1
        """,
        ("raise ValueError(x)", "return 0"),
    ),
    "a generator": Kind(
        "count_up(start: int) -> Iterator[int]",
        [("returns", "list(itertools.islice(count_up(3), 3))", "[3, 4, 5]")],
        """
        from collections.abc import Iterator


        def count_up(start: int) -> Iterator[int]:
            while True:
                yield start
                start += 1
        """,
        ("+= 1", "+= 2"),
    ),
    "a closure": Kind(
        "make_adder(n: int) -> Callable[[int], int]",
        [("returns", "make_adder(3)(4)", "7")],
        """
        from collections.abc import Callable


        def make_adder(n: int) -> Callable[[int], int]:
            return lambda x: x + n
        """,
        ("x + n", "x"),
    ),
    "one that prints": Kind(
        "greet(name: str) -> None",
        [("returns", "greet('Ada')", "None")],
        """
        def greet(name: str) -> None:
            print(f"Hello, {name}!")
        """,
        ("!", "."),
        {"observe": {"stdout": "Hello, Ada!\n"}},
    ),
    "one that reads and writes files": Kind(
        "copy_upper(source: str, target: str) -> int",
        [("returns", "copy_upper('in.txt', 'out.txt')", "3")],
        """
        from pathlib import Path


        def copy_upper(source: str, target: str) -> int:
            return Path(target).write_text(Path(source).read_text().upper())
        """,
        (".upper()", ""),
        {
            "world": {"files": [{"name": "in.txt", "text": "abc"}]},
            "observe": {"files": [{"name": "out.txt", "text": "ABC"}]},
        },
    ),
    "one that changes its argument": Kind(
        "push(items: list[int]) -> None",
        [("returns", "push(items)", "None")],
        """
        def push(items: list[int]) -> None:
            items.append(1)
        """,
        ("1", "2"),
        {"setup": "items = [0]", "observe": {"after": [{"expression": "items", "value": "[0, 1]"}]}},
    ),
    "one with several right answers": Kind(
        "any_divisor(n: int) -> int",
        [("holds", "any_divisor(12)", "1 < result < n and n % result == 0")],
        """
        def any_divisor(n: int) -> int:
            return next(d for d in range(2, n) if n % d == 0)
        """,
        ("== 0", "!= 0"),
    ),
    "one that looks at the clock": Kind(
        "this_year() -> int",
        [("returns", "this_year()", "1999")],
        """
        from datetime import date


        def this_year() -> int:
            return date.today().year
        """,
        ("date.today().year", "2000"),
        {"world": {"clock": "1999-12-31T23:59:59"}},
    ),
}


@pytest.mark.parametrize("kind", ODD_KINDS.values(), ids=ODD_KINDS)
def test_functions_that_are_not_plain_are_tested_as_surely(solver, write, kind):
    """Right code is green, and the same code with one thing spoiled is not."""
    function = write.function(
        kind.signature,
        cases=[getattr(write, form)(call, value, **kind.more) for form, call, value in kind.cases],
        tries=[kind.code.replace(*kind.spoiled), kind.code],
    )
    solved = solver.solve(function)
    assert [attempt.green for attempt in solved[function.name].history] == [False, True]
    assert not any(attempt.findings for attempt in solved[function.name].history)


def test_an_entry_makes_the_module_a_script(solver, write):
    """The exit code is what the entry function returns; importing the module runs nothing."""
    main = write.function(
        "main(argv: list[str]) -> int",
        cases=[
            write.returns("main(['a', 'b'])", "0", observe={"stdout": "a b\n"}),
            write.returns("main([])", "2", observe={"stdout": ""}),
        ],
        tries=[
            """
            def main(argv: list[str]) -> int:
                if not argv:
                    return 2
                print(*argv)
                return 0
            """
        ],
    )
    solution = solver.solve(main, entry_function="main").solution
    assert solution.all_tests_passed
    assert 'if __name__ == "__main__":\n    raise SystemExit(main(sys.argv[1:]))' in solution.module_source


def test_a_run_can_stop_after_a_step(solver, double):
    """So plans and tests can be looked at, edited and handed back."""
    model = solver.model(double())
    draft = solver.generator(model).draft("Double it.", until="red")
    assert [suite.function for suite in draft.suites.values()] == ["double"]
    assert not draft.results
    assert [request.purpose for request in model.asked] == ["plan", "cases"]


def test_a_step_can_be_added_from_outside():
    """It names the step that it comes after."""
    added = Step("measure", lambda tools, draft: draft, after="build")
    names = [step.name for step in with_added(STEPS, [added])]
    assert names[names.index("build") + 1] == "measure"
    assert [name for name in names if name != "measure"] == [step.name for step in STEPS]


def test_a_step_that_comes_after_nothing_is_refused():
    """In one line that names it."""
    with pytest.raises(InputError, match="'measure' wants to come after 'nowhere'"):
        with_added(STEPS, [Step("measure", lambda tools, draft: draft, after="nowhere")])


def test_a_stage_that_comes_too_early_says_so():
    """A draft without a plan is no draft for the later stages."""
    with pytest.raises(RuntimeError, match="must come after the plan stage"):
        _ = Draft(instruction=None).required_plan
    with pytest.raises(RuntimeError, match="must come after the order stage"):
        _ = Draft(instruction=None).required_dependencies


def test_run_takes_the_steps_it_is_given():
    """Each gets what the one before made."""

    class Quiet:
        emit = staticmethod(lambda event: None)

    steps = [Step(name, lambda tools, draft, name=name: [*draft, name]) for name in ("a", "b", "c")]
    assert run(Quiet, [], steps=steps) == ["a", "b", "c"]
    assert run(Quiet, [], steps=steps, until="b") == ["a", "b"]


def test_each_function_ends_once_and_in_order_of_need(solver, write):
    """What is built on comes before what is built upon it."""
    low = write.function(
        "low(x: int) -> int",
        cases=[write.returns("low(1)", "2")],
        tries=["def low(x: int) -> int:\n    return x + 1"],
    )
    high = write.function(
        "high(x: int) -> int",
        cases=[write.returns("high(1)", "4")],
        tries=["def high(x: int) -> int:\n    return 2 * low(x)"],
        uses=["low"],
    )
    solved = solver.solve(high, low)
    assert [event.function for event in solved.happened(FunctionEnded)] == ["low", "high"]
    assert [result.function for result in solved.solution.results] == ["high", "low"]
    assert solved.solution.module_source.index("def low") < solved.solution.module_source.index("def high")


def test_a_function_of_any_type(solver, write):
    """A type variable is declared once, in the module; a developer who declares it again does no harm."""
    first = write.function(
        "first(items: list[T], default: T) -> T",
        cases=[write.returns("first([1, 2], 0)", "1"), write.returns("first([], 'a')", "'a'")],
        tries=[
            "from typing import TypeVar\n\nT = TypeVar('T')\n\n\ndef first(items: list[T], default: T) -> T:\n"
            "    return items[0] if items else default"
        ],
    )
    solved = solver.solve(first)
    assert solved.solution.all_tests_passed
    assert solved.solution.module_source.count('TypeVar("T")') == 1


def test_a_decorator_keeps_the_signature_of_what_it_wraps(solver, write):
    """By a ParamSpec."""
    twice = write.function(
        "twice(function: Callable[P, R]) -> Callable[P, tuple[R, R]]",
        cases=[write.returns("twice(str.upper)('a')", "('A', 'A')"), write.returns("twice(abs)(-1)", "(1, 1)")],
        tries=[
            "def twice(function: Callable[P, R]) -> Callable[P, tuple[R, R]]:\n"
            "    def both(*args: P.args, **kwargs: P.kwargs) -> tuple[R, R]:\n"
            "        return function(*args, **kwargs), function(*args, **kwargs)\n"
            "    return both"
        ],
    )
    solution = solver.solve(twice).solution
    assert solution.all_tests_passed, solution.results[0]
    assert 'P = ParamSpec("P")' in solution.module_source


def test_types_of_a_package_that_is_allowed(write, tmp_path):
    """By their full name, in signature and cases; the import that the developer left out is put in."""
    package = tmp_path / "packages" / "webkit"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("class App:\n    def __init__(self, name):\n        self.name = name\n")
    title = write.function(
        "title(app: webkit.App) -> str",
        cases=[write.returns(f"title(webkit.App('{name}'))", f"'{name.title()}'") for name in ("build", "big build")],
        tries=["def title(app: webkit.App) -> str:\n    return app.name.title()"],
    )
    found = Packages(imports=frozenset({"webkit"}))
    with LocalSandbox(packages=lambda _: str(tmp_path / "packages")) as sandbox:
        solver = Solver(sandbox, sandbox, tmp_path / "cache", found)
        try:
            solution = solver.solve(title, packages=["webkit"]).solution
        finally:
            solver.close()
    assert solution.all_tests_passed, solution.results[0]
    assert "import webkit" in solution.module_source
