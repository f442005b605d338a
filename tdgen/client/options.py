"""On what terms a generator solves: which settings, and who hears and answers on the way."""

from __future__ import annotations

from typing import NamedTuple

from tdgen.protocols import Ask, Emit
from tdgen.settings import Settings


class SolveOptions(NamedTuple):
    """Settings, who hears what happens, and who answers open questions where the setting `questions` is on."""

    settings: Settings
    emit: Emit
    ask: Ask | None = None
