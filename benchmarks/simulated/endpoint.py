"""The simulated model over HTTP: `POST /v1/chat/completions`, whole or streamed, and `GET /v1/models`, on loopback.

The answer's tokens are counted at four characters each, as tdgen guesses them where no server counts. `latency` is
how many seconds it thinks before each answer. `Endpoint.asked` keeps what was asked and answered, for those who
measure.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from simulated.prompts import read
from tdgen.protocols import Closing

MODEL = "simulated"
MOST_BYTES = 64 * 1024 * 1024
CHARACTERS_A_TOKEN = 4
Reply = Callable[[dict[str, Any]], str]


class Exchange(NamedTuple):
    """One question: `code`, `reading` or the form's name; tokens in and out, seconds it took, and the answer."""

    stage: str
    prompt_tokens: int
    completion_tokens: int
    seconds: float
    text: str = ""


class Endpoint(Closing):
    """Serves a model on a free port of loopback from its making until `close`; a context manager."""

    def __init__(self, reply: Reply, *, latency: float = 0.0, port: int = 0) -> None:
        self.asked: list[Exchange] = []
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.endpoint = self
        self._reply = reply
        self._latency = latency
        self._thread = threading.Thread(target=self._server.serve_forever, name="simulated model", daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The base URL for a client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def answer(self, body: dict[str, Any]) -> tuple[str, Exchange]:
        """The answer to a chat completion's body, and what it cost."""
        began = time.perf_counter()
        if self._latency:
            time.sleep(self._latency)
        text = self._reply(body)
        prompt = sum(tokens(str(message.get("content", ""))) for message in body["messages"])
        exchange = Exchange(read(body).stage, prompt, tokens(text), time.perf_counter() - began, text)
        self.asked.append(exchange)
        return text, exchange

    def wait(self) -> None:
        """Serve until interrupted."""
        self._thread.join()

    def close(self) -> None:
        """Stop serving. Closing twice is allowed."""
        self._server.shutdown()
        self._server.server_close()


def tokens(text: str) -> int:
    """About how many tokens a text is."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    endpoint: Endpoint


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Server

    def do_GET(self) -> None:
        """The list of models."""
        if self.path.rstrip("/") != "/v1/models":
            self._fail(404, f"there is nothing at {self.path}")
            return
        self._send_json({"object": "list", "data": [{"id": MODEL, "object": "model", "owned_by": "tdgen"}]})

    def do_POST(self) -> None:
        """A chat completion."""
        body = self._body()
        if body is None:
            return
        if self.path.rstrip("/") != "/v1/chat/completions":
            self._fail(404, f"there is nothing at {self.path}")
            return
        if not isinstance(body.get("messages"), list) or not all(isinstance(m, dict) for m in body["messages"]):
            self._fail(400, "messages must be a list of objects")
            return
        text, exchange = self.server.endpoint.answer(body)
        if body.get("stream"):
            self._send(b"".join(_events(text, exchange)), "text/event-stream")
        else:
            self._send_json(_whole(text, exchange))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
        """Say nothing."""

    def _body(self) -> dict[str, Any] | None:
        """The request's JSON object; None where it has none, which was answered then."""
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            self.close_connection = True
            self._fail(400, f"a Content-Length of at most {MOST_BYTES} is needed")
            return None
        try:
            body = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError) as error:
            self._fail(400, f"the body is no JSON: {error}")
            return None
        if not isinstance(body, dict):
            self._fail(400, "the body is no JSON object")
            return None
        return body

    def _fail(self, status: int, message: str) -> None:
        error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
        self._send_json({"error": error}, status)

    def _send_json(self, content: dict[str, Any], status: int = 200) -> None:
        self._send(json.dumps(content).encode(), "application/json", status)

    def _send(self, content: bytes, kind: str, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()


def _usage(exchange: Exchange) -> dict[str, int]:
    whole = exchange.prompt_tokens + exchange.completion_tokens
    return {
        "prompt_tokens": exchange.prompt_tokens,
        "completion_tokens": exchange.completion_tokens,
        "total_tokens": whole,
    }


def _whole(text: str, exchange: Exchange) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    head = {"id": "simulated", "object": "chat.completion", "created": 0, "model": MODEL}
    return {**head, "choices": [choice], "usage": _usage(exchange)}


def _events(text: str, exchange: Exchange) -> Iterator[bytes]:
    """The answer as server-sent events: its words, why it stopped, what it cost."""
    head = {"id": "simulated", "object": "chat.completion.chunk", "created": 0, "model": MODEL}
    half = len(text) // 2
    for part in filter(None, (text[:half], text[half:])):
        yield _event({**head, "choices": [{"index": 0, "delta": {"content": part}, "finish_reason": None}]})
    yield _event({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    yield _event({**head, "choices": [], "usage": _usage(exchange)})
    yield b"data: [DONE]\n\n"


def _event(content: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(content)}\n\n".encode()
