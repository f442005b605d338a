"""`--tdgen-verify`: the units of a project that are no longer as tdgen left them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tdgen.errors import InputError
from tdgen.project.recorded import NAME, drifts, read_recorded


class Verifying:
    """Compares a project with its record; pytest.UsageError, in one line, where the record can't be read."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lines: list[str] = []
        try:
            self._made = read_recorded(root)
        except InputError as error:
            raise pytest.UsageError(str(error)) from None

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Compare, and let a run fail that passed where units drifted."""
        if self._made is None:
            self._lines = [f"tdgen has made nothing in {self._root} yet: {NAME} is not there"]
            return
        drifted = drifts(self._root, self._made)
        number = f"{len(self._made)} unit{'s' * (len(self._made) != 1)}"
        self._lines = [f"{drift.unit.id}: {drift.told}" for drift in drifted]
        if not drifted:
            self._lines = [f"{number}: all as tdgen left them"]
            return
        self._lines.append(f"{len(drifted)} of {number} not as tdgen left them: `tdgen sync` shows what changed")
        if session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell what was found."""
        terminalreporter.section("tdgen: as it was left?")
        for line in self._lines:
            terminalreporter.write_line(line)
