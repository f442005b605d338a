"""What the cache holds, over HTTP: solutions that were solved here, by whichever face."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from fastapi.responses import HTMLResponse, JSONResponse

from tdgen.cache import Row
from tdgen.generator import Generator
from tdgen.web.orders import Told
from tdgen.web.retelling import retold
from tdgen.web.runs import ZIP, story_of, zip_of
from tdgen.wiring import Workplace

Key = Annotated[str, Path(description="a kept solution's key, or its first digits", max_length=80)]
ABSENT: dict[int | str, dict[str, Any]] = {422: {"model": Told, "description": "there is no such solution"}}


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
        return JSONResponse([event.to_dict() for event in retold(generator.find(key))])

    @router.get("/{key}/solution", responses=ABSENT)
    def solution(key: Key) -> JSONResponse:
        """A kept solution, as `tdgen show --json` gives it."""
        return JSONResponse(generator.find(key).to_dict())

    @router.get("/{key}/package.zip", response_class=Response, responses=ZIP | ABSENT)
    def package(key: Key) -> Response:
        """The module, its tests and a README."""
        return zip_of(generator.find(key))

    @router.get("/{key}/story.html", response_class=HTMLResponse, responses=ABSENT)
    def story(key: Key) -> Response:
        """The whole story as one HTML file."""
        return story_of(generator.find(key))

    return router
