"""Which operators make mutants and which make repairs, by the nodes that they work on.

Of repairs that are equally likely, those of an operator that stands further up come first.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from tdgen.mutation.operators import calls, flow, numbers, values
from tdgen.mutation.operators import calls as insertions
from tdgen.mutation.operators import calls as returns
from tdgen.mutation.operators import flow as conditions
from tdgen.mutation.operators import values as variables
from tdgen.mutation.operators.edits import Edit, Node
from tdgen.source.scope import Scope

Operator = Callable[[Scope, Any], Iterator[Edit]]
Catalogue = tuple[tuple[type[ast.AST] | tuple[type[ast.AST], ...], tuple[Operator, ...]], ...]

_JUMPS = (ast.Break, ast.Continue)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SEQUENCES = (ast.ListComp, ast.SetComp, ast.GeneratorExp)
_COMPREHENSIONS = (*_SEQUENCES, ast.DictComp)

_BOTH: Catalogue = (
    (ast.Compare, (numbers.boundary, numbers.negation)),
    (ast.BinOp, (numbers.likely_operator,)),
    (ast.UnaryOp, (numbers.sign_dropped,)),
    (ast.AugAssign, (numbers.augmented,)),
    (ast.expr, (conditions.negated_test, conditions.forced_test)),
    (ast.IfExp, (conditions.ternary,)),
    (ast.BoolOp, (conditions.and_or,)),
    (_COMPREHENSIONS, (conditions.filter_dropped,)),
    (ast.Call, (calls.opposite,)),
    (ast.Constant, (values.constants,)),
    ((ast.Dict, ast.List, ast.Set), (values.emptied,)),
    (_JUMPS, (flow.jump,)),
)
MUTANTS: Catalogue = (
    *_BOTH,
    (ast.BinOp, (numbers.joined_dropped,)),
    (ast.expr, (numbers.bound_by_one,)),
    (ast.For, (numbers.loop_never,)),
    (ast.Call, (calls.unwrapped, calls.option_dropped)),
    (ast.JoinedStr, (values.text_parts,)),
    (ast.Return, (returns.empty_return,)),
    (ast.Yield, (returns.empty_yield,)),
    (ast.stmt, (flow.effect_dropped,)),
    (ast.Raise, (flow.other_raised,)),
    (ast.Try, (flow.other_caught,)),
)
REPAIRS: Catalogue = (
    (ast.Name, (variables.other_variable, variables.part_of_variable)),
    ((ast.Attribute, ast.Subscript), (variables.attribute_or_item,)),
    ((ast.Tuple, ast.List), (variables.reordered,)),
    *_BOTH,
    (ast.BinOp, (numbers.other_operator, numbers.operands_swapped)),
    (ast.BinOp, (numbers.operand_dropped, numbers.regrouped)),
    (ast.AugAssign, (numbers.other_augmented,)),
    (ast.Assign, (numbers.accumulated,)),
    (ast.Compare, (numbers.other_comparison,)),
    (ast.BoolOp, (conditions.operand_negated,)),
    (ast.Constant, (values.other_constants,)),
    (ast.expr, (numbers.off_by_one,)),
    (ast.Call, (calls.other_function, calls.arguments, numbers.range_bounds, calls.own_call)),
    (_SEQUENCES, (calls.other_comprehension,)),
    (ast.expr, (calls.wrapped,)),
    (ast.Slice, (numbers.slice_bounds,)),
    (ast.expr, (conditions.other_test,)),
    (_COMPREHENSIONS, (conditions.filter_added,)),
    ((ast.Compare, ast.BoolOp, ast.Call, ast.UnaryOp), (conditions.returned_test,)),
    ((ast.List, ast.Dict, ast.Call), (values.starts,)),
    (ast.stmt, (flow.dropped, flow.swapped, flow.moved_out, flow.moved_in)),
    (_JUMPS, (flow.return_instead,)),
    ((ast.If, ast.While), (flow.branches,)),
    (ast.Expr, (returns.missing_return,)),
    (ast.Return, (returns.other_return,)),
    (ast.FunctionDef, (returns.return_at_end,)),
    (ast.stmt, (insertions.added,)),
    (_FUNCTIONS, (insertions.guards,)),
)


def edits(catalogue: Catalogue, scope: Scope, node: Node) -> Iterator[Edit]:
    """All that a catalogue's operators know to change at a node."""
    if not isinstance(node, ast.FormattedValue):
        for kinds, operators in catalogue:
            if isinstance(node, kinds):
                for operator in operators:
                    yield from operator(scope, node)
