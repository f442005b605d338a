"""A developer's answer as a change of the project: functions and methods in their places, and nothing else."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from tdgen.errors import ReplyError
from tdgen.project.gate import Edit, new_functions
from tdgen.project.module import Module, Unit, units_of
from tdgen.replies.code import fenced_blocks, without_thinking
from tdgen.source.fragment import Fragment
from tdgen.source.laying import laid
from tdgen.source.syntax import Definition, Function, first_line, lines_of, parse
from tdgen.source.trees import parameter_names

_PYTHON: Final = ("", "python", "py", "python3", "py3")
_PATH: Final = re.compile(r"^\s*#\s*(?:module\s+|file\s*:?\s*)?`?(?P<path>[\w./-]+\.py)`?\s*$")


@dataclass(frozen=True)
class Changed:
    """Modules with their new texts, and the units in them whose code is another."""

    texts: tuple[tuple[Module, str], ...]
    units: tuple[tuple[Module, Unit], ...]

    @property
    def overlay(self) -> dict[str, str]:
        """The new texts by the modules' names."""
        return {module.name: text for module, text in self.texts}

    @property
    def edit(self) -> Edit:
        """The change as the gate has it."""
        functions = frozenset[str]().union(*(new_functions(module.text, text) for module, text in self.texts))
        return Edit(self.overlay, frozenset(module.path for module, _ in self.texts), functions)

    @property
    def diff(self) -> str:
        """The change as a unified diff with little around."""
        lines: list[str] = []
        for module, text in self.texts:
            before, after = lines_of(module.text), lines_of(text)
            names = f"a/{module.path}", f"b/{module.path}"
            lines += (f"{line}\n" for line in difflib.unified_diff(before, after, *names, n=1, lineterm=""))
        return "".join(lines)

    @property
    def lines(self) -> int:
        """How many lines are taken away or added."""
        lines = (line for line in self.diff.splitlines() if not line.startswith(("---", "+++")))
        return sum(line.startswith(("-", "+")) for line in lines)


def _changed_units(module: Module, text: str) -> Iterator[Unit]:
    """The functions and methods whose code is another in a new text, as they are there, those that are new too."""
    for name, unit in units_of(text).items():
        if isinstance(unit.node, Function):
            old = module.units.get(name)
            if old is None or ast.dump(old.node) != ast.dump(unit.node):
                yield unit


def read_change(text: str, modules: Mapping[str, Module]) -> Changed:
    """The change in an answer; `modules`, by their paths, are those that may change.

    ReplyError, with every reason, where it can't be used.
    """
    blocks: dict[str, str] = {}
    for path, code in _blocks(text, modules):
        blocks[path] = f"{blocks[path]}\n\n{code}" if path in blocks else code
    if not blocks:
        raise ReplyError("the answer holds no fenced Python block with changed code")
    texts, units, reasons = [], [], list[str]()
    for path, code in blocks.items():
        if path not in modules:
            reasons.append(f"{path} is not to be changed: name a module that was shown")
            continue
        try:
            new = _laid(modules[path], code)
        except ReplyError as error:
            reasons += [f"{path}: {reason}" for reason in error.reasons or (str(error),)]
            continue
        if new != modules[path].text:
            texts.append((modules[path], new))
            units += [(modules[path], unit) for unit in _changed_units(modules[path], new)]
    if reasons:
        raise ReplyError(reasons[0], tuple(reasons))
    if not texts:
        raise ReplyError("the answer changes nothing")
    return Changed(tuple(texts), tuple(units))


def _blocks(text: str, modules: Mapping[str, Module]) -> Iterator[tuple[str, str]]:
    """The code of an answer by the path that stands before it; without one, by what it defines."""
    for block in fenced_blocks(without_thinking(text)):
        if block.language not in _PYTHON:
            continue
        part: list[str] = []
        path = ""
        for line in lines_of(block.text):
            if match := _PATH.match(line):
                if any(map(str.strip, part)):
                    yield path or _home("\n".join(part), modules), "\n".join(part)
                path, part = match["path"].removeprefix("./"), []
            else:
                part.append(line)
        if any(map(str.strip, part)):
            yield path or _home("\n".join(part), modules), "\n".join(part)


def _home(code: str, modules: Mapping[str, Module]) -> str:
    """The one module that defines all that a piece of code defines."""
    try:
        names = [node.name for node in parse(code).body if isinstance(node, Definition)]
    except SyntaxError:
        names = []
    homes = [path for path, module in modules.items() if names and any(name in module.units for name in names)]
    if len(homes) == 1:
        return homes[0]
    raise ReplyError("begin each block with the comment `# <the module's path>`: else it can't be told what changes")


def _laid(module: Module, code: str) -> str:
    """The module's text with the code in its place; ReplyError where that can't be."""
    try:
        tree = parse(code)
    except SyntaxError as error:
        raise ReplyError(f"the code does not parse: {error.msg} (line {error.lineno})") from None
    lines = lines_of(code)
    imports: list[str] = []
    changed: list[Definition] = []
    beside: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports += [ast.unparse(node)] * (getattr(node, "module", "") != "__future__")
        elif isinstance(node, Definition) and node.name in module.units:
            changed.append(node)
        elif isinstance(node, Definition | ast.Assign | ast.AnnAssign):
            beside.append(_text(lines, node))
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            raise ReplyError(f"line {node.lineno}: only functions, classes, imports and constants can stand there")
    if reasons := [*_refusals(module, changed), *_bound_again(module, tree)]:
        raise ReplyError(reasons[0], tuple(reasons))
    if not changed:
        raise ReplyError(f"it changes no function of {module.path}")
    fragments = {node.name: Fragment((), _text(lines, node) + "\n") for node in changed}
    first = changed[0].name
    fragments[first] = Fragment(tuple(dict.fromkeys(imports)), "\n\n\n".join([*beside, fragments[first].body]))
    methods = {
        node.name: [inner.name for inner in node.body if isinstance(inner, Function)]
        for node in changed
        if isinstance(node, ast.ClassDef)
    }
    try:
        return laid(module.text, fragments, methods=methods, module=module.name)
    except (ValueError, SyntaxError) as error:
        raise ReplyError(f"the code can't be laid into the module: {error}") from None


def _text(lines: list[str], node: ast.stmt) -> str:
    return "\n".join(lines[first_line(node) - 1 : node.end_lineno])


def _refusals(module: Module, changed: Iterable[Definition]) -> Iterator[str]:
    """Why changed definitions can't take the place of those in the module."""
    for node in changed:
        unit = module.units[node.name]
        if isinstance(node, ast.ClassDef) != isinstance(unit.node, ast.ClassDef):
            yield f"{node.name} is a {'class' if isinstance(unit.node, ast.ClassDef) else 'function'} there"
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                name = f"{node.name}.{getattr(inner, 'name', '')}"
                if isinstance(inner, Function) and name in module.units:
                    yield from _refusal(module.units[name], inner)
        elif isinstance(node, Function):
            yield from _refusal(unit, node)


def _refusal(unit: Unit, node: Function) -> Iterator[str]:
    there = parameter_names(unit.node)
    if unit.refused:
        yield unit.refused
    elif parameter_names(node) != there:
        yield f"the parameters of {unit.name} are {', '.join(there) or 'none'}: keep its signature"


def _bound_again(module: Module, tree: ast.Module) -> Iterator[str]:
    """Constants of the module that the code gives another value: only functions change."""
    known: dict[str, str] = {}
    for node in parse(module.text).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            known[node.targets[0].id] = ast.dump(node.value)
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name):
            value = ast.dump(node.value)
            if known.get(target.id, value) != value:
                yield f"{target.id} is a constant of the module: change functions alone"
