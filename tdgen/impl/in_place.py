"""An answer that gives a part, laid into what stands: changed methods in a large class, bodies in a user's module.

A class of more than `LARGE` methods is long: written anew for one of them, it costs the tokens of all, and what passed
may come back wrong.

In a target the bodies that were asked for stand under the user's own heads. Of a function the answer gives what is
done, and of a class the methods that are to be written, with what is new beside them. Decorators, signatures and
docstrings are the user's, and so is the rest of a class.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from textwrap import dedent, indent

from tdgen.errors import ReplyError
from tdgen.prompts import render
from tdgen.source.fragment import Fragment, trusted_fragment
from tdgen.source.syntax import Definition, Edit, definition, edited, first_line, lines_of, parse, statements_of
from tdgen.source.trees import parameter_names
from tdgen.types import FunctionSpec, Plan, Target

LARGE = 8
"""Of how many methods a class is repaired as a whole. Not tuned: below, the methods are about as long as the prompt
around them."""

_Method = ast.FunctionDef | ast.AsyncFunctionDef


def is_large(spec: FunctionSpec) -> bool:
    """Whether a unit is a class of which a repair gives the changed methods alone."""
    return spec.interface is not None and len({method.name for method in spec.interface.methods}) > LARGE


def method_lines(source: str, name: str) -> dict[str, range]:
    """The lines of each method's body, by the method's name; a property's setter counts as the property."""
    lines: dict[str, range] = {}
    node = _class(ast.Module(statements_of(source), []), name)
    for method in _methods(node) if node else ():
        first, last = method.body[0].lineno, method.end_lineno or method.lineno
        known = lines.get(method.name)
        start, stop = (min(first, known.start), max(last + 1, known.stop)) if known else (first, last + 1)
        lines[method.name] = range(start, stop)
    return lines


def with_changed_methods(code: str, written: str, spec: FunctionSpec) -> str:
    """What was `written`, with the methods, imports, constants and helpers of `code` in place of those of their names.

    An answer that has all methods of the contract is the class as a whole. It is taken as it is, and so is what does
    not parse or has no such class.
    """
    new, old = (ast.Module(statements_of(source), []) for source in (code, written))
    given, kept = _class(new, spec.name), _class(old, spec.name)
    if given is None or kept is None:
        return code
    promised = {method.name for method in spec.interface.methods} if spec.interface else set()
    if promised <= {method.name for method in _methods(given)}:
        return code
    lines, others = lines_of(written), lines_of(code)
    changes = [*_changes(kept.body, given.body, others), *_changes(old.body, new.body, others, spec.name)]
    for first, last, text in sorted(changes, key=lambda change: change[:2], reverse=True):
        lines[first:last] = text
    return "\n".join([*_imports(new, old), *lines]).rstrip("\n") + "\n"


def _changes(
    kept: Sequence[ast.stmt], given: Sequence[ast.stmt], others: list[str], unit: str = ""
) -> Iterator[tuple[int, int, list[str]]]:
    """What comes in place of which lines (from 0, the last not included) of one level of the code.

    What is new stands at the end of a class, and in a module before the class `unit`.
    """
    places = {_key(node): node for node in kept if _key(node)}
    margin = " " * (kept[0].col_offset if kept else 0)
    for node in given:
        key = _key(node)
        if not key or key == unit:
            continue
        text = indent(dedent("\n".join(others[first_line(node) - 1 : node.end_lineno])), margin).split("\n")
        if key in places:
            yield first_line(places[key]) - 1, places[key].end_lineno or 0, text
        elif unit:
            before = first_line(places[unit]) - 1
            yield before, before, [*text, "", ""]
        elif isinstance(node, _Method):
            end = kept[-1].end_lineno or 0
            yield end, end, ["", *text]
        else:
            before = first_line(next((one for one in kept if isinstance(one, _Method)), kept[-1])) - 1
            yield before, before, [*text, ""]


def _imports(new: ast.Module, old: ast.Module) -> list[str]:
    """The imports that are new, a line each; that of the future is written by the tool."""
    there = {ast.unparse(node) for node in old.body}
    imports = [node for node in new.body if isinstance(node, ast.Import | ast.ImportFrom)]
    plain = [node for node in imports if not (isinstance(node, ast.ImportFrom) and node.module == "__future__")]
    return [text for node in plain if (text := ast.unparse(node)) not in there]


def _key(node: ast.stmt) -> str:
    """What a definition or an assignment is known by: its name, with the role of a setter or deleter; or nothing."""
    if isinstance(node, Definition):
        decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
        return next((text for text in decorators if text.endswith((".setter", ".deleter"))), node.name)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return " = ".join(map(ast.unparse, targets))


def _class(tree: ast.Module, name: str) -> ast.ClassDef | None:
    node = definition(tree, name)
    return node if isinstance(node, ast.ClassDef) else None


def _methods(node: ast.ClassDef) -> Iterator[_Method]:
    return (method for method in node.body if isinstance(method, _Method))


def in_place(source: str, name: str, target: Target) -> str:
    """`source` with the unit `name` as it will stand in the target; ReplyError where it is not what was asked for."""
    from tdgen.source.laying import laid

    there, wanted = target.text_of(name), target.units[name]
    given, own = (definition(parse(text), name) for text in (source, there))
    if given is None or own is None or isinstance(given, ast.ClassDef) != isinstance(own, ast.ClassDef):
        raise ReplyError(f"{name!r} is a {'class' if isinstance(own, ast.ClassDef) else 'function'} in {target.path}")
    for method in wanted or ("",):
        one, kept = (definition(node, method) if method else node for node in (given, own))
        what = f"{name}.{method}" if method else name
        if one is None:
            raise ReplyError(f"the code does not define {what}")
        if not (one is given and wanted) and parameter_names(one) != parameter_names(kept or one):
            parameters = ", ".join(parameter_names(kept or one))
            raise ReplyError(
                f"the parameters of {what} are {parameters or 'none'} in {target.path}: keep its signature"
            )
    if name in target.rewritable:
        _must_keep_signatures(given, own, target)
    fragment = trusted_fragment(source)
    text = laid(there, {name: Fragment((), fragment.body)}, methods=target.laid_methods)
    return Fragment(fragment.imports, text).source


def _must_keep_signatures(given: Definition, own: Definition, target: Target) -> None:
    """ReplyError where a method of a class has other parameters than it has there."""
    for one in _methods(given) if isinstance(given, ast.ClassDef) else ():
        kept = definition(own, one.name)
        if kept is not None and parameter_names(one) != parameter_names(kept):
            text = ", ".join(parameter_names(kept))
            what = f"{own.name}.{one.name}"
            raise ReplyError(f"the parameters of {what} are {text or 'none'} in {target.path}: keep its signature")


def written_lines(source: str, plan: Plan, name: str) -> tuple[range, ...]:
    """The lines (from 1) of a class's methods that were written here; nothing where all of the unit was."""
    if plan.target is None or not (wanted := plan.target.units.get(name)):
        return ()
    kept = method_lines(plan.target.text_of(name), name).keys() - {*wanted}
    return tuple(lines for method, lines in method_lines(source, name).items() if method not in kept)


def shown_packages(plan: Plan) -> tuple[str, ...]:
    """The packages that prompts name: the plan's, and of a target's project what its module imports already."""
    if plan.target is None:
        return plan.packages
    used = {one.line.split()[1].split(".")[0] for one in plan.target.names.values()}
    return (*plan.packages, *sorted(used & {*plan.target.packages}))


def code_there(plan: Plan, units: Sequence[str]) -> str:
    """What who writes code, and nobody else, sees of a target: units as they stand there, and code beside them.

    Docstrings of several lines are left out of what is to be written: the words above them say the same.
    """
    target = plan.target
    if target is None:
        return ""
    there = "\n\n".join(_without_docs(target.text_of(name), name, target.units[name]).strip() for name in units)
    beside = f"<code_beside_it>\n{target.code.strip()}\n</code_beside_it>\n" if target.code.strip() else ""
    return f"\n<stands_there>\n{there}\n</stands_there>\n{beside}"


def target_rules(specs: Sequence[FunctionSpec]) -> str:
    """What code must hold to that goes into a user's file."""
    of_class = render("tdgen.impl", "target_class") if any(spec.interface for spec in specs) else ""
    return render("tdgen.impl", "target", of_class=f"\n  {of_class.strip()}" if of_class else "")


def _without_docs(text: str, name: str, methods: Sequence[str]) -> str:
    """A unit's source with `\"\"\"…\"\"\"` for each docstring of several lines that what is to be written has."""
    from tdgen.source.replacing import docstring_of

    node = definition(parse(text), name)
    written = [definition(node, method) for method in methods] if node else []
    docs = [doc for one in written or [node] if one and (doc := docstring_of(one)) and doc.end_lineno != doc.lineno]
    ends = [(doc.end_lineno or doc.lineno, doc.end_col_offset or 0) for doc in docs]
    return edited(
        text, [Edit(doc.lineno, doc.col_offset, *end, '"""…"""') for doc, end in zip(docs, ends, strict=True)]
    )
