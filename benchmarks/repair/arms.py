"""The ways of solving that are set beside each other, all asking one simulated model with one seed.

- **single pass**: the model is asked once for the code, and what it says is taken.
- **k times**: it is asked k times, k so that the tokens are about tdgen's; right where any of the k answers is, as
  if somebody who knows the hidden tests chose among them. So this is the most that asking again can give.
- **raw loop**: the model writes the tests, then the code; while pytest fails, the whole program goes back with
  pytest's whole log, up to `RAW_ROUNDS` times. It has tdgen's sandbox, and a pass is one that tdgen's own run of
  pytest calls a pass: only the feedback differs.
- **tdgen** at a trust level, through its public face, with its default budget.

Each way has an endpoint of its own, so that the n-th answer for a problem is the same for all of them; calls and
tokens are what the endpoint counted. All code is measured alike: judged on all the problem's calls, hidden ones
included.
"""

from __future__ import annotations

import contextlib
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from pydantic import SecretStr
from simulated.bench import Bench
from simulated.endpoint import MODEL, Endpoint
from simulated.mind import SimulatedModel
from simulated.planner import plan_reply
from simulated.problems import Problem

from repair.healing import crash_of
from tdgen.client import Generator
from tdgen.endpoint.openai import OpenAIModel
from tdgen.errors import ReplyError, TdgenError
from tdgen.metrics import Task
from tdgen.protocols import Message, Request
from tdgen.pytest_files import render_suite
from tdgen.replies import find_code
from tdgen.settings import Settings
from tdgen.specs.reply import PlanReply
from tdgen.testgen.reply import CasesReply
from tdgen.types import Case, FileJob, Limits, Plan, Suite, Trust

RAW_ROUNDS = 10
MOST_CRASHES = 4
_ASK_CODE = "Answer with the code of the whole function, in one fenced Python block."
_ASK_TESTS = 'Write test cases for it, as one JSON object {"cases": [...]}, from the text alone.'
_LIMITS = Limits(wall_s=2.0, cpu_s=4.0)
_FILE_LIMITS = Limits(wall_s=5.0, cpu_s=10.0)


class Place(NamedTuple):
    """What every way works with: the problems, where code is judged, and the endpoint that is its own."""

    bench: Bench
    endpoint: Endpoint
    model: OpenAIModel
    settings: Settings


class Ending(NamedTuple):
    """What a way came to on one problem: its final code, and whether it called it done."""

    last: str
    accepted: bool


Way = Callable[[Problem, Place], Ending]


@contextlib.contextmanager
def place(problems: Sequence[Problem], bench: Bench, seed: int, *, trust: Trust = "quick") -> Iterator[Place]:
    """A fresh endpoint with that seed, and a client for it."""
    simulated = SimulatedModel(problems, bench, seed)
    with tempfile.TemporaryDirectory() as folder, Endpoint(simulated.reply) as endpoint:
        settings = Settings(
            base_url=endpoint.url, api_key=SecretStr("none"), model=MODEL, trust=trust, cache_dir=folder, limits=_LIMITS
        )
        model = OpenAIModel(settings)
        try:
            yield Place(bench, endpoint, model, settings)
        finally:
            model.close()


def run(way: Way, problems: Sequence[Problem], here: Place, hash_seed: int = 0) -> list[Task]:
    """Every problem by one way, one after the other."""
    return [_measured(way, problem, here, hash_seed) for problem in problems]


def single_pass(problem: Problem, here: Place) -> Ending:
    """Ask once."""
    code = _code(here, problem, [_user(f"{problem.instruction}\n{_ASK_CODE}")])
    return Ending(code, accepted=True)


def times(k: int) -> Way:
    """Ask k times; whoever knows the hidden tests takes the best."""

    def ask(problem: Problem, here: Place) -> Ending:
        codes = [single_pass(problem, here).last for _ in range(k)]
        best = min(codes, key=lambda code: failed(here.bench, problem, code))
        return Ending(best, accepted=True)

    return ask


def raw_loop(problem: Problem, here: Place) -> Ending:
    """Tests, code, and pytest's log back until it passes."""
    plan = PlanReply.model_validate(plan_reply(problem)).plan("")
    suite = Suite(function=problem.function, cases=_cases(problem, here))
    tests = render_suite(suite, plan.spec(problem.function), plan)
    code = _code(here, problem, [_user(f"{problem.instruction}\n{_ASK_CODE}")])
    for _ in range(RAW_ROUNDS):
        passed, log = _pytest(here.bench, plan, code, tests)
        if passed:
            return Ending(code, accepted=True)
        told = (
            f"{problem.instruction}\nThis program fails its tests.\n<your_code>\n{code}\n</your_code>\n"
            f"<observed>\n{log}\n</observed>\n{_ASK_CODE}"
        )
        code = _code(here, problem, [_user(told)])
    return Ending(code, accepted=_pytest(here.bench, plan, code, tests)[0])


@contextlib.contextmanager
def tdgen_way(here: Place) -> Iterator[Way]:
    """Tdgen with the place's settings."""
    with Generator(here.settings) as generator:
        crashed: list[str] = []

        def solve(problem: Problem, here: Place) -> Ending:
            del here
            try:
                solution = generator.solve(problem.instruction)
            except Exception as error:  # whatever it is, the others still count
                crashed.append(problem.name)
                if len(crashed) > MOST_CRASHES and not isinstance(error, TdgenError):
                    raise
                print(f"  {problem.name}: {crash_of(error)}")
                return Ending("", accepted=False)
            result = solution.results[0]
            return Ending(result.best.source if result.best else "", solution.all_tests_passed)

        yield solve


def failed(bench: Bench, problem: Problem, code: str) -> int:
    """How many of the problem's tests a code fails."""
    verdicts = bench.on_problem(problem, code) if code.strip() else ()
    return len(problem.cases()) - sum(verdict.passed for verdict in verdicts)


def _measured(way: Way, problem: Problem, here: Place, hash_seed: int) -> Task:
    before, began = len(here.endpoint.asked), time.perf_counter()
    ending = way(problem, here)
    seconds = time.perf_counter() - began
    paid = here.endpoint.asked[before:]
    codes = [exchange.text for exchange in paid if exchange.stage == "code"]
    last = failed(here.bench, problem, ending.last)
    if not last and hash_seed and not _runs_alike(here.bench, problem, ending.last, hash_seed):
        last = 1
    return Task(
        name=problem.name,
        tests=len(problem.cases()),
        first_failed=failed(here.bench, problem, _read(codes[0]) if codes else ""),
        last_failed=last,
        repairs=max(0, len(codes) - 1),
        accepted=ending.accepted,
        calls=len(paid),
        tokens=sum(exchange.prompt_tokens + exchange.completion_tokens for exchange in paid),
        seconds=max(0.0, seconds - sum(exchange.seconds for exchange in paid)),
    )


def _runs_alike(bench: Bench, problem: Problem, code: str, hash_seed: int) -> bool:
    """Whether the code passes all its tests as a pytest file under that PYTHONHASHSEED too."""
    plan = PlanReply.model_validate(plan_reply(problem)).plan("")
    tests = render_suite(Suite(function=problem.function, cases=problem.cases()), plan.spec(problem.function), plan)
    return _pytest(bench, plan, code, tests, hash_seed)[0]


def _pytest(bench: Bench, plan: Plan, code: str, tests: str, hash_seed: int = 0) -> tuple[bool, str]:
    files = {f"{plan.module}.py": code, "test_it.py": tests}
    report = bench.sandbox.run_files(
        FileJob(files=files, tests=("test_it.py",), limits=_FILE_LIMITS, hash_seed=hash_seed)
    )
    log = report.log if report.complete else f"{report.log}\npytest did not end within {_FILE_LIMITS.wall_s:g} seconds"
    return report.passed, log


def _cases(problem: Problem, here: Place) -> tuple[Case, ...]:
    """The tests that the model writes, with the user's examples before them."""
    request = Request(
        purpose="cases",
        messages=(_user(f"{problem.instruction}\n{_ASK_TESTS}"),),
        schema_name="cases",
        json_schema={"type": "object"},
    )
    written = CasesReply.model_validate(json.loads(here.model.ask(request).text))
    cases = tuple(case.case(problem.function) for case in written.cases)
    return (*(case for case in problem.cases() if case.call), *cases)


def _code(here: Place, problem: Problem, messages: Sequence[Message]) -> str:
    request = Request(purpose="implement", subject=problem.function, messages=tuple(messages))
    return _read(here.model.ask(request).text)


def _read(answer: str) -> str:
    """The code in an answer; none where it holds none."""
    try:
        return find_code(answer)
    except ReplyError:
        return ""


def _user(text: str) -> Message:
    return Message(role="user", content=text)
