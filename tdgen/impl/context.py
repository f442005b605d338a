"""What a developer is told of a function beside its cases, and what its code may import."""

from __future__ import annotations

from collections.abc import Mapping

from tdgen.impl.findings import FORBIDDEN
from tdgen.impl.merging import Reusable
from tdgen.prompts.context import PromptContext


class DeveloperContext(PromptContext):
    """What a developer's prompt shows of a function; `allowed` and `forbidden` are the user's word on imports.

    `offered` is what the functions below were written with, by its name.
    """

    python: str = ""
    allowed: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()
    offered: Mapping[str, Reusable] = {}

    @property
    def others(self) -> frozenset[str]:
        """What the module holds beside this function, and a developer's code must not define again."""
        names = {spec.name for spec in self.plan.functions} | {shared.name for shared in self.plan.types}
        return frozenset(names - {self.spec.name})

    @property
    def banned(self) -> frozenset[str]:
        """The modules and names that may not be imported."""
        return (FORBIDDEN | self.forbidden) - self.allowed

    @property
    def packages(self) -> frozenset[str]:
        """The plan's packages by the names that are imported."""
        return frozenset(package.split(".")[0] for package in self.plan.packages)
