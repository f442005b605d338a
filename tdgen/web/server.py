"""The service: its routes behind its guard, and the server that has its queue."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, closing
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import parse_qs

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match

from tdgen import __version__
from tdgen.client import Generator
from tdgen.errors import InputError, StoreError, TdgenError, UnansweredStore
from tdgen.settings import Settings
from tdgen.solution_html import look
from tdgen.solution_html.layout import words
from tdgen.web.access import AccessLog
from tdgen.web.accounts import metrics
from tdgen.web.callers import Caller, with_token
from tdgen.web.guard import COOKIE, REFUSALS, Guard, Rules
from tdgen.web.listening import Address, GracefulServer, check, listening
from tdgen.web.orders import Body, Conflict, ErrorBody, Full, NoSuchRun
from tdgen.web.run_folder import RunFolder
from tdgen.web.run_queue import RunQueue
from tdgen.web.run_store import ALL, RunStore
from tdgen.web.runs import history_router, runs_router
from tdgen.web.workers import keep_working, on_orphaned

if TYPE_CHECKING:
    from tdgen.team.redis import RedisStore

_STATUS: Final[dict[type[TdgenError], int]] = {
    Full: 429,
    NoSuchRun: 404,
    Conflict: 409,
    InputError: 422,
    UnansweredStore: 503,
    StoreError: 507,
}
_REFUSED: Final = {
    405: "the path has no such method; Allow says which it has",
    422: "what can't be used, and why",
    503: "the store that the service's workers share does not answer",
    507: "the cache can't be used",
}
_METHODS: Final = ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
_KINDS: Final = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


Further = Callable[[Generator, RunQueue], AbstractAsyncContextManager[Iterable[BaseRoute]]]
"""Routes of somebody else's that share the queue and stand behind the same guard; open while the service is."""


class Session(Body):
    """The token, handed in by the page."""

    token: str = Field(max_length=1_000)


def make_app(
    generator: Generator, run_queue: RunQueue, rules: Rules, leaving: asyncio.Event, further: Further | None = None
) -> Guard:
    """The application behind its guard; `leaving` ends the event streams."""

    @asynccontextmanager
    async def living(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as opened:
            if further:
                app.routes.extend(await opened.enter_async_context(further(generator, run_queue)))
            yield
            leaving.set()
            await asyncio.to_thread(run_queue.close)

    app = FastAPI(
        title="tdgen",
        version=__version__,
        description="Prose in, tested Python functions out, tests first.",
        docs_url=None,
        redoc_url=None,
        lifespan=living,
        responses={status: {"model": ErrorBody, "description": why} for status, why in (REFUSALS | _REFUSED).items()},
    )
    app.include_router(runs_router(run_queue, leaving))
    app.include_router(history_router(generator, run_queue.runs))
    _add_errors(app)
    _add_page(app, rules)
    _add_watching(app, run_queue)
    return Guard(app, rules)


def _add_errors(app: FastAPI) -> None:
    @app.exception_handler(TdgenError)
    async def told(_: Request, error: TdgenError) -> JSONResponse:
        status = next((code for kind, code in _STATUS.items() if isinstance(error, kind)), 500)
        headers = {"retry-after": str(error.retry_after)} if isinstance(error, Full) else None
        return JSONResponse({"error": str(error)}, status, headers)

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> JSONResponse:
        headers = error.headers
        if error.status_code == 405:  # each method of a path has a route of its own, which knows of no other
            asked = [(method, {**request.scope, "method": method}) for method in _METHODS]
            there = [m for m, scope in asked if any(route.matches(scope)[0] == Match.FULL for route in app.routes)]
            headers = {"allow": ", ".join(there)}
        return JSONResponse({"error": error.detail}, error.status_code, headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(_: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        return JSONResponse({"error": f"{where}: {first['msg']}" if where else first["msg"]}, 422)


def _add_page(app: FastAPI, rules: Rules) -> None:
    """The page's files, read once: they are small, and there is no other path to ask for."""
    folder = resources.files("tdgen.web").joinpath("static")
    files = {entry.name: entry.read_bytes() for entry in folder.iterdir() if Path(entry.name).suffix in _KINDS}
    files["look.css"] = look().encode()
    files["told.js"] = "".join(f"export const {n} = {json.dumps(v)};\n" for n, v in words().items()).encode()

    @app.get("/static/{name}", include_in_schema=False)
    async def static(name: str) -> Response:
        if name not in files:
            return JSONResponse({"error": "there is no such file"}, 404)
        return Response(files[name], media_type=_KINDS[Path(name).suffix], headers={"cache-control": "no-cache"})

    @app.get("/", include_in_schema=False)
    async def page(request: Request) -> Response:
        token = parse_qs(request.scope["query_string"].decode("latin-1")).get("token", [""])[0]
        caller = with_token(rules.callers, token)
        if caller is None:
            return await static("index.html")
        return _remembered(RedirectResponse("/", 303), caller)

    @app.post("/session", status_code=204, tags=["page"])
    async def session(given: Session) -> Response:
        """Hand in the token; the page's further calls are let in by a cookie that no script can read."""
        caller = with_token(rules.callers, given.token)
        if rules.callers and caller is None:
            return JSONResponse({"error": "that is not the token"}, 401)
        return _remembered(Response(status_code=204), caller)


def _add_watching(app: FastAPI, run_queue: RunQueue) -> None:
    """What a load balancer and a monitor ask for."""
    unwell: dict[int | str, dict[str, Any]] = {503: {"model": ErrorBody, "description": "its runs can't be read"}}

    @app.get("/healthz", tags=["watching"], responses=unwell)
    def healthy() -> dict[str, str]:
        """Whether the service answers, and can read its runs."""
        try:
            run_queue.runs.counts(ALL)
        except StoreError as error:
            raise HTTPException(503, str(error)) from None
        return {"tdgen": __version__}

    text: dict[int | str, dict[str, Any]] = {200: {"content": {"text/plain": {}}, "description": "the figures"}}

    @app.get("/metrics", tags=["watching"], response_class=Response, responses=text)
    def told() -> Response:
        """Runs by their states, and what each token spent, as Prometheus reads it; over all workers."""
        return Response(metrics(run_queue.runs), media_type="text/plain; version=0.0.4")


def _remembered(response: Response, caller: Caller | None) -> Response:
    """With the cookie by which the caller's page is known from now on: no script reads it, no other site sends it."""
    if caller is not None:
        response.set_cookie(COOKIE, caller.session, httponly=True, samesite="strict", path="/")
    return response


MOST_CONNECTIONS: Final = 1_000


class Queue(NamedTuple):
    """How many runs go on at once, and how many may wait.

    Where there are `workers`, so many processes take part in the runs of the team's store, each with so many at once.
    """

    at_once: int = 2
    waiting: int = 32
    workers: int = 0


class Server(GracefulServer):
    """The service behind a socket; `run_queue` is its queue."""

    def __init__(
        self, config: uvicorn.Config, run_queue: RunQueue, leaving: asyncio.Event, ready: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self.run_queue = run_queue
        self._leaving = leaving
        self._ready = ready

    def leave(self) -> None:
        """End in good order, from any thread."""
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Say when it answers."""
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the event streams before those who read them are waited for."""
        self._leaving.set()
        await super().shutdown(sockets)


def make_server(
    generator: Generator,
    runs: RunStore,
    address: Address,
    queue: Queue,
    ready: Callable[[], None],
    further: Further | None = None,
) -> Server:
    """A server that answers once it is given a socket, and goes on at once with what was left of `runs`."""
    leaving = asyncio.Event()
    run_queue = RunQueue(generator, runs, at_once=queue.at_once, waiting=queue.waiting)
    rules = Rules(address.callers, frozenset((address.host, *address.names)))
    config = uvicorn.Config(
        AccessLog(make_app(generator, run_queue, rules, leaving, further)),
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=3,
        ws="none",
    )
    return Server(config, run_queue, leaving, ready)


def serve(
    settings: Settings, address: Address, queue: Queue, say: Callable[[str], None], further: Further | None = None
) -> None:
    """Serve until the process is told to end; `say` is told where, in a line.

    InputError where the address can't be listened at, or is open to others without a token, and where there is no
    store for workers; StoreError where the cache, or that store, can't be used.
    """
    check(address)
    if queue.workers:
        _check_shared(settings)
    with listening(address) as listener:
        port = listener.getsockname()[1]
        shown = f"[{address.host}]" if ":" in address.host else address.host
        ready = partial(say, f"tdgen is at http://{shown}:{port}/ (Ctrl-C ends it)")

        def work(ready: Callable[[], None], keeper: int = 0) -> None:
            with Generator(settings) as generator:
                runs = _shared(settings, say) if queue.workers else RunFolder(generator.folder)
                server = make_server(generator, runs, address, queue, ready, further)
                if keeper:
                    on_orphaned(keeper, server.leave)
                try:
                    asyncio.run(server.serve([listener]))
                finally:
                    server.run_queue.close()

        if queue.workers > 1:
            ready()
            keep_working(queue.workers, partial(work, lambda: None, os.getpid()), say)
        else:
            work(ready)


def _check_shared(settings: Settings) -> None:
    """InputError, StoreError where there is no store for workers to share."""
    if not settings.store.get_secret_value():
        raise InputError(
            "--workers share their runs in a store: set TDGEN_STORE=redis://… (docs/service.md), or leave --workers out"
        )
    if settings.store_read_only:
        raise InputError("--workers write their runs to the store: leave --store-read-only out, or --workers")
    with closing(_server(settings)) as server:
        server.get("ready")


def _shared(settings: Settings, say: Callable[[str], None]) -> RunStore:
    from tdgen.web.run_redis import SharedRuns

    return SharedRuns(_server(settings), say)


def _server(settings: Settings) -> RedisStore:
    from tdgen.team.redis import RedisStore

    return RedisStore(settings.store.get_secret_value(), settings.store_key.get_secret_value().encode())
