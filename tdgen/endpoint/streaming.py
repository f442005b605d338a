"""A streamed answer: put together from its pieces, and hung up on from another thread, whatever its reader waits for.

To close a socket does not wake the thread that reads from it; to shut it down does. Which socket a call reads from is
known only below the HTTP client, where a pooled connection is chosen: so the client's network backend is laid over by
one that notes, for each thread, the socket that it reads from just now. To connect is not ended so: it has a time limit
of its own (`CONNECT_S`).

Without a finish_reason it is not an answer, only its beginning.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import httpx2

if TYPE_CHECKING:
    from openai import OpenAI, Stream
    from openai.types.chat import ChatCompletionChunk


@dataclass(eq=False)
class Line:
    """What one call reads from; once it is hung up, every read on it fails."""

    _lock: threading.Lock = field(default_factory=threading.Lock)
    _socket: socket.socket | None = None
    _is_cut: bool = False

    def hang_up(self) -> None:
        """Wake the reader, and let it read no more. Safe from any thread, at any time."""
        with self._lock:
            self._is_cut = True
            if self._socket is not None:
                with suppress(OSError, ValueError):
                    # Of a TLS socket the plain half: its own `shutdown` would take the session from under its reader.
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    @contextmanager
    def reading(self, connection: Any) -> Iterator[None]:
        """The call reads from this socket meanwhile; ConnectionAbortedError where it was hung up."""
        with self._lock:
            if self._is_cut:
                raise ConnectionAbortedError("hung up")
            self._socket = connection if isinstance(connection, socket.socket) else None
        try:
            yield
        finally:
            with self._lock:
                self._socket = None


@dataclass(eq=False)
class Lines:
    """The lines of a client's calls, each in the thread that it was opened in."""

    _here: threading.local = field(default_factory=threading.local)

    @contextmanager
    def open(self) -> Iterator[Line]:
        """A line for all that this thread reads meanwhile."""
        self._here.line = line = Line()
        try:
            yield line
        finally:
            self._here.line = None

    def lay_under(self, client: OpenAI) -> None:
        """Have all that the client reads go over these lines: also through a proxy that the environment names."""
        http = client._client  # noqa: SLF001 - neither openai nor httpx2 has a public way to a pool's network backend
        transports: list[Any] = [http._transport, *http._mounts.values()]  # noqa: SLF001
        for pool in [vars(transport).get("_pool") for transport in transports if transport is not None]:
            if pool is not None:
                pool._network_backend = _Backend(pool._network_backend, self)  # noqa: SLF001

    @property
    def here(self) -> Line | None:
        """This thread's line, where it has one."""
        return getattr(self._here, "line", None)


A_MOMENT = 0.02  # seconds: whoever looks at the clock after the cut sees that the time is over


@contextmanager
def cut_after(seconds: float | None, hang_up: Callable[[], None]) -> Iterator[None]:
    """Hang up on the server after so many seconds (None: never), also on one that holds its reader with silence.

    A reading time limit alone would begin anew with each byte that comes.
    """
    if seconds is None:
        yield
        return
    timer = threading.Timer(seconds + A_MOMENT, hang_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@dataclass(eq=False)
class _Around:
    """What stands before something of httpcore2, and has all else of it."""

    _inner: Any
    _lines: Lines

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class _Backend(_Around):
    """A network backend of httpcore2 whose streams are read over lines."""

    def connect_tcp(self, *arguments: Any, **more: Any) -> _Stream:
        return _Stream(self._inner.connect_tcp(*arguments, **more), self._lines)

    def connect_unix_socket(self, *arguments: Any, **more: Any) -> _Stream:
        return _Stream(self._inner.connect_unix_socket(*arguments, **more), self._lines)


class _Stream(_Around):
    """A network stream of httpcore2 that is read over the reading thread's line."""

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        line = self._lines.here
        if line is None:
            return bytes(self._inner.read(max_bytes, timeout))
        from httpcore2 import ReadError

        try:
            with line.reading(self._inner.get_extra_info("socket")):
                return bytes(self._inner.read(max_bytes, timeout))
        except ConnectionAbortedError as error:
            raise ReadError(str(error)) from error

    def start_tls(self, *arguments: Any, **more: Any) -> _Stream:
        return _Stream(self._inner.start_tls(*arguments, **more), self._lines)


ANNOUNCED_EVERY = 40  # characters: a terminal wants life, not every letter


@dataclass
class Said:
    """What was said so far. `prompt_tokens` and the other counts are 0 where the server doesn't count."""

    pieces: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    finish_reason: str = ""
    model: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0

    @property
    def text(self) -> str:
        """The text, or the words of a refusal; characters that came in two halves are whole again."""
        text = "".join(self.pieces) or "".join(self.refusals)
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

    def take(self, chunk: ChatCompletionChunk) -> None:
        """Add one chunk; what servers leave out or set to null is not missed."""
        self.model = getattr(chunk, "model", None) or self.model
        if usage := getattr(chunk, "usage", None):
            self.prompt_tokens = getattr(usage, "prompt_tokens", None) or self.prompt_tokens
            self.completion_tokens = getattr(usage, "completion_tokens", None) or self.completion_tokens
            details = getattr(usage, "prompt_tokens_details", None)
            self.cached_tokens = getattr(details, "cached_tokens", None) or self.cached_tokens
        for choice in getattr(chunk, "choices", None) or []:
            if getattr(choice, "index", None):
                continue
            said = getattr(choice, "delta", None)
            self.pieces.append(getattr(said, "content", None) or "")
            if refusal := getattr(said, "refusal", None):
                self.refusals.append(refusal)
            self.finish_reason = getattr(choice, "finish_reason", None) or self.finish_reason


def listen(stream: Stream[ChatCompletionChunk], said: Said, on_text: Callable[[int], None]) -> None:
    """Read the stream to its end into `said`, and tell `on_text` now and then how many characters are there."""
    reported = characters = 0
    # A server that does not stream at all gives the whole answer as one chunk.
    is_whole = "application/json" in stream.response.headers.get("content-type", "")
    for chunk in [_whole(stream.response)] if is_whole else stream:
        before = len(said.pieces)
        said.take(chunk)
        characters += sum(map(len, said.pieces[before:]))
        if characters >= reported + ANNOUNCED_EVERY:
            reported = characters
            on_text(characters)
    if characters > reported:
        on_text(characters)


def _whole(response: httpx2.Response) -> ChatCompletionChunk:
    """An answer that came in one piece, as a chunk; ValueError where it is none."""
    from openai import APIConnectionError, APIError, APITimeoutError
    from openai.types.chat import ChatCompletionChunk

    try:
        whole = json.loads(response.read())
    except httpx2.TimeoutException as error:
        raise APITimeoutError(response.request) from error
    except httpx2.RequestError as error:
        raise APIConnectionError(request=response.request) from error
    if not isinstance(whole, dict):
        raise ValueError("no JSON object")
    if failure := whole.get("error"):
        raise APIError(str(failure), response.request, body=failure)
    choices = [{**choice, "delta": choice.get("message") or {}} for choice in whole.get("choices") or []]
    return ChatCompletionChunk.construct(**{**whole, "choices": choices})
