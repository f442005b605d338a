"""What a class declares in its body is written by tdgen into whatever its developer wrote."""

from __future__ import annotations

import ast

import pytest

from tdgen.languages.python.mending import class_findings, with_declared
from tdgen.types import Attribute, ClassInterface, FunctionSpec, Returns, SharedType

FULL = SharedType(name="Full", kind="exception", base="ValueError", description="No room.")
SPEC = FunctionSpec(name="Hall", purpose="", returns=Returns(type="Hall"), interface=ClassInterface(types=(FULL,)))
DECLARED = '    class Full(ValueError):\n        """No room."""\n'
REST = "    def seat(self):\n        raise self.Full\n"


@pytest.mark.parametrize(
    "body",
    [
        REST,
        f'    """A hall."""\n{REST}',
        f'    """A hall\n    of seats."""\n\n{REST}\n    @final\n    class Full(Exception):\n        pass\n',
        f"    class Full(ValueError): pass\n\n{REST}",
        f"    Full = ValueError\n{REST}",
        "    Full = ValueError\n",
    ],
    ids=["left out", "below a docstring", "written last", "without docstring", "another name for one", "nothing else"],
)
def test_it_stands_first_in_the_body_once(body):
    """Whatever binds its name goes; all else of the class stays, and what came out goes through unchanged."""
    code = f"LIMIT = 3\n\n\nclass Hall:\n{body}\n\ndef _hall_count():\n    return LIMIT\n"
    written = with_declared(code, SPEC)
    assert written.count(DECLARED) == 1
    assert written.count("Full") == written.count("self.Full") + 1
    assert ("def seat" in written) == ("def seat" in body)
    node = next(node for node in ast.parse(written).body if isinstance(node, ast.ClassDef))
    assert ast.get_docstring(node) == ast.get_docstring(ast.parse(code).body[1])
    assert with_declared(written, SPEC) == written


@pytest.mark.parametrize("code", ["def seat(): ...\n", "class Hall: pass\n"])
def test_code_that_has_no_such_body_is_left_as_it_is(code):
    assert with_declared(code, SPEC) == code


def test_flags_that_change_nothing_are_free():
    """Slots and the flags that hold anyway may be there or not, and the module may be named."""
    interface = ClassInterface(decorators=("dataclass(frozen=True)",), attributes=(Attribute(name="a", type="int"),))
    spec = SPEC.model_copy(update={"interface": interface})
    for decorator in ("dataclass(frozen=True)", "dataclasses.dataclass(slots=True, frozen=True, eq=True)"):
        assert class_findings(f"@{decorator}\nclass Hall:\n    a: int\n", spec) == ()
    for decorator in ("dataclass", "dataclass(frozen=True, eq=False)", "dataclass(frozen=True, order=True)"):
        assert class_findings(f"@{decorator}\nclass Hall:\n    a: int\n", spec)


@pytest.mark.parametrize(
    ("field", "is_refused"),
    [
        ("_b: int = field(init=False, repr=False, compare=False, default=0)", False),
        ("_b: ClassVar[int] = 0", False),
        ("_b: int = 0", True),
    ],
)
def test_further_fields_take_no_part(field, is_refused):
    """A dataclass is compared, shown and made by the contract's fields."""
    interface = ClassInterface(decorators=("dataclass",), attributes=(Attribute(name="a", type="int"),))
    spec = SPEC.model_copy(update={"interface": interface})
    found = class_findings(f"@dataclass\nclass Hall:\n    a: int\n    {field}\n", spec)
    assert bool(found) == is_refused
