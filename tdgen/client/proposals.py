"""What comes of work in a user's project: what would change, what speaks for it, and the way to make it so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tdgen.cache import cache_folder
from tdgen.errors import InputError
from tdgen.project.applying import apply_changes
from tdgen.project.edit import Change, diff_of, save_patch
from tdgen.project.revising import Revised
from tdgen.project.task import Done, ProjectTask, changes_of
from tdgen.settings import Settings
from tdgen.solution import Solution
from tdgen.types import Finding, Spent, Usage

if TYPE_CHECKING:
    from tdgen.fixing.loop import Fixed
    from tdgen.fixing.problem import Problem
    from tdgen.project.gate import GateReport
    from tdgen.project.module import Module


class Part(NamedTuple):
    """What came of a module: its task and solution and, where that is all green, what the project's own tests say.

    `notes` is what is to be said besides, `passed` are lines on what was passed over. Of a change `revised` are those
    tests of the project that contradict it, for which `spent` was paid.
    """

    task: ProjectTask
    solution: Solution
    gate: GateReport | None = None
    notes: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    revised: Revised = Revised()
    spent: tuple[Spent, ...] = ()

    @property
    def is_green(self) -> bool:
        """Whether all tests pass, those of the project as before; of code that was there, whether it holds."""
        return self.solution.all_tests_passed and (self.gate is None or self.gate.holds)

    @property
    def is_good(self) -> bool:
        """Whether it may be written: what is green, and the tests of code that was there, whatever they found."""
        return not self.solution.stopped if self.solution.plan.is_existing else self.is_green

    @property
    def text(self) -> str:
        """The module's text from then on."""
        return self.task.module.text if self.solution.plan.is_existing else self.solution.module_source

    @property
    def otherwise(self) -> tuple[str, ...]:
        """The project's tests that break and name what changes: they may say what it did before."""
        planned = self.solution.plan.target
        return self.task.otherwise(self.gate.broken, planned) if self.gate and planned else ()


@dataclass(frozen=True)
class Proposal:
    """Changes of a project that nobody has made yet.

    `parts` are what came of each module, `left` says of a module that could not be begun, or ended, why.
    """

    parts: tuple[Part, ...]
    settings: Settings = field(repr=False)
    left: Mapping[str, Exception] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def is_green(self) -> bool:
        """Whether all that was asked for is green."""
        return not self.left and all(part.is_green for part in self.parts)

    @property
    def is_good(self) -> bool:
        """Whether it may be applied."""
        return not self.left and all(part.is_good for part in self.parts)

    @property
    def solutions(self) -> Mapping[str, Solution]:
        """The solutions by their modules' paths."""
        return {part.task.module.path: part.solution for part in self.parts}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Where code that was there does not do what its docs say."""
        return tuple(finding for part in self.parts for finding in part.solution.findings)

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """The files that change; of one module also where it is not green, to be looked at."""
        shown = [part for part in self.parts if part.is_good] if len(self.parts) + len(self.left) > 1 else self.parts
        done = [Done(part.task, part.text, part.solution.test_files, part.revised.changes) for part in shown]
        return tuple(changes_of(done)) if done else ()

    @property
    def diff(self) -> str:
        """The changes as a unified diff."""
        return diff_of(self.changes)

    def apply(self) -> Path:
        """Make the changes, all or none; the patch that takes them back, by `patch -R -p1`.

        InputError where not all is green, or a file is no longer as it was read: then nothing is written.
        """
        if not self.is_good:
            raise InputError("nothing is written, as not all is green")
        return written(self.changes, self.settings, [part.task.module for part in self.parts])


@dataclass(frozen=True)
class Fix:
    """What came of failing tests: the problem as it is, the attempts at it, and what they cost.

    `fixed` is None where nothing was asked for: nothing fails, or no function of the project is suspicious.
    """

    problem: Problem
    fixed: Fixed | None
    spent: tuple[Spent, ...]
    settings: Settings = field(repr=False)

    @property
    def is_green(self) -> bool:
        """Whether the best change passes the tests and the gate, and the docs' suites confirm it."""
        return self.fixed is not None and self.fixed.outcome == "green"

    @property
    def usage(self) -> Usage:
        """What it cost."""
        return sum((part.usage for part in self.spent), Usage())

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """The files that the best attempt changes."""
        from tdgen.project.recorded import recoded

        best = self.fixed.best if self.fixed and not self.fixed.objection else None
        texts = best.changed.texts if best and best.changed else ()
        changes = [Change(one.file, one.path, one.data, one.encoded(text)) for one, text in texts]
        record = recoded(self.problem.project.root, {one.path: (one.text, text) for one, text in texts})
        return (*changes, *record)

    @property
    def diff(self) -> str:
        """The changes as a unified diff."""
        return diff_of(self.changes)

    def apply(self) -> Path:
        """Make the changes, all or none, as `Proposal.apply` does; InputError where they are not green."""
        if not self.is_green:
            raise InputError("nothing is written, as no change is green")
        return written(self.changes, self.settings)


def written(changes: Sequence[Change], settings: Settings, read: Sequence[Module] = ()) -> Path:
    """Make the changes; the patch that takes them back. Where they can't be made, the patch is kept, and told.

    Nor are they made where one of the modules `read` is another by now: what `guard` tests is not among the changes.
    """
    patch = save_patch(changes, cache_folder(settings.cache_dir) / "patches")
    try:
        for module in read:
            if not (module.is_new or module.is_as_read()):
                raise InputError(f"{module.path} was changed since it was read: nothing is written")
        apply_changes(changes, patch)
    except InputError as error:
        raise InputError(f"{error}; what was to be written is in {patch}") from None
    return patch
