"""What runs on a worker: the process's generator, opened before the first line and closed with the worker."""

from __future__ import annotations

import asyncio
import gc
import importlib.metadata
import logging
import platform
import re
import signal
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import dask
from distributed import Nanny, Security, WorkerPlugin, rpc

from tdgen import __version__
from tdgen.batch.limits import HERE
from tdgen.client import Generator
from tdgen.errors import InputError, TdgenError, UnreachableError
from tdgen.settings import Settings

CONNECT_S: Final = 10.0
"""How long a scheduler, and the first worker there, may take to answer."""
LAST_PORT: Final = 65_535
START_S: Final = 60.0
"""How long a worker's process may take to start."""


QUIET: Final = {
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.monitor-interval": "1s",
    "distributed.admin.tick.interval": "500ms",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.admin.system-monitor.disk": False,
    "distributed.admin.system-monitor.gil.enabled": False,
}
"""What dask measures of itself, seldom: by its defaults it takes 45 ms of a processor each second, so 13."""
NO_CERTIFICATES: Final = (
    "tls:// needs certificates: name them by DASK_DISTRIBUTED__COMM__TLS__CA_FILE, and each side's own by "
    "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and __KEY, or __WORKER__ for a worker"
)
TOPIC: Final = "tdgen"
"""Under which workers tell what is to be told where the run was begun."""


def check_address(address: str, forms: str = "tcp://host:8786, or tls://host:8786") -> None:
    """InputError for what is no scheduler's address, by the `forms` that one may have there."""
    match = re.fullmatch(r"(?:tcp|tls)://[^\s/]+:(\d{1,5})", address)
    if not match or int(match[1]) > LAST_PORT:
        raise InputError(f"{address!r} is no cluster: write {forms}")


def versions() -> dict[str, str]:
    """What must be alike on all sides: what travels could not be read, or would be for another Python."""
    return {"Python": ".".join(platform.python_version_tuple()[:2]), "tdgen": __version__}


def no_scheduler(address: str, error: Exception) -> TdgenError:
    """What is to be told where dask could not speak with a scheduler at `address`, and failed by that error."""
    if address.startswith("tls:") and isinstance(error, TypeError):  # so it says that it knows of no certificates
        return InputError(NO_CERTIFICATES)
    if isinstance(error, OSError) and "trying to connect" in str(error):
        return UnreachableError(f"no scheduler answers at {address}: start one by `dask scheduler`")
    return UnreachableError(
        f"what answers at {address} is no scheduler of distributed {engine()['distributed']}: give the address that "
        "`dask scheduler` prints"
    )


def engine() -> dict[str, str]:
    """What must be alike on all sides, the scheduler's too."""
    return {"distributed": importlib.metadata.version("distributed")}


def difference(who: str, theirs: Mapping[str, str], mine: Mapping[str, str]) -> str:
    """The first thing of which somebody has another version than here; empty where all is alike."""
    for what, version in mine.items():
        if theirs[what] != version:
            return f"{who} has {what} {theirs[what]}, and here is {version}: make them the same"
    return ""


class Opening(WorkerPlugin):  # type: ignore[misc] # distributed is untyped here
    """With these settings a worker opens its sandboxes as it starts; SandboxError where it has none.

    Another run's settings take the place of the last. A worker that comes later with another Python or tdgen ends, and
    that is told: what it solves would be for another Python.
    """

    name: Final = "tdgen"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._versions = versions()

    def setup(self, worker: Any) -> None:
        """Open them."""
        if other := difference(worker.address, versions(), self._versions):
            worker.log_event(TOPIC, f"{other}; it is sent away")
            worker.loop.add_callback(_end, worker, other)
            return
        # A Ctrl-C in a terminal reaches all processes there; whoever drains the batch, or ends the worker, hears it.
        with suppress(ValueError):  # in a thread, where a worker has no process of its own
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        with HERE.generator(self._settings) as generator:
            generator.open()
        gc.freeze()  # as a batch does in its own process

    def teardown(self, worker: Any) -> None:
        """Close them; what is being solved comes to its end first."""
        del worker
        HERE.close()


async def _end(worker: Any, why: str) -> None:
    """End a worker, and tell whoever keeps its process why: that ends too, and starts no other."""
    if worker.nanny:
        with suppress(OSError):
            async with worker.rpc(worker.nanny) as keeper:
                await keeper.send_away(reason=why)
    await worker.close(reason=why)


class Keeper(Nanny):  # type: ignore[misc] # distributed is untyped here
    """Who keeps a worker's process; `sent_away` says why the process was ended for good, if it was."""

    sent_away = ""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.handlers["send_away"] = self.send_away

    async def send_away(self, reason: str) -> None:
        """The worker is about to end, and none is to be started in its place."""
        self.sent_away = reason


def work_for(address: str, threads: int, settings: Settings) -> int:
    """Be a worker of the scheduler at `address` until it ends; a process that dies is started anew.

    InputError for what is no address, SandboxError where this machine has no sandbox, UnreachableError where no
    scheduler answers, or a run was begun with another Python or tdgen than are here.
    """
    check_address(address)
    with Generator(settings) as generator:
        generator.open()  # to be told now, not when the first run comes
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    asyncio.run(_serve(address, threads))
    return 0


async def _serve(address: str, threads: int) -> None:
    with dask.config.set(QUIET):  # of the processes that are started anew, too
        await _check_scheduler(address)
        nanny = await _started(address, threads)
        try:
            await nanny.finished()
        finally:
            await nanny.close()
    if nanny.sent_away:
        raise UnreachableError(f"the run at {address} can't use this worker: {nanny.sent_away}")


async def _check_scheduler(address: str) -> None:
    """UnreachableError unless a scheduler of this version answers there.

    InputError where TLS is asked for, and nobody said by which certificates.
    """
    try:
        async with rpc(
            address, timeout=CONNECT_S, connection_args=Security().get_connection_args("worker")
        ) as scheduler:
            theirs = await asyncio.wait_for(scheduler.versions(), 2 * CONNECT_S)
            packages = theirs["packages"]
    except Exception as error:  # noqa: BLE001 - what is no scheduler, or of another version, may fail anywhere
        raise no_scheduler(address, error) from None
    if other := difference("the scheduler", packages, engine()):
        raise UnreachableError(other)


async def _started(address: str, threads: int) -> Keeper:
    """Who keeps the worker's process; UnreachableError where it does not start."""
    with dask.config.set({"distributed.comm.timeouts.connect": CONNECT_S}):
        try:
            keeper: Keeper = await Keeper(
                address, nthreads=threads, silence_logs=logging.CRITICAL, death_timeout=START_S
            )
            return keeper
        except Exception as error:  # noqa: BLE001 - a process that dies as it starts fails in many ways
            raise UnreachableError(f"the worker's process did not start ({type(error).__name__})") from None
