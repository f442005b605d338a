"""A folder of tasks as a data set: instructions as users write them, each with a hidden pytest file.

```
FOLDER/NAME/instruction.md   what is solved
FOLDER/NAME/task.json        {"kind": "plain", "functions": ["f", "g"], "entry": "", "refusal": []}
FOLDER/NAME/hidden_test.py   pytest tests over `import solution`
FOLDER/NAME/reference.py     a module that is right
FOLDER/NAME/faulty_1.py …    modules that are wrong, by which the tests themselves are tried; an evaluation needs none
```

`entry` is the function that runs the module as a program, or empty. An instruction that contradicts itself has in
`refusal` its two places, word for word, and neither tests nor modules.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import Field, ValidationError

from tdgen.errors import InputError
from tdgen.evaluation.judging import HIDDEN
from tdgen.evaluation.problems import Problem
from tdgen.syntax import parse
from tdgen.types import Frozen

ABOUT: Final = "task.json"
PLACES: Final = 2


class Task(NamedTuple):
    """A problem of the folder, and the modules that its hidden tests must turn down."""

    problem: Problem
    faulty: tuple[str, ...]


class _About(Frozen):
    """The content of `task.json`."""

    kind: str = Field(min_length=1)
    functions: tuple[str, ...] = ()
    entry: str = ""
    refusal: tuple[str, ...] = ()


def read_tasks(folder: Path) -> tuple[Task, ...]:
    """The folder's tasks by name; InputError, with the task's name, for what is wrong with one."""
    tasks = tuple(_task(path.parent) for path in sorted(folder.glob(f"*/{ABOUT}")))
    if not tasks:
        raise InputError(f"{folder} holds no task: each is a folder in it with {ABOUT} and instruction.md")
    return tasks


def _task(folder: Path) -> Task:
    about = _about(folder)
    problem = Problem(
        id=folder.name,
        kind=about.kind,
        instruction=_text(folder, "instruction.md"),
        function=next(iter(about.functions), about.entry),
        functions=tuple(dict.fromkeys(filter(None, (*about.functions, about.entry)))),
        refusal=about.refusal,
        program="" if about.refusal else _source(folder, HIDDEN),
        reference="" if about.refusal else _source(folder, "reference.py"),
    )
    for fault in _faults(problem, about.functions):
        raise _wrong(folder, fault)
    return Task(problem, tuple(_text(folder, path.name) for path in sorted(folder.glob("faulty_*.py"))))


def _faults(problem: Problem, named: Iterable[str]) -> list[str]:
    """What is wrong with a task as it stands on disk."""
    faults = [f"the instruction does not name {name}" for name in named if name not in problem.instruction]
    faults += [f"{place!r} is not in the instruction" for place in problem.refusal if place not in problem.instruction]
    if not problem.instruction.strip():
        faults.append("its instruction is empty")
    if not problem.functions:
        faults.append(f"its {ABOUT} names no function")
    if problem.refusal and len(set(problem.refusal)) != PLACES:
        faults.append("a contradiction is between two places")
    return faults


def _about(folder: Path) -> _About:
    try:
        told: Any = json.loads(_text(folder, ABOUT))
        return _About.model_validate(told)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "content"
        raise _wrong(folder, f"the {place} of {ABOUT} can't be used: {first['msg']}") from None
    except (ValueError, RecursionError):
        raise _wrong(folder, f"{ABOUT} is no JSON") from None


def _source(folder: Path, name: str) -> str:
    source = _text(folder, name)
    try:
        parse(source)
    except (SyntaxError, ValueError) as error:
        raise _wrong(folder, f"{name} is no Python: {error}") from None
    return source


def _text(folder: Path, name: str) -> str:
    try:
        return (folder / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise _wrong(folder, f"there is no {name}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise _wrong(folder, f"{name} can't be read: {error}") from None


def _wrong(folder: Path, fault: str) -> InputError:
    return InputError(f"the task {folder.name} can't be used: {fault}")
