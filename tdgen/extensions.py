"""What installed packages add: found by its entry point, and imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from tdgen.errors import InputError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

EXPORTS: Final = "tdgen.exports"
LANGUAGES: Final = "tdgen.languages"
LISTENERS: Final = "tdgen.listeners"
MODELS: Final = "tdgen.models"
PARTS: Final = "tdgen.parts"
SANDBOXES: Final = "tdgen.sandboxes"
STEPS: Final = "tdgen.steps"
STORES: Final = "tdgen.stores"
TESTS: Final = "tdgen.tests"


@cache
def registered(group: str) -> Mapping[str, EntryPoint]:
    """What is registered in a group, by its names in order; nothing of it is imported.

    Looked for once: it means to read what each installed package says of itself, which takes milliseconds.
    """
    from importlib.metadata import entry_points

    return MappingProxyType(dict(sorted((point.name, point) for point in entry_points(group=group))))


def load(point: EntryPoint) -> Any:
    """What an entry point names; InputError where that can't be imported."""
    try:
        return point.load()
    except Exception as error:  # another package's code: whatever it raises is its own fault
        why = f"{type(error).__name__}: {error}"
        raise InputError(
            f"{point.name} of {point.group} ({point.value}) can't be loaded: {why}: mend its package, or uninstall it"
        ) from error


def part(name: str, group: str = PARTS) -> Any:
    """A capability of tdgen's own that not every solve needs; InputError where it is not there."""
    point = registered(group).get(name)
    if point is None:
        raise InputError(f"this installation of tdgen lacks its {name} ({group}): install tdgen anew")
    return load(point)
