"""`@tdgen.implement`: a stub with a docstring becomes the function that tdgen wrote for it, tested and green.

Here alone code that a model wrote is run in the user's own interpreter, with the user's rights: whoever writes the
decorator asks for that. `stubs` refuses what is no stub, `in_module` binds in a file of a project, `in_notebook` in a
cell. Nothing heavy is imported where the function is there already.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, overload

if TYPE_CHECKING:
    from typing import Unpack

    from tdgen.protocols import Emit, Model
    from tdgen.settings.model import AllOptions

__all__ = ["implement"]

F = TypeVar("F", bound=Callable[..., Any])


@overload
def implement(function: F, /) -> F: ...
@overload
def implement(
    *,
    solve: bool | None = None,
    model: Model | str | None = None,
    on_event: Emit | None = None,
    **options: Unpack[AllOptions],
) -> Callable[[F], F]: ...
def implement(
    function: Any = None,
    /,
    *,
    solve: bool | None = None,
    model: Model | str | None = None,
    on_event: Emit | None = None,
    **options: Any,
) -> Any:
    """Bind the code that tdgen wrote for a stub: a function at the top level, its docstring the contract.

    In a cell of a notebook the stub is solved, and the story is shown. In a module what `tdgen fill` wrote there is
    bound, else the green solution that a `tdgen fill` of these stubs left in the cache; InputError with the command to
    run where there is none. No model is asked while a module is imported, unless `solve` is true; where it is false no
    model is asked in a notebook either. `model`, `on_event` and `options` are those of `tdgen.solve`.

    What is bound runs in this interpreter, outside of the sandbox, with your rights: it is what you ask for here. Only
    what is green is bound. InputError for what is no such stub; TdgenError where a solve does not end green.
    """
    if function is None:
        return lambda stub: _bound(stub, model, on_event, options, solve=solve)
    return _bound(function, model, on_event, options, solve=solve)


def _bound(
    stub: object, model: Model | str | None, on_event: Emit | None, options: dict[str, Any], *, solve: bool | None
) -> object:
    # in a sandbox that a project's module is imported in, the module is as it stands
    if any(type(finder).__module__ == "tdgen.sandbox.inside.project" for finder in sys.meta_path):
        return stub
    from tdgen.binding.stubs import checked, file_of
    from tdgen.client.handed import expect

    expect("solve", solve, bool, None)
    function = checked(stub)
    file = file_of(function)
    given = options | ({"model": model} if isinstance(model, str) else {})
    answering = None if isinstance(model, str) else model
    if file is not None:
        from tdgen.binding.in_module import bound_in_module

        return bound_in_module(function, file, given, answering, on_event, solve=bool(solve))
    from tdgen.binding.in_notebook import bound_in_notebook

    return bound_in_notebook(function, given, answering, on_event, solve=solve is not False)
