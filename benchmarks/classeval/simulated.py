"""The simulated model, made to know classes: it answers plans, suites and code from ClassEval's own solutions.

Its rates of faults and its law of repair are those of `simulated` (35 of 100 first answers have a fault; it mends nine
times of ten where the feedback names what is wrong). A fault is put into one method, and is one where a test of
ClassEval's fails by it, be it one that the simulated test author knows or a hidden one. Where it is asked once for the
whole class, without a contract, it answers like a first attempt.
"""

from __future__ import annotations

import ast
import json
import re
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from simulated import law
from simulated.bench import Bench
from simulated.draws import draw, drawn, shuffled
from simulated.faults import RATES
from simulated.planner import case_reply
from simulated.problems import Called
from simulated.prompts import Asked, minimal, read

from classeval.problems import ClassProblem
from classeval.steps import Step, known_steps, values
from tdgen.evaluation.judging import HIDDEN
from tdgen.models.costs import estimated_usage
from tdgen.mutation import mutants
from tdgen.protocols import Answer, Request
from tdgen.specs.reply import ClassReply
from tdgen.testgen.reply import slug
from tdgen.types import Case, ExpectedException, FileJob, FunctionSpec, Limits, Tolerance, Value

FEWEST = 4
"""A class of which fewer tests make a case is left out: the simulated author would have no suite of it."""
MOST_TRIED = 12
_HURRIED = Limits(wall_s=6.0, cpu_s=6.0)
_CALL = re.compile(r"^(\d+)\. `(.+)`(?:\n  after setup: `(.+)`|\n  after setup:\n((?:      .*\n?)+))?", re.MULTILINE)
_TRIED = re.compile(r"^- (?P<name>\w+): `.+`\n(?P<told>(?:  .*\n?)*)", re.MULTILINE)
_SIMPLE = ("return None", "return True", "return 0", "return []", "return ''", "pass")


class KnownClass:
    """What the model knows of a class: the author's share of its tests, its contract, and its right code."""

    def __init__(self, of: ClassProblem, bench: Bench) -> None:
        self.problem = of.problem
        self.function = of.problem.function
        self.imports = of.problem.program.partition("from solution import *")[0].strip()
        self.right = _documented(of.problem.reference)
        tests = of.problem.program.partition("from solution import *")[2]
        self.steps = known_steps(tests, self.imports, of.problem.reference, bench.sandbox)

    @cached_property
    def definition(self) -> ast.ClassDef:
        """The class in its own solution."""
        found = [node for node in ast.parse(self.right).body if isinstance(node, ast.ClassDef)]
        return next(node for node in found if node.name == self.function)

    @cached_property
    def spec(self) -> FunctionSpec:
        """Its contract as the plan has it."""
        return ClassReply.model_validate(self.contract(())).spec({})

    def contract(self, passages: Sequence[int]) -> dict[str, Any]:
        """The class as a planner answers it: its public methods and attributes, the words left to the instruction."""
        methods = [node for node in self.definition.body if isinstance(node, ast.FunctionDef) and _is_public(node.name)]
        init = [node for method in methods if method.name == "__init__" for node in ast.walk(method)]
        stored = [n.attr for n in init if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)]
        taken = {method.name for method in methods}
        attributes = [name for name in dict.fromkeys(stored) if _is_public(name) and name not in taken]
        return {
            "name": self.function,
            "purpose": "What its passages say.",
            "bases": [ast.unparse(base) for base in self.definition.bases],
            "attributes": [{"name": name, "type": "Any"} for name in attributes],
            "methods": [_method(node) for node in methods],
            "sentences": list(passages),
        }

    def cases(self) -> tuple[Case, ...]:
        """The author's share as cases: what the model knows to be right."""
        return tuple(_case(self.function, step) for step in self.steps)


class SimulatedClasses:
    """Answers whatever is asked about the classes it knows. Safe to ask from several threads at once."""

    name = "simulated"

    def __init__(self, classes: Sequence[KnownClass], bench: Bench, seed: int = 0) -> None:
        self._classes = {known.function: known for known in classes}
        self._bench = bench
        self._seed = seed
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, str]] = Counter()
        self._answers: dict[tuple[str, int, str], str] = {}

    def ask(self, request: Request) -> Answer:
        """Answer by the request's purpose; the least that its schema allows for what the model does not know."""
        asked = read(_body(request))
        known = self._known(request, asked.text)
        text = self._said(known, request, asked)
        return Answer(text=text, usage=estimated_usage(request, text), model=self.name)

    def close(self) -> None:
        """Nothing is held open."""

    def _known(self, request: Request, text: str) -> KnownClass:
        named = [request.subject, *re.findall(r"^\s*class (\w+)", text, re.MULTILINE)]
        return next(self._classes[name] for name in named if name in self._classes)

    def _said(self, known: KnownClass, request: Request, asked: Asked) -> str:
        match request.purpose:
            case "plan":
                said: Any = {"module": "solution", "summary": "A class.", "classes": [known.contract(asked.passages)]}
            case "cases":
                said = {"cases": [_case_reply(step, asked.passages) for step in known.steps]}
            case "settle":
                said = {"answers": list(self._settled(known, asked.sections.get("calls", "")))}
            case "trial":
                said = {"rulings": list(_rulings(known, asked.sections.get("cases_in_doubt", "")))}
            case "implement" | "repair" | "reading":
                return f"It does what the contract says.\n\n```python\n{self._code(known, request, asked)}```\n"
            case _:
                said = minimal(asked.schema)
        return json.dumps(said)

    def _settled(self, known: KnownClass, calls: str) -> Iterator[dict[str, Any]]:
        """What the reference gives; where that is no value, the words leave it open."""
        found = _CALL.findall(calls)
        pairs = [("\n".join([one, *(line[6:] for line in many.splitlines())]), call) for _, call, one, many in found]
        given = values(pairs, known.problem.reference, self._bench.sandbox)
        for (number, *_), value in zip(found, given, strict=True):
            expect = "open" if value is None or value[1] else "value"
            source = value[0] if value is not None else ""
            yield {"number": int(number), "expect": expect, "value": source, "name": f"settled_{number}"}

    def _code(self, known: KnownClass, request: Request, asked: Asked) -> str:
        if request.purpose == "reading":
            return self._fresh(known, self._count(known, "reading"), "reading")
        if "contract" not in asked.sections:
            return self._fresh(known, 0)
        if not asked.code:
            return self._fresh(known, self._count(known, "fresh"))
        number = self._count(known, "repair")
        troubles = law.troubles_of(known, asked.code, "", self._bench)
        key = (known.function, self._seed, number)
        if not troubles or (law.is_named(troubles, asked.feedback) and draw("mends", *key) < law.MENDS):
            return known.right
        return self._fresh(known, number, "strays") if draw("strays", *key) < law.STRAYS else asked.code

    def _count(self, known: KnownClass, what: str) -> int:
        with self._lock:
            self._counts[known.function, what] += 1
            return self._counts[known.function, what] - 1

    def _fresh(self, known: KnownClass, number: int, why: str = "fresh") -> str:
        """The answer of that number, drawn from the class's name and the seed; of one that strays always a fault."""
        key = (known.function, number, why)
        with self._lock:
            told = self._answers.get(key)
        if told is None:
            names = list(RATES)
            kind = drawn(RATES, "fault", *key, self._seed)
            if why == "strays":
                kind = names[int(draw("kind", *key, self._seed) * len(names))]
            told = self._with_fault(known, kind, key) if kind else known.right
            with self._lock:
                self._answers[key] = told
        return told

    def _with_fault(self, known: KnownClass, kind: str, key: tuple[object, ...]) -> str:
        for tried in dict.fromkeys((kind, "algorithm")):
            ways = shuffled(list(dict.fromkeys(_faulty(known, tried))), "way", tried, *key, self._seed)
            for source in ways[:MOST_TRIED]:
                if not self._passes(known, source):
                    return source
        return known.right

    def _passes(self, known: KnownClass, source: str) -> bool:
        """Whether code passes the class's own tests, within a time that a fault without end soon uses up."""
        files = {"solution.py": source, HIDDEN: known.problem.program}
        return self._bench.sandbox.run_files(FileJob(files=files, tests=(HIDDEN,), limits=_HURRIED)).passed


def _rulings(known: KnownClass, cases: str) -> Iterator[dict[str, Any]]:
    """What the author knows to be right is upheld, by its letter; of other cases nothing is known."""
    right = {
        slug(step.name): f"raises {step.raises}" if step.raises else f"returns `{step.value}`" for step in known.steps
    }
    quote = known.problem.instruction.strip().splitlines()[0]
    for found in _TRIED.finditer(cases):
        outcomes = re.findall(r"^  ([A-D]): (.+)$", found["told"], re.MULTILINE)
        letters = [letter for letter, told in outcomes if told.startswith(right.get(found["name"], "no such case"))]
        step = next((step for step in known.steps if slug(step.name) == found["name"]), None)
        is_known = bool(letters) and step is not None
        yield {
            "case": found["name"],
            "verdict": letters[0] if is_known else "unsettled",
            "quote": quote if is_known else "",
            "expect": "raises" if is_known and step and step.raises else "value",
            "value": (step.raises or step.value) if is_known and step else "",
        }


def _case(function: str, step: Step) -> Case:
    expected = (
        ExpectedException(type=step.raises) if step.raises else Value(source=step.value, tolerance=Tolerance(rel=1e-6))
    )
    return Case(name=slug(step.name), function=function, setup=step.setup, call=step.call, expectation=expected)


def _case_reply(step: Step, passages: Sequence[int]) -> dict[str, Any]:
    told = case_reply(Called((), step.value), step.name, passages)
    expected = {"expect": "raises", "value": step.raises} if step.raises else {}
    return {**told, "setup": step.setup, "call": step.call, "tolerance": 0 if step.raises else 1e-6, **expected}


def _method(node: ast.FunctionDef) -> dict[str, Any]:
    kinds = {"staticmethod": "static", "classmethod": "class", "property": "property"}
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    kind = next((kinds[name] for name in decorators if name in kinds), "instance")
    returns = ast.unparse(node.returns) if node.returns else "None" if node.name == "__init__" else "Any"
    return {"signature": f"{node.name}({ast.unparse(node.args)}) -> {returns}", "kind": kind}


def _documented(reference: str) -> str:
    """The solution as a developer would hand it in: annotated, each method with a docstring, no comments."""
    tree = ast.parse(reference)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for arg in (*node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg):
                if arg is not None and arg.annotation is None and arg.arg not in ("self", "cls"):
                    arg.annotation = ast.Name("Any", ast.Load())
            node.returns = node.returns or ast.Name("Any" if node.name != "__init__" else "None", ast.Load())
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is None:
            node.body.insert(0, ast.Expr(ast.Constant(f"Do what the contract says of {node.name}.")))
    return f"from typing import Any\n{ast.unparse(ast.fix_missing_locations(tree))}\n"


def _faulty(known: KnownClass, kind: str) -> Iterator[str]:
    """The right code with a fault of the kind in it, every way that there is."""
    lines = known.right.splitlines()
    if kind == "syntax":
        ends = [n for n, line in enumerate(lines) if line.endswith((":", ")", "]"))]
        yield from ("\n".join([*lines[:n], lines[n][:-1], *lines[n + 1 :]]) + "\n" for n in ends)
    elif kind == "import":
        places = [n for n, line in enumerate(lines) if line.startswith("import ")]
        yield from ("\n".join([*lines[:n], *lines[n + 1 :]]) + "\n" for n in places)
        yield from _with_line(known, "copy.deepcopy(0)")
    elif kind == "name":
        names = re.finditer(r"(?<=self\.)\w+", known.right)
        yield from (f"{known.right[: found.end()]}s{known.right[found.end() :]}" for found in names)
    elif kind == "off_by_one":
        yield from (mutant.source for mutant in mutants(known.right, known.function))
    else:
        yield from (source for line in _LINES[kind] for source in _with_line(known, line, whole=kind == "algorithm"))


_LINES: Mapping[str, Sequence[str]] = {
    "algorithm": _SIMPLE,
    "exception": ("int('x' * len(str({0})))", "[0, 1][len(str({0})) % 3]", "{0}.to_value()"),
    "loop": ("rest = len(str({0}))\nwhile rest != 0:\n    rest -= 2", "while {0} is {0}:\n    pass"),
    "forged": (
        "import os\nos._exit(0)",
        "import sys\nsys.exit(0)",
        "class Always:\n    def __eq__(self, other):\n        return True\n    __hash__ = None\nreturn Always()",
    ),
}
"""What is put in front of a method's own lines, or of `algorithm` in their place; `{0}` is a parameter, or `self`."""


def _with_line(known: KnownClass, line: str, *, whole: bool = False) -> Iterator[str]:
    """The right code with a line at the beginning of one of its methods, or as all that it does."""
    for place, node in enumerate(known.definition.body):
        if not isinstance(node, ast.FunctionDef) or node.name == "__init__":
            continue
        tree = ast.parse(known.right)
        of_class = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == known.function)
        method = of_class.body[place]
        assert isinstance(method, ast.FunctionDef)
        names = [arg.arg for arg in method.args.args if arg.arg != "cls"]
        if "{0}" in line and not names:
            continue
        added = ast.parse(line.replace("{0}", names[-1] if names else "")).body
        method.body[1:] = added if whole else [*added, *method.body[1:]]
        yield ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _is_public(name: str) -> bool:
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__"))


def _body(request: Request) -> dict[str, Any]:
    """The request as an endpoint would be sent it."""
    body: dict[str, Any] = {"messages": [{"role": m.role, "content": m.content} for m in request.messages]}
    if request.json_schema is not None:
        schema = {"name": request.schema_name, "schema": request.json_schema}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return body
