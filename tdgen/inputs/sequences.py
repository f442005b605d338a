"""Random sequences of calls on a class, made of what its cases do: objects made alike, the same steps in other orders.

A step that may raise what the contract names goes on after it (`with contextlib.suppress(...)`), so that what an error
leaves behind is looked at too. A sequence ends in a step whose result is observed, or in a look at the public state.

A sequence on which something was found is made as short as it can be and still show that.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from random import Random
from typing import NamedTuple, TypeVar

from tdgen.source.names import STDLIB
from tdgen.source.syntax import Definition, expression, parse, statements_of
from tdgen.source.trees import bound_names, free_names, read_names, stored_names
from tdgen.types import Call, Case, ClassInterface, FunctionSpec, World

FEWEST_STEPS, MOST_STEPS = 2, 8
"""Steps between an object's beginning and what is observed: longer ones find little more, and take longer to shrink."""
_NEAR = (-1, 1)
_Step = TypeVar("_Step", bound=ast.stmt)
_TRIES = 4
_ENTER = "contextlib.ExitStack().enter_context"
_KNOWN = frozenset(vars(builtins)) | STDLIB


class _Material(NamedTuple):
    """What the cases do: how objects begin, and steps with them, each object under its own name."""

    begins: list[ast.Assign]
    steps: list[ast.stmt]
    looks: list[ast.expr]
    name: str


def call_sequences(spec: FunctionSpec, cases: Sequence[Case], *, most: int, seed: int = 0) -> tuple[Call, ...]:
    """At most `most` calls that end sequences, no two alike, the same for the same seed; none of a function."""
    if spec.interface is None:
        return ()
    material = _material(spec, cases)
    if not material.begins:
        material = _material(spec, cases, within=True)
    if not material.begins or not material.steps:
        return ()
    rng = Random(seed)  # noqa: S311 - an order, no secret
    calls: dict[str, Call] = {}
    for _ in range(_TRIES * most):
        call = _sequence(material, spec, rng)
        if call is not None:
            calls.setdefault(call.call_key, call)
        if len(calls) == most:
            break
    return tuple(calls.values())


def beside_another(spec: FunctionSpec, cases: Sequence[Case], *, most: int) -> tuple[tuple[Call, Call], ...]:
    """At most `most` pairs of calls that look at the same untouched object: alone, and after steps with another one.

    Where the two differ, instances share state. None where no state is public, or no case has an object.
    """
    material = _material(spec, cases)
    if not (material.begins and material.steps and material.looks):
        return ()
    rng = Random(0)  # noqa: S311 - an order, no secret
    begin, *later = min(material.begins, key=lambda one: len(ast.unparse(one))), *material.steps
    first = _renamed(begin, material.name, f"{material.name}_before")
    first.targets = [ast.Name(f"{material.name}_before", ast.Store())]
    look = ast.unparse(_renamed(ast.Expr(material.looks[0]), material.name, f"{material.name}_before"))
    pairs: dict[str, tuple[Call, Call]] = {}
    for _ in range(most):
        steps = rng.sample(later, min(len(later), MOST_STEPS))
        setup = [first, begin, *(_going_on(step, spec) for step in steps)]
        alone = Call(function=spec.name, setup=ast.unparse(first), call=look)
        beside = alone.model_copy(update={"setup": "\n".join(map(ast.unparse, setup))})
        pairs.setdefault(beside.call_key, (alone, beside))
    return tuple(pairs.values())


def _sequence(material: _Material, spec: FunctionSpec, rng: Random) -> Call | None:
    """One sequence; None where its last step is no expression."""
    # The constants that methods are given, by method and place.
    pool: dict[tuple[str, int], list[object]] = {}
    for call in (node for step in material.steps for node in ast.walk(step) if isinstance(node, ast.Call)):
        for place, given in enumerate(call.args):
            if isinstance(call.func, ast.Attribute) and isinstance(given, ast.Constant):
                pool.setdefault((call.func.attr, place), []).append(given.value)
    begin, *steps = [
        _varied(rng.choice(material.begins), pool, rng),
        *(_varied(rng.choice(material.steps), pool, rng) for _ in range(rng.randint(FEWEST_STEPS, MOST_STEPS))),
    ]
    last = steps.pop()
    look = rng.choice([*material.looks, None]) if material.looks else None
    if look is None and not isinstance(last, ast.Expr):
        return None
    observed = look or (last.value if isinstance(last, ast.Expr) else None)
    setup = [begin, *(_going_on(step, spec) for step in steps)]
    return Call(
        function=spec.name, setup="\n".join(map(ast.unparse, setup)), call=ast.unparse(observed) if observed else ""
    )


def _material(spec: FunctionSpec, cases: Sequence[Case], *, within: bool = False) -> _Material:
    """What the cases do; with `within` also inside of blocks, and with objects that are made of what a setup binds."""
    begins: dict[str, ast.Assign] = {}
    steps: dict[str, ast.stmt] = {}
    bodies = [(case, statements_of(case.setup.strip())) for case in cases]
    flat = _flat if within else list[ast.stmt]
    usual = Counter(own for _, body in bodies for one in flat(body) if (own := _begun(one, spec.name)))
    name = next((own for own, _ in usual.most_common(1)), "")
    for case, whole in bodies:
        if case.kind == "limit" or case.world != World():
            continue
        body = list(flat(whole))
        bound = {one.name for one in whole if isinstance(one, Definition)}.union(*map(stored_names, whole))
        objects = {own for one in body if (own := _begun(one, spec.name))}
        # what is imported is there wherever it is a well-known name
        own_names = {n for one in whole if not isinstance(one, ast.Import | ast.ImportFrom) for n in bound_names(one)}
        made_of = body if within else [one for one in body if _begun(one, spec.name)]
        for value in _begin_values(made_of, spec.name, _entered(whole) if within else set()):
            if free_names(value).isdisjoint(own_names):
                begin = ast.Assign([ast.Name(name, ast.Store())], value)
                begins.setdefault(ast.unparse(ast.fix_missing_locations(begin)), begin)
        looks = (
            one for source in (case.call, *(a.expression for a in case.after)) for one in statements_of(source.strip())
        )
        for step in [*_steps(body, spec.name), *(one for one in looks if isinstance(one, ast.Expr))]:
            used = read_names(step) & (bound | objects)
            if len(used) == 1 and used <= objects and read_names(step) <= used | _KNOWN | {spec.name}:
                renamed = _renamed(step, next(iter(used)), name)
                steps.setdefault(ast.unparse(renamed), renamed)
    # what is done in a block says little of an object that was not entered
    entered = [one for text, one in begins.items() if _ENTER in text]
    return _Material(entered or list(begins.values()), list(steps.values()), views(spec.interface, name), name)


def _flat(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a setup, those in blocks that are entered, tried or a function's own among them."""
    for one in body:
        if isinstance(one, ast.With | ast.Try | ast.FunctionDef):
            for item in one.items if isinstance(one, ast.With) else ():
                if isinstance(item.optional_vars, ast.Name):
                    yield ast.Assign([item.optional_vars], item.context_expr)
            yield from _flat(one.body)
        else:
            yield one


def _entered(body: Sequence[ast.stmt]) -> set[str]:
    """The names of what a setup enters as a context manager."""
    items = [item for one in body for node in ast.walk(one) if isinstance(node, ast.With) for item in node.items]
    named = [one for item in items for one in (item.context_expr, item.optional_vars)]
    return {one.id for one in named if isinstance(one, ast.Name)}


def _begin_values(body: Sequence[ast.stmt], cls: str, entered: set[str]) -> Iterator[ast.expr]:
    """How the instances of a setup are made, entered where they are, with the values of names in their place."""
    values: dict[str, ast.expr] = {}

    class Inlined(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            return deepcopy(values.get(node.id, node))

    for one in body:
        match one:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                made = Inlined().visit(deepcopy(value))
                if not _begun(one, cls):
                    values[name] = made
                    continue
                enter = expression(_ENTER) if name in entered else None
                yield ast.Call(enter, [made], []) if enter else made


def _begun(statement: ast.stmt, cls: str) -> str:
    """The name to which a statement gives a new instance; empty for any other statement."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=called))) if called == cls:
            return name
    return ""


def _steps(body: Sequence[ast.stmt], cls: str) -> Iterator[ast.stmt]:
    """What is done with objects in a setup: calls, whatever becomes of their results, and changes of what they hold."""
    for one in body:
        match one:
            case ast.Expr() | ast.AugAssign() | ast.Delete():
                yield one
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                yield one
            case ast.Assign(targets=[ast.Name()], value=value) if not _begun(one, cls):
                yield ast.Expr(value)


def views(interface: ClassInterface | None, name: str) -> list[ast.expr]:
    """Looks at all that is public of an object's state; none where nothing is."""
    if interface is None:
        return []
    lines = [f"{name}.{one}" for one in interface.state]
    lines += [f"len({name})"] if interface.method("__len__") else []
    lines += [f"list({name})"] if interface.method("__iter__") and not interface.method("__next__") else []
    sources = [lines[0] if len(lines) == 1 else f"[{', '.join(lines)}]"] if lines else []
    return [one.value for source in sources for one in statements_of(source.strip()) if isinstance(one, ast.Expr)]


def _going_on(step: ast.stmt, spec: FunctionSpec) -> ast.stmt:
    """A step after which the sequence goes on also where it raises what the contract names."""
    called = {node.attr for node in ast.walk(step) if isinstance(node, ast.Attribute)}
    methods = [method for method in spec.interface.methods if method.name in called] if spec.interface else []
    named = (
        [raised.type for method in methods for raised in method.raises] if methods else [r.type for r in spec.raises]
    )
    if not named or (isinstance(step, ast.Expr) and isinstance(step.value, ast.Attribute | ast.List)):
        return step
    guard = parse(f"with contextlib.suppress({', '.join(dict.fromkeys(named))}): pass").body[0]
    if isinstance(guard, ast.With):
        guard.body = [step]
    return guard


def _varied(step: _Step, pool: dict[tuple[str, int], list[object]], rng: Random) -> _Step:
    """The step with constants that the same method is given elsewhere, or whole numbers beside them."""
    varied = deepcopy(step)
    for call in (node for node in ast.walk(varied) if isinstance(node, ast.Call)):
        for place, given in enumerate(call.args):
            key = (call.func.attr, place) if isinstance(call.func, ast.Attribute) else ("", -1)
            if key in pool and isinstance(given, ast.Constant):
                value = rng.choice(pool[key])
                near = rng.choice([0, 0, *_NEAR]) if type(value) is int else 0
                call.args[place] = ast.Constant(value + near if type(value) is int else value)  # type: ignore[arg-type]
    return varied


def _renamed(step: _Step, old: str, new: str) -> _Step:
    renamed = deepcopy(step)
    for node in ast.walk(renamed):
        if isinstance(node, ast.Name) and node.id == old:
            node.id = new
    return renamed


MOST_ROUNDS = 10
"""Each takes one step away: a random sequence has no more."""
Holds = Callable[[Sequence[Call]], Sequence[bool]]
"""Which of some calls still show what was found; all are run together."""


def shortest(call: Call, holds: Holds) -> Call:
    """The call after as few statements of its setup as still show it, none of them guarded that need not be."""
    for _ in range(MOST_ROUNDS):
        fewer = [call.model_copy(update={"setup": "\n".join(map(ast.unparse, body))}) for body in _fewer(call)]
        held = holds(fewer) if fewer else []
        left = next((one for one, is_shown in zip(fewer, held, strict=True) if is_shown), None)
        if left is None:
            return call
        call = left
    return call


def _fewer(call: Call) -> Iterator[list[ast.stmt]]:
    """A call's setup with one statement less, later ones first; then with one step out of its guard.

    What binds a name that is read stays: without it each call ends in a NameError, which may be what is looked for.
    """
    body = statements_of(call.setup)
    for place in reversed(range(len(body))):
        left = [*body[:place], *body[place + 1 :]]
        trees = [*left, *statements_of(call.expression)]
        lost = bound_names(body[place]) - {name for tree in left for name in bound_names(tree)}
        if lost.isdisjoint(name for tree in trees for name in read_names(tree)):
            yield left
    for place, statement in enumerate(body):
        if isinstance(statement, ast.With):
            yield [*body[:place], *statement.body, *body[place + 1 :]]
