"""All layers of confinement: what the server sets up once, and what each child applies before it runs anything.

A layer that is wanted and can't be had is left out and not reported; whether what is left is enough is decided outside.
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import os
import resource
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from tdgen.sandbox.inside import commands, identity, kernel, landlock, mounts, scratch, seccomp

_MIB = 1024 * 1024
_SCOPED = 6  # Landlock's ABI from which on it keeps signals within a domain
_OPEN_FILES = 256
_SAME_FOR_ALL = {
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_NOFILE: _OPEN_FILES,
    resource.RLIMIT_MEMLOCK: 0,
    resource.RLIMIT_MSGQUEUE: 0,
}
_NOT_EVERYWHERE = (resource.RLIMIT_CORE, resource.RLIMIT_MSGQUEUE, resource.RLIMIT_NPROC)
_BROWSING_PROCESSES = 320  # threads of a browser: of one at work and of those that wait
_OWN_PROCESSES = 5  # the server's own, and one that is copied for each probe: they count for the same user


class Confinement:
    """One server's layers: `enforced` has those that only the server itself can know of; a probe finds the others.

    `wanted` names the layers to try, `base` is an empty folder of the server's own, `visible` are the paths that an
    interpreter needs to read, `scratch_mb` the room in the scratch folder where there is a mount namespace, `programs`
    those that may be started. With `loopback` a run may use the loopback of a network of its own, or where it `shares`
    one, of its container's. What `compiles` may start what it wrote to the scratch folder, sees the processes of its
    own pid namespace in /proc, and has no bound of addresses, as sanitizers reserve terabytes of them: what it makes is
    bounded by who runs it. Programs that lie in `kept`, a folder outside, it may start where they are shown, at
    mounts.KEPT, and neither list nor write there. What `browses` sees these too, may share memory among its parts and
    have a socket that nobody can call; it reserves addresses for terabytes, so what is bounded is the memory that it
    holds. With `copies` a child may fork itself for each probe, as long as processes can be counted. The names in the
    folders `listed` are no secret, whatever of them is visible. `loaded_mb` of addresses were taken by the server for
    packages: a child has them too, beside its own.
    """

    def __init__(
        self,
        wanted: tuple[str, ...],
        base: str,
        visible: tuple[str, ...],
        scratch_mb: int,
        programs: tuple[str, ...] = (),
        *,
        loopback: bool = False,
        listed: tuple[str, ...] = (),
        shares: bool = False,
        copies: bool = False,
        compiles: bool = False,
        kept: str = "",
        browses: bool = False,
    ) -> None:
        self.programs, self.loopback, self._shares, self.copies = programs, loopback, shares, copies
        self.compiles, self.browses, self._kept = compiles, browses, kept
        self.wanted, self._base, self._visible, self._scratch_mb = wanted, base, visible, scratch_mb
        self._listed, self.loaded_mb = listed, 0
        self.enforced: dict[str, str] = {}
        self.scratch = Path(base)
        self._pid = os.getpid()
        self._rooted = False
        self.abi = 0
        self._ruleset: int | None = None
        self._steps: list[Callable[[], Any]] = []
        self._filter: seccomp.Filter | None = None
        self._outer: seccomp.Filter | None = None
        self.counts_alone = shares  # whether no process but the server's own counts for its user

    def enter_namespaces(self) -> bool:
        """Enter all namespaces but that for mounts; whether the next child is the first of its pid namespace."""
        if os.geteuid() != 0 and "user namespace" in self.wanted and identity.user_namespace_works(self._base):
            identity.enter_user_namespace()
            self.enforced["user namespace"] = f"uid {os.getuid()} mapped to itself"
        spaces = tuple(name for name in self.wanted if name in identity.NAMESPACES and name != "mount namespace")
        self.enforced.update(dict.fromkeys(identity.enter_namespaces(spaces), ""))
        return "pid namespace" in self.enforced

    def enter_server(self) -> None:
        """Change root and user, drop all privileges, and prepare the layers that each child applies."""
        uid, gid = os.getuid(), os.getgid()
        if "unprivileged user" in self.wanted:
            uid, gid = identity.unprivileged_ids(self._pid)
        if "mount namespace" in self.wanted:
            with contextlib.suppress(OSError):
                self._change_root(uid, gid)
        if not self._rooted and os.geteuid() == 0:
            os.chown(self._base, uid, gid)
        if "unprivileged user" in self.wanted:
            identity.become(uid, gid)
        if "capabilities" in self.wanted:
            identity.drop_capabilities()
            if identity.capabilities() == 0:
                self.enforced["capabilities"] = "none"
        _require_library()
        if "no_new_privs" in self.wanted:
            kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
        if self.wanted:
            kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
        self.counts_alone |= "user namespace" in self.enforced or os.getuid() > identity.NOBODY
        if self.programs and self.wanted and not self.counts_alone:
            raise RuntimeError("processes can't be counted for this user alone, so no program can be opened")
        self.copies &= self.counts_alone
        self._prepare()

    def leave(self) -> None:
        """Remove what runs wrote, unless it vanishes with the mount namespace."""
        if not self._rooted:
            scratch.remove(self.scratch)

    def _change_root(self, uid: int, gid: int) -> None:
        """The mount namespace, with the interpreter and a scratch folder in it and nothing else."""
        identity.enter_namespaces(("mount namespace",))
        if (self.compiles or self.browses) and "pid namespace" not in self.enforced:
            raise RuntimeError("such code can't be run here: this machine grants no pid namespace")
        mounts.enter_new_root(
            self._base,
            self._visible,
            self._scratch_mb,
            (uid, gid),
            compiles=self.compiles,
            kept=self._kept,
            browses=self.browses,
        )
        self.scratch = Path(mounts.SCRATCH)
        self._rooted = True

    def _prepare(self) -> None:
        """Make the Landlock rules and the filter, once for all children, and what a child calls to apply them.

        Limits that are the same for all are the server's own: each child has them by its birth, and can't raise them.
        """
        if "rlimits" in self.wanted:
            for kind, most in _SAME_FOR_ALL.items():
                _limit(kind, most, most)
        if self.wanted:
            self._steps.append(identity.dying_with_parent())
        if "Landlock" in self.wanted:
            with contextlib.suppress(OSError):
                self.abi = landlock.abi()
                programs = (*self.programs, *commands.loaders()) if self.programs else ()
                programs += (mounts.KEPT,) if self._kept and self._rooted else ()
                self._ruleset = landlock.ruleset(
                    self._visible,
                    mounts.DEVICES,
                    str(self.scratch),
                    programs,
                    listed=self._listed,
                    tcp=self.loopback,
                    compiles=self.compiles,
                    browses=self.browses,
                )
                self._steps += [landlock.ready(self._ruleset), partial(os.close, self._ruleset)]
        if "seccomp" in self.wanted:
            with contextlib.suppress(OSError):
                # Where the server is out of reach: pid 1, or not in the child's own domain (since Landlock's ABI 6).
                signals = os.getpid() == 1 or self.abi >= _SCOPED
                make = partial(
                    seccomp.Filter,
                    attributes=self._rooted,
                    processes=bool(self.programs),
                    loopback=self.loopback,
                    browses=self.browses,
                )
                self._filter = make(signals=signals and bool(self.programs))
                self._outer = make(signals=signals, copies=True) if self.copies else self._filter

    @property
    def descriptors(self) -> list[int]:
        """The descriptors that a child needs until it is confined."""
        return [] if self._ruleset is None else [self._ruleset]

    @property
    def is_apart(self) -> bool:
        """Whether what the server runs before a child's own layers finds no files and no network of the machine's."""
        return self._shares or (self._rooted and "network namespace" in self.enforced)

    @property
    def keeps_apart(self) -> bool:
        """Whether what a child starts can neither leave its session nor send a signal to another child's processes."""
        return self._filter is not None and self.abi >= _SCOPED

    @property
    def forbids_processes(self) -> bool:
        """Whether a child can leave nothing running, because it can't start anything."""
        return self._filter is not None and not self.programs and not self.copies

    def enter_child(self) -> None:
        """Confine this process for good, before there is a job. OSError where a prepared layer fails."""
        if self.loopback and not self._shares:
            try:
                identity.enter_own_network()
            except OSError as error:
                said = "--allow-loopback: this machine grants a run no network of its own, so take --sandbox docker"
                raise RuntimeError(f"{said} ({error})") from error
        for step in self._steps:
            step()
        if self._outer is not None:
            self._outer.install(os.getpid())

    def enter_copy(self) -> None:
        """Confine this process, which may be a copy, so that it can't fork."""
        if self.copies:
            if self.wanted:
                identity.dying_with_parent()()
            if self._filter is not None:
                self._filter.install(os.getpid())

    def limit(self, limits: dict[str, Any]) -> None:
        """Put a job's own limits on this process: CPU, memory, size of files, threads."""
        if "rlimits" not in self.wanted:
            return
        cpu = max(1, int(limits["cpu_s"] + 0.999))
        _limit(resource.RLIMIT_CPU, cpu, cpu + 1)
        _limit(resource.RLIMIT_FSIZE, *(limits["file_mb"] * _MIB,) * 2)
        if self.counts_alone:
            own = _OWN_PROCESSES + (_BROWSING_PROCESSES if self.browses else 0)
            _limit(resource.RLIMIT_NPROC, *(limits["processes"] + own,) * 2)
        if not self.compiles:
            kind = resource.RLIMIT_DATA if self.browses else resource.RLIMIT_AS
            _limit(kind, *((limits["memory_mb"] + self.loaded_mb) * _MIB,) * 2)


def _limit(kind: int, soft: int, hard: int) -> None:
    """Set one limit, or a lower one that is set already.

    gVisor's kernel lets nobody set some that it has no use for: it dumps no core and has no message queues. Of
    processes and threads there, the container has a limit.
    """
    ceiling = resource.getrlimit(kind)[1]
    cap = sys.maxsize if ceiling == resource.RLIM_INFINITY else ceiling
    try:
        resource.setrlimit(kind, (min(soft, cap), min(hard, cap)))
    except ValueError:
        if kind not in _NOT_EVERYWHERE:
            raise


def _require_library() -> None:
    """The user that the server became must be able to read the interpreter's library: modules are loaded late too."""
    folder = Path(os.__file__).parent
    if not os.access(folder, os.R_OK | os.X_OK):
        raise PermissionError(
            f"{folder} can't be read by an unprivileged user, and no mount namespace is granted to show it"
        )
