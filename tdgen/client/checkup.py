"""Before a solve: could it run here, and what would it cost? Nothing is asked of a model for either.

Calls are counted as they come when every first attempt is right: one for the plan, two a function, and the second
readings that the trust level asks for. Prompts are the real ones, rendered for the instruction (or for its plan, where
that is there) and measured. Answers are guessed: about as long as those of models that do not think aloud. Money is
told where the models' list prices are known.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from functools import partial
from typing import Final

from tdgen.errors import InputError, TdgenError
from tdgen.impl import DeveloperContext, implement
from tdgen.impl.reading import read_again
from tdgen.models import Prices, prices_of, unpriced
from tdgen.models.account import estimated_usage
from tdgen.prompts.context import PromptContext
from tdgen.protocols import Answer, Model, Request, Sandbox
from tdgen.runtime import Runtime
from tdgen.sandbox.docker import DockerSandbox
from tdgen.sandboxes import Wants, open_sandbox
from tdgen.settings import SandboxKind, Settings
from tdgen.specs.declarations import declare_types
from tdgen.specs.planner import Rules, make_plan
from tdgen.testgen.author import write_cases
from tdgen.testgen.pinned import pinned_of
from tdgen.types import (
    Case,
    Frozen,
    FunctionSpec,
    Instruction,
    Layer,
    Parameter,
    Plan,
    Returns,
    Suite,
    Target,
    Usage,
    Value,
)

KINDS: Final[tuple[SandboxKind, ...]] = ("local", "docker")
_GVISOR: Final = "runsc"


class Finding(Frozen):
    """One thing that was tried: whether it works, what was seen, and of a sandbox its layers."""

    what: str
    works: bool
    told: str
    needed: bool = True
    layers: tuple[Layer, ...] = ()


class Checkup(Frozen):
    """All that was found; what is not `needed` may fail and a solve still runs."""

    findings: tuple[Finding, ...]

    @property
    def ready(self) -> bool:
        """Whether a solve could run."""
        return all(finding.works for finding in self.findings if finding.needed)


class Shortfall(Frozen):
    """One program of the conformance suite that did not fare as it should, and what was seen."""

    program: str
    why: str


class Conformance(Frozen):
    """What came of the conformance suite on one sandbox: how many programs were tried, and which went wrong."""

    sandbox: str
    hostile: int
    awkward: int
    uncontained: tuple[Shortfall, ...]
    failing: tuple[Shortfall, ...]
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether every hostile program is contained and every awkward one passes."""
        return not self.uncontained and not self.failing


def check_sandbox(settings: Settings) -> Conformance:
    """Run the conformance suite on the sandbox that a solve would take; some ten seconds.

    SandboxError where there is none; InputError for the unsafe one, which would let the hostile programs loose.
    """
    from tdgen.sandbox.conformance import check
    from tdgen.sandbox.programs import awkward, hostile, hostile_classes

    if settings.sandbox == "unsafe":
        raise InputError("--sandbox unsafe confines nothing, and hostile programs would do harm: check another kind")
    began = time.monotonic()
    with closing(_open(settings.sandbox, settings)) as sandbox:
        described = sandbox.describe()
        wrong = [result for result in check(sandbox) if not result.held]
    correct = {program.name for program in awkward()}
    shortfalls = [(Shortfall(program=result.program, why=result.why), result.program in correct) for result in wrong]
    return Conformance(
        sandbox=described,
        hostile=len(hostile()) + len(hostile_classes()),
        awkward=len(correct),
        uncontained=tuple(shortfall for shortfall, is_correct in shortfalls if not is_correct),
        failing=tuple(shortfall for shortfall, is_correct in shortfalls if is_correct),
        seconds=time.monotonic() - began,
    )


def examine(settings: Settings) -> Checkup:
    """Try everything that a solve with these settings needs. What fails is a finding, never an error."""
    sandboxes = [_sandbox(kind, settings) for kind in KINDS]
    shared = [_team(settings)] if settings.store.get_secret_value() else []
    return Checkup(findings=(_model(settings), _chosen(settings), *sandboxes, _cache(settings), *shared))


def _model(settings: Settings) -> Finding:
    from tdgen.models import ScriptedModel
    from tdgen.models.openai import probe

    try:
        if settings.script:
            ScriptedModel.load(settings.script)
            return Finding(what="model", works=True, told=f"recorded answers in {settings.script}")
        models = probe(settings)
    except TdgenError as error:
        return Finding(what="model", works=False, told=str(error))
    where = settings.base_url or "OpenAI"
    if models and settings.model not in models:
        some = ", ".join(models[:5]) + (", …" if len(models) > 5 else "")
        text = f"{where} answers, but {settings.model} is not among its models ({some}): is --model right?"
        return Finding(what="model", works=True, told=text)
    return Finding(what="model", works=True, told=f"{where} answers, and has {settings.model}")


def _open(kind: SandboxKind, settings: Settings) -> Sandbox:
    return open_sandbox(kind, Wants(settings.python, runtime=settings.docker_runtime))


def _chosen(settings: Settings) -> Finding:
    """The sandbox that a solve would take."""
    what = f"sandbox {settings.sandbox}"
    try:
        with closing(_open(settings.sandbox, settings)) as sandbox:
            return Finding(what=what, works=True, told=f"takes {sandbox.describe().partition(':')[0]}")
    except TdgenError as error:
        return Finding(what=what, works=False, told=str(error))


def _sandbox(kind: SandboxKind, settings: Settings) -> Finding:
    """One kind of sandbox, and what it enforces."""
    what = f"  {kind}"
    try:
        with closing(_open(kind, settings)) as sandbox:
            layers = sandbox.layers()
            by = runtimes(sandbox) if isinstance(sandbox, DockerSandbox) else ""
            text = f"this is what it enforces here{by}:"
            return Finding(what=what, works=True, needed=False, told=text, layers=layers)
    except TdgenError as error:
        return Finding(what=what, works=False, needed=False, told=str(error))


def runtimes(sandbox: DockerSandbox) -> str:
    """Which runtime is in force, and whether gVisor's is there to choose."""
    there = [name for name in sandbox.runtimes if name == _GVISOR]
    if sandbox.runtime == _GVISOR:
        return f" with the runtime {_GVISOR}"
    advice = f"{_GVISOR} is there: --docker-runtime {_GVISOR}" if there else f"{_GVISOR} is not installed"
    return f" with the runtime {sandbox.runtime} ({advice})"


def _cache(settings: Settings) -> Finding:
    runtime = Runtime(settings)
    try:
        store = runtime.local_store
        store.put("checkup", "")
        store.delete("checkup")
        damaged = store.verify()
        kept = len(list(store.keys("solution/")))
    except TdgenError as error:
        return Finding(what="cache", works=False, told=str(error))
    finally:
        runtime.close()
    text = f"{runtime.folder}: {kept} solution{'s' * (kept != 1)}"
    if damaged:
        text += f"; damaged entries, which are not used: {len(damaged)}; `tdgen cache clear --all` makes a new one"
    return Finding(what="cache", works=True, told=text)


def _team(settings: Settings) -> Finding:
    """The store that a team shares, which a solve does without where it fails."""
    runtime = Runtime(settings)
    try:
        shared = runtime.shared_store
        notes = shared.team.check() if shared else []
        where = shared.team.address if shared else ""
    except TdgenError as error:
        return Finding(what="team's store", works=False, told=str(error))
    finally:
        runtime.close()
    signed = "signed" if settings.store_key.get_secret_value() else "not signed: set TDGEN_STORE_KEY"
    text = notes[0] if notes else f"{where} answers; entries are {signed}"
    return Finding(what="team's store", works=not notes, needed=False, told=text)


SIZES: Final = (1, 3, 5)
"""How many functions are reckoned with where there is no plan yet."""

PLAN_ANSWER: Final = 150
FUNCTION_IN_PLAN: Final = 220
CASES_ANSWER: Final = 900
CODE_ANSWER: Final = 350
SHOWN_CASES: Final = 5


class Estimate(Frozen):
    """The model calls, the tokens and the dollars for so many functions, every first attempt being right.

    `cost` is None where one of the models has no known price.
    """

    functions: int
    calls: int
    prompt_tokens: int
    answer_tokens: int
    cost: float | None = None

    @property
    def tokens(self) -> int:
        """Tokens in and out together."""
        return self.prompt_tokens + self.answer_tokens


def estimates(asked: Instruction, settings: Settings, *, python: str) -> tuple[Estimate, ...]:
    """One estimate for the plan that came with the instruction, or for as many functions as its target has.

    Where neither is known, one for each of `SIZES`. PlanError where the plan that came can't be used.
    """
    if asked.plan is not None:
        plan = _planned(_Listener(), asked, settings)
        return (_estimate(plan, asked, settings, python, []),)
    planning = _requests_of(lambda model: _planned(model, asked, settings))
    sizes = _sizes(asked.target)
    return tuple(_estimate(_supposed(asked, size), asked, settings, python, planning) for size in sizes)


def _sizes(target: Target | None) -> tuple[int, ...]:
    """How many functions and classes there may be; what is added to a module only a plan can tell."""
    if target is None or target.added_to == "":
        return SIZES
    return (max(1, len(target.units)),)


def _estimate(plan: Plan, asked: Instruction, settings: Settings, python: str, before: list[Request]) -> Estimate:
    """What the plan's functions take, on top of the requests before."""
    given = {suite.function: suite for suite in asked.suites}
    requests = list(before)
    types, pinned = declare_types(plan), pinned_of(plan)

    def context(spec: FunctionSpec) -> PromptContext:
        return PromptContext(spec=spec, plan=plan, instruction=asked.text, types=types, pinned=pinned[spec.name])

    def ask_cases(model: Model, spec: FunctionSpec) -> None:
        beside = settings.policy.properties_with_cases
        write_cases(model, context(spec), evaluate=lambda cases: {}, properties=beside)

    def ask_code(model: Model, spec: FunctionSpec) -> None:
        suite = given.get(spec.name) or Suite(function=spec.name, cases=(*pinned[spec.name], *_supposed_cases(spec)))
        brief = DeveloperContext(**dict(context(spec)), python=python, allowed=frozenset(settings.allow))
        implement(model, brief, suite)

    if any(spec.name not in given for spec in plan.functions):
        again = partial(read_again, instruction=asked.text, plan=plan, types=types, python=python)
        requests += [
            request for n in range(settings.policy.readings) for request in _requests_of(partial(again, sample=n))
        ]
    for spec in plan.functions:
        if spec.name not in given:
            requests += _requests_of(partial(ask_cases, spec=spec))
        if not (asked.target and asked.target.existing):
            requests += _requests_of(partial(ask_code, spec=spec))
    usage = _usage(requests, len(plan.functions), unpriced if settings.script else prices_of(settings))
    return Estimate(
        functions=len(plan.functions),
        calls=usage.calls,
        prompt_tokens=usage.prompt_tokens,
        answer_tokens=usage.completion_tokens,
        cost=None if usage.unpriced else usage.cost,
    )


def _usage(requests: Iterable[Request], functions: int, prices: Prices) -> Usage:
    """What the requests use, where each is answered as it mostly is."""
    answers = {"plan": PLAN_ANSWER + FUNCTION_IN_PLAN * functions, "cases": CASES_ANSWER, "implement": CODE_ANSWER}
    answers["reading"] = CODE_ANSWER * functions
    used = Usage()
    for request in requests:
        prompt, answer = estimated_usage(request, "").prompt_tokens, answers[request.purpose]
        price = prices(request.purpose)
        cost = None if price is None else price.cost(prompt, answer)
        used += Usage(calls=1, prompt_tokens=prompt, completion_tokens=answer, cost=cost)
    return used


def _planned(model: Model, asked: Instruction, settings: Settings) -> Plan:
    # An estimate installs nothing: what the allowed packages are imported as is only known where they are.
    packages = frozenset([*settings.allow, *(asked.plan.packages if asked.plan else ())])
    return make_plan(model, asked, Rules(packages=packages, max_functions=settings.max_functions))


def _supposed(asked: Instruction, size: int) -> Plan:
    """A plan of so many functions whose contracts together say what the instruction says."""
    part = -(-len(asked.text) // size)
    return Plan(
        module="supposed",
        functions=tuple(
            FunctionSpec(
                name=f"function_{number}",
                purpose=asked.text[number * part : (number + 1) * part],
                parameters=(Parameter(name="first", type="list[str]"), Parameter(name="second", type="int")),
                returns=Returns(type="list[str]", description="what the instruction says"),
                dependencies=(f"function_{number - 1}",) if number else (),
                complexity="medium",
            )
            for number in range(size)
        ),
    )


def _supposed_cases(spec: FunctionSpec) -> Iterator[Case]:
    for number in range(SHOWN_CASES):
        yield Case(
            name=f"an_ordinary_case_{number}",
            function=spec.name,
            arguments=("['one', 'two']", str(number)),
            expectation=Value(source="['two', 'one']"),
        )


class _WasAsked(Exception):
    """The question was asked, and that was all that was wanted."""


class _Listener:
    """A model that keeps what it is asked, and never answers."""

    def __init__(self) -> None:
        self.requests: list[Request] = []

    def ask(self, request: Request) -> Answer:
        self.requests.append(request)
        raise _WasAsked


def _requests_of(asking: Callable[[Model], object]) -> list[Request]:
    """What is asked of a model, up to the first answer that would be needed."""
    listener = _Listener()
    with suppress(_WasAsked):
        asking(listener)
    return listener.requests
