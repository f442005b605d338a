"""What a call asks of the functions that it stands on: heard inside the sandbox, told as calls of their own.

The functions are wrapped at the end of the module. What is heard is the word of generated code and proves nothing: it
only says about which calls it is worth to ask.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from tdgen.judge import call_probe
from tdgen.protocols import Sandbox
from tdgen.source.syntax import expression
from tdgen.types import Call, Case, Job, Limits
from tdgen.types.cases import argument_value
from tdgen.values.decode import decode
from tdgen.values.readers import Unreadable

MOST_HEARD: Final = 40
LONGEST_CALL: Final = 400
_HEARD = "_heard_"
_LISTENER = f"""

{_HEARD} = []


def _listening_(name, function, _within=[]):
    def listening(*given, **named):
        if not _within and len({_HEARD}) < {MOST_HEARD}:
            try:
                told = [repr(value) for value in given] + [key + "=" + repr(value) for key, value in named.items()]
                if sum(map(len, told)) <= {LONGEST_CALL}:
                    {_HEARD}.append([name, *told])
            except Exception:
                pass
        _within.append(name)
        try:
            return function(*given, **named)
        finally:
            _within.pop()

    return listening


"""


def recorded_calls(
    sandbox: Sandbox, name: str, module: str, case: Case, functions: Sequence[str], limits: Limits
) -> dict[str, tuple[Call, ...]]:
    """The calls that a case makes of each of `functions`, those not made by one of these, in their order, each once.

    `module` is the source of the module called `name`. Left out are calls whose arguments can't be written down. A case
    that never ends tells nothing.
    """
    source = module + _LISTENER + "".join(f"{one} = _listening_({one!r}, {one})\n" for one in functions)
    probe = call_probe(case.name, case.done).model_copy(update={"after": (_HEARD,)})
    seen = sandbox.run(Job(module=name, source=source, probes=(probe,), limits=limits)).observations[0]
    found: dict[str, dict[str, Call]] = {one: {} for one in functions}
    for function, *arguments in _told(seen.after):
        if function in found and all(map(_is_written_down, arguments)):
            call = Call(function=function, arguments=tuple(arguments), world=case.world)
            found[function].setdefault(call.call_key, call)
    return {function: tuple(calls.values()) for function, calls in found.items()}


def _told(after: Sequence[object]) -> Iterator[list[str]]:
    """What was heard, as far as it is of the form that it should have."""
    try:
        plain = decode(after[0]) if after else None
    except Unreadable:
        return
    for one in plain if isinstance(plain, list) else []:
        if isinstance(one, list) and one and all(isinstance(text, str) for text in one):
            yield one


def _is_written_down(argument: str) -> bool:
    """Whether an argument's repr is the source of an equal value, as far as reading it can tell."""
    try:
        nodes = list(ast.walk(expression(argument_value(argument))))
    except SyntaxError:
        return False
    return not any(
        (isinstance(node, ast.Name) and node.id in ("nan", "inf"))
        or (isinstance(node, ast.Constant) and node.value is Ellipsis)
        for node in nodes
    )
