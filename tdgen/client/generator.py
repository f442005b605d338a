"""The library's face: the cache before the work, and the work, with its journal beside it."""

from __future__ import annotations

import copy
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tdgen.cache import Journal, Row
from tdgen.cache import Run as KeptRun
from tdgen.client.handed import Handed, KeptSolutions, SolveOptions, expect, expect_callable, name_of, read
from tdgen.client.running import Account, Cancellable, Session, alone, end, heard, logged, notes, opened, unhurried
from tdgen.errors import InputError, LostLock
from tdgen.events import Noted
from tdgen.extensions import part
from tdgen.protocols import Ask, Closing, Emit, Model, Placing
from tdgen.runtime import SHARED, Runtime
from tdgen.settings import Settings, load_settings
from tdgen.solution import Solution
from tdgen.types import Instruction, Spent, Target, digest

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from typing import Unpack

    from tdgen.client.estimating import Estimate
    from tdgen.client.judging import Judged
    from tdgen.models import Ledger
    from tdgen.pipeline import Draft, Tools
    from tdgen.pipeline.finishing import Verification
    from tdgen.sandbox.interpreter import Mounted
    from tdgen.settings.model import AllOptions


TRIES: Final = 3
"""How often a solve begins again where its lock in a shared store fell: each time it goes on from what was answered."""
LOST: Final = (
    "this host's lock in the team's store fell, as one of the two stood still or was started anew: "
    "what was answered is kept"
)


class Generator(Closing):
    """Solves instructions with one set of settings; its sandbox stays warm and its cache open until it is closed.

    Use it as a context manager, or call `close`. Safe to use from several threads.
    """

    _placing: Placing | None = None
    """For targets whose units the plan names; None where there is no project."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        api_key: str = "",
        cache_dir: str | Path = "",
        on_event: Emit | None = None,
        on_question: Ask | None = None,
        model: Model | str | None = None,
        executor: Executor | None = None,
        mounted: Mounted | None = None,
    ) -> None:
        """`settings` default to those of the environment and the nearest pyproject.toml.

        `model` is the name of the endpoint's model to ask, or an object that answers in place of an endpoint; what is
        kept is told apart by that name, of an object by its `name` or else its class's. `executor` runs in place of
        threads; `on_event` hears what happens, `on_question` answers open questions where the setting `questions` is
        on. `mounted` is the project that the sandboxes show, for a `target` in it. InputError where the settings or
        another argument can't be used.
        """
        expect("settings", settings, Settings, None)
        expect("api_key", api_key, str)
        expect("cache_dir", cache_dir, str, Path)
        for name, value in {"on_event": on_event, "on_question": on_question}.items():
            expect_callable(name, value)
        given = {"api_key": api_key, "cache_dir": str(cache_dir), "model": model if isinstance(model, str) else ""}
        changes = {name: value for name, value in given.items() if value}
        settings = load_settings(changes) if settings is None else settings.changed(**changes)
        model = None if isinstance(model, str) else model
        if model is not None:
            expect_callable("model", model, "ask")
            settings = settings.asked_of(name_of(model))
        self._runtime = Runtime(settings, model, executor, mounted)
        self._options = SolveOptions(settings, on_event or (lambda event: None), on_question)
        self._kept = KeptSolutions(self._runtime, self._options)
        self._open: set[Ledger] = set()

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._options.settings

    @property
    def folder(self) -> Path:
        """The folder of the cache."""
        return self._runtime.folder

    def under(
        self, *, on_event: Emit | None = None, on_question: Ask | None = None, run: str = "", **changes: Any
    ) -> Generator:
        """This generator for one instruction under other settings (its trust, budget or transcript), told elsewhere.

        Sandboxes, cache and rate limits are shared: InputError where a change is to what they are made from, as where
        it is no setting or can't be used. Whoever made the first generator closes it. A solve with `fresh` that is cut
        off is gone on with under the same name of a `run`; without a name it begins anew.
        """
        settings, emit, ask, _ = self._options
        changed = settings.changed(**changes)
        for name in SHARED:
            if getattr(changed, name) != getattr(settings, name):
                raise InputError(f"{name} can't be changed for one instruction: make another Generator with it")
        terms = SolveOptions(changed, on_event or emit, on_question or ask, run)
        other = copy.copy(self)
        vars(other).update(_options=terms, _kept=KeptSolutions(self._runtime, terms), _open=set())
        return other

    def cancel(self, *, at_once: bool = False) -> None:
        """Let what is being solved come to its end, from any thread: no model is asked any more, nothing is spent.

        It ends as one whose budget is spent does, with the best so far, and can be resumed. `at_once` it ends without
        that: waits are woken, endpoints that are answering are hung up on, and `solve` raises Cancelled; what was
        answered by then is kept, and the same call goes on from it. A run in the sandbox, and a model of your own, come
        to their end first. What is being solved by generators made by `under` goes on.
        """
        for ledger in tuple(self._open):
            (ledger.cancel if at_once else ledger.close)()

    def solve(self, instruction: str, handed: Handed = Handed(), *, looked_up: bool = False) -> Solution:  # noqa: B008
        """The instruction's solution: from the cache where it is there, else made and, all green, kept.

        `looked_up`: none was kept a moment ago. Errors are TdgenErrors: InputError, BudgetSpent, ModelError,
        SandboxError, StoreError. A solution that is not all green is given back, not raised: see `all_tests_passed`.
        """
        asked = self._kept.answered(self._read(instruction, handed))
        self._must_be_mounted(asked.target)
        key = self.key(asked)
        try:
            if not looked_up and (solution := self._still_green(asked, key)):
                return solution
            self._runtime.check(self.settings)
            run = self._options.run or secrets.token_hex(8)
            spent: tuple[Spent, ...] = ()
            for _ in range(TRIES):
                with suppress(LostLock), self._account(run) as account, alone(self._runtime, key, account.ledger):
                    account.ledger.charge(spent)
                    self._kept.tell()
                    return self._still_green(asked, key) or self._solved(asked, key, account)
                spent = account.ledger.spent()
                self._options.emit(Noted(text=LOST))
            raise LostLock
        finally:
            self._kept.tell()

    def _still_green(self, asked: Instruction, key: str) -> Solution | None:
        """The kept solution; in a project only where it holds there as it is now, since the key has not all of it.

        Where none is kept here, the one that the team's store has, judged wherever it is for.
        """
        solution = self._kept.get(key)
        if solution is None:
            return self._kept.from_team({key: asked}).get(key)
        if solution.plan.target is None or not solution.test_files:
            return solution
        return solution if self._holds(solution, key) else None

    def kept_many(self, instructions: Sequence[str]) -> list[Solution | None]:
        """What `kept` gives for each of them; what the team's store has of them is judged together.

        None, too, for what is no instruction: that is told when it is to be solved.
        """
        keys: list[str] = []
        asked: dict[str, Instruction] = {}
        for text in instructions:
            keys.append("")
            with suppress(InputError):
                one = self._kept.answered(self._read(text, Handed()))
                keys[-1] = self.key(one)
                asked[keys[-1]] = one
        kept = self._kept.many(asked)
        return [kept.get(key) for key in keys]

    def _holds(self, solution: Solution, key: str) -> bool:
        """Whether a kept solution for a project holds there."""
        return self.verify(solution).passed

    def generate_solution(self, instruction: str, handed: Handed = Handed()) -> dict[str, Any]:  # noqa: B008
        """The same as plain JSON data."""
        return self.solve(instruction, handed).to_dict()

    def draft(self, instruction: str, *, until: str, handed: Handed = Handed()) -> Draft:  # noqa: B008
        """What the pipeline has made by the end of the step `until`, to be looked at, edited and handed back."""
        asked = self._read(instruction, handed)
        key = self.key(asked)
        self._runtime.check(self.settings)
        with (
            self._account() as account,
            alone(self._runtime, key, account.ledger),
            opened(self._runtime, key, asked.text, account.ledger) as journal,
        ):
            return self._drafted(asked, journal, account, until)

    def kept(self, instruction: str, handed: Handed = Handed()) -> Solution | None:  # noqa: B008
        """The instruction's solution where it is in the cache and may be used, else None; no model is asked.

        One for a project is judged there, as `solve` does.
        """
        asked = self._kept.answered(self._read(instruction, handed))
        self._must_be_mounted(asked.target)
        return self._still_green(asked, self.key(asked))

    def estimate(self, instruction: str, handed: Handed = Handed()) -> tuple[Estimate, ...]:  # noqa: B008
        """What solving it would cost, told without asking a model: see `tdgen.client.estimating`."""
        asked = self._read(instruction, handed)
        estimates: Callable[..., tuple[Estimate, ...]] = part("estimates")
        return estimates(asked, self.settings, self._runtime.language, placing=self._placing)

    def verify(self, solution: Solution, files: Mapping[str, str] | None = None) -> Verification:
        """Judge a solution again in the sandbox, offline; `files` are its folder's files where they may be others.

        InputError where it is for a project, and that is not mounted.
        """
        from tdgen.pipeline.finishing import verify

        expect("the solution", solution, Solution)
        self._must_be_mounted(solution.plan.target)
        runtime, is_own = self._runtime, solution.plan.language == self.settings.language
        language = runtime.language if is_own else runtime.language_of(solution.plan.language)
        return verify(
            solution,
            files,
            sandbox=runtime.sandbox if is_own else runtime.sandbox_of(language),
            oracle=runtime.oracle,
            limits=runtime.limits(self.settings, language),
            executor=runtime.executor,
            language=language,
        )

    def judge(self, source: str, tests: str, *, module: str = "solution", seconds: float = 30.0) -> Judged:
        """Do these tests hold for this code, and how strong are they? No model is asked.

        Both are run in the sandbox, the code as the module that the tests import; then mutants of the code, for at most
        so many seconds. InputError where one of them is no Python.
        """
        for name, value in {"the code": source, "tests": tests, "module": module}.items():
            expect(name, value, str)
        limits = self.settings.limits
        judge: Callable[..., Judged] = part("judging")
        return judge(source, tests, module, runtime=self._runtime, limits=limits, seconds=seconds)

    @contextmanager
    def session(self, kind: str, question: object, about: str) -> Iterator[Session]:
        """Tools, an account and a journal for work of another `kind` than a solve, such as `tdgen fix`.

        What is answered in it is kept under the kind and the `question`, plain data: the same again costs nothing. A
        list of runs shows what it is `about`.
        """
        key = digest([kind, self.settings.identity(), self._runtime.python, question])
        self._runtime.check(self.settings)
        with self._account() as account, opened(self._runtime, key, about, account.ledger) as journal:
            yield Session(self._tools(journal, account), account.ledger, journal)

    def _must_be_mounted(self, target: Target | None) -> None:
        if target is not None and not self._runtime.has_project:
            raise InputError(
                f"this is for {target.path} of a project, which the sandboxes do not show: run `tdgen fill "
                f"{target.path}` there, or name the project by Generator(mounted=…)"
            )
        if target is not None and target.is_open and self._placing is None:
            raise InputError(f"what goes into {target.path} is to be planned: a `ProjectClient` does that")

    def rows(self) -> list[Row]:
        """All kept solutions in a few words each, this machine's and a team's, the newest first."""
        return self._kept.rows()

    def find_shared(self, key: str) -> Solution | None:
        """The solution of that whole key which the team's store has, where its cases and tests pass here; else None."""
        return self._kept.of_team(key, lambda solution: self.verify(solution).passed)

    def find(self, prefix: str) -> Solution:
        """The solution whose key starts with `prefix`, kept or of a failed run; InputError for none, or several."""
        kept = self.look_up(prefix)
        if isinstance(kept, Solution):
            return kept
        raise InputError(f"the {kept.state} run {prefix} has no solution: `tdgen show {prefix}` tells what is known")

    def look_up(self, prefix: str) -> Solution | KeptRun:
        """What `find` gives; where a run that did not end green left no solution, that run."""
        expect("a key", prefix, str)
        return self._kept.find(prefix)

    def key(self, asked: Instruction) -> str:
        """The hash under which an instruction's solution is kept with these settings."""
        return self._kept.key(asked)

    def open(self) -> None:
        """Open the sandboxes and the cache now, in place of when they are needed; SandboxError, StoreError."""
        _ = self._runtime.sandbox, self._runtime.oracle, self._runtime.store

    def close(self) -> None:
        """End the sandboxes and close the cache. Closing twice is allowed; the next solve opens them again."""
        self._runtime.close()

    def _read(self, text: str, handed: Handed) -> Instruction:
        expect("handed", handed, Handed)
        follow = handed.follow
        expect("follow", follow, str, Solution)
        if self.settings.language and (handed.tests or handed.target):
            what = "tests of your own" if handed.tests else "code for a project of yours"
            raise InputError(f"{what} can't be had in {self.settings.language}: leave --language out, or them")
        earlier = follow if isinstance(follow, Solution) else self.find(follow) if follow else None
        given = [plan.language for plan in (handed.plan, earlier and earlier.plan) if plan and plan.language]
        if other := next((language for language in given if language != self.settings.language), ""):
            raise InputError(f"what it goes on from is in {other}: give --language {other}")
        return read(text, handed, earlier)

    def _solved(self, asked: Instruction, key: str, account: Account) -> Solution:
        """The pipeline's way to its end; all green, it is kept, else the journal has it."""
        from tdgen.pipeline.finishing import solution_of

        began = time.monotonic()
        with opened(self._runtime, key, asked.text, account.ledger) as journal:
            draft = self._drafted(asked, journal, account)
            settled = asked
            if draft.answers or draft.instruction.remarks != asked.remarks:
                settled = draft.instruction.model_copy(update={"answers": (*asked.answers, *draft.answers)})
                self._kept.remember(settled)
            solution = solution_of(
                draft,
                key=self.key(settled),
                settings=self.settings,
                spent=account.ledger.spent(),
                seconds=time.monotonic() - began,
                sandbox=self._runtime.sandbox.describe(),
            )
            self._kept.keep(solution)
            end(journal, solution)
        return solution

    @contextmanager
    def _account(self, run: str = "") -> Iterator[Account]:
        """The account of a run of that name; from now to its end the run can be cancelled, and is told of."""
        ledger = self._runtime.ledger(self._options.settings)
        self._open.add(ledger)
        try:
            with heard(logged(self._options.emit), self.settings) as emit:
                yield Account(ledger, emit, run or self._options.run or secrets.token_hex(8))
        finally:
            self._open.discard(ledger)
            ledger.close()

    def _drafted(self, asked: Instruction, journal: Journal, account: Account, until: str = "") -> Draft:
        from tdgen.pipeline import Draft, run

        tools, ask = self._tools(journal, account), self._options.ask
        tools = replace(tools, ask=unhurried(ask, account.ledger) if ask and self.settings.questions == "ask" else None)
        return run(tools, Draft(asked), until=until, steps=self._runtime.steps())

    def _tools(self, journal: Journal, account: Account) -> Tools:
        settings, (ledger, emit, _) = self._options.settings, account
        if settings.fresh:
            journal.begin_anew(account.run)
        for note in notes(journal):
            emit(Noted(text=note))
        tools = self._runtime.tools(journal, ledger, emit, settings)
        sandbox, oracle = Cancellable(tools.sandbox, ledger), Cancellable(tools.oracle, ledger)
        return replace(tools, sandbox=sandbox, oracle=oracle, placing=self._placing)


def solve(
    instruction: str,
    *,
    tests: str | Sequence[str] = "",
    follow: str | Solution = "",
    module: str = "",
    on_event: Emit | None = None,
    on_question: Ask | None = None,
    model: Model | str | None = None,
    **options: Unpack[AllOptions],
) -> Solution:
    """Solve one instruction: prose in, a solution out.

    `tests` is the source of your own pytest file, or of several; `follow` is a solution to go on from, or a kept one's
    key; `module` is the name that the module is to have, as `times`, or `mypkg.times` of one in a package.
    `on_question` is asked what the instruction leaves open (see `tdgen.protocols.Ask`); its answers are pinned. `model`
    is a model's name, or an object that answers. `options` are settings by name, such as `trust="strict"` or
    `budget="calls=50"`. Errors are TdgenErrors.
    """
    settings = load_settings({"questions": "ask"} | options if on_question else options)
    with Generator(settings, on_event=on_event, on_question=on_question, model=model) as generator:
        return generator.solve(instruction, Handed(tests=tests, follow=follow, module=module))
