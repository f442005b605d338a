"""A cluster as an executor, and what must be so before any line is sent there.

dask's scheduler gives the lines of a worker that died to others. A line in whose work three workers died is set aside:
whether it was its fault or not, it is told, and the same command tries it again. Where the scheduler itself is
restarted, what it had forgotten is sent to it once more.
"""

from __future__ import annotations

import logging
import re
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, wait
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, Final, TypeVar

import dask
from distributed import Client, LocalCluster
from distributed.scheduler import KilledWorker
from distributed.utils import get_mp_context

from tdgen.cluster.worker import (
    CONNECT_S,
    QUIET,
    TOPIC,
    Opening,
    check_address,
    difference,
    engine,
    no_scheduler,
    versions,
)
from tdgen.errors import InputError, TdgenError, UnreachableError
from tdgen.settings import Settings

DEATHS: Final = 3
"""In so many workers' deaths a line may be at work before it is set aside."""
SENT_AGAIN: Final = 3
"""How often a line that the scheduler forgot is sent to it again."""
MOST_WORKERS: Final = 256
OPEN_S: Final = 120.0
"""How long workers may take to open their sandboxes: a container's image may have to be fetched."""

READY_TRIES: Final = 5
"""How often workers are opened as one of them dies meanwhile."""
LOADED: Final = ("tdgen.cluster.worker", "tdgen.pipeline", "openai")
"""What one process loads that all of this machine's workers are forked from: by themselves each takes twice the time.
That process has the environment of when the first cluster was opened."""
LOCAL: Final = {
    "distributed.scheduler.allowed-failures": DEATHS - 1,
    "distributed.worker.multiprocessing-method": "forkserver",
}
LOOK_S: Final = 1.0
GONE_S: Final = 5.0
"""How long there may be no worker before that is told: one that died is started anew within that."""

Say = Callable[[str], None]
T = TypeVar("T")


def _silently(line: str) -> None:
    """Nobody is to be told."""


class Cluster(Executor):
    """A dask cluster that solves lines. `threads` is how many it works on at once."""

    def __init__(self, client: Client, address: str) -> None:
        self.address = address
        self._client = client
        self._dask = client.get_executor(pure=False, retries=1)

    @property
    def threads(self) -> int:
        """How many tasks the workers take at once."""
        return sum(self._client.nthreads().values())

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a worker call `fn`; the future's exception is UnreachableError where no worker came to its end."""
        wanted: Future[Any] = Future()
        wanted.set_running_or_notify_cancel()
        self._send(wanted, lambda: self._dask.submit(fn, *args, **kwargs), SENT_AGAIN)
        return wanted

    def _send(self, wanted: Future[Any], send: Callable[[], Future[Any]], again: int) -> None:
        def settle(done: Future[Any]) -> None:
            if done.cancelled() and again and self._client.status in ("running", "connecting"):
                self._send(wanted, send, again - 1)
            elif done.cancelled():
                wanted.set_exception(UnreachableError(f"the scheduler at {self.address} was lost: start it again"))
            elif isinstance(error := done.exception(), KilledWorker):
                why = f"{error.allowed_failures + 1} workers died while they were at work on it (too little memory?)"
                wanted.set_exception(UnreachableError(f"set aside: {why}; the same command tries it again"))
            elif error is not None:
                wanted.set_exception(error)
            else:
                wanted.set_result(done.result())

        send().add_done_callback(settle)


@contextmanager
def connected(where: str, settings: Settings, threads: int, say: Say = _silently) -> Iterator[Cluster]:
    """The cluster at `tcp://host:port`, or one of so many processes on this machine, as `local:4`.

    A local one works on `threads` lines at once. `say` is told in a line of workers that are all gone, and of those
    that come and can't do the work. InputError for what is no such address, and for a rate that could not
    hold; UnreachableError where there is no scheduler, or workers that can't do the work.
    """
    if settings.rpm and not settings.store.get_secret_value():
        raise InputError("--rpm holds over a cluster by the team's store: set TDGEN_STORE, or leave --rpm out")
    # Its loggers tell of each worker that goes and comes; what ends a line is told with the line.
    for name in ("distributed", "distributed.client"):  # the second has a level of its own
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as opened, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        address = where
        if match := re.fullmatch(r"local:([1-9]\d{0,3})", where):
            address = opened.enter_context(_local(min(int(match[1]), MOST_WORKERS), threads))
        else:
            check_address(where, "tcp://host:8786, tls://host:8786, or local:4")
        client = opened.enter_context(_client(address))
        _make_ready(client, address, settings)
        client.subscribe_topic(TOPIC, lambda event: say(str(event[1])))
        opened.enter_context(_watched(client, address, say))
        try:
            yield Cluster(client, address)
        finally:
            # No worker that comes later has these settings, which hold keys.
            with suppress(Exception):
                _within(CONNECT_S, lambda: client.unregister_worker_plugin(Opening.name))


@contextmanager
def _watched(client: Client, address: str, say: Say) -> Iterator[None]:
    """Say where no worker is left, for longer than one takes to be started anew, and when there is one again."""
    ended = threading.Event()

    def watch() -> None:
        left, is_told = time.monotonic(), False
        while not ended.wait(LOOK_S):
            has_workers = True  # of a scheduler that is lost the lines themselves tell
            with suppress(Exception):
                has_workers = bool(client.nthreads())
            if has_workers and is_told:
                say(f"there are workers at {address} again: going on")
            if has_workers:
                left, is_told = time.monotonic(), False
            elif not is_told and time.monotonic() - left > GONE_S:
                is_told = True
                say(f"no worker is left at {address}: lines wait until one comes (`tdgen worker {address}`)")

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        ended.set()


@contextmanager
def _local(processes: int, threads: int) -> Iterator[str]:
    """A cluster on this machine that nobody else reaches; its address."""
    with dask.config.set(QUIET | LOCAL):
        get_mp_context().set_forkserver_preload(list(LOADED))  # anew: dask's own are loaded with these
        cluster = LocalCluster(
            n_workers=processes,
            threads_per_worker=-(-threads // processes),
            processes=True,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        )
        with cluster:
            yield cluster.scheduler_address


def _client(address: str) -> Client:
    """A client of the scheduler; UnreachableError where there is none, or one that can't be spoken with.

    InputError where TLS is asked for, and nobody said by which certificates.
    """
    try:
        return _within(2 * CONNECT_S, lambda: Client(address, timeout=CONNECT_S, set_as_default=False))
    except Exception as error:  # noqa: BLE001 - what is no scheduler, or of another version, may fail anywhere
        raise no_scheduler(address, error) from None


def _within(seconds: float, call: Callable[[], T]) -> T:
    """What the call gives; UnreachableError where it takes longer: dask waits for ever for who is only half there."""
    future: Future[T] = Future()

    def work() -> None:
        try:
            future.set_result(call())
        except BaseException as error:  # noqa: BLE001 - raised by who waits
            future.set_exception(error)

    threading.Thread(target=work, daemon=True).start()
    if not wait([future], seconds).done:
        raise UnreachableError(
            f"a worker of the cluster did not answer within {seconds:g} s: end it, or restart the scheduler"
        )
    return future.result()


def _make_ready(client: Client, address: str, settings: Settings) -> None:
    """Have all workers checked and opened; UnreachableError where one can't do the work, or the scheduler is lost.

    A worker that died a moment ago is still asked by the scheduler: then all are asked again.
    """
    for tried in range(1, READY_TRIES + 1):
        try:
            _within(3 * CONNECT_S, lambda: _check(client, address))
            _within(OPEN_S, lambda: _open(client, settings))
            return
        except OSError:
            if client.status != "running" or tried == READY_TRIES:
                break
            time.sleep(LOOK_S)
    raise UnreachableError(f"the scheduler at {address}, or a worker of it, was lost as the run began: start it again")


def _check(client: Client, address: str) -> None:
    """UnreachableError unless there are workers, all with this Python and this tdgen."""
    # First the scheduler, to which workers of another version may not come at all.
    if other := difference("the scheduler", client.get_versions()["scheduler"]["packages"], engine()):
        raise UnreachableError(other)
    try:
        client.wait_for_workers(1, timeout=CONNECT_S)
    except TimeoutError:
        raise UnreachableError(f"the scheduler at {address} has no workers: `tdgen worker {address}`") from None
    try:
        workers = client.run(versions)
    except ModuleNotFoundError:
        raise UnreachableError(f"a worker of {address} has no tdgen: start it by `tdgen worker {address}`") from None
    for who, there in workers.items():
        if other := difference(who, there, versions()):
            raise UnreachableError(other)


def _open(client: Client, settings: Settings) -> None:
    """Have each worker, and each that comes later, open its sandboxes now and close them with itself.

    InputError where they can't be opened for what the settings say, else UnreachableError.
    """
    try:
        client.register_plugin(Opening(settings))
    except TdgenError as error:
        kind = InputError if isinstance(error, InputError) else UnreachableError
        raise kind(f"a worker can't do the work: {error}") from None
