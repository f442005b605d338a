"""Every kind of sandbox holds the hostile and runs the awkward; each layer holds something that no other does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tdgen.sandbox.conformance import (
    LIMITS,
    PROJECT_MODULE,
    Project,
    Site,
    check,
    project,
    site,
    try_awkward,
    try_class,
    try_hostile,
)
from tdgen.sandbox.docker import DockerSandbox
from tdgen.sandbox.interpreter import Mounted
from tdgen.sandbox.local import LocalSandbox
from tdgen.sandbox.programs import Awkward, Hostile, HostileClass, awkward, hostile, hostile_classes, mounted
from tdgen.sandbox.warm import WarmSandbox

READABLE_PYTHON = "/usr/bin/python3"
PATIENT = LIMITS.model_copy(update={"wall_s": 20.0, "cpu_s": 20.0})
"""For programs that must get through: one that a busy machine makes late would count as held."""
HANGING = LIMITS.model_copy(update={"wall_s": 0.2})
"""For programs that do nothing but hang: they end no other way, however long they are waited for."""


@pytest.fixture(scope="module")
def outside() -> Iterator[Site]:
    """A secret and listeners outside the sandbox."""
    with site() as found:
        yield found


@pytest.mark.parametrize("program", hostile(), ids=lambda program: program.name)
def test_a_sandbox_holds(sandbox: WarmSandbox, outside: Site, program: Hostile) -> None:
    """A hostile program is refused or ended, leaves nothing, and the next job finds all in order."""
    more = {"limits": HANGING} if program.ends == {"timeout"} else {}
    result = try_hostile(sandbox, program, outside, **more)
    assert result.held, result.why


@pytest.fixture(scope="module", params=["local", "docker"])
def in_project(request: pytest.FixtureRequest) -> Iterator[tuple[WarmSandbox, Project]]:
    """A project, and a sandbox of each kind that shows it."""
    request.getfixturevalue(request.param)
    kind: Any = {"local": LocalSandbox, "docker": DockerSandbox}[request.param]
    with project() as found, kind(mounted=Mounted(root=str(found.root), imports=(str(found.root),))) as sandbox:
        yield sandbox, found


@pytest.mark.parametrize("program", mounted(), ids=lambda program: program.name)
def test_a_project_is_held(in_project: tuple[WarmSandbox, Project], program: Hostile) -> None:
    """A hostile module of a user's project changes nothing there, reads nothing beside it, and leaves nothing."""
    sandbox, outside = in_project
    result = try_hostile(sandbox, program, outside, module=PROJECT_MODULE)
    assert result.held, result.why


def test_what_else_holds_in_a_project(in_project: tuple[WarmSandbox, Project], sampled: Callable[[str], None]) -> None:
    """All that is held without one, also where copies are made for each case.

    A class that keeps its state for all cases has none to keep: each case finds the module as it was imported.
    """
    sampled("fork|shell|program|process|signal|thread|traces|descriptor|outside|kernel|case|runs ahead")
    through = [result for result in check(in_project[0]) if not result.held]
    assert not [result for result in through if result.program != "one class for all cases"]


@pytest.mark.parametrize("program", hostile_classes(), ids=lambda program: program.name)
def test_a_class_that_lies_passes_for_nothing(sandbox: WarmSandbox, program: HostileClass) -> None:
    """What it says of its equality, class, hash or items decides nothing, and the next job finds all in order."""
    result = try_class(sandbox, program)
    assert result.held, result.why


@pytest.mark.parametrize("program", awkward(), ids=lambda program: program.name)
def test_a_sandbox_runs(sandbox: WarmSandbox, program: Awkward) -> None:
    """A correct program that needs something unusual gets it."""
    result = try_awkward(sandbox, program)
    assert result.held, result.why


def test_the_docs_say_how_many_programs_there_are() -> None:
    """The figure beside what was measured is the suite's own."""
    told = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert f"The conformance suite's {len(hostile())} hostile and {len(awkward())} awkward programs" in told
    assert f"its {len(hostile_classes())} hostile classes" in told


@pytest.mark.slow  # it opens a sandbox of its own, as the next do
@pytest.mark.parametrize("layer", ["seccomp", "Landlock", "mount namespace", "rlimits"])
def test_a_missing_layer_is_noticed(outside: Site, layer: str) -> None:
    """Without one layer, every program that this layer alone holds gets through: the suite can tell."""
    python = READABLE_PYTHON if layer == "mount namespace" else ""
    with LocalSandbox(python, without=(layer,)) as sandbox:
        needing = [program for program in hostile() if program.needs == layer]
        assert needing
        assert not [program.name for program in needing if try_hostile(sandbox, program, outside, PATIENT).held]


@pytest.mark.parametrize("layer", ["seccomp", "Landlock", "rlimits"])
def test_a_missing_layer_is_noticed_in_a_container_too(docker_client: object, outside: Site, layer: str) -> None:
    """The container holds much of it as well, but each layer of a child's own still holds something alone."""
    with DockerSandbox(without=(layer,)) as sandbox:
        needing = [program for program in hostile() if program.needs == layer]
        assert [program.name for program in needing if not try_hostile(sandbox, program, outside, PATIENT).held]


@pytest.mark.slow
def test_without_a_mount_namespace_landlock_holds_the_files(outside: Site) -> None:
    """Programs that reach for files, and correct ones that copy them, fare the same with Landlock alone."""
    with LocalSandbox(READABLE_PYTHON, without=("mount namespace", "user namespace", "pid namespace")) as sandbox:
        reaching = [program for program in hostile() if "outside" in program.name and not program.needs]
        results = [try_hostile(sandbox, program, outside) for program in reaching]
        results += [try_awkward(sandbox, program) for program in awkward() if "files" in program.name]
    assert len(results) >= 6
    assert not [result for result in results if not result.held]


def test_programs_have_names_of_their_own() -> None:
    """A name tells one program from all others, and every kind of attack there is has several."""
    names = [program.name for program in (*hostile(), *hostile_classes(), *awkward())]
    assert len(set(names)) == len(names)
    assert len(hostile()) >= 110
    assert len(awkward()) >= 15


def test_check_tells_program_by_program(monkeypatch: pytest.MonkeyPatch, local: LocalSandbox) -> None:
    """`check` tries all programs of both kinds and tells each one's result."""
    monkeypatch.setattr("tdgen.sandbox.conformance.hostile", lambda: hostile()[:2])
    monkeypatch.setattr("tdgen.sandbox.conformance.hostile_classes", lambda: hostile_classes()[:1])
    monkeypatch.setattr("tdgen.sandbox.conformance.awkward", lambda: awkward()[:1])
    results = check(local)
    tried = [*hostile()[:2], hostile_classes()[0], awkward()[0]]
    assert [result.program for result in results] == [program.name for program in tried]
    assert all(result.held for result in results)
