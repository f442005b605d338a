"""A container, and the line on which what runs in it speaks with the host.

It is started with everything locked, told apart when it ends, killed when it is no longer needed. Its first process
does nothing but hold the line to this one: when this one goes away, however that happens, that process reads the end of
its input and ends, and docker removes the container with all that runs in it.

The line is docker's attached stream. Docker cuts what a program writes into pieces, each behind eight bytes that tell
the stream (1 output, 2 errors) and the size (https://docs.docker.com/reference/api/engine/, "Attach to a container").
"""

from __future__ import annotations

import contextlib
import json
import secrets
import socket
import struct
import threading
import time
from collections import deque
from pathlib import Path
from typing import Any

from tdgen.errors import SandboxError
from tdgen.sandbox import interpreter
from tdgen.sandbox.docker import image as engine
from tdgen.sandbox.docker import line_messages
from tdgen.sandbox.interpreter import Interpreter
from tdgen.sandbox.server import ServerLost

_PIECE = struct.Struct("!BxxxI")
_CHUNK = 1 << 18
_SEND_S = 20.0  # a judgement: for a daemon on another machine
_KEPT = 4096  # characters of what a program says on stderr: its last line is told


class Line:
    """Both directions of an attached stream. Every method may raise OSError, and reading EOFError at the end."""

    def __init__(self, stream: Any) -> None:
        """`stream` is what the docker SDK calls a socket, which may hide the real one."""
        self._stream = stream
        self._socket = getattr(stream, "_sock", stream)
        self._response = getattr(stream, "_response", None)
        self._raw, self._output, self._errors = bytearray(), bytearray(), bytearray()

    def send(self, data: bytes) -> None:
        """Send all of `data`."""
        self._socket.settimeout(_SEND_S)
        self._socket.sendall(data)

    def message(self, seconds: float) -> tuple[int, bytes] | None:
        """The next message, or None where it does not come within so many seconds."""
        deadline = time.monotonic() + seconds
        while True:
            message = line_messages.unwrap(self._output)
            if message is not None:
                return message
            if not self._hear(deadline - time.monotonic()):
                return None

    def text(self, seconds: float) -> str | None:
        """The next line of text, or None where it does not come within so many seconds."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self._output:
            if not self._hear(deadline - time.monotonic()):
                return None
        line, _, rest = self._output.partition(b"\n")
        self._output = rest
        return line.decode("utf-8", "replace")

    def has_ended(self, seconds: float) -> bool:
        """Whether the program's end is seen within so many seconds."""
        deadline = time.monotonic() + seconds
        try:
            while self._hear(deadline - time.monotonic()):
                pass
        except (EOFError, OSError):
            return True
        return False

    def _hear(self, seconds: float) -> bool:
        """Take what comes within so many seconds; whether anything did."""
        if seconds <= 0:
            return False
        self._socket.settimeout(seconds)
        try:
            data = self._socket.recv(_CHUNK)
        except TimeoutError:
            return False
        if not data:
            raise EOFError("the program in the container ended")
        self._raw += data
        self._take_apart()
        return True

    def _take_apart(self) -> None:
        """Move whole pieces to where they belong."""
        while len(self._raw) >= _PIECE.size:
            stream, size = _PIECE.unpack_from(self._raw)
            end = _PIECE.size + size
            if len(self._raw) < end:
                return
            (self._errors if stream == 2 else self._output).extend(self._raw[_PIECE.size : end])
            del self._raw[:end]
        del self._errors[:-_KEPT]

    def last_words(self) -> str:
        """The last line that the program wrote to its error stream."""
        lines = self._errors.decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    def end_input(self) -> None:
        """Have the program read the end of its input; what it still says can be heard."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def cut(self) -> None:
        """End it from another thread: whoever waits sees the end."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End it: the program reads the end of its input. Closing twice is allowed."""
        self.cut()
        with contextlib.suppress(OSError):
            if self._response is not None:  # first, or its finalizer finds the stream closed and complains
                self._response.close()
            self._stream.close()
            self._socket.close()


PACKAGES = "/opt/tdgen/packages"
OWN_KERNEL = "kernel of its own"
_MIB, _CPU = 1024 * 1024, 1_000_000_000
_START_S, _NOTICE_S = 30.0, 0.3
_PROCESSES_EACH = 48  # for a server, its children and programs that they may start; a judgement
_INODES = 8192  # files of one scratch folder; a judgement
_USERS, _USERS_AT_MOST = range(20_000, 60_000), 32
_HOLD = """
while os.read(0, 4096):
    pass
"""


class Container:
    """A running container with places for servers, each with a user and a scratch folder of its own."""

    def __init__(
        self,
        client: Any,
        *,
        image: str,
        processors: int,
        memory_mb: int,
        scratch_mb: int,
        runtime: str,
        packages: str,
        kernel: str = "",
        shown: tuple[str, ...] = (),
        private: tuple[str, ...] = (),
    ) -> None:
        """Start it. SandboxError where it can't be: no such image, no such runtime, no memory.

        `shown` are folders of this machine that are there, read-only, at their own paths; what is `private` in them is
        empty there. `kernel` is the
        release of the daemon's own, to tell whether the runtime brings another one.
        """
        from docker.types import Mount

        self._client = client
        slots = min(3 * processors + 1, _USERS_AT_MOST - 1)
        self._user = secrets.choice(_USERS[::_USERS_AT_MOST])
        self._free = deque((f"/scratch/{n}", self._user + 1 + n) for n in range(slots))
        self._room = threading.Condition()
        self._began = int(time.time()) - 1
        settings = self._settings(processors, memory_mb, scratch_mb)
        if packages:
            settings["binds"] = {packages: {"bind": PACKAGES, "mode": "ro"}}
        settings["mounts"] = [
            *(Mount(path, path, type="bind", read_only=True) for path in shown),
            *(
                Mount(path, None, type="tmpfs", read_only=True)
                if Path(path).is_dir()
                else Mount(path, "/dev/null", type="bind", read_only=True)
                for path in private
            ),
        ]
        if runtime:
            settings["runtime"] = runtime
        with engine.starting(image, runtime):
            self.id, self._line = self._create_and_start(image, settings)
        self.interpreter = self._first_words()
        own = self.interpreter.kernel
        self.layers = {OWN_KERNEL: own} if kernel and not own.startswith(f"{kernel} ") else {}

    def _settings(self, processors: int, memory_mb: int, scratch_mb: int) -> dict[str, Any]:
        """All that the container may and may not, but for what the user adds."""
        options = f"rw,nosuid,nodev,noexec,size={scratch_mb}m,nr_inodes={_INODES},mode=700"
        return {
            "network_mode": "none",
            "cap_drop": ["ALL"],
            "security_opt": ["no-new-privileges"],
            "read_only": True,
            "tmpfs": {folder: f"{options},uid={user},gid={user}" for folder, user in self._free},
            "ulimits": [{"Name": "core", "Soft": 0, "Hard": 0}],
            "pids_limit": _PROCESSES_EACH * len(self._free),
            "mem_limit": memory_mb * _MIB,
            "memswap_limit": memory_mb * _MIB,
            "nano_cpus": processors * _CPU,
            "init": True,
            "ipc_mode": "none",
            "auto_remove": True,
            "log_config": {"Type": "none"},
        }

    def _create_and_start(self, image: str, settings: dict[str, Any]) -> tuple[str, Line]:
        """The line is there before the first process is, so that nothing it says is lost."""
        api = self._client.api
        container: str = api.create_container(
            image,
            ["python3", "-I", "-S", "-c", interpreter.question() + _HOLD],
            user=f"{self._user}:{self._user}",
            stdin_open=True,
            network_disabled=True,
            working_dir="/",
            labels={"tdgen": "sandbox"},
            host_config=api.create_host_config(**settings),
        )["Id"]
        try:
            line = Line(api.attach_socket(container, {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}))
            try:
                api.start(container)
            except BaseException:
                line.close()
                raise
        except BaseException:
            self._remove(container)
            raise
        return container, line

    def _first_words(self) -> Interpreter:
        """The interpreter that the first process tells of."""
        try:
            said = self._line.text(_START_S)
            if said is not None:
                return interpreter.from_answer(json.loads(said))
        except (EOFError, OSError, ValueError):
            pass
        words = self._line.last_words()
        self.end()
        raise SandboxError(f"the image's python3 does not start: {words}")

    def take_slot(self) -> tuple[str, int]:
        """A scratch folder and the user it belongs to, for one server: the ones that were free the longest."""
        with self._room:
            if not self._room.wait_for(lambda: self._free, _START_S):
                raise SandboxError("the container has no room for another server")
            return self._free.popleft()

    def give_back(self, slot: tuple[str, int]) -> None:
        """Let another server have `slot`."""
        with self._room:
            self._free.append(slot)
            self._room.notify()

    def execute(self, command: list[str], user: int, environment: dict[str, str]) -> Line:
        """Start a program in the container: the line to it. ServerLost where the container is gone."""
        from docker.errors import APIError

        api = self._client.api
        with engine.told():
            try:
                process = api.exec_create(
                    self.id, command, stdin=True, user=f"{user}:{user}", environment=environment, workdir="/"
                )["Id"]
                return Line(api.exec_start(process, socket=True))
            except APIError as error:
                if error.status_code in (404, 409):
                    raise ServerLost("the container is gone") from error
                raise

    def has_ended(self) -> bool:
        """Whether it is gone, or goes at this moment."""
        return self._line.has_ended(_NOTICE_S)

    def death(self) -> str:
        """How it ended, by docker's own account."""
        wanted = {"container": self.id, "event": ["die", "oom"]}
        events: list[Any] = []
        with contextlib.suppress(SandboxError), engine.told():
            events = list(
                self._client.api.events(since=self._began, until=int(time.time()) + 1, filters=wanted, decode=True)
            )
        codes = [event["Actor"]["Attributes"].get("exitCode", "") for event in events if event["Action"] == "die"]
        if any(event["Action"] == "oom" for event in events):
            return "it was out of memory" + (f" (exit code {codes[0]})" if codes else "")
        if codes == ["137"]:
            return "it was killed (exit code 137: by hand, or for the memory it took)"
        return f"it ended with exit code {codes[0]}" if codes else "it is gone"

    def end(self) -> None:
        """Kill it at once and remove it. Ending twice is allowed."""
        self._line.close()
        self._remove(self.id)

    def _remove(self, container: str) -> None:
        with contextlib.suppress(SandboxError), engine.told():
            self._client.api.remove_container(container, force=True)
