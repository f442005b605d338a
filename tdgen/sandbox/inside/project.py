"""A user's project inside: its folders on the path, and an overlay of modules that are loaded from texts.

A module of the overlay takes the place of a file of the project, or is new there; a finder that is asked before all
others loads it. Its packages and whatever else is imported are the project's own.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import io
import linecache
import re
import sys
import types
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path, PurePosixPath
from typing import Any

_INSTALLED = frozenset({"site-packages", "dist-packages"})


class Source:
    """A module's name and text, compiled once. `filename` is where the module lies, or would lie, as it is imported."""

    def __init__(self, name: str, text: str, *, strict: bool = False) -> None:
        """`strict` has the module's own warnings raised as errors while it is compiled and executed."""
        self.name, self.source, self._strict = name, text, strict
        # Not splitlines, which splits at characters that end no line for the parser.
        self._whole = io.StringIO(text, newline="").readlines()
        self.lines = [line.rstrip("\r\n") for line in self._whole]
        self._code: types.CodeType | None = None
        self.module: types.ModuleType | None = None
        self.set_filename(f"{name}.py")

    def set_filename(self, filename: str) -> None:
        """Set the file that the code claims to come from, and give tracebacks its lines."""
        self.filename = filename
        linecache.cache[filename] = (len(self.source), None, self._whole, filename)

    def code(self) -> types.CodeType:
        """The module's code. Whatever compiling its source raises passes through."""
        if self._code is None or self._code.co_filename != self.filename:
            if self._strict:
                names = "|".join(re.escape(name) for name in (self.name, self.filename[: -len(".py")]))
                warnings.filterwarnings("error", module=f"(?:{names})$")
            self._code = compile(self.source, self.filename, "exec", dont_inherit=True)
        return self._code


class _Loader(SourceFileLoader):
    """Loads a text in place of the file at `path`, which need not be there."""

    def __init__(self, source: Source, path: str) -> None:
        super().__init__(source.name, path)
        self._source = source

    def get_code(self, fullname: str) -> types.CodeType:
        return self._source.code()

    def get_source(self, fullname: str) -> str:
        return self._source.source

    def exec_module(self, module: types.ModuleType) -> None:
        self._source.module = module
        super().exec_module(module)


class Overlay:
    """The finder that serves some modules from their texts. `folder` is where a new one of the top level would lie.

    `lent_finder` finds the places of those that lie in folders which can't be listed.
    """

    def __init__(self, sources: Iterable[Source], folder: str, lent_finder: _LentFinder | None = None) -> None:
        self._sources = {source.name: source for source in sources}
        self._folder, self._lent_finder = folder, lent_finder

    def __contains__(self, name: str) -> bool:
        return name in self._sources

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        """What an import asks a finder."""
        source = self._sources.get(name)
        if source is None:
            return None
        there = PathFinder.find_spec(name, path)
        if (there is None or there.origin is None) and self._lent_finder:
            there = self._lent_finder.find_spec(name, path)
        if there is not None and there.origin and there.origin.endswith(".py"):
            filename, inner = there.origin, there.submodule_search_locations
        else:
            folder = next(iter(path or ()), self._folder)
            filename, inner = str(PurePosixPath(folder, f"{name.rpartition('.')[2]}.py")), None
        source.set_filename(filename)
        loader = _Loader(source, filename)
        return spec_from_file_location(name, filename, loader=loader, submodule_search_locations=inner)


class _CachingLoader(SourceFileLoader):
    """Loads a file's module, and keeps its code for when that is imported again."""

    _code: types.CodeType | None = None

    def get_code(self, fullname: str) -> types.CodeType | None:
        if self._code is None:
            self._code = super().get_code(fullname)
        return self._code


class CodeCache:
    """The finder of a project's own modules that keeps their code."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._loaders: dict[str, _CachingLoader] = {}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        """What an import asks a finder."""
        there = None if name in sys.builtin_module_names else self._project.find(name, path)
        if there is None or type(there.loader) is not SourceFileLoader or not self._project.has(there.origin):
            return None
        there.loader = self._loaders.setdefault(name, _CachingLoader(name, there.loader.path))
        return there


def forget(packages: Collection[str]) -> None:
    """Have an import of these packages, or of their modules, load them anew: who has them already keeps them."""
    for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
        del sys.modules[name]


def put_first(finder: Any) -> None:
    """Have a finder be asked before all others."""
    sys.meta_path[:] = [finder, *(other for other in sys.meta_path if other is not finder)]


class _LentFinder:
    """The finder of what is lent, asked last: each of `paths` is a package, a module's file or a folder of packages.

    `folders` are to import from. One with something hidden in it can't be listed: nothing else finds what it has.
    """

    def __init__(self, paths: Sequence[str], folders: Sequence[str]) -> None:
        self._paths = (*folders, *paths)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        """What an import asks a finder; a folder that holds some of the paths may not be listed here."""
        last = name.rpartition(".")[2]
        for place in map(PurePosixPath, self._paths if path is None else path):
            package = place if path is None and place.name == last else place / last
            file = place if place.name == f"{last}.py" else place / f"{last}.py"
            if Path(package, "__init__.py").is_file():
                inner = [str(package)]
                return spec_from_file_location(name, str(package / "__init__.py"), submodule_search_locations=inner)
            files = (*(package.with_name(f"{last}{suffix}") for suffix in EXTENSION_SUFFIXES), file)
            present = next((path for path in map(Path, files) if path.is_file()), None)
            if present:
                return spec_from_file_location(name, str(present))
        return None


class Project:
    """A project's `root` and the folders to import from.

    `packages` are folders that come after those, `lent` are packages that come last. `names` are what cases may use
    besides what their module has, by the qualified names of what they stand for.
    """

    def __init__(
        self,
        root: str,
        imports: Sequence[str],
        packages: Sequence[str] = (),
        lent: Sequence[str] = (),
        names: Mapping[str, str] = types.MappingProxyType({}),
    ) -> None:
        self.root, self.imports, self._packages = root, tuple(imports), tuple(packages)
        self.names = names
        self._lent_finder = _LentFinder(lent, self.imports)

    def overlay(self, sources: Iterable[Source]) -> Overlay:
        """What serves these modules in the project."""
        folder = next((path for path in self.imports if self.has(path)), self.root)
        return Overlay(sources, folder, self._lent_finder)

    def find(self, name: str, path: Sequence[str] | None) -> ModuleSpec | None:
        """Where a module is, in a folder that can't be listed too."""
        there = PathFinder.find_spec(name, path)
        return self._lent_finder.find_spec(name, path) if there is None or there.origin is None else there

    def enter(self) -> None:
        """Have its modules be found, after those of the standard library. Nothing is imported."""
        sys.dont_write_bytecode = True
        ours = (*self.imports, *self._packages)
        sys.path[:] = [*(path for path in sys.path if path not in ours), *ours]
        if self._lent_finder not in sys.meta_path:
            sys.meta_path.append(self._lent_finder)

    def has(self, path: object) -> bool:
        """Whether a file or folder is the project's own, and none that is installed in an environment within it."""
        if type(path) is not str or not (path == self.root or path.startswith(f"{self.root}/")):
            return False
        return _INSTALLED.isdisjoint(path[len(self.root) :].split("/"))

    def is_own(self, name: str) -> bool:
        """Whether the module that was imported by that name is the project's own."""
        module: Any = sys.modules.get(name)
        return type(module) is types.ModuleType and any(map(self.has, _places(module)))


def _places(module: types.ModuleType) -> list[object]:
    """Where a module's file is; of a package without one (a namespace), its folders."""
    held = vars(module)
    file = held.get("__file__")
    if file is not None:
        return [file]
    try:
        return list(held.get("__path__") or ())
    except Exception:  # noqa: BLE001 - a candidate may have put anything there
        return []
