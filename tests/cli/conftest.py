"""The command line in this process and in one of its own, a script to answer it, and an endpoint that misbehaves."""

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pytest_httpserver import HTTPServer
from typer.main import get_command
from werkzeug import Request as HttpRequest
from werkzeug import Response

from tdgen.build.draft import Tools
from tdgen.cli.app import run
from tests.forked import Forker

INSTRUCTION = "double(n) and quadruple(n); double(4) is 8"
KEY = "key-of-nobody-4711"


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees this machine's terminal or cache, and each works in a folder of its own."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TDGEN_SEARCH_SECONDS", "0")  # what a model repairs is told, not what a search does


@pytest.fixture(scope="session", autouse=True)
def read_once() -> Iterator[None]:
    """The options of all commands are read once a session, and not with each command that is run in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("typer.main.get_command", cache(get_command))
        yield


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No call is given up early: on a busy machine one that ends would be taken for one that never does."""
    hasty = Tools.hasty
    monkeypatch.setattr(Tools, "hasty", lambda tools, seconds, limits=None: hasty(tools, 10.0, limits))


class Ran(NamedTuple):
    """How a command ended: its exit code, and what it said where."""

    code: int
    out: str
    err: str

    @property
    def last(self) -> str:
        return self.err.splitlines()[-1] if self.err else ""

    @property
    def document(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def tdgen(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Run the command in this process."""

    def call(*arguments: object) -> Ran:
        code = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Ran(code, captured.out, captured.err)

    return call


@pytest.fixture
def start(forker: Forker) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start the command in a process of its own, or `by` a program that is given it as arguments.

    Where neither that nor an environment is given, tdgen is there before its first line.
    """
    started: list[subprocess.Popen[bytes]] = []
    # A job that a shell has put into the background ignores Ctrl-C, and so would what it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)

    def call(*arguments: object, by: tuple[str, ...] = (), **more: Any) -> subprocess.Popen[bytes]:
        command = [*by, sys.executable, "-m", "tdgen", *map(str, arguments)]
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        begin = subprocess.Popen if by or "env" in more else forker.start
        process = begin(command, **(pipes | more))
        started.append(process)
        return process

    yield call
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.communicate()


@pytest.fixture
def finished() -> Callable[[subprocess.Popen[bytes]], Ran]:
    """Wait until a started command has ended."""

    def wait(process: subprocess.Popen[bytes]) -> Ran:
        out, err = process.communicate(timeout=60)
        return Ran(process.returncode, (out or b"").decode(), (err or b"").decode())

    return wait


def function(name: str, *dependencies: str, **more: Any) -> dict[str, Any]:
    """A planner's word on one function of an int."""
    contract = {"name": name, "purpose": f"Return {name} of n.", "parameters": [{"name": "n", "type": "int"}]}
    return contract | {"returns": "int", "dependencies": list(dependencies)} | more


PLAN = {
    "module": "doubling",
    "summary": "Doubles and quadruples.",
    "functions": [function("double"), function("quadruple", "double")],
    "examples": [{"function": "double", "quote": "double(4) is 8", "call": "double(4)", "value": "8"}],
    "questions": [{"question": "Are floats allowed?", "assumption": "No, only ints."}],
}


def cases(factor: int) -> dict[str, Any]:
    """A test author's word on a function that multiplies."""
    inputs = {"one": 1, "three": 3, "minus_two": -2, "zero": 0, "large": 10**6}
    return {
        "cases": [
            {"name": name, "arguments": [str(n)], "expect": "value", "value": str(factor * n)}
            for name, n in inputs.items()
        ]
    }


def code(name: str, body: str) -> str:
    """A developer's word on a function."""
    return f'```python\ndef {name}(n: int) -> int:\n    """Return {name} of n."""\n    return {body}\n```'


class Said:
    """A model's answers, one by one, and the script that they make."""

    plan = PLAN
    function = staticmethod(function)
    cases = staticmethod(cases)
    code = staticmethod(code)

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._answers: dict[tuple[str, str, int, int, str], dict[str, Any]] = {}

    def say(
        self, purpose: str, answer: Any, subject: str = "", attempt: int = 1, sample: int = 0, **more: Any
    ) -> "Said":
        """Say this when asked for that; what was to be said before is forgotten."""
        text = answer if isinstance(answer, str) else json.dumps(answer)
        key = {"purpose": purpose, "subject": subject, "attempt": attempt, "sample": sample}
        self._answers[purpose, subject, attempt, sample, more.get("variant", "")] = key | {"text": text} | more
        return self

    def green(self) -> "Said":
        """All that leads to green, with a first attempt at `double` that is wrong."""
        self.say("plan", PLAN).say("cases", cases(2), "double").say("cases", cases(4), "quadruple")
        self.say("implement", code("double", "n + 1"), "double").say("repair", code("double", "n * 2"), "double", 2)
        return self.say("implement", code("quadruple", "double(double(n))"), "quadruple")

    def red(self) -> "Said":
        """All that leads to a `double` that is never right."""
        self.green()
        for attempt in (2, 3, 4):
            self.say("repair", code("double", "n + 2"), "double", attempt)
            self.say("repair", code("quadruple", "double(double(n))"), "quadruple", attempt)
            for line in (1, 2):  # a fresh attempt, where one is asked for in place of a repair
                self.say("implement", code("double", "n + 2"), "double", attempt, line)
        return self

    def forget(self, purpose: str, subject: str = "", attempt: int = 1, sample: int = 0) -> "Said":
        """Leave an answer out."""
        del self._answers[purpose, subject, attempt, sample, ""]
        return self

    @property
    def path(self) -> Path:
        """The script as a file."""
        path = self._folder / "script.json"
        path.write_text(json.dumps({"format": 1, "model": "scripted", "answers": list(self._answers.values())}))
        return path


@pytest.fixture
def said(tmp_path: Path) -> Said:
    """A model that says what it is told to."""
    return Said(tmp_path)


@pytest.fixture
def instruction() -> str:
    """What the script answers."""
    return INSTRUCTION


class Endpoint:
    """An endpoint on loopback that gives the replies it was told to, the last one again and again."""

    def __init__(self, server: HTTPServer) -> None:
        self.url = server.url_for("/v1")
        self.asked = threading.Semaphore(0)
        self.bodies: list[dict[str, Any]] = []
        self.over = threading.Event()
        self._replies: list[str | int | None] = []
        server.expect_request("/v1/chat/completions", method="POST").respond_with_handler(self._answer)
        models = {"object": "list", "data": [{"id": "known", "object": "model"}]}
        server.expect_request("/v1/models", method="GET").respond_with_json(models)

    def will(self, *replies: Any) -> None:
        """Reply with these in turn: JSON or text as an answer, a number as an error's status, None with silence."""
        self._replies = [r if r is None or isinstance(r, str | int) else json.dumps(r) for r in replies]

    def _answer(self, request: HttpRequest) -> Response:
        self.bodies.append(json.loads(request.data))
        reply = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        self.asked.release()
        if reply is None:
            self.over.wait(30)
            return Response("")
        if isinstance(reply, int):
            return Response(json.dumps({"error": {"message": "no"}}), status=reply, content_type="application/json")
        chunks = [{"delta": {"content": reply}}, {"delta": {}, "finish_reason": "stop"}]
        lines = [f"data: {json.dumps({'choices': [chunk]})}\n\n" for chunk in chunks]
        return Response("".join(lines) + "data: [DONE]\n\n", content_type="text/event-stream")


@pytest.fixture
def endpoint(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """The endpoint, and settings that lead there."""
    endpoint = Endpoint(httpserver)
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("TDGEN_MODEL", "known")
    yield endpoint
    endpoint.over.set()


@pytest.fixture(scope="session")
def make_httpserver() -> Iterator[HTTPServer]:
    """pytest-httpserver's server, with a thread for each request, so that one that hangs holds nobody up."""
    with HTTPServer(host="127.0.0.1", threaded=True) as server:
        yield server


@pytest.fixture
def one_function() -> dict[str, Any]:
    """What a model says on the way to one green function, by purpose."""
    plan = PLAN | {"functions": [function("double")], "questions": []}
    return {"plan": plan, "cases": cases(2), "implement": code("double", "2 * n")}
