"""Cases that differ in their arguments alone: one parametrized test for all that are called and compared alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tdgen.testgen.rendering.annotations import Annotations, comment, local_name, slug, unique
from tdgen.testgen.rendering.comparing import Comparison, Expected
from tdgen.testgen.rendering.sources import Argument, dotted_name
from tdgen.types import Case, ExpectedException, FunctionSpec

_RESERVED = frozenset({"expected", "result", "match", "error", "request", "item", "pytest", "same_value", "same_items"})
_SECTIONS = {"instruction": "Examples of the instruction.", "user": "The user's own tests."}
_FURTHER = "Further cases."


class RenderedTest(NamedTuple):
    """One test function: its source, the end of each case's test id, and the helpers and fixtures it needs."""

    name: str
    text: str
    ids: Mapping[str, str]
    helpers: frozenset[str] = frozenset()


class Row(NamedTuple):
    """A case with its arguments read, and what is known of the value that it expects."""

    case: Case
    arguments: tuple[Argument, ...]
    expected: Expected | None = None

    @property
    def shape(self) -> tuple[str, ...]:
        """The names of its arguments as they are passed; positional ones have none."""
        return tuple(argument.name for argument in self.arguments)


class Table:
    """The parametrized test of cases whose arguments have one shape."""

    def __init__(self, name: str, rows: Sequence[Row], spec: FunctionSpec, annotations: Annotations) -> None:
        self._name, self._rows, self._spec, self._annotations = name, rows, spec, annotations
        self.columns = columns(rows[0], spec)
        self._typed = dict(self.columns)
        self._cells: list[list[str]] = [[argument.text for argument in row.arguments] for row in rows]
        for place, (column, parameter) in enumerate(self.columns.items()):
            cells = [row[place] for row in self._cells]
            self._typed[column] = annotations.of_parameter(parameter, spec, cells)

    def call(self, passed: Mapping[str, str] | None = None) -> str:
        """The call on the columns, or on what is `passed` instead of one of them."""
        texts = [(passed or {}).get(column, column) for column in self.columns]
        given = [f"{key}={text}" if key else text for key, text in zip(self._rows[0].shape, texts, strict=True)]
        return f"{self._spec.name}({', '.join(given)})"

    def values(self, comparison: Comparison) -> RenderedTest:
        """The table of arguments and expected values."""
        cells = [comparison.cell(row.expected) for row in self._rows if row.expected]
        if comparison.form == "is" and len(set(cells)) == 1:
            is_nothing = cells[0] == self._spec.returns.type.strip() == "None"
            return self._rendered([self.call() if is_nothing else comparison.line(self.call(), cells[0])])
        self._add("expected", cells, self._annotations.of_expected(self._spec, cells))
        return self._rendered([comparison.line(self.call(), "expected")], comparison.helpers)

    def errors(self) -> RenderedTest:
        """The table of arguments, exceptions and patterns."""
        errors = [row.case.expectation for row in self._rows if isinstance(row.case.expectation, ExpectedException)]
        kinds, patterns = [dotted_name(error.type) for error in errors], [pattern_text(error.match) for error in errors]
        kind, match = kinds[0], patterns[0]
        if len(set(kinds)) > 1:
            kind = "error"
            self._add(kind, kinds, "type[BaseException]")
        if len(set(patterns)) > 1:
            match = "match"
            self._add(match, [pattern or "None" for pattern in patterns], "str" + " | None" * ("" in patterns))
        return self._rendered([raises_line(kind, match), f"    {self.call()}"])

    def checks(self, asserts: Sequence[str], passed: Mapping[str, str]) -> RenderedTest:
        """The table of arguments for which one check holds."""
        return self._rendered([f"{result_of(self._spec)} = {self.call(passed)}", *asserts])

    def _add(self, column: str, cells: Sequence[str], annotation: str) -> None:
        self._typed[column] = annotation
        for row, cell in zip(self._cells, cells, strict=True):
            row.append(cell)

    def _rendered(self, body: Sequence[str], helpers: frozenset[str] = frozenset()) -> RenderedTest:
        taken: set[str] = set()
        ids = [unique(slug(row.case.name), taken) for row in self._rows]
        names = [repr(name) for name in self._typed]
        lines = [
            "@pytest.mark.parametrize(",
            f"    ({', '.join(names)})," if len(names) > 1 else f"    {names[0]},",
            "    [",
            *self._params(ids),
            "    ],",
            ")",
            f"def {self._name}({', '.join(f'{name}: {type_}' for name, type_ in self._typed.items())}) -> None:",
            *(f"    {line}" for line in body),
        ]
        by_case = {row.case.name: f"[{label}]" for row, label in zip(self._rows, ids, strict=True)}
        return RenderedTest(self._name, "\n".join(lines), by_case, helpers)

    def _params(self, ids: Sequence[str]) -> list[str]:
        """The rows, those of the user apart from the others."""
        lines: list[str] = []
        section, above = _FURTHER, list[str]()
        for row, cells, label in zip(self._rows, self._cells, ids, strict=True):
            if (own := _SECTIONS.get(row.case.provenance, _FURTHER)) != section:
                section = own
                lines += [*[""] * bool(lines), f"    # {section}"]
            if (why := remarks(row.case, indent=8)) != above:  # what holds for several rows in line is said once
                lines += [f"    {line}" for line in why]
                above = why
            lines.append(f"    pytest.param({', '.join([*cells, f'id={label!r}'])}),")
        return lines


def columns(row: Row, spec: FunctionSpec) -> dict[str, str]:
    """The columns for rows of that shape: their names, and the parameter that each stands for."""
    parameters = [parameter.name for parameter in spec.parameters]
    starred = next((place for place, name in enumerate(parameters) if name.startswith("*")), len(parameters))
    taken = _RESERVED | {spec.name}
    found: dict[str, str] = {}
    for place, argument in enumerate(row.arguments):
        plain = argument.name or (parameters[place] if place < starred else f"argument_{place + 1}")
        found[local_name(plain, taken | found.keys())] = plain
    return found


def whose(case: Case) -> list[str]:
    """A comment on whose case it is, where the user wrote it."""
    return [f"# {_SECTIONS[case.provenance]}"] if case.is_pinned else []


def remarks(case: Case, *, indent: int = 0) -> list[str]:
    """The comment above a case: why it is there, where neither its name nor its call says that already."""
    said = {slug(case.name), slug(case.expression)}
    is_said = slug(case.why) in said or "".join(case.expression.split()) in "".join(case.why.split())
    return comment(case.why, indent) if case.why and not is_said else []


def pattern_text(pattern: str) -> str:
    """A regular expression as source: raw where that reads better; empty for an empty one."""
    is_raw = "\\" in pattern and pattern.isprintable() and '"' not in pattern and not pattern.endswith("\\")
    return "" if not pattern else f'r"{pattern}"' if is_raw else repr(pattern)


def raises_line(error: str, match: str) -> str:
    """The `with` line that expects an exception, `match` being source or empty."""
    return f"with pytest.raises({error}, match={match}):" if match else f"with pytest.raises({error}):"


def result_of(spec: FunctionSpec) -> str:
    """The name `result` as a check's assignment has it: of any type where the contract leaves several open."""
    is_open = any(word in spec.returns.type for word in ("|", "Optional", "Union", "object", "None"))
    return "result: Any" if is_open else "result"
