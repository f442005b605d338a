"""An existing project as a generator's sandboxes show it, and its tests as they are run there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tdgen.client.generator import Generator
from tdgen.errors import InputError
from tdgen.project.baseline import Baseline
from tdgen.project.private import private_paths
from tdgen.project.root import Project
from tdgen.project.task import ProjectTask
from tdgen.sandbox import pytest_run
from tdgen.sandbox.mounted import Mounted
from tdgen.types import FileReport


def remembered(generator: Generator, project: Project, laid: Mapping[str, str] | None = None) -> Baseline:
    """What runs the project's tests, and knows what they gave from an earlier command, with the same modules `laid`."""

    def run(tests: Sequence[str], overlay: Mapping[str, str], seconds: float, *, traced: bool = False) -> FileReport:
        return generator.project_tests(tests, overlay, seconds=seconds, traced=traced)

    chosen = generator.settings
    terms = (chosen.python, chosen.allow, chosen.allow_loopback, chosen.allow_run, *(laid or {}).items())
    return Baseline(project, generator.folder / "projects", run, terms)


def mounted(task: ProjectTask) -> Mounted:
    """The project as the sandboxes show it for a task."""
    shown = mounted_project(task.project, [task.module.file], task.target.elsewhere)
    return shown.model_copy(update={"laid": dict(task.laid)})


def mounted_project(project: Project, shown: Sequence[Path] = (), names: Mapping[str, str] | None = None) -> Mounted:
    """The project as the sandboxes show it: with its own environment, or the one that is active.

    No folder of tests with one of the files `shown` in it is hidden; `names` are what cases may use besides. InputError
    where no pytest would run there.
    """
    environment = project.environment
    imports = tuple(str(path) for path in (*project.import_folders, *environment.folders))
    needed = (*shown, *project.import_folders)
    hidden = tuple(str(one) for one in project.test_folders if not any(path.is_relative_to(one) for path in needed))
    python = "" if environment.origin == "tdgen" else environment.interpreter
    found = Mounted(
        root=str(project.root),
        imports=imports,
        python=str(python),
        names=dict(names or {}),
        hidden=hidden,
        private=private_paths(project),
    )
    if environment.version < pytest_run.OLDEST and not found.brings("pytest"):
        version = ".".join(map(str, environment.version))
        raise InputError(
            f"the project's environment has Python {version} and no pytest, and the one of tdgen does not run there: "
            f"`{environment.interpreter} -m pip install pytest`"
        )
    return found
