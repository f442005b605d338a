"""Tests of a project's own that are revised: each laid into its file, in which nothing else changes by a byte."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from contextlib import suppress
from textwrap import dedent
from typing import NamedTuple

from tdgen.errors import InputError
from tdgen.project.edit import Change
from tdgen.project.module import Module, Unit, read_module
from tdgen.project.root import Project
from tdgen.source.replacing import Piece, Place, last_line
from tdgen.source.syntax import Function, first_line, line_ending, lines_of, whole_lines
from tdgen.source.trees import parameter_names


class OwnTest(NamedTuple):
    """A function of a file of tests, as it stands there."""

    id: str
    file: Module
    unit: Unit

    @property
    def place(self) -> str:
        """Its file and line."""
        return f"{self.file.path}:{self.unit.node.lineno}"

    def misfits(self, text: str) -> list[str]:
        """Why a text can't take its place."""
        try:
            body = Piece(dedent(text).strip("\n")).tree.body
        except (SyntaxError, ValueError) as error:
            return [f"`test` does not parse: {error}"]
        there, name = self.unit.node, self.unit.name.rpartition(".")[2]
        if len(body) != 1 or type(body[0]) is not type(there) or getattr(body[0], "name", "") != name:
            return [f"`test` is to be the definition of {name} alone"]
        node = body[0]
        assert isinstance(node, Function)
        assert isinstance(there, Function)
        misfits = []
        if parameter_names(node) != parameter_names(there):
            misfits.append(f"the parameters of {name} are {', '.join(parameter_names(there)) or 'none'}: keep them")
        if ast.dump(node) == ast.dump(there):
            misfits.append("`test` is the test as it stands: where it can hold, the verdict is that it stands")
        return misfits


class Revised(NamedTuple):
    """What came of the project's tests that a change contradicts.

    `tests` are revised, by their ids without parameters, and `changes` are their files. `left` says of each that is not
    revised why.
    """

    tests: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    left: Mapping[str, str] = {}


def own_test(project: Project, test: str) -> OwnTest | None:
    """The function that a test's id stands for, parameters aside; None where it is not defined once and plainly."""
    path, _, name = test.partition("[")[0].partition("::")
    with suppress(InputError):
        file = read_module(project, project.root / path)
        unit = file.units.get(name.replace("::", "."))
        if unit and isinstance(unit.node, Function) and not unit.refused:
            return OwnTest(f"{path}::{name}", file, unit)
    return None


def with_revised(file: Module, texts: Iterable[tuple[Unit, str]]) -> str:
    """The text of a file of tests in which tests have other texts; every other byte is as it was."""
    lines = whole_lines(file.text)
    known = Piece(file.text)
    for unit, text in sorted(texts, key=lambda one: -one[0].first):
        piece = Piece(dedent(text).strip("\n"))
        (node,) = piece.tree.body
        place = Place(known.indent(unit.node.lineno), known.unit)
        new = piece.text(first_line(node), last_line(node), "", place)
        ends = lines[unit.last - 1][len(lines_of(lines[unit.last - 1])[0]) :]
        new = new.removesuffix("\n").replace("\n", line_ending(file.text)) + ends
        lines[unit.first - 1 : unit.last] = [new]
    return "".join(lines)
