"""A function's properties as the pytest file `test_<function>_properties.py`, with settings that bound them.

The same examples are drawn in each run, none is kept between runs, and no clock decides about an outcome.
"""

from __future__ import annotations

from collections.abc import Sequence

from tdgen.ruff import format_source
from tdgen.syntax import parse
from tdgen.testgen.rendering.headers import header
from tdgen.testgen.rendering.words import comment, docstring
from tdgen.types import FunctionSpec, Plan, Property
from tdgen.values.imports import free_names

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


def render_properties(properties: Sequence[Property], spec: FunctionSpec, plan: Plan) -> str:
    """The formatted source of the file, which needs pytest and hypothesis, and the module beside it.

    ValueError where a property names what nobody knows.
    """
    sources = [found.source for found in properties]
    named = frozenset[str]().union(*(free_names(parse(source)) for source in sources))
    lent = sorted([*(name for name in _LENT if name in named), "HealthCheck", "settings"])
    drawn = [f"from hypothesis import {', '.join(lent)}", "from hypothesis import strategies as st"]
    groups = header(sources, spec, plan, frozenset({*_LENT, "st"})).split("\n\n")[1:]
    first = docstring(f"Properties of {spec.name}: what holds for all inputs.")
    above = "\n\n".join([first, *_with_ours(groups, "\n".join(drawn), plan)])
    tests = ["\n".join([*(comment(found.why) if found.why else []), "@_bounded", found.source]) for found in properties]
    return format_source("\n\n\n".join([above, _BOUNDED.strip(), *tests]) + "\n")


def property_file(function: str) -> str:
    """The name of the file with a function's properties."""
    return f"test_{function}_properties.py"


def _with_ours(groups: Sequence[str], ours: str, plan: Plan) -> list[str]:
    """Groups of import lines with ours among those of other packages: after the standard library, before the plan's."""
    own = (f"from {plan.module} import", f"import {plan.module}")
    place = next((n for n, group in enumerate(groups) if group.startswith(own)), len(groups))
    if place and "import pytest" in groups[place - 1].splitlines():
        return [*groups[: place - 1], f"{groups[place - 1]}\n{ours}", *groups[place:]]
    return [*groups[:place], ours, *groups[place:]]
