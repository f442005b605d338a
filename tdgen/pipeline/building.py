"""Implement, run, judge, repair: each group of functions as soon as what it needs has ended."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace
from functools import partial

from tdgen.build import DependencyFault, FaultReports, Finished, GroupBuild, closed, go_on, tell_end, work
from tdgen.build.draft import Draft, Tools, dependencies_of
from tdgen.depgraph import Group
from tdgen.extensions import part
from tdgen.specs.planner import Decomposition
from tdgen.types import FunctionResult


def build(tools: Tools, draft: Draft) -> Draft:
    """Every function, implemented or given up, in an order that waits for nothing but what a function needs.

    Helpers of a function that was decomposed are in the plan and the graph from when it has ended.
    """
    return _Queue(tools, draft).emptied()


def with_decomposition(draft: Draft, decomposition: Decomposition) -> Draft:
    """The draft with a function's helpers in its plan and graph."""
    plan = decomposition.within(draft.required_plan)
    pinned = {**draft.pinned, **dict.fromkeys(decomposition.names, ())}
    return replace(draft, plan=plan, dependencies=dependencies_of(draft, plan), pinned=pinned)


class _Queue:
    """The ready queue: a group is at work as soon as all that it needs has ended.

    What has ended goes back to work where a caller faults it, or where what it was built on is not what it was. Only
    one thread is here; groups that are at work know nothing of each other.
    """

    def __init__(self, tools: Tools, draft: Draft) -> None:
        self._tools = tools
        self._draft = draft
        self._dependencies = draft.required_dependencies
        self._waiting = list(self._dependencies.order)
        self._running: dict[Future[Finished], Group] = {}
        self._left: dict[Group, Finished] = {}
        self._ended: set[Group] = set()
        self._results: dict[str, FunctionResult] = {}
        self._docket = FaultReports()
        self._faults: dict[Group, list[DependencyFault]] = {}

    def emptied(self) -> Draft:
        """The draft when all has ended."""
        try:
            while self._waiting or self._running:
                for group in [group for group in self._waiting if self._dependencies.waits_for(group) <= self._ended]:
                    self._waiting.remove(group)
                    left = self._left.get(group)
                    if left is None or left.build is None:
                        build = GroupBuild.begun(self._tools, self._draft, group, self._results, self._docket)
                        step = partial(work, build)
                    else:
                        build = left.build.standing_on(self._draft, self._results)
                        step = partial(go_on, build, self._faults.pop(group, []))
                    self._running[self._tools.executor.submit(_ended, step)] = group
                done, _ = wait(self._running, return_when=FIRST_COMPLETED)
                for future in done:
                    self._take(self._running.pop(future), future.result())
        finally:
            for future in self._running:
                future.cancel()
        draft = self._draft
        in_order = {spec.name: self._results[spec.name] for spec in draft.required_plan.functions}
        ended = [self._left[group] for group in self._dependencies.order]
        corrected = draft.corrected({name: result.corrections for name, result in in_order.items()})
        return replace(
            corrected,
            results=in_order,
            suites={name: result.suite for name, result in in_order.items()},
            stopped=next((finished.stopped for finished in ended if finished.stopped), draft.stopped),
            revisions=(*draft.revisions, *(revision for finished in ended for revision in finished.revisions)),
            questions=(*draft.questions, *(question for finished in ended for question in finished.questions)),
            answers=(*draft.answers, *(answer for finished in ended for answer in finished.answers)),
            notes=(*draft.notes, *(note for finished in ended for note in finished.notes)),
        )

    def _take(self, group: Group, finished: Finished) -> None:
        """Note how a group has ended, or stopped, and send back to work whom that concerns."""
        if finished.decomposition is not None:
            self._draft = with_decomposition(self._draft, finished.decomposition)
        before = self._left.get(group)
        self._left[group] = _continued(before, finished, group) if before is not None else finished
        if finished.faults:
            self._waiting.append(group)
            for fault in finished.faults:
                # the function that is reported goes back to work, as soon as it does not work already
                accused = next(group for group in self._dependencies.order if fault.function in group)
                self._faults.setdefault(accused, []).append(fault)
                if accused in self._ended:
                    self._again(accused)
            return
        self._results |= {result.function: result for result in finished.results}
        self._ended.add(group)
        if self._docket:
            # What was reported while it was at work goes back, and what has ended on anything but what there is now.
            if group in self._faults:
                self._again(group)
            for other in [other for other in self._ended if self._is_outdated(other)]:
                self._again(other)
        if group in self._ended and finished.build is not None:
            tell_end(finished.build, finished)

    def _again(self, group: Group) -> None:
        self._ended.remove(group)
        self._waiting.append(group)

    def _is_outdated(self, group: Group) -> bool:
        """Whether what a group stands on is not what it was, so that it has to be judged again."""
        build = self._left[group].build
        for before in build.below if build is not None else ():
            now = self._results.get(before.function, before)
            if (before.outcome, before.source) != (now.outcome, now.source):
                return True
        return False


def _continued(before: Finished, finished: Finished, group: Group) -> Finished:
    """How a group stands that went on: of its own functions all is told anew, of helpers that it has it was told."""
    return finished._replace(
        results=(*(one for one in before.results if one.function not in group), *finished.results),
        revisions=(*(one for one in before.revisions if one.function not in group), *finished.revisions),
        questions=(*(one for one in before.questions if one.function not in group), *finished.questions),
        notes=tuple(dict.fromkeys((*before.notes, *finished.notes))),
    )


def _ended(worked: Callable[[], GroupBuild]) -> Finished:
    """How a group ends after that work; its function may be divided into helpers, where it resists."""
    finished = closed(worked())
    build = finished.build
    if build is None or not build.tools.policy.decomposes or all(state.passes for state in build.failing):
        return finished
    ended: Finished = part("decomposition").decomposed(finished)
    return ended
