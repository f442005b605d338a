"""The draft that came out at the end, as a solution."""

from __future__ import annotations

from pathlib import Path

from tdgen.build.draft import Draft
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.types import Spent, Usage


def solution_of(
    draft: Draft, *, key: str, settings: Settings, spent: tuple[Spent, ...], seconds: float, sandbox: str
) -> Solution:
    """The solution with what it cost; `seconds` is all the time it took."""
    return Solution(
        key=key,
        instruction=draft.instruction.text,
        plan=draft.made_plan,
        results=tuple(draft.results.values()),
        module_source=draft.module_source,
        test_files=dict(draft.test_files),
        trust=settings.trust,
        revisions=draft.revisions,
        questions=(*draft.made_plan.questions, *draft.questions),
        promotions=sum(revision.action == "promoted" for revision in draft.revisions),
        usage=sum((part.usage for part in spent), Usage()),
        spent=spent,
        seconds=round(seconds, 3),
        sandbox=sandbox,
        model=Path(settings.script).name or settings.model,
        follows=draft.instruction.follows,
        stopped=draft.stopped,
        notes=draft.notes,
    )
