"""Plans that say what is to be written in a module of a project: something new, or a contract that changes."""

from __future__ import annotations

import ast
from typing import Final

from tdgen.project.additions import addition_problems, with_stubs
from tdgen.project.changes import change_problems, head_in, with_change
from tdgen.prompts import render
from tdgen.protocols import NO_CONTEXT
from tdgen.source.heads import unit_in
from tdgen.source.syntax import parse
from tdgen.types import Plan, Target

_SHAPES: Final = (
    "as one of `functions`",
    "as the one method of its class, which is one of `classes`, with no `attributes`",
    "as one of `classes`, with no `attributes` and of its methods those alone whose contracts change",
)


class PlansInProject:
    """What the planner is told of such a place, what a plan must hold to, and the place as the plan makes it."""

    def told(self, target: Target) -> str:
        """What the planner is told of the place; "" where the units stand in the module already."""
        context, where = target.context.strip() or NO_CONTEXT, {"module": target.module, "path": target.path}
        if target.changed:
            is_class = isinstance(unit_in(parse(target.source), target.changed), ast.ClassDef)
            shape, stands = _SHAPES[2 if is_class else "." in target.changed], head_in(target.source, target)
            about = {"unit": target.changed, "stands": stands, "shape": shape, "context": context}
            return render("tdgen.project", "changed", **where, **about)
        if target.added_to is None:
            return ""
        what = render("tdgen.project", "added_methods", owner=target.added_to) if target.added_to else ""
        what = what or render("tdgen.project", "added_units")
        return render("tdgen.project", "added", **where, what=what, context=context)

    def problems(self, plan: Plan, text: str) -> list[str]:
        """What of a plan for the instruction `text` does not fit what is to be added, or to change."""
        return [*addition_problems(plan), *change_problems(plan, text)]

    def settled(self, plan: Plan) -> Plan:
        """The plan with what it says of its target's units laid into that target."""
        return with_change(with_stubs(plan))
