"""Suites to render, each with an implementation that is right, and what the tests around them share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest

from tdgen.protocols import Sandbox
from tdgen.pytest_files import node_ids, render_suite
from tdgen.pytest_files.reading import ReadTests, read_tests
from tdgen.sandbox.local import LocalSandbox
from tdgen.specs.declarations import declare_types
from tdgen.types import Case, FileJob, FileReport, FunctionSpec, Parameter, Plan, Returns, SharedType, Suite

collect_ignore_glob = ["golden/*"]
GOLDEN = Path(__file__).parent / "golden"
IS_UPDATE = bool(os.environ.get("TDGEN_UPDATE_GOLDEN"))  # read here: no test sees TDGEN_* variables
SHOP = "import math\nimport re\nimport pytest\nimport shop\nfrom shop import Basket, EmptyBasket, slugify, total\n\n"


@dataclass(frozen=True)
class Scenario:
    """A plan with one function, its suite, and a right implementation."""

    plan: Plan
    suite: Suite
    source: str

    @property
    def spec(self) -> FunctionSpec:
        return self.plan.functions[0]

    @property
    def rendered(self) -> str:
        return render_suite(self.suite, self.spec, self.plan)

    @property
    def file(self) -> str:
        return f"test_{self.spec.name}.py"

    def job(self, source: str | None = None) -> FileJob:
        """The rendered file beside a module, by default the right one."""
        module = declare_types(self.plan) + (self.source if source is None else source)
        return FileJob(files={f"{self.plan.module}.py": module, self.file: self.rendered}, tests=(self.file,))


@pytest.fixture(scope="session")
def scenario() -> Callable[..., Scenario]:
    """A scenario from its function's signature, cases (their function left out) and source."""

    def build(name: str, parameters: dict[str, str], returns: Returns | str, cases: list[dict], **more) -> Scenario:
        spec = FunctionSpec(
            name=name,
            purpose=more.get("purpose", "Does as its cases say."),
            parameters=tuple(
                Parameter(name=p, type=t.partition(" = ")[0], default=t.partition(" = ")[2] or None)
                for p, t in parameters.items()
            ),
            returns=returns if isinstance(returns, Returns) else Returns(type=returns),
        )
        types: tuple[SharedType, ...] = more.get("types", ())
        packages = more.get("packages", ())
        plan = Plan(module=more.get("module", "solution"), functions=(spec,), types=types, packages=packages)
        suite = Suite(function=name, cases=tuple(Case(function=name, **case) for case in cases))
        return Scenario(plan, suite, more.get("source", ""))

    return build


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """The local sandbox, warm for the whole session."""
    place = LocalSandbox()
    yield place
    place.close()


@pytest.fixture
def run(sandbox) -> Callable[..., FileReport]:
    """Runs a scenario's rendered file beside an implementation, by default the right one."""
    return lambda made, source=None: sandbox.run_files(made.job(source))


@pytest.fixture
def passes(run) -> Callable[[Scenario], bool]:
    """Whether a scenario's file passes on its implementation, under the ids foretold, without a warning."""

    def check(made: Scenario) -> bool:
        report = run(made)
        assert report.passed, report.log
        assert set(report.outcomes) == set(node_ids(made.suite, made.spec, made.plan).values())
        return "warning" not in report.log

    return check


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compares a text with a golden file; with TDGEN_UPDATE_GOLDEN=1 it writes the file instead: then read the diff."""

    def check(name: str, text: str) -> None:
        path = GOLDEN / f"{name}.py"
        if IS_UPDATE:
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return check


@pytest.fixture
def read() -> Callable[[str], ReadTests]:
    """Reads a test file on functions of the module `shop`, its imports put above it."""
    return lambda body: read_tests(SHOP + dedent(body))


@pytest.fixture
def one_case(read) -> Callable[[str], Case]:
    """Reads a file that states one case."""

    def only(body: str) -> Case:
        found = read(body)
        assert found.unread == ()
        assert len(found.cases) == 1
        return found.cases[0]

    return only


@pytest.fixture
def said(read) -> Callable[[str], list[tuple[str, str, str]]]:
    """Reads a file, and tells each case by its setup, its call and what it expects in short."""

    def tell(body: str) -> list[tuple[str, str, str]]:
        cases = read(body).cases
        return [(c.setup, c.expression, getattr(c.expectation, "source", "")) for c in cases]

    return tell
