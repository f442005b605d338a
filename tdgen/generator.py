"""The library's face: from prose to a solution, with the cache before the work and the journal beside it."""

from __future__ import annotations

import copy
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from pydantic import SecretStr

from tdgen.cache import Answered, Journal, Said
from tdgen.errors import InputError, PlanError, StoreError
from tdgen.events import Event, Noted
from tdgen.protocols import Ask, Emit, Model
from tdgen.settings import Settings, load_settings
from tdgen.specs.instruction import read_instruction
from tdgen.types import Instruction, Plan, Solution, Suite
from tdgen.wiring import Workplace

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tdgen.estimates import Estimate
    from tdgen.models import Ledger
    from tdgen.pipeline import Draft
    from tdgen.pipeline.verifying import Verification


PATIENCE_S: Final = 5.0
"""How long a run that fails waits for answers that are on their way."""


class Handed(NamedTuple):
    """What may be handed in beside the prose: own tests, an edited plan, edited suites, a solution to go on from."""

    tests: str = ""
    plan: Plan | None = None
    suites: Sequence[Suite] = ()
    follow: str = ""


def _silently(event: Event) -> None:
    """Nobody looks on."""


class Generator:
    """Solves instructions with one set of settings; its sandbox stays warm and its cache open until it is closed.

    Use it as a context manager, or call `close`. Safe to use from several threads.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        api_key: str = "",
        cache_dir: str | Path = "",
        on_event: Emit | None = None,
        on_question: Ask | None = None,
        model: Model | None = None,
        executor: Executor | None = None,
    ) -> None:
        """`settings` default to those of the environment and the nearest pyproject.toml.

        `model` answers in place of an endpoint; `executor` runs in place of threads; `on_event` hears what happens,
        `on_question` answers open questions where the setting `questions` is on. InputError where the settings can't
        be used.
        """
        given = {"api_key": api_key or None, "cache_dir": str(cache_dir) or None}
        if settings is None:
            settings = load_settings(given)
        else:
            settings = settings.model_copy(update={n: v for n, v in _typed(given).items() if v})
        self._settings = settings
        self._workplace = Workplace(settings, model, executor)
        self._emit = on_event or _silently
        self._ask = on_question
        self._open: set[Ledger] = set()

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._settings

    @property
    def folder(self) -> Path:
        """The folder of the cache."""
        return self._workplace.folder

    def under(self, *, on_event: Emit | None = None, on_question: Ask | None = None, **changes: Any) -> Generator:
        """This generator for one instruction under other settings (its trust, budget or transcript), told elsewhere.

        Sandboxes, cache and rate limits are shared, so that what only they depend on can't be changed here. Whoever
        made the first one closes it.
        """
        other = copy.copy(self)
        vars(other).update(
            _settings=self._settings.model_copy(update=changes),
            _emit=on_event or self._emit,
            _ask=on_question or self._ask,
            _open=set(),
        )
        return other

    def cancel(self) -> None:
        """Let what is being solved come to its end, from any thread: no model is asked any more, nothing is spent.

        It ends as one whose budget is spent does, with the best so far, and can be resumed. What is being solved by
        generators made by `under` goes on.
        """
        for ledger in tuple(self._open):
            ledger.close()

    def solve(self, instruction: str, handed: Handed = Handed()) -> Solution:  # noqa: B008 - immutable
        """The instruction's solution: from the cache where it is there, else made and, all green, kept.

        Errors are TdgenErrors: InputError, BudgetSpent, ModelError, SandboxError, StoreError. A solution that is not
        all green is given back, not raised: see `all_tests_passed`.
        """
        asked = self._answered(self._read(instruction, handed))
        key = self.key(asked)
        if found := self._cached(key):
            return found
        self._workplace.check(self._settings)
        with self._workplace.store.lock(key):
            if found := self._cached(key):
                return found
            return self._solved(asked, key)

    def generate_solution(self, instruction: str, handed: Handed = Handed()) -> dict[str, Any]:  # noqa: B008
        """The same as plain JSON data."""
        return self.solve(instruction, handed).to_dict()

    def draft(self, instruction: str, *, until: str, handed: Handed = Handed()) -> Draft:  # noqa: B008
        """What the pipeline has made by the end of the step `until`, to be looked at, edited and handed back."""
        asked = self._read(instruction, handed)
        key = self.key(asked)
        self._workplace.check(self._settings)
        with self._workplace.store.lock(key):
            draft, _ = self._run(asked, key, until)
        return draft

    def kept(self, instruction: str, handed: Handed = Handed()) -> Solution | None:  # noqa: B008
        """The instruction's solution where it is in the cache and may be used, else None; no model is asked."""
        return self._cached(self.key(self._answered(self._read(instruction, handed))))

    def estimate(self, instruction: str, handed: Handed = Handed()) -> tuple[Estimate, ...]:  # noqa: B008
        """What solving it would cost, told without asking a model: see `tdgen.estimates`."""
        from tdgen.estimates import estimates

        return estimates(self._read(instruction, handed), self.settings, python=self._workplace.python)

    def verify(self, solution: Solution, files: Mapping[str, str] | None = None) -> Verification:
        """Judge a solution again in the sandbox, offline; `files` are its package's files where they were changed."""
        from tdgen.pipeline.verifying import verify

        return verify(
            solution,
            files if files is not None else solution.files(),
            sandbox=self._workplace.sandbox,
            oracle=self._workplace.oracle,
            limits=self.settings.limits,
            executor=self._workplace.executor,
        )

    def find(self, prefix: str) -> Solution:
        """The kept solution whose key starts with `prefix`; InputError where there is none, or several."""
        solutions = self._workplace.solutions
        found = solutions.get(solutions.resolve(prefix))
        if found is None:
            raise InputError(
                f"the solution {prefix} was kept by another version of tdgen and can't be read: solve anew"
            )
        return found

    def key(self, asked: Instruction) -> str:
        """The hash under which an instruction's solution is kept with these settings."""
        return asked.key(self.settings.identity() | {"python": self._workplace.python})

    def close(self) -> None:
        """End the sandboxes and close the cache. Closing twice is allowed; the next solve opens them again."""
        self._workplace.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read(self, text: str, handed: Handed) -> Instruction:
        earlier = self.find(handed.follow) if handed.follow else None
        whole = f"{earlier.instruction.strip()}\n\n{text}" if earlier and text.strip() else text
        return read_instruction(whole).model_copy(
            update={
                "tests": handed.tests or (_own_tests(earlier) if earlier else ""),
                "plan": handed.plan,
                "suites": tuple(handed.suites),
                "follows": earlier.key if earlier else "",
                "earlier": earlier.plan if earlier else None,
            }
        )

    def _cached(self, key: str) -> Solution | None:
        return None if self.settings.fresh else self._workplace.solutions.get(key)

    def _solved(self, asked: Instruction, key: str) -> Solution:
        from tdgen.pipeline.solving import solution_of

        began = time.monotonic()
        draft, ledger = self._run(asked, key)
        if draft.answers or draft.instruction.remarks != asked.remarks:
            asked = draft.instruction.model_copy(update={"answers": (*asked.answers, *draft.answers)})
            self._remember(asked)
        solution = solution_of(
            draft,
            key=self.key(asked),
            settings=self.settings,
            spent=ledger.spent(),
            seconds=time.monotonic() - began,
            sandbox=self._workplace.sandbox.describe(),
        )
        if solution.all_tests_passed:
            self._keep(solution)
        return solution

    def _answered(self, asked: Instruction) -> Instruction:
        """The instruction with what the user answered to its open questions before."""
        if self.settings.questions != "ask" or self.settings.fresh:
            return asked
        said = Answered(self._workplace.store).get(self.key(asked))
        remarked = asked.with_remarks(said.remarks) if said.remarks else asked
        return remarked.model_copy(update={"answers": said.answers})

    def _remember(self, asked: Instruction) -> None:
        """Keep the answers under the key of the instruction as it was without them."""
        bare = asked.model_copy(update={"answers": (), "remarks": ()})
        try:
            said = Said(answers=asked.answers, remarks=asked.remarks)
            Answered(self._workplace.store).put(self.key(bare), said)
        except StoreError as error:
            self._emit(Noted(text=f"your answers were not kept: {error}"))

    def _keep(self, solution: Solution) -> None:
        """A solution that can't be kept is still a solution."""
        try:
            self._workplace.solutions.put(solution)
        except StoreError as error:
            self._emit(Noted(text=f"this solution was not kept: {error}"))

    def _run(self, asked: Instruction, key: str, until: str = "") -> tuple[Draft, Ledger]:
        """The pipeline's way, with a journal beside it that a run which is cut off resumes from.

        What others are being answered while it fails is paid for: a moment is waited until it is in the journal.
        """
        from tdgen.pipeline import Draft, run

        journal, ledger = self._workplace.journal(key), self._workplace.ledger(self._settings)
        self._open.add(ledger)
        try:
            if self.settings.fresh:
                journal.forget()
            for note in self._notes(journal):
                self._emit(Noted(text=note))
            tools = self._workplace.tools(journal, ledger, self._emit, self._settings)
            tools = replace(tools, ask=self._ask if self.settings.questions == "ask" else None)
            draft = run(tools, Draft(asked), until=until, steps=self._workplace.steps())
            if not until and not draft.stopped:
                _end(journal, draft)
        except PlanError as error:
            # That run came to its end too: played again, the same answers would only fail again.
            journal.fail({"reason": str(error)[:500], "instruction": asked.text})
            raise
        except Exception:
            ledger.close(PATIENCE_S)
            raise
        finally:
            self._open.discard(ledger)
            ledger.close()
            journal.close()
        return draft, ledger

    def _notes(self, journal: Journal) -> list[str]:
        answers = f"{journal.resumed} answer{'s' * (journal.resumed != 1)}"
        again = f"an unfinished run left {answers}: what is there is neither asked nor paid for again"
        return [*journal.notes, *([again] if journal.resumed else [])]


def _end(journal: Journal, draft: Draft) -> None:
    """Forget the answers of a run that came to its end; how it failed is kept."""
    failed = {name: result.reason for name, result in draft.results.items() if result.outcome != "green"}
    if not failed:
        journal.finish()
        return
    results = {name: result.model_dump(mode="json") for name, result in draft.results.items()}
    reason = "; ".join(f"{name}: {why}" for name, why in failed.items())
    journal.fail({"reason": reason[:500], "instruction": draft.instruction.text, "results": results})


def _own_tests(earlier: Solution) -> str:
    """The user's own tests that came with an earlier instruction: law until others take their place."""
    from tdgen.pipeline.draft import USER_TESTS

    return earlier.test_files.get(USER_TESTS, "")


def _typed(given: dict[str, str | None]) -> dict[str, Any]:
    return given | {"api_key": SecretStr(given["api_key"]) if given["api_key"] else None}


def solve(
    instruction: str,
    *,
    tests: str = "",
    follow: str = "",
    on_event: Emit | None = None,
    on_question: Ask | None = None,
    model: Model | None = None,
    **options: Any,
) -> Solution:
    """Solve one instruction: prose in, a solution out.

    `tests` is the source of your own pytest file, `follow` the key of a kept solution to go on from. `on_question` is
    asked what the instruction leaves open (see `tdgen.protocols.Ask`); its answers are law. `options` are settings by
    name, such as `trust="strict"` or `budget="calls=50"`. Errors are TdgenErrors.
    """
    settings = load_settings({"questions": "ask"} | options if on_question else options)
    with Generator(settings, on_event=on_event, on_question=on_question, model=model) as generator:
        return generator.solve(instruction, Handed(tests=tests, follow=follow))
