"""Single edits of code that tree-sitter reads: the mutants of a function in JavaScript, TypeScript, C and C++.

The table of edits is the same for all (`operators`). Left out is what no case sees, or what would never end: types,
directives, comments, the words of a failure, and what a loop's condition is about within that loop.

tree-sitter and its grammars come with the extra `mutants`; without them there are none.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from tdgen.languages.edits.operators import edits
from tdgen.types import Mutant

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

_GRAMMARS: Final = {
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
}
_SKIPPED: Final = frozenset({"comment", "throw_statement", "decorator", "template_argument_list", "enumerator_list"})
_SKIPPED_ENDINGS: Final = ("_type", "_annotation", "_specifier", "_directive", "_include", "_def", "_arguments")
_FAILING: Final = frozenset({"fail"})
"""Functions that are given the words of a failure."""
_LOOPS: Final = frozenset({"while_statement", "do_statement", "for_statement"})
_NAMES: Final = frozenset({"identifier", "field_identifier", "property_identifier"})
_CHANGES: Final = frozenset({"update_expression", "assignment_expression", "augmented_assignment_expression"})
_LONGEST: Final = 60


def is_there(grammar: str) -> bool:
    """Whether code of that grammar can be read here."""
    return find_spec("tree_sitter") is not None and find_spec(_GRAMMARS[grammar][0]) is not None


def lacking(grammar: str) -> tuple[str, ...]:
    """That it can't be read here, and what to do."""
    return (
        () if is_there(grammar) else ("tree-sitter, so suites are not tried by mutants: pip install 'tdgen[mutants]'",)
    )


def mutants(source: str, grammar: str, *, most: int) -> tuple[Mutant, ...]:
    """At most so many mutants of a source, taken evenly from all over it; none where it can't be read without error."""
    data = source.encode()
    tree = _parser(grammar).parse(data)
    if tree.root_node.has_error:
        return ()
    edited = {
        (data[: edit.start] + edit.text.encode() + data[edit.end :]): edit
        for node in _live(tree.root_node, frozenset())
        for edit in edits(node)
    }
    edited.pop(data, None)
    in_order = sorted(edited.items(), key=lambda item: (item[1].start, item[1].end))
    chosen = in_order if len(in_order) <= most else [in_order[place * len(in_order) // most] for place in range(most)]
    found = []
    for text, edit in chosen:
        before = " ".join(data[edit.start : edit.end].decode("utf-8", "replace").split())[:_LONGEST]
        line = data.count(b"\n", 0, edit.start) + 1
        found.append(Mutant(text.decode("utf-8", "replace"), edit.operator, line, before, edit.text[:_LONGEST]))
    return tuple(found)


@cache
def _parser(grammar: str) -> Parser:
    from tree_sitter import Language, Parser

    module, name = _GRAMMARS[grammar]
    return Parser(Language(getattr(import_module(module), name)()))


def _live(node: Node, steering: frozenset[bytes]) -> Iterator[Node]:
    """The nodes that are worth an edit; `steering` are the names in the conditions of the loops around."""
    if node.type in _SKIPPED or node.type.endswith(_SKIPPED_ENDINGS):
        return
    is_step = node.type in _CHANGES or node.type == "expression_statement"
    if is_step and not steering.isdisjoint(_changed(node)):
        return
    yield node
    if node.type in _LOOPS and (condition := node.child_by_field_name("condition")):
        steering |= set(_names(condition))
    called = node.child_by_field_name("function")
    if node.type == "new_expression" or (called and called.text and called.text.decode() in _FAILING):
        return
    for child in node.named_children:
        yield from _live(child, steering)


def _changed(node: Node) -> Iterator[bytes]:
    """The names that a statement, or an expression, gives other values."""
    if node.type in _CHANGES:
        yield from _names(node.child_by_field_name("left") or node.child_by_field_name("argument") or node)
    elif node.type == "expression_statement":
        for child in node.named_children:
            yield from _changed(child)


def _names(node: Node) -> Iterator[bytes]:
    if node.type in _NAMES and node.text:
        yield node.text
    for child in node.named_children:
        yield from _names(child)
