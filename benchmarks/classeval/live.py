"""Classes solved by a language model, the same model asked once beside it, and both played again from what is kept."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from classeval.problems import ClassProblem
from tdgen.batch.lines import folder_name
from tdgen.batch.results import Row
from tdgen.errors import InputError, ReplyError
from tdgen.evaluation import Record, evaluate, keep, replay
from tdgen.evaluation.judging import run_hidden
from tdgen.evaluation.running import ALONE
from tdgen.models.scripted import Script, script_from
from tdgen.protocols import Model, Sandbox
from tdgen.replies import find_code
from tdgen.settings import Settings

NAME = "ClassEval"
MOST_EDITS = 3
"""How many edits more than in the live run a search may find."""


class Outcome(NamedTuple):
    """What came of a class: its record, and the methods that are right in tdgen's code and in what was asked once."""

    of: ClassProblem
    record: Record
    methods: tuple[str, ...]
    once_methods: tuple[str, ...]


def solve(
    classes: Sequence[ClassProblem], logs: Path, kept: Path, settings: Settings, model: Model | None = None
) -> None:
    """Solve and judge them with their logs in a folder, where a run that was cut off goes on; keep what replays.

    `model` stands in for the settings' endpoint. InputError where answers are kept under that name already, or nobody
    answered to the end.
    """
    if kept.exists():
        raise InputError(f"{kept} is there: name another folder by --name, or remove it")
    problems = [one.problem for one in classes]
    found = evaluate(problems, logs, name=NAME, settings=settings, model=model, on_row=_tell_row, tell=_tell)
    if found.stopped or any(record.beside is None for record in found.runs[0]):
        raise InputError(f"{found.stopped or 'nobody answered for all'}: the same command goes on, from {logs}")
    keep(logs, kept)


def play(
    classes: Sequence[ClassProblem], kept: Path, sandbox: Sandbox, settings: Settings
) -> tuple[list[Outcome], tuple[str, ...]]:
    """What comes of the kept answers, and which figures are others than were kept."""
    sources: dict[str, str] = {}

    def keep_source(row: Row, done: int, total: int) -> None:
        del done, total
        sources[row.id] = row.source

    with tempfile.TemporaryDirectory() as folder:
        logs = shutil.copytree(kept, Path(folder, kept.name))
        for path in (logs / "run-1" / "scripts").glob("*.json"):
            with_repairs_between(Script.model_validate_json(path.read_bytes())).save(path)
        problems = [one.problem for one in classes]
        played = replay(problems, logs, name=NAME, settings=settings, on_row=keep_source)
    by_id, scripts = {one.id: one for one in classes}, kept / "run-1" / "scripts"
    outcomes = []
    for record in played.evaluation.runs[0]:
        of = by_id[record.id]
        script = Script.model_validate_json((scripts / f"{folder_name(of.id)}.{ALONE}.json").read_bytes())
        mine, once = (_methods_right(of, sandbox, code) for code in (sources.get(of.id, ""), _code_of(script)))
        outcomes.append(Outcome(of, record, mine, once))
    return outcomes, played.differences


def with_repairs_between(script: Script) -> Script:
    """The script with an answer for each number that a repair may have: the next one's, else the last one's.

    A repair's number counts the edits that a search found in time, and how many it finds depends on the machine.
    """
    more = []
    repairs = [answer for answer in script.answers if answer.purpose == "repair"]
    for subject in {answer.subject for answer in repairs}:
        there = {answer.attempt: answer for answer in repairs if answer.subject == subject}
        for attempt in range(2, max(there) + MOST_EDITS + 1):
            if attempt not in there:
                nearest = min((n for n in there if n > attempt), default=max(there))
                more.append(there[nearest].model_copy(update={"attempt": attempt}))
    return script.model_copy(update={"answers": (*script.answers, *more)})


def solve_simulated(
    classes: Sequence[ClassProblem], model: Model, folder: Path, sandbox: Sandbox, settings: Settings
) -> list[Outcome]:
    """What comes of a model that needs no endpoint and whose answers need not be kept."""
    sources: dict[str, str] = {}

    def keep_source(row: Row, done: int, total: int) -> None:
        sources[row.id] = row.source
        _tell_row(row, done, total)

    problems = [one.problem for one in classes]
    found = evaluate(problems, folder, name=NAME, settings=settings, model=model, on_row=keep_source, tell=_tell)
    by_id = {one.id: one for one in classes}
    outcomes = []
    for record in found.runs[0]:
        of = by_id[record.id]
        script = script_from(folder / "run-1" / "transcripts" / folder_name(of.id) / ALONE)
        mine, once = (_methods_right(of, sandbox, code) for code in (sources.get(of.id, ""), _code_of(script)))
        outcomes.append(Outcome(of, record, mine, once))
    return outcomes


def _methods_right(of: ClassProblem, sandbox: Sandbox, source: str) -> tuple[str, ...]:
    outcomes: Mapping[str, str] = run_hidden(sandbox, of.problem.program, source).outcomes if source.strip() else {}
    return tuple(of.methods_right(outcomes))


def _code_of(script: Script) -> str:
    """The code of the one answer; empty where it has none."""
    with suppress(ReplyError):
        return find_code(script.answers[0].text) if script.answers else ""
    return ""


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _tell_row(row: Row, done: int, total: int) -> None:
    _tell(f"{done} of {total}: {row.id}: {row.outcome}. {row.reason}".rstrip(". "))
