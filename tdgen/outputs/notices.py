"""What is told of a line of code: as a line that editors read, as a row of a Markdown table, as a result in SARIF.

SARIF 2.1.0 is the OASIS standard by which tools tell code hosts and editors what they found. Written is what all of
its readers take: one run of one tool, the rules, and results with a place, a message and a fingerprint that stays the
same where only other lines moved.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_BASE: Final = "%SRCROOT%"
"""What GitHub and other readers call the folder that results' paths start from: the repository's."""


class Rule(NamedTuple):
    """A kind of notice."""

    id: str
    name: str
    level: str
    short: str
    help: str


DOCS_DIFFER: Final = Rule(
    "docs-differ",
    "CodeDiffersFromDocs",
    "error",
    "The code does not do what its docs say.",
    "Mend the code, or the sentence of its docs: the call that is named shows the difference.",
)
DRIFTED: Final = Rule(
    "drifted",
    "UnitDrifted",
    "warning",
    "A function or method is no longer as tdgen left it.",
    "`tdgen sync` shows what changed; `tdgen sync --apply` writes code anew from changed docs, and records edited code "
    "whose tests pass.",
)
TESTS_FAIL: Final = Rule(
    "tests-fail",
    "UnitFailsItsTests",
    "error",
    "A function that tdgen wrote fails its tests.",
    "`tdgen verify FOLDER` runs them again; `tdgen solve --follow FOLDER` changes what the function does.",
)
RULES: Final = (DOCS_DIFFER, DRIFTED, TESTS_FAIL)


class Notice(NamedTuple):
    """What is told of a unit at a line (from 1) of a file; `details` are what a program may want of it, by name."""

    rule: Rule
    file: Path
    line: int
    unit: str
    message: str
    details: Mapping[str, str] = {}


def sarif_text(command: str, of: Path, notices: Iterable[Notice], version: str) -> str:
    """What a command found in a folder, as a SARIF file; its paths start from the folder's repository.

    A code host holds the runs apart by command and folder.
    """
    place = of.absolute().relative_to(repository_of(of)).as_posix()
    run = {
        "tool": {
            "driver": {
                "name": "tdgen",
                "semanticVersion": version,
                "rules": [_rule(rule) for rule in RULES],
            }
        },
        "automationDetails": {"id": f"tdgen/{command}/{place}/".replace("/./", "/")},
        "columnKind": "unicodeCodePoints",
        "results": [_result(notice) for notice in notices],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1, ensure_ascii=True) + "\n"


def repository_of(path: Path) -> Path:
    """The folder of the repository that a file or folder is in; where it is in none, its own."""
    own, *above = [path.absolute(), *path.absolute().parents] if path.is_dir() else path.absolute().parents
    return next((folder for folder in (own, *above) if (folder / ".git").exists()), own)


def markdown_table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], end: str) -> str:
    """A heading, a table where there are rows, and a last line."""
    *cells, (last,) = [
        # one line, of which nothing is read as Markdown's columns or HTML
        [" ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|") for text in row]
        for row in [*rows, [end]]
    ]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    table = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |", *lines, ""] if lines else []
    return "\n".join([f"### {title}", "", *table, last, ""])


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.short},
        "fullDescription": {"text": rule.short},
        "help": {"text": rule.help, "markdown": rule.help},
        "defaultConfiguration": {"level": rule.level},
    }


def _result(notice: Notice) -> dict[str, Any]:
    path = notice.file.absolute().relative_to(repository_of(notice.file)).as_posix()
    region = {"startLine": notice.line}
    place = {"artifactLocation": {"uri": quote(path), "uriBaseId": _BASE}, "region": region}
    same = sha256("\0".join([notice.rule.id, path, notice.unit, *notice.details.values()]).encode()).hexdigest()
    return {
        "ruleId": notice.rule.id,
        "ruleIndex": RULES.index(notice.rule),
        "level": notice.rule.level,
        "message": {"text": f"{notice.unit}: {notice.message}"},
        "locations": [{"physicalLocation": place, "logicalLocations": [{"fullyQualifiedName": notice.unit}]}],
        "partialFingerprints": {"tdgenUnit/v1": same},
        "properties": dict(notice.details),
    }
