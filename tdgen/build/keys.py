"""Under what key a function is kept: its contract, what it stands on, and the settings that change the result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tdgen.build.draft import Draft
from tdgen.settings import Settings
from tdgen.types import Frozen, FunctionSpec, digest
from tdgen.types.instruction import FORMAT


def function_keys(draft: Draft, settings: Settings, python: str) -> dict[str, str]:
    """For each function the digest of its spec, the plan's types, its pinned cases, and all functions below it.

    A changed contract changes the keys of what stands on it, and of nothing else; so does a corrected one, since the
    words that corrected it need not be in the next instruction.
    """
    plan, dependencies = draft.made_plan, draft.made_dependencies
    given = {name: suite.cases for name, suite in draft.given.items()}
    own = {
        spec.name: digest(
            [[_contract(spec)], _dumped(draft.pinned.get(spec.name, ())), _dumped(given.get(spec.name, ()))]
        )
        for spec in plan.functions
    }
    around = [FORMAT, python, plan.module, sorted(plan.packages), draft.types, settings.identity()]
    return {name: digest([around, key, [own[n] for n in dependencies.below(name)]]) for name, key in own.items()}


def _contract(spec: FunctionSpec) -> dict[str, Any]:
    """A contract as data, without fields that came later and are empty: what was kept before them is found."""
    lacks = {name for name in ("corrections", "interface") if not getattr(spec, name)}
    return spec.model_dump(mode="json", exclude=lacks or None)


def _dumped(things: Sequence[Frozen]) -> list[Any]:
    return [thing.model_dump(mode="json") for thing in things]
