"""Classes in a plan: how a planner writes them down, and what is refused of them.

Type variables are declared by tdgen where a signature names them.

Shared types as source: each kind as a person would declare it.
"""

from __future__ import annotations

import ast

import pytest

from tdgen.specs.declarations import (
    MOST_METHODS,
    declare_types,
    message_problem,
    types_named,
    with_annotations,
    with_type_variables,
)
from tdgen.specs.problems import plan_problems
from tdgen.specs.reply import PlanReply
from tdgen.types import Field, FunctionSpec, Parameter, Plan, Returns, SharedType


def planned(*classes, **more):
    return PlanReply.model_validate({"module": "kit", "classes": list(classes), **more}).plan("Write it.")


def a_class(name="Queue", *signatures, bases=(), **more):
    methods = [{"signature": text} if isinstance(text, str) else text for text in signatures or ("size(self) -> int",)]
    return {"name": name, "purpose": "It queues.", "methods": methods, "bases": list(bases), **more}


def problems(*classes, **more):
    return plan_problems(planned(*classes, **more), "Write it.", max_functions=9, packages=frozenset())


@pytest.mark.parametrize(
    ("given", "kind", "signature"),
    [
        ("size(self) -> int", "instance", "def size(self) -> int"),
        ("def size(self) -> int:", "instance", "def size(self) -> int"),
        ("size() -> int", "instance", "def size(self) -> int"),
        ("__init__(self, limit: int)", "instance", "def __init__(self, limit: int) -> None"),
        ("async def flush(self)", "instance", "async def flush(self) -> None"),
        ("of(items: list[int]) -> 'Queue'", "class", "def of(cls, items: list[int]) -> 'Queue'"),
        ("is_valid(text: str) -> bool", "static", "def is_valid(text: str) -> bool"),
        ("no signature", "instance", "no signature"),
    ],
)
def test_a_signature_is_written_as_code_has_it(given, kind, signature):
    """With `def`, with `self` or `cls`, and with what it returns, however the planner writes it."""
    assert with_annotations(given, kind) == signature


def test_a_class_is_a_unit_whose_parameters_are_its_constructors():
    """With defaults and stars, so that arguments have names; its exceptions are those of all its methods."""
    take = {"signature": "take(self) -> int", "raises": [{"type": "IndexError", "when": "it is empty"}]}
    plan = planned(a_class("Queue", "__init__(self, limit: int, *items: str, sep: str = ',', **more: int)", take))
    (spec,) = plan.functions
    assert [(p.name, p.type, p.default) for p in spec.parameters] == [
        ("limit", "int", None),
        ("*items", "str", None),
        ("sep", "str", "','"),
        ("**more", "int", None),
    ]
    assert [raised.type for raised in spec.raises] == ["IndexError"]
    assert plan.classes == {"Queue"}


def test_its_passages_are_those_of_all_its_methods():
    """Each method knows its own."""
    flush = {"signature": "flush(self)", "sentences": [2]}
    reply = PlanReply.model_validate({"module": "kit", "classes": [a_class("Queue", flush, sentences=[1])]})
    plan = reply.plan("A queue.\nIt can be flushed.\nQuickly.")
    assert plan.functions[0].passages == ("A queue.", "It can be flushed.")
    assert plan.functions[0].interface.methods[0].passages == ("It can be flushed.",)
    assert plan.unassigned == ("Quickly.",)


@pytest.mark.parametrize(
    "bases",
    [["ABC"], ["Generic[T]"], ["Exception"], ["Enum"], ["collections.abc.Sequence[int]"], ["Base"], ["dict[str, int]"]],
)
def test_bases_may_be_planned_or_pythons_own(bases):
    """Generic ones too; a planned base is among what the class depends on."""
    given = (a_class("Queue", bases=bases), a_class("Base"))
    assert problems(*given, types=[{"name": "T", "kind": "type_var"}]) == []
    assert planned(*given).functions[0].dependencies == (("Base",) if bases == ["Base"] else ())


REFUSED = {
    "an unknown base": ([a_class("Queue", bases=["Bse"])], "the base 'Bse' is unknown"),
    "a final base": ([a_class("Queue", bases=["bool"])], "type 'bool' is not an acceptable base type"),
    "a base that is a circle": (
        [a_class("A", bases=["B"]), a_class("B", bases=["A"])],
        "its bases go round in a circle: A -> B -> A",
    ),
    "an order that can't be": (
        [a_class("A"), a_class("B", bases=["A"]), a_class("Queue", bases=["A", "B"])],
        "no class can have the bases A, B",
    ),
    "a property and a method": (
        [a_class("Queue", "size(self) -> int", {"signature": "size(self) -> int", "kind": "property"})],
        "one name, 'size', is given to a method and a property",
    ),
    "a method twice": ([a_class("Queue", "size(self) -> int", "size(self) -> str")], "'size' is there 2 times"),
    "a setter alone": (
        [a_class("Queue", {"signature": "size(self, value: int)", "kind": "setter"})],
        "the setter 'size' has no property of that name",
    ),
    "no Python": ([a_class("Queue", "give me")], "the method's signature 'give me' is not Python"),
    "no annotation": ([a_class("Queue", "put(self, item)")], "the parameter 'item' has no annotation"),
    "an unknown type": ([a_class("Queue", "put(self, item: Itm)")], "names Itm"),
    "a private method": (
        [a_class("Queue", "_put(self)")],
        "it is private: plan it only where another planned class calls it",
    ),
    "a thousand methods": (
        [a_class("Queue", *(f"m{n}(self)" for n in range(1000)))],
        f"it has 1000 methods, at most {MOST_METHODS} are allowed",
    ),
    "a class that is raised, and is no exception": (
        [
            a_class("Refused"),
            a_class("Queue", {"signature": "put(self)", "raises": [{"type": "Refused", "when": "never"}]}),
        ],
        "to be raised, a class has an exception among its `bases`",
    ),
    "nothing": ([a_class("Queue") | {"methods": []}], "it has neither methods nor attributes"),
}


@pytest.mark.parametrize(("classes", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_can_be_no_class_is_told_to_the_planner(classes, reason):
    """In one line that says which class, and what is wrong."""
    found = problems(*classes)
    assert any(reason in problem and problem.startswith("class ") for problem in found), found


def test_classes_stand_in_annotations():
    """Of functions, of other classes' methods, and of the types that hold data."""
    function = {"name": "longest", "purpose": "x", "returns": "Queue", "parameters": [{"name": "q", "type": "Queue"}]}
    data = {"name": "Pair", "kind": "dataclass", "fields": [{"name": "left", "type": "Queue"}]}
    assert (
        problems(a_class("Queue"), a_class("Hall", "all(self) -> list[Queue]"), functions=[function], types=[data])
        == []
    )


def test_an_example_may_take_several_steps():
    """Its setup is Python, and calls the class where the call does not."""
    example = {"function": "Queue", "quote": "Write it", "setup": "q = Queue()", "call": "q.size()", "value": "0"}
    assert problems(a_class("Queue"), examples=[example]) == []
    assert "its setup is not valid Python" in problems(a_class("Queue"), examples=[example | {"setup": "q ="}])[0]
    assert "does not call 'Queue'" in problems(a_class("Queue"), examples=[example | {"setup": "q = 1"}])[0]


def test_two_units_whose_tests_would_be_one_file_are_refused():
    """A class's file is named as a module is."""
    function = {"name": "print_queue", "purpose": "x", "returns": "int"}
    told = "the tests of 'PrintQueue' and 'print_queue' would be one file: give one of them another name"
    assert problems(a_class("PrintQueue"), functions=[function]) == [told]


def plan(annotation: str, returns: str, *types: SharedType) -> Plan:
    spec = FunctionSpec(
        name="f", purpose="-", parameters=(Parameter(name="x", type=annotation),), returns=Returns(type=returns)
    )
    return with_type_variables(Plan(module="m", functions=(spec,), types=types))


@pytest.mark.parametrize(
    ("annotation", "returns", "kinds"),
    [
        ("list[T]", "T", {"T": "type_var"}),
        ("dict[K, list[V]]", "list[tuple[V, K]]", {"K": "type_var", "V": "type_var"}),
        ("Callable[P, R]", "Callable[P, R | None]", {"P": "param_spec", "R": "type_var"}),
        ("Callable[Concatenate[int, P], R]", "Callable[P, R]", {"P": "param_spec", "R": "type_var"}),
        ("P", "P", {"P": "type_var"}),
        ("int", "str", {}),
    ],
)
def test_a_capital_letter_is_a_type_variable(annotation, returns, kinds):
    """Or a ParamSpec where it stands for a callable's parameters; such a plan keeps the rules."""
    made = plan(annotation, returns)
    assert {shared.name: shared.kind for shared in made.types} == kinds
    assert plan_problems(made, "", max_functions=3, packages=frozenset()) == []


def test_a_type_of_that_name_stays():
    """The plan knows better."""
    made = plan("T", "int", SharedType(name="T", kind="enum"))
    assert [shared.kind for shared in made.types] == ["enum"]


def test_a_longer_name_is_for_its_author_to_declare():
    """It may be a slip."""
    assert plan("list[Item]", "Item").types == ()


def test_it_is_written_as_code_after_the_types_that_bound_it():
    """With its import."""
    point = SharedType(name="Point", kind="named_tuple")
    bounded = SharedType(name="Near", kind="type_var", base="Point")
    assert declare_types(plan("Callable[P, Near]", "T", bounded, point)).endswith(
        '\n\n\nNear = TypeVar("Near", bound=Point)\nP = ParamSpec("P")\nT = TypeVar("T")\n'
    )
    assert "from typing import NamedTuple, ParamSpec, TypeVar\n" in declare_types(plan("Callable[P, T]", "T", point))


def test_a_bound_is_a_type():
    """What it names must be known."""
    made = plan("F", "F", SharedType(name="F", kind="type_var", base="Nothing"))
    (problem,) = plan_problems(made, "", max_functions=3, packages=frozenset())
    assert problem.startswith("type 'F': bound: 'Nothing' names Nothing")


SPEC = FunctionSpec(name="f", purpose="-", returns=Returns(type="int"))


def declared(*types: SharedType) -> str:
    return declare_types(Plan(module="m", functions=(SPEC,), types=types))


def test_a_plan_without_types_declares_nothing():
    """No types, no source."""
    assert declared() == ""


def test_each_kind_is_declared_with_the_imports_it_needs():
    """The source parses, and each class has its base or decorator."""
    source = declared(
        SharedType(name="Point", kind="dataclass", frozen=True, fields=(Field(name="x", type="Decimal"),)),
        SharedType(name="Color", kind="enum", fields=(Field(name="RED", default="'red'"),)),
        SharedType(name="Row", kind="typed_dict", fields=(Field(name="id", type="int"),)),
        SharedType(name="Pair", kind="named_tuple", fields=(Field(name="a", type="int", default="0"),)),
        SharedType(name="EmptyError", kind="exception", base="ValueError", description='Nothing "there".'),
    )
    ast.parse(source)
    for line in (
        "from dataclasses import dataclass",
        "from decimal import Decimal",
        "@dataclass(frozen=True)\nclass Point:",
        "class Color(Enum):",
        "    RED = 'red'",
        "class Row(TypedDict):",
        "class Pair(NamedTuple):",
        "    a: int = 0",
        'class EmptyError(ValueError):\n    """Nothing \\"there\\"."""',
    ):
        assert line in source


def test_a_mutable_default_gets_a_factory():
    """A dataclass refuses a list as default; the declaration says what was meant."""
    source = declared(
        SharedType(name="Bag", kind="dataclass", fields=(Field(name="items", type="list[int]", default="[]"),))
    )
    assert "items: list[int] = field(default_factory=lambda: [])" in source
    assert "from dataclasses import dataclass, field" in source


def test_an_exception_with_fields_keeps_them_as_attributes():
    """What the contract says an exception carries can be read from it."""
    source = declared(SharedType(name="BadLine", kind="exception", fields=(Field(name="line", type="int"),)))
    assert "def __init__(self, line: int) -> None:" in source
    assert "self.line = line" in source


def test_an_exception_says_the_message_that_the_user_wants():
    """With its fields where they stand in braces; without one it says their values."""
    fields = (Field(name="line", type="int"), Field(name="why", type="str", default="''"))
    source = declared(SharedType(name="BadLine", kind="exception", fields=fields, message="line {line:03d}: {why!r}"))
    assert "super().__init__(f'line {line:03d}: {why!r}')" in source
    names = (Field(name="names", type="list[str]"),)
    joined = declared(SharedType(name="Missing", kind="exception", fields=names, message="no {', '.join(names)}"))
    assert "super().__init__(f\"no {', '.join(names)}\")" in joined
    plain = declared(SharedType(name="Closed", kind="exception", message="it's closed"))
    assert 'def __init__(self) -> None:\n        super().__init__("it\'s closed")' in plain


@pytest.mark.parametrize(
    "message", ["{other}", "{line.real}", "{print(line)}", "{line", "{}", "{line:{other}}", "{', '.join(other)}"]
)
def test_a_message_holds_nothing_but_fields(message):
    """It is written into the module, where no line of a type is a model's code."""
    shared = SharedType(name="BadLine", kind="exception", fields=(Field(name="line", type="int"),), message=message)
    assert "fields in braces" in message_problem(shared)


def test_types_that_a_contract_reaches_are_those_it_names_and_those_that_these_name():
    """By their fields and bases; no other is shown beside a contract."""
    kinds = (
        SharedType(name="Unit", kind="enum", fields=(Field(name="CM", default="1"),)),
        SharedType(name="Board", kind="dataclass", fields=(Field(name="unit", type="Unit"),)),
        SharedType(name="LengthError", kind="exception", base="ValueError"),
    )
    plan = Plan(module="m", functions=(), types=kinds)
    assert [shared.name for shared in types_named(plan, "`def fits(board: list[Board]) -> bool`")] == ["Unit", "Board"]
    assert types_named(plan, "`def boarded() -> int`") == ()


@pytest.mark.parametrize(
    ("message", "told"), [("it is closed", "'it is closed'"), ("line {line}", "f'line {line}'"), ("}}", "f'}}'")]
)
def test_a_message_is_formatted_only_where_it_has_fields(message, told):
    """A linter objects to a format without any."""
    error = SharedType(name="Bad", kind="exception", fields=(Field(name="line", type="int"),), message=message)
    assert f"super().__init__({told})" in declare_types(plan("int", "int", error))


@pytest.mark.parametrize(
    ("message", "description", "is_sound"),
    [
        ("{'; '.join(problems)}", "All problems, joined with `; `.", True),
        ("{'; '.join(problems)}", "All that is wrong.", True),
        ("", "All that is wrong.", True),
        ("", "All problems, joined with `; `.", True),
        ("{', '.join(problems)}", "All problems, joined with `; `.", False),
    ],
)
def test_a_docstring_joins_a_message_as_the_class_does(message, description, is_sound):
    """The class is written from the message; who reads the docstring must not be told otherwise."""
    fields = (Field(name="problems", type="list[str]"),)
    shared = SharedType(name="Bad", kind="exception", fields=fields, message=message, description=description)
    assert (message_problem(shared) == "") == is_sound


def test_a_message_that_only_the_description_tells_is_written_out():
    """The constructor does what the docstring says, in the module as in prompts."""
    fields = (Field(name="problems", type="list[str]"), Field(name="line", type="int"))
    error = SharedType(name="Bad", kind="exception", fields=fields, description="`str()` is these joined with `; `.")
    assert """super().__init__(f"{'; '.join(problems)}")""" in declare_types(plan("int", "int", error))
