"""What a project's tests gave as it stands, kept by file while nothing in the project changes: it is not run again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import reduce
from pathlib import Path
from typing import Final, Protocol

from pydantic import ValidationError

from tdgen.errors import InputError
from tdgen.files.saving import write_file
from tdgen.project.root import Project
from tdgen.project.state import place_of, state_of
from tdgen.types import FileReport

_FORMAT: Final = 1
_LARGEST: Final = 20_000_000
"""How many bytes are kept of a project. Not tuned."""


class Run(Protocol):
    """Runs a project's tests as `RunTests` does. Where `traced`, the lines that each of them runs are told."""

    def __call__(
        self, tests: Sequence[str], overlay: Mapping[str, str], seconds: float, *, traced: bool = False
    ) -> FileReport:
        """The report of the run."""
        ...


class Baseline:
    """Runs a project's tests, and gives files' reports again that are kept of the same project.

    The project is the same where its state is (`tdgen.project.state`). What did not come to its end is not kept; nor
    are single tests, which are asked for a second time.
    """

    def __init__(self, project: Project, folder: Path, run: Run, terms: object = "") -> None:
        """`folder` holds what is kept; `terms` are settings that change what tests give."""
        self._path = place_of(project.root, folder, "tests")
        others = (project.environment.interpreter, *project.environment.folders)
        self._state = state_of(project.root, others, repr(terms))
        self._run = run
        self._kept: dict[str, FileReport] = {}
        with suppress(OSError, ValueError, LookupError, TypeError, AttributeError, ValidationError, RecursionError):
            document = json.loads(self._path.read_bytes())
            if document["format"] == _FORMAT and document["state"] == self._state:
                self._kept = {file: FileReport.model_validate(held) for file, held in document["files"].items()}

    def __call__(
        self, tests: Sequence[str], overlay: Mapping[str, str], seconds: float, *, traced: bool = False
    ) -> FileReport:
        """As `Run` has it."""
        if overlay or any("::" in test for test in tests):
            return self._run(tests, overlay, seconds, traced=traced)
        if traced or not tests:
            report = self._run(tests, {}, seconds, traced=traced)
            self._keep(report, tests or {name.partition("::")[0] for name in (*report.collected, *report.failures)})
            return report
        new = [file for file in tests if file not in self._kept]
        if new:
            report = self._run(new, {}, seconds)
            self._keep(report, new)
            if not all(file in self._kept for file in new):
                return reduce(joined, [self._kept[file] for file in tests if file not in new], report)
        return reduce(joined, (self._kept[file] for file in tests), FileReport(complete=True))

    def _keep(self, report: FileReport, files: Iterable[str]) -> None:
        """Keep what a run gave of files, where each test in them came to its end, or they can't be collected."""
        parts = {file: _part(report, file) for file in files}
        whole = {
            file: part
            for file, part in parts.items()
            if (part.collected or part.failures) and set(part.collected) == set(part.outcomes)
        }
        if whole:
            self._kept |= whole
            kept = {file: report.model_dump(mode="json", exclude_defaults=True) for file, report in self._kept.items()}
            text = json.dumps({"format": _FORMAT, "state": self._state, "files": kept}, separators=(",", ":"))
            if len(text) <= _LARGEST:
                with suppress(OSError, InputError):
                    self._path.parent.mkdir(parents=True, exist_ok=True)
                    write_file(self._path, text)


def joined(one: FileReport, other: FileReport) -> FileReport:
    """What two runs of different tests gave, as one."""
    return FileReport(
        collected=(*one.collected, *other.collected),
        outcomes={**one.outcomes, **other.outcomes},
        reasons={**one.reasons, **other.reasons},
        failures={**one.failures, **other.failures},
        ran={**one.ran, **other.ran},
        modules={**one.modules, **other.modules},
        complete=one.complete and other.complete,
        log=one.log or other.log,
    )


def _part(report: FileReport, file: str) -> FileReport:
    """What a report says of one file."""

    def is_of(name: str) -> bool:
        return name.partition("::")[0] == file

    return FileReport(
        collected=tuple(filter(is_of, report.collected)),
        outcomes={name: outcome for name, outcome in report.outcomes.items() if is_of(name)},
        failures={name: failure for name, failure in report.failures.items() if is_of(name)},
        complete=True,
    )
