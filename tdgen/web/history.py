"""What the cache holds, over HTTP: solutions that were solved here, by whichever face."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response
from fastapi.responses import JSONResponse

from tdgen.cache import Row
from tdgen.client import Generator
from tdgen.web.drawing import with_graph
from tdgen.web.replay import retold
from tdgen.web.run_queue import kept_solution
from tdgen.web.runs import HTML, NO_SOLUTION, ZIP, story_of, zip_of

Key = Annotated[str, Path(description="a kept solution's key, or its first digits", max_length=80)]


def history_router(generator: Generator) -> APIRouter:
    """The routes under /history."""
    router = APIRouter(prefix="/history", tags=["history"])

    @router.get("")
    def listing() -> list[Row]:
        """All kept solutions in a few words each, the newest first."""
        return generator.rows()

    @router.get("/{key}/events", responses=NO_SOLUTION)
    def told(key: Key) -> JSONResponse:
        """A kept solution, told as the events of a run."""
        return JSONResponse([event.to_dict() for event in with_graph(retold(kept_solution(generator, key)))])

    @router.get("/{key}/solution", responses=NO_SOLUTION)
    def solution(key: Key) -> JSONResponse:
        """A kept solution, as `tdgen show --json` gives it."""
        return JSONResponse(kept_solution(generator, key).to_dict())

    @router.get("/{key}/package.zip", response_class=Response, responses=ZIP | NO_SOLUTION)
    def package(key: Key) -> Response:
        """The module, its tests and a README."""
        return zip_of(kept_solution(generator, key))

    @router.get("/{key}/story.html", response_class=Response, responses=HTML | NO_SOLUTION)
    def story(key: Key) -> Response:
        """The whole story as one HTML file."""
        return story_of(kept_solution(generator, key))

    return router
