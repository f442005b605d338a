"""What came of each problem, as a file of its own: what the figures are reckoned from, and what a run goes on from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pydantic import Field, ValidationError

from tdgen.batch.lines import folder_name
from tdgen.batch.row import Ending
from tdgen.errors import InputError
from tdgen.evaluation.baselines import Baselines
from tdgen.evaluation.judging import Judged
from tdgen.metrics import Task
from tdgen.saving import write_file
from tdgen.types import Frozen, Usage


class Record(Frozen):
    """One problem of one run.

    `outcome` is what tdgen said of it (see `tdgen.batch.row`), `first` and `last` what the hidden tests say of its
    first and of its final code; `beside` is the same model without tdgen. `usage` counts the model's calls, `seconds`
    is all the time it took, `model_seconds` what of it was waited for the model at the most, and `purposes` divides
    those by what was asked for. `functions` has each function's outcome. Of an instruction that contradicts itself
    (`contradictory`) `last` says whether what tdgen told the user names both places.
    """

    id: str
    outcome: Ending
    reason: str = ""
    kind: str = ""
    contradictory: bool = False
    functions: dict[str, str] = Field(default_factory=dict)
    first: Judged
    last: Judged
    repairs: int = 0
    promotions: int = 0
    own_cases: int = 0
    usage: Usage = Usage()
    purposes: dict[str, float] = Field(default_factory=dict)
    seconds: float = 0.0
    beside: Baselines | None = None

    @property
    def accepted(self) -> bool:
        """Whether tdgen called it green."""
        return self.outcome == "green"

    @property
    def rejected(self) -> bool:
        """Whether tdgen called it red; where functions only stand on undecided ones, it did not."""
        return self.outcome == "red" and (not self.functions or "red" in self.functions.values())

    @property
    def is_false_green(self) -> bool:
        """Whether it is green and wrong."""
        return self.accepted and not self.last.right

    @property
    def is_false_red(self) -> bool:
        """Whether it is red and right; to refuse a contradiction is no red."""
        return self.rejected and self.last.right and not self.contradictory

    @property
    def model_seconds(self) -> float:
        """Seconds waited for the model: calls that overlap can't take longer than all of it."""
        return min(self.seconds, self.usage.seconds)

    def task(self) -> Task:
        """The record as the figures count it, measured by its hidden tests."""
        return Task(
            self.id,
            self.last.tests,
            self.first.failed,
            self.last.failed,
            self.repairs,
            self.accepted,
            self.usage.calls,
            self.usage.tokens,
            self.seconds,
        )


def record_path(run: Path, name: str) -> Path:
    """Where a problem's record lies."""
    return run / "judged" / f"{folder_name(name)}.json"


def save_record(run: Path, record: Record) -> None:
    """Write a record, whole or not at all; InputError where that can't be."""
    write_file(record_path(run, record.id), record.model_dump_json(indent=1) + "\n")


def read_records(run: Path) -> Mapping[str, Record]:
    """The records of a run by the problem's id; InputError where one can't be read."""
    found = (_read(path) for path in sorted((run / "judged").glob("*.json")))
    return {record.id: record for record in found}


def _read(path: Path) -> Record:
    try:
        return Record.model_validate_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path} can't be read: {error.strerror}") from None
    except ValidationError:
        raise InputError(
            f"{path} is no record that this version of tdgen reads: evaluate into another folder"
        ) from None
