"""The docker sandbox: the same warm servers in one locked container, replaced where it has ended.

`DockerSandbox` is the sandbox, `build_image` makes what it runs in. The docker SDK is imported where first needed.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from tdgen.errors import SandboxError
from tdgen.sandbox import interpreter
from tdgen.sandbox.docker import image as engine
from tdgen.sandbox.docker.container import OWN_KERNEL, PACKAGES, Container
from tdgen.sandbox.docker.image import IMAGE, PYTEST, build_image
from tdgen.sandbox.docker.server import DockerServer
from tdgen.sandbox.interpreter import Interpreter, Mounted
from tdgen.sandbox.observing import LAYERS
from tdgen.sandbox.packages import Supply
from tdgen.sandbox.server import NOTHING, Kind, Opened, Plan, ServerLost
from tdgen.sandbox.warm import WarmSandbox
from tdgen.types import Layer

__all__ = ["IMAGE", "DockerSandbox", "build_image"]


class Containers:
    """One container at a time, which `make` starts with a client of docker. Safe to use from several threads."""

    def __init__(self, client: Any, make: Callable[[Any], Container]) -> None:
        self._client, self._make = client, make
        self._lock = threading.Lock()
        self._current: Container | None = None
        self._closed = False
        self.last_death = ""

    def current(self) -> Container:
        """The one that runs. SandboxError where none can be started, or after `close`."""
        with self._lock:
            if self._closed:
                raise SandboxError("the sandbox was closed: open another one")
            if self._current is None:
                self._current = self._make(self._client)
            return self._current

    def start(self, plan: Plan) -> DockerServer:
        """A server for `plan`, in the container that the plan was made for. ServerLost where that has ended."""
        container = self.current()
        if container.id != plan.place:
            raise ServerLost("another container runs by now")
        return DockerServer(container, plan)

    def forget_if_ended(self) -> None:
        """Have the next job start a new one where the current one has ended; `last_death` then tells how."""
        with self._lock:
            if self._current is not None and self._current.has_ended():
                self.last_death = self._current.death()
                self._current.end()
                self._current = None

    def close(self) -> None:
        """Kill the container and hang up on docker. Closing twice is allowed."""
        with self._lock:
            self._closed = True
            if self._current is not None:
                self._current.end()
                self._current = None
            self._client.close()


_SCRATCH_MB = 64  # of memory for each server; a judgement
_MOST_PROCESSORS, _MB_EACH = 8, 1024
_GVISOR = "runsc"


class DockerSandbox(WarmSandbox):
    """Runs jobs in confined children of warm servers, all in one container that lives as long as this object.

    The container has no network, a read-only root with nothing of this machine in it, no capability and no way to
    gain one, users that nothing else has, a scratch folder in memory for each server, and limits on memory, processes
    and processors for all of it together. In it, each run is confined once more, as in the local sandbox: by Landlock,
    a filter of system calls and limits of its own. `layers` tells which of the means are in force.

    What the user opens is there as in the local sandbox. Programs are those of the image. The loopback is the
    container's, so that runs on it take turns.

    It does not protect against a flaw in the kernel, which containers share with their host (a runtime with a kernel
    of its own, such as gVisor's runsc, does; that one has no Landlock, so that there the image's own files can be
    listed and read, and what /proc tells of the container's first process), against the docker daemon itself, which
    runs as root, against what can be learnt by timing. `run_files` runs tests and candidate in one
    process, which a candidate can forge: use it to take a green away, never to grant one.
    """

    kind: ClassVar[str] = "docker"
    layer_names: ClassVar[tuple[str, ...]] = (*LAYERS, "read-only root", "cgroup limits", OWN_KERNEL)

    def __init__(
        self,
        python: str = "",
        *,
        image: str = IMAGE,
        runtime: str = "",
        memory_mb: int = 0,
        without: tuple[str, ...] = (),
        packages: Supply | None = None,
        opened: Opened = NOTHING,
        mounted: Mounted | None = None,
    ) -> None:
        """`python` is the version that the image's must be, such as `3.12` (empty: any).

        `runtime` is docker's name for one (such as runsc), `memory_mb` bounds the container (0: 1 GiB a processor),
        `packages` tells the folder of packages that candidates may import, for the image's Python, `opened` is what
        they may reach, `mounted` the project that they run in, `without` leaves a child's own layers out. The container
        starts with the first run. SandboxError where no daemon answers, it knows no such runtime, or `python` is no
        version; InputError where the project can't be shown.
        """
        if mounted:
            mounted.check()
        if python and not python[0].isdigit():
            raise SandboxError(
                f"the docker sandbox has the Python of its image: name a version such as 3.12, not {python}"
            )
        self._python, self.opened, self.mounted = python, opened, mounted
        self._wanted = tuple(layer for layer in LAYERS if layer not in without)
        client, daemon, folder = _reached(image, runtime, packages)
        self._packages = (PACKAGES,) if folder else ()
        self.runtime, self.runtimes = runtime or daemon.runtime, daemon.runtimes
        processors = min(daemon.processors, _MOST_PROCESSORS)
        make = partial(
            Container,
            image=image,
            processors=processors,
            memory_mb=memory_mb or _MB_EACH * processors,
            scratch_mb=_SCRATCH_MB,
            runtime=runtime,
            packages=str(Path(folder).absolute()) if folder else "",
            kernel=daemon.kernel,
            shown=mounted.shown if mounted else (),
            private=mounted.private if mounted else (),
        )
        self._containers = Containers(client, make)
        at_once = 1 if opened.loopback else processors  # all servers share the container's loopback
        super().__init__(at_once, self._containers.start)
        weakref.finalize(self, self._containers.close)

    @property
    def container_id(self) -> str:
        """Docker's id of the container that runs now, which is started where there is none."""
        return self._containers.current().id

    def layers(self) -> tuple[Layer, ...]:
        """What is enforced here, found by trying; at the kernel, which runtime it comes by."""
        return tuple(
            layer.model_copy(update={"detail": kernel_detail(layer.detail, self.runtime, self.runtimes)})
            if layer.name == OWN_KERNEL
            else layer
            for layer in super().layers()
        )

    def close(self) -> None:
        """Kill the container, and with it all that runs there. Closing twice is allowed."""
        super().close()
        self._containers.close()

    def _after_loss(self) -> None:
        self._containers.forget_if_ended()

    def _death(self) -> str:
        how = self._containers.last_death
        if not how:
            return super()._death()
        return (
            f"the sandbox's container ended twice on one run, {how}: give it more memory, or look at docker's own log"
        )

    def _plan(self, kind: Kind, hash_seed: int) -> Plan:
        """What a server of that kind is started with, in the container that runs now."""
        container = self._containers.current()
        self._check(container.interpreter)
        brings = kind == "project" and self.mounted and self.mounted.brings("pytest")
        pytest = () if kind == "probes" or brings else (PYTEST,)
        return Plan(
            kind=kind,
            interpreter=container.interpreter,
            wanted=self._wanted,
            packages=self._packages,
            visible=pytest,
            loading=pytest,
            hash_seed=hash_seed,
            scratch_mb=_SCRATCH_MB,
            place=container.id,
            opened=self.opened,
            mounted=self.mounted,
        )

    def _check(self, image_python: Interpreter) -> None:
        """The image's Python must be new enough, and the one that was asked for."""
        if image_python.version < interpreter.OLDEST:
            raise SandboxError(
                f"the image's {image_python.name} is too old: `tdgen sandbox build --base python:3.12-slim`"
            )
        wanted = self._python.split(".") if self._python else []
        if wanted != [str(part) for part in image_python.version][: len(wanted)]:
            base = f"python:{self._python}-slim"
            raise SandboxError(
                f"the image has {image_python.name}, not {self._python}: `tdgen sandbox build --base {base}`"
            )


def kernel_detail(kernel: str, runtime: str, runtimes: frozenset[str]) -> str:
    """What was found of the kernel, the runtime in force, and whether gVisor's is there to choose."""
    detail = f"{kernel}, by the runtime {runtime}" if kernel else f"the runtime is {runtime}"
    if runtime == _GVISOR:
        return detail
    is_there = _GVISOR in runtimes
    return f"{detail}; {_GVISOR} is " + (f"there: --docker-runtime {_GVISOR}" if is_there else "not installed")


def _reached(image: str, runtime: str, packages: Supply | None) -> tuple[Any, engine.Daemon, str]:
    """A client, its daemon, and the folder of the packages for the image's Python: empty where none are wanted."""
    client = engine.connect()
    try:
        daemon = engine.daemon(client)
        daemon.check_runtime(runtime)
        return client, daemon, packages(engine.target(client, image, runtime)) if packages else ""
    except BaseException:
        client.close()
        raise
