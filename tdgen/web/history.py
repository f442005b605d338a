"""What the cache holds, over HTTP: solutions that were solved here, by whichever face."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from fastapi.responses import HTMLResponse, JSONResponse

from tdgen.cache import Row
from tdgen.errors import InputError
from tdgen.generator import Generator
from tdgen.types import Solution
from tdgen.web.drawing import with_graph
from tdgen.web.orders import NoSuchRun, Told
from tdgen.web.retelling import retold
from tdgen.web.runs import ZIP, story_of, zip_of
from tdgen.wiring import Workplace

Key = Annotated[str, Path(description="a kept solution's key, or its first digits", max_length=80)]
ABSENT: dict[int | str, dict[str, Any]] = {404: {"model": Told, "description": "there is no such solution"}}


def history_router(generator: Generator) -> APIRouter:
    """The routes under /history."""
    router = APIRouter(prefix="/history", tags=["history"])
    shelf = Workplace(generator.settings)

    @router.get("")
    def listing() -> list[Row]:
        """All kept solutions in a few words each, the newest first."""
        return shelf.solutions.rows()

    @router.get("/{key}/events", responses=ABSENT)
    def told(key: Key) -> JSONResponse:
        """A kept solution, told as the events of a run."""
        return JSONResponse([event.to_dict() for event in with_graph(retold(_found(generator, key)))])

    @router.get("/{key}/solution", responses=ABSENT)
    def solution(key: Key) -> JSONResponse:
        """A kept solution, as `tdgen show --json` gives it."""
        return JSONResponse(_found(generator, key).to_dict())

    @router.get("/{key}/package.zip", response_class=Response, responses=ZIP | ABSENT)
    def package(key: Key) -> Response:
        """The module, its tests and a README."""
        return zip_of(_found(generator, key))

    @router.get("/{key}/story.html", response_class=HTMLResponse, responses=ABSENT)
    def story(key: Key) -> Response:
        """The whole story as one HTML file."""
        return story_of(_found(generator, key))

    return router


def _found(generator: Generator, key: str) -> Solution:
    """The kept solution of that key; NoSuchRun where there is none, or several."""
    try:
        return generator.find(key)
    except InputError as error:
        raise NoSuchRun(str(error)) from None
