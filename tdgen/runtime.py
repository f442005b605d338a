"""The only module that picks concrete tools from the settings: which model, which sandboxes, which store.

A `Runtime` lives as long as its owner: its sandboxes stay warm and its store open between solves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from shutil import which
from threading import RLock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tdgen import extensions
from tdgen.cache import DiskStore, Functions, Journal, Solutions, cache_folder, open_store
from tdgen.errors import InputError
from tdgen.events import Noted
from tdgen.language import Language, Surroundings
from tdgen.protocols import Emit, Model, Sandbox, Store
from tdgen.sandboxes import Wants, open_sandbox
from tdgen.settings import Settings
from tdgen.types import Limits, digest

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tdgen.cache.team import TeamStore
    from tdgen.models import Ledger, Prices, Throttle
    from tdgen.models.endpoint import Endpoint
    from tdgen.pipeline import Step, Tools
    from tdgen.sandbox.interpreter import Mounted
    from tdgen.sandbox.packages import Packages, Target
    from tdgen.sandbox.server import Opened

SHARED = (
    *("sandbox", "docker_runtime", "python", "language", "allow", "allow_run", "allow_loopback"),
    *("cache_dir", "store", "store_key", "store_read_only", "rpm", "concurrency"),
)
"""The settings that a workplace's shared tools are made from: one instruction can't have others."""

T = TypeVar("T")


class _once(Generic[T]):  # noqa: N801 - a decorator
    """A tool that is made when it is first needed: once, also where several threads need it at the same time.

    `functools.cached_property` has no lock from Python 3.12 on: each thread would make a sandbox, and one be closed.
    """

    def __init__(self, make: Callable[[Runtime], T]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type[Runtime], name: str) -> None:
        self._name = name

    def __get__(self, runtime: Runtime, owner: type[Runtime]) -> T:
        with runtime.locks.setdefault(self._name, RLock()):
            kept = vars(runtime)
            if self._name not in kept:
                kept[self._name] = self._make(runtime)
            value: T = kept[self._name]
            return value


class Runtime:
    """The concrete tools that some settings ask for, each made when it is first needed."""

    def __init__(
        self,
        settings: Settings,
        model: Model | None = None,
        executor: Executor | None = None,
        mounted: Mounted | None = None,
    ) -> None:
        """`model` and `executor`, where given, are used in place of those that the settings would pick.

        `mounted` is the project in which all code runs, with its environment's Python unless the settings name one.
        """
        self.settings = settings
        self._mounted = mounted
        self._model = model
        self._given_executor = executor
        self._packages: Packages | None = None
        self._emit: Emit = lambda event: None
        self._closers: list[Callable[[], None]] = []
        self._endpoints: dict[str, Endpoint] = {}
        self.locks: dict[str, RLock] = {}  # for each tool that is made once

    @property
    def python(self) -> str:
        """The version of Python that code is written for, such as `3.12`."""
        if not self.settings.python and self._mounted and self._mounted.python:
            from tdgen.sandbox.interpreter import find

            return find(self._mounted.python).target[1]
        return self.settings.python or f"{sys.version_info.major}.{sys.version_info.minor}"

    @property
    def judged_by(self) -> str:
        """What runs code, as keys of what is kept have it: that Python, and the programs of another language."""
        others = self.language.judged_by if self.settings.language else ()  # Python's needs not be loaded for it
        return ", ".join([self.python, *others])

    @property
    def has_project(self) -> bool:
        """Whether the sandboxes show a project."""
        return self._mounted is not None

    @property
    def folder(self) -> Path:
        """The cache's folder."""
        return cache_folder(self.settings.cache_dir)

    @_once
    def solutions(self) -> Solutions:
        """Verified solutions, of this machine."""
        return Solutions(self.local_store)

    @_once
    def local_store(self) -> DiskStore:
        """The store in the cache's folder; StoreError where it can't be used."""
        return open_store(str(self.folder))

    @_once
    def shared_store(self) -> TeamStore | None:
        """That store with the team's behind it, where the settings name one; InputError where they name none well."""
        settings = self.settings
        address, key = settings.store.get_secret_value(), settings.store_key.get_secret_value()
        if not address:
            return None
        points, scheme = extensions.registered(extensions.STORES), address.partition(":")[0].lower()
        if scheme not in points:  # the address is not quoted: it may hold a password
            known = ", ".join(f"{name}://" for name in points)
            raise InputError(f"this is no address of a store: one begins with {known} (TDGEN_STORE)")
        open_team_store = extensions.load(points[scheme])
        store: TeamStore = open_team_store(address, key, self.local_store, read_only=settings.store_read_only)
        return store

    @property
    def store(self) -> Store:
        """Where functions and answers are kept, and keys are held alone."""
        return self.shared_store or self.local_store

    @_once
    def sandbox(self) -> Sandbox:
        """Where candidates run, with what the user opened for them."""
        return self.sandbox_of(self.language)

    def sandbox_of(self, language: Language) -> Sandbox:
        """A sandbox in which code of that language can be run."""
        from tdgen.sandbox import server

        if language.programs and self.settings.sandbox == "unsafe":
            raise InputError(f"code in {language.name} runs in the local sandbox alone: leave --sandbox unsafe out")
        reach = server.Opened.to_run(language, self.limits(self.settings, language))
        return language.keeping(self._open_sandbox(reach, programs=(*self.settings.allow_run, *reach.programs)))

    @_once
    def language(self) -> Language:
        """The language that code is written in; InputError where it can't be."""
        return self.language_of(self.settings.language)

    def language_of(self, name: str, settings: Settings | None = None) -> Language:
        """The language of that name, Python where it is empty; InputError where code in it can't be run."""
        points, name = extensions.registered(extensions.LANGUAGES), name or "python"
        if name not in points:
            raise InputError(f"there is no language {name!r}: it is {', '.join(points)}")
        settings = settings or self.settings
        allowed, forbidden = frozenset(settings.allow), frozenset(settings.forbid)
        given = Surroundings(self.folder, self.python, allowed, forbidden)
        language: Language = extensions.load(points[name])(given)
        missing = [
            program for program in language.programs if which(program, path="/usr/local/bin:/usr/bin:/bin") is None
        ]
        if missing:
            raise InputError(f"code in {language.name} needs {missing[0]}, which is not here: {language.advice}")
        return language

    @_once
    def oracle(self) -> Sandbox:
        """Where expected values are evaluated: never the candidates' own sandbox, and no program is opened in it."""
        from tdgen.sandbox.server import NOTHING

        return self._open_sandbox(NOTHING)

    @property
    def packages(self) -> Packages:
        """The third-party packages that code may import, installed for the sandbox that there is to be.

        InputError where one can't be had, SandboxError where there is no sandbox.
        """
        from tdgen.sandbox.packages import standard

        if self._packages is None:
            _ = self.sandbox  # asks for its packages
        return self._packages or standard(self.settings.allow)

    @_once
    def executor(self) -> Executor:
        """Threads for work that can be done at once."""
        if self._given_executor is not None:
            return self._given_executor
        from concurrent.futures import ThreadPoolExecutor

        pool = ThreadPoolExecutor(self.settings.concurrency, thread_name_prefix="tdgen")
        self._closers.append(partial(pool.shutdown, wait=False, cancel_futures=True))
        return pool

    def journal(self, key: str, instruction: str = "") -> Journal:
        """The journal of the run for `key`; a listing shows the instruction."""
        shared = self.shared_store
        return Journal.open(self.folder, key, instruction, shared=shared.team.answers(key) if shared else None)

    def check(self, settings: Settings | None = None) -> None:
        """Before any work: ModelError where nobody could answer, InputError where a setting asks too much."""
        from tdgen.models import check_priced

        settings = settings or self.settings
        check_settings(settings)
        if self._model is None:
            self._endpoint(settings).check(settings)
        if not settings.script:
            check_priced(settings, self._prices)

    def ledger(self, settings: Settings | None = None) -> Ledger:
        """A new account of what one instruction costs; its time begins now."""
        from tdgen.models import Ledger

        return Ledger((settings or self.settings).budget, prices=self._prices)

    def tools(self, journal: Journal, ledger: Ledger, emit: Emit, settings: Settings | None = None) -> Tools:
        """All that the pipeline works with; `settings` are those of one instruction, on this runtime's tools."""
        from tdgen.pipeline import Tools

        self._emit = emit  # whoever's sandbox is the first one hears why it takes long
        settings, language = settings or self.settings, self.language
        if settings.forbid != self.settings.forbid:
            language = self.language_of(settings.language, settings)
        limits = self.limits(settings, language)
        return Tools(
            model=self._wrapped(journal, ledger, emit, settings),
            sandbox=self.sandbox,
            oracle=self.oracle,
            kept=Functions(self.store),
            purse=ledger,
            executor=self.executor,
            emit=emit,
            settings=settings.changed(limits=limits) if limits != settings.limits else settings,
            judged_by=self.judged_by,
            packages=self.packages.imports | language.packages,
            language=language,
        )

    @staticmethod
    def limits(settings: Settings, language: Language) -> Limits:
        """What a run may use: what the settings grant, and what the programs that run it take for themselves."""
        limits = settings.limits
        more_mb, more_s = limits.memory_mb + language.overhead_mb, language.overhead_s
        more = {"memory_mb": more_mb, "wall_s": limits.wall_s + more_s, "start_s": limits.start_s + language.start_s}
        return limits.model_copy(update={**more, "cpu_s": limits.cpu_s + more_s + language.start_s})

    def steps(self) -> tuple[Step, ...]:
        """The pipeline's steps with those that installed packages add under the entry point group `tdgen.steps`."""
        from tdgen.pipeline import STEPS, with_added

        return with_added(STEPS, [extensions.load(point) for point in extensions.registered(extensions.STEPS).values()])

    def close(self) -> None:
        """End what runs and close what is open. Closing twice is allowed."""
        for close in self._closers:
            close()
        self._closers.clear()
        self._endpoints.clear()
        for name in ("sandbox", "oracle", "executor", "solutions"):
            self.__dict__.pop(name, None)
        for name in ("shared_store", "local_store"):
            store = self.__dict__.pop(name, None)
            if store is not None:
                store.close()

    def _supply(self, target: Target) -> str:
        """The folder of the packages that are allowed, for that target."""
        install = extensions.part("packages")
        packages: Packages = install(
            self.settings.allow, target, self.folder, lambda said: self._emit(Noted(text=said))
        )
        self._packages = packages
        return packages.folder

    def _open_sandbox(self, reach: Opened, **more: Any) -> Sandbox:
        """A sandbox with this open, `more` of it and what the settings open."""
        from tdgen.sandbox.packages import requirements

        settings = self.settings
        supply = self._supply if requirements(settings.allow) else None
        reach = reach.model_copy(update={"loopback": settings.allow_loopback, **more})
        wants = Wants(settings.python, supply, settings.docker_runtime, reach, self._mounted)
        sandbox = open_sandbox(settings.sandbox, wants)
        self._closers.append(sandbox.close)
        return sandbox

    @_once
    def _prices(self) -> Prices:
        """What the model costs; unknown where it was handed in."""
        from tdgen.models import unpriced

        return self._endpoint(self.settings).prices(self.settings) if self._model is None else unpriced

    def _endpoint(self, settings: Settings) -> Endpoint:
        """Who asks at the settings' address, and what is open there, which all that is solved here shares."""
        from tdgen.models.endpoint import open_endpoint, scheme_of

        scheme = scheme_of(settings)
        with self.locks.setdefault("_endpoints", RLock()):
            if scheme not in self._endpoints:
                self._endpoints[scheme] = open_endpoint(scheme)
                self._closers.append(self._endpoints[scheme].close)
            return self._endpoints[scheme]

    @_once
    def _throttle(self) -> Throttle:
        """The rate limits: `rpm` holds over all hosts that share a store, else over all that is solved here."""
        from tdgen.models import Throttle

        settings, shared = self.settings, self.shared_store
        rpm, book = settings.rpm, None
        if shared and rpm:
            book = partial(shared.team.book, digest(settings.base_url), rpm)
        return Throttle(rpm, settings.concurrency, book=book)

    def _wrapped(self, journal: Journal, ledger: Ledger, emit: Emit, settings: Settings) -> Model:
        """The model in its wrappers, from the inside out; see `tdgen.models`."""
        from tdgen import models

        remaining = ledger.remaining_seconds
        inner = self._model
        if inner is None:
            on_text = models.writing_announced(emit)
            endpoint = self._endpoint(settings)
            inner = endpoint.model(settings, on_text=on_text, remaining=remaining, woken_by=ledger.woken_by)
        turns = self._throttle.within(remaining, sleep=ledger.sleep, woken_by=ledger.woken_by)
        model: Model = models.ThrottledModel(inner, turns)
        model = models.BudgetedModel(model, ledger, emit)
        model = models.RetryingModel(
            model,
            settings.retries,
            remaining=remaining,
            note=lambda text: emit(Noted(text=text)),
            sleep=ledger.sleep,
        )
        identity = repr(settings.identity()["models"])
        model = models.ResumingModel(model, journal, identity, ledger)
        if settings.transcript:
            model = models.TranscribedModel(model, settings.transcript, [settings.api_key.get_secret_value()])
        return models.AnnouncingModel(model, emit)


def check_settings(settings: Settings) -> None:
    """InputError where the settings ask for what can't be had: before any work, not in the middle of it."""
    from tdgen.sandbox.packages import requirements

    if settings.python and int(settings.python.partition(".")[2]) < 9:
        raise InputError(f"Python {settings.python} is too old: 3.9 is the oldest that generated code can be run on")
    requirements(settings.allow)
    if "subprocess" in settings.allow and not settings.allow_run:
        raise InputError("--allow subprocess opens no program to start: name each by --allow-run PROGRAM")
