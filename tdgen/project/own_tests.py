"""The project's own tests: which of them are about a module or its units, and where new ones for it go."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from tdgen.errors import InputError
from tdgen.project.index import Index
from tdgen.project.module import Module, module_name
from tdgen.project.root import Project
from tdgen.source.syntax import bindings, first_line, lines_of, parse

_TEST = re.compile(r"test_\w+\.py|\w+_test\.py")


class OwnTests(NamedTuple):
    """Test files by their paths from the root: those that import a module by its name, through its package, and others.

    In each group, a file that is named after the module comes first.
    """

    direct: tuple[str, ...]
    through: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def near(self) -> tuple[str, ...]:
        """Those that import the module one way or the other."""
        return self.direct + self.through

    def without(self, paths: Collection[str]) -> OwnTests:
        """The same, less some files."""
        return OwnTests(*(tuple(path for path in group if path not in paths) for group in self))


def own_tests(project: Project, index: Index, module: Module) -> OwnTests:
    """The project's tests, seen from a module."""
    groups: dict[str, list[str]] = {"direct": [], "through": [], "others": []}
    for name, source in index.sources.items():
        if is_test(project, source.file) and source.file != module.file:
            groups[_relation(index, name, module.name)].append(project.relative(source.file))
    stem = Path(module.path).stem
    named_after = (f"test_{stem}.py", f"{stem}_test.py")
    ordered = (sorted(group, key=lambda path: (Path(path).name not in named_after, path)) for group in groups.values())
    return OwnTests(*(tuple(group) for group in ordered))


def unreadable_tests(project: Project, index: Index) -> list[str]:
    """In a line each, the test files that can't be read, and why: nobody can tell what is tested there."""
    return [
        f"{project.relative(source.file)} does not parse, and its tests are not seen: {source.outline.error}"
        for source in index.sources.values()
        if source.outline.error and is_test(project, source.file)
    ]


def is_test(project: Project, file: Path) -> bool:
    """Whether a file is one of the project's tests, by its place and its name."""
    folders = project.test_folders
    inside = any(file.is_relative_to(folder) for folder in folders) or not folders or "tests" in file.parts
    return inside and _TEST.fullmatch(file.name) is not None


def _relation(index: Index, test: str, module: str) -> str:
    imports = index.imports(test)
    if module in imports:
        return "direct"
    for imported in index.sources[test].outline.imports:
        meant = index.resolve(index.origin(test, imported), imported.attribute)
        if meant and meant.module == module:
            return "through"
    package = module.partition(".")[0]
    return "through" if package in imports or any(name.startswith(f"{package}.") for name in imports) else "others"


def places_of_tests(
    project: Project, index: Index, module: Module, names: Iterable[str], taken: Iterable[str] = ()
) -> dict[str, str]:
    """Where test files called `names` (`test_<unit>.py`) go: a path from the root for each, taken by no other file.

    Beside the module's tests; without any, in the folder of the tests folder that mirrors the module's, or in `tests`.
    A name that a test has already, or that is `taken` besides, gets the module's in it.
    """
    tests = own_tests(project, index, module)
    every = tests.near + tests.others
    folder = _folder(project, module, tests)
    is_package = (folder / "__init__.py").exists()
    # Without packages, pytest needs each test file's name to be the only one.
    there = {Path(path).name for path in every if not is_package or (project.root / path).parent == folder}
    there |= {*taken, *(path.name for path in folder.glob("*"))}
    ends = bool(every) and all(not Path(path).name.startswith("test_") for path in every)
    places: dict[str, str] = {}
    for name in names:
        free = _free(name.removesuffix(".py").removeprefix("test_"), Path(module.path).stem, there, ends=ends)
        there.add(free)
        places[name] = project.relative(folder / free)
    return places


def _folder(project: Project, module: Module, tests: OwnTests) -> Path:
    if tests.direct:
        return (project.root / tests.direct[0]).parent
    top = project.test_folders[0] if project.test_folders else project.root / "tests"
    parts = module.name.split(".")[:-1]
    mirrors = (top.joinpath(*parts[start:]) for start in range(len(parts) + 1))
    folder = next((folder for folder in mirrors if folder.is_dir()), top)
    if project.inside(folder).is_file():
        raise InputError(f"{project.relative(folder)} is a file, where a folder of tests is to be: move it away")
    return folder


def _free(unit: str, module: str, taken: Collection[str], *, ends: bool) -> str:
    number = 1
    while True:
        stems = [unit, f"{module}_{unit}"] if number == 1 else [f"{module}_{unit}_{number}"]
        for stem in stems:
            name = f"{stem}_test.py" if ends else f"test_{stem}.py"
            if name not in taken:
                return name
        number += 1


def names_unit(project: Project, test: str, unit: str) -> bool:
    """Whether a test of the project, by its id, names a function or method."""
    file, _, name = test.partition("[")[0].partition("::")
    return _names(_tests_in(read_text(project, file)).get(name, ""), unit)


def units_in_tests(
    project: Project, index: Index, module: Module, units: Collection[str]
) -> dict[str, tuple[str, ...]]:
    """Those tests in files that import a module, by their ids, that name some of its units, and which.

    Of a method (`Class.method`) its class has to stand in the file, too: other classes have methods of that name.
    """
    units_by_test: dict[str, tuple[str, ...]] = {}
    for path in own_tests(project, index, module).near:
        text = read_text(project, path)
        there = [unit for unit in units if _names(text, unit.partition(".")[0])]
        for name, source in _tests_in(text).items() if there else ():
            if named := tuple(unit for unit in there if _names(source, unit)):
                units_by_test[f"{path}::{name}"] = named
    return units_by_test


def lacking(project: Project, index: Index, module: Module) -> list[str]:
    """The names that the project's tests import from a module and that it does not have."""
    there = set(bindings(module.text, module.name))
    asked = (
        imported.attribute
        for path in own_tests(project, index, module).direct
        for name in [module_name(project, project.root / path)]
        for imported in index.sources[name].outline.imports
        if index.origin(name, imported) == module.name
    )
    return [name for name in dict.fromkeys(asked) if name.isidentifier() and name not in there]


def read_text(project: Project, path: str) -> str:
    """A file's text; empty where it can't be read."""
    try:
        return (project.root / path).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _tests_in(text: str) -> dict[str, str]:
    """The source of each test in a file's text by its name as pytest has it; none where that is not Python."""
    try:
        tree = parse(text)
    except SyntaxError:
        return {}
    lines = lines_of(text)
    tests = {}
    for node in tree.body:
        members, owner = (node.body, f"{node.name}::") if isinstance(node, ast.ClassDef) else ([node], "")
        for one in members:
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name.startswith("test"):
                tests[f"{owner}{one.name}"] = "\n".join(lines[first_line(one) - 1 : one.end_lineno])
    return tests


def _names(text: str, unit: str) -> bool:
    """Whether a text has the bare name of a function or method as a word."""
    return re.search(rf"\b{re.escape(unit.rpartition('.')[2])}\b", text) is not None
