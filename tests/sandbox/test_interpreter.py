"""Which interpreter runs inside, and what it must be able to read."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tdgen.errors import SandboxError
from tdgen.sandbox import interpreter
from tdgen.sandbox.inside import facts
from tdgen.sandbox.local import LocalSandbox
from tdgen.types import Job, Probe


def test_the_running_interpreter_needs_no_asking() -> None:
    """Its facts are those of this process, its virtual environment left out."""
    own = interpreter.find("")
    assert own == interpreter.find(sys.executable)
    assert own.version == sys.version_info[:3]
    assert str(Path(os.__file__).parents[1]) in own.readable
    assert not any("site-packages" in path for path in own.readable)


def test_asking_an_interpreter_gives_the_same_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another Python says of itself is what this one knows of itself."""
    own = interpreter.find("")
    monkeypatch.setattr(facts, "program", lambda: "/another")
    assert interpreter.find(own.program) == own


def test_an_environment_of_the_running_interpreter_needs_no_asking(
    tmp_path: Path, bare_environment: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project's environment mostly stands for the Python that runs tdgen."""
    bare_environment(tmp_path)
    own = interpreter.find("")
    monkeypatch.setattr(interpreter.subprocess, "run", None)
    assert interpreter.find(str(tmp_path / ".venv/bin/python")) == own


def test_a_version_names_a_command() -> None:
    """`3.11` is looked up as python3.11 on the PATH."""
    with pytest.raises(SandboxError, match=r"there is no python3\.99 here"):
        interpreter.find("3.99")


def test_an_interpreter_that_is_too_old_is_refused(tmp_path: Path) -> None:
    """The programs inside need Python 3.9."""
    old = tmp_path / "old"
    old.write_text('#!/bin/sh\necho \'{"program": "x", "version": [3, 8, 1], "prefixes": [], "library": "/"}\'\n')
    old.chmod(0o755)
    with pytest.raises(SandboxError, match=r"Python 3\.8\.1: the sandbox needs 3.9"):
        interpreter.find(str(old))


@pytest.mark.parametrize("version", ["3.9", "3.10", "3.12", "3.13"])
def test_other_versions_run_inside(version: str) -> None:
    """The inside runs on every Python from 3.9 on; those not installed here are passed over."""
    try:
        interpreter.find(version)
    except SandboxError:
        pytest.skip(f"there is no Python {version} here")
    with LocalSandbox(version) as sandbox:
        job = Job(module="m", source="", probes=(Probe(name="v", call="list(sys.version_info[:2])"),))
        assert sandbox.run(job).observations[0].value == [int(part) for part in version.split(".")]
