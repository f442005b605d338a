"""A program that code in another language runs in, as a process of this one: started, asked, limited and ended.

Nothing that it says is taken for an answer but the line that begins with this call's nonce, and nothing passes where it
is lost: this process ends, too.
Standard library only, Python 3.9 and later: this file runs inside, executed once in a process.
"""

from __future__ import annotations

import fcntl
import os
import resource
import select
import signal
from typing import Any, Callable  # noqa: UP035 - Python 3.9

MOST_LINE = 16_000_000
LOST = 70
"""The exit code of a process whose program on the other side was lost."""


class Program:
    """A program that answers a line with a line. It ends with this process.

    `words` are asked for where its limits hold. One that is started before there is a job calls `limit` first, in the
    process that it will be. It reads from the first of `ends` and answers at the second; `streams` are files with
    the numbers that these have there, in place of the null device.
    """

    class Gone(Exception):
        """It has ended, or says nothing in time."""

    def __init__(
        self,
        path: str,
        words: Callable[[], list[str]],
        environment: dict[str, str],
        limit: Callable[[], None] | None = None,
        ends: tuple[int, int] = (0, 1),
        streams: tuple[tuple[int, int], ...] = (),
    ) -> None:
        ask, self._out = os.pipe()
        self._in, answer = os.pipe()
        null = os.open(os.devnull, os.O_WRONLY)
        ask, answer = _moved_up(ask), _moved_up(answer)
        onto = ((null, 1), (null, 2), *streams, (ask, ends[0]), (answer, ends[1]))
        if limit is None:
            actions = [(os.POSIX_SPAWN_DUP2, *pair) for pair in onto]
            self.pid = os.posix_spawn(path, [path, *words()], environment, file_actions=actions)
        else:
            self.pid = os.fork()
            if self.pid == 0:
                _become(path, words, environment, onto, limit)
        for fd in (ask, answer, null):
            os.close(fd)
        self._waiting = b""
        self._limits = self.read(b"\n") if limit else b""

    def close(self) -> None:
        """End it."""
        os.close(self._out)
        os.close(self._in)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)

    def serves(self) -> bool:
        """Whether it has the limits of this process, as the job has that begins; one that has others is ended."""
        if self._limits == _limits():
            return True
        self.close()
        return False

    def ask(self, line: bytes, nonce: bytes) -> bytes:
        """What it answers. Where it ends, or says what nobody asked, this process ends too: nothing passes then."""
        try:
            self.write(line + b"\n")
            answer = self.read(b"\n")
        except Program.Gone:
            os._exit(LOST)
        if not answer.startswith(nonce + b" ") or self._waiting:
            os._exit(LOST)
        return answer[len(nonce) + 1 :]

    def write(self, data: bytes) -> None:
        """Have it read all of `data`; Gone where it doesn't."""
        text = memoryview(data)
        try:
            while text:
                text = text[os.write(self._out, text) :]
        except OSError as error:
            raise Program.Gone from error

    def read(self, end: bytes, seconds: float | None = None) -> bytes:
        """What it says up to `end`, which is one byte; Gone where it says no more, or too much, or nothing for long."""
        while end not in self._waiting:
            is_silent = seconds is not None and not select.select([self._in], [], [], seconds)[0]
            data = b"" if is_silent else os.read(self._in, 1 << 16)
            if not data or len(self._waiting) > MOST_LINE:
                raise Program.Gone
            self._waiting += data
        said, _, self._waiting = self._waiting.partition(end)
        return said


def _moved_up(descriptor: int) -> int:
    """The same end of a pipe under a number that no program's own ends have."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 16)
    os.close(descriptor)
    return moved


def _become(
    path: str, words: Callable[[], list[str]], environment: dict[str, str], onto: Any, limit: Callable[[], None]
) -> None:
    """Be the program, within limits that are told first."""
    try:
        for fd, standard in onto:
            os.dup2(fd, standard)
        limit()
        os.write(onto[-1][1], _limits() + b"\n")
        os.execve(path, [path, *words()], environment)  # noqa: S606 - there is no shell in it
    finally:
        os._exit(LOST)


def _limits() -> bytes:
    """The limits of this process in a line."""
    kinds = (
        resource.RLIMIT_AS,
        resource.RLIMIT_DATA,
        resource.RLIMIT_CPU,
        resource.RLIMIT_FSIZE,
        resource.RLIMIT_NPROC,
    )
    return repr([resource.getrlimit(kind) for kind in kinds]).encode()


def program_at(name: str) -> str:
    """Where a program is that candidates may start."""
    places = (f"{folder}/{name}" for folder in ("/usr/local/bin", "/usr/bin", "/bin"))
    return next(filter(os.path.exists, places), name)


def new_nonce() -> bytes:
    """A text that nobody can guess."""
    return os.urandom(16).hex().encode()
