"""What a project's record and its files say of each other, and what brings them together again."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tdgen.errors import InputError
from tdgen.project.filling import instruction_of
from tdgen.project.guarding import with_stubs
from tdgen.project.index import read_index
from tdgen.project.module import decoded, read_module, units_of
from tdgen.project.recorded import Drift, Recorded, RecordedUnit, as_recorded, digest_of, drifts
from tdgen.project.revisions import earlier_texts
from tdgen.project.root import Project
from tdgen.project.selection import select
from tdgen.project.task import ProjectTask, Replaced, target_of
from tdgen.settings.base import nearest
from tdgen.types.interface import file_of_tests


class Moved(NamedTuple):
    """A unit that stands elsewhere by now, as it was or under another name."""

    unit: RecordedUnit
    now: RecordedUnit


class Differences(NamedTuple):
    """What is no longer as tdgen left it: units that drifted in their place, that moved, and that are gone."""

    drifted: tuple[Drift, ...]
    moved: tuple[Moved, ...]
    gone: tuple[Drift, ...]

    @property
    def number(self) -> int:
        """How many units these are."""
        return sum(map(len, self))


def chosen_units(recorded: Recorded, paths: Sequence[str], root: Path) -> Recorded:
    """The units of the record in a module or folder, or called `PATH::name`; all without paths.

    InputError for a path of which there are none.
    """
    if not paths:
        return recorded
    chosen: dict[str, RecordedUnit] = {}
    for path in paths:
        place, _, name = path.partition("::")
        absolute = Path(place).absolute()
        within = {key: unit for key, unit in recorded.items() if (root / unit.path).is_relative_to(absolute.resolve())}
        name = name.replace("::", ".")
        of_name = {key: unit for key, unit in within.items() if not name or f"{unit.name}.".startswith(f"{name}.")}
        if not of_name:
            raise InputError(
                f"tdgen made nothing of {path}{nearest(path, recorded)}: `tdgen sync` tells of all that it made"
            )
        chosen |= of_name
    return chosen


def differences(project: Project, recorded: Recorded) -> Differences:
    """How the project differs from the units of its record."""
    drifted = drifts(project.root, recorded)
    away = [drift for drift in drifted if drift.now is None]
    moved = list(_moved(project, [drift.unit for drift in away], recorded)) if away else []
    elsewhere = {one.unit.id for one in moved}
    gone = tuple(drift for drift in away if drift.unit.id not in elsewhere)
    return Differences(tuple(drift for drift in drifted if drift.now is not None), tuple(moved), gone)


def _moved(project: Project, lost: Sequence[RecordedUnit], recorded: Recorded) -> Iterator[Moved]:
    """Where lost units stand by now: the one place that has their contract and code and is no unit of the record."""
    places: dict[tuple[str, str], list[RecordedUnit]] = {}
    for file in project.sources():
        path = project.relative(file)
        try:
            text = decoded(file.read_bytes(), path)[1]
            units = units_of(text)
        except (OSError, InputError, SyntaxError):
            continue
        for unit in units.values():
            one = as_recorded(path, text, unit)
            if one.id not in recorded:
                places.setdefault((one.docs, one.code), []).append(one)
    for old in lost:
        match places.get((old.docs, old.code), []):
            case [now]:
                yield Moved(old, now._replace(tests=old.tests))


def docs_diff(drift: Drift) -> str:
    """How the contract changed, as a unified diff."""
    if drift.now is None or not drift.of_docs:
        return ""
    before, after = (f"{one.signature}\n{one.docs}".splitlines() for one in (drift.unit, drift.now))
    return "\n".join(difflib.unified_diff(before, after, "the docs as they were", "the docs now", lineterm=""))


def code_diff(project: Project, drift: Drift) -> str:
    """How the code changed, as a unified diff with the commit that has it as it was; empty where git has none."""
    file = project.root / drift.unit.path
    if drift.now is None or not drift.of_code:
        return ""
    for text in earlier_texts(file):
        try:
            unit = units_of(text).get(drift.unit.name)
        except SyntaxError:
            continue
        if unit is not None and as_recorded(drift.unit.path, text, unit).code == drift.unit.code:
            now = decoded(file.read_bytes(), drift.unit.path)[1]
            there = units_of(now)[drift.unit.name]
            before, after = (
                (lines.splitlines()[one.first - 1 : one.last]) for lines, one in ((text, unit), (now, there))
            )
            return "\n".join(difflib.unified_diff(before, after, "the code as it was", "the code now", lineterm=""))
    return ""


def rebuilding(project: Project, path: str, names: Collection[str], recorded: Recorded, folder: Path) -> ProjectTask:
    """The task that writes units of a module anew from their docs as they are now.

    A test file that is theirs alone is replaced; `folder` keeps what was read of the project. InputError, in one line,
    for what can't be filled.
    """
    file = project.root / path
    module = read_module(project, file)
    stubs = with_stubs(module, [module.units[name] for name in names])
    selection = select(stubs, sorted(names))
    index = read_index(project, folder)
    target = target_of(project, index, stubs, selection)
    replaced = _replaced(project.root, path, names, recorded)
    return ProjectTask(project, index, module, target, instruction_of(stubs, selection), replaced=replaced)


def _replaced(root: Path, path: str, names: Collection[str], recorded: Recorded) -> dict[str, Replaced]:
    """The test files that hold tests of these units alone, as they are now, by the names that their new tests have."""
    ours = [unit for unit in recorded.values() if unit.path == path and unit.name in names]
    others = {test for unit in recorded.values() if unit not in ours for test in unit.tests}
    return {
        file_of_tests(unit.name.partition(".")[0]): Replaced(test, _data(root / test))
        for unit in ours
        for test in unit.tests
        if test not in others and not Path(test).stem.endswith("_properties")
    }


def _data(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{file} can't be read: {error.strerror}") from None


def tests_of(drifted: Iterable[Drift], root: Path) -> tuple[str, ...]:
    """The test files of these units that are there."""
    every = dict.fromkeys(test for drift in drifted for test in drift.unit.tests)
    return tuple(test for test in every if (root / test).is_file())


def as_it_is(project: Project, drift: Drift) -> dict[str, RecordedUnit]:
    """The unit as the record has it from now on, by its id: with its code, docs and tests as they are."""
    if drift.now is None:
        return {}
    left = [test for test in drift.unit.tests if test not in drift.lost]
    tests = {test: digest_of(decoded((project.root / test).read_bytes(), test)[1]) for test in left}
    return {drift.unit.id: drift.now._replace(tests=tests)}


def by_module(drifted: Iterable[Drift]) -> Mapping[str, list[str]]:
    """The names of units by the paths of their modules."""
    names: dict[str, list[str]] = {}
    for drift in drifted:
        names.setdefault(drift.unit.path, []).append(drift.unit.name)
    return names
