"""The names of a whole project by module, read once: outlines are kept by each file's path, size and time of change."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from tdgen.errors import InputError
from tdgen.files.saving import write_file
from tdgen.project.module import decoded, module_name
from tdgen.project.outline import Entry, Imported, Outline, from_json, outline
from tdgen.project.root import Project

_FORMAT: Final = 5
_LARGEST: Final = 1_000_000
"""How many bytes a file may have that is read: larger ones are data. Not tuned."""
_FARTHEST: Final = 8
"""How many re-exports, or bases, are followed."""

_Known = dict[str, tuple[int, int, Outline]]


class Source(NamedTuple):
    """A file of the project, and what it offers."""

    file: Path
    outline: Outline

    @property
    def is_package(self) -> bool:
        """Whether it is the module of a package itself."""
        return self.file.name == "__init__.py"


class Found(NamedTuple):
    """What a name turned out to stand for, and the module that defines it."""

    module: str
    entry: Entry


class Index:
    """The modules of a project by their dotted names."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self.sources = sources

    def over(self, texts: Mapping[str, str]) -> Index:
        """The same with modules, by name, that have other texts by now."""
        laid = {name: self.sources[name]._replace(outline=outline(text)) for name, text in texts.items()}
        return Index({**self.sources, **laid})

    def resolve(self, module: str, name: str, far: int = _FARTHEST) -> Found | None:
        """What a name means in a module; None for what is not the project's, or can't be told."""
        source = self.sources.get(module)
        if source is None or not far:
            return None
        if entry := source.outline.get(name):
            return Found(module, entry)
        for imported in source.outline.imports:
            if imported.name in (name, "*") and imported.attribute:
                meant = self.resolve(
                    self.origin(module, imported), name if imported.name == "*" else imported.attribute, far - 1
                )
                if meant:
                    return meant
        return None

    def origin(self, module: str, imported: Imported) -> str:
        """The full name of the module that an import names."""
        if not imported.level:
            return imported.module
        parts = module.split(".")
        source = self.sources.get(module)
        above = imported.level - bool(source and source.is_package)
        return ".".join(filter(None, [*parts[: max(len(parts) - above, 0)], imported.module]))

    def imports(self, module: str) -> frozenset[str]:
        """The full names of the modules that a module imports; a name imported from a package may be one."""
        source = self.sources[module]
        origins = {(self.origin(module, one), one.attribute) for one in source.outline.imports}
        return frozenset(name for origin, attribute in origins for name in (origin, f"{origin}.{attribute}") if name)

    def leads_to(self, start: str, module: str) -> bool:
        """Whether importing the module `start` may import `module`, packages that `module` lies in aside."""
        waiting, met = [start], set[str]()
        while waiting:
            name = waiting.pop()
            if name == module:
                return True
            if name in met or name not in self.sources or module.startswith(f"{name}."):
                continue
            met.add(name)
            parts = name.split(".")
            waiting += [*self.imports(name), *(".".join(parts[:depth]) for depth in range(1, len(parts)))]
        return False

    def anywhere(self, name: str) -> Found | None:
        """The one class or function of this name in the project; None where there is none, or several."""
        places = [
            Found(module, entry)
            for module, source in self.sources.items()
            if (entry := source.outline.get(name)) and entry.kind != "constant"
        ]
        return places[0] if len(places) == 1 else None

    def attributes(self, module: str, name: str, far: int = _FARTHEST) -> tuple[str, ...]:
        """The public attributes of a class, also those of its bases in the project, methods left out."""
        owner = self.resolve(module, name)
        if owner is None or owner.entry.kind != "class" or not far:
            return ()
        own = [member.name for member in owner.entry.members if not member.is_method]
        inherited = (one for base in owner.entry.bases for one in self.attributes(owner.module, base, far - 1))
        return tuple(dict.fromkeys([*inherited, *own]))


def read_index(project: Project, folder: Path | None = None) -> Index:
    """The index of a project; outlines that still hold are taken from a file in `folder`, which is written anew."""
    kept = folder / f"{sha256(str(project.root).encode()).hexdigest()[:16]}.json" if folder else None
    known = _kept(kept) if kept else {}
    current: _Known = {}
    sources: dict[str, Source] = {}
    for file in project.sources():
        path = project.relative(file)
        with suppress(OSError):
            about = file.stat()
            held = known.get(path)
            if held is None or held[:2] != (about.st_size, about.st_mtime_ns):
                try:
                    if about.st_size > _LARGEST:
                        raise InputError("too large to be read")
                    new = outline(decoded(file.read_bytes(), path)[1])
                except InputError as error:
                    new = Outline(error=str(error))
                held = about.st_size, about.st_mtime_ns, new
            current[path] = held
            sources[module_name(project, file)] = Source(file, held[2])
    if kept and current != known:
        with suppress(OSError, InputError):
            kept.parent.mkdir(parents=True, exist_ok=True)
            write_file(kept, json.dumps({"format": _FORMAT, "files": current}, separators=(",", ":")))
    return Index(sources)


def _kept(path: Path) -> _Known:
    """The outlines in a file; none where it can't be used."""
    try:
        document = json.loads(path.read_bytes())
        if document["format"] != _FORMAT:
            return {}
        return {name: (size, time, from_json(held)) for name, (size, time, held) in document["files"].items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}
