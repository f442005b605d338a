"""Failing tests of what tdgen made end with the command that fixes them."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest


@dataclass(eq=False)
class Failing:
    """Adds to the report of a failing test a section with the command, where it tests a unit of the record.

    It does where its file is recorded as the unit's, where the exception went by the unit's lines, and where it names
    the unit in a file that names the module.
    """

    _config: pytest.Config
    _root: Path
    _fault: str = field(default="", init=False)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add the section."""
        if not report.failed or report.when == "teardown":
            return
        here = self._config.invocation_params.dir
        path, separator, name = report.nodeid.partition("::")
        file = self._config.rootpath / path
        if file.is_file() and self._is_of_unit(file, name, list(_places(report, here))):
            command = shlex.join(["tdgen", "fix", f"{os.path.relpath(file, here)}{separator}{name}"])
            report.sections.append(("tdgen wrote what is tested here; to look for the fault", command))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say once that the record can't be read."""
        if self._fault:
            terminalreporter.write_line(self._fault)

    def _is_of_unit(self, file: Path, name: str, places: list[tuple[Path, int]]) -> bool:
        from tdgen.errors import InputError
        from tdgen.project.recorded import read_recorded

        try:
            record = read_recorded(self._root) or {}
        except InputError as error:
            self._fault = str(error)
            return False
        own = Path(os.path.relpath(file, self._root)).as_posix()
        if any(own in unit.tests for unit in record.values()):
            return True
        by_path: dict[str, set[str]] = {}
        for unit in record.values():
            by_path.setdefault(unit.path, set()).add(unit.name)
        return any(
            _goes_by(self._root / path, names, places) or _names(file, name, path, names)
            for path, names in by_path.items()
        )


def _places(report: pytest.TestReport, here: Path) -> Iterator[tuple[Path, int]]:
    """The files and lines that an exception went by, as far as the report's style tells them."""
    shown = report.longrepr
    parts = [part[0] for part in getattr(shown, "chain", ())] or [getattr(shown, "reprtraceback", None)]
    for part in parts:
        for entry in getattr(part, "reprentries", ()):
            place = getattr(entry, "reprfileloc", None)
            if place is not None:
                yield (here / place.path).resolve(), place.lineno


def _goes_by(file: Path, names: set[str], places: list[tuple[Path, int]]) -> bool:
    """Whether one of the places is within a unit of a module."""
    from tdgen.project.module import units_of

    lines = [line for path, line in places if path == file.resolve()]
    try:
        units = units_of(file.read_text(encoding="utf-8")) if lines else {}
    except (OSError, ValueError, SyntaxError):
        return False
    return any(units[name].first <= line <= units[name].last for name in names & units.keys() for line in lines)


def _names(file: Path, test: str, path: str, names: set[str]) -> bool:
    """Whether a test names one of a module's units, and its file the module."""
    from tdgen.project.module import units_of

    try:
        text = file.read_text(encoding="utf-8")
        unit = units_of(text).get(test.partition("[")[0].replace("::", "."))
    except (OSError, ValueError, SyntaxError):
        return False
    module = Path(path)
    stem = module.parent.name if module.stem == "__init__" else module.stem
    if unit is None or not re.search(rf"\b{re.escape(stem)}\b", text):
        return False
    code = "\n".join(text.splitlines()[unit.first - 1 : unit.last])
    return any(re.search(rf"\b{re.escape(name.rpartition('.')[2])}\b", code) for name in names)
