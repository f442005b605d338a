"""An existing project as a generator's sandboxes show it, and its tests as they are run there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tdgen.client.generator import Generator
from tdgen.client.running import Account
from tdgen.errors import InputError
from tdgen.project.baseline import Baseline
from tdgen.project.plans import PlansInProject
from tdgen.project.private import private_paths
from tdgen.project.root import Project
from tdgen.project.state import Held, place_of, state_of
from tdgen.project.task import ProjectTask
from tdgen.sandbox import interpreter, pytest_run
from tdgen.sandbox.interpreter import Mounted
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.types import FileJob, FileReport, Instruction, Limits, Target


class ProjectGenerator(Generator):
    """A generator whose sandboxes show a project: its tests can be run there, and what is kept for it is judged there.

    What was seen to hold is not judged again before a file of the project is another.
    """

    def __init__(self, mounted: Mounted, settings: Settings | None = None, **arguments: Any) -> None:
        """`arguments` are those of `Generator`."""
        super().__init__(settings, mounted=mounted, **arguments)
        self._mounted, self._placing = mounted, PlansInProject()

    def run_tests(
        self,
        tests: Sequence[str] = (),
        overlay: Mapping[str, str] | None = None,
        *,
        test_overlay: Mapping[str, str] | None = None,
        seconds: float = 60.0,
        traced: bool = False,
    ) -> FileReport:
        """Run the project's own tests in the sandbox, as its settings say, for at most so many seconds.

        `tests` are files or ids from its root, none for all; `overlay` are modules, by name, with the source that takes
        the place of theirs, and `test_overlay` files of tests, by path. Where `traced`, the lines of the project that
        each test runs are told.
        """
        limits = Limits(wall_s=seconds, cpu_s=2 * seconds)
        job = FileJob(
            files={},
            tests=tuple(tests),
            overlay=dict(overlay or {}),
            test_overlay=dict(test_overlay or {}),
            limits=limits,
            project_tests="run",
            traced=traced,
        )
        return self._runtime.sandbox.run_files(job)

    def run_made(self, files: Mapping[str, str], overlay: Mapping[str, str]) -> FileReport:
        """Run test files that were made, with modules, by name, that have other sources than the project's."""
        return self._runtime.sandbox.run_files(FileJob(files=dict(files), tests=tuple(files), overlay=dict(overlay)))

    def import_fault(self, target: Target) -> str:
        """Why a target's module can't be imported before anything of it is written; empty where it can."""
        from tdgen.pipeline.importing import import_fault

        return import_fault(self._runtime.sandbox, target, self.settings.limits, self._runtime.language)

    def _holds(self, solution: Solution, key: str) -> bool:
        held = self._held(self._state())
        if key in held:
            return True
        if is_right := super()._holds(solution, key):
            held.add(key)
        return is_right

    def _solved(self, asked: Instruction, key: str, account: Account) -> Solution:
        """As in any generator; what became green holds in the project, where that was in one state all the time."""
        state = self._state()
        solution = super()._solved(asked, key, account)
        if solution.is_kept and self._state() == state:
            self._held(state).add(solution.key)
        return solution

    def _state(self) -> str:
        shown = self._mounted
        return state_of(Path(shown.root), (shown.python, *shown.imports), shown.model_dump_json())

    def _held(self, state: str) -> Held:
        return Held(place_of(Path(self._mounted.root), self.folder / "projects", "held"), state)


def remembered(generator: ProjectGenerator, project: Project, laid: Mapping[str, str] | None = None) -> Baseline:
    """What runs the project's tests, and knows what they gave from an earlier command, with the same modules `laid`."""

    def run(tests: Sequence[str], overlay: Mapping[str, str], seconds: float, *, traced: bool = False) -> FileReport:
        return generator.run_tests(tests, overlay, seconds=seconds, traced=traced)

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
    where no pytest would run there, or the sandbox's own programs.
    """
    environment = project.environment
    version = ".".join(map(str, environment.version))
    if environment.version < interpreter.OLDEST:
        folder = environment.interpreter.parent.parent
        raise InputError(
            f"the project's environment {folder} has Python {version}, and the sandbox runs 3.9 and later: make it "
            f"anew with a later one (`python3 -m venv --clear {folder}`)"
        )
    imports = tuple(str(path) for path in (*project.import_folders, *environment.folders))
    needed = (*shown, *project.import_folders)
    hidden = tuple(str(one) for one in project.test_folders if not any(path.is_relative_to(one) for path in needed))
    python = "" if environment.origin == "tdgen" else environment.interpreter
    shown_project = Mounted(
        root=str(project.root),
        imports=imports,
        python=str(python),
        names=dict(names or {}),
        hidden=hidden,
        private=private_paths(project),
    )
    if environment.version < pytest_run.OLDEST and not shown_project.brings("pytest"):
        raise InputError(
            f"the project's environment has Python {version} and no pytest, and the one of tdgen does not run there: "
            f"`{environment.interpreter} -m pip install pytest`"
        )
    return shown_project
