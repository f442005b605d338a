"""A module's name that nothing else has, found without asking anybody."""

import pytest

from tdgen.specs.module_name import with_own_module_name
from tdgen.types import FunctionSpec, Plan, Returns, SharedType


def named(module: str, wanted: str = "") -> str:
    plan = Plan(
        module=module,
        functions=(FunctionSpec(name="slugify", purpose="-", returns=Returns(type="str")),),
        types=(SharedType(name="Slug", kind="dataclass"), SharedType(name="slugify_module", kind="enum")),
        packages=("numpy",),
    )
    return with_own_module_name(plan, wanted).module


@pytest.mark.parametrize("module", ["texts", "2nd", "test_texts", ""])
def test_a_name_that_nothing_else_has_stays(module):
    """What is wrong in another way is for its author to mend."""
    assert named(module) == module


@pytest.mark.parametrize(
    ("taken", "free"),
    [
        ("slugify", "slugify_module_module"),
        ("Slug", "Slug_module"),
        ("json", "json_module"),
        ("np", "np_module"),
        ("list", "list_module"),
        ("class", "class_module"),
    ],
)
def test_a_name_that_is_taken_gets_an_ending(taken, free):
    """By a function or a type of the plan, a module that can be imported, or Python itself; also twice."""
    assert named(taken) == free


def test_the_name_that_the_user_wants_is_taken_as_it_is():
    """Whatever the planner says."""
    assert named("texts", wanted="slugs") == "slugs"
