"""Type variables that a plan's signatures name and nobody declared: what `T` and `P` mean needs no model."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tdgen.source.syntax import parses
from tdgen.specs.annotations import annotation_names
from tdgen.types import Plan, SharedType

_VARIABLE = re.compile(r"[A-Z][0-9]?")


def with_type_variables(plan: Plan) -> Plan:
    """The plan with a type variable for each capital letter that an annotation names and no type of the plan is.

    It is a ParamSpec where it stands for a callable's parameters.
    """
    annotations = [text for text in _annotations(plan) if parses(text)]
    named = {name for text in annotations for name in annotation_names(text)}
    missing = sorted(name for name in named - {t.name for t in plan.types} if _VARIABLE.fullmatch(name))
    added = [
        SharedType(name=name, kind="param_spec" if _stands_for_parameters(name, annotations) else "type_var")
        for name in missing
    ]
    return plan.model_copy(update={"types": (*plan.types, *added)})


def _annotations(plan: Plan) -> Iterator[str]:
    for spec in plan.functions:
        yield from (parameter.type for parameter in spec.parameters)
        yield spec.returns.type
        if spec.interface:
            yield from (*spec.interface.bases, *(attribute.type for attribute in spec.interface.attributes))
            nodes = [node for method in spec.interface.methods if method.node for node in ast.walk(method.node)]
            yield from (ast.unparse(node.annotation) for node in nodes if isinstance(node, ast.arg) and node.annotation)
            yield from (method.returns for method in spec.interface.methods)


def _stands_for_parameters(name: str, annotations: list[str]) -> bool:
    used = re.compile(rf"\b{name}\.(?:kw)?args\b|\bCallable\[\s*{name}\s*,|\bConcatenate\[[^\[\]]*,\s*{name}\s*\]")
    return any(used.search(text) for text in annotations)
