"""Small changes to a function's source: mutants that a strong suite kills, and repairs that a search tries."""

from importlib.resources import files

from tdgen.mutation.applying import ROUNDS, step_limited
from tdgen.mutation.candidates import mutants, repairs, suspicion
from tdgen.types import Mutant

__all__ = ["ROUNDS", "Mutant", "digests_source", "mutants", "repairs", "step_limited", "suspicion"]


def digests_source() -> str:
    """The source of a module for a sandbox: its `digests(sources)` tells sources of the same byte code by a digest."""
    return files(__name__).joinpath("digesting.py").read_text("utf-8")
