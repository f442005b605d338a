"""A service in this process, on a port of its own, with a model that is told what to say, and when."""

from __future__ import annotations

import asyncio
import json
import secrets
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tdgen.models.scripted import ScriptedAnswer
from tdgen.protocols import Model
from tdgen.team.redis import RedisStore
from tdgen.web.listening import Address, listening
from tdgen.web.run_folder import RunFolder
from tdgen.web.run_redis import SharedRuns
from tdgen.web.run_store import RunStore
from tdgen.web.server import Queue, make_server

PATIENCE_S = 30.0


class Service:
    """A running service, and a client of it."""

    def __init__(self, generator: Any, address: Address, queue: Queue, runs: RunStore | None = None) -> None:
        self.generator = generator
        self._listener = listening(address)
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        ready = threading.Event()
        try:
            self.server = make_server(generator, runs or RunFolder(generator.folder), address, queue, ready.set)
        except BaseException:
            self._listener.close()
            raise
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert ready.wait(PATIENCE_S), "the service did not start"
        self.http = httpx2.Client(base_url=self.url, timeout=PATIENCE_S, trust_env=False)

    def _run(self) -> None:
        asyncio.run(self.server.serve([self._listener]))

    def post(self, instruction: str = "Write what is needed.", **options: Any) -> str:
        """The id of a new run."""
        answer = self.http.post("/runs", json={"instruction": instruction, "options": options})
        assert answer.status_code == 202, answer.text
        return answer.json()["id"]

    def record(self, identity: str) -> dict[str, Any]:
        return self.http.get(f"/runs/{identity}").json()

    def ended(self, identity: str) -> dict[str, Any]:
        """A run's record, once it has ended."""
        return self.until(identity, lambda record: bool(record["ended"]))

    def until(self, identity: str, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE_S
        while not holds(record := self.record(identity)):
            assert time.monotonic() < end, record
            time.sleep(0.02)
        return record

    def events(self, identity: str, after: int = 0) -> Iterator[tuple[int, dict[str, Any]]]:
        """Numbered events as they come, until the service ends the stream."""
        headers = {"last-event-id": str(after)} if after else {}
        with self.http.stream("GET", f"/runs/{identity}/events", headers=headers) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            data = ""
            for line in answer.iter_lines():
                if line.startswith("data: "):
                    data = line.removeprefix("data: ")
                elif line.startswith("id: "):
                    yield int(line.removeprefix("id: ")), json.loads(data)

    def close(self) -> None:
        self.http.close()  # the server waits for connections to end
        self.server.should_exit = True
        self._thread.join(PATIENCE_S)
        self._listener.close()


Start = Callable[..., Service]


@contextmanager
def serving(solver) -> Iterator[Start]:
    """Starts services, which end with the context."""
    started: list[Service] = []

    def start(
        model: Model,
        *,
        at_once: int = 1,
        waiting: int = 4,
        address: Address | None = None,
        runs: RunStore | None = None,
        **settings: Any,
    ):
        address = address or Address(port=0)
        made = Service(solver.generator(model, **settings), address, Queue(at_once, waiting), runs)
        started.append(made)
        return made

    yield start
    for service in started:
        service.close()


@pytest.fixture
def serve(solver) -> Iterator[Start]:
    """Start a service with a model; `at_once`, `waiting`, the address and where runs lie may be said, and settings."""
    with serving(solver) as start:
        yield start


@pytest.fixture(scope="module")
def serve_all(one_studio) -> Iterator[Start]:
    """Start a service for a module's tests that leave it as it was."""
    with serving(one_studio) as start:
        yield start


@pytest.fixture(scope="module")
def service(serve_all, one_studio) -> Service:
    """A service for a module's tests that give it no order which holds; it needs no token."""
    return serve_all(one_studio.model(), cache_dir=str(one_studio.cache_dir / "open"))


@pytest.fixture
def divided(solver, write) -> Callable[[str], Model]:
    """A model whose `total` resists and is divided into `_total_parts`; then it answers with what is given."""
    wrong = "def total(text: str) -> int:\n    return len(text) and 3"
    parts = write.function(
        "_total_parts(text: str) -> list[int]",
        "The numbers in a text, which semicolons part.",
        cases=[write.returns(f"_total_parts({t!r})", repr(n)) for t, n in {"": [], "1": [1], "1;2": [1, 2]}.items()],
        tries=["def _total_parts(text: str) -> list[int]:\n    return [int(part) for part in text.split(';') if part]"],
    )
    count = write.function(
        "_total_count(text: str) -> int",
        "How many numbers there are.",
        cases=[write.returns(f"_total_count({t!r})", str(n)) for t, n in {"": 0, "1": 1, "1;2": 2}.items()],
        tries=["def _total_count(text: str) -> int:\n    return len([part for part in text.split(';') if part])"],
    )
    planned = ScriptedAnswer(purpose="plan", text=json.dumps({"functions": [parts.spec, count.spec]}))

    def make(composed: str) -> Model:
        answer = ScriptedAnswer(purpose="implement", sample=1, text=f"```python\n{composed}\n```")
        total = write.function(
            "total(text: str) -> int",
            "The sum of the numbers in a text.",
            cases=[
                write.returns(f"total({t!r})", str(n)) for t, n in {"": 0, "1": 1, "1;2": 3, "4;4": 8, "7": 7}.items()
            ],
            tries=[wrong],
            also=[planned, answer],
            complexity="complex",
        )
        return solver.model(total, parts, count, plan={"module": "kit", "functions": [total.spec]})

    return make


@pytest.fixture
def halves(solver, write) -> Model:
    """A model whose two implementations part on negative numbers, of which the contract says nothing."""
    half = write.function(
        "half(number: int) -> int",
        "Half the number.",
        cases=[write.returns(f"half({n})", str(n // 2)) for n in (0, 1, 8, 9)],
        tries=["def half(number: int) -> int:\n    return number // 2"] * 3,
        rival="def half(number: int) -> int:\n    return int(number / 2)",
    )
    return solver.model(half)


@pytest.fixture
def run_folder(solver) -> Callable[[str], Path]:
    """Where a run lies."""
    return lambda identity: solver.cache_dir / "runs" / "served" / identity


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a redis-server; the test skips where there is none: `.ci/redis` installs it."""
    import redis

    if not shutil.which("redis-server"):
        pytest.skip("no redis-server here: .ci/redis installs it")
    folder = tmp_path_factory.mktemp("redis")
    given = ["--port", "0", "--unixsocket", f"{folder}/s", "--save", "", "--dir", str(folder)]
    process = subprocess.Popen(["redis-server", *given], stdout=subprocess.DEVNULL)
    try:
        with closing(redis.Redis.from_url(f"unix://{folder}/s")) as client:
            for _ in range(200):
                with suppress(redis.RedisError):
                    client.ping()
                    break
                time.sleep(0.05)
        yield f"unix://{folder}/s"
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def share(redis_url: str) -> Iterator[Callable[..., SharedRuns]]:
    """Take part in the runs of a store that is this test's own, as another process would; `notes` hears of trouble."""
    namespace = secrets.token_hex(4)
    with ExitStack() as opened:

        def make(*, key: str = "a team's key", lock_s: float = 8.0, notes: list[str] | None = None) -> SharedRuns:
            server = RedisStore(f"{redis_url}?namespace={namespace}", key.encode(), lock_s=lock_s)
            heard = [] if notes is None else notes
            return opened.enter_context(closing(SharedRuns(server, heard.append)))

        yield make
