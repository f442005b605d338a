"""Commands in an existing project: solve there, ask the project's own tests, show the changes or make them."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tdgen.cli import options
from tdgen.cli.solving import NOT_GREEN, SPENT, asking, estimated, questions
from tdgen.terminal.output import count, give, give_json, say, spending

if TYPE_CHECKING:
    from tdgen.client.in_project import ProjectClient
    from tdgen.client.projects import ProjectGenerator
    from tdgen.client.proposals import Part, Proposal
    from tdgen.project.edit import Change
    from tdgen.project.gate import GateReport
    from tdgen.project.module import Module
    from tdgen.project.revising import Revised
    from tdgen.project.root import Project
    from tdgen.project.task import ProjectTask
    from tdgen.settings import Settings


class Work(NamedTuple):
    """The options of the commands that write code or tests in a project: how much is done, and what is told."""

    apply: options.Apply = False
    context: options.Seen = False
    json: options.Json = False
    dry_run: options.DryRun = False
    ask: options.Ask = False
    assume: options.Assume = False
    verbose: options.Verbose = False
    quiet: options.Quiet = False

    @property
    def is_to_look(self) -> bool:
        """Whether the user wants to look alone: nothing is solved."""
        return self.context or self.dry_run

    @property
    def tells(self) -> bool:
        """Whether it is told what is done, beside the result."""
        return not (self.quiet or self.context)

    def check(self, modules: Iterable[Module]) -> None:
        """InputError where a module or the record is to be written and can't be: it is said before a model is asked."""
        from tdgen.project.applying import check_writable, project_of
        from tdgen.project.recorded import NAME

        for module in modules if self.apply and not self.is_to_look else ():
            check_writable(module.file, module.path)
            check_writable(project_of(module.file, module.path) / NAME, NAME)

    def settings(self, flags: Mapping[str, Any]) -> Settings:
        """The settings that are in force with these options; InputError where they can't be used."""
        from tdgen.settings import load_settings

        return load_settings({**flags, **questions(ask=self.ask, assume=self.assume)})


def tell_finished(path: str) -> None:
    """Finish, or take back, what an earlier command was killed in while it wrote to the project of a path; say so."""
    from tdgen.project.applying import finish_changes
    from tdgen.project.root import root_of

    root = root_of(Path(path.partition("::")[0]).absolute())
    if root is not None and (sentence := finish_changes(root)):
        say(sentence, "strong")


def tell_environment(project: Project) -> None:
    """What is to be said of the environment that a project is run with, if anything."""
    if project.environment.note:
        say(project.environment.note, "faint")


def tell_task(what: str, task: ProjectTask) -> None:
    """What is to be done where, what is passed over, and that a file has changes of the user's own."""
    from tdgen.project.git_index import is_changed

    module = task.module
    say(f"{what} {module.path}{': ' * bool(task.names)}{', '.join(task.names)}", "strong")
    for note in task.notes:
        say(note, "faint")
    if not module.is_new and is_changed(module.file, module.data):
        say(f"{module.path} has changes that git does not have yet: a patch back keeps them", "faint")


def carried_out(what: str, chosen: Settings, task: ProjectTask, work: Work) -> int:
    """A task shown, or solved and its changes shown or made, as its options say; the exit code.

    `what` is to be done, in words. The project's own tests are asked, too.
    """
    if work.tells:
        tell_environment(task.project)
    work.check([task.module])
    show(what, chosen, task, work)
    if work.is_to_look:
        return 0
    proposal = client(chosen, work).one(task)
    (part,) = proposal.parts
    patch = written(proposal.apply) if work.apply and proposal.is_good else None
    if work.json:
        module_json = {"module": task.module.name, "path": task.module.path, **changes_told(proposal.changes, patch)}
        revised = {"revised": part.revised.tests, "left": dict(part.revised.left)}
        module_json |= {"otherwise": part.otherwise, **revised} if task.target.changed else {}
        give_json(
            {**module_json, "project_tests": part.gate and part.gate._asdict(), "solution": part.solution.to_dict()}
        )
    elif patch is None:
        give(proposal.diff)
    if not work.quiet:
        tell_outcome(part, verbose=work.verbose)
        say_where(task.project, proposal.changes, patch, is_good=proposal.is_good, apply=work.apply)
    return exit_code(proposal)


def show(what: str, chosen: Settings, task: ProjectTask, work: Work) -> None:
    """Tell what is to be done, and what it would cost where that is asked for; or in place of both its context."""
    from tdgen.client import Handed
    from tdgen.client.projects import ProjectGenerator, mounted

    if work.context:
        # the result is what prompts would see
        target = task.target
        if work.json:
            give_json({"instruction": task.instruction, **target.model_dump(exclude={"source", "existing"})})
        else:
            who = {target.planned_beside: "the planner sees"}
            is_same = target.coded_beside in who
            who[target.coded_beside] = "the planner and the developer see" if is_same else "the developer sees"
            besides = "".join(f"\n\n# {seen} besides\n\n{code}" for code, seen in who.items() if code)
            give(f"{task.instruction}\n{target.context}{besides}")
        return
    if not work.quiet:
        tell_task(what, task)
    if work.dry_run:
        generator = ProjectGenerator(mounted(task), chosen)
        estimated(generator, task.instruction, Handed(target=task.target), as_json=work.json)


def client(
    chosen: Settings, work: Work, on_module: Callable[[ProjectTask | Part], None] = lambda part: None
) -> ProjectClient:
    """A client that shows at the terminal what happens; who interrupts it is told how the work goes on."""
    from tdgen.client.in_project import ProjectClient

    return ProjectClient(chosen, on_module=on_module, opening=partial(generating, work=work))


def exit_code(proposal: Proposal) -> int:
    """The exit code that a proposal ends a command with: 0 where all is green."""
    ends = [SPENT if one.solution.stopped else 0 if one.is_green else NOT_GREEN for one in proposal.parts]
    return max([0, *ends, *(getattr(error, "exit_code", NOT_GREEN) for error in proposal.left.values())])


def changes_told(changes: Sequence[Change], patch: Path | None) -> dict[str, object]:
    """The changes as `--json` has them; `patch` is the file that takes them back, where they were made."""
    from tdgen.project.edit import diff_of

    files = [change.path for change in changes]
    return {"diff": diff_of(changes), "files": files, "patch": str(patch or ""), "applied": patch is not None}


@contextmanager
def generating(task: ProjectTask, within: Settings, work: Work) -> Iterator[ProjectGenerator]:
    """A generator whose sandboxes show the task's project; who interrupts it is told how the work goes on."""
    from tdgen.cli.interrupts import resumable
    from tdgen.client.projects import ProjectGenerator, mounted
    from tdgen.terminal.progress import progress_teller

    with (
        resumable(fresh=within.fresh),
        progress_teller(quiet=work.quiet, verbose=work.verbose) as teller,
        ProjectGenerator(
            mounted(task), within, on_event=teller, on_question=asking(teller) if work.ask else None
        ) as generator,
    ):
        yield generator


def written(make: Callable[[], Path]) -> Path:
    """Make changes, to their end also where that is interrupted; the patch that takes them back."""
    from tdgen.cli.interrupts import held_back

    with held_back():
        return make()


def tell_outcome(part: Part, *, verbose: bool) -> None:
    """What came of the work, each unit that is not green at its line, and what the project's own tests say of it."""
    from tdgen.cli.reporting import place_of
    from tdgen.cli.summary import summary
    from tdgen.terminal.output import one_line
    from tdgen.types import Usage

    for line in summary(part.solution, verbose=verbose):
        say(line.text, line.style)
    for result in part.solution.results:
        if result.outcome != "green":
            unit = part.task.module.units.get(result.function)
            place = place_of(part.task.module.file, unit.node.lineno if unit else 1)
            say(one_line(f"{place}: {result.function}: {result.outcome}: {result.reason}", 400), "bad")
    if part.gate is not None:
        tell_gate(part.gate, part.otherwise, part.revised)
    if part.spent:
        usage = sum((one.usage for one in part.spent), Usage())
        say(f"spent on tests that may say otherwise: {spending(usage)}", "faint")
    for note in part.notes:
        say(note, "bad")


def tell_gate(gate: GateReport, otherwise: Sequence[str] = (), revised: Revised | None = None) -> None:
    """What the project's own tests say of an edit, and what they could not say.

    Those that say `otherwise` name what was to change: some are `revised`.
    """
    for test in gate.broken:
        if test not in otherwise:
            say(f"{test} passed before, and does not with the new code", "bad")
    for test, times in Counter(one.partition("[")[0] for one in otherwise).items():
        cases = f" ({times} cases)" * (times > 1)
        says = revised.left.get(test) if revised else None
        says = says or "it may say otherwise than what was asked for; revise it, or ask for less"
        say(f"{test}{cases} passed before, and does not with the new code: {says}", "bad")
    for test in revised.tests if revised else ():
        say(f"{test} said otherwise than what was asked for: it is revised", "strong")
    for test in gate.refusing:
        say(f"{test} did not pass without the new code, and does not with it", "bad")
    parts = [f"the project's own tests: {count(gate.ran, 'test')} run"]
    parts += [f"{len(gate.failing)} did not pass before"] * bool(gate.failing)
    say(", ".join(parts), "faint")
    if gate.flaky:
        say(f"flaky, each both passed and failed on the same code: {_some(gate.flaky)}", "faint")
    if gate.left_out:
        files = count(len(gate.left_out), "file")
        say(f"no time for all tests of {files} (--gate-seconds gives more): {_some(gate.left_out)}", "bad")
    if others := tuple(test for test in gate.unmet if test not in gate.refusing):
        still = "does" if len(others) == 1 else "do"
        say(f"{count(len(others), 'test')} did not pass before and still {still} not: {_some(others)}", "bad")


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + ", …" * (len(names) > 3)


def say_where(project: Project, changes: Sequence[Change], patch: Path | None, *, is_good: bool, apply: bool) -> None:
    """Where the changes are, or why they are nowhere."""
    if patch is not None:
        say(f"wrote {', '.join(change.path for change in changes)}")
        say(f"to take it back: patch -R -p1 -d {shlex.quote(str(project.root))} -i {shlex.quote(str(patch))}")
    elif is_good:
        say("nothing is written: --apply makes these changes", "faint")
    elif apply:
        say("nothing is written, as not all is green", "bad")
