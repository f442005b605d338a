"""Examples that the contract's own types forbid."""

from __future__ import annotations

import pytest

from tdgen.specs.pinning import misfits
from tdgen.types import Example, Field, FunctionSpec, Parameter, Plan, Returns, SharedType

POINT = SharedType(name="Point", kind="named_tuple", fields=(Field(name="x", type="int"),))


def told(call: str, value: str, signature: str, *, expect: str = "value", quote: str = "the user's words") -> list[str]:
    parameters, _, returns = signature.partition(" -> ")
    made = []
    for text in filter(None, parameters.split(" / ")):
        name, _, rest = text.partition(": ")
        annotation, _, default = rest.partition(" = ")
        bare = name.removeprefix("*, ")
        made.append(Parameter(name=bare, type=annotation, default=default or None, keyword_only=bare != name))
    spec = FunctionSpec(name="f", purpose="-", parameters=tuple(made), returns=Returns(type=returns))
    example = Example(function="f", quote=quote, call=call, value=value, expect=expect)
    return list(misfits(example, Plan(module="kit", functions=(spec,), types=(POINT,), examples=(example,))))


FORBIDDEN = [
    ("f('4')", "4", "n: int -> int", "passes `'4'` for 'n'"),
    ("f(4)", "'4'", "n: int -> int", "expects `'4'`"),
    ("f(2.0)", "4", "n: int -> int", "passes `2.0`"),
    ("f(2)", "4.5", "n: int -> int", "expects `4.5`"),
    ("f(None)", "4", "n: int -> int", "passes `None`"),
    ("f(2)", "None", "n: int -> str", "expects `None`"),
    ("f([1, 'a'])", "4", "n: list[int] -> int", "passes `[1, 'a']`"),
    ("f([1])", "(1,)", "n: list[int] -> list[int]", "expects `(1,)`"),
    ("f('x')", "1", "n: Literal['a', 'b'] -> int", "passes `'x'`"),
    ("f(1)", "1", "n: int -> bool", "expects `1`"),
    ("f(1, k='a')", "1", "n: int / k: int = 0 -> int", "passes `'a'` for 'k'"),
    ("f(1, 'a')", "1", "n: int / *rest: int -> int", "passes `'a'` for '*rest'"),
    ("f(1, 2)", "1", "n: int -> int", "it passes 2 arguments, and 1 are taken"),
    ("f(1, k=2)", "1", "n: int -> int", "no parameter is named 'k'"),
    ("f()", "1", "n: int / k: int = 0 -> int", "it passes nothing for 'n'"),
    ("f(1, 2)", "1", "n: int / *, k: int -> int", "it passes 2 arguments"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "value", "signature", "reason"), FORBIDDEN)
def test_what_the_types_forbid_is_told_with_the_users_words(call, value, signature, reason):
    """For the planner to mend its types: the example is pinned."""
    (problem,) = told(call, value, signature)
    assert reason.replace("'*rest'", "'rest'") in problem
    assert '"the user\'s words"' in problem


ALLOWED = [
    ("f(2)", "4", "n: float -> float"),
    ("f(True)", "4", "n: int -> int"),
    ("f([1], (2,))", "[3]", "a: Sequence[int] / b: Iterable[int] -> list[int]"),
    ("f(None)", "None", "n: int | None -> str | None"),
    ("f(1, 2, 3)", "6", "n: int / *rest: int -> int"),
    ("f(1, a=2)", "6", "n: int / **more: int -> int"),
    ("f(Decimal('1'))", "Decimal('2')", "n: str -> int"),
    ("f((1,))", "(2,)", "p: Point -> Point"),
    ("f('4')", "4", "n: SomethingElse -> Callable[[], int]"),
    ("f('4')[0]", "4", "n: int -> list[int]"),
    ("asyncio.run(f('4'))", "4", "n: int -> int"),
    ("f(*[1, 2])", "4", "n: int -> int"),
]


@pytest.mark.parametrize(("call", "value", "signature"), ALLOWED)
def test_what_may_be_right_is_left_to_the_run(call, value, signature):
    """An int for a float, shared types, what is no literal, calls that are more."""
    assert told(call, value, signature) == []


def test_what_raises_may_break_the_types():
    """That may be why it raises."""
    assert told("f('4')", "TypeError", "n: int -> int", expect="raises") == []
