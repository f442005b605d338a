"""tdgen: prose in, tested Python functions out, tests first.

    >>> import tdgen
    >>> solution = tdgen.solve("slugify(text): lower case, words joined by single hyphens")  # doctest: +SKIP
    >>> solution.all_tests_passed  # doctest: +SKIP
    True

The public names are imported where they are first used: `import tdgen` by itself costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tdgen.client import Generator, Handed, solve
    from tdgen.errors import BudgetSpent, InputError, ModelError, SandboxError, TdgenError
    from tdgen.models.scripted import ScriptedModel
    from tdgen.settings import Budget, Settings
    from tdgen.solution import Solution

__version__ = "0.1.0"
__all__ = [
    "Budget",
    "BudgetSpent",
    "Generator",
    "Handed",
    "InputError",
    "ModelError",
    "SandboxError",
    "ScriptedModel",
    "Settings",
    "Solution",
    "TdgenError",
    "solve",
]

_HOMES = {
    "tdgen.errors": ("BudgetSpent", "InputError", "ModelError", "SandboxError", "TdgenError"),
    "tdgen.client": ("Generator", "Handed", "solve"),
    "tdgen.models.scripted": ("ScriptedModel",),
    "tdgen.settings": ("Budget", "Settings"),
    "tdgen.solution": ("Solution",),
}


def __getattr__(name: str) -> Any:
    """A public name, imported where it is first asked for."""
    for home, names in _HOMES.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(home), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
