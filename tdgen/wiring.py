"""The only module that picks concrete tools from the settings: which model, which sandboxes, which store.

A `Workplace` lives as long as its owner: its sandboxes stay warm and its store open between solves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from tdgen.cache import DiskStore, Functions, Journal, Solutions, default_folder, open_store
from tdgen.errors import InputError
from tdgen.protocols import Emit, Model, Sandbox
from tdgen.settings import Settings

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tdgen.models import Ledger
    from tdgen.pipeline import Step, Tools
    from tdgen.sandbox.packages import Packages

STEPS_GROUP = "tdgen.steps"


class Workplace:
    """The concrete tools that some settings ask for, each made when it is first needed."""

    def __init__(self, settings: Settings, model: Model | None = None, executor: Executor | None = None) -> None:
        """`model` and `executor`, where given, are used in place of those that the settings would pick."""
        self.settings = settings
        self._model = model
        self._given_executor = executor
        self._closers: list[Callable[[], None]] = []

    @property
    def python(self) -> str:
        """The version of Python that code is written for, such as `3.12`."""
        return self.settings.python or f"{sys.version_info.major}.{sys.version_info.minor}"

    @property
    def folder(self) -> Path:
        """The cache's folder."""
        return Path(self.settings.cache_dir) if self.settings.cache_dir else default_folder()

    @cached_property
    def solutions(self) -> Solutions:
        """Verified solutions."""
        return Solutions(self.store)

    @cached_property
    def store(self) -> DiskStore:
        """The store in the cache's folder; StoreError where it can't be used."""
        return open_store(str(self.folder))

    @cached_property
    def sandbox(self) -> Sandbox:
        """Where candidates run."""
        return self._open_sandbox()

    @cached_property
    def oracle(self) -> Sandbox:
        """Where expected values are evaluated: never the candidates' own sandbox."""
        return self._open_sandbox()

    @cached_property
    def packages(self) -> Packages:
        """The third-party packages that code may import, installed; InputError where one can't be had."""
        from tdgen.sandbox.packages import install

        return install(self.settings.allow, self.settings.python, self.folder)

    @cached_property
    def executor(self) -> Executor:
        """Threads for work that can be done at once."""
        if self._given_executor is not None:
            return self._given_executor
        from concurrent.futures import ThreadPoolExecutor

        pool = ThreadPoolExecutor(self.settings.concurrency, thread_name_prefix="tdgen")
        self._closers.append(partial(pool.shutdown, wait=False, cancel_futures=True))
        return pool

    def journal(self, key: str) -> Journal:
        """The journal of the run for `key`."""
        return Journal.open(self.folder, key)

    def check(self) -> None:
        """Before any work: ModelError where nobody could answer, InputError where a setting asks too much."""
        from tdgen.models import check_configured

        check_settings(self.settings)
        if self._model is None and not self.settings.script:
            check_configured(self.settings)

    def tools(self, journal: Journal, ledger: Ledger, emit: Emit) -> Tools:
        """All that the pipeline works with."""
        from tdgen.pipeline import Tools

        return Tools(
            model=self._wrapped(journal, ledger, emit),
            sandbox=self.sandbox,
            oracle=self.oracle,
            kept=Functions(self.store),
            purse=ledger,
            executor=self.executor,
            emit=emit,
            settings=self.settings,
            python=self.python,
            packages=self.packages.imports,
        )

    def steps(self) -> tuple[Step, ...]:
        """The pipeline's steps with those that installed packages add under the entry point group `tdgen.steps`."""
        from importlib.metadata import entry_points

        from tdgen.pipeline import STEPS, with_added

        return with_added(STEPS, [found.load() for found in entry_points(group=STEPS_GROUP)])

    def close(self) -> None:
        """End what runs and close what is open. Closing twice is allowed."""
        for close in self._closers:
            close()
        self._closers.clear()
        for name in ("sandbox", "oracle", "executor"):
            self.__dict__.pop(name, None)
        store = self.__dict__.pop("store", None)
        self.__dict__.pop("solutions", None)
        if store is not None:
            store.close()

    def _open_sandbox(self) -> Sandbox:
        from tdgen.sandbox import open_sandbox

        packages = self.packages.folder or None
        sandbox = open_sandbox(self.settings.sandbox, self.settings.python, packages_dir=packages)
        self._closers.append(sandbox.close)
        return sandbox

    def _wrapped(self, journal: Journal, ledger: Ledger, emit: Emit) -> Model:
        """The model in its wrappers, from the inside out; see `tdgen.models`."""
        from tdgen import models
        from tdgen.events import Noted

        settings, remaining = self.settings, ledger.remaining_seconds
        inner = self._model
        if inner is None and settings.script:
            inner = models.ScriptedModel.load(settings.script)
        elif inner is None:
            on_text = models.writing_announced(emit)
            inner = models.OpenAIModel(settings, on_text=on_text, remaining=remaining)
        model: Model = models.ThrottledModel(inner, models.Throttle(settings.rpm, settings.concurrency))
        model = models.BudgetedModel(model, ledger)
        model = models.RetryingModel(
            model, settings.retries, remaining=remaining, note=lambda text: emit(Noted(text=text))
        )
        model = models.ResumingModel(model, journal, identity=repr(settings.identity()["models"]))
        if settings.transcript:
            model = models.TranscribedModel(model, settings.transcript, [settings.api_key.get_secret_value()])
        return models.AnnouncingModel(model, emit)


def check_settings(settings: Settings) -> None:
    """InputError where the settings ask for what can't be had: before any work, not in the middle of it."""
    from tdgen.sandbox.packages import requirements

    if settings.python and int(settings.python.partition(".")[2]) < 9:
        raise InputError(f"Python {settings.python} is too old: 3.9 is the oldest that generated code can be run on")
    requirements(settings.allow)
    if settings.allow_net:
        raise InputError("--allow-net: no sandbox can open single hosts yet; leave it out")
