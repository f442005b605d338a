"""The file of properties: what stands in it, and that it is bounded and alike in each run."""

from __future__ import annotations

import ast

import pytest

from tdgen.pytest_files import render_properties
from tdgen.types import Field, FunctionSpec, Parameter, Plan, Property, Returns, SharedType, file_of_properties

SPEC = FunctionSpec(
    name="norm",
    purpose="Its length.",
    parameters=(Parameter(name="point", type="Point"),),
    returns=Returns(type="float"),
)
POINT = SharedType(
    name="Point", kind="dataclass", fields=(Field(name="x", type="float"), Field(name="y", type="float"))
)
PLAN = Plan(module="plane", functions=(SPEC,), types=(POINT,))
POSITIVE = Property(
    name="test_positive",
    source=(
        "@given(st.integers(-9, 9))\n@example(0)\ndef test_positive(x):\n    assume(x != 3)\n"
        "    assert math.isclose(norm(Point(x, 0)), abs(x))\n"
    ),
    why='the "length" of it',
)


def test_a_file_imports_what_it_names_and_nothing_else():
    """The standard library, hypothesis, and the module's own names, apart from each other."""
    lines = render_properties([POSITIVE], SPEC, PLAN).splitlines()
    imports = [line for line in lines if line.startswith(("import ", "from "))]
    assert imports == [
        "import math",
        "from hypothesis import HealthCheck, assume, example, given, settings",
        "from hypothesis import strategies as st",
        "from plane import Point, norm",
    ]
    assert '# the "length" of it' in lines


def test_words_that_its_docstring_says_are_not_said_twice():
    """Above it stands a comment only where it has none."""
    source = POSITIVE.source.replace("    assume", '    """The length of it."""\n    assume')
    text = render_properties([POSITIVE.model_copy(update={"source": source, "why": "The length of it."})], SPEC, PLAN)
    assert text.count("The length of it.") == 1


def test_every_property_has_the_same_bounds():
    """No database, no deadline, the same examples each time."""
    other = POSITIVE.model_copy(update={"name": "test_other", "source": POSITIVE.source.replace("positive", "other")})
    tree = ast.parse(render_properties([POSITIVE, other], SPEC, PLAN))
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert [ast.unparse(test.decorator_list[0]) for test in tests] == ["_bounded", "_bounded"]
    (bounds,) = [node.value for node in tree.body if isinstance(node, ast.Assign)]
    told = {keyword.arg: ast.unparse(keyword.value) for keyword in bounds.keywords}
    assert told["derandomize"] == "True"
    assert told["database"] == told["deadline"] == "None"
    assert int(told["max_examples"]) <= 200


def test_pytest_stands_with_hypothesis():
    """Third-party imports are one group."""
    raising = POSITIVE.model_copy(
        update={
            "source": "@given(st.text())\ndef test_positive(t):\n    with pytest.raises(TypeError):\n        norm(t)\n"
        }
    )
    assert "import pytest\nfrom hypothesis import" in render_properties([raising], SPEC, PLAN)


def test_a_name_that_nobody_knows_is_refused():
    """As in the rendered cases."""
    unknown = POSITIVE.model_copy(update={"source": POSITIVE.source.replace("math.isclose", "nearly")})
    with pytest.raises(ValueError, match="nobody knows the name nearly"):
        render_properties([unknown], SPEC, PLAN)


def test_the_file_is_named_after_the_function():
    """And is no other function's test file but by bad luck."""
    assert file_of_properties("norm") == "test_norm_properties.py"
