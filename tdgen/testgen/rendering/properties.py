"""A function's properties as the pytest file `test_<function>_properties.py`, with settings that bound them.

The same examples are drawn in each run, none is kept between runs, and no clock decides about an outcome.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from tdgen.ruff import format_source
from tdgen.source.imports import free_names
from tdgen.source.syntax import parse
from tdgen.testgen.rendering.headers import header
from tdgen.testgen.rendering.helpers import ISOLATED
from tdgen.testgen.rendering.words import comment, docstring
from tdgen.types import FunctionSpec, Plan, Property

MOST_EXAMPLES = 200
_BOUNDED = f"""
_bounded = settings(
    max_examples={MOST_EXAMPLES},
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=False,
    suppress_health_check=[HealthCheck.too_slow],
)
"""
_LENT = ("assume", "example", "given", "note", "reject", "target")


def render_properties(properties: Sequence[Property], spec: FunctionSpec, plan: Plan, *, isolated: bool = False) -> str:
    """The formatted source of the file, which needs pytest and hypothesis, and the module beside it.

    Where `isolated`, each test runs in a folder of its own. ValueError where a property names what nobody knows.
    """
    sources = [found.source for found in properties]
    helpers = [ISOLATED.strip()] * isolated
    named = frozenset[str]().union(*(free_names(parse(source)) for source in sources))
    lent = sorted([*(name for name in _LENT if name in named), "HealthCheck", "settings"])
    drawn = [f"from hypothesis import {', '.join(lent)}", "from hypothesis import strategies as st"]
    above = header([*sources, *helpers], plan, defined=frozenset({*_LENT, "st", "inside_tmp_path"}), third=drawn)
    tests = ["\n".join([*_why(found), "@_bounded", found.source]) for found in properties]
    first = docstring(f"Properties of {spec.name}: what holds for all inputs.")
    return format_source("\n\n\n".join([f"{first}\n\n{above}", _BOUNDED.strip(), *tests, *helpers]) + "\n")


def _why(found: Property) -> list[str]:
    """The words of the contract as a comment, unless its docstring says them."""
    (test,) = parse(found.source).body
    has_docstring = isinstance(test, ast.FunctionDef) and ast.get_docstring(test)
    return [] if has_docstring else comment(found.why)


def property_file(function: str) -> str:
    """The name of the file with a function's properties."""
    return f"test_{function}_properties.py"
