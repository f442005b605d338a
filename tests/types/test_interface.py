"""The public interface of a class: how a prompt shows it, and what its members give."""

from __future__ import annotations

import ast

import pytest

from tdgen.source.syntax import expression
from tdgen.types import Attribute, ClassInterface, FunctionSpec, Method, Raises, Returns, module_case

INTERFACE = ClassInterface(
    bases=("Generic[T]", "Base"),
    attributes=(Attribute(name="dropped", type="list[str]", description="what fell out"),),
    methods=(
        Method(
            signature="def put(self, item: T) -> int",
            purpose="Put an item in.",
            raises=(Raises(type="ValueError", when="it is full"),),
        ),
        Method(signature="def of(cls, items: list[T]) -> Queue[T]", kind="class"),
        Method(signature="def size(self) -> int", kind="property"),
        Method(signature="def size(self, value: int) -> None", kind="setter"),
        Method(signature="async def flush(self) -> int"),
        Method(signature="def _drop(self) -> None", purpose="For Hall: forget all."),
    ),
)


def test_a_skeleton_is_python_with_every_contract_in_it():
    """Decorators, docstrings and bases, as code will have them."""
    text = INTERFACE.skeleton("Queue")
    (node,) = ast.parse(text).body
    assert [base.id if isinstance(base, ast.Name) else base.value.id for base in node.bases] == ["Generic", "Base"]
    assert '"""Put an item in.\n        Raises ValueError: it is full\n        """' in text
    assert "@size.setter\n    def size(self, value: int)" in text
    assert "dropped: list[str]  # what fell out" in text


def test_a_bare_skeleton_says_only_what_the_words_can_not():
    """Signatures, and what methods are for that the plan made up."""
    bare = INTERFACE.skeleton("Queue", bare=True)
    assert "Put an item in" not in bare
    assert "what fell out" not in bare
    assert "For Hall" in bare
    assert "For Hall" not in INTERFACE.skeleton("Queue", bare=True, known={"_drop"})


@pytest.mark.parametrize(
    ("source", "annotation"),
    [
        ("q.put(3)", "int"),
        ("q.size", "int"),
        ("q.size()", ""),
        ("q.put", ""),
        ("q.dropped", "list[str]"),
        ("q.flush()", ""),
        ("[q.size]", ""),
        ("q.other()", ""),
    ],
)
def test_what_a_call_gives_is_what_its_method_promises(source, annotation):
    """Only where it is told plainly: an expression around it, or a coroutine, gives something else."""
    assert INTERFACE.gives(expression(source)) == annotation


@pytest.mark.parametrize(
    ("name", "module"),
    [("PrintQueue", "print_queue"), ("HTTPServer", "http_server"), ("Ring2D", "ring2_d"), ("camelCase", "camelCase")],
)
def test_names_of_classes_in_module_case(name, module):
    """Functions keep their names."""
    assert module_case(name) == module


def test_a_function_is_written_down_as_before_there_were_classes():
    """So what was kept of it is found, and no prompt speaks of an interface that it has not."""
    function = FunctionSpec(name="double", purpose="x", returns=Returns(type="int"))
    assert "interface" not in function.model_dump(mode="json")
    assert "interface" not in function.model_dump_json()
    of_class = function.model_copy(update={"interface": INTERFACE})
    assert FunctionSpec.model_validate_json(of_class.model_dump_json()) == of_class


def test_the_methods_that_changed_are_named():
    """By all that their contracts say, passages aside; a change of more than methods is one of the whole class."""
    take, put = Method(signature="def take(self) -> int"), Method(signature="def put(self, x: int) -> None")
    before = ClassInterface(methods=(take, put))
    slower = put.model_copy(update={"purpose": "Slowly."})
    bound = take.model_copy(update={"passages": ("Take one.",)})
    assert ClassInterface(methods=(bound, slower)).changed_from(before) == {"put"}
    assert ClassInterface(methods=(take,)).changed_from(before) == {"put"}
    assert before.changed_from(before) == set()
    assert before.model_copy(update={"bases": ("Shelf",)}).changed_from(before) is None
