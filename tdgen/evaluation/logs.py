"""What an evaluation leaves to be read: the page, and the figures as a file."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import ValidationError

from tdgen.batch.lines import folder_name
from tdgen.evaluation.report import Told, page
from tdgen.evaluation.running import Evaluation
from tdgen.evaluation.scores import as_json, scores
from tdgen.settings import Settings
from tdgen.types import Solution
from tdgen.types.saving import save_file


def write_report(found: Evaluation, settings: Settings, logs: Path, dataset: str) -> Path:
    """Write `report.html` and `figures.json` into the logs, and give the page's path."""
    solutions = dict(filter(None, (_solution(logs, problem.id) for problem in found.problems)))
    sandbox = next((solution.sandbox for solution in solutions.values()), "")
    told = Told(dataset, settings.model, settings.trust, [sandbox] if sandbox else [])
    save_file(logs / "report.html", page(told, found.problems, found.runs, solutions), force=True)
    save_file(logs / "figures.json", json.dumps(as_json(scores(found.runs)), indent=1) + "\n", force=True)
    return logs / "report.html"


def _solution(logs: Path, name: str) -> tuple[str, Solution] | None:
    """A problem's solution in the first run; None where there is none that can be read."""
    try:
        path = logs / "run-1" / "solutions" / folder_name(name) / "tdgen.json"
        return name, Solution.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
