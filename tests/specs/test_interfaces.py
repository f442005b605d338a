"""Classes in a plan: how a planner writes them down, and what is refused of them."""

from __future__ import annotations

import pytest

from tdgen.specs.declarations import with_type_variables
from tdgen.specs.interfaces import MOST_METHODS, with_annotations
from tdgen.specs.problems import plan_problems
from tdgen.specs.reply import PlanReply


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
    [["ABC"], ["Generic[T]"], ["Exception"], ["collections.abc.Sequence[int]"], ["Base"], ["dict[str, int]"]],
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


class TestDataclassesAndEnums:
    """Their data are attributes with defaults, and decorators stand in the plan as in code."""

    def test_a_dataclass_makes_its_own_constructor(self):
        """What the planner says of `__init__` beside its parameters is what `__post_init__` does."""
        attributes = [{"name": "cents", "type": "int"}, {"name": "currency", "type": "str", "default": "'EUR'"}]
        checks = {"signature": "__init__(self, cents: int)", "raises": [{"type": "ValueError", "when": "negative"}]}
        spec = planned(a_class("Money", checks, attributes=attributes, decorators=["@dataclass"])).functions[0]
        assert [(one.name, one.default) for one in spec.parameters] == [("cents", None), ("currency", "'EUR'")]
        assert [method.name for method in spec.interface.methods] == ["__post_init__"]
        assert spec.interface.skeleton("Money").startswith("@dataclass\nclass Money:\n    cents: int\n")

    def test_what_came_later_changes_no_key(self):
        """A class without it is written down as before."""
        told = planned(a_class()).functions[0].model_dump(mode="json")["interface"]
        assert told.keys() == {"bases", "attributes", "methods"}
        assert "decorators" not in told["methods"][0]

    @pytest.mark.parametrize(
        ("given", "reason"),
        [
            ({"decorators": ["frobnicate"]}, "the decorator 'frobnicate' is unknown"),
            ({"decorators": ["dataclass("]}, "the decorator 'dataclass(' is unknown"),
            ({"bases": ["Enum"]}, "it is an enum and has no members"),
            ({"bases": ["Enum"], "attributes": [{"name": "LOW", "default": "1 +"}]}, "is not a Python expression"),
            (
                {
                    "decorators": ["dataclass"],
                    "attributes": [{"name": "a", "type": "int", "default": "1"}, {"name": "b", "type": "int"}],
                },
                "the field 'b' without default follows one with a default",
            ),
            ({"attributes": [{"name": "limit"}]}, "attribute 'limit': '' is not a Python annotation"),
        ],
    )
    def test_what_they_can_t_be_is_told(self, given, reason):
        found = problems(a_class(**given))
        assert any(reason in problem for problem in found), found

    @pytest.mark.parametrize(
        ("base", "given", "reason"),
        [
            (
                {"decorators": ["dataclass"]},
                {"decorators": ["dataclass(frozen=True)"]},
                "must both be frozen, or neither",
            ),
            (
                {"decorators": ["dataclass"], "attributes": [{"name": "a", "type": "int", "default": "1"}]},
                {"decorators": ["dataclass"], "attributes": [{"name": "b", "type": "int"}]},
                "a field without default follows one with a default of the base 'Base'",
            ),
            (
                {"bases": ["Enum"], "attributes": [{"name": "LOW", "default": "1"}]},
                {"bases": ["Base", "Enum"], "attributes": [{"name": "MID", "default": "2"}]},
                "the base 'Base' is an enum with members",
            ),
        ],
    )
    def test_what_python_lets_no_data_inherit_is_told(self, base, given, reason):
        found = problems(a_class("Base", **base), a_class(**{"bases": ["Base"]} | given))
        assert any(reason in problem for problem in found), found

    @pytest.mark.parametrize(
        ("method", "above"),
        [
            ({"kind": "property", "decorators": ["functools.cached_property"]}, ["@functools.cached_property"]),
            ({"kind": "property", "decorators": ["functools.cache"]}, ["@property", "@functools.cache"]),
            ({"kind": "class", "decorators": ["contextmanager"]}, ["@classmethod", "@contextmanager"]),
            ({"kind": "abstract", "decorators": ["property"]}, ["@property", "@abstractmethod"]),
        ],
    )
    def test_decorators_stand_in_pythons_order(self, method, above):
        assert problems(a_class("Queue", {"signature": "size(self) -> int"} | method)) == []
        interface = planned(a_class("Queue", {"signature": "size(self) -> int"} | method)).functions[0].interface
        assert list(interface.methods[0].above) == above


def test_a_class_of_one_letter_is_no_type_variable():
    """Its name stands in annotations and bases as any class's does."""
    plan = with_type_variables(planned(a_class("A"), a_class("Queue", bases=["A"])))
    assert plan.types == ()


@pytest.mark.parametrize(
    ("bases", "reason"),
    [
        (("Queue.Full",), "the base 'Full' is the type itself"),
        (("Queue.Late", "Queue.Full"), "go round in a circle"),
        (("int",), "the base 'int' is no exception"),
    ],
)
def test_exceptions_whose_bases_can_t_be_are_refused(bases, reason):
    types = [
        {"name": name, "kind": "exception", "base": base}
        for name, base in zip(("Queue.Full", "Queue.Late"), bases, strict=False)
    ]
    found = problems(a_class(), types=types)
    assert any(reason in problem for problem in found), found
