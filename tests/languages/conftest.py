"""Solves in other languages: a solver whose candidates may start what that language is run by, or a skip."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from shutil import which

import pytest

from tdgen.errors import ReplyError
from tdgen.judge.compare import outcome
from tdgen.language import Language
from tdgen.languages.c import C
from tdgen.languages.cpp import Cpp
from tdgen.languages.javascript import JavaScript
from tdgen.languages.page import PageScript
from tdgen.languages.typescript import TypeScript
from tdgen.protocols import Sandbox
from tdgen.runtime import Runtime
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.server import Opened
from tdgen.settings import Settings
from tdgen.types import FunctionSpec, Job, Limits, Parameter, Plan, Probe, Raises, Returns
from tests.remembering import Remembering

MEMORY_MB = 2048
"""What jobs have that are to find what waits for them."""


def opened_for(language: Language, limits: Limits = Limits(memory_mb=MEMORY_MB)) -> LocalSandbox:  # noqa: B008 - immutable
    """A sandbox that may start what code in the language is run by; it has ready what takes long within the limits."""
    missing = [program for program in language.programs if which(program) is None]
    if missing:
        pytest.skip(f"{missing[0]} is not here: {language.advice}")
    return LocalSandbox(opened=Opened.to_run(language, limits))


def solving(solver, sandbox: Sandbox, language: str) -> Callable[..., object]:
    """Solves functions whose tries are in the language."""
    solver.sandbox = sandbox

    def solve(*functions, settings=None, **more):
        return solver.solve(*functions, settings={"language": language, **(settings or {})}, **more)

    return solve


def outcomes(sandbox: Sandbox, module: str, calls: Sequence[str], **limits) -> list[str]:
    """What calls on a module come to, each a case of its own."""
    probes = tuple(Probe(name=str(n), call=call) for n, call in enumerate(calls))
    job = Job(module="kit", source=module, probes=probes, limits=Limits(**limits))
    return [outcome(one) for one in sandbox.run(job).observations]


def told_of(language: Language, answer: str, unit: FunctionSpec) -> str:
    """All that is told against an answer as it is read, before anything of it is run."""
    try:
        return "\n".join(language.read(answer, unit, Plan(module="kit", functions=(unit,))).findings)
    except ReplyError as error:
        return str(error)


def value_of(sandbox: LocalSandbox, source: str, call: str, **limits) -> object:
    """The plain data that a call on a module of Python gives."""
    job = Job(module="run", source=source, probes=(Probe(name="run", call=call),), limits=Limits(**limits))
    (seen,) = sandbox.run(job).observations
    assert seen.status == "returned", seen
    return seen.value


TOTAL = FunctionSpec(
    name="total",
    purpose="",
    parameters=(Parameter(name="numbers", type="list[int]"), Parameter(name="start", type="int", default="0")),
    returns=Returns(type="int"),
    raises=(Raises(type="ValueError", when=""),),
)


def total(write, *tries, **more):
    """A function with a default and an exception."""
    cases = [
        write.returns("total([1, 2])", "3"),
        write.returns("total([1, 2], start=4)", "7"),
        write.returns("total([-5])", "-5"),
        write.raises("total([])", "ValueError"),
    ]
    told = {"cases": cases, "tries": tries, "raises": ["ValueError"]} | more
    return write.function("total(numbers: list[int], start: int = 0) -> int", **told)


@pytest.fixture(scope="session")
def node_sandbox() -> Iterator[LocalSandbox]:
    with opened_for(JavaScript()) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def typed_sandbox() -> Iterator[LocalSandbox]:
    with opened_for(TypeScript()) as sandbox:
        yield sandbox


@pytest.fixture
def in_typescript(solver, typed_sandbox, reports) -> Callable[..., object]:
    """Solves functions whose tries are TypeScript."""
    return solving(solver, Remembering(typed_sandbox, reports), "typescript")


@pytest.fixture
def ts(write) -> Callable[[str], object]:
    """An answer with TypeScript in a fence."""
    return lambda source: write.said(f"It does as it is told.\n```ts\n{source}\n```")


@pytest.fixture
def in_javascript(solver, node_sandbox, reports) -> Callable[..., object]:
    """Solves functions whose tries are JavaScript."""
    return solving(solver, Remembering(node_sandbox, reports), "javascript")


@pytest.fixture
def js(write) -> Callable[[str], object]:
    """An answer with JavaScript in a fence."""
    return lambda source: write.said(f"It does as it is told.\n```js\n{source}\n```")


@pytest.fixture(scope="session")
def compiling_c() -> Iterator[LocalSandbox]:
    with opened_for(C()) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def gcc_sandbox(compiling_c) -> Sandbox:
    """The same, with its programs kept."""
    return C().keeping(compiling_c)


@pytest.fixture
def in_c(solver, compiling_c, reports) -> Callable[..., object]:
    """Solves functions whose tries are C."""
    return solving(solver, C().keeping(Remembering(compiling_c, reports)), "c")


@pytest.fixture
def c(write) -> Callable[[str], object]:
    """An answer with C in a fence."""
    return lambda source: write.said(f"It does as it is told.\n```c\n{source}\n```")


@pytest.fixture(scope="session")
def compiling_cpp() -> Iterator[LocalSandbox]:
    with opened_for(Cpp()) as sandbox:
        yield sandbox


@pytest.fixture(scope="session")
def gpp_sandbox(compiling_cpp) -> Sandbox:
    """The same, with its programs kept."""
    return Cpp().keeping(compiling_cpp)


@pytest.fixture
def in_cpp(solver, compiling_cpp, reports) -> Callable[..., object]:
    """Solves functions whose tries are C++."""
    return solving(solver, Cpp().keeping(Remembering(compiling_cpp, reports)), "cpp")


@pytest.fixture
def cpp(write) -> Callable[[str], object]:
    """An answer with C++ in a fence."""
    return lambda source: write.said(f"It does as it is told.\n```cpp\n{source}\n```")


@pytest.fixture(scope="session")
def page_sandbox() -> Iterator[LocalSandbox]:
    with opened_for(PageScript(), Runtime.limits(Settings(), PageScript())) as sandbox:
        yield sandbox


@pytest.fixture
def in_page(solver, page_sandbox, reports) -> Callable[..., object]:
    """Solves functions whose tries are JavaScript in a page."""

    def solve(*functions, settings=None, **more):
        solver.sandbox = Remembering(page_sandbox, reports)
        told = {"packages": ["dom"], **more}
        return solver.solve(*functions, settings={"language": "page", **(settings or {})}, **told)

    return solve
