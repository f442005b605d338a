"""What an example of a property did with objects, as calls that a case makes: steps before, and one that is observed.

The steps were told in the candidate's process: only names of the plan and values that can be spelled out get through,
written anew.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tdgen.inputs.literals import Unreadable, read, written
from tdgen.inputs.sequences import views
from tdgen.source.syntax import literal_or, parse
from tdgen.testgen.rendering.headers import local_name
from tdgen.testgen.watched_steps import WatchedStep
from tdgen.types import Call, FunctionSpec, Method, Plan, module_case

_SPELLED = {
    "__len__": "len({0})",
    "__bool__": "bool({0})",
    "__repr__": "repr({0})",
    "__str__": "str({0})",
    "__iter__": "list({0})",
    "__next__": "next({0})",
    "__contains__": "{1} in {0}",
    "__getitem__": "{0}[{1}]",
    "__setitem__": "{0}[{1}] = {2}",
    "__delitem__": "del {0}[{1}]",
    "__eq__": "{0} == {1}",
    "__lt__": "{0} < {1}",
    "__le__": "{0} <= {1}",
    "__gt__": "{0} > {1}",
    "__ge__": "{0} >= {1}",
    "__add__": "{0} + {1}",
    "__sub__": "{0} - {1}",
    "__mul__": "{0} * {1}",
    "__neg__": "-{0}",
}
"""How people write what Python calls by itself; all else is called by its name."""


class _Step(NamedTuple):
    """A step as it was told, the statement that does it, and the name of what it gives first."""

    recorded: WatchedStep
    done: ast.stmt
    gives: str = ""

    @property
    def statement(self) -> ast.stmt:
        """What it does, and binds what it gives."""
        if not (self.gives and isinstance(self.done, ast.Expr)) or self.recorded.raised:
            return self.done
        return ast.fix_missing_locations(ast.Assign([ast.Name(self.gives, ast.Store())], self.done.value))


class Steps:
    """The steps of one example, which end in looks at the objects.

    `objects` are the classes of the objects, by their numbers from 1, of an enum's members with their names. Where one
    step can't be told, there are none.
    """

    def __init__(self, steps: Sequence[WatchedStep], objects: Sequence[str], spec: FunctionSpec, plan: Plan) -> None:
        self._spec, self._plan = spec, plan
        self._kinds = [kind.partition(".")[0] for kind in objects]
        self._names = _names(objects, plan)
        try:
            self._steps = [self._step(one) for one in steps]
        except (ValueError, SyntaxError, IndexError, KeyError):
            self._steps = []

    @property
    def text(self) -> str:
        """All but the looks on one line; empty where they can't be told."""
        return "; ".join(ast.unparse(one.statement) for one in self._steps if not one.recorded.looked)

    def calls(self, *, earlier: bool = False) -> Iterator[Call]:
        """What can be asked of them, the most telling first: the last step, the state after it, what was looked at.

        `earlier` steps come last.
        """
        steps = [one for one in self._steps if not one.recorded.looked]
        looks = self._steps[len(steps) :]
        if not steps:
            return
        yield from self._observed(steps, len(steps) - 1)
        number = steps[-1].recorded.object
        if number > 0 and self._kinds[number - 1] == self._spec.name:
            for view in views(self._spec.interface, self._names[number - 1]):
                yield self._call(steps, view)
        for place in range(len(looks)):
            yield from self._observed([*steps, *looks], len(steps) + place)
        for place in reversed(range(len(steps) - 1 if earlier else 0)):
            yield from self._observed(steps, place)

    def _observed(self, steps: Sequence[_Step], place: int) -> Iterator[Call]:
        """The step there as what is called, after the others; nothing where nothing comes of it."""
        step = steps[place]
        is_made = step.recorded.name == "__init__" and not step.recorded.raised
        if isinstance(step.done, ast.Expr) and not is_made:
            yield self._call([one for one in steps[:place] if not one.recorded.looked], step.done.value)

    def _call(self, before: Sequence[_Step], observed: ast.expr) -> Call:
        setup = "\n".join(map(ast.unparse, self._setup(before)))
        return Call(function=self._spec.name, setup=setup, call=ast.unparse(observed))

    def _setup(self, steps: Sequence[_Step]) -> Iterator[ast.stmt]:
        """The steps as statements; one that raised is guarded, and what it would have made is not there."""
        for step in steps:
            if step.recorded.raised:
                guard = parse(f"with contextlib.suppress({self._raised(step.recorded)}): pass").body[0]
                if isinstance(guard, ast.With) and step.recorded.name != "__init__":
                    guard.body = [step.done]
                    yield guard
            else:
                yield step.statement

    def _raised(self, step: WatchedStep) -> str:
        """The exception that a step raised, as the contract names it; any one where it does not."""
        method = self._method(step)
        named = [one.type for one in (*(method.raises if method else ()), *self._spec.raises)]
        return next((one for one in named if one.rpartition(".")[2] == step.raised), "Exception")

    def _step(self, step: WatchedStep) -> _Step:
        is_known = step.name.isidentifier() and (not step.name.startswith("_") or self._is_special(step))
        if step.object < 0 or step.kind not in self._plan.classes or not is_known:
            raise Unreadable(step.name)
        gives = self._names[step.gave - 1] if step.gave > 0 else ""
        if step.name == "__init__":
            gives = self._names[step.object - 1] if step.object else ""
        (done,) = parse(self._source(step)).body
        return _Step(step, done, gives)

    def _is_special(self, step: WatchedStep) -> bool:
        return step.name in ("__init__", "__setattr__") or self._method(step) is not None

    def _source(self, step: WatchedStep) -> str:
        owner = self._names[step.object - 1] if step.object else step.kind
        given = [self._value(text) for text in step.args]
        if step.name == "__setattr__":
            name = literal_or(step.args[0])
            if not (isinstance(name, str) and name.isidentifier()) or name.startswith("_"):
                raise Unreadable(step.args[0])
            return f"{owner}.{name} = {given[1]}"
        if step.name in _SPELLED and not step.kwargs:
            return _SPELLED[step.name].format(owner, *given)
        given += [f"{name}={self._value(text)}" for name, text in step.kwargs.items() if name.isidentifier()]
        if step.name == "__init__":
            kind = self._kinds[step.object - 1] if step.object else step.kind
            return f"{kind}({', '.join(given)})"
        called = owner if step.name == "__call__" else f"{owner}.{step.name}"
        plain = f"{called}({', '.join(given)})"
        method = self._method(step)
        return f"asyncio.run({plain})" if method and isinstance(method.node, ast.AsyncFunctionDef) else plain

    def _method(self, step: WatchedStep) -> Method | None:
        interface = self._plan.spec(self._kinds[step.object - 1] if step.object else step.kind).interface
        return interface.method(step.name) if interface else None

    def _value(self, text: str) -> str:
        """An argument written anew: one of the objects by its name, else the value that it spells."""
        if text.startswith("@") and text[1:].isdecimal():
            return self._names[int(text[1:]) - 1]
        return literal_source(text, self._plan)


def literal_source(text: str, plan: Plan) -> str:
    """A value's source written anew; Unreadable or SyntaxError where it would have to be run."""
    body = parse(text).body
    only = body[0] if len(body) == 1 else None
    if not isinstance(only, ast.Expr):
        raise Unreadable(text)
    return written(read(only.value, [one.name for one in plan.types]))


def _names(objects: Sequence[str], plan: Plan) -> list[str]:
    """A name for each object: that of its class, numbered from the second of a class on, or what an enum calls it."""
    taken = frozenset({*vars(builtins), *(spec.name for spec in plan.functions)})
    so_far: Counter[str] = Counter()
    names = []
    for kind in objects:
        if "." in kind:
            names.append(kind)
            continue
        so_far[kind] += 1
        name = local_name(module_case(kind), taken)
        names.append(name if so_far[kind] == 1 else f"{name}_{so_far[kind]}")
    return names
