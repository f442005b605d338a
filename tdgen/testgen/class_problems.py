"""What reading tells of a class's cases: private state looked at, methods that no case uses, no sequences of calls.

A class has many right implementations that differ in all that is private. So a case builds objects by the public
interface and observes public state, and an instance is expected by what is public of it.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterator, Sequence

from tdgen.source.syntax import expression_or_none, statements_of
from tdgen.types import Case, ClassInterface, ExpectedException, FunctionSpec, Value

SEQUENCE = 3
"""Of how many calls a sequence is at least: two can't show that the second depends on what the first left."""
FEWEST_SEQUENCES = 6
"""Of how many cases one must be a sequence, else more are asked for; the prompt asks for one of three, and an answer
that has half of these is not worth another call."""
_OPERATORS: dict[str, tuple[type[ast.AST], ...]] = {
    "__contains__": (ast.In, ast.NotIn),
    "__iter__": (ast.For, ast.comprehension, ast.Starred),
    "__aiter__": (ast.AsyncFor, ast.comprehension),
    "__enter__": (ast.With,),
    "__exit__": (ast.With,),
    "__aenter__": (ast.AsyncWith,),
    "__aexit__": (ast.AsyncWith,),
    "__eq__": (ast.Eq, ast.NotEq, ast.In),
    "__hash__": (ast.Set, ast.SetComp, ast.Dict, ast.DictComp),
    "__lt__": (ast.Lt, ast.Gt),
    "__le__": (ast.LtE, ast.GtE),
    "__gt__": (ast.Gt, ast.Lt),
    "__ge__": (ast.GtE, ast.LtE),
    "__getitem__": (ast.Subscript,),
    "__setitem__": (ast.Subscript,),
    "__delitem__": (ast.Delete,),
    "__add__": (ast.Add,),
    "__sub__": (ast.Sub,),
    "__mul__": (ast.Mult,),
    "__neg__": (ast.USub,),
}
_BUILTINS = {
    "__len__": ("len",),
    "__iter__": ("list", "iter", "tuple", "set", "sorted", "sum", "next", "dict"),
    "__reversed__": ("reversed",),
    "__repr__": ("repr",),
    "__str__": ("str", "format", "print"),
    "__hash__": ("hash", "set", "frozenset", "dict"),
    "__bool__": ("bool",),
    "__lt__": ("sorted", "min", "max"),
    "__next__": ("next", "list"),
}
_UNCHANGED = re.compile(
    r"\bunchanged\b|\bas (?:it|they) (?:was|were)\b|\bwithout (?:any )?(?:change|changing)|\bleft alone\b|"
    r"\b(?:nothing|no state|not(?:hing)? (?:of|in) (?:it|them)) (?:is |has |was )?(?:changed?|changes)\b|\bno effect\b|"
    r"\bstays? (?:as|the same)\b|\bremains? (?:as|the same)\b|\b(?:does|do) not change\b",
    re.IGNORECASE,
)
"""How contracts say that an error leaves an object as it was."""
_STATELESS = re.compile(r"\bstateless\b|\b(?:keeps|has|holds) no state\b|\bno state of its own\b", re.IGNORECASE)
_HIDDEN = frozenset({"__dict__", "__slots__", "__weakref__"})


def class_faults(case: Case, spec: FunctionSpec) -> Iterator[str]:
    """What a case of a class may not do: look at what is private, or compare an instance as if it were a value."""
    if spec.interface is None:
        return
    promised = {method.name for method in spec.interface.methods}
    private = (name for tree in _trees(case) for node in ast.walk(tree) if (name := _private(node)))
    if looked_at := next((name for name in private if name not in promised), ""):
        yield (
            f"it looks at {looked_at!r}, which is private: other implementations are right that have no such "
            "thing; observe public attributes and what methods give"
        )
        return
    call = expression_or_none(case.expression)
    is_made = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == spec.name
    if isinstance(case.expectation, Value) and is_made and spec.name not in case.expectation.source:
        yield (
            f"its call gives an instance of {spec.name}, and `value` is none: expect `{spec.name}(…)` by its public "
            "state, or make it in `setup` and observe in `call` what a method gives"
        )
    yield from _compared_inside(case, call)


def _compared_inside(case: Case, call: ast.expr | None) -> Iterator[str]:
    """A comparison of what was observed with what is expected, made where the code under test could forge it."""
    asked = case.expectation
    if not (isinstance(asked, Value) and asked.source.strip() == "True" and isinstance(call, ast.Compare)):
        return
    left, operator, right = call.left, call.ops[0], call.comparators[0]
    is_read = isinstance(left, ast.Attribute | ast.Subscript) or (
        isinstance(left, ast.Call) and isinstance(left.func, ast.Attribute)
    )
    if len(call.ops) == 1 and isinstance(operator, ast.Eq) and is_read and isinstance(right, ast.Constant):
        yield (
            f"its call compares by itself: make the call `{ast.unparse(left)}` and the value `{ast.unparse(right)}`, "
            "as they are compared outside"
        )


def suite_lacks(spec: FunctionSpec, cases: Sequence[Case]) -> list[str]:
    """What the cases of a class lack as a suite, a reason each; nothing for a function."""
    if spec.interface is None or not cases:
        return []
    reasons = []
    if unused := unused_methods(spec, cases):
        reasons.append(f"no case uses {', '.join(unused)}: add cases, under new names, that do")
    own = [case for case in cases if not case.is_pinned]
    sequences = sum(_calls(case, spec.interface) >= SEQUENCE for case in own)
    # There is something to do in sequence where two methods at least are called by name on an instance.
    named = sum(method.kind == "instance" and not method.is_special for method in spec.interface.methods)
    keeps_state = named > 1 and not spec.interface.is_constant and not _STATELESS.search(spec.purpose)
    if sequences * FEWEST_SEQUENCES < len(own) and keeps_state:
        reasons.append(
            f"{sequences} of your {len(own)} cases do {SEQUENCE} or more things with an object, and a third should: "
            "add cases, under new names, where what a call gives depends on those before it"
        )
    # Whether the contract says of an exception that the object stays as it was.
    raising = [method for method in spec.interface.methods if method.raises]
    texts = [f"{method.purpose} {' '.join(raised.when for raised in method.raises)}" for method in raising]
    leaves_unchanged = bool(raising) and any(_UNCHANGED.search(text) for text in (spec.purpose, *texts))
    if leaves_unchanged and not any(_looks_after_error(case) for case in cases):
        reasons.append(
            "by the contract an error leaves the object as it was, and no case looks: add one, under a new name, of an "
            "error that says in `after` what of the public state still holds"
        )
    return reasons


def _looks_after_error(case: Case) -> bool:
    """Whether an exception is expected, or caught in the setup, and something looked at after that."""
    caught = (ast.Try, ast.With)
    is_caught = any(isinstance(node, caught) for tree in _trees(case) for node in ast.walk(tree))
    return is_caught or (isinstance(case.expectation, ExpectedException) and bool(case.after))


def unused_methods(spec: FunctionSpec, cases: Sequence[Case]) -> list[str]:
    """The public methods, properties and attributes that no case uses, as far as reading tells; none of a function.

    Where all that is written is private, stubs of a class that is there, cases use it through what the class has.
    """
    if spec.interface is None:
        return []
    methods = spec.interface.methods
    public = [method.name for method in methods] if not all(method.is_private for method in methods) else []
    public += [] if spec.interface.fields else [one.name for one in spec.interface.attributes]
    return _unused(public, cases)


def _unused(public: Collection[str], cases: Sequence[Case]) -> list[str]:
    nodes = [node for case in cases for tree in _trees(case) for node in ast.walk(tree)]
    names = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    names |= {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
    kinds = {type(node) for node in nodes}
    return [name for name in dict.fromkeys(public) if name not in names and not _is_used(name, names, kinds)]


def uses_public(case: Case, spec: FunctionSpec) -> bool:
    """Whether a case uses what is public of a class, whoever made the object; False for a function.

    Operators and builtins use special methods of what something makes that is no builtin: `bag([1]) + bag([2])`.
    """
    if spec.interface is None:
        return False
    public = {method.name for method in spec.interface.methods} | {one.name for one in spec.interface.attributes}
    nodes = [node for tree in _trees(case) for node in ast.walk(tree)]
    if any(isinstance(node, ast.Attribute) and node.attr in public for node in nodes):
        return True
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    special = [name for name in public - {"__init__", "__new__"} if name.startswith("__") and name.endswith("__")]
    return not called <= vars(builtins).keys() and len(_unused(special, [case])) < len(special)


def without_methods(cases: Sequence[Case], names: Collection[str]) -> tuple[Case, ...]:
    """The cases that use none of these methods of a class, as far as reading tells."""
    return tuple(case for case in cases if len(_unused(names, [case])) == len(names))


def _is_used(name: str, names: set[str], kinds: set[type[ast.AST]]) -> bool:
    """Whether a special method is, by an operator, a statement or a builtin; one that is not known is believed to be.

    A formatted string uses `__str__`.
    """
    if not (name.startswith("__") and name.endswith("__")):
        return False
    if name not in _OPERATORS and name not in _BUILTINS:
        return True
    by_text = name == "__str__" and ast.FormattedValue in kinds
    return by_text or bool(names.intersection(_BUILTINS.get(name, ())) or kinds.intersection(_OPERATORS.get(name, ())))


def _calls(case: Case, interface: ClassInterface) -> int:
    """How many things a case does with objects: methods, attributes, operators, and builtins that use such."""
    names = {method.name for method in interface.methods} | {attribute.name for attribute in interface.attributes}
    builtins = {builtin for name in names for builtin in _BUILTINS.get(name, ())}
    operators = tuple(kind for name in names for kind in _OPERATORS.get(name, ()))
    count = 0
    for tree in _trees(case):
        for node in ast.walk(tree):
            count += isinstance(node, ast.Attribute) and node.attr in names
            count += isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in builtins
            count += isinstance(node, operators)
    return count


def _private(node: ast.AST) -> str:
    """The private name that a node reads of an object; empty where it reads none.

    What `self` has in a class of the case's own is its own.
    """
    name: object = ""
    if isinstance(node, ast.Attribute) and not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")):
        name = node.attr
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in ("getattr", "hasattr", "setattr", "delattr"):
            name = next((arg.value for arg in node.args[1:2] if isinstance(arg, ast.Constant)), "")
        elif node.func.id == "vars" and node.args:
            name = "__dict__"
    is_special = str(name).startswith("__") and str(name).endswith("__")
    return str(name) if str(name).startswith("_") and (not is_special or name in _HIDDEN) else ""


def _trees(case: Case) -> Iterator[ast.AST]:
    """Its code, as far as it is Python."""
    for source in (case.setup, case.expression, *(after.expression for after in case.after)):
        yield ast.Module(statements_of(source.strip()), [])
