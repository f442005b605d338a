"""What a class costs beside functions that do the same: seconds a case, and tokens of the plan and of all prompts.

Eight jobs on a shelf of goods, once as the methods of a class and once as functions over a dict, with the same words,
the same bodies and two cases for each job; of a class every second case is a sequence of three calls. The model knows
all answers, so nothing is asked twice. All cases of either are run in one job, the two in turn, so that a busy machine
is as busy for both.
"""

from __future__ import annotations

import ast
import json
import statistics
import tempfile
from collections.abc import Callable
from typing import Any, NamedTuple

from tables import table, timed

from tdgen.client import Generator
from tdgen.judge import Oracle, candidate_probe
from tdgen.models.costs import estimated_usage
from tdgen.protocols import Answer, Request, Sandbox
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.types import Job

ROUNDS = 15
STARTS = ("{'nuts': 4, 'oats': 2}", "{'oats': 2, 'nuts': 4}")
SEQUENCE = "\nshelf.names()\nshelf.count('rice')"


class Work(NamedTuple):
    """One job: its name, parameters and result, its words, its body over `goods`, and two calls with what they give."""

    name: str
    parameters: str
    returns: str
    words: str
    body: str
    calls: tuple[tuple[str, str], tuple[str, str]]


WORKS = (
    Work(
        *("put", "name: str, pieces: int", "int", "Put so many pieces of a good in, and give how many there are then."),
        *("goods[name] = goods.get(name, 0) + pieces\nreturn goods[name]", (("'nuts', 3", "7"), ("'rice', 2", "2"))),
    ),
    Work(
        *("take", "name: str, pieces: int", "int", "Take at most so many pieces out, and give how many were taken."),
        "taken = min(pieces, goods.get(name, 0))\nif taken:\n    goods[name] -= taken\nreturn taken",
        (("'nuts', 3", "3"), ("'oats', 5", "2")),
    ),
    Work(
        *("count", "name: str", "int", "Give how many pieces of a good there are, 0 of an unknown one."),
        *("return goods.get(name, 0)", (("'nuts'", "4"), ("'rice'", "0"))),
    ),
    Work(
        *("total", "", "int", "Give how many pieces of all goods there are."),
        *("return sum(goods.values())", (("", "6"), ("", "6"))),
    ),
    Work(
        *("names", "", "list[str]", "Give the names of all goods of which there are pieces, sorted."),
        *("return sorted(name for name in goods if goods[name])", (("", "['nuts', 'oats']"), ("", "['nuts', 'oats']"))),
    ),
    Work(
        *("rename", "old: str, new: str", "bool", "Give a good another name, and whether there was such a good."),
        "if old not in goods:\n    return False\ngoods[new] = goods.pop(old)\nreturn True",
        (("'nuts', 'figs'", "True"), ("'rice', 'figs'", "False")),
    ),
    Work(
        *("drop", "name: str", "int", "Take a good out altogether, and give how many pieces of it there were."),
        *("return goods.pop(name, 0)", (("'nuts'", "4"), ("'rice'", "0"))),
    ),
    Work(
        *("scarce", "fewer_than: int", "list[str]", "Give the names of goods with fewer pieces than that, sorted."),
        "return sorted(name for name, pieces in goods.items() if pieces < fewer_than)",
        (("3", "['oats']"), ("9", "['nuts', 'oats']")),
    ),
)


class Author:
    """A model that answers the plan, each unit's suite and each unit's code."""

    name = "author"

    def __init__(self, plan: dict[str, Any], suites: dict[str, list[dict[str, Any]]], codes: dict[str, str]) -> None:
        self._plan = plan
        self._suites = suites
        self._codes = codes

    def ask(self, request: Request) -> Answer:
        """Answer by purpose and subject."""
        match request.purpose:
            case "plan":
                text = json.dumps(self._plan)
            case "cases":
                text = json.dumps({"cases": self._suites[request.subject]})
            case "implement" | "repair":
                text = f"```python\n{self._codes[request.subject]}```"
            case _:
                text = json.dumps({"answers": [], "rulings": [], "properties": []})
        return Answer(text=text, usage=estimated_usage(request, text), model=self.name)

    def close(self) -> None:
        """Nothing is held open."""


def costs(sandbox: Sandbox, oracle: Sandbox) -> None:
    """Print both tables."""
    solved = {"a class": _solved(_as_class()), "functions": _solved(_as_functions())}
    judging = {name: _judging(one, sandbox, oracle) for name, one in solved.items()}
    rounds = [{name: timed(judge) for name, judge in judging.items()} for _ in range(ROUNDS)]
    cases = {name: sum(len(result.suite.cases) for result in one.results) for name, one in solved.items()}
    seconds = {name: statistics.median(one[name] for one in rounds) / cases[name] for name in solved}
    rows: list[tuple[object, ...]] = [
        (
            *(name, len(one.results), cases[name]),
            *(1000 * seconds[name], *_tokens(one)),
        )
        for name, one in solved.items()
    ]
    rows.append(("ratio", *(left / right for left, right in zip(rows[0][1:], rows[1][1:], strict=True))))
    columns = (
        "eight jobs as",
        "units",
        "cases",
        "ms a case",
        "tokens of the plan",
        "of all prompts",
        "of both",
        "calls",
    )
    table("A class beside functions that do the same", columns, rows)


def _as_class() -> Author:
    methods = [{"signature": "__init__(self, goods: dict[str, int]) -> None", "purpose": "It keeps a copy of `goods`."}]
    methods += [{"signature": _signature(work, "self"), "purpose": work.words} for work in WORKS]
    purpose = "A shelf of goods: it keeps how many pieces of each there are, never fewer than none."
    shelf = {"name": "Shelf", "purpose": purpose, "methods": methods}
    cases = [
        _case(f"{work.name}_{n}", f"shelf = Shelf({STARTS[n]})" + SEQUENCE * n, f"shelf.{work.name}({call})", value)
        for work in WORKS
        for n, (call, value) in enumerate(work.calls)
    ]
    plan = {"module": "shelf", "summary": "A shelf.", "classes": [shelf]}
    return Author(plan, {"Shelf": cases}, {"Shelf": _class_code(purpose)})


def _class_code(purpose: str) -> str:
    lines = ["class Shelf:", f'    """{purpose}"""', "", "    def __init__(self, goods: dict[str, int]) -> None:"]
    lines += ['        """Keep a copy of them."""', "        self._goods = dict(goods)"]
    for work in WORKS:
        body = work.body.replace("goods", "self._goods").replace("\n", "\n        ")
        lines += ["", f"    def {_signature(work, 'self')}:", f'        """{work.words}"""', f"        {body}"]
    return "\n".join(lines) + "\n"


def _as_functions() -> Author:
    first = "goods: dict[str, int]"
    functions, suites, codes = [], {}, {}
    for work in WORKS:
        node = ast.parse(f"def {_signature(work, first)}: ...").body[0]
        assert isinstance(node, ast.FunctionDef)
        parameters = [{"name": a.arg, "type": ast.unparse(a.annotation)} for a in node.args.args if a.annotation]
        told = {"name": work.name, "purpose": work.words, "parameters": parameters, "returns": work.returns}
        functions.append(told)
        suites[work.name] = [
            _case(f"{work.name}_{n}", f"goods = {STARTS[n]}", f"{work.name}({_joined('goods', call)})", value)
            for n, (call, value) in enumerate(work.calls)
        ]
        body = work.body.replace("\n", "\n    ")
        codes[work.name] = f'def {_signature(work, first)}:\n    """{work.words}"""\n    {body}\n'
    plan = {"module": "shelf", "summary": "A shelf.", "functions": functions}
    return Author(plan, suites, codes)


def _signature(work: Work, first: str) -> str:
    return f"{work.name}({_joined(first, work.parameters)}) -> {work.returns}"


def _joined(first: str, rest: str) -> str:
    return f"{first}, {rest}" if rest else first


def _case(name: str, setup: str, call: str, value: str) -> dict[str, Any]:
    return {"name": name, "setup": setup, "call": call, "expect": "value", "value": value}


def _solved(author: Author) -> Solution:
    words = "\n".join(f"- `{work.name}({work.parameters})`: {work.words}" for work in WORKS)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(trust="quick", search_seconds=0, cache_dir=folder)
        with Generator(settings, model=author) as generator:
            solution = generator.solve(f"A shelf of goods.\n\n{words}\n")
    assert solution.all_tests_passed, [result.reason for result in solution.results]
    return solution


def _tokens(solution: Solution) -> tuple[int, int, int, int]:
    """Of the plan's answer, of all prompts, of both, and the number of calls."""
    plan = sum(part.usage.completion_tokens for part in solution.spent if part.purpose == "plan")
    prompts = solution.usage.prompt_tokens
    return plan, prompts, plan + prompts, solution.usage.calls


def _judging(solution: Solution, sandbox: Sandbox, apart: Sandbox) -> Callable[[], None]:
    """What runs and judges all cases; done once, so that the first time is not among those that count."""
    suites = {result.function: result.suite.cases for result in solution.results}
    cases = [case for suite in suites.values() for case in suite]
    oracle = Oracle(apart, "shelf", "")
    expected = oracle.expectations(cases)
    job = Job(module="shelf", source=solution.module_source, probes=tuple(map(candidate_probe, cases)))

    def judge() -> None:
        seen = {one.name: one for one in sandbox.run(job).observations}
        for name, suite in suites.items():
            of_suite = [seen[case.name] for case in suite]
            verdicts = oracle.verdicts(solution.plan.spec(name), suite, of_suite, expected)
            assert all(verdict.passed for verdict in verdicts)

    judge()
    return judge
