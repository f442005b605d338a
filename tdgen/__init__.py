"""tdgen: prose in, tested Python functions out, tests first.

    >>> import tdgen
    >>> solution = tdgen.solve("slugify(text): lower case, words joined by single hyphens")  # doctest: +SKIP
    >>> solution.all_tests_passed  # doctest: +SKIP
    True
    >>> print(solution["slugify"].source)  # doctest: +SKIP

The public names are imported where they are first used: `import tdgen` by itself costs next to nothing.
pytest imports it for its plugin, and is told to import it as it is: PYTEST_DONT_REWRITE.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tdgen import events
    from tdgen.binding import implement
    from tdgen.cache import Row
    from tdgen.client import Generator, Handed, solve
    from tdgen.client.asynchronous import AskAsync, AsyncClient, asolve
    from tdgen.client.estimating import Estimate
    from tdgen.client.judging import Judged
    from tdgen.errors import (
        BudgetSpent,
        Cancelled,
        Contradicted,
        InputError,
        ModelError,
        OutOfScope,
        PlanError,
        ReplyError,
        SandboxError,
        StoreError,
        TdgenError,
        UnreachableError,
    )
    from tdgen.events import Event
    from tdgen.models.scripted import Script, ScriptedModel
    from tdgen.pipeline import Draft
    from tdgen.pipeline.finishing import Verification
    from tdgen.protocols import Answer, Ask, Emit, Model, Request
    from tdgen.sandbox.interpreter import Mounted
    from tdgen.settings import Budget, Settings
    from tdgen.settings.model import AllOptions
    from tdgen.solution import Solution
    from tdgen.solution.package import Layout
    from tdgen.types import (
        Asked,
        Attempt,
        Case,
        Correction,
        Finding,
        FunctionResult,
        Instruction,
        Outcome,
        Plan,
        Question,
        Revision,
        Spent,
        Strength,
        Suite,
        Target,
        Trust,
        Usage,
        Verdict,
    )

__version__ = "0.1.0"
__all__ = [
    "AllOptions",
    "Answer",
    "Ask",
    "AskAsync",
    "Asked",
    "AsyncClient",
    "Attempt",
    "Budget",
    "BudgetSpent",
    "Cancelled",
    "Case",
    "Contradicted",
    "Correction",
    "Draft",
    "Emit",
    "Estimate",
    "Event",
    "Finding",
    "FunctionResult",
    "Generator",
    "Handed",
    "InputError",
    "Instruction",
    "Judged",
    "Layout",
    "Model",
    "ModelError",
    "Mounted",
    "OutOfScope",
    "Outcome",
    "Plan",
    "PlanError",
    "Question",
    "ReplyError",
    "Request",
    "Revision",
    "Row",
    "SandboxError",
    "Script",
    "ScriptedModel",
    "Settings",
    "Solution",
    "Spent",
    "StoreError",
    "Strength",
    "Suite",
    "Target",
    "TdgenError",
    "Trust",
    "UnreachableError",
    "Usage",
    "Verdict",
    "Verification",
    "asolve",
    "events",
    "implement",
    "solve",
]

_HOMES = {
    "tdgen.binding": ("implement",),
    "tdgen.cache": ("Row",),
    "tdgen.client": (
        "Generator",
        "Handed",
        "solve",
    ),
    "tdgen.client.asynchronous": ("AskAsync", "AsyncClient", "asolve"),
    "tdgen.client.estimating": ("Estimate",),
    "tdgen.client.judging": ("Judged",),
    "tdgen.errors": (
        "BudgetSpent",
        "Cancelled",
        "Contradicted",
        "InputError",
        "ModelError",
        "OutOfScope",
        "PlanError",
        "ReplyError",
        "SandboxError",
        "StoreError",
        "TdgenError",
        "UnreachableError",
    ),
    "tdgen.events": ("Event",),
    "tdgen.models.scripted": ("Script", "ScriptedModel"),
    "tdgen.pipeline": ("Draft",),
    "tdgen.pipeline.finishing": ("Verification",),
    "tdgen.protocols": (
        "Answer",
        "Ask",
        "Emit",
        "Model",
        "Request",
    ),
    "tdgen.sandbox.interpreter": ("Mounted",),
    "tdgen.settings": (
        "Budget",
        "Settings",
    ),
    "tdgen.settings.model": ("AllOptions",),
    "tdgen.solution": ("Solution",),
    "tdgen.solution.package": ("Layout",),
    "tdgen.types": (
        "Asked",
        "Attempt",
        "Case",
        "Correction",
        "Finding",
        "FunctionResult",
        "Instruction",
        "Outcome",
        "Plan",
        "Question",
        "Revision",
        "Spent",
        "Strength",
        "Suite",
        "Target",
        "Trust",
        "Usage",
        "Verdict",
    ),
}


def __getattr__(name: str) -> Any:
    """A public name, imported where it is first asked for."""
    from importlib import import_module

    if name == "events":
        return import_module("tdgen.events")
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(home), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
