"""The tasks under `benchmarks/languages`, one TOML file each (see the README there)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from tdgen.errors import InputError
from tdgen.evaluation import Problem
from tdgen.languages.c import C
from tdgen.languages.cpp import Cpp
from tdgen.languages.javascript import JavaScript
from tdgen.languages.typescript import TypeScript
from tdgen.types import Frozen, FunctionSpec, Parameter, Plan, Returns
from tdgen.types.plan import Raises

FOLDER = Path(__file__).parents[1] / "languages"
Name = Literal["javascript", "typescript", "c", "cpp"]
LANGUAGES: dict[Name, type[JavaScript | C | Cpp]] = {
    "javascript": JavaScript,
    "typescript": TypeScript,
    "c": C,
    "cpp": Cpp,
}


SHARED: dict[Name, Name] = {"typescript": "javascript", "cpp": "c"}
"""Whose code a language takes where a task has none of its own: TypeScript's is JavaScript's under a typed head."""
_TYPE = re.compile(r"/\*([:<][^*]+)\*/")
"""What of such code is TypeScript's alone."""


class Code(Frozen):
    """A reference, `$head` in place of its function's head, and edits (a text, what takes its place) that break it."""

    reference: str
    faults: tuple[tuple[str, str], tuple[str, str]]


class Task(Frozen):
    """One task: what is asked, its contract, hidden cases (a call, what it must do, the languages of that case)."""

    name: str
    instruction: str
    traps: tuple[str, ...] = ()
    live: bool = False
    parameters: tuple[str, ...]
    returns: str
    raises: tuple[str, ...] = ()
    cases: tuple[tuple[str, str] | tuple[str, str, str], ...] = Field(min_length=10)
    code: dict[Name, Code] = Field(default_factory=dict)

    @property
    def plan(self) -> Plan:
        """The contract as a plan of one function."""
        spec = FunctionSpec(
            name=self.name,
            purpose=self.instruction.strip(),
            parameters=tuple(Parameter(name=name, type=kind) for name, kind in self._parameters()),
            returns=Returns(type=self.returns),
            raises=tuple(Raises(type=one, when="as the words say") for one in self.raises),
        )
        return Plan(module=f"{self.name}_module", functions=(spec,))

    def problem(self, language: Name) -> Problem:
        """The task as a problem of a data set, with the cases that the language can have."""
        return Problem(
            id=self.name,
            instruction=self.instruction.strip() + "\n",
            function=self.name,
            cases=tuple(
                (case[0], case[1]) for case in self.cases if language in " ".join(case[2:] or LANGUAGES).split()
            ),
        )

    def source(self, language: Name, fault: int = 0) -> str:
        """The reference in a language, or with its first or second fault; InputError where it is not to be had."""
        code = self.code.get(language) or self.code.get(SHARED.get(language, language))
        if code is None:
            raise InputError(f"the task {self.name} has no code in {language}")
        source = code.reference
        if fault:
            old, new = code.faults[fault - 1]
            if old not in source:
                raise InputError(f"the task {self.name} has no {old!r} in its reference in {language}")
            source = source.replace(old, new, 1)
        source = _TYPE.sub(r"\1" if language == "typescript" else "", source)
        return source.strip("\n").replace("$head", self._head(language)) + "\n"

    def module(self, language: Name, source: str) -> str:
        """The Python module that stands for a source in the sandbox."""
        return LANGUAGES[language]().module(self.plan, {self.name: source}, "")

    def _head(self, language: Name) -> str:
        back_end, plan = LANGUAGES[language](), self.plan
        if isinstance(back_end, JavaScript) and not isinstance(back_end, TypeScript):
            return f"function {self.name}({', '.join(name for name, _ in self._parameters())})"
        return back_end.head(plan.functions[0], plan)

    def _parameters(self) -> list[tuple[str, str]]:
        parts = [one.partition(": ") for one in self.parameters]
        return [(name, kind) for name, _, kind in parts]


def read_tasks(folder: Path = FOLDER) -> tuple[Task, ...]:
    """The folder's tasks by name; InputError, with the file's name, for what is wrong with one."""
    return tuple(_task(path) for path in sorted(folder.glob("*.toml")))


def _task(path: Path) -> Task:
    try:
        with path.open("rb") as file:
            return Task(name=path.stem, **tomllib.load(file))
    except (tomllib.TOMLDecodeError, ValidationError, TypeError) as error:
        raise InputError(f"the task {path.name} can't be used: {str(error).splitlines()[0]}") from None
