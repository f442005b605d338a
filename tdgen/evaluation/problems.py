"""A problem of a data set: its prose, the function it asks for, and tests that stay hidden until code is sealed."""

from __future__ import annotations

import ast

from tdgen.source.syntax import parse
from tdgen.types import Frozen


class Problem(Frozen):
    """A problem. What is solved is `instruction` alone; everything below `functions` is hidden from whoever solves.

    `functions` are all that the instruction asks for by name, where it asks for more than `function`, and `kind` is
    the problem's kind where its data set has kinds.

    `asserts` is the source of a test over `called` (the name by which it calls the function: `candidate` where the test
    is a `check(candidate)`), with `helpers` that it needs. Or `inputs` holds the sources of argument lists, and
    what `reference` (a whole module) gives for them is expected, floats to within `atol`. Or `program` is a pytest file
    over `import solution`, all of whose tests `reference` passes. Or the instruction contradicts itself, and `refusal`
    has its two places, word for word.
    """

    id: str
    instruction: str
    function: str
    functions: tuple[str, ...] = ()
    kind: str = ""
    called: str = ""
    asserts: str = ""
    helpers: str = ""
    inputs: tuple[str, ...] = ()
    reference: str = ""
    atol: float = 0.0
    program: str = ""
    refusal: tuple[str, ...] = ()

    @property
    def asks_for_module(self) -> bool:
        """Whether it asks for a whole module, not for one function."""
        return bool(self.program or self.refusal)


def completing(prompt: str) -> str:
    """The instruction of a problem that is told as a function without its body."""
    return f"Complete this Python function:\n\n{prompt.strip()}\n"


def described(prose: str, function: str, source: str = "") -> str:
    """The instruction of a problem that is told in prose: its text, the function's name, and its parameters' names."""
    text = prose.strip().strip('"').strip()
    node = definition(source, function) if source else None
    called = f"{function}({ast.unparse(node.args)})" if node is not None else function
    return text + "\n" if called in text else f"{text}\n\nThe function is `{called}`.\n"


def definition(source: str, function: str) -> ast.FunctionDef | None:
    """The definition of that name at the top of a module; None where there is none, or no module."""
    try:
        tree = parse(source)
    except SyntaxError:
        return None
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == function]
    return found[-1] if found else None
