"""An evaluation played again from its logs, without a model: do the same answers come to the same figures?

Everything that follows from the model's answers is done again: plans, cases, attempts, judging, hidden tests. What was
measured (seconds, dollars) is taken from the logs. A figure that comes out otherwise is told: a time limit was met on
one side and not on the other, or tdgen is another version.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from pydantic import ValidationError

from tdgen.batch import Stamp
from tdgen.batch.lines import folder_name
from tdgen.batch.output import STAMP
from tdgen.batch.running import OnRow
from tdgen.errors import InputError
from tdgen.evaluation.judging import Problem
from tdgen.evaluation.records import Asked, Baselines, Record, read_records
from tdgen.evaluation.running import ALONE, Evaluation, Source, Told, evaluate
from tdgen.models.scripted import Script, script_from
from tdgen.settings import Settings

SOLVING: Final = "solving"
SCRIPTS: Final = "scripts"
_SAME: Final = ("outcome", "first", "last", "repairs", "promotions", "own_cases")


class Replayed(NamedTuple):
    """What came of playing again: the evaluation, and each record that is another than the one in the logs."""

    evaluation: Evaluation
    differences: tuple[str, ...]


def replay(
    problems: Sequence[Problem],
    logs: Path,
    *,
    name: str,
    settings: Settings,
    on_row: OnRow | None = None,
    tell: Told = lambda text: None,
) -> Replayed:
    """Play every run of the logs again, at its own trust and budget; InputError where they hold none."""
    runs: list[tuple[Record, ...]] = []
    differences: list[str] = []
    for run in _runs(logs):
        logged = read_records(run)
        known = [problem for problem in problems if problem.id in logged]
        alone = any(record.beside is not None for record in logged.values())
        with tempfile.TemporaryDirectory() as folder:
            scripts = _scripts(run, Path(folder), known)
            played = evaluate(
                known,
                Path(folder, "logs"),
                name=name,
                settings=_as_logged(run, settings),
                alone=alone,
                source=partial(_always, scripts),
                on_row=on_row,
                tell=tell,
            )
        records = tuple(measured(record, logged[record.id]) for record in played.runs[0])
        differences += [
            f"{run.name} {record.id}: {what}" for record in records for what in differing(record, logged[record.id])
        ]
        runs.append(records)
    return Replayed(Evaluation(tuple(problems), tuple(runs)), tuple(differences))


def differing(played: Record, logged: Record) -> list[str]:
    """What of a record came out otherwise, in words."""
    pairs = [(name, getattr(played, name), getattr(logged, name)) for name in _SAME]
    pairs += [("calls", played.usage.calls, logged.usage.calls), ("tokens", played.usage.tokens, logged.usage.tokens)]
    beside = [
        one and [(asked.samples, asked.judged, asked.usage.tokens) for asked in (one.once, one.often)]
        for one in (played.beside, logged.beside)
    ]
    told = []
    for name, now, before in [*pairs, ("beside", beside[0], beside[1])]:
        if now != before:
            was, is_now = (text if len(text) <= 120 else text[:117] + "..." for text in (str(before), str(now)))
            told.append(f"{name} was {was} and is {is_now}")
    return told


def measured(played: Record, logged: Record) -> Record:
    """A played record with what only a clock and a bill can know."""
    spent = {"cost": logged.usage.cost, "unpriced": logged.usage.unpriced, "seconds": logged.usage.seconds}
    update: dict[str, Any] = {
        "usage": played.usage.model_copy(update=spent),
        "seconds": logged.seconds,
        "purposes": logged.purposes,
    }
    if played.beside is not None and logged.beside is not None:
        once = _with_cost(played.beside.once, logged.beside.once)
        often = _with_cost(played.beside.often, logged.beside.often)
        update["beside"] = Baselines(once=once, often=often)
    return played.model_copy(update=update)


def _with_cost(played: Asked, logged: Asked) -> Asked:
    spent = {"cost": logged.usage.cost, "unpriced": logged.usage.unpriced, "seconds": logged.usage.seconds}
    return played.model_copy(update={"usage": played.usage.model_copy(update=spent)})


def keep(logs: Path, folder: Path) -> None:
    """Write what a replay needs of the logs, and no more: for each run its settings, records, and scripts of answers.

    InputError where the logs hold no evaluation, or the folder is there.
    """
    runs = _runs(logs)
    if folder.exists():
        raise InputError(f"{folder} is there: name another folder")
    for run in runs:
        shutil.copytree(run / "judged", folder / run.name / "judged")
        shutil.copy(run / STAMP, folder / run.name)
        (folder / run.name / SCRIPTS).mkdir()
        for name in read_records(run):
            _write_scripts(run, name, folder / run.name / SCRIPTS)


def _runs(logs: Path) -> list[Path]:
    """The folders of the runs that were judged, in their order; InputError where there is none."""
    runs = sorted(logs.glob("run-*/judged"), key=lambda path: int(path.parent.name.removeprefix("run-")))
    if not runs:
        raise InputError(f"{logs} holds no evaluation: name the folder that `tdgen eval` wrote")
    return [path.parent for path in runs]


def _scripts(run: Path, folder: Path, problems: Sequence[Problem]) -> Source:
    """Each problem's answers as a script: as it was kept, or made of its transcript."""
    kept = run / SCRIPTS
    if not kept.is_dir():
        kept = folder
        for problem in problems:
            _write_scripts(run, problem.id, kept)

    def settings(kind: str, name: str) -> Mapping[str, Any]:
        return {"script": str(_script_path(kept, name, kind)), "transcript": ""}

    return Source(partial(settings, SOLVING), partial(settings, ALONE))


def _write_scripts(run: Path, name: str, folder: Path) -> None:
    """A problem's transcripts as scripts; an empty one where it has none."""
    place = run / "transcripts" / folder_name(name)
    for kind, transcript in ((SOLVING, place), (ALONE, place / ALONE)):
        try:
            script = script_from(transcript)
        except InputError:
            script = Script()
        script.save(_script_path(folder, name, kind))


def _script_path(folder: Path, name: str, kind: str) -> Path:
    return folder / f"{folder_name(name)}.{kind}.json"


def _as_logged(run: Path, settings: Settings) -> Settings:
    """The settings with the run's own trust, budget and language; InputError where it does not say them."""
    path = run / STAMP
    try:
        logged = Stamp.model_validate_json(path.read_bytes()).settings
        questions = "assume" if logged["questions"] else ""
        changes = {key: logged[key] for key in ("trust", "budget", "language") if key in logged} | {
            "questions": questions
        }
        return Settings.model_validate(settings.model_dump() | changes)
    except (OSError, KeyError, ValidationError):
        raise InputError(f"{path} does not say with which settings the evaluation ran") from None


def _always(source: Source, run: Path) -> Source:
    del run
    return source
