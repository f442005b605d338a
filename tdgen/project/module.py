"""A module of a project as text: its bytes decoded, its name, and the functions, classes and methods in it."""

from __future__ import annotations

import ast
import codecs
import io
import keyword
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from tdgen.errors import InputError
from tdgen.project.root import Project
from tdgen.source.names import STDLIB
from tdgen.source.replacing import Piece, header_text, is_placeholder, last_line
from tdgen.source.syntax import Function, docstring_of, first_line
from tdgen.source.trees import bare, decorator_names, dotted

_ABSTRACT: Final = ("overload", "abstractmethod", "abstractproperty")
_ACCESSORS: Final = {"setter", "getter", "deleter"}


class Unit(NamedTuple):
    """A function, a class, or a method (`Class.method`) of a module: lines from 1, with decorators, both included.

    `refused` says why it can't be told which code the name stands for; "" where it can.
    """

    name: str
    node: Function | ast.ClassDef
    first: int
    last: int
    signature: str
    docstring: str
    is_stub: bool
    refused: str = ""

    @property
    def owner(self) -> str:
        """The class of a method; "" for what stands at the top level."""
        return self.name.rpartition(".")[0]


class Module(NamedTuple):
    """A module: `name` is its dotted name, `path` its path from the project's root, `text` what `data` decodes to.

    The text has no byte order mark; `encoded` puts it back. A module that `is_new` has no file yet.
    """

    name: str
    path: str
    file: Path
    data: bytes
    encoding: str
    text: str
    units: dict[str, Unit]
    is_new: bool = False

    def is_as_read(self) -> bool:
        """Whether its file still holds what was read."""
        try:
            return self.file.read_bytes() == self.data
        except OSError:
            return False

    def encoded(self, text: str) -> bytes:
        """Another text in the module's own encoding; InputError where it holds what the encoding can't."""
        try:
            data = text.encode(self.encoding)
        except UnicodeEncodeError as error:
            character = text[error.start]
            raise InputError(
                f"{self.path} is in {self.encoding}, which has no {character!r}: save it as UTF-8"
            ) from None
        return codecs.BOM_UTF8 + data if self.data.startswith(codecs.BOM_UTF8) else data


def read_module(project: Project, path: Path) -> Module:
    """The module in a file; InputError where it can't be read or does not parse."""
    file = project.inside(path)
    if path.is_symlink():
        raise InputError(f"{path} is a link: name the file that it links to, {project.relative(file)}")
    if not file.is_file() or file.suffix != ".py":
        raise InputError(f"{path} is no Python file: name one, such as package/module.py")
    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}") from None
    relative = project.relative(file)
    encoding, text = decoded(data, relative)
    try:
        units = units_of(text)
    except SyntaxError as error:
        where = f" (line {error.lineno})" if error.lineno else ""
        its, own = (".".join(map(str, version)) for version in (project.environment.version, sys.version_info[:2]))
        is_later = project.environment.version > sys.version_info[:2]
        later = f": tdgen runs on Python {own} and reads its syntax; install it with {its}" * is_later
        raise InputError(f"{relative} does not parse: {error.msg}{where}{later}") from None
    return Module(module_name(project, file), relative, file, data, encoding, text, units)


def new_module(project: Project, path: Path) -> Module:
    """A module that is to be made, still empty; InputError where its file has no place, or a name for no module."""
    file = project.inside(path)
    relative = project.relative(file)
    if file.suffix != ".py":
        raise InputError(f"{path} is no Python file: name one, such as package/module.py")
    if not file.parent.is_dir():
        raise InputError(
            f"{relative} can't be made: the folder {project.relative(file.parent)} is not there, make it first"
        )
    name = module_name(project, file)
    problem = unimportable(name) or (f"{name!r} is a module of Python's own" if name in STDLIB else "")
    if not problem and file.with_suffix("").is_dir():
        problem = f"a package of that name is there, {file.stem}/"
    if problem:
        raise InputError(f"{relative} can't be made: {problem}")
    return Module(name, relative, file, b"", "utf-8", "", {}, is_new=True)


def unimportable(name: str) -> str:
    """Why no test can import a module of that name; empty where one can."""
    wrong = next((part for part in name.split(".") if not part.isidentifier() or keyword.iskeyword(part)), None)
    return "" if wrong is None else f"{wrong!r} is no name that can be imported"


def decoded(data: bytes, path: str) -> tuple[str, str]:
    """The encoding that a source declares, and its text, line ends as they are; InputError where it is no text."""
    try:
        encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
        encoding = "utf-8" if encoding == "utf-8-sig" else encoding
        return encoding, data.removeprefix(codecs.BOM_UTF8).decode(encoding)
    except (SyntaxError, UnicodeError, LookupError) as error:
        raise InputError(f"{path} can't be read as text: {error}") from None


def module_name(project: Project, file: Path) -> str:
    """The dotted name by which a file is imported, from the innermost import folder that it lies in."""
    folders = [folder for folder in project.import_folders if file.is_relative_to(folder)]
    base = max(folders, key=lambda folder: len(folder.parts))
    parts = file.relative_to(base).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def units_of(text: str) -> dict[str, Unit]:
    """The units of a module by their names, also those that can't be chosen, and why; SyntaxError where it has none."""
    units: dict[str, Unit] = {}
    for unit in _units(Piece(text)):
        is_stub = unit.is_stub or (
            unit.name in units and units[unit.name].is_stub
        )  # one that is there twice is refused
        units[unit.name] = unit._replace(is_stub=is_stub)
    return units


def line_of(file: Path, name: str) -> int:
    """The line of a unit's `def` or `class` in a file as it is; 1 where the file lacks it, or can't be read."""
    try:
        unit = units_of(decoded(file.read_bytes(), str(file))[1]).get(name)
    except (OSError, InputError, SyntaxError):
        return 1
    return unit.node.lineno if unit else 1


def _units(piece: Piece) -> Iterator[Unit]:
    everywhere = [*_defined(piece.tree.body)]
    for node in piece.tree.body:
        if isinstance(node, Function | ast.ClassDef) and "overload" not in decorator_names(node):
            refused = _refusal(node, [other for other in everywhere if other.name == node.name])
            yield _unit(node, node.name, piece, refused)
            if isinstance(node, ast.ClassDef):
                yield from (unit._replace(refused=refused or unit.refused) for unit in _methods(node, piece))
    top = {node.name for node in piece.tree.body if isinstance(node, Function | ast.ClassDef)}
    for node in everywhere:
        if node.name not in top:
            why = f"{node.name} is defined under a condition (line {node.lineno}): tdgen takes what is defined once"
            yield _unit(node, node.name, piece, why)


def _methods(owner: ast.ClassDef, piece: Piece) -> Iterator[Unit]:
    everywhere = [*_defined(owner.body)]
    for node in everywhere:
        if not isinstance(node, Function) or "overload" in decorator_names(node):
            continue
        others = [other for other in everywhere if other.name == node.name and not _ACCESSORS & decorator_names(other)]
        unit = _unit(node, f"{owner.name}.{node.name}", piece, _refusal(node, others, owner))
        is_member = any(dotted(bare(base)).endswith("Protocol") for base in owner.bases)
        yield unit._replace(is_stub=unit.is_stub and not is_member and not is_abstract(node))


def _refusal(
    node: Function | ast.ClassDef, others: list[Function | ast.ClassDef], owner: ast.ClassDef | None = None
) -> str:
    """Why a name can't be chosen: it is defined again, or under a condition."""
    name = f"{owner.name}.{node.name}" if owner else node.name
    others = [other for other in others if "overload" not in decorator_names(other)]
    if len(others) > 1:
        lines = ", ".join(str(other.lineno) for other in others)
        return f"{name} is defined {len(others)} times (lines {lines}): leave one of them"
    if _ACCESSORS & decorator_names(node):
        return f"{name} is a property with several functions: tdgen can't tell which is meant"
    if owner and node not in owner.body:
        return f"{name} is defined under a condition (line {node.lineno}): tdgen takes what is defined once"
    return ""


def _unit(node: Function | ast.ClassDef, name: str, piece: Piece, refused: str) -> Unit:
    doc = ast.get_docstring(node) or ""
    rest = [statement for statement in node.body if statement is not docstring_of(node)]
    is_stub = bool(rest)
    for statement in rest:
        raised = statement.exc if isinstance(statement, ast.Raise) else None
        named = raised.func if isinstance(raised, ast.Call) else raised
        is_open = named is not None and dotted(named) == "NotImplementedError"
        is_stub = is_stub and (is_open or is_placeholder(statement))
    return Unit(name, node, first_line(node), last_line(node), header_text(piece, node), doc, is_stub, refused)


def _defined(body: list[ast.stmt]) -> Iterator[Function | ast.ClassDef]:
    """The definitions of a body, and of the conditions in it."""
    for node in body:
        if isinstance(node, Function | ast.ClassDef):
            yield node
        elif isinstance(node, ast.If | ast.Try | ast.With):
            handlers = [inner for handler in getattr(node, "handlers", ()) for inner in handler.body]
            yield from _defined([*node.body, *handlers, *getattr(node, "orelse", ()), *getattr(node, "finalbody", ())])


def is_abstract(node: Function | ast.ClassDef) -> bool:
    """Whether a method is only there to be overridden."""
    return not decorator_names(node).isdisjoint(_ABSTRACT)
