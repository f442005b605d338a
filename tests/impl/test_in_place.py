"""What who writes code sees of a user's file, and which of it was written here."""

from __future__ import annotations

from tdgen.impl.in_place import code_there, written_lines
from tdgen.specs.placed import in_place
from tdgen.types import FunctionSpec, Plan, Returns, Target
from tests.stand_ins import TARGET


def test_who_writes_code_sees_what_stands_there():
    """The unit alone, and what the target has of code beside it; nothing of a new module."""
    spec = FunctionSpec(name="total", purpose="-", returns=Returns(type="int"))
    plan = Plan(module="shop.pricing", functions=(spec,), target=TARGET.model_copy(update={"code": "def _near(): ..."}))
    told = code_there(plan, ["total"])
    assert "<stands_there>\n@cached\ndef total(items, rate=0):  # called by the till\n" in told
    assert "class Cart" not in told
    assert "<code_beside_it>\ndef _near(): ...\n" in told
    assert code_there(plan.model_copy(update={"target": None}), ["total"]) == ""


def test_a_long_docstring_is_not_shown_twice():
    """The instruction has it; other methods keep theirs."""
    first = 'def f(self):\n        """One.\n\n        Two.\n        """\n'
    source = f'class A:\n    {first}\n    def g(self):\n        """A\n        b"""\n'
    target = Target(module="a", path="a.py", source=source, units={"A": ("f",)})
    told = code_there(Plan(module="a", functions=(), target=target), ["A"])
    assert 'def f(self):\n        """…"""\n' in told
    assert 'def g(self):\n        """A\n        b"""\n' in told


def test_of_a_class_only_what_was_written_is_tried_by_mutants():
    """What the user had is not what the suite is for; a new private helper is."""
    answer = (
        "class Cart:\n    def add(self, item):\n        self._put(item)\n\n    def _put(self, item):\n        pass\n"
    )
    placed = in_place(answer, "Cart", TARGET)
    plan = Plan(module="shop.pricing", functions=(), target=TARGET)
    lines = placed.splitlines()
    told = ["\n".join(lines[part.start - 1 : part.stop - 1]) for part in written_lines(placed, plan, "Cart")]
    assert [text.splitlines()[-1].strip() for text in told] == ["self._put(item)", "pass"]
    assert written_lines(placed, plan, "total") == ()
