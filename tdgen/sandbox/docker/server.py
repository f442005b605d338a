"""A server in a container: how its programs get there, and the same server as on this machine in the end.

The inside's programs travel as text over the line to the container, and are removed as soon as they are loaded: nothing
of this machine is mounted, and the daemon may be on another one.
"""

from __future__ import annotations

import contextlib
import json
import struct
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tdgen.errors import SandboxError
from tdgen.sandbox.docker import container_probe, line_messages
from tdgen.sandbox.docker.container import Container
from tdgen.sandbox.inside import scratch
from tdgen.sandbox.inside.messages import Order
from tdgen.sandbox.server import STAND_INS, Answers, Plan, ServerGone, ServerLost

_BOOT = """
import json, os, struct, sys, types
from importlib import import_module

def take(size):
    data = b""
    while len(data) < size:
        piece = os.read(0, size - len(data))
        if not piece:
            sys.exit(1)
        data += piece
    return data

order = json.loads(take(struct.unpack("!I", take(4))[0]))
os.environ.clear()
os.environ.update(order["environment"])
put_in_order(Path(order["folder"]))
sys.dont_write_bytecode = True
for name, text in order["programs"].items():
    path = os.path.join(order["unpacked"], name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
sys.path[:] = [path for path in sys.path if path]
for name, folder in order["stand_ins"].items():
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [os.path.join(order["unpacked"], folder)]
import_module("tdgen.sandbox.docker.broker").main(order["config"], order["unpacked"])
"""
_STAND_INS = STAND_INS | {"tdgen.sandbox.docker": "sandbox/docker"}


@cache
def programs() -> dict[str, str]:
    """The source of everything that may run inside, by its path below the package."""
    root = Path(__file__).parents[2]
    folders = [root / _STAND_INS[name] for name in ("tdgen.sandbox.inside", "tdgen.sandbox.in_project", "tdgen.values")]
    own = [root / "sandbox" / "docker" / name for name in ("broker.py", "container_probe.py", "line_messages.py")]
    paths = [*(path for folder in folders for path in sorted(folder.glob("*.py"))), root / "source" / "names.py", *own]
    return {str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in paths}


def order(plan: Plan, folder: str, config: dict[str, Any]) -> bytes:
    """What the broker reads first: all that it needs, to be unpacked in `folder`."""
    content = {
        "programs": programs(),
        "stand_ins": _STAND_INS,
        "environment": plan.environment(),
        "folder": folder,
        "unpacked": f"{folder}/broker",
        "config": config,
    }
    text = json.dumps(content).encode("ascii")
    return struct.pack("!I", len(text)) + text


_START_S, _GRACE_S = 20.0, 5.0


class DockerServer:
    """One server process in `container`, started by the constructor.

    SandboxError where it can't be set up, ServerLost where the container is gone.
    """

    def __init__(self, container: Container, plan: Plan) -> None:
        self.plan = plan
        self._container = container
        self._slot = container.take_slot()
        self._ended: dict[str, Any] | None = {}
        self._is_waiting = False
        try:
            boot = Path(scratch.__file__).read_text(encoding="utf-8") + _BOOT  # it waits for its order
            command = [plan.interpreter.program, "-s", "-S", "-c", boot]
            self._line = container.execute(command, self._slot[1], plan.environment())
        except BaseException:
            container.give_back(self._slot)
            raise
        try:
            self.enforced: dict[str, str] = self._shake_hands()
        except BaseException:
            self.kill()
            raise

    def _shake_hands(self) -> dict[str, str]:
        """Send the programs and what the server must know; what is enforced by its word and the broker's."""
        folder = self._slot[0]
        # A path that is there on this machine, so that a probe can tell whether the inside sees it.
        config = {**self.plan.config(folder), "contained": True, "marker": str(Path(__file__))}
        try:
            self._line.send(order(self.plan, folder, config))
            hello = self._line.message(_START_S)
        except (EOFError, OSError) as error:
            if self._container.has_ended():
                raise ServerLost("the container is gone") from error
            raise SandboxError(f"the sandbox's server does not start: {self._line.last_words()}") from error
        if hello is None:
            raise SandboxError("the sandbox's server does not start in time")
        said = json.loads(hello[1])
        if "broken" in said:
            raise SandboxError(f"the sandbox's server can't be set up: {said['broken']}")
        if self.plan.opened.loopback and "no network" not in said["container"]:
            raise SandboxError("--allow-loopback: the container's network has more than its loopback")
        return {**self._container.layers, **_of_container(said["container"]), **said["ready"]}

    @contextlib.contextmanager
    def child(self, order: Order) -> Iterator[Answers]:
        """A child that does as ordered: what reads its answers. ServerGone where there is none to be had."""
        try:
            self.ending(_GRACE_S)  # of the one before
            self._await_child()
        except ServerLost as error:
            raise ServerGone from error
        self._ended, self._is_waiting = None, False
        self._send(line_messages.wrap(line_messages.JOB, order.packed()) + _packet(order.request))
        yield self._answer
        if self.plan.opened.loopback:
            self.ending(_GRACE_S)  # the next run, on whichever server, is in the same network

    def _await_child(self) -> None:
        """Wait until a child does, so that a job's time begins when it is handed in; mostly one has long waited."""
        deadline = time.monotonic() + _START_S
        while not self._is_waiting:
            if self._answer(deadline - time.monotonic()) is None:
                raise ServerLost("no child is there in time")
            if self._ended and "broken" in self._ended:
                raise SandboxError(f"a layer of the sandbox can't be put on: {self._ended['broken']}")

    def _answer(self, seconds: float) -> bytes | None:
        """Some of what the child wrote, nothing at its end, None where nothing comes in time."""
        try:
            message = self._line.message(seconds)
        except (EOFError, OSError) as error:
            raise ServerLost("the line to the server is cut") from error
        if message is None:
            return None
        kind, body = message
        if kind == line_messages.PACKET:
            packet = json.loads(body)
            if "waiting" in packet:
                self._is_waiting = True
            else:
                self._ended = packet
        return body if kind == line_messages.ANSWER else b""

    def has_ended(self, seconds: float) -> bool:
        """Whether the server says within `seconds` how the child ended; `ending` then tells."""
        while self._ended is None:
            if self._answer(seconds) is None:
                return False
        return True

    def kill_child(self) -> None:
        """Have the running child killed, if it still runs."""
        with contextlib.suppress(ServerLost):
            self._send(_packet({"kill": True}))

    def ending(self, timeout: float) -> dict[str, Any]:
        """How the child ended: its wait status, CPU seconds and peak KiB. ServerLost where nobody says it in time."""
        if not self.has_ended(timeout) or self._ended is None:
            raise ServerLost("the server does not answer")
        return self._ended

    def _send(self, data: bytes) -> None:
        try:
            self._line.send(data)
        except OSError as error:
            raise ServerLost("the line to the server is cut") from error

    def interrupt(self) -> None:
        """Cut the line from another thread: whoever waits for an answer finds the server lost."""
        self._line.cut()

    def hang_up(self) -> None:
        """Have the server end: the broker reads the end of its input."""
        self._line.end_input()

    def wait(self) -> None:
        """Let another server have its place as soon as nothing runs there, and nothing is left in its folder.

        Where that is not so in time, no other gets the place.
        """
        try:
            if self._line.has_ended(_GRACE_S):
                self._container.give_back(self._slot)
        finally:
            self._line.close()

    def kill(self) -> None:
        """End it at once."""
        try:
            self.hang_up()
        finally:
            self.wait()


def _packet(content: dict[str, Any]) -> bytes:
    return line_messages.wrap(line_messages.PACKET, json.dumps(content).encode("ascii"))


def _of_container(facts: dict[str, str]) -> dict[str, str]:
    """The container's layers by name: those the broker found, and each namespace that is not this process' own."""
    layers = {name: detail for name, detail in facts.items() if name not in container_probe.NAMESPACES}
    for name in container_probe.NAMESPACES:
        layer = f"{'network' if name == 'net' else name} namespace"
        own = ""  # as the kernel numbers it, where there is such a thing
        with contextlib.suppress(OSError):
            own = str(Path(f"/proc/self/ns/{name}").readlink())
        if name in facts and facts[name] != own:
            layers[layer] = layers.pop("no network", "") if name == "net" else ""
    return layers
