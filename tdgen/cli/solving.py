"""`tdgen solve`: prose in, tested functions out.

An open question put to whoever sits at the terminal.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from tdgen.cli import options
from tdgen.errors import InputError
from tdgen.terminal.output import Line, ask_line, count, give, give_json, give_lines, is_terminal, say

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from tdgen.client import Generator, Handed
    from tdgen.client.estimating import Estimate
    from tdgen.outputs.places import Wishes
    from tdgen.protocols import Ask
    from tdgen.settings import Settings
    from tdgen.solution import Solution
    from tdgen.terminal.progress import Teller
    from tdgen.types import Asked

NOT_GREEN = 1
SPENT = 3


@options.settings(options.SOLVING)
def solve(
    text: options.Instruction = None,
    *,
    out: options.Out = None,
    layout: options.Layout = None,
    readme: options.Readme = False,
    no_record: options.NoRecord = False,
    force: options.Force = False,
    overwrite: options.Overwrite = False,
    json: options.Json = False,
    dry_run: options.DryRun = False,
    tests: options.Tests = None,
    plan: options.PlanFile = None,
    follow: options.Follow = None,
    module: options.Module = None,
    ask: options.Ask = False,
    assume: options.Assume = False,
    verbose: options.Verbose = False,
    quiet: options.Quiet = False,
    flags: dict[str, Any],
) -> int:
    """Make tested Python functions from an instruction in prose.

    The plan, the cases and the code are made in this order, by a model; all code runs in a sandbox. Without --out the
    module's source is the result, on stdout; what is told on the way goes to stderr. The same instruction again comes
    from the cache. A run that was cut off goes on, when its command is given again, without asking twice.

    \b
    tdgen solve "slugify(text): lower case, words joined by single hyphens"
    tdgen solve spec.md -o calendars               the module and its tests
    tdgen solve spec.md -o calendars.py            the module alone
    tdgen solve spec.md -o . --module mypkg.times  mypkg/times.py
    git show HEAD:spec.md | tdgen solve - --json | jq .all_tests_passed
    tdgen solve spec.md --tests test_mine.py       your tests are pinned
    tdgen solve spec.md --ask                      asked what the text leaves open
    tdgen solve spec.md --budget calls=12,seconds=2m --model gpt-5
    tdgen solve spec.md --base-url http://localhost:11434/v1 --model qwen3-coder
    tdgen plan spec.md -o plan.json; edit plan.json; tdgen solve --plan plan.json
    tdgen solve --follow 3f2a91bc "and strip accents"

    \b
    Exit codes: 0 all green, 1 not all green, 2 bad usage or input,
    3 budget spent, 4 model or sandbox not reachable, 70 a bug in tdgen,
    130 interrupted.
    """  # noqa: D301 - \b keeps the lines below it apart
    from tdgen.cli.inputs import handed_in
    from tdgen.client import Generator
    from tdgen.outputs.places import Wishes
    from tdgen.settings import load_settings
    from tdgen.solution.package import layout_named
    from tdgen.terminal.progress import progress_teller

    asked = handed_in(text, tests=tests, plan=plan, follow=follow, module=module)
    chosen = load_settings(flags | questions(ask=ask, assume=assume))
    if dry_run:
        return estimated(Generator(chosen), *asked, as_json=json)
    wishes = Wishes(force, overwrite, layout_named(layout), readme, not no_record, module or "", chosen.language)
    telling = progress_teller(quiet=quiet, verbose=verbose)
    solution, wrote = _written(chosen, asked, (out, wishes), telling, ask=ask)
    return _ended(solution, wrote, as_json=json, quiet=quiet, verbose=verbose)


def ending_code(*, green: bool, stopped: object) -> int:
    """The exit code of work that ended green, or was stopped by its budget, or neither."""
    return 0 if green else SPENT if stopped else NOT_GREEN


def _written(
    chosen: Settings,
    asked: tuple[str, Handed],
    place: tuple[str | None, Wishes],
    telling: AbstractContextManager[Teller],
    *,
    ask: bool,
) -> tuple[Solution, str]:
    """The solution of what is asked, and where it was written; nowhere without a place.

    Who interrupts the work is told how it goes on; writing is not interrupted.
    """
    from tdgen.cli.interrupts import held_back, resumable
    from tdgen.client import Generator
    from tdgen.outputs.places import target_at

    out, wishes = place
    with resumable(fresh=chosen.fresh):
        with (
            telling as teller,
            Generator(chosen, on_event=teller, on_question=asking(teller) if ask else None) as generator,
        ):
            target = target_at(out, generator.folder, wishes) if out else None
            kept = generator.kept(*asked) if target else None
            if target and kept is None:  # that it can be written is seen to before any work is paid for
                target.check()
            solution = kept or generator.solve(*asked)
        with held_back():
            return solution, target.write(solution) if target else ""


def questions(*, ask: bool, assume: bool) -> dict[str, str]:
    """The setting that the two flags stand for; InputError where both are given."""
    if ask and assume:
        raise InputError("--ask and --assume: choose one")
    return {"questions": "ask" if ask else "assume"} if ask or assume else {}


def _ended(solution: Solution, wrote: str, *, as_json: bool, quiet: bool, verbose: bool) -> int:
    """The result on stdout, what there is to say of it on stderr, last, so that it is what is seen; the exit code."""
    from tdgen.cli.summary import short, summary
    from tdgen.solution.package import module_text

    if as_json:
        give_json(solution.to_dict())
    elif not wrote:
        give(module_text(solution))
    code = ending_code(green=solution.all_tests_passed, stopped=solution.stopped)
    if quiet:
        return code
    for line in summary(solution, verbose=verbose):
        say(line.text, line.style)
    if wrote:
        say(wrote)
    elif solution.all_tests_passed:
        say(f"its tests: tdgen show {short(solution.key)} --tests; all of it in files: --out FOLDER", "faint")
    else:
        say("its best attempts and their tests: tdgen show (tdgen cache list has its key), or --out FOLDER", "faint")
    return code


def estimated(generator: Generator, instruction: str, handed: Handed, *, as_json: bool) -> int:
    """What it would cost, as the result."""
    with generator:
        kept = generator.kept(instruction, handed) is not None
        estimates = generator.estimate(instruction, handed)
    if as_json:
        give_json({"cached": kept, "estimates": [{**e.model_dump(), "tokens": e.tokens} for e in estimates]})
    else:
        give_lines(_estimate_lines(estimates, generator.settings, kept=kept))
    return 0


def _estimate_lines(estimates: tuple[Estimate, ...], chosen: Settings, *, kept: bool) -> list[Line]:
    from tdgen.terminal.output import dollars

    head = ["functions", "model calls", "prompt tokens", "answer tokens", "tokens"]
    rows = [[f"{n:,}" for n in (e.functions, e.calls, e.prompt_tokens, e.answer_tokens, e.tokens)] for e in estimates]
    if all(estimate.cost is not None for estimate in estimates):
        head.append("   money")
        rows = [[*row, dollars(estimate.cost or 0.0)] for row, estimate in zip(rows, estimates, strict=True)]
    lines = [Line("  ".join(head), "strong")]
    lines += [Line("  ".join(f"{cell:>{len(title)}}" for cell, title in zip(row, head, strict=True))) for row in rows]
    most = chosen.budget.calls
    bound = f"the budget ends it at {count(most, 'call')}" if most is not None else "no budget ends it"
    lines.append(Line("If every first attempt is right; prompts are measured, answers guessed. Each repair is"))
    lines.append(Line(f"one more call; {bound}."))
    if kept:
        lines.append(Line("This very solution is in the cache: it would cost nothing.", "good"))
    return lines


def asking(teller: Teller) -> Ask:
    """What asks at the terminal; InputError where there is none."""
    if not (is_terminal(sys.stdin) and is_terminal(sys.stderr)):
        raise InputError("--ask needs a terminal to ask at: use --assume, or say in the instruction what is open")

    def ask(question: Asked) -> str:
        with teller.silent():
            about = f" about {question.function}" if question.function else ""
            say(f"waiting for you: {question.place_text}{about} that the instruction leaves open", "strong")
            say(f"  {question.question}")
            for number, option in enumerate(question.options, start=1):
                say(f"  {number}  {option}")
            if question.options:
                say("  a number, a value, `raises SomeError`, or nothing to let it be as the first")
            else:
                say(f"  Say how it is meant, or nothing for: {question.assumption}")
            return ask_line("> ")

    return ask
