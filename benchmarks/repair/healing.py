"""Part A, patch search alone: QuixBugs' faulty programs as first attempts, and no second one paid for.

The plan, the visible and the held-out cases are handed in; the model says the faulty program when it is asked for
code, and the budget of one call ends there. What a search finds after that ends `undecided`, as no author confirmed
it. **Right**: the patch passes the hidden cases too. **Wrong**: it passes the suite, and a hidden case fails. **Called
green**: accepted all the same, which must never be. Time runs from the verdict on the faulty program to the end.
"""

from __future__ import annotations

import ast
import statistics
import tempfile
import time
from typing import NamedTuple

from simulated.bench import Bench
from tables import quantile, table

from repair.quixbugs import Program, failures
from tdgen.client import Generator, Handed
from tdgen.errors import TdgenError
from tdgen.events import AttemptJudged, Event, FunctionEnded
from tdgen.metrics import Share
from tdgen.mutation import repairs
from tdgen.protocols import Answer, Request
from tdgen.settings import Settings
from tdgen.settings.base import Budget


class Healing(NamedTuple):
    """How one program went: whether a patch was found, whether it is right, the seconds, and what was changed."""

    program: Program
    patched: bool
    right: bool
    seconds: float
    rung: str = ""
    note: str = ""
    rank: int | None = None
    green: bool = False


class FaultyModel:
    """A model that knows one program."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def ask(self, request: Request) -> Answer:
        """The program, whatever is asked."""
        del request
        return Answer(text=f"```python\n{self._program.faulty}```\n")


def heal(program: Program, bench: Bench) -> Healing:
    """One program."""
    return _healed(program, bench)._replace(rank=rank_of(program))


def _healed(program: Program, bench: Bench) -> Healing:
    judged: list[float] = []
    ended: list[float] = []

    def hear(event: Event) -> None:
        if isinstance(event, AttemptJudged):
            judged.append(time.perf_counter())
        elif isinstance(event, FunctionEnded):
            ended.append(time.perf_counter())

    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(trust="quick", cache_dir=folder, budget=Budget(calls=1))
        with Generator(settings, model=FaultyModel(program), on_event=hear) as generator:
            try:
                solution = generator.solve(program.text, Handed(plan=program.plan, suites=(program.suite,)))
            except Exception as error:  # noqa: BLE001 - whatever it is, the table has a line for it
                return Healing(program, patched=False, right=False, seconds=0.0, note=crash_of(error))
    result = solution.results[0]
    seconds = ended[-1] - judged[0] if ended and judged else 0.0
    best = result.best
    if best is None or not best.passes:
        note = "; ".join(result.history[0].findings)[:80] if result.history else result.reason
        return Healing(program, patched=False, right=False, seconds=seconds, note=note)
    right = not failures(program.spec, best.source, (*program.hidden, *program.visible, *program.held_out), bench)
    changed = _change(program.faulty, best.source)
    green = result.outcome == "green"
    return Healing(program, patched=True, right=right, seconds=seconds, rung=best.rung, note=changed, green=green)


def report(healings: list[Healing]) -> None:
    """The tables."""
    rows = [
        (
            one.program.name,
            "right patch" if one.right else "WRONG patch" if one.patched else "no patch",
            f"{len(one.program.visible)}/{len(one.program.held_out)}/{len(one.program.hidden)}",
            one.program.shows_in_hidden,
            one.seconds,
            _short(one.note) or "–",
            one.rank,
            _short(one.program.taken),
        )
        for one in healings
    ]
    columns = ("program", "outcome", "cases", "hidden shows it", "s", "what was changed", "rank", "what mends it")
    table("A. QuixBugs, patch search alone, no model", columns, rows)
    seconds = [one.seconds for one in healings]
    within = sum(one.rank is not None for one in healings)
    right, wrong = sum(one.right for one in healings), sum(one.patched and not one.right for one in healings)
    table(
        "A. in short",
        ("figure", "value"),
        [
            ("patch found, hidden tests pass", Share(right, len(healings))),
            ("patch found, hidden tests fail", Share(wrong, len(healings))),
            ("called green", Share(sum(one.green for one in healings), len(healings))),
            ("the data's own mend is a single edit of ours", Share(within, len(healings))),
            ("median s a program", statistics.median(seconds) if seconds else 0.0),
            ("p90 s a program", quantile(seconds, 0.9)),
        ],
    )


def rank_of(program: Program) -> int | None:
    """The place of the data's own mend among tdgen's single edits, all lines being alike; None where it is none."""
    wanted = _dump(program.right)
    for place, mutant in enumerate(repairs(program.faulty, program.name, suspicion={}), 1):
        if _dump(mutant.source) == wanted:
            return place
    return None


def _dump(source: str) -> str:
    return ast.dump(ast.parse(source))


def _short(text: str) -> str:
    return text if len(text) <= 100 else f"{text[:99]}…"


def crash_of(error: Exception) -> str:
    """An error in a few words; one that tdgen does not raise on purpose is a crash."""
    kind = "" if isinstance(error, TdgenError) else "CRASH: "
    return f"{kind}{type(error).__name__}: {error}"[:110]


def _change(faulty: str, healed: str) -> str:
    old, new = ([" ".join(line.split()) for line in source.splitlines()] for source in (faulty, healed))
    gone = [line for line in old if line not in new]
    came = [line for line in new if line not in old]
    return f"{' / '.join(gone) or 'nothing'} → {' / '.join(came) or 'nothing'}"[:160]
