"""Under what key a function is kept: its contract, what it stands on, and the settings that change the result."""

from __future__ import annotations

from tdgen.pipeline.draft import Draft
from tdgen.settings import Settings
from tdgen.types import digest
from tdgen.types.instruction import FORMAT


def function_keys(draft: Draft, settings: Settings) -> dict[str, str]:
    """For each function the digest of its spec, the plan's types, its law, and all functions below it.

    A changed contract changes the keys of what stands on it, and of nothing else.
    """
    plan, dependencies = draft.made_plan, draft.made_dependencies
    own = {
        spec.name: digest(
            [spec.model_dump(mode="json"), [c.model_dump(mode="json") for c in draft.law.get(spec.name, ())]]
        )
        for spec in plan.functions
    }
    around = [FORMAT, plan.module, plan.domain, sorted(plan.packages), draft.types, settings.identity()]
    return {name: digest([around, key, [own[n] for n in dependencies.below(name)]]) for name, key in own.items()}
