"""What an evaluation leaves to be read: the page, and the figures as a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from tdgen.batch.lines import folder_name
from tdgen.errors import InputError
from tdgen.evaluation.report import Told, page
from tdgen.evaluation.running import Evaluation
from tdgen.evaluation.scores import as_json, scores
from tdgen.outputs import recorded_solution
from tdgen.saving import Place
from tdgen.settings import Settings
from tdgen.solution import Solution

REPORTS: Final = ("report.html", "figures.json")


def write_report(found: Evaluation, settings: Settings, logs: Path, dataset: str) -> Path:
    """Write `report.html` and `figures.json` into the logs, and give the page's path."""
    solutions = dict(filter(None, (_solution(logs, problem.id) for problem in found.problems)))
    sandbox = next((solution.sandbox for solution in solutions.values()), "")
    told = Told(dataset, settings.model, settings.trust, [sandbox] if sandbox else [])
    texts = page(told, found.problems, found.runs, solutions), json.dumps(as_json(scores(found.runs)), indent=1) + "\n"
    Place(logs, force=True).write(dict(zip(REPORTS, texts, strict=True)))
    return logs / REPORTS[0]


def _solution(logs: Path, name: str) -> tuple[str, Solution] | None:
    """A problem's solution in the first run; None where there is none that can be read."""
    try:
        return name, recorded_solution(logs / "run-1" / "solutions" / folder_name(name))
    except InputError:
        return None
