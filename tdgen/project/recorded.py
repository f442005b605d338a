"""What tdgen made in a project, and what of it is another by now: `tdgen.json` at the project's root.

The file belongs into version control. Of each function or method that was written or guarded there it has the contract
as it was (signature and docstring), a digest of the code, and digests of the tests. It holds no source. Digests are of
what code is, not of how it is laid out, and the same under each version of Python.
"""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from textwrap import dedent
from typing import Any, Final, NamedTuple

from tdgen.errors import InputError
from tdgen.files.saving import is_inside
from tdgen.project.edit import Change
from tdgen.project.module import Unit, decoded, units_of
from tdgen.source.syntax import docstring_of, parse
from tdgen.source.trees import dotted

NAME: Final = "tdgen.json"
FORMAT: Final = 1
_DIGITS: Final = 16
_UNIT: Final = {"signature": str, "docs": str, "code": str, "tests": dict}


class RecordedUnit(NamedTuple):
    """A function or method as tdgen left it.

    `path` is its module's from the root, `name` is `function` or `Class.method`. A method without a docstring has its
    class's. `code` is the digest of its body and decorators; `tests` has those of its test files, by their paths.
    """

    path: str
    name: str
    signature: str
    docs: str
    code: str
    tests: Mapping[str, str]

    @property
    def id(self) -> str:
        """`path::name`."""
        return f"{self.path}::{self.name}"

    def has_docs_of(self, other: RecordedUnit) -> bool:
        """Whether both have one contract, however it is laid out."""
        shapes: list[object] = []
        for text in (self.signature, other.signature):
            try:
                shapes.append(_shape(parse(f"{dedent(text)} ...")))
            except (SyntaxError, ValueError):
                shapes.append(text)
        return shapes[0] == shapes[1] and self.docs == other.docs


Recorded = Mapping[str, RecordedUnit]
"""The units that tdgen made in a project, by their ids."""


class Drift(NamedTuple):
    """How a unit differs from what tdgen left; `now` is the unit as it is, None where its module lacks it.

    `why` says what is the matter with the place where it was: `is_gone` where nothing is there, else somebody has to
    mend it first. `tests` are the test files that were edited, `lost` those that are gone.
    """

    unit: RecordedUnit
    now: RecordedUnit | None
    why: str = ""
    is_gone: bool = False
    tests: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def of_docs(self) -> bool:
        """Whether the contract is another."""
        return self.now is not None and not self.now.has_docs_of(self.unit)

    @property
    def of_code(self) -> bool:
        """Whether the code is another."""
        return self.now is not None and self.now.code != self.unit.code

    @property
    def is_conflict(self) -> bool:
        """Whether the contract was changed, and code or tests by hand too: nobody can tell which of them holds."""
        return self.of_docs and (self.of_code or bool(self.tests or self.lost))

    @property
    def told(self) -> str:
        """What differs, in words."""
        if self.now is None:
            return self.why
        parts = ["its docs changed"] * self.of_docs + ["its code changed"] * self.of_code
        parts += [f"{test} changed" for test in self.tests] + [f"{test} is gone" for test in self.lost]
        return ", ".join(parts)


def read_recorded(root: Path) -> Recorded | None:
    """What the record says that tdgen made; None where there is no record. InputError where it can't be read."""
    path = root / NAME
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise InputError(f"{NAME} is no file: git has its earlier versions")
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{NAME} can't be read: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"{NAME} is damaged ({error}); git has its earlier versions") from None
    try:
        document = json.loads(text, object_pairs_hook=_once)
    except ValueError as error:
        marked = any(line.startswith(("<<<<<<<", ">>>>>>>")) for line in text.splitlines())
        what = "has conflicts of a merge: keep the entries of both sides" if marked else f"is damaged ({error})"
        raise InputError(f"{NAME} {what}; git has its earlier versions") from None
    except RecursionError:
        raise InputError(f"{NAME} is damaged (it is nested too deeply); git has its earlier versions") from None
    if isinstance(document, dict) and isinstance(document.get("format"), int) and document["format"] > FORMAT:
        raise InputError(f"{NAME} was written by a later tdgen: install that version")
    try:
        return dict(sorted(_units(document)))
    except (KeyError, TypeError, AttributeError, ValueError):
        raise InputError(f"{NAME} is damaged: git has its earlier versions") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object; ValueError where it has a key twice, as after a merge by hand."""
    if len(document := dict(pairs)) < len(pairs):
        twice = next(key for number, (key, _) in enumerate(pairs) if key in dict(pairs[:number]))
        raise ValueError(f"{twice} is there twice")
    return document


def _units(document: Any) -> Iterable[tuple[str, RecordedUnit]]:
    if document.get("format") != FORMAT:
        raise ValueError(document.get("format"))
    for key, entry in document["units"].items():
        path, _, name = key.partition("::")
        is_sound = all(isinstance(entry[field], kind) for field, kind in _UNIT.items())
        # A record may be somebody else's: nothing out of the project is read by it.
        if not name or "\0" in key or not is_sound or not all(map(is_inside, (path, *entry["tests"]))):
            raise ValueError(key)
        yield key, RecordedUnit(path, name, *(entry[field] for field in _UNIT))


def recorded_text(units_by_id: Recorded) -> str:
    """The record as it is written: the units in order, a line for each thing, so that changes merge."""
    units = {key: {field: getattr(unit, field) for field in _UNIT} for key, unit in sorted(units_by_id.items())}
    return json.dumps({"format": FORMAT, "units": units}, indent=1, ensure_ascii=False) + "\n"


def changed_record(root: Path, units: Recorded, gone: Collection[str] = ()) -> list[Change]:
    """The change of the project's record that has these units, and no longer those that are gone; none for none."""
    file = root / NAME
    before = read_recorded(root)
    after = {key: unit for key, unit in {**(before or {}), **units}.items() if key not in gone}
    if after == (before or {}):
        return []
    return [Change(file, NAME, file.read_bytes() if before is not None else None, recorded_text(after).encode())]


def recoded(root: Path, texts: Mapping[str, tuple[str, str]]) -> list[Change]:
    """The change of the record where units of it get other code: modules' texts before and after, by their paths.

    A unit that was edited by hand before stays as it is recorded.
    """
    units: dict[str, RecordedUnit] = {}
    for path, (before, after) in texts.items():
        held = {unit.name: unit for unit in (read_recorded(root) or {}).values() if unit.path == path}
        old, new = (recorded_units(path, text, held, {}) for text in (before, after))
        for unit in held.values():
            if unit.id in old and unit.id in new and old[unit.id].code == unit.code:
                units[unit.id] = unit._replace(code=new[unit.id].code)
    return changed_record(root, units)


def retested(root: Path, changes: Sequence[Change]) -> dict[str, RecordedUnit]:
    """The recorded units, by their ids, whose test files these changes revise; one edited by hand before stays so."""
    units = (read_recorded(root) or {}) if changes else {}
    changed: dict[str, RecordedUnit] = {}
    for path, before, after in ((one.path, one.before, one.after) for one in changes):
        was, now = (digest_of(decoded(data or b"", path)[1]) for data in (before, after))
        for unit in units.values():
            if unit.tests.get(path) == was:
                known = changed.get(unit.id, unit)
                changed[unit.id] = known._replace(tests={**known.tests, path: now})
    return changed


def recorded_units(
    path: str, text: str, names: Collection[str], tests: Mapping[str, Mapping[str, str]]
) -> dict[str, RecordedUnit]:
    """The functions and methods called `names` of a module's text as a record has them, by their ids.

    `tests` are the test files' sources by their paths, for each function and class.
    """
    units = {}
    for name, unit in units_of(text).items():
        if name in names and not unit.refused and not isinstance(unit.node, ast.ClassDef):
            own = tests.get(name.partition(".")[0], {})
            one = as_recorded(path, text, unit)
            units[one.id] = one._replace(tests={file: digest_of(source) for file, source in sorted(own.items())})
    return units


def new_names(before: str, after: str) -> frozenset[str]:
    """The public functions of a module's text, and all methods, that are new in it or have other code or docs."""
    old, new = (
        {name: as_recorded("", text, unit) for name, unit in units_of(text).items()} for text in (before, after)
    )
    changed = {name for name, unit in new.items() if old.get(name) != unit}
    return frozenset(name for name in changed if "." in name or not name.startswith("_"))


def as_recorded(path: str, text: str, unit: Unit) -> RecordedUnit:
    """A unit of a module's text as a record would have it, its tests left out."""
    docs = unit.docstring or (units_of(text)[unit.owner].docstring if unit.owner else "")
    body = [node for node in unit.node.body if node is not docstring_of(unit.node)]
    # `@tdgen.implement` may be put on and taken away: it says who writes the code, and is no part of it.
    decorators = [one for one in unit.node.decorator_list if not is_implement(one)]
    code = _digest([*map(_shape, body), *map(_shape, decorators)])
    return RecordedUnit(path, unit.name, " ".join(unit.signature.split()), docs.strip(), code, {})


def is_implement(decorator: ast.expr) -> bool:
    """Whether a decorator is `@tdgen.implement`, with arguments or without, by whatever name of its module."""
    return dotted(decorator.func if isinstance(decorator, ast.Call) else decorator).rpartition(".")[2] == "implement"


def digest_of(source: str) -> str:
    """The digest of a file of tests."""
    try:
        return _digest(_shape(parse(source)))
    except (SyntaxError, ValueError):
        return _digest(source)


def drifts(root: Path, units: Recorded) -> list[Drift]:
    """The units that are no longer as tdgen left them."""
    texts = {path: _text(root, path) for path in dict.fromkeys(unit.path for unit in units.values())}
    return [drift for unit in units.values() if (drift := _drift(root, unit, texts[unit.path])).told]


def _drift(root: Path, unit: RecordedUnit, text: str | InputError) -> Drift:
    if isinstance(text, InputError):
        return Drift(unit, None, str(text), is_gone=not os.path.lexists(root / unit.path))
    try:
        units = units_of(text)
    except SyntaxError as error:
        return Drift(unit, None, f"{unit.path} does not parse: {error.msg} (line {error.lineno or 1})")
    there = units.get(unit.name)
    if there is None:
        return Drift(unit, None, f"{unit.path} no longer defines it", is_gone=True)
    if there.refused or isinstance(there.node, ast.ClassDef):
        return Drift(unit, None, there.refused or f"{unit.name} is a class by now")
    now = as_recorded(unit.path, text, there)
    lost = tuple(file for file in unit.tests if not (root / file).is_file())
    tests = {file: _text(root, file) for file in unit.tests if file not in lost}
    digests = {file: "" if isinstance(test, InputError) else digest_of(test) for file, test in tests.items()}
    edited = tuple(file for file in tests if digests[file] != unit.tests[file])
    return Drift(unit, now, tests=edited, lost=lost)


def _text(root: Path, path: str) -> str | InputError:
    """A module's text, or why there is none."""
    file = root / path
    try:
        if not file.resolve().is_relative_to(root.resolve()):
            return InputError(f"{path} lies outside of the project")
        return decoded(file.read_bytes(), path)[1]
    except FileNotFoundError:
        return InputError(f"{path} is gone")
    except OSError as error:
        return InputError(f"{path} can't be read: {error.strerror}")
    except InputError as error:
        return error


def _shape(node: object) -> object:
    """A tree as plain data: of each node its kind and the fields that hold something.

    `ast.dump` has what a version of Python added to its trees, also where that is empty.
    """
    if isinstance(node, ast.AST):
        held = [(field, value) for field, value in ast.iter_fields(node) if field not in ("ctx", "kind")]
        return [type(node).__name__, *([field, _shape(value)] for field, value in held if value not in (None, []))]
    return [_shape(item) for item in node] if isinstance(node, list) else repr(node)


def _digest(data: object) -> str:
    return sha256(json.dumps(data).encode()).hexdigest()[:_DIGITS]
