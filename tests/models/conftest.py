"""A question to ask, a model that answers as told, and an endpoint on loopback that behaves as told."""

import contextlib
import json
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request as HttpRequest
from werkzeug import Response

from tdgen.endpoint.openai import OpenAIModel
from tdgen.protocols import Answer, Message, Purpose, Request
from tdgen.settings import Settings
from tdgen.types import Usage

KEY = "key-of-nobody-4711"


@pytest.fixture
def question() -> Callable[..., Request]:
    """Make a request; what is not given is a plan's first attempt, with a system and a user message."""

    def make(purpose: Purpose = "plan", subject: str = "", **more: Any) -> Request:
        messages = (Message(role="system", content="Be kind."), Message(role="user", content="Hello?"))
        return Request(**{"purpose": purpose, "subject": subject, "messages": messages, "max_tokens": 100} | more)

    return make


class Told:
    """A model that answers, or fails, as it was told to; without a word left it says hello for 15 tokens."""

    def __init__(self, *answers: str | Answer | BaseException) -> None:
        self.answers = list(answers)
        self.asked: list[Request] = []
        self._lock = threading.Lock()

    def ask(self, request: Request) -> Answer:
        with self._lock:
            self.asked.append(request)
            answer = self.answers.pop(0) if self.answers else "hello"
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, Answer):
            return answer
        return Answer(text=answer, usage=Usage(calls=1, prompt_tokens=10, completion_tokens=5), model="told")


@pytest.fixture
def told() -> type[Told]:
    return Told


def events(*chunks: dict[str, Any] | str, done: bool = True) -> Response:
    """A stream of server-sent events, one for each chunk; a string goes in as it is."""
    lines = [chunk if isinstance(chunk, str) else f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return Response("".join(lines) + ("data: [DONE]\n\n" if done else ""), content_type="text/event-stream")


def piece(content: str | None = None, finish_reason: str | None = None, **delta: Any) -> dict[str, Any]:
    """One chunk of a streamed answer."""
    said = {"content": content, **delta} if content is not None else delta
    choice = {"index": 0, "delta": said, "finish_reason": finish_reason}
    return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "served", "choices": [choice]}


def counted(prompt: int, completion: int) -> dict[str, Any]:
    """The last chunk of a stream: no choices, and what was used."""
    usage = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
    return {**piece(), "choices": [], "usage": usage}


def said(*texts: str) -> Response:
    """A whole streamed answer."""
    return events(*map(piece, texts), piece(finish_reason="stop"), counted(7, 3))


def refused(status: int, message: str = "no", **more: Any) -> Response:
    """An error as OpenAI words it; headers by `headers`."""
    headers = more.pop("headers", None)
    body = json.dumps({"error": {"message": message, "type": None, "param": None, "code": None} | more})
    return Response(body, status=status, content_type="application/json", headers=headers)


class Chat:
    """An endpoint that gives the replies it was told to, the last one again and again; `bodies` are what it got."""

    said = staticmethod(said)
    events = staticmethod(events)
    piece = staticmethod(piece)
    counted = staticmethod(counted)
    refused = staticmethod(refused)
    key = KEY

    def __init__(self, server: HTTPServer) -> None:
        self.url = server.url_for("/v1")
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.replies: list[Response | Callable[[], Response]] = []
        self.models: Response = Response(
            json.dumps({"object": "list", "data": [{"id": name, "object": "model"} for name in ("b", "a")]}),
            content_type="application/json",
        )
        self.over = threading.Event()
        self._made: list[OpenAIModel] = []
        server.expect_request("/v1/chat/completions", method="POST").respond_with_handler(self._answer)
        server.expect_request("/v1/models", method="GET").respond_with_handler(lambda _: self.models)

    def will(self, *replies: Response | Callable[[], Response]) -> None:
        self.replies = list(replies)

    def settings(self, **more: Any) -> Settings:
        return Settings(**{"base_url": self.url, "api_key": KEY, "model": "a", "timeout": 20.0} | more)

    def model(self, settings: Settings | None = None, **more: Any) -> OpenAIModel:
        model = OpenAIModel(settings or self.settings(), **more)
        self._made.append(model)
        return model

    def hang(self) -> Response:
        """Say nothing until the test is over."""
        self.over.wait(30)
        return Response("")

    def finish(self) -> None:
        self.over.set()
        for model in self._made:
            model.close()

    def _answer(self, request: HttpRequest) -> Response:
        self.bodies.append(json.loads(request.data))
        self.headers.append(dict(request.headers))
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        return reply() if callable(reply) and not isinstance(reply, Response) else reply


@pytest.fixture
def chat(httpserver: HTTPServer) -> Iterator[Chat]:
    """The endpoint. Models made by `chat.model()` are closed at the end."""
    chat = Chat(httpserver)
    yield chat
    chat.finish()


@pytest.fixture(scope="session")
def make_httpserver() -> Iterator[HTTPServer]:
    """pytest-httpserver's server, with a thread for each request, so that one that hangs holds nobody up."""
    with HTTPServer(host="127.0.0.1", threaded=True) as server:
        yield server


@pytest.fixture
def closed_port() -> int:
    """A port of loopback on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


@pytest.fixture
def raw_server() -> Iterator[Callable[[bytes], str]]:
    """Serve these bytes, whatever is asked, and hang up; gives the base URL."""
    servers: list[socket.socket] = []

    def serve(content: bytes) -> str:
        server = socket.create_server(("127.0.0.1", 0))
        servers.append(server)

        def answer() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection:
                        connection.recv(65536)
                        connection.sendall(content)

        threading.Thread(target=answer, daemon=True).start()
        return f"http://127.0.0.1:{server.getsockname()[1]}/v1"

    yield serve
    for server in servers:
        with contextlib.suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)
        server.close()
