"""A module's name that nothing else has, found without asking anybody.

Plans held to the rules: every breach is named, all of them at once.
"""

from __future__ import annotations

from typing import Any

import pytest

from tdgen.specs.problems import plan_problems, with_own_module_name
from tdgen.types import Entry, Example, Field, FunctionSpec, Parameter, Plan, Raises, Returns, SharedType


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


def spec(name: str = "area", **changes: Any) -> FunctionSpec:
    return FunctionSpec(name=name, purpose="-", returns=changes.pop("returns", Returns(type="int")), **changes)


def problems(*functions: FunctionSpec, text: str = "area(2) is 4", **plan: Any) -> list[str]:
    made = Plan(module=plan.pop("module", "shapes"), functions=functions, **plan)
    return plan_problems(made, text, max_functions=3, packages=frozenset({"numpy"}))


def test_a_sound_plan_has_no_problem():
    """Shared types, the standard library's names and allowed packages are all at hand."""
    point = SharedType(name="Point", kind="dataclass", fields=(Field(name="x", type="float"),))
    wide = spec(
        parameters=(
            Parameter(name="points", type="Sequence[Point]"),
            Parameter(name="at", type="datetime | None", default="None"),
        ),
        returns=Returns(type="dict[str, list[Decimal]]"),
        raises=(Raises(type="ValueError", when="empty"), Raises(type="json.JSONDecodeError", when="bad")),
    )
    assert problems(wide, types=(point,), packages=("numpy", "json")) == []


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("2fast", "not a Python identifier"),
        ("class", "a Python keyword"),
        ("match", "a Python keyword"),
        ("list", "would shadow a builtin"),
        ("__init__", "Python's own"),
        ("os.system", "not a Python identifier"),
        ("test_card", "pytest would take it for a test"),
    ],
)
def test_a_name_that_code_can_not_have_is_refused(name, told):
    """Functions are named by identifiers, and never over a keyword or builtin."""
    assert any(told in problem for problem in problems(spec(name)))


def test_the_texts_of_a_literal_are_no_names_of_types():
    """Wherever it stands; a quoted annotation beside it names one."""
    assert problems(spec(returns=Returns(type="dict[str, Literal['open', 'shut'] | None]"))) == []
    assert any("Matrix" in one for one in problems(spec(returns=Returns(type="dict[Literal['open'], 'Matrix']"))))


@pytest.mark.parametrize(
    "annotation", ["list[", "print('x')", "Matrix", "[x for x in y]", "int if 1 else str", "lambda: 0", ""]
)
def test_an_annotation_that_is_no_type_is_refused(annotation):
    """It must parse, say nothing but types, and name only what can be imported."""
    assert any("return type" in problem for problem in problems(spec(returns=Returns(type=annotation))))


def test_a_contract_may_name_the_plans_packages():
    """By their short names too: in annotations, exceptions and bases of types."""
    singular = SharedType(name="Singular", kind="exception", base="np.linalg.LinAlgError")
    sound = spec(
        parameters=(Parameter(name="of", type="np.ndarray"), Parameter(name="by", type="numpy.typing.NDArray")),
        returns=Returns(type="np.ndarray | list[np.float64]"),
        raises=(Raises(type="numpy.linalg.LinAlgError", when="singular"),),
    )
    assert problems(sound, types=(singular,), packages=("numpy",)) == []


def test_a_package_that_the_plan_does_not_have_is_no_type():
    """The message says what to do: the code could not import it either."""
    (problem,) = problems(spec(returns=Returns(type="pd.DataFrame")), packages=("numpy",))
    assert problem.endswith("no shared type (the plan's packages do not have pandas)")
    bad = spec(raises=(Raises(type="np.linalg.LinAlgError", when="singular"),))
    assert any("no exception" in problem for problem in problems(bad))


def test_a_module_does_not_shadow_its_own_package():
    """`import numpy` would find the module itself."""
    assert any("would shadow" in problem for problem in problems(spec(), module="numpy", packages=("numpy",)))


def test_a_dependency_on_nothing_is_refused():
    """The message lists what there is."""
    assert problems(spec(dependencies=("volume",))) == [
        "function 'area': depends on 'volume', which is not among the functions area"
    ]


def test_a_package_that_is_not_allowed_is_refused():
    """Allowed ones are named."""
    (problem,) = problems(spec(), packages=("pandas",))
    assert "'pandas' can't be imported here" in problem
    assert "numpy" in problem


def test_a_name_given_twice_is_refused():
    """Functions, types and the module share one namespace."""
    assert "the name 'area' is given to 2 things" in problems(spec(), spec())


def test_a_thousand_functions_are_refused_in_one_line():
    """The bound is said, not a thousand reasons."""
    assert problems(*(spec(f"f{i}") for i in range(1000))) == [
        "the plan has 1000 functions, at most 3 are allowed: plan coarser ones"
    ]


def test_a_module_that_would_shadow_another_is_refused():
    """A module named json would break the rest."""
    assert any("would shadow another module" in problem for problem in problems(spec(), module="json"))


def test_an_example_that_calls_something_else_is_refused():
    """Law about a function must call it."""
    stray = Example(function="area", quote="area(2) is 4", call="volume(2)", value="4")
    assert any("does not call 'area'" in problem for problem in problems(spec(), examples=(stray,)))


def test_an_example_that_the_types_forbid_is_refused():
    """The planner must mend its types: the user's words are pinned."""
    double = spec("double", parameters=(Parameter(name="n", type="int"),))
    pinned = Example(function="double", quote="double('4') is '44'", call="double('4')", value="'44'")
    found = problems(double, text="double('4') is '44'", examples=(pinned,))
    assert [problem.partition(", whose")[0] for problem in found] == [
        "the user's example \"double('4') is '44'\" passes `'4'` for 'n' of 'double'",
        "the user's example \"double('4') is '44'\" expects `'44'` of 'double'",
    ]


def test_an_unknown_exception_is_refused():
    """A contract names exceptions that exist."""
    assert any("'Oops' is no exception" in p for p in problems(spec(raises=(Raises(type="Oops", when="ever"),))))


def test_a_default_before_none_is_no_signature():
    """Parameters must come in an order that Python takes."""
    wrong = spec(parameters=(Parameter(name="a", type="int", default="1"), Parameter(name="b", type="int")))
    assert any("not a valid signature" in problem for problem in problems(wrong))


def test_hostile_defaults_are_never_expressions_with_statements():
    """What is not an expression can't hide in a default."""
    sly = spec(parameters=(Parameter(name="a", type="int", default="1): import os #"),))
    assert any("not a Python expression" in problem for problem in problems(sly))


ENTRIES = {
    "the arguments": ((Parameter(name="argv", type="list[str]"),), "main(sys.argv[1:])"),
    "the arguments, or sys.argv": (
        (Parameter(name="argv", type="Sequence[str] | None", default="None"),),
        "main(sys.argv[1:])",
    ),
    "each argument": ((Parameter(name="*names", type="str"),), "main(*sys.argv[1:])"),
    "nothing": ((), "main()"),
    "nothing that must be given": ((Parameter(name="loud", type="bool", default="False"),), "main()"),
}


@pytest.mark.parametrize(("parameters", "call"), ENTRIES.values(), ids=ENTRIES)
def test_a_script_calls_its_entry_as_the_user_has_it(parameters, call):
    """What tdgen writes under `__main__` fits the signature: a script that can't start is not green."""
    main = spec("main", parameters=parameters)
    assert main.script_call == call
    assert problems(main, entry=Entry(function="main")) == []


def test_an_entry_that_a_command_line_can_not_call_is_refused():
    """It needs more than the arguments."""
    main = spec("main", parameters=(Parameter(name="path", type="str"), Parameter(name="times", type="int")))
    (problem,) = problems(main, entry=Entry(function="main"))
    assert "one list[str], or nothing" in problem


def test_an_async_entry_is_run():
    """By asyncio."""
    assert spec("main", is_async=True).script_call == "asyncio.run(main())"


def test_an_example_of_a_run_is_a_command_line_and_an_exit_code():
    """Of the plan's entry; else the planner is told what it should have said."""
    main = spec("main", parameters=())
    shown = Example(function="main", quote="area(2) is 4", call="['a']", expect="exits", value="4")
    assert problems(main, examples=(shown,), entry=Entry(function="main")) == []
    wrong = shown.model_copy(update={"call": "kit a", "value": "four"})
    told = " ".join(problems(main, examples=(wrong,)))
    assert "is not the entry of a script" in told
    assert "the call is the list of the command line's words" in told
    assert "the exit code 'four' is no number" in told
