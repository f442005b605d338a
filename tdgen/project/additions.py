"""What a plan adds to a module of a project: that it is new there, and stubs of it laid in, with their docstrings.

From then on they are units of the module like those that its author left open.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from tdgen.files.ruff import format_source
from tdgen.project.siblings import standing_in
from tdgen.source.adding import members, with_added, with_methods, with_type_imports
from tdgen.source.fragment import Fragment
from tdgen.source.heads import DocStyle, docstring_lines, style_of
from tdgen.source.imports import Imports
from tdgen.source.replacing import Piece
from tdgen.source.syntax import Function, definition, parse
from tdgen.source.trees import free_names, import_lines
from tdgen.types import ClassInterface, FunctionSpec, Plan, Raises, SharedType, Target, bases_first

_LEFT_OPEN = "raise NotImplementedError"


def addition_problems(plan: Plan) -> Iterator[str]:
    """Where a plan has other things than new ones of the place that they are added to."""
    target = plan.target
    owner = target.added_to if target else None
    if target is None or owner is None:
        return
    if owner:
        yield from _method_problems(plan, target, owner)
        return
    there = target.names
    for name in [*(spec.name for spec in plan.functions), *(one.name for one in plan.declared_types)]:
        if name in there:
            yield f"{name!r} is in {target.path} already, and stays as it is: plan what is new, under another name"
    for one in plan.declared_types:
        if one.is_variable:
            yield f"{one.name!r}: plan no type variable here; annotate without"


def _method_problems(plan: Plan, target: Target, owner: str) -> Iterator[str]:
    """The same of the methods of a class."""
    beside = [
        name for name in [*(s.name for s in plan.functions), *(t.name for t in plan.declared_types)] if name != owner
    ]
    if beside:
        yield f"{', '.join(beside)}: planned beside the new methods of {owner}; plan these alone"
    spec = next((spec for spec in plan.functions if spec.name == owner), None)
    if spec is None or spec.interface is None or not spec.interface.methods:
        yield f"plan {owner!r} as one of `classes`, with its new methods"
        return
    node = definition(parse(target.source), owner)
    there = members(node) if isinstance(node, ast.ClassDef) else frozenset[str]()
    for name in sorted({method.name for method in spec.interface.methods} & there):
        yield f"{owner} has {name!r} already, and it stays as it is: plan what is new, under another name"


def with_stubs(plan: Plan) -> Plan:
    """The plan, its target with what is planned as stubs in it: units as any other target has them.

    As it is where its target has them already, or is none.
    """
    target = plan.target
    if target is None or target.added_to is None:
        return plan
    summary = " ".join(plan.summary.split())
    if not target.source.strip() and summary:
        doc = "\n".join(docstring_lines(summary, (), DocStyle(), 0))
        target = target.model_copy(update={"source": f"{doc}\n"})
    writer = StubWriter(target, Piece(target.source), plan)
    if owner := target.added_to:
        (spec,) = plan.functions
        text = with_methods(target.source, owner, writer.fragment(spec), module=target.module)
        units = {owner: _names(spec)}
    else:
        types = {one.name: one for one in plan.declared_types}
        classes = {spec.name: spec.interface.base_names for spec in plan.functions if spec.interface}
        others = [spec.name for spec in plan.functions if not spec.interface]
        declared = bases_first({name: (one.base,) for name, one in types.items()})
        added = {name: writer.declaration(types[name]) for name in declared}
        added |= {name: writer.fragment(plan.spec(name)) for name in (*bases_first(classes), *others)}
        text = with_added(target.source, added, module=target.module)
        units = {spec.name: _names(spec) for spec in plan.functions}
    text = with_type_imports(text, writer.type_imports, module=target.module)
    shown = "\n\n".join(one.source for one in plan.declared_types)
    addition = f"\n\n# new in module {target.module}\n\n{shown}" if shown else ""
    changed = {
        "source": text,
        "units": units,
        "added_to": None,
        "context": target.context + addition,
        "types": plan.types,
    }
    target = target.model_copy(update=changed)
    return plan.model_copy(update={"target": target.model_copy(update={"standing": standing_in(target)})})


def _names(spec: FunctionSpec) -> tuple[str, ...]:
    """A class's methods, each once."""
    return tuple(dict.fromkeys(method.name for method in spec.interface.methods)) if spec.interface else ()


class StubWriter:
    """Stubs in the style of a module."""

    def __init__(self, target: Target, piece: Piece, plan: Plan) -> None:
        self._target, self._unit, self._style = target, piece.unit, style_of(piece)
        self._packages = plan.packages
        self._there = target.names
        # A module has annotations where one function has them, or none has anything to annotate.
        nodes = [node for node in ast.walk(piece.tree) if isinstance(node, Function)]
        parts = [node.returns for node in nodes if node.returns]
        arguments = [part for node in nodes for part in ast.walk(node.args) if isinstance(part, ast.arg)]
        self._is_annotated = bool(parts) or any(one.annotation for one in arguments) or not arguments
        imports = Imports(piece.tree, target.module)
        self._is_lazy = imports.is_lazy
        self._quoted: list[str] = []
        self.type_imports: list[str] = []
        self._for_types = frozenset([*target.late, *(name for name in self._there if not imports.binds(name))])

    def fragment(self, spec: FunctionSpec) -> Fragment:
        """The stub of a unit, and the imports that it needs."""
        if spec.interface:
            return self.with_imports(self._class(spec, spec.interface))
        return self.with_imports([*self.head(spec.signature, 0), *self._body(spec.purpose, spec.raises, 1)])

    def declaration(self, one: SharedType) -> Fragment:
        """A type that only holds data, and the imports that it needs."""
        return self.with_imports(self._indented(one.source.split("\n"), 0))

    def with_imports(self, lines: Iterable[str]) -> Fragment:
        """A source with the imports of the names that the module does not have."""
        source = "\n".join([*lines, ""])
        sources = [source, *self._quoted]
        free = frozenset[str]().union(*(free_names(parse(one)) for one in sources))
        elsewhere = [
            self._target.case_names[name].line for name in free & self._target.elsewhere.keys() - self._for_types
        ]
        known = {*self._there, *self._target.case_names}
        return Fragment((*import_lines(sources, known, self._packages), *sorted(elsewhere)), source)

    def _class(self, spec: FunctionSpec, interface: ClassInterface) -> list[str]:
        """A class with its exceptions, the fields of data, and its methods; without methods all of it is left open."""
        head = f"{interface.head(spec.name)}:"
        doc = docstring_lines(spec.purpose, (), self._style, len(self._unit)) if spec.purpose.strip() else []
        if not interface.methods:
            return [head, *self._indented([*doc, "..."], 1)]
        blocks = [self._indented(doc, 1)] if doc else []
        held = interface.model_copy(update={"methods": (), "attributes": interface.fields})
        if held.fields or held.types:
            written = held.skeleton(spec.name, bare=True).partition(f"{head}\n")[2]
            blocks.append(self._indented(written.replace("\n    ", "\n").removeprefix("    ").split("\n"), 1))
        for method in interface.methods:
            above = self._indented(method.above, 1)
            blocks.append([*above, *self.head(method.signature, 1), *self._body(method.purpose, method.raises, 2)])
        body = [line for block in blocks for line in ("", *block)][1:]
        return [*(f"@{one}" for one in interface.decorators), head, *body]

    def _body(self, purpose: str, raises: Iterable[Raises], depth: int) -> list[str]:
        exceptions = [(one.type, one.when) for one in raises]
        doc = docstring_lines(purpose, exceptions, self._style, depth * len(self._unit)) if purpose.strip() else []
        return self._indented([*doc, _LEFT_OPEN], depth)

    def _indented(self, lines: Iterable[str], depth: int) -> list[str]:
        """Lines at a depth; four blanks before one of them are one level more."""
        deeper = ((line, (len(line) - len(line.lstrip(" "))) // 4) for line in lines)
        return [f"{self._unit * (depth + more)}{line[4 * more :]}" if line else "" for line, more in deeper]

    def head(self, signature: str, depth: int) -> list[str]:
        """A header, one parameter a line where it is long.

        Its annotations are left out where the module has none, and in quotes where it lacks a name when it runs.
        """
        node = parse(f"{signature}: ...").body[0]
        if not isinstance(node, Function):
            return self._indented([f"{signature}:"], depth)
        for part in ast.walk(node.args):
            if isinstance(part, ast.arg):
                part.annotation = self._annotation(part.annotation)
        returns = self._annotation(node.returns)
        opening = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
        given, text = ast.unparse(node.args), f" -> {ast.unparse(returns)}" if returns else ""
        is_long = depth * len(self._unit) + len(f"{opening} {node.name}({given}){text}:") > self._style.width
        head = (
            format_source(f"{opening} {node.name}({given}{',' * is_long}){text}: ...\n").rstrip().removesuffix(" ...")
        )
        return self._indented(head.split("\n"), depth)

    def _annotation(self, node: ast.expr | None) -> ast.expr | None:
        if node is None or not self._is_annotated:
            return None
        names = free_names(node)
        self.type_imports += [self._target.case_names[name].line for name in sorted(names & {*self._target.late})]
        is_quoted = not self._is_lazy and bool(names & self._for_types)
        if not is_quoted:
            return node
        self._quoted.append(ast.unparse(node))
        return ast.Constant(self._quoted[-1])
