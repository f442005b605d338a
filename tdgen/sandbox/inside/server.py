"""The warm server's beginning: namespaces, what children run, an unprivileged user in a root of its own.

Where there is a pid namespace the server is its first process, which nothing inside can signal, and with which all
that runs there ends. One child runs at a time.

Packets from the host: first what a plan's `config` has; then {"kill": n}.
Packets to the host: one of {"ready": …} or {"broken": "why"}; then for each child {"run": n, "pid": …} with the
descriptors of the socket where its request is handed in, of the pipe that its probes go in by and of the one that its
answers come from (or with "broken": "why"), and when it has ended {"run": n, "status": …} with what it used, and
whether it had "began" (or why it is "broken").
Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tdgen.sandbox.inside import arrays, commands, identity, kernel, loading, messages, scratch
from tdgen.sandbox.inside.confine import Confinement
from tdgen.sandbox.inside.forker import Forker
from tdgen.sandbox.inside.loading import Serve
from tdgen.sandbox.inside.project import Project, forget

Program = Callable[[dict[str, Any]], Serve]
"""What a server of that configuration runs. RuntimeError, or another, where it can't be had."""

_NOT_ENDED = 70


def load(config: dict[str, Any]) -> Serve:
    """What a server of that configuration runs, loaded by itself."""
    kind = config["kind"]
    return loading.load([kind], config["loading"], Path(config["base"]))[kind]


def main(link_fd: int, program: Program = load) -> None:
    """Serve the host at the other end of `link_fd` until it goes away."""
    link = lowest(link_fd)
    config, _ = messages.receive_packet(link)
    try:
        programs = commands.find(config["programs"])
        visible = (*config["visible"], *programs)
        confinement = Confinement(
            tuple(config["wanted"]),
            config["base"],
            visible,
            config["scratch_mb"],
            programs,
            loopback=config["loopback"],
            compiles=config["compiles"],
            kept=config["kept"],
            browses=config["browses"],
            listed=tuple(config["listed"]),
            shares=config.get("contained", False),
            copies=bool(config["project"]) and config["kind"] == "probes",
        )
        if confinement.enter_namespaces():
            _stay_outside(link, Path(config["base"]))
        serve = program(config)
        sys.path.extend(config["packages"])  # after what the server itself needs: none takes the place of that
        confinement.enter_server()
        if config["project"]:
            _require_readable(config["project"]["root"])
        elif config["packages"] and confinement.is_apart:  # in a project those of its environment may come first
            confinement.loaded_mb = arrays.import_for_children()
        if confinement.wanted:
            identity.dying_with_parent()()
    except Exception as error:  # noqa: BLE001 - whatever it is, the host says it in its own words
        messages.send_packet(link, {"broken": f"{type(error).__name__}: {error}"})
        return
    if confinement.copies:
        with contextlib.suppress(OSError):  # what a child leaves is waited for: it counts among processes till then
            kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    forget(["tdgen"])  # the sandbox's own modules are out of reach of an import
    messages.send_packet(link, {"ready": confinement.enforced})
    project = config["project"] and Project(**config["project"])
    forker = Forker(link, confinement, config.get("marker", config["base"]), project, config["warming"])
    try:
        serve(forker)
    finally:
        if forker.is_child:
            os._exit(_NOT_ENDED)  # without any clean-up that a candidate could have a hand in


def lowest(link_fd: int) -> socket.socket:
    """The host's link under the lowest number that is free.

    The host hands it over under the number that it has there, which may be any: a child closes what it inherits only
    as far as descriptors go here.
    """
    lowest = os.dup(link_fd)
    os.close(link_fd)
    return socket.socket(fileno=lowest)


def _stay_outside(link: socket.socket, base: Path) -> None:
    """Fork: the child goes on as its pid namespace's first process, this process waits for it and tidies up."""
    pid = os.fork()
    if pid:
        link.close()
        os.waitpid(pid, 0)
        scratch.remove(base)
        os._exit(0)


def _require_readable(root: str) -> None:
    """The user that the server became must be able to read the project: modules are imported late."""
    if not os.access(root, os.R_OK | os.X_OK):
        raise PermissionError(f"{root} can't be read by the sandbox's user: let others read it (chmod o+rX)")
