"""The words in which a run is told: the story has them from here, and so has the service's page."""

from __future__ import annotations

from typing import Any, Final

from tdgen.solution.story.layout import HEIGHT, WIDTH

RUNGS: Final = {
    "first": "written from the contract",
    "rival": "written a second time, independently",
    "reading": "taken from the second reading of the instruction",
    "kept": "kept from an earlier solution",
    "mechanical": "found by patch search, without a model",
    "repair": "repaired from what failed",
    "trace": "repaired from a trace of the run",
    "fresh": "begun anew",
    "helpers": "divided into helpers",
}

ORIGINS: Final = {
    "instruction": "your words",
    "user": "your own test",
    "model": "the tester",
    "property": "a property",
    "survivor": "a mutant that survived",
    "caller": "a function that calls it",
}

ROLES: Final = {"planner": "Planner", "tester": "Tester", "developer": "Developer"}

STATE_MARKS: Final = {
    "green": "✓",
    "red": "✗",
    "blocked": "◆",
    "undecided": "?",
    "failed": "✗",
    "cancelled": "–",
    "running": "●",
    "work": "●",
    "tests": "○",
    "queued": "○",
    "waiting": "○",
}
"""How a state is told from others without its colour."""

LONGEST: Final = 240
"""Values of more characters are folded to their beginning."""


def words() -> dict[str, Any]:
    """All of them, and the size of the graph's boxes, as plain data."""
    return {
        "RUNGS": RUNGS,
        "ORIGINS": ORIGINS,
        "ROLES": ROLES,
        "MARKS": STATE_MARKS,
        "LONGEST": LONGEST,
        "BOX": (WIDTH, HEIGHT),
    }
