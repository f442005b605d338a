"""Small changes to a function's source: mutants that a strong suite kills, and repairs that a search tries."""

from importlib.resources import files

from tdgen.mutation.blame import suspicion
from tdgen.mutation.bounding import ROUNDS, bounded
from tdgen.mutation.mutant import Mutant
from tdgen.mutation.scoring import mutants
from tdgen.mutation.searching import repairs

__all__ = ["ROUNDS", "Mutant", "bounded", "digests_source", "mutants", "repairs", "suspicion"]


def digests_source() -> str:
    """The source of a module for a sandbox: its `digests(sources)` tells sources of the same byte code by a digest."""
    return files(__name__).joinpath("digesting.py").read_text("utf-8")
