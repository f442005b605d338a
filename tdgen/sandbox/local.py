"""The local sandbox: warm servers on this machine, confined by the Linux kernel's own means."""

from __future__ import annotations

from typing import ClassVar

from tdgen.sandbox import interpreter, layers, pytest_run
from tdgen.sandbox import packages as targets
from tdgen.sandbox.local_server import LocalServer
from tdgen.sandbox.mounted import Mounted
from tdgen.sandbox.packages import Supply
from tdgen.sandbox.server import NOTHING, Kind, Opened, Plan
from tdgen.sandbox.warm import WarmSandbox, processors


class LocalSandbox(WarmSandbox):
    """Runs jobs in confined children of warm servers on this machine (Linux).

    A child can't read or write this machine's files (it sees the interpreter, read-only, and a scratch folder of its
    own), open a socket, start a process, signal or trace another, gain a privilege, or outlive its run; memory, CPU
    time, wall time, threads, files and output are bounded. `layers` tells which of the means are in force here.

    What the user opens is there besides. The loopback: each run has a network namespace of its own, in which it may
    open TCP and UDP sockets, and where nothing else is. Programs: they start with the child's own confinement, in its
    session, and end with its run.

    It does not protect against a flaw in the kernel itself (the container kinds with their own kernel do), against
    what can be learnt by timing (processors and caches are shared), nor against slowness: all runs share this
    machine's processors, and memory is bounded for each process, not for all together. Where neither a user
    namespace nor root is granted, files are held by Landlock alone: names and sizes of files can then be asked for, and
    what a run writes is bounded for each file only. Where programs are opened, memory and CPU time are bounded for each
    process, and only their number for all. `run_files` runs tests and candidate in one process, which a candidate can
    forge: use it to take a green away, never to grant one. aarch64 is covered by table and untested.
    """

    kind: ClassVar[str] = "local"
    wanted: ClassVar[tuple[str, ...]] = layers.ALL

    def __init__(
        self,
        python: str = "",
        *,
        without: tuple[str, ...] = (),
        packages: Supply | None = None,
        opened: Opened = NOTHING,
        mounted: Mounted | None = None,
    ) -> None:
        """`python` is a path, a command or a version (empty: the Python that runs this); `without` leaves layers out.

        `packages` tells the folder of packages that candidates may import, `opened` is what they may reach, `mounted`
        the project that they run in. Servers start with the first run. SandboxError where there is no such Python,
        InputError where the project can't be shown.
        """
        if mounted:
            mounted.check()
        self.mounted = mounted
        self.opened = opened if self.wanted else NOTHING  # without a wall there is nothing to open
        self._interpreter = interpreter.find(python)
        self._wanted = tuple(layer for layer in self.wanted if layer not in without)
        folder = packages(targets.here(self._interpreter)) if packages else ""
        self._packages = (folder,) if folder else ()
        super().__init__(processors(), LocalServer)

    def _plan(self, kind: Kind, hash_seed: int) -> Plan:
        """What a server of that kind is started with."""
        home = pytest_run.of(kind, self.mounted)
        return Plan(
            kind=kind,
            interpreter=self._interpreter,
            wanted=self._wanted,
            packages=self._packages,
            visible=home.visible,
            loading=home.loading,
            hash_seed=hash_seed,
            opened=self.opened,
            mounted=self.mounted,
        )


class UnsafeSandbox(LocalSandbox):
    """The same servers without any confinement: candidates may do all that the user may. Never chosen by itself."""

    kind: ClassVar[str] = "unsafe"
    wanted: ClassVar[tuple[str, ...]] = ()
