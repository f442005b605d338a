"""A function's suite as the pytest file `test_<function>.py` that a careful colleague would write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tdgen.ruff import format_source
from tdgen.syntax import parse
from tdgen.testgen.rendering import helpers
from tdgen.testgen.rendering.arrays import packages_in
from tdgen.testgen.rendering.blocks import Block
from tdgen.testgen.rendering.grouping import blocks_of
from tdgen.testgen.rendering.headers import header
from tdgen.testgen.rendering.leaves import shapes_of
from tdgen.types import FunctionSpec, Plan, Suite
from tdgen.values.imports import free_names
from tdgen.values.relation import relation_for


def render_suite(
    suite: Suite, spec: FunctionSpec, plan: Plan, notes: Mapping[str, str] | None = None, end: Sequence[str] = ()
) -> str:
    """The formatted source of a file that states the suite's cases and runs with pytest alone, the module beside it.

    `notes` are remarks on cases by name, such as that one was revised, `end` are comment lines below all tests. Of any
    implementation the file says what the judge says; on a few things that only a hostile one returns it is looser,
    never stricter. ValueError, naming the case, where a source is no Python, can't stand in a test, or names what
    nobody knows.
    """
    blocks = blocks_of(suite, spec, plan, notes or {})
    above = _helpers(blocks, spec, plan)
    sources = [*above, *(source for block in blocks for source in block.sources)]
    defined = frozenset({"frozen_clock", "same_value", "same_in_any_order"})
    parts = [header(sources, spec, plan, defined), *above, *(b.text for b in blocks), *["\n".join(end)] * bool(end)]
    return format_source("\n\n\n".join(parts) + "\n")


def node_ids(suite: Suite, spec: FunctionSpec, plan: Plan) -> dict[str, str]:
    """By each case's name the id that pytest gives to its test in the rendered file `test_<function>.py`."""
    blocks = blocks_of(suite, spec, plan, {})
    return {case: f"test_{spec.name}.py::{block.name}{end}" for block in blocks for case, end in block.ids.items()}


def _helpers(blocks: Sequence[Block], spec: FunctionSpec, plan: Plan) -> list[str]:
    """The source of the helpers that the tests use."""
    found: list[str] = []
    if any("tmp_path" in block.fixtures for block in blocks):
        found.append(helpers.IN_TMP_PATH.strip())
    if any("frozen_clock" in block.fixtures for block in blocks):
        found.append(helpers.frozen_clock(plan.module).strip())
    compared = [value for block in blocks for value in block.compared]
    if compared:
        types = {shared.name: shared for shared in plan.types}
        leaves = frozenset(leaf for value in compared for leaf in value.leaves)
        shapes = frozenset(shape for value in compared for shape in shapes_of(value.tree, types))
        exact_int = relation_for(spec).exact_int
        any_order = any(block.any_order for block in blocks)
        text = helpers.same(
            leaves,
            shapes,
            exact_int=exact_int,
            any_order=any_order,
            tolerances={value.tolerance for value in compared},
            packages=_packages(blocks, spec),
        )
        found.append(text.strip())
    return found


def _packages(blocks: Sequence[Block], spec: FunctionSpec) -> frozenset[str]:
    """Which of numpy and pandas have a part in the tests, by name, or in what the function returns."""
    texts = [source for block in blocks for source in block.sources]
    named = frozenset(name for text in texts for name in free_names(parse(text)))
    found = packages_in(named | _names(spec.returns.type))
    has_array_of_table = "pandas" in found and any("to_numpy" in text or ".values" in text for text in texts)
    return found | {"numpy"} if has_array_of_table else found


def _names(annotation: str) -> frozenset[str]:
    try:
        return free_names(parse(annotation))
    except SyntaxError:
        return frozenset()
