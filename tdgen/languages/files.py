"""What is alike in the files that back ends write: summary and code of a module, tests of what a language can say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources

from tdgen.languages.shapes import Unsupported
from tdgen.types import Case, Plan, Suite


class Unsayable(ValueError):
    """A case, or source in Python, that the language can't say alone."""


@cache
def text_of(package: str, name: str) -> str:
    """The text of a file that a package has beside its modules."""
    return resources.files(package).joinpath(name).read_text(encoding="utf-8")


def summary(plan: Plan) -> str:
    """What a module is for, in a line that a comment can hold."""
    return " ".join((plan.summary or plan.module).split()).replace("*/", "")


def code_of(sources: Mapping[str, str]) -> str:
    """The code of all functions, in order."""
    return "\n\n".join(source.strip("\n") for source in sources.values())


def must_be_plain(case: Case, plan: Plan) -> None:
    """Unsayable where a case has a world, or looks at streams, files, log records, or at a result in any order."""
    effects = case.effects
    if effects.stdout is not None or effects.stderr is not None or effects.files or effects.logs is not None:
        raise Unsayable(case.name)
    if case.world != type(case.world)() or plan.spec(case.function).returns.unordered:
        raise Unsayable(case.name)


def tests_of(suites: Sequence[Suite], test: Callable[[Case], str]) -> tuple[list[str], int]:
    """The cases as tests, by `test`, and how many there are that can't be said."""
    tests, left = list[str](), 0
    for suite in suites:
        for case in suite.cases:
            try:
                tests.append(test(case))
            except (Unsayable, Unsupported):
                left += 1
    return tests, left
