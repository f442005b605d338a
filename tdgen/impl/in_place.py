"""A developer's answer as it will stand in a target: the bodies that were asked for, under the user's own heads.

Of a function the answer gives what is done, and of a class the methods that are to be written, with what is new beside
them. Decorators, signatures and docstrings are the user's, and so is the rest of a class.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tdgen.errors import ReplyError
from tdgen.impl.methods import method_lines
from tdgen.source.fragment import Fragment, trusted_fragment
from tdgen.source.replacing import docstring_of
from tdgen.source.syntax import Edit, definition, edited, parse
from tdgen.source.trees import parameter_names
from tdgen.types import Plan, Target


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
            told = ", ".join(parameter_names(kept or one))
            raise ReplyError(f"the parameters of {what} are {told or 'none'} in {target.path}: keep its signature")
    fragment = trusted_fragment(source)
    text = laid(there, {name: Fragment((), fragment.body)}, methods={name: wanted} if wanted else None)
    return Fragment(fragment.imports, text).source


def written_lines(source: str, plan: Plan, name: str) -> tuple[range, ...]:
    """The lines (from 1) of a class's methods that were written here; nothing where all of the unit was."""
    if plan.target is None or not (wanted := plan.target.units.get(name)):
        return ()
    kept = method_lines(plan.target.text_of(name), name).keys() - {*wanted}
    return tuple(lines for method, lines in method_lines(source, name).items() if method not in kept)


def packages_told(plan: Plan) -> tuple[str, ...]:
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


def _without_docs(text: str, name: str, methods: Sequence[str]) -> str:
    """A unit's source with `\"\"\"…\"\"\"` for each docstring of several lines that what is to be written has."""
    node = definition(parse(text), name)
    written = [definition(node, method) for method in methods] if node else []
    docs = [doc for one in written or [node] if one and (doc := docstring_of(one)) and doc.end_lineno != doc.lineno]
    ends = [(doc.end_lineno or doc.lineno, doc.end_col_offset or 0) for doc in docs]
    return edited(
        text, [Edit(doc.lineno, doc.col_offset, *end, '"""…"""') for doc, end in zip(docs, ends, strict=True)]
    )
