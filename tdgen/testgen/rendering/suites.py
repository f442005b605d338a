"""A function's suite as the pytest file `test_<function>.py` that a careful colleague would write."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from tdgen.replies.syntax import parse
from tdgen.testgen.rendering import helpers
from tdgen.testgen.rendering.blocks import Block
from tdgen.testgen.rendering.checks import check_lines, is_constant, is_display, read_by
from tdgen.testgen.rendering.comparing import form_of
from tdgen.testgen.rendering.families import Family, joined, promises_text, read_expected
from tdgen.testgen.rendering.formatting import format_source
from tdgen.testgen.rendering.headers import header
from tdgen.testgen.rendering.scenes import Scene
from tdgen.testgen.rendering.sources import argument, expression
from tdgen.testgen.rendering.tables import Row, check_table, columns, error_table, value_table
from tdgen.testgen.rendering.words import docstring, slug, unique
from tdgen.types import Case, Check, ExpectedException, FunctionSpec, Plan, Suite, Value, World
from tdgen.values.imports import free_names
from tdgen.values.relation import relation_for

_ORDER = ("instruction", "user")


def render_suite(suite: Suite, spec: FunctionSpec, plan: Plan, notes: Mapping[str, str] | None = None) -> str:
    """The formatted source of a file that states the suite's cases and runs with pytest alone, the module beside it.

    `notes` has remarks on cases by name, such as that one was revised. The file's verdict is the judge's on any
    implementation, except that it is sometimes looser on what only a hostile one returns. ValueError where a case's
    source is no Python, or can't stand in a test; its message names the case.
    """
    blocks = _blocks(suite, spec, plan, notes or {})
    head = header([source for block in blocks for source in block.sources], _imports(blocks), plan, helped=_helpers(blocks, spec, plan))
    return format_source(head)


def test_ids(suite: Suite, spec: FunctionSpec, plan: Plan) -> dict[str, str]:
    """By each case's name the id that pytest gives its test in the rendered file `test_<function>.py`."""
    file = f"test_{spec.name}.py"
    blocks = _blocks(suite, spec, plan, {})
    return {case: f"{file}::{block.name}{end}" for block in blocks for case, end in block.ids.items()}
