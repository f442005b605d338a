"""What a module offers, without its code: headers, documentation, attributes, constants and tables as they begin."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import accumulate
from typing import Any, Final, Literal, NamedTuple

from tdgen.source.replacing import Piece, header_text
from tdgen.source.syntax import Function, is_literal, parse
from tdgen.source.trees import bare, decorator_names, dotted

_PROPERTIES: Final = ("property", "cached_property", "setter", "getter", "deleter")
_LONGEST: Final = 120
"""How many characters a constant's value may have that is shown. Not tuned."""
_LONGEST_ITEM: Final = 400
"""How many characters the first item of a table of calls may have. Not tuned."""
_LONGEST_DOC: Final = 1_200
"""How many characters of documentation are kept. Not tuned."""
_NESTED_IMPORT: Final = re.compile(r"[ \t]+(?:from[ \t]+\S+[ \t]+)?import[ \t]+\w")
_SET_ON_SELF: Final = re.compile(r"^[ \t]*self\.([A-Za-z]\w*)[ \t]*(:[^=\n]+)?=(?!=)[^\n#'\"]*(#[^\n]*)?", re.MULTILINE)
"""The name, the annotation, and the comment behind a value that holds no text."""

_EMPTY: Final = frozenset({"{}", "[]", "dict()", "list()", "set()"})

Kind = Literal["function", "class", "constant"]


class Member(NamedTuple):
    """What a class has: a method (its header and documentation) or an attribute (its declaration)."""

    name: str
    text: str
    doc: str
    is_method: bool


class Entry(NamedTuple):
    """What a name at a module's top level stands for. `text` is a header, or a constant's assignment."""

    name: str
    kind: Kind
    text: str
    doc: str = ""
    line: int = 0
    bases: tuple[str, ...] = ()
    members: tuple[Member, ...] = ()


class Imported(NamedTuple):
    """A name that a module imports: from `module` the name `attribute`; of `import a.b` there is no attribute."""

    name: str
    module: str
    attribute: str
    level: int


class Outline(NamedTuple):
    """A module's names in its order, and what it imports anywhere in it. `error` says why it can't be read."""

    entries: tuple[Entry, ...] = ()
    imports: tuple[Imported, ...] = ()
    error: str = ""

    def get(self, name: str) -> Entry | None:
        """What a name stands for; the last definition holds."""
        return next((entry for entry in reversed(self.entries) if entry.name == name), None)


def outline(text: str) -> Outline:
    """The outline of a source; where it does not parse, one that says so."""
    try:
        piece = Piece(text)
    except SyntaxError as error:
        return Outline(error=f"{error.msg} (line {error.lineno})")
    return Outline(tuple(_entries(piece)), tuple(_imports(piece)))


def from_json(document: list[Any]) -> Outline:
    """An outline out of the lists that JSON makes of one; ValueError, TypeError or LookupError where it is none."""
    entries, imports, error = document
    held = tuple(
        Entry(name, kind, text, doc, line, tuple(bases), tuple(Member(*member) for member in members))
        for name, kind, text, doc, line, bases, members in entries
    )
    return Outline(held, tuple(Imported(*one) for one in imports), error)


def _entries(piece: Piece) -> Iterator[Entry]:
    """What stands at the top; of a constant with several values, of which a condition decides, no value."""
    defined = list(_defined(piece))
    texts: dict[str, set[str]] = {}
    for entry in defined:
        texts.setdefault(entry.name, set()).add(entry.text)
    shown = set[str]()
    for entry in defined:
        if entry.kind != "constant" or len(texts[entry.name]) == 1:
            yield entry
        elif entry.name not in shown:
            shown.add(entry.name)
            yield entry._replace(text=f"{entry.name} = ...")


def _defined(piece: Piece) -> Iterator[Entry]:
    for node in _statements(piece.tree.body):
        if isinstance(node, Function):
            yield Entry(node.name, "function", header_text(piece, node), documentation(node), node.lineno)
        elif isinstance(node, ast.ClassDef):
            bases = tuple(filter(None, (dotted(bare(base)) for base in node.bases)))
            header = header_text(piece, node)
            decorators = "".join(f"@{ast.unparse(decorator)}\n" for decorator in node.decorator_list)
            members = tuple(_members(node, piece))
            yield Entry(node.name, "class", decorators + header, documentation(node), node.lineno, bases, members)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    text = _assignment(node, target.id) + _filled(node.value, target.id, piece)
                    yield Entry(target.id, "constant", text, line=node.lineno)


def _filled(value: ast.expr | None, name: str, piece: Piece) -> str:
    """What is said of an empty list or table into which the module puts something, on import or later."""
    if not isinstance(value, ast.Dict | ast.List | ast.Call) or ast.unparse(value) not in _EMPTY:
        return ""
    put = rf"^\s*{name}(\[.*\]\s*=[^=]|\.(append|extend|add|update|setdefault)\()"
    return "  # the module fills it" if any(re.match(put, line) for line in piece.lines) else ""


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, and of the conditions at its top level."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try):
            handlers = [inner for handler in getattr(node, "handlers", ()) for inner in handler.body]
            yield from _statements([*node.body, *handlers, *node.orelse, *getattr(node, "finalbody", ())])


def documentation(node: Function | ast.ClassDef) -> str:
    """A definition's docstring, its first paragraphs alone where it is long."""
    first, *others = (ast.get_docstring(node) or "").strip().split("\n\n")
    for paragraph in others:
        if len(first) + len(paragraph) > _LONGEST_DOC:
            break
        first += f"\n\n{paragraph}"
    return first


def _assignment(node: ast.Assign | ast.AnnAssign, name: str) -> str:
    """`NAME: int = 3`; of a long table its first items, of another long value or of no literal nothing."""
    note = f": {ast.unparse(node.annotation)}" if isinstance(node, ast.AnnAssign) else ""
    if node.value is None:
        return name + note
    # All of a data type is told: its fields stand nowhere else.
    made = dotted(node.value.func).rpartition(".")[2] if isinstance(node.value, ast.Call) else ""
    is_short = (node.end_lineno or 0) - node.lineno < 4 and is_shown(node.value)
    is_type = made in ("namedtuple", "NamedTuple", "TypedDict", "Enum")
    # A long value of another kind is not written out: a sum over many lines is too deep for that.
    text = ast.unparse(node.value) if is_short or is_type else ""
    if is_short or (is_type and len(text) <= _LONGEST_DOC):
        return f"{name}{note} = {text}"
    return f"{name}{note} = {_beginning(node.value)}"


def _beginning(value: ast.expr) -> str:
    """A table's first items, such that it stays short: `{'a': 1, ...}`; of one with long values all its keys.

    Of a table of calls it is the first item, however few there is room for: it shows what the others are, too.
    """
    named: list[str] = []
    match value:
        case ast.Dict(keys=keys, values=values):
            items = [
                f"{ast.unparse(key)}: {ast.unparse(one)}" if key else "" for key, one in zip(keys, values, strict=True)
            ]
            named = [f"{ast.unparse(key)}: ..." for key in keys if key]
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            items = [ast.unparse(one) for one in elements]
        case _:
            return "..."
    ends = accumulate(len(item) + 2 for item in items)
    shown = [item for item, end in zip(items, ends, strict=True) if item and end <= _LONGEST]
    brackets = {ast.List: "[]", ast.Tuple: "()"}.get(type(value), "{}")
    if isinstance(value, ast.Dict) and value.values and isinstance(value.values[0], ast.Call):
        return f"{{{items[0]}, ...}}" if len(items[0]) <= _LONGEST_ITEM else "..."
    if not is_literal(value):
        return "..."
    if 2 * len(shown) < len(named) and len(keys_alone := f"{{{', '.join(named)}}}") <= _LONGEST:
        return keys_alone
    if not shown:
        return "..."
    return f"{brackets[0]}{', '.join([*shown, '...'])}{brackets[1]}"


def is_shown(value: ast.expr) -> bool:
    """Whether a value is a short literal, or a short call or type that says as much as one."""
    text = ast.unparse(value)
    return len(text) <= _LONGEST and (is_literal(value) or not isinstance(value, ast.Lambda | ast.GeneratorExp))


def _members(node: ast.ClassDef, piece: Piece) -> Iterator[Member]:
    """Declared attributes, then those that methods set on `self`, then methods; private ones are left out."""
    attributes: dict[str, Member] = {}
    methods: list[Member] = []
    for statement in node.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            aliased = {method.name: method for method in methods}.get(getattr(statement.value, "id", ""))
            for name, text in _declared(statement):
                if aliased:  # `union = __or__` is one more method
                    header = re.sub(rf"\bdef {aliased.name}\b", f"def {name}", aliased.text)
                    methods.append(aliased._replace(name=name, text=header))
                else:
                    attributes.setdefault(name, Member(name, text, "", is_method=False))
        elif isinstance(statement, Function) and (not statement.name.startswith("_") or statement.name.endswith("__")):
            if not decorator_names(statement).isdisjoint(_PROPERTIES):
                note = f": {ast.unparse(statement.returns)}" if statement.returns else ""
                attributes.setdefault(
                    statement.name,
                    Member(statement.name, statement.name + note, documentation(statement), is_method=False),
                )
            elif not any(method.name == statement.name for method in methods):
                decorators = "".join(f"@{ast.unparse(one)}\n" for one in statement.decorator_list)
                header = decorators + header_text(piece, statement)
                methods.append(Member(statement.name, header, documentation(statement), is_method=True))
    last = node.end_lineno or node.lineno
    for name, annotation, comment in _SET_ON_SELF.findall("\n".join(piece.lines[node.lineno - 1 : last])):
        text = f"{name}{annotation.rstrip()}" + f"  {comment.rstrip()}" * bool(comment)
        attributes.setdefault(name, Member(name, text, "", is_method=False))
    yield from (member for member in (*attributes.values(), *methods))


def _declared(node: ast.Assign | ast.AnnAssign) -> Iterator[tuple[str, str]]:
    """The public attributes that an assignment in a class declares: fields, members of an enum, `__slots__`."""
    for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
        if not isinstance(target, ast.Name):
            continue
        if target.id == "__slots__":  # several names, or one by itself
            held = (item.value for item in getattr(node.value, "elts", [node.value]) if isinstance(item, ast.Constant))
            yield from ((name, name) for name in held if isinstance(name, str) and not name.startswith("_"))
        elif not target.id.startswith("_"):
            yield target.id, _assignment(node, target.id)


def _imports(piece: Piece) -> Iterator[Imported]:
    """What is imported at the top level, and on lines of their own in bodies."""
    for node in _statements(piece.tree.body):
        yield from imported(node)
    for line in piece.lines:
        if _NESTED_IMPORT.match(line):
            with suppress(SyntaxError):
                yield from (one for node in parse(line.strip()).body for one in imported(node))


def imported(node: ast.stmt) -> Iterator[Imported]:
    """What an import statement imports; nothing for other statements."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Imported(alias.asname or alias.name.partition(".")[0], alias.name, "", 0)
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            yield Imported(alias.asname or alias.name, node.module or "", alias.name, node.level)
