"""The problems that the simulated model knows: HumanEval's, with the calls that each one's own test makes.

Tests come as programs, so they are run once on the reference, in the sandbox, and the calls that they make are
recorded with what the reference gave. Of the distinct calls, in their order, **every second one (the first, the
third, …) is the share of the simulated tester**, at most `MOST_SEEN` of them at once; all the others are
**hidden**: no prompt and no answer of the tester holds them. Both together are what a solution is measured by. The
examples (`>>>`) of a problem's own text that its reference bears out are the user's; one that it contradicts is an
open question of the plan.
"""

from __future__ import annotations

import ast
import gzip
import inspect
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tdgen.errors import InputError
from tdgen.protocols import Sandbox
from tdgen.types import Case, FunctionSpec, Job, Limits, Parameter, Probe, Returns, Tolerance, Value, World
from tdgen.values.decode import decode

FILE = "HumanEval.jsonl.gz"
MOST_CALLS = 40
MOST_SEEN = 8
LONGEST = 400  # characters of one value: nobody writes longer ones into a case
_LIMITS = Limits(wall_s=20.0, cpu_s=20.0, memory_mb=1024)
_EXAMPLE = re.compile(r"^[ \t]*>>> (?P<call>.+)\n(?P<value>[^\n]*)\n?", re.MULTILINE)
_RECORDER = """
def _recorded(function, check, most):
    seen, kept = [], set()
    def recorder(*arguments):
        sources = [repr(argument) for argument in arguments]
        result = function(*arguments)
        if str(sources) not in kept and len(seen) < most:
            kept.add(str(sources))
            seen.append([sources, repr(result)])
        return result
    check(recorder)
    return seen
"""


class Called(NamedTuple):
    """One call as sources: its arguments, and what the reference gave."""

    arguments: tuple[str, ...]
    result: str


class Shown(NamedTuple):
    """An example in the problem's text: the call, the value that the text gives, the words themselves."""

    call: str
    value: str
    quote: str


class Problem(NamedTuple):
    """A problem, its reference, and what is known of its tests."""

    name: str
    function: str
    prompt: str
    solution: str
    test: str
    calls: tuple[Called, ...] = ()
    examples: tuple[Shown, ...] = ()
    disputed: tuple[Shown, ...] = ()

    @property
    def reference(self) -> str:
        """The whole right module."""
        return self.prompt + self.solution

    @property
    def instruction(self) -> str:
        """What a user would ask."""
        return f"Complete this Python function:\n\n{self.prompt.strip()}\n"

    @property
    def seen(self) -> tuple[Called, ...]:
        """The tester's share of the calls."""
        return self.calls[::2]

    @property
    def hidden(self) -> tuple[Called, ...]:
        """The share that nobody is shown."""
        return self.calls[1::2]

    @property
    def definition(self) -> ast.FunctionDef:
        """The function's definition in the reference; ValueError where there is none."""
        for node in ast.parse(self.reference).body:
            if isinstance(node, ast.FunctionDef) and node.name == self.function:
                return node
        raise ValueError(f"{self.name} does not define {self.function}")

    @property
    def text(self) -> str:
        """The function's docstring."""
        return inspect.cleandoc(ast.get_docstring(self.definition, clean=False) or "")

    @property
    def prose(self) -> str:
        """The docstring without its examples."""
        return _EXAMPLE.sub("", self.text).strip()

    @property
    def spec(self) -> FunctionSpec:
        """The function's contract."""
        node = self.definition
        return FunctionSpec(
            name=self.function,
            purpose=self.prose or f"What {self.function} says.",
            parameters=tuple(Parameter(name=arg.arg, type=annotation(arg.annotation)) for arg in node.args.args),
            returns=Returns(type=annotation(node.returns)),
        )

    def cases(self) -> tuple[Case, ...]:
        """All recorded calls and the user's examples as cases: what a solution is measured by."""
        calls = [case_of(self, call, f"call_{number}") for number, call in enumerate(self.calls, 1)]
        shown = [told_case(self.function, e.call, e.value, f"example_{n}") for n, e in enumerate(self.examples, 1)]
        return (*calls, *shown)


def annotation(node: ast.expr | None) -> str:
    """An annotation as a plan writes it: built-in generics, `Any` where the problem says nothing."""
    if node is None:
        return "Any"
    names = {"List": "list", "Dict": "dict", "Tuple": "tuple", "Set": "set"}
    tree = ast.parse(ast.unparse(node), mode="eval")
    for found in ast.walk(tree):
        if isinstance(found, ast.Name):
            found.id = names.get(found.id, found.id)
    return ast.unparse(tree)


def case_of(problem: Problem, call: Called, name: str) -> Case:
    """A recorded call as a case; floats may be off by a millionth, as an alternative way to compute them may be."""
    return Case(
        name=name,
        function=problem.function,
        arguments=call.arguments,
        expectation=Value(source=call.result, tolerance=Tolerance(rel=1e-6)),
    )


def told_case(function: str, call: str, value: str, name: str) -> Case:
    """A case from a call and its value as sources."""
    expectation = Value(source=value, tolerance=Tolerance(rel=1e-6))
    return Case(name=name, function=function, call=call, expectation=expectation)


def data_path(given: str = "", file: str = FILE) -> Path:
    """Where the data set is: the file, or the folder that holds it, given or named by BENCHMARK_DATA.

    InputError where there is none.
    """
    named = given or os.environ.get("BENCHMARK_DATA", "")
    path = Path(named) / file if named and Path(named).is_dir() else Path(named)
    if not named or not path.is_file():
        where = f"{path} is not there" if named else "no data set is given"
        raise InputError(f"{where}: name {file} or its folder by --data or BENCHMARK_DATA")
    return path


def load(path: Path, sandbox: Sandbox, most: int | None = None) -> list[Problem]:
    """The first `most` problems of the file, with their calls recorded in `sandbox`."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines][:most]
        plain = [_problem(row) for row in rows]
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path} can't be read as HumanEval's problems: {error!r}") from None
    return [recorded(problem, sandbox) for problem in plain]


def recorded(problem: Problem, sandbox: Sandbox) -> Problem:
    """The problem with the calls of its test, and with its examples parted by what the reference makes of them."""
    shown = list(_shown(problem))
    world = World(seed=20)
    probes = [
        Probe(
            name="calls",
            setup=f"{problem.test}\n{_RECORDER}",
            call=f"_recorded({problem.function}, check, {MOST_CALLS})",
            world=world,
        ),
        *(Probe(name=f"example {n}", call=f"repr({example.call})") for n, example in enumerate(shown)),
    ]
    job = Job(module="reference", source=problem.reference, probes=tuple(probes), limits=_LIMITS)
    first, *others = sandbox.run(job).observations
    if first.status != "returned":
        raise InputError(f"{problem.name}: its test can't be run on its reference: {first.status} {first.detail}")
    calls = [Called(tuple(arguments), result) for arguments, result in decode(first.value)]
    results = [decode(seen.value) if seen.status == "returned" else None for seen in others]
    borne_out = [_same(result, example.value) for result, example in zip(results, shown, strict=True)]
    return problem._replace(
        calls=tuple(call for call in calls if _is_plain(call)),
        examples=tuple(e for e, right in zip(shown, borne_out, strict=True) if right),
        disputed=tuple(e for e, right in zip(shown, borne_out, strict=True) if not right),
    )


def by_text(problems: Iterable[Problem], text: str) -> Problem | None:
    """The problem that a text speaks of: the one of which it says the name, and the most words of the prose."""
    there = folded(text)
    named = [
        problem
        for problem in problems
        if f"{problem.function}(" in text and (folded(problem.prose) in there or folded(problem.prompt) in there)
    ]
    return max(named, key=lambda problem: len(problem.prose), default=None)


def folded(text: str) -> str:
    """The text with every run of white space as one blank."""
    return " ".join(text.split())


def _problem(row: Mapping[str, str]) -> Problem:
    made = Problem(row["task_id"], row["entry_point"], row["prompt"], row["canonical_solution"], row["test"])
    made.definition  # a ValueError now is better than one in the middle of a run
    return made


def _shown(problem: Problem) -> Iterable[Shown]:
    """The examples of the docstring that are a call and a literal value."""
    there = folded(problem.prompt)
    for found in _EXAMPLE.finditer(problem.text):
        call, value = found["call"].partition(" #")[0].strip(), found["value"].strip()
        quote = folded(found.group())
        if is_literal(value) and _calls(call, problem.function) and quote in there:
            yield Shown(call, value, quote)


def _calls(source: str, function: str) -> bool:
    try:
        nodes = ast.walk(ast.parse(source, mode="eval"))
    except SyntaxError:
        return False
    return any(isinstance(node, ast.Name) and node.id == function for node in nodes)


def is_literal(source: str) -> bool:
    """Whether the source spells a value out."""
    try:
        ast.literal_eval(source)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _same(result: object, value: str) -> bool:
    return isinstance(result, str) and is_literal(result) and ast.literal_eval(result) == ast.literal_eval(value)


def _is_plain(call: Called) -> bool:
    sources: Sequence[str] = [*call.arguments, call.result]
    return all(len(source) <= LONGEST and is_literal(source) for source in sources)
