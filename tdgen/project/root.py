"""A project found from a file in it: its root, what it imports from where, its environment and its tests."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tdgen.errors import InputError
from tdgen.project.config import read_layout
from tdgen.project.environment import Environment, find_environment, importable
from tdgen.settings.base import nearest

MARKERS: Final = ("pyproject.toml", "setup.cfg", "setup.py", ".git")
IGNORED: Final = frozenset({
    "__pycache__", "build", "dist", "node_modules", "site-packages", "venv", "env",
})  # fmt: skip
"""Folders that hold none of a project's own code, besides those whose names begin with a dot."""


class Project(NamedTuple):
    """A project: absolute paths, the root with its links followed.

    `import_folders` are those that its modules are imported from, that of the file it was found by first;
    `test_folders` are those that its tests lie in.
    """

    root: Path
    import_folders: tuple[Path, ...]
    test_folders: tuple[Path, ...]
    environment: Environment

    def inside(self, path: Path) -> Path:
        """A path of the project, absolute; InputError where it, or what it links to, lies outside."""
        absolute = Path(os.path.abspath(path))  # noqa: PTH100 - `..` goes before links are followed
        real = absolute.resolve()
        if not real.is_relative_to(self.root):
            what = "links out of" if absolute.is_relative_to(self.root) else "lies outside of"
            raise InputError(f"{path} {what} the project {self.root}: name a file in it")
        return real

    def relative(self, path: Path) -> str:
        """A path as it is from the root."""
        return path.relative_to(self.root).as_posix()

    def packages(self) -> tuple[str, ...]:
        """The top-level names that its modules may import beside the standard library: its own, its environment's."""
        own = {name for folder in self.import_folders for name in importable(folder) if name not in IGNORED}
        return tuple(sorted(own.union(self.environment.packages())))

    def sources(self) -> Iterator[Path]:
        """Its Python files, sorted folder by folder; links are not followed, what tools made is passed over."""
        for folder, folders, names in os.walk(self.root):
            folders[:] = sorted(name for name in folders if is_own(Path(folder), name))
            files = (Path(folder, name) for name in sorted(names) if name.endswith(".py"))
            yield from (file for file in files if file.is_file() and not file.is_symlink())

    def links_out(self) -> Iterator[str]:
        """The links in it, from the root, to folders and Python files elsewhere: code that runs does not see these."""
        for folder, folders, names in os.walk(self.root):
            for path in (Path(folder, name) for name in sorted([*folders, *names])):
                is_code = may_hold_code(path) if path.is_dir() else path.suffix == ".py"
                if path.is_symlink() and is_code and not path.resolve().is_relative_to(self.root):
                    yield self.relative(path)
            folders[:] = sorted(name for name in folders if is_own(Path(folder), name))

    def modules(self) -> Iterator[Path]:
        """The same, less its tests."""
        for file in self.sources():
            is_named = file.name == "conftest.py" or file.name.startswith("test_") or file.name.endswith("_test.py")
            if not (is_named or any(file.is_relative_to(folder) for folder in self.test_folders)):
                yield file


def root_of(path: Path) -> Path | None:
    """The root of the project that an absolute path lies in; None where it lies in none."""
    above = [path, *path.parents] if path.is_dir() else path.parents
    return next((folder for folder in above if any((folder / name).exists() for name in MARKERS)), None)


def find_project(path: Path, *, is_new: bool = False) -> Project:
    """The project that a file or folder lies in, or where `is_new` would; InputError where there is none."""
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - `..` goes before links are followed
    if not (is_new or absolute.exists()):
        near = nearest(absolute.name, (other.name for other in absolute.parent.glob("[!.]*")))
        raise InputError(f"{path}: there is no such file or folder{near}")
    root = root_of(absolute)
    if root is None:
        names = f"{', '.join(MARKERS[:-1])} or {MARKERS[-1]}"
        raise InputError(f"{path} is in no project: no folder above it has {names}; `git init` makes one")
    layout = read_layout(root)
    real = root.resolve()
    tests = _folders(real, layout.tests or ("tests", "test"))
    imports = [*_folders(real, layout.imports), *_folders(real, ("src",)), real]
    project = Project(real, tuple(dict.fromkeys(imports)), tests, find_environment(real))
    if absolute.is_dir():
        return project
    base = _base(project.inside(path), project.import_folders)
    return project._replace(import_folders=tuple(dict.fromkeys([base, *project.import_folders])))


def _base(path: Path, folders: tuple[Path, ...]) -> Path:
    """The folder that a file is imported from.

    The innermost of the import folders, where folders without `__init__.py` may be packages too; of a package that lies
    somewhere else in the project, the folder above it.
    """
    top = path.parent
    while (top / "__init__.py").exists():
        top = top.parent
    base = max((folder for folder in folders if path.is_relative_to(folder)), key=lambda folder: len(folder.parts))
    relative = path.relative_to(base)
    if not all(part.isidentifier() for part in (*relative.parent.parts, relative.stem)):
        return top
    return top if top != path.parent and base == folders[-1] else base


def _folders(root: Path, names: tuple[str, ...]) -> tuple[Path, ...]:
    """Those of these folders, or their patterns, that are there and inside of the root."""
    folders: list[Path] = []
    for name in names:
        paths = sorted(root.glob(name)) if "*" in name and not name.startswith("/") else [root / name]
        folders += [path.resolve() for path in paths if path.resolve().is_relative_to(root) and path.is_dir()]
    return tuple(dict.fromkeys(folders))


def is_own(folder: Path, name: str) -> bool:
    """Whether a folder in the project may hold its own code."""
    path = folder / name
    return not path.is_symlink() and may_hold_code(path)


def may_hold_code(path: Path) -> bool:
    """Whether a folder is, by its name and what is in it, none that tools made, such as an environment."""
    name = path.name
    is_made = name.startswith(".") or name in IGNORED or name.endswith(".egg-info")
    return not (is_made or (path / "pyvenv.cfg").exists())
