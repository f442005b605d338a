"""A contract of a project's function or class that changes: what a plan may change of it, and its head laid in anew.

From then on it is a unit like those that its author left open; who writes it sees the code of before.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from inspect import cleandoc
from textwrap import dedent
from typing import Final

from tdgen.files.ruff import format_source
from tdgen.project.additions import StubWriter
from tdgen.project.siblings import standing_in
from tdgen.source.adding import with_type_imports
from tdgen.source.heads import code_of, function_in, head_of, unit_in, with_docstring, with_head
from tdgen.source.laying import laid
from tdgen.source.replacing import Piece
from tdgen.source.syntax import Definition, Function, docstrings_left_out, edited, parse
from tdgen.source.trees import parameter_names
from tdgen.types import FunctionSpec, Method, Plan, Target

_AS_IT_WAS: Final = (
    "# {} as it was; what the contract does not change stays so",
    "# of {} as they were; what the contracts do not change stays so. Other methods of it may get another body where\n"
    "# these need it: what they do stays so",
)
_SHORT: Final = 3
"""Of how many lines a docstring may be that a change says all anew. Not tuned."""


def change_problems(plan: Plan, text: str) -> Iterator[str]:
    """Where a plan has more than the unit that changes, or changes of its signature what `text` does not name."""
    target = plan.target
    if target is None or not target.changed:
        return
    planned = _planned(plan, target)
    if not planned:
        yield f"plan {target.changed!r} of {target.path}, and that alone"
        return
    tree = parse(target.source)
    if isinstance(owner := unit_in(tree, target.changed), ast.ClassDef):
        yield from _said_anew(target.changed, ast.get_docstring(owner) or "", plan.functions[0].purpose)
    for unit, contract in planned.items():
        try:
            there = function_in(tree, unit)
        except ValueError:
            yield f"{unit!r} is no method that {target.path} has: plan those that stand there and change"
        else:
            yield from _unit_problems(unit, there, contract, text)


def _unit_problems(unit: str, there: Function, planned: FunctionSpec | Method, text: str) -> Iterator[str]:
    new = _node(planned.signature)
    if new is None:
        yield f"{planned.signature!r} is no signature"
        return
    yield from _said_anew(unit, ast.get_docstring(there) or "", planned.purpose)
    words = {part for word in re.findall(r"\w+", text) for part in [word.lower(), *word.lower().split("_")]}
    before, after = _defaults(there), _defaults(new)
    for name in dict.fromkeys([*before, *after]):
        if before.get(name) != after.get(name) and not _is_named(name, after.get(name) or "", words):
            yield (
                f"{unit!r}: its parameters are `{ast.unparse(there.args)}`, and the instruction asks for no "
                f"other {name!r}: plan these"
            )
    both = [name for name in parameter_names(there) if name in parameter_names(new)]
    if both != [name for name in parameter_names(new) if name in both]:
        yield f"{unit!r}: its parameters are `{ast.unparse(there.args)}`, in this order"


def _said_anew(unit: str, before: str, purpose: str) -> Iterator[str]:
    """That a longer docstring is another one from its first line to its last."""
    anew, said = ([line.strip() for line in text.split("\n") if line.strip()] for text in (cleandoc(purpose), before))
    kept = set(anew)
    if len(said) > _SHORT and 2 * sum(line in kept for line in said) < len(said):
        yield f"{unit!r}: its docstring is said anew: keep each line that the instruction does not change"


def _is_named(name: str, default: str, words: set[str]) -> bool:
    """Whether prose names a parameter, or its default, as such or by the words of its name."""
    bare = name.lstrip("*").lower()
    return bare in words or set(filter(None, bare.split("_"))) <= words or default.strip("'\"").lower() in words


def with_change(plan: Plan) -> Plan:
    """The plan, its target with what changes as stubs: with the planned signatures and docstrings.

    As it is where its target has nothing that changes, or is none.
    """
    target = plan.target
    if target is None or not target.changed:
        return plan
    planned = _planned(plan, target)
    if not planned:
        return plan
    unit, tree = target.changed, parse(target.source)
    writer = StubWriter(target, Piece(target.source), plan)
    text = target.source
    for name, contract in planned.items():
        there = function_in(tree, name)
        text = with_head(
            text, name, _header(target.source, writer, name, there, contract), _said(contract.purpose, there)
        )
    owner, is_class = unit.partition(".")[0], isinstance(unit_in(tree, unit), ast.ClassDef)
    if is_class and (said := _said(plan.functions[0].purpose, unit_in(tree, unit))):
        text = with_docstring(text, unit, said)
    fragments = {name: writer.with_imports(dedent(code_of(text, name)).split("\n")) for name in planned}
    text = with_type_imports(laid(text, fragments, module=target.module), writer.type_imports, module=target.module)
    docs = docstrings_left_out(function_in(tree, name) for name in planned)
    without_docs = edited(target.source, docs)  # the contract has the new ones
    was = "\n\n".join(code_of(without_docs, name) for name in planned)
    before = f"{_AS_IT_WAS[is_class].format(unit)}\n{was}\n"
    methods = tuple(name.partition(".")[2] for name in planned if "." in name)
    shown = f"# the class {unit} of {target.module}, as its users see it from now on\n\n{head_in(text, target)}\n"
    changed = {
        "source": text,
        "units": {owner: methods},
        "changed": "",
        "rewritable": (unit,) if is_class else (),
        "context": "\n\n".join(filter(None, [target.context, shown])) if is_class else target.context,
        "code": f"{before}\n{target.code}" if target.code.strip() else before,
    }
    target = target.model_copy(update=changed)
    return plan.model_copy(update={"target": target.model_copy(update={"standing": standing_in(target)})})


def head_in(source: str, target: Target) -> str:
    """What users see of what changes, as it stands in a source of the module; of a class its attributes, too."""
    head = head_of(source, target.changed)
    attributes = ", ".join(target.public.get(f"{target.module}.{target.changed}", ()))
    return f"{head}\n\n    # its public attributes: {attributes}" if attributes else head


def _planned(plan: Plan, target: Target) -> dict[str, FunctionSpec | Method]:
    """The contracts of what changes, by unit, of a class its methods'; none where the plan has not just that."""
    owner, _, name = target.changed.rpartition(".")
    if len(plan.functions) != 1 or plan.declared_types or plan.functions[0].name != (owner or name):
        return {}
    (spec,) = plan.functions
    methods = {f"{spec.name}.{one.name}": one for one in (spec.interface.methods if spec.interface else ())}
    if owner:
        return dict(methods) if [*methods] == [target.changed] else {}
    if isinstance(unit_in(parse(target.source), name), ast.ClassDef):
        return dict(methods)
    return {} if spec.interface else {name: spec}


def _node(signature: str) -> Function | None:
    try:
        node = parse(f"{signature}: ...").body[0]
    except SyntaxError:
        return None
    return node if isinstance(node, Function) else None


def _said(purpose: str, there: Definition) -> str:
    """What a docstring says from now on; "" where that is what it says."""
    purpose = cleandoc(purpose)
    return purpose if purpose != ast.get_docstring(there) else ""


def _header(source: str, writer: StubWriter, unit: str, there: Function, planned: FunctionSpec | Method) -> list[str]:
    """The new header's lines; none where the one that stands there fits."""
    new = _node(planned.signature)
    if new is None or (_defaults(new) == _defaults(there) and _returns(new, there) == _returns(there, there)):
        return []
    known = {one.arg: one for one in ast.walk(there.args) if isinstance(one, ast.arg)}
    for one in ast.walk(new.args):
        if isinstance(one, ast.arg) and one.arg in known:
            one.annotation = known[one.arg].annotation
    if _returns(new, there) == _returns(there, there):
        new.returns = there.returns
    head = ast.unparse(ast.fix_missing_locations(new)).removesuffix(":\n    ...")
    lines = "\n".join(writer.head(head, 1 if "." in unit else 0))
    for node in (one for part in (there.args, there.returns) if part for one in ast.walk(part)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):  # a text keeps its quotes
            anew, was = format_source(ast.unparse(node)).strip(), ast.get_source_segment(source, node)
            lines = lines.replace(anew, was or anew, 1)
    return lines.split("\n")


def _defaults(node: Function) -> dict[str, str | None]:
    """Each parameter, with stars, and its default's source; None for none."""
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    held = [None] * (len(plain) - len(given.defaults)) + list(given.defaults)
    defaults = {one.arg: default for one, default in zip(plain, held, strict=True)}
    defaults |= {one.arg: default for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)}
    sources = {name: ast.unparse(default) if default else None for name, default in defaults.items()}
    return {name: sources.get(name.lstrip("*")) for name in parameter_names(node)}


def _returns(node: Function, there: Function) -> str:
    """What a header says to be returned, in quotes or not; "" where either says nothing."""
    given = node.returns if there.returns else None
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        return given.value
    return ast.unparse(given) if given else ""
