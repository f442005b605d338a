"""What is kept from one solve to the next: solutions that are all green, and what the user answered."""

from __future__ import annotations

from tdgen.cache import Answered, Run, Said, match_key, runs
from tdgen.client.options import SolveOptions
from tdgen.errors import InputError, StoreError
from tdgen.events import Noted
from tdgen.runtime import Runtime
from tdgen.solution import Solution
from tdgen.types import Instruction


class KeptSolutions:
    """A runtime's store as these terms see it: what they change in a result, they change in its key.

    What can't be kept is told as a note: it is lost to the next solve, not to this one.
    """

    def __init__(self, runtime: Runtime, terms: SolveOptions) -> None:
        self._runtime = runtime
        self._settings = terms.settings
        self._emit = terms.emit

    def key(self, asked: Instruction) -> str:
        """The hash under which an instruction's solution is kept."""
        return asked.key(self._settings.identity() | {"python": self._runtime.python})

    def get(self, key: str) -> Solution | None:
        """The solution kept under `key`, where kept ones may be used."""
        return None if self._settings.fresh else self._runtime.solutions.get(key)

    def find(self, prefix: str) -> Solution | Run:
        """The solution whose key starts with `prefix`: the kept one, else that of the last run that failed.

        Where no run left one, the last run. InputError where there is nothing of that key, or where keys are several.
        """
        solutions = self._runtime.solutions
        journal = runs(self._runtime.folder)
        key = match_key(prefix, [*solutions.keys(), *(run.key for run in journal)])
        mine = [run for run in journal if run.key == key]
        found = solutions.get(key) or next((solution for run in mine if (solution := run.solution())), None)
        if found is None and not mine:
            raise InputError(
                f"the solution {prefix} was kept by another version of tdgen and can't be read: solve anew"
            )
        return found or mine[0]

    def keep(self, solution: Solution) -> None:
        """Keep a solution under its key, where it is all green."""
        if not solution.all_tests_passed:
            return
        try:
            self._runtime.solutions.put(solution)
        except StoreError as error:
            self._emit(Noted(text=f"this solution was not kept: {error}"))

    def answered(self, asked: Instruction) -> Instruction:
        """The instruction with what the user answered to its open questions before."""
        if self._settings.questions != "ask" or self._settings.fresh:
            return asked
        said = Answered(self._runtime.store).get(self.key(asked))
        remarked = asked.with_remarks(said.remarks) if said.remarks else asked
        return remarked.model_copy(update={"answers": said.answers})

    def remember(self, asked: Instruction) -> None:
        """Keep the instruction's answers under its key as it was without them."""
        bare = asked.model_copy(update={"answers": (), "remarks": ()})
        try:
            said = Said(answers=asked.answers, remarks=asked.remarks)
            Answered(self._runtime.store).put(self.key(bare), said)
        except StoreError as error:
            self._emit(Noted(text=f"your answers were not kept: {error}"))
