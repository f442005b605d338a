"""What prompts may see of a project: signatures, documentation, attributes, constants near to what is to be filled."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from textwrap import indent
from typing import Final, Literal, NamedTuple

from tdgen.project.beside import code_beside, unused_imports
from tdgen.project.data_types import data_type
from tdgen.project.focus import Focus, words_of
from tdgen.project.index import Found, Index
from tdgen.project.module import Module
from tdgen.project.outline import Entry
from tdgen.source.imports import Imports
from tdgen.source.syntax import Function, defined_names, lines_of, parse
from tdgen.source.trees import parameter_names, stored_names
from tdgen.types import SharedType

TOKENS: Final = 3_000
"""How many tokens prompts see of a project unless told otherwise. Not tuned."""
_CHARACTERS: Final = 4
"""Of a token: an estimate for code in English."""
_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
"""A word in a name."""
_Docs = Literal["whole", "first", "brief", "named"]
_DOCS: Final[tuple[_Docs, ...]] = ("whole", "first", "brief", "named")
_FEW: Final = 2_000
"""How many characters a module's other definitions may have to be shown with what they say of themselves; else they are
named alone: in a module of seventy functions they were half of every prompt. Not tuned."""
_TESTS: Final = re.compile(r"tests?$|test_|conftest$")


class Context(NamedTuple):
    """What every prompt may see, and what the planner and the developer see besides.

    `helpers` are functions of the module, without code, that only new code may call.
    `public` has the public attributes of the classes shown, by their qualified names (`shop.money.Money`), `types` are
    those that only hold data and that the module has by name. `elsewhere` are names that cases may use though the
    module lacks them when it runs, by the qualified names of what they stand for.
    """

    prompt: str
    code: str
    helpers: str
    public: dict[str, tuple[str, ...]]
    types: tuple[SharedType, ...]
    elsewhere: dict[str, str]


def context_of(index: Index, module: Module, focus: Focus, tokens: int = TOKENS) -> Context:
    """The context of a module: what is nearest to the focus within about `tokens`, shown in the modules' order.

    The developer's code has at most half as many tokens again.
    """
    head = _head(module)
    room = tokens * _CHARACTERS - len(head) - len(_title(module.name, module))
    shown: dict[Found, str] = {}
    near, further, imported, neighbours = _ranked(index, module, focus)
    are_few = sum(len(_rendered(one.entry, "first")) for one in neighbours) <= _FEW
    least = {**dict.fromkeys(near, 0), **dict.fromkeys(further, 1), **dict.fromkeys(imported, 2)}
    least |= dict.fromkeys(neighbours, 1 if are_few else 3)
    for one, first in least.items():
        is_new = one.module not in {module.name, *(other.module for other in shown)}
        entry = one.entry
        if one.module == module.name and entry.name in {*focus.told, *focus.owners}:
            told = module.units[entry.name].docstring.strip()  # whole: its examples decide
            entry = entry._replace(doc="" if entry.name in focus.told else told)
        for docs in _DOCS[first:]:
            text = _rendered(entry, docs)
            size = len(text) + 2 + len(_title(one.module, module)) * is_new
            if one not in shown and size <= room:
                shown[one] = text
                room -= size
    classes = [one for one in shown if one.entry.kind == "class"]
    public = {f"{one.module}.{one.entry.name}": index.attributes(one.module, one.entry.name) for one in classes}
    there = (one.entry for one in classes if index.resolve(module.name, one.entry.name) == one)
    types = tuple(filter(None, map(data_type, there)))
    # A function beside what is near is one that new code may call, and cases need not where these make no instances.
    makes_instances = any(one.entry.kind == "class" for one in near)
    helpers = [one for one in neighbours if one in shown and one.entry.kind == "function" and not makes_instances]
    offered = {one: shown.pop(one) for one in helpers}
    prompt = "\n\n".join(_sections(index, module, head, shown))
    code = code_beside(index, module, focus, tokens * _CHARACTERS // 2, prompt)
    left = {one: offered[one] for one in sorted(offered, key=_line) if f"def {one.entry.name}(" not in code}
    return Context(prompt, code, _listed(left, focus), public, types, _elsewhere(index, module, shown))


def _listed(offered: Mapping[Found, str], focus: Focus) -> str:
    """Functions that new code may call; of many those that share no word with the focus are named alone."""
    said = _parts(words_of(focus.text), 3)
    are_few = sum(map(len, offered.values())) <= _FEW
    near = {one: text for one, text in offered.items() if are_few or said & _parts([one.entry.name], 3)}
    names = ", ".join(one.entry.name for one in offered if one not in near)
    return _joined([*near.values(), *([f"# and {names}"] if names else [])]) if offered else ""


def _parts(words: Iterable[str], longer_than: int = 0) -> set[str]:
    """The words in names, in small letters and in the singular."""
    parts = [part.lower() for word in words for part in _PART.findall(word) if len(part) > longer_than]
    return {part.removesuffix("s") if len(part) > 3 else part for part in parts}


def _line(one: Found) -> int:
    return one.entry.line


def _elsewhere(index: Index, module: Module, shown: Iterable[Found]) -> dict[str, str]:
    """What is shown of other modules, and what is imported for type checkers alone."""
    there = Imports(parse(module.text), module.name)
    places = {entry.entry.name: f"{entry.module}.{entry.entry.name}" for entry in shown if entry.module != module.name}
    for one in index.sources[module.name].outline.imports:
        if one.attribute not in ("", "*"):
            places[one.name] = f"{index.origin(module.name, one)}.{one.attribute}"
    known = vars(builtins)
    return {n: places[n] for n in sorted(places) if not (there.binds(n) or n in known or n.startswith("_"))}


def _ranked(index: Index, module: Module, focus: Focus) -> tuple[list[Found], ...]:
    """What may be shown, the nearest first: a method's class and what is mentioned; what this mentions; the rest.

    The rest is what the module imports, with which its functions mostly work, and its neighbours. As good as mentioned
    is what it imports and does not use, which nobody but the code that is missing needs, a class called like a
    parameter, and what sets the module's own state, without which no case can reach it.
    """
    first = [*_mentioned(index, module.name, focus.owners)]
    first += _mentioned(index, module.name, sorted(focus.annotations))
    words = words_of(focus.text) - focus.annotations
    first += _mentioned(index, module.name, sorted(words))
    first += _elsewhere_named(index, module.name, sorted(focus.as_code & words))
    known_names = {one.entry.name for one in first}
    spoken = _spoken_of(index, module.name, words) if not focus.units else []
    first += [one for one in spoken if one.entry.name not in known_names]
    around = [one for owner in first[: len(focus.owners)] for one in _of(index, owner)]
    further = [*_mentioned(index, module.name, unused_imports(index, module) if focus.units else ())]
    further += _mentioned(index, module.name, [*_like_parameters(module, focus.units)])
    further += [one for near in [*first, *around] for one in _of(index, near)]
    further += _mentioned(index, module.name, _setters(module) if focus.units else ())
    entries = index.sources[module.name].outline.entries
    neighbours = [Found(module.name, one) for one in entries if focus.helpers or one.kind != "function"]
    neighbours = [one for one in neighbours if not _says_nothing(one.entry, entries)]
    names = [one.name for one in index.sources[module.name].outline.imports] if focus.units else []
    imported = [one for one in _mentioned(index, module.name, names) if one.module != module.name]
    known = {one for one in neighbours if one.entry.name in focus.units}
    groups = []
    for group in (first, [*around, *further], imported, neighbours):
        groups.append([one for one in dict.fromkeys(group) if one not in known])
        known.update(group)
    return tuple(groups)


def _says_nothing(entry: Entry, beside: Collection[Entry]) -> bool:
    """Whether a constant has no value that is shown, and is private or is only another value of a class's name."""
    is_known = entry.name.startswith("_") or any(one.name == entry.name and one.kind != "constant" for one in beside)
    return entry.kind == "constant" and entry.text == f"{entry.name} = ..." and is_known


def _spoken_of(index: Index, module: str, words: Iterable[str]) -> list[Found]:
    """What prose names as one speaks: `round_half_up` by "round", "half" and "up", the class `Order` by "orders".

    Those of the most words first, then those of the nearest modules. A function's single word says too little.
    """
    parts_said = _parts(words)
    package = module.rpartition(".")[0]
    ranked = []
    for name, source in index.sources.items():
        if any(_TESTS.match(part) for part in name.split(".")):
            continue
        distance = 0 if name == module else 1 if name.rpartition(".")[0] == package else 2
        for entry in source.outline.entries:
            parts = _parts([entry.name])
            is_told = entry.kind == "class" or len(parts) > 1
            if is_told and parts and not entry.name.startswith("_") and parts <= parts_said:
                ranked.append((-len(parts), distance, name, entry.line, Found(name, entry)))
    return [best for *_, best in sorted(ranked, key=lambda one: one[:-1])]


def _of(index: Index, one: Found) -> Iterator[Found]:
    """What an entry's header, bases and members mention."""
    entry = one.entry
    text = " ".join([entry.text.partition("(")[2], *entry.bases, *(member.text for member in entry.members)])
    yield from _mentioned(index, one.module, sorted(words_of(text) - {entry.name}))


def _mentioned(index: Index, module: str, names: Iterable[str]) -> Iterator[Found]:
    """What names mean in a module; what reads like a class, and is one of the project, need not be imported there."""
    for name in names:
        meant = index.resolve(module, name)
        if meant is None and name[:1].isupper() and len(name) > 2:
            meant = index.anywhere(name)
        if meant:
            yield meant


def _elsewhere_named(index: Index, module: str, names: Iterable[str]) -> Iterator[Found]:
    """What docs name as code that one other module alone defines, its name being no usual word of Python's."""
    for name in names:
        there = None if index.resolve(module, name) or hasattr(builtins, name) else index.anywhere(name)
        if there and len(name) > 3 and not any(_TESTS.match(part) for part in there.module.split(".")):
            yield there


def _like_parameters(module: Module, units: Iterable[str]) -> Iterator[str]:
    """The names that classes have if units' parameters, without an annotation, are called so: `Token` by `token`."""
    for unit in units:
        for one in ast.walk(module.units[unit].node):
            if isinstance(one, ast.arg) and one.annotation is None:
                yield "".join(part.capitalize() for part in one.arg.split("_"))


def _setters(module: Module) -> Iterator[str]:
    """The public functions of a module that set what it keeps: a global, or a part of what its top level assigned."""
    tree = parse(module.text)
    kept = {name for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign) for name in defined_names(node)}
    for node in (node for node in tree.body if isinstance(node, Function) and not node.name.startswith("_")):
        own = kept - stored_names(node) - set(parameter_names(node))
        inner = list(ast.walk(node))
        parts = [one for one in inner if isinstance(one, ast.Attribute | ast.Subscript)]
        changed = {re.split(r"\W", ast.unparse(one))[0] for one in parts if not isinstance(one.ctx, ast.Load)}
        if any(isinstance(one, ast.Global) for one in inner) or own & changed:
            yield node.name


def _rendered(entry: Entry, docs: _Docs) -> str:
    """An entry as a stub file has it, with its documentation whole or its first paragraphs, a class's members' too.

    Briefly members say nothing of themselves; who is named alone says nothing at all.
    """
    if docs == "named" and entry.kind == "function":
        return f"{entry.text} ..."

    def told(doc: str) -> str:
        return _quoted(doc if docs == "whole" else doc.split("\n\n")[0])

    if entry.kind == "constant":
        return entry.text
    parts = [told(entry.doc) if entry.doc and docs != "named" else "..."]
    parts += [member.text for member in entry.members if not member.is_method]
    if docs == "named":
        return f"{entry.text} ..." if len(parts) == 1 else f"{entry.text}\n{indent(chr(10).join(parts[1:]), '    ')}"
    for member in (member for member in entry.members if member.is_method):
        body = f"\n{indent(told(member.doc), '    ')}" if member.doc and docs != "brief" else " ..."
        parts.append(f"{member.text}{body}")
    return f"{entry.text}\n{indent(chr(10).join(parts), '    ')}"


def _quoted(doc: str) -> str:
    return f'"""{doc}\n"""' if "\n" in doc else f'"""{doc}"""'


def _sections(index: Index, module: Module, head: str, shown: dict[Found, str]) -> Iterator[str]:
    """The shown texts by module, the stubs' own first, each in the order of its lines."""
    others = sorted({one.module for one in shown} - {module.name})
    for name in [module.name, *others]:
        held = sorted((one for one in shown if one.module == name), key=_line)
        texts = [shown[one] for one in held]
        if name == module.name and head:
            texts.insert(0, head)
        if texts:
            yield f"{_title(name, module)}\n\n{_joined(texts)}"


def _title(name: str, module: Module) -> str:
    return f"# module {name}" + ", the code's place" * (name == module.name)


def _joined(texts: list[str]) -> str:
    """Texts with a blank line between, but for constants beside each other."""
    joined = texts[0]
    for before, text in pairwise(texts):
        joined += ("\n\n" if "\n" in before or "\n" in text else "\n") + text
    return joined


def _head(module: Module) -> str:
    """The first paragraph of the module's docstring, and the import statements at its top as they stand there."""
    tree = parse(module.text)
    lines = lines_of(module.text)
    about = (ast.get_docstring(tree) or "").split("\n\n")[0]
    nodes = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    imports = ("\n".join(lines[node.lineno - 1 : node.end_lineno]) for node in nodes)
    return "\n".join([*([_quoted(about)] if about else []), *imports])
