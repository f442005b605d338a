"""`tdgen fix`: the tests of a project that fail, where the fault is, and the smallest change that mends it."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tdgen.cli import options
from tdgen.cli.in_project import (
    changes_told,
    say_where,
    tell_environment,
    tell_finished,
    tell_gate,
    written,
)
from tdgen.cli.reporting import place_of
from tdgen.cli.solving import NOT_GREEN, ending_code
from tdgen.errors import InputError
from tdgen.terminal.output import give, give_json, one_line, say, spending

if TYPE_CHECKING:
    from tdgen.client.proposals import Fix
    from tdgen.fixing.loop import Fixed
    from tdgen.fixing.problem import Problem
    from tdgen.types import Usage

MOST_NAMED: Final = 10  # tests that a line names; a judgement
MOST_LINES: Final = 12  # of a failure's text; a judgement: half a terminal's height
MOST_SUSPECTS: Final = 3
"""How many failing tests are told by name, of each how many lines, and how many suspects."""


@options.settings(options.SOLVING, options.GATE)
def fix(
    tests: options.FailingTests = None,
    *,
    apply: options.Apply = False,
    context: options.Seen = False,
    json: options.Json = False,
    dry_run: options.DryRun = False,
    verbose: options.Verbose = False,
    quiet: options.Quiet = False,
    flags: dict[str, Any],
) -> int:
    """Fix failing tests of a project: find the fault, and change as little as mends it.

    The tests named by file or pytest id, or all that fail now, are run in the sandbox; they are yours, and never
    changed. Suspicious are the functions that failing tests run and passing ones don't, and those that raise. A change
    is green where these tests pass, all others pass as before, and suites written from the docs of the changed
    functions confirm it. The result is a patch, on stdout; --apply makes it, where it is green.

    \b
    tdgen fix                                      what fails now
    tdgen fix tests/test_prices.py::test_gross     one test
    tdgen fix --apply
    tdgen fix --context                            what the developer would see

    \b
    Exit codes: 0 green, or nothing fails, 1 not green, 2 bad usage or input,
    3 budget spent, 4 model or sandbox not reachable, 70 a bug in tdgen,
    130 interrupted.
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.cli.interrupts import resumable
    from tdgen.client.in_project import ProjectClient
    from tdgen.client.projects import ProjectGenerator, mounted_project
    from tdgen.settings import load_settings
    from tdgen.terminal.progress import progress_teller

    tell_finished(".")
    chosen = load_settings(flags)
    with resumable(fresh=chosen.fresh):
        problem = ProjectClient(chosen).problem(tests or (), Path.cwd())
        if not quiet:
            tell_environment(problem.project)
            _tell_problem(problem)
        if why := _nothing_to_ask(problem):
            return _without_change(problem, why, as_json=json)
        if context or dry_run:
            return _prompt(problem, as_json=json, estimates=dry_run)
        if apply:
            _check_writable(problem)
        shown = mounted_project(problem.project)
        with (
            progress_teller(quiet=quiet, verbose=verbose) as teller,
            ProjectGenerator(shown, chosen, on_event=teller) as generator,
        ):
            fix = ProjectClient(chosen, on_event=teller).fixed(problem, generator)
    return _concluded(fix, apply=apply, json=json, quiet=quiet)


def _check_writable(problem: Problem) -> None:
    """InputError where each module that a first change could be in is read-only: nobody is paid for what can't be."""
    from tdgen.fixing.asking import shown_suspects
    from tdgen.project.applying import check_writable

    errors = []
    modules = {one.module.path: one.module for one in shown_suspects(problem, 1) if not one.unit.refused}
    for path, module in modules.items():
        try:
            check_writable(module.file, path)
        except InputError as error:
            errors.append(error)
    if errors and len(errors) == len(modules):
        raise errors[0]


def _tell_problem(problem: Problem) -> None:
    """Which tests fail and how, and where the fault may be."""
    from tdgen.fixing.asking import failure_told
    from tdgen.project.module import line_of

    for test in problem.failing[:MOST_NAMED]:
        path, _, name = test.partition("[")[0].partition("::")
        file = problem.project.root / path
        say(f"{place_of(file, line_of(file, name.replace('::', '.')))}: fails: {test}", "strong")
        if failure := problem.failures.get(test):
            for line in failure_told(problem, failure).splitlines()[:MOST_LINES]:
                say(f"    {one_line(line, 200)}")
    if len(problem.failing) > MOST_NAMED:
        say(f"fails: {len(problem.failing) - MOST_NAMED} more", "strong")
    for test in problem.flaky:
        say(f"flaky: {test} failed, and passed when it ran again: it is left as it is", "bad")
    for test in problem.hung:
        say(f"no end: {test} took too long (--gate-seconds gives more) or ended the run: it is left as it is", "bad")
    places = (
        f"{os.path.relpath(one.module.file)}::{one.unit.name}"  # named as `tdgen fill` would be given it
        for one in problem.waiting.values()
    )
    for stub, tests in Counter(places).items():
        say(f"{stub} is a stub (tests that fail in it: {tests}): `tdgen fill {stub}` writes its body", "strong")
    if problem.suspects:
        ranked = ", ".join(suspect.id for suspect in problem.suspects[:MOST_SUSPECTS])
        say(f"the fault may be in: {ranked}", "faint")


def _nothing_to_ask(problem: Problem) -> str:
    """Why there is nothing to ask for; empty where there is."""
    if problem.waiting and not problem.failing:
        return "there is nothing to fix: a stub waits for its body"
    if not (problem.failing or problem.hung):
        return "nothing fails"
    if problem.can_change:
        return ""
    from tdgen.fixing.problem import unseen

    # No function of the project is suspicious, or none that is could be changed.
    if problem.suspects:
        return "; ".join(f"{one.module.path}: {one.unit.refused}" for one in problem.suspects[:MOST_SUSPECTS])
    if not problem.failing:
        return "what does not end can't be traced: give it more time, or a limit of its own"
    if file := next((test for test in problem.failing if "::" not in test), ""):
        failure = problem.failures.get(file)
        said = f" ({one_line(f'{failure.type}: {failure.message}', 160)})" if failure else ""
        why = f"{file} can't be collected{said}, and no function of the project is at fault: mend that by hand"
        return f"{why}{unseen(problem.project)}"
    report = problem.report
    if ran := [path for path in report.modules if any(path in report.ran.get(test, ()) for test in problem.failing)]:
        paths = ", ".join(ran[:MOST_SUSPECTS])
        return f"what the failing tests run of {paths} is no function that could be changed: mend that by hand"
    return "the failing tests run no function of the project's own modules: the fault is in the tests, or outside"


def _without_change(problem: Problem, why: str, *, as_json: bool) -> int:
    """There is nothing to ask for: say why, and end."""
    is_good = not (problem.failing or problem.hung or problem.waiting)
    if as_json:
        give_json({"outcome": "nothing" if is_good else "red", "reason": why, **_problem_told(problem)})
    say(why, "good" if is_good else "bad")
    return 0 if is_good else NOT_GREEN


def _prompt(problem: Problem, *, as_json: bool, estimates: bool) -> int:
    """What the developer would see first, or how much that is."""
    from tdgen.fixing.asking import ask_for_change
    from tdgen.models.costs import estimated_tokens

    request = ask_for_change(problem, (), 1)
    text = "\n\n".join(message.content for message in request.messages)
    tokens = estimated_tokens(text)
    if as_json:
        give_json({"prompt": text, "tokens": tokens, **_problem_told(problem)})
    elif estimates:
        give(f"a first answer: 1 call, about {tokens:,} prompt tokens; each further one is a call more.")
    else:
        give(text)
    return 0


def _problem_told(problem: Problem) -> dict[str, object]:
    failures = {test: failure.model_dump(mode="json") for test, failure in problem.failures.items()}
    suspects = [{"name": one.id, "score": round(one.score, 3)} for one in problem.suspects[:MOST_NAMED]]
    as_json = {"failing": problem.failing, "flaky": problem.flaky, "hung": problem.hung, "failures": failures}
    as_json |= {"waiting": {test: stub.id for test, stub in problem.waiting.items()}}
    return {**as_json, "suspects": suspects}


def _concluded(fix: Fix, *, apply: bool, json: bool, quiet: bool) -> int:
    """Show what came of it or make the changes; the exit code."""
    fixed, problem = fix.fixed, fix.problem
    assert fixed is not None  # something was asked for
    patch = written(fix.apply) if apply and fix.is_green else None
    if json:
        as_json = {"outcome": fixed.outcome, **_problem_told(problem), **changes_told(fix.changes, patch)}
        objection = fixed.objection and fixed.objection._asdict()
        attempts = []
        for one in fixed.attempts:
            diff, gate = one.changed.diff if one.changed else "", one.gate and one.gate._asdict()
            told = {"number": one.number, "outcome": one.outcome, "diff": diff, "reasons": one.reasons}
            attempts.append({**told, "failing": one.failing, "confirmed": one.confirmed, "project_tests": gate})
        give_json({**as_json, "objection": objection, "attempts": attempts, "usage": fix.usage.model_dump(mode="json")})
    elif patch is None and fix.changes:
        give(fix.diff)
    if not quiet:
        _conclude(fixed, fix.usage)
        say_where(problem.project, fix.changes, patch, is_good=fix.is_green, apply=apply)
    return ending_code(green=fix.is_green, stopped=fixed.stopped)


def _conclude(fixed: Fixed, usage: Usage) -> None:
    """How it ended, and why not green."""
    best = fixed.best
    if fixed.objection:
        test, quote, reason = fixed.objection
        say(f"nothing is changed: {test} contradicts the docs: “{quote}”{': ' * bool(reason)}{reason}", "bad")
    elif best is None:
        say("no change could be tried", "bad")
    else:
        if best.gate:
            tell_gate(best.gate)
        for reason in best.reasons:
            say(one_line(f"{best.outcome}: {reason}"), "bad")
        if best.outcome == "green":
            named = ", ".join(best.confirmed)
            say(f"green: the tests pass, all others as before, and suites from the docs confirm {named}", "good")
        elif best.outcome == "undecided":
            say("the tests pass, and all others as before: read the change before you take it", "strong")
    if fixed.stopped:
        say(fixed.stopped, "bad")
    say(f"spent: {spending(usage)}", "faint")
