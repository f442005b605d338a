"""Tests of a project's own that contradict a change: each put to the author of tests, and what is revised is tried."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from tdgen.client.projects import remembered
from tdgen.errors import BudgetSpent, ReplyError
from tdgen.project.changes import head_in
from tdgen.project.edit import Change
from tdgen.project.gate import FINE
from tdgen.project.module import decoded
from tdgen.project.revising import OwnTest, Revised, own_test, with_revised
from tdgen.project.shown_tests import ShownTests
from tdgen.project.usage import calls_shown
from tdgen.testgen.revising import DoubtedTest, RevisionReply, ask_for_revision

if TYPE_CHECKING:
    from tdgen.client.projects import ProjectGenerator
    from tdgen.project.task import ProjectTask
    from tdgen.settings import Budget
    from tdgen.types import FileReport, Spent

MOST_REVISED: Final = 12
"""How many tests are asked about: where more break, it is the change that should be looked at. Not tuned."""
_New = tuple[OwnTest, str]
"""A test, and its text from now on."""
_TOKENS: Final = 2_000
"""How many tokens of its file a test is shown with. Not tuned."""


def revise(
    generator: ProjectGenerator, task: ProjectTask, text: str, tests: Sequence[str], budget: Budget
) -> tuple[Revised, tuple[Spent, ...]]:
    """What comes of tests, by their ids, that pass as the module is and not with `text` as it; and what that cost.

    What is answered is kept: the same again costs nothing. Within the budget, nothing is raised where that is spent.
    """
    ids = list(dict.fromkeys(test.partition("[")[0] for test in tests))
    if len(ids) > MOST_REVISED:
        why = f"{len(ids)} tests may say otherwise: they are left to you; ask for less, or revise them"
        return Revised(left=dict.fromkeys(ids, why)), ()
    shown = {test: one for test in ids if (one := own_test(task.project, test))}
    left = {test: "it is not defined once and plainly: revise it by hand" for test in ids if test not in shown}
    revised: list[_New] = []
    doubts = [_doubt(task, text, one) for one in shown.values()]
    asked = [doubt.request().model_dump(mode="json") for doubt in doubts]
    about = f"revise {' '.join(shown)}"
    with generator.under(budget=budget).session("revise", asked, about) as (tools, ledger, journal):
        for doubt, test in zip(doubts, shown.values(), strict=True):
            try:
                reply = ask_for_revision(tools.model, doubt, test.misfits)
            except (BudgetSpent, ReplyError) as error:
                left[test.id] = f"nobody could be asked whether it can stay: {error}"
                if isinstance(error, BudgetSpent):
                    journal.stop({"reason": str(error), "instruction": about})
                continue
            if reply.verdict == "revised":
                revised.append((test, reply.test))
            else:
                left[test.id] = _told(test, reply)
        spent = ledger.spent()
    left |= _refused(generator, task, text, revised) if revised else {}
    kept = [(test, new) for test, new in revised if test.id not in left]
    return Revised(tuple(test.id for test, _ in kept), tuple(_changes(kept)), left), spent


def _doubt(task: ProjectTask, text: str, test: OwnTest) -> DoubtedTest:
    calls = calls_shown(task.project, task.index, task.module, [task.target.changed], task.laid)
    return DoubtedTest(
        id=test.id,
        source=ShownTests(task.project).text([test.id], _TOKENS),
        asked=task.instruction,
        before=head_in(task.module.text, task.target),
        after=head_in(text, task.target),
        context=f"{task.target.context}\n\n{calls}".strip(),
    )


def _told(test: OwnTest, reply: RevisionReply) -> str:
    """Why a test is not revised, with both places quoted."""
    words, line = (" ".join(one.split()) for one in (reply.words, reply.line))
    if reply.verdict == "open":
        return f"{test.place}: `{line}`: “{words}” does not say what it is to demand from now on: say it, or revise it"
    return f"{test.place}: `{line}` can stay, by “{words}”, but the new code does not pass it: one of the two is wrong"


def _changes(revised: Sequence[_New]) -> list[Change]:
    """The changes of the files of revised tests."""
    files = {test.file.path: test.file for test, _ in revised}
    texts = {path: [(test.unit, new) for test, new in revised if test.file.path == path] for path in files}
    return [
        Change(file.file, path, file.data, file.encoded(with_revised(file, texts[path])))
        for path, file in files.items()
    ]


def _refused(generator: ProjectGenerator, task: ProjectTask, text: str, revised: Sequence[_New]) -> dict[str, str]:
    """The revised tests that can't be taken, and why.

    One has to pass with the new code and to fail without it: else it would be bent, or show nothing of the change.
    """
    texts = {change.path: decoded(change.after, change.path)[1] for change in _changes(revised)}
    run = partial(generator.run_tests, list(texts), seconds=generator.settings.gate_seconds, test_overlay=texts)
    before = remembered(generator, task.project, task.laid)(list(texts), {}, generator.settings.gate_seconds)
    without, new = run({}), run({task.module.name: text})
    return {test.id: why for test, _ in revised if (why := _why_not(test.id, before, without, new))}


def _why_not(test: str, before: FileReport, without: FileReport, new: FileReport) -> str:
    was, bare, now = (
        {name: outcome for name, outcome in report.outcomes.items() if name.partition("[")[0] == test}
        for report in (before, without, new)
    )
    if not now or len(now) < len(was):
        return f"as its author revised it {len(now)} of its {len(was)} cases are left"
    failing = [name for name, outcome in now.items() if outcome not in FINE]
    if failing:
        reason = next(iter(new.reasons.get(failing[0], "").strip().splitlines()[-1:]), "")
        return f"as its author revised it the new code does not pass it, either: {reason or failing[0]}"
    if all(outcome in FINE for outcome in bare.values()):
        return "as its author revised it the code of before passes it, too: it would show nothing of the change"
    return ""
