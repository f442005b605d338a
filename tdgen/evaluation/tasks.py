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

Data sets from a file that the user has: JSONL, gzipped or not; each row's own fields say of which kind it is.

A folder is read as tasks (see `tasks`).

| kind | its rows have |
| --- | --- |
| HumanEval | task_id, prompt, entry_point, test |
| HumanEval+, MBPP+ (EvalPlus) | task_id, prompt, entry_point, canonical_solution, base_input, plus_input, atol |
| MBPP | task_id, text or prompt, code, test_list |
| QuixBugs | name, docstring, solution, tests |
| your own | id, prompt, entry_point, and tests, or cases, or inputs and reference |

Of your own: `tests` is the source of assert statements over the function, or a list of such lines; `cases` is a list of
pairs of a call and the source of the value it must give, or `raises ValueError`; `inputs` is a list
of argument lists (JSON), `reference` the source of a module that gives what is right for them, and `atol` by how
much a float may be off.
"""

from __future__ import annotations

import ast
import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import Field, ValidationError

from tdgen.errors import InputError
from tdgen.evaluation.judging import HIDDEN, RAISES, Problem, definition
from tdgen.source.syntax import parse, parses, statements_of
from tdgen.source.trees import names_in
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
    tasks = []
    for own in (path.parent for path in sorted(folder.glob(f"*/{ABOUT}"))):
        about = _about(own)
        problem = Problem(
            id=own.name,
            kind=about.kind,
            instruction=_text(own, "instruction.md"),
            function=next(iter(about.functions), about.entry),
            functions=tuple(dict.fromkeys(filter(None, (*about.functions, about.entry)))),
            entry=about.entry,
            refusal=about.refusal,
            program="" if about.refusal else _source(own, HIDDEN),
            reference="" if about.refusal else _source(own, "reference.py"),
        )
        for fault in _faults(problem, about.functions):
            raise _wrong(own, fault)
        tasks.append(Task(problem, tuple(_text(own, path.name) for path in sorted(own.glob("faulty_*.py")))))
    if not tasks:
        raise InputError(f"{folder} holds no task: each is a folder in it with {ABOUT} and instruction.md")
    return tuple(tasks)


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
        about: Any = json.loads(_text(folder, ABOUT))
        return _About.model_validate(about)
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


Row = Mapping[str, Any]
MOST_BYTES: Final = 500_000_000


def read_dataset(path: Path) -> tuple[Problem, ...]:
    """The problems of a file or folder, in their order; InputError, with the line or the task, for what is wrong."""
    if path.is_dir():
        return tuple(task.problem for task in read_tasks(path))
    problems: list[Problem] = []
    known: set[str] = set()
    for number, row in _rows(path):
        problem = _problem(path, number, row)
        if problem.id in known:
            raise InputError(f"line {number} of {path} has the id {problem.id!r} of a line before it")
        known.add(problem.id)
        problems.append(problem)
    if not problems:
        raise InputError(f"{path} holds no problem")
    return tuple(problems)


def _rows(path: Path) -> Iterator[tuple[int, Row]]:
    try:
        with path.open("rb") as raw:
            zipped = raw.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rb") if zipped else path.open("rb") as file:
            left = MOST_BYTES
            for number, line in enumerate(file, start=1):
                left -= len(line)
                if left < 0:
                    raise InputError(f"{path} has more than {MOST_BYTES // 1_000_000} MB: give a part of it")
                if line.strip():
                    yield number, _object(path, number, line)
    except (OSError, EOFError) as error:
        why = "there is no such file" if isinstance(error, FileNotFoundError) else error
        raise InputError(f"{path} can't be read: {why}") from None


def _object(path: Path, number: int, line: bytes) -> Row:
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise InputError(f"line {number} of {path} is no JSON object: a data set is JSONL, one problem a line")
    return row


def _problem(path: Path, number: int, row: Row) -> Problem:
    for fields, read in _KINDS:
        if all(name in row for name in fields):
            try:
                return read(row)
            except (ValidationError, TypeError, ValueError, AttributeError, SyntaxError) as error:
                why = str(error).splitlines()[0]
                raise InputError(f"line {number} of {path} can't be used as a problem: {why}") from None
    raise InputError(
        f"line {number} of {path} has the shape of no data set ({', '.join(list(row)[:6])}): your own have id, prompt, "
        "entry_point, and tests, or cases, or inputs and reference"
    )


_COMPLETE: Final = "Complete this Python function:\n\n{}\n"
"""The instruction of a problem that is told as a function without its body."""


def _described(prose: str, function: str, source: str = "") -> str:
    """The instruction of a problem that is told in prose: its text, the function's name, and its parameters' names."""
    text = prose.strip().strip('"').strip()
    node = definition(source, function) if source else None
    called = f"{function}({ast.unparse(node.args)})" if node is not None else function
    return text + "\n" if called in text else f"{text}\n\nThe function is `{called}`.\n"


def _humaneval(row: Row) -> Problem:
    function, prompt = row["entry_point"], row["prompt"]
    body = statements_of(prompt + "    pass\n")  # its test may need what the prompt defines beside the function
    kept = [node for node in body if not (isinstance(node, ast.FunctionDef) and node.name == function)]
    return Problem(
        id=row["task_id"],
        instruction=_COMPLETE.format(prompt.strip()),
        function=function,
        called="candidate",
        asserts=row["test"],
        helpers="\n".join(ast.unparse(node) for node in kept),
    )


def _evalplus(row: Row) -> Problem:
    function, prompt, solution = row["entry_point"], row["prompt"], row["canonical_solution"]
    is_head = definition(prompt + "    pass\n", function) is not None
    reference = prompt + solution if is_head else solution
    return Problem(
        id=str(row["task_id"]),
        instruction=_COMPLETE.format(prompt.strip()) if is_head else _described(prompt, function, reference),
        function=function,
        inputs=_arguments([*row["base_input"], *row["plus_input"]]),
        reference=reference,
        atol=float(row.get("atol") or 0.0),
    )


def _mbpp(row: Row) -> Problem:
    tests = "\n".join([*(row.get("test_imports") or []), row.get("test_setup_code") or "", *row["test_list"]])
    called = names_in(parse(tests))
    defined = [node.name for node in parse(row["code"]).body if isinstance(node, ast.FunctionDef)]
    function = next((name for name in reversed(defined) if name in called), "")
    if not function:
        raise ValueError("its tests call none of its code's functions")
    prose = row.get("text") or row["prompt"]
    return Problem(
        id=f"MBPP/{row['task_id']}",
        instruction=_described(prose, function, row["code"]),
        function=function,
        called=function,
        asserts=tests,
    )


def _quixbugs(row: Row) -> Problem:
    name = row["name"]
    function = name
    if not definition(row["solution"], name):
        names = [node.name for node in parse(row["solution"]).body if isinstance(node, ast.FunctionDef)]
        if not names:
            raise ValueError("its solution defines no function")
        function = names[0]
    return Problem(
        id=f"QuixBugs/{name}",
        instruction=_described(row["docstring"], function, row["solution"]),
        function=function,
        called=function,
        asserts=row["tests"],
    )


def _own(row: Row) -> Problem:
    function = row["entry_point"]
    instruction = row["prompt"] if function in row["prompt"] else _described(row["prompt"], function)
    if "tests" in row:
        tests = row["tests"] if isinstance(row["tests"], str) else "\n".join(row["tests"])
        return Problem(id=str(row["id"]), instruction=instruction, function=function, called=function, asserts=tests)
    if "cases" in row:
        for call, wanted in row["cases"]:
            if not parses(call) or not parses(wanted.removeprefix(RAISES)):
                raise ValueError(f"its case {call!r} with {wanted!r} is no Python")
        return Problem(id=str(row["id"]), instruction=instruction, function=function, cases=row["cases"])
    return Problem(
        id=str(row["id"]),
        instruction=instruction,
        function=function,
        inputs=_arguments(row["inputs"]),
        reference=row["reference"],
        atol=float(row.get("atol") or 0.0),
    )


_KINDS: Final[tuple[tuple[tuple[str, ...], Callable[[Row], Problem]], ...]] = (
    (("task_id", "prompt", "entry_point", "canonical_solution", "base_input", "plus_input"), _evalplus),
    (("task_id", "prompt", "entry_point", "test"), _humaneval),
    (("task_id", "code", "test_list"), _mbpp),
    (("name", "docstring", "solution", "tests"), _quixbugs),
    (("id", "prompt", "entry_point", "tests"), _own),
    (("id", "prompt", "entry_point", "cases"), _own),
    (("id", "prompt", "entry_point", "inputs", "reference"), _own),
)


def _arguments(inputs: list[Any]) -> tuple[str, ...]:
    """Argument lists as sources."""
    for given in inputs:
        if not isinstance(given, list):
            raise TypeError("each of its inputs must be a list of arguments")
    return tuple(", ".join(map(repr, given)) for given in inputs)
