"""Runs and solutions over HTTP: what can be asked of them, and one as a zip file."""

from __future__ import annotations

import asyncio
import io
import zipfile
from typing import Annotated, Any, Final, NamedTuple

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, StreamingResponse

from tdgen.cache import Row
from tdgen.chat.turns import turn_lines
from tdgen.chat.why import why_lines
from tdgen.client import Generator
from tdgen.errors import InputError
from tdgen.solution import Solution
from tdgen.solution.writing import with_record
from tdgen.solution_html import POLICY
from tdgen.web.guard import caller_of
from tdgen.web.orders import GONE, Body, Conflict, ErrorBody, FollowUp, NoSuchRun, Order, Reply, RunRecord, RunRow
from tdgen.web.partial import retold, with_graph
from tdgen.web.run import kept_solution
from tdgen.web.run_queue import RunQueue
from tdgen.web.run_store import RunStore
from tdgen.web.streaming import EventStream, events

MARK: Final = "NOT-ALL-GREEN.txt"
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)


class Archive(NamedTuple):
    """A zip file's name and content."""

    name: str
    content: bytes


def archive(solution: Solution) -> Archive:
    """The package's files in one folder, its record among them. The same solution is the same bytes."""
    module = solution.plan.module
    files = with_record(solution, solution.files(readme=True))
    if not solution.all_tests_passed:
        ends = "".join(f"{r.function}: {r.outcome} {r.reason}".rstrip() + "\n" for r in solution.results)
        files[MARK] = f"Not all of this is right: it holds the best attempts.\n\n{ends}"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{module}/{name}", _MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, text.encode("utf-8", "backslashreplace"))
    return Archive(f"{module}{'' if solution.all_tests_passed else '-not-all-green'}.zip", buffer.getvalue())


Id = Annotated[str, Path(description="a run's id")]
Question = Annotated[
    str, Query(min_length=1, max_length=1_000, description="with a case's name or call, or a function's name")
]
ABSENT: dict[int | str, dict[str, Any]] = {404: {"model": ErrorBody, "description": "there is no such run"}}
NO_SOLUTION: dict[int | str, dict[str, Any]] = {404: {"model": ErrorBody, "description": "there is no such solution"}}
WRONG: dict[int | str, dict[str, Any]] = {409: {"model": ErrorBody, "description": "not in the run's present state"}}
QUEUED: dict[int | str, dict[str, Any]] = {
    429: {
        "model": ErrorBody,
        "description": "as many wait as may, or the token may ask for no more now; Retry-After says when to come back",
    }
}
ZIP: dict[int | str, dict[str, Any]] = {200: {"content": {"application/zip": {}}, "description": "the package"}}
HTML: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/html": {"schema": {"type": "string"}}}, "description": "the story"}
}
EVENT: dict[str, Any] = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("id", "event", "data")},
    "required": ["id", "data"],
}
STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {"text/event-stream": {"itemSchema": EVENT}},
        "description": "server-sent events: the id is the event's number, the data its JSON",
    }
}


def runs_router(run_queue: RunQueue, leaving: asyncio.Event) -> APIRouter:
    """The routes under /runs; a stream of events ends where the service is `leaving`."""
    router = APIRouter(prefix="/runs", tags=["runs"])
    _orders(router, run_queue)
    _states(router, run_queue, leaving)

    def solved(identity: Id) -> Solution:
        """What came of a run; Conflict where nothing did, or not yet."""
        record, solution = run_queue.record(identity), run_queue.runs.solution(identity)
        if solution is None:
            if record.key:
                raise Conflict(f"the run {identity} {GONE}")
            why = "came to nothing" if record.has_ended else f"is {record.state}"
            raise Conflict(f"the run {identity} {why}: there is no package of it")
        return solution

    _results(router, "/{identity}", Depends(solved), ABSENT | WRONG)
    return router


def _orders(router: APIRouter, run_queue: RunQueue) -> None:
    """What begins a run, goes on from one, ends it, or answers it."""

    @router.post("", status_code=202, responses=QUEUED | NO_SOLUTION)
    def post(order: Order, response: Response, request: Request) -> RunRecord:
        """Have an instruction solved: it is queued, and what becomes of it is told under the run's id."""
        record = run_queue.take(order, caller_of(request.scope))
        response.headers["location"] = f"/runs/{record.id}"
        return record

    @router.delete("/{identity}", status_code=202, responses=ABSENT | WRONG)
    def cancel(identity: Id) -> RunRecord:
        """End a run: no model is asked any more, and what is best so far is kept."""
        return run_queue.cancel(identity)

    @router.post("/{identity}/follow", status_code=202, responses=ABSENT | WRONG | QUEUED)
    def follow(identity: Id, what: FollowUp, response: Response, request: Request) -> RunRecord:
        """Go on from what a run solved: only what the words change is built anew."""
        record = run_queue.record(identity)
        if record.state != "green":
            raise Conflict(f"the run {identity} is {record.state}: only what is all green can be followed up")
        order = Order(instruction=what.instruction, options=what.options, follow=record.key)
        return post(order, response, request)

    @router.post("/{identity}/answers", status_code=204, responses=ABSENT | WRONG)
    def answer(identity: Id, reply: Reply) -> None:
        """Answer an open question of a run."""
        run_queue.answer(identity, reply.question, reply.answer)


def _states(router: APIRouter, run_queue: RunQueue, leaving: asyncio.Event) -> None:
    """How runs stand, and what happens in them."""

    @router.get("")
    def listing() -> list[RunRow]:
        """All runs in a few words each, the newest first."""
        return [RunRow.of(record) for record in run_queue.runs.records()]

    @router.get("/{identity}", responses=ABSENT)
    def one(identity: Id) -> RunRecord:
        """How a run stands."""
        return run_queue.record(identity)

    @router.get("/{identity}/events", response_class=StreamingResponse, responses=STREAM | ABSENT)
    async def watch(
        identity: Id,
        last_event_id: Annotated[str, Header()] = "",
        after: Annotated[int, Query(ge=0, description="as Last-Event-ID, for whoever can send no header")] = 0,
    ) -> Response:
        """What happens in a run, from its first event or the one behind Last-Event-ID, until it ends."""
        run_queue.record(identity)  # NoSuchRun before the stream begins
        number = int(last_event_id) if last_event_id.isdecimal() and len(last_event_id) < 12 else after
        return EventStream(events(run_queue.runs, identity, number, leaving))


class Told(Body):
    """Lines for people, out of the record."""

    lines: tuple[str, ...]


def _results(router: APIRouter, place: str, found: Any, absent: dict[int | str, Any]) -> None:
    """What can be asked of a solution, which `found` (a dependency) finds by the path's `place`."""

    @router.get(f"{place}/solution", responses=absent)
    def solution(solution: Solution = found) -> JSONResponse:
        """The solution, as `tdgen solve --json` and `tdgen show --json` give it."""
        return JSONResponse(solution.to_dict())

    @router.get(f"{place}/why", responses=absent)
    def why(question: Question, solution: Solution = found) -> Told:
        """Why a case expects what it does, or how a function came to be; no model is asked."""
        try:
            return Told(lines=tuple(line.text for line in why_lines(solution, question)))
        except InputError as error:
            raise NoSuchRun(str(error)) from None

    @router.get(f"{place}/package.zip", response_class=Response, responses=ZIP | absent)
    def package(solution: Solution = found) -> Response:
        """The module, its tests and a README; of what is not all green the best attempts, marked."""
        packed = archive(solution)
        headers = {"content-disposition": f'attachment; filename="{packed.name}"'}
        return Response(packed.content, media_type="application/zip", headers=headers)

    @router.get(f"{place}/story.html", response_class=Response, responses=HTML | absent)
    def story(solution: Solution = found) -> Response:
        """The whole story as one HTML file, under a policy by which nothing in it can do anything."""
        policy = f"{POLICY}; frame-ancestors 'none'; sandbox"
        return HTMLResponse(
            solution.to_html().encode("utf-8", "backslashreplace"), headers={"content-security-policy": policy}
        )


Key = Annotated[str, Path(description="a kept solution's key, or its first digits", max_length=80)]


def history_router(generator: Generator, runs: RunStore) -> APIRouter:
    """The routes under /history."""
    router = APIRouter(prefix="/history", tags=["history"])

    @router.get("")
    def listing() -> list[Row]:
        """All kept solutions in a few words each, the newest first."""
        return generator.rows()

    @router.get("/{key}/events", responses=NO_SOLUTION)
    def told(key: Key) -> JSONResponse:
        """A kept solution, told as the events of a run."""
        return JSONResponse([event.to_dict() for event in with_graph(retold(kept_solution(generator, runs, key)))])

    @router.get("/{key}/turn", responses=NO_SOLUTION)
    def turn(key: Key) -> Told:
        """What a solution changed of the one that it follows, and what it left alone."""
        after = kept_solution(generator, runs, key)
        before = kept_solution(generator, runs, after.follows) if after.follows else None
        return Told(lines=tuple(line.text for line in turn_lines(before, after)))

    def kept(key: Key) -> Solution:
        return kept_solution(generator, runs, key)

    _results(router, "/{key}", Depends(kept), NO_SOLUTION)
    return router
