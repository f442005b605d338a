"""A repair of a large class gives the methods that change; all else of the class stays as it was, to the letter."""

import ast

import pytest

from tdgen.impl.in_place import is_large, method_lines
from tdgen.languages.python.changed_methods import with_changed_methods
from tdgen.types import ClassInterface, FunctionSpec, Method, Returns

WRITTEN = '''import re

_TILL_LIMIT = 9


class Till:
    """A till."""  # its comment stays

    kind: str = "till"

    def __init__(self) -> None:
        self._balance = 0

    @property
    def balance(self) -> int:
        # so does this one
        return self._balance

    @balance.setter
    def balance(self, cents: int) -> None:
        self._balance = cents

    def take(self, cents: int) -> int:
        return 0


def _till_check(cents: int) -> None:
    assert cents
'''


@pytest.fixture
def spec():
    names = ["__init__(self)", "balance(self)", "take(self, cents: int)"]
    methods = tuple(Method(signature=f"def {name} -> int") for name in names)
    return FunctionSpec(
        name="Till", purpose="A till.", returns=Returns(type="Till"), interface=ClassInterface(methods=methods)
    )


def changed(code, spec):
    return with_changed_methods(code, WRITTEN, spec)


def test_a_method_takes_the_place_of_the_one_of_its_name(spec):
    """Nothing else changes by a letter, comments neither."""
    code = "class Till:\n    def take(self, cents: int) -> int:\n        self._balance -= cents\n        return cents\n"
    wanted = WRITTEN.replace("        return 0\n", "        self._balance -= cents\n        return cents\n")
    assert changed(code, spec) == wanted


def test_a_setter_takes_the_place_of_the_setter(spec):
    """Not of the property, whose name it has; decorators go with it."""
    code = (
        "class Till:\n    @balance.setter\n    def balance(self, cents: int) -> None:\n        self._balance = -cents\n"
    )
    assert changed(code, spec) == WRITTEN.replace("self._balance = cents", "self._balance = -cents")


def test_what_is_new_comes_beside_what_is_there(spec):
    """A private method at the end of the class, an attribute before the methods, a helper before the class."""
    code = (
        "import math\nimport re\n\n_TILL_LEAST = 1\n\nclass Till:\n  limit = 3\n\n  def _all(self):\n    return 'new'\n"
    )
    found = changed(code, spec)
    (of_class,) = [node for node in ast.parse(found).body if isinstance(node, ast.ClassDef)]
    names = [ast.unparse(node).split("(")[0].split("\n")[-1] for node in of_class.body]
    assert names[1:3] == ["kind: str = 'till'", "limit = 3"]
    assert of_class.body[-1].name == "_all"
    assert found.index("_TILL_LEAST = 1") < found.index("class Till")
    assert found.count("import re") == 1
    assert found.startswith("import math\n")


def test_constants_and_helpers_that_change_take_their_places(spec):
    """By their names."""
    code = "_TILL_LIMIT = 5\n\nclass Till:\n    pass\n\ndef _till_check(cents):\n    assert cents > 0\n"
    found = changed(code, spec)
    assert "_TILL_LIMIT = 5" in found
    assert "_TILL_LIMIT = 9" not in found
    assert "assert cents > 0" in found
    assert found.count("def _till_check") == 1


def test_an_answer_with_all_methods_is_the_class_as_a_whole(spec):
    """What it leaves out is gone."""
    code = "class Till:\n    def __init__(self): ...\n    def balance(self): ...\n    def take(self, cents): ...\n"
    assert changed(code, spec) == code


@pytest.mark.parametrize("code", ["class Till:\n    def take(", "def take(self): ...\n"], ids=["no Python", "no class"])
def test_what_can_not_be_merged_is_left_to_the_checks(spec, code):
    """It is told to its author like any answer that can't be used."""
    assert changed(code, spec) == code


def test_the_lines_of_methods_are_those_of_their_bodies():
    """A property and its setter are one; the `def` line runs when the class is made, and tells nothing."""
    lines = method_lines(WRITTEN, "Till")
    assert list(lines) == ["__init__", "balance", "take"]
    text = WRITTEN.splitlines()
    assert text[lines["take"].start - 1].strip() == "return 0"
    assert text[lines["balance"].stop - 2].strip() == "self._balance = cents"


def test_a_class_of_more_than_eight_methods_is_large(spec):
    """A function never is."""
    many = tuple(Method(signature=f"def m{n}(self) -> int") for n in range(9))
    assert not is_large(spec)
    assert is_large(spec.model_copy(update={"interface": ClassInterface(methods=many)}))
    assert not is_large(spec.model_copy(update={"interface": ClassInterface(methods=many[:8])}))
    assert not is_large(spec.model_copy(update={"interface": None}))
