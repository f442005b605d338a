"""READ FIRST: the way of an instruction, as a tuple of named steps.

Each step takes the tools and the draft so far and gives back a draft with more in it. `run` walks through them;
`until` stops after the step of that name. Everything concrete (which model, which sandbox, which store) was chosen
before, in `tdgen.runtime`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tdgen.build.draft import Draft, Tools
from tdgen.errors import InputError
from tdgen.events import StageFinished, StageStarted
from tdgen.pipeline.adequacy import check_adequacy
from tdgen.pipeline.building import build
from tdgen.pipeline.finishing import finish
from tdgen.pipeline.planning import order, plan
from tdgen.pipeline.reading import begin_reading, compare_readings
from tdgen.pipeline.self_consistency import confirm_cases
from tdgen.pipeline.testing import add_properties, see_red, write_tests


class Step(NamedTuple):
    """A named step of the way; one that is added from outside says `after` which step it comes."""

    name: str
    take: Callable[[Tools, Draft], Draft]
    after: str = ""


STEPS: tuple[Step, ...] = (
    Step("plan", plan),  # prose -> function specs, the user's examples pinned
    Step("order", order),  # specs -> a graph; can the budget pay for it?
    Step("reading", begin_reading),  # the whole instruction answered once more, beside the tests (from standard on)
    Step("tests", write_tests),  # a contract -> cases, all functions at once, no implementation seen
    Step("red", see_red),  # every case fails on a stub, for the right reason; a third is held out
    Step("weigh", check_adequacy),  # no trivial body passes a whole suite (above trust level quick)
    Step("compare", compare_readings),  # where that answer parts from a case, the instruction's words decide
    Step("confirm", confirm_cases),  # every case is worked out a second time, or arbitrated (at trust level strict)
    Step("properties", add_properties),  # what holds for all inputs, seen to fail on a stub (from standard on)
    Step("build", build),  # implement, run, judge, repair; a function starts when what it needs is green
    Step("finish", finish),  # one module, its test files, and what is verified is kept
)


def with_added(steps: Sequence[Step], added: Sequence[Step]) -> tuple[Step, ...]:
    """The steps with each added one behind the step that it names; InputError where there is no such step."""
    way = list(steps)
    for step in added:
        names = [other.name for other in way]
        if step.after not in names:
            raise InputError(f"the step {step.name!r} wants to come after {step.after!r}, of which there is none")
        way.insert(names.index(step.after) + 1, step)
    return tuple(way)


def run(tools: Tools, draft: Draft, *, until: str = "", steps: Sequence[Step] = STEPS) -> Draft:
    """Take the steps in order, the one named `until` last; events tell when each begins and ends."""
    for step in steps:
        tools.emit(StageStarted(stage=step.name))
        began = time.monotonic()
        draft = step.take(tools, draft)
        tools.emit(StageFinished(stage=step.name, seconds=time.monotonic() - began))
        if step.name == until:
            break
    return draft


__all__ = ["STEPS", "Draft", "Step", "Tools", "run", "with_added"]
