"""Which operators make mutants, which make repairs, and which make both."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from tdgen.mutation.edits import Edit, Node
from tdgen.mutation.operators import (
    arithmetic,
    bounds,
    calls,
    comparisons,
    conditions,
    flow,
    insertions,
    returns,
    values,
    variables,
)
from tdgen.mutation.scope import Scope

Operator = Callable[[Scope, Node], Iterator[Edit]]

_BOTH: tuple[Operator, ...] = (
    comparisons.boundary, comparisons.negation, arithmetic.likely_operator, arithmetic.sign_dropped,
    arithmetic.augmented, conditions.negated_test, conditions.forced_test, conditions.ternary, conditions.and_or,
    conditions.filter_dropped, calls.opposite, values.constants, values.emptied, flow.jump,
)  # fmt: skip
MUTANTS: tuple[Operator, ...] = (
    *_BOTH, arithmetic.joined_dropped, bounds.bound_by_one, bounds.loop_never, calls.unwrapped, calls.option_dropped,
    values.text_parts, returns.empty_return, returns.empty_yield, flow.effect_dropped, flow.other_raised,
    flow.other_caught,
)  # fmt: skip
REPAIRS: tuple[Operator, ...] = (
    variables.other_variable, variables.part_of_variable, variables.attribute_or_item, variables.reordered,
    *_BOTH, arithmetic.other_operator, arithmetic.operands_swapped, arithmetic.operand_dropped, arithmetic.regrouped,
    arithmetic.other_augmented, arithmetic.accumulated, comparisons.other_comparison, conditions.operand_negated,
    values.other_constants, bounds.off_by_one, calls.other_function, calls.arguments, bounds.range_bounds,
    calls.own_call, calls.other_comprehension, calls.wrapped, bounds.slice_bounds, conditions.other_test,
    conditions.filter_added, conditions.returned_test, values.starts, flow.dropped, flow.swapped, flow.moved_out,
    flow.moved_in, flow.return_instead, flow.branches, returns.missing_return, returns.other_return,
    returns.return_at_end, insertions.added, insertions.guards,
)  # fmt: skip


def edits(operators: tuple[Operator, ...], scope: Scope, node: Node) -> Iterator[Edit]:
    """All that the operators know to change at a node."""
    if not isinstance(node, ast.FormattedValue):
        for operator in operators:
            yield from operator(scope, node)
