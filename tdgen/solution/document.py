"""The JSON contract as pydantic models: what `Solution.to_dict()` and `--json` give, and the JSON schema of it.

A later version of tdgen may add keys under the same `format`; what takes a key away or gives it another meaning raises
that number. So whoever reads a document passes over keys that they do not know, and so do these models.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from pydantic import BaseModel, ConfigDict
from pydantic.json_schema import models_json_schema

from tdgen.events import FORMAT as EVENT_FORMAT
from tdgen.events import Event
from tdgen.types.base import Content
from tdgen.types.cases import After, CaseKind, Logged, Pattern, Property, Provenance, Tolerance, World
from tdgen.types.declared import SharedType
from tdgen.types.interface import ClassInterface, Raises
from tdgen.types.plan import Complexity, Correction, Question
from tdgen.types.record import Finding, Objection, Outcome, Revision, Survivor, Usage
from tdgen.types.runs import Difference, Status

_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


class Document(BaseModel):
    """A part of a document, immutable."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class InputDocument(Document):
    """A parameter; `default` is its source, None for none."""

    name: str
    type: str
    default: str | None


class OutputDocument(Document):
    """What is returned."""

    type: str
    description: str


class SpecDocument(Document):
    """The contract of a function, or of a class, which has an `interface`."""

    name: str
    purpose: str
    inputs: tuple[InputDocument, ...]
    outputs: OutputDocument
    raises: tuple[Raises, ...]
    dependencies: tuple[str, ...]
    complexity: Complexity
    corrections: tuple[Correction, ...]
    interface: ClassInterface | None = None


class CaseDocument(Document):
    """A case; of `expected_source`, `raises`, `check` and `exit_code` it has one. Values stand as `to_dict` says."""

    name: str
    inputs: tuple[Any, ...]
    inputs_source: tuple[str, ...]
    call: str
    setup: str
    kind: CaseKind
    provenance: Provenance
    held_out: bool
    world: World
    why: str
    confirmed: tuple[str, ...]
    expected_output: Any = None
    expected_source: str = ""
    tolerance: Tolerance | None = None
    raises: str = ""
    match: str | None = None
    check: str = ""
    exit_code: int | None = None
    stdout: str | Pattern | None = None
    stderr: str | Pattern | None = None
    files: dict[str, Content | None] = {}
    logs: tuple[Logged, ...] | None = None
    after: tuple[After, ...] = ()


class VerdictDocument(Document):
    """What a case was seen to do."""

    function: str
    test: str
    passed: bool
    actual_output: Any
    actual_output_cut: bool
    actual: str
    difference: tuple[Difference, ...]
    status: Status
    detail: str


class OutcomeDocument(Document):
    """How a function ended, and why."""

    outcome: Outcome
    reason: str


class AttemptDocument(Document):
    """One implementation tried; `passed` of its `cases`."""

    number: int
    rung: str
    line: int
    source: str
    passed: int
    cases: int
    findings: tuple[str, ...]
    vetoes: tuple[str, ...]
    advice: tuple[str, ...]
    mended: tuple[str, ...]
    objections: tuple[Objection, ...]


class StrengthDocument(Document):
    """How hard a suite is to deceive: the fields of `Strength`, and what is computed of them, from 0 to 1."""

    score: float
    raw_score: float
    mutants: int
    killed: int
    equivalent: int
    open: int
    survivors: tuple[Survivor, ...]
    lines: float | None
    branches: float | None
    seconds: float
    raw_before: float | None
    score_before: float | None
    near: int
    near_killed: int


class SpentDocument(Usage):
    """What was paid for a purpose, and a function."""

    purpose: str
    function: str


class SolutionDocument(Document):
    """The whole document; dictionaries are by the names of functions and classes."""

    format: int
    key: str
    instruction: str
    module: str
    function_specs: tuple[SpecDocument, ...]
    types: tuple[SharedType, ...]
    implementations: dict[str, str]
    tests: dict[str, tuple[CaseDocument, ...]]
    properties: dict[str, tuple[Property, ...]]
    test_results: tuple[VerdictDocument, ...]
    all_tests_passed: bool
    outcomes: dict[str, OutcomeDocument]
    attempts: dict[str, tuple[AttemptDocument, ...]]
    module_source: str
    test_files: dict[str, str]
    questions: tuple[Question, ...]
    revisions: tuple[Revision, ...]
    promotions: int
    notes: tuple[str, ...]
    strength: dict[str, StrengthDocument | None]
    findings: tuple[Finding, ...]
    usage: Usage
    spent: tuple[SpentDocument, ...]
    seconds: float
    cached: bool
    trust: str
    model: str
    sandbox: str
    stopped: str
    follows: str


def document_schema(model: type[BaseModel], title: str) -> dict[str, Any]:
    """The JSON schema of one kind of document."""
    schema = _open(model.model_json_schema())
    return {"$schema": _DIALECT, **schema, "title": title}


def events_schema(kinds: Iterable[type[Event]]) -> dict[str, Any]:
    """The JSON schema of an event as `to_dict` gives it: `event` tells which of these it is."""
    named = list(kinds)
    places, defined = models_json_schema([(kind, "validation") for kind in named], ref_template="#/$defs/{model}")
    definitions = _open(defined)["$defs"]
    for kind in named:
        name = places[kind, "validation"]["$ref"].rpartition("/")[2]
        one = definitions[name]
        one["properties"] = {"event": {"const": kind.kind}, "format": {"const": EVENT_FORMAT}, **one["properties"]}
        one["required"] = ["event", "format", *one.get("required", ())]
    return {
        "$schema": _DIALECT,
        "title": f"tdgen events, format {EVENT_FORMAT}",
        "oneOf": [places[kind, "validation"] for kind in named],
        "$defs": definitions,
    }


def _open(schema: Any) -> Any:
    """A schema that lets further keys be, wherever it knows all of today's."""
    if isinstance(schema, list):
        return [_open(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: _open(part) for key, part in schema.items() if (key, part) != ("additionalProperties", False)}
