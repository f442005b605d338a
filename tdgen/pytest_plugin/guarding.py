"""`--tdgen-guard`: how strong the tests of a run are on the code that changed, told by mutants of it in the sandbox."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tdgen.errors import TdgenError


@dataclass(eq=False)
class Guarding:
    """Gathers the files of tests that ran, and tells in the end how strong they are. No model is asked."""

    _config: pytest.Config
    _files: dict[Path, None] = field(default_factory=dict, init=False)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the file of a test; from other processes too."""
        self._files[self._config.rootpath / report.nodeid.partition("::")[0]] = None

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Run the tests on mutants, and tell."""
        terminalreporter.section("tdgen: how strong are the tests of what changed?")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what the run's settings make of warnings is for the user's tests
                for line in self._told(self._config.option.tdgen_diff):
                    terminalreporter.write_line(line)
        except TdgenError as error:
            terminalreporter.write_line(f"not told: {error}")

    def _told(self, revision: str) -> Iterator[str]:
        """The lines, one by one as they are found."""
        from tdgen.client.projects import ProjectGenerator, mounted_project, remembered
        from tdgen.project.root import find_project
        from tdgen.pytest_plugin.strength import changed_modules, strengths
        from tdgen.settings import load_settings

        chosen = load_settings({})
        project = find_project(self._config.rootpath)
        changed = list(changed_modules(project, revision))
        tests = [
            project.relative(file.resolve()) for file in self._files if file.resolve().is_relative_to(project.root)
        ]
        if not (changed and tests):
            yield "no test ran" if changed else f"no function or method changed since {revision}"
            return
        with ProjectGenerator(mounted_project(project), chosen) as generator:
            run = remembered(generator, project)
            yield from strengths(changed, sorted(tests), run, seconds=chosen.gate_seconds)
