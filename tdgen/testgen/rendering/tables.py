"""Cases that differ in their arguments alone: one parametrized test for all that are called and compared alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tdgen.testgen.rendering.blocks import Block
from tdgen.testgen.rendering.comparing import Form
from tdgen.testgen.rendering.families import Expected
from tdgen.testgen.rendering.sources import Argument, dotted_name
from tdgen.testgen.rendering.words import comment, local_name, slug, unique
from tdgen.types import Case, ExpectedException

_RESERVED = frozenset(
    {"expected", "result", "match", "error", "request", "item", "pytest", "same_value", "same_in_any_order"}
)


class Row(NamedTuple):
    """A case with its arguments read, and what is known of the value that it expects."""

    case: Case
    arguments: tuple[Argument, ...]
    expected: Expected | None = None

    @property
    def shape(self) -> tuple[str, ...]:
        """The names of its arguments as they are passed; positional ones have none."""
        return tuple(argument.name for argument in self.arguments)


class Columns(NamedTuple):
    """A table's columns, one for each argument, and the call on them."""

    names: tuple[str, ...]
    call: str


def columns(row: Row, parameters: Sequence[str]) -> Columns:
    """The columns for rows of that shape, named after the function's parameters."""
    function = row.case.function
    taken = _RESERVED | {function}
    names: list[str] = []
    passed: list[str] = []
    for place, argument in enumerate(row.arguments):
        plain = argument.name or (parameters[place] if place < len(parameters) else f"argument_{place + 1}")
        name = local_name(plain, taken | set(names))
        names.append(name)
        passed.append(f"{argument.name}={name}" if argument.name else name)
    return Columns(tuple(names), f"{function}({', '.join(passed)})")


def value_table(name: str, rows: Sequence[Row], form: Form, table: Columns, notes: Mapping[str, str]) -> Block:
    """The table of arguments and expected values."""
    values = [row.expected for row in rows if row.expected]
    cells = [form.cell(value) for value in values]
    if form.op == "is" and len(set(cells)) == 1:
        return _table(name, rows, table.names, [()] * len(rows), form.asserts(table.call, cells[0]), notes)
    body = form.asserts(table.call, "expected")
    block = _table(name, rows, (*table.names, "expected"), [(cell,) for cell in cells], body, notes)
    compared = tuple(values) if form.is_helped else ()
    return block._replace(compared=compared, any_order=form.op == "same_in_any_order")


def error_table(name: str, rows: Sequence[Row], table: Columns, notes: Mapping[str, str]) -> Block:
    """The table of arguments, exceptions and patterns."""
    errors = [row.case.expectation for row in rows if isinstance(row.case.expectation, ExpectedException)]
    kinds, patterns = {dotted_name(error.type) for error in errors}, {error.match for error in errors}
    names, cells = list(table.names), [list[str]() for _ in errors]
    if len(kinds) > 1:
        names.append("error")
        _append(cells, [dotted_name(error.type) for error in errors])
    if len(patterns) > 1:
        names.append("match")
        _append(cells, [pattern_text(error.match) if error.match else "None" for error in errors])
    match = "match" if len(patterns) > 1 else pattern_text(errors[0].match) if errors[0].match else ""
    raises = raises_line("error" if len(kinds) > 1 else kinds.pop(), match)
    body = [raises, f"    {table.call}"]
    return _table(name, rows, tuple(names), [tuple(row) for row in cells], body, notes)


def check_table(
    name: str, rows: Sequence[Row], asserts: Sequence[str], table: Columns, notes: Mapping[str, str]
) -> Block:
    """The table of arguments for which one check holds."""
    return _table(name, rows, table.names, [()] * len(rows), [f"result = {table.call}", *asserts], notes)


def _append(cells: list[list[str]], column: Sequence[str]) -> None:
    for row, cell in zip(cells, column, strict=True):
        row.append(cell)


def _table(
    name: str,
    rows: Sequence[Row],
    names: tuple[str, ...],
    cells: Sequence[tuple[str, ...]],
    body: Sequence[str],
    notes: Mapping[str, str],
) -> Block:
    ids = _ids(rows)
    params: list[str] = []
    sources: list[str] = []
    origin = ""
    for row, more, label in zip(rows, cells, ids, strict=True):
        origin_now = provenance(row.case)
        if origin_now != origin and (origin or origin_now != _BEYOND):
            params.extend([*([""] if origin else []), f"    # {origin_now}"])
        origin = origin_now
        params.extend(f"    {line}" for line in remarks(row.case, notes, origin, indent=8))
        values = [*(argument.text for argument in row.arguments), *more]
        params.append(f"    pytest.param({', '.join([*values, f'id={label!r}'])}),")
        sources.extend(values)
    header = ", ".join(map(repr, names))
    lines = [
        "@pytest.mark.parametrize(",
        f"    ({header})," if len(names) > 1 else f"    {header},",
        "    [",
        *params,
        "    ],",
        ")",
        f"def {name}({', '.join(names)}):",
        *(f"    {line}" for line in body),
    ]
    by_case = {row.case.name: f"[{label}]" for row, label in zip(rows, ids, strict=True)}
    text = "\n".join(lines)
    function = "\n".join([f"def {name}({', '.join(names)}):", *(f"    {line}" for line in body)])
    return Block(name, text, (*sources, function, "pytest"), by_case)


def _ids(rows: Sequence[Row]) -> list[str]:
    taken: set[str] = set()
    return [unique(slug(row.case.name), taken) for row in rows]


_BEYOND = "Beyond what the user wrote."


def provenance(case: Case) -> str:
    """Whose case it is, in a comment's words."""
    return {"instruction": "The user's own examples.", "user": "The user's own tests."}.get(case.provenance, _BEYOND)


def remarks(case: Case, notes: Mapping[str, str], origin: str = "", *, indent: int = 4) -> list[str]:
    """The comments above a case: its revision, and why it is there where its name doesn't say that already."""
    lines = [line for note in notes.get(case.name, "").split("\n") if note for line in comment(note, indent)]
    is_said = not case.why or slug(case.why) == slug(case.name)
    return lines if is_said else [*lines, *comment(case.why, indent)]


def pattern_text(pattern: str) -> str:
    """A regular expression as source: raw where that reads better."""
    text = repr(pattern)
    is_raw = "\\" in pattern and pattern.isprintable() and '"' not in pattern and not pattern.endswith("\\")
    return f'r"{pattern}"' if is_raw else text


def raises_line(error: str, match: str) -> str:
    """The `with` line that expects an exception, `match` being source or empty."""
    return f"with pytest.raises({error}, match={match}):" if match else f"with pytest.raises({error}):"
