"""What a planner says of a service and its page: of each unit its side, and the routes between the two."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field

from tdgen.languages.fullstack.schema import unknown
from tdgen.languages.shapes import DOM
from tdgen.prompts.context import contract
from tdgen.specs.declarations import types_named
from tdgen.specs.reply import ClassReply, FunctionReply, PlanReply, _Reply
from tdgen.types import FunctionSpec, Plan
from tdgen.types.interface import Answered, Route

SERVICE: Final = "python"
PAGE: Final = "javascript"
Side = Literal["service", "page"]
_LANGUAGES: Final[dict[Side, str]] = {"service": SERVICE, "page": PAGE}
APPLICATIONS: Final = frozenset({"fastapi.FastAPI", "starlette.applications.Starlette", "flask.Flask"})
"""What is returned by a function that makes an application."""


def _as_text(schema: Any) -> Any:
    """A schema as text, however it was given."""
    return schema if isinstance(schema, str) else json.dumps(schema)


SchemaText = Annotated[str, BeforeValidator(_as_text)]


class SidedFunction(FunctionReply):
    """A function, and on which side it is."""

    side: Side = "service"


class SidedClass(ClassReply):
    """A class, and on which side it is."""

    side: Side = "service"


class AnswerReply(_Reply):
    """An answer of a route: its status, and the JSON schema of its body as text, empty for none."""

    status: int
    body: SchemaText = ""


class RouteReply(_Reply):
    """A route, and the JSON schema of what is sent as text, empty for none."""

    method: str
    path: str
    sent: SchemaText = ""
    answers: list[AnswerReply]

    def route(self) -> Route:
        """The answer in the domain's words; a text that is no JSON stands as a schema that is refused."""
        answers = tuple(Answered(status=one.status, body=_schema(one.body)) for one in self.answers)
        return Route(
            method=self.method.strip().upper(), path=self.path.strip(), sent=_schema(self.sent), answers=answers
        )


class SidedPlan(PlanReply):
    """A plan of a service and its page."""

    functions: list[SidedFunction] = Field(default=[])  # type: ignore[assignment]
    classes: list[SidedClass] = Field(default=[])  # type: ignore[assignment]
    routes: list[RouteReply] = Field(default=[])

    def plan(self, text: str) -> Plan:
        """The answer in the domain's words, unchecked."""
        sides = {one.name: _LANGUAGES[one.side] for one in self.functions} | {
            one.name: _LANGUAGES[one.side] for one in self.classes
        }
        plan = super().plan(text)
        units = tuple(one.model_copy(update={"language": sides[one.name]}) for one in plan.functions)
        return plan.model_copy(update={"functions": units, "routes": tuple(one.route() for one in self.routes)})


_NO_JSON: Final = "no JSON"
_PARAMETER: Final = re.compile(r"\{[^}]*\}")


def _schema(text: str) -> dict[str, Any]:
    try:
        schema = json.loads(text) if text.strip() else {}
    except ValueError:
        schema = None
    return schema if isinstance(schema, dict) else {_NO_JSON: True}


def is_page(spec: FunctionSpec) -> bool:
    """Whether a unit is of the page."""
    return spec.language == PAGE


def makers(plan: Plan) -> list[str]:
    """The functions that make an application."""
    return [one.name for one in plan.functions if not is_page(one) and one.returns.type in APPLICATIONS]


def side_of(plan: Plan, *, page: bool) -> Plan:
    """The plan as one side has it: its units and what they name, as if there were no other."""
    own = tuple(one for one in plan.functions if is_page(one) is page)
    names = {one.name for one in own}
    units = tuple(
        one.model_copy(update={"dependencies": tuple(name for name in one.dependencies if name in names)})
        for one in own
    )
    packages = tuple(name for name in plan.packages if (name == DOM) is page)
    file = "" if page else plan.file
    changes: dict[str, Any] = {"functions": units, "packages": packages, "file": file, "entry": None}
    if page:
        changes["types"] = types_named(plan, "\n".join(map(contract, units)))
    return plan.model_copy(update=changes)


def _of_route(route: Route) -> Iterator[str]:
    where = f"route {route.method} {route.path}"
    if not route.path.startswith("/") or not route.answers:
        yield f"{where}: its path begins with /, and it has at least one answer"
    for schema in (route.sent, *(one.body for one in route.answers)):
        if reason := "its schema is no JSON object" if _NO_JSON in schema else unknown(schema):
            yield f"{where}: {reason}"


def problems(plan: Plan) -> Iterator[str]:
    """What of a plan is no service with its page."""
    apps, pages = makers(plan), [one for one in plan.functions if is_page(one)]
    for spec in plan.functions:
        across = {name for name in spec.dependencies if is_page(plan.spec(name)) is not is_page(spec)}
        if wrong := sorted(across - set(apps if is_page(spec) else ())):
            yield f"{spec.unit} {spec.name!r}: {wrong[0]!r} is on the other side, where requests lead alone"
        if not is_page(spec) and f"{DOM}." in spec.signature:
            yield f"{spec.unit} {spec.name!r}: a service has no page"
    yield from (reason for route in plan.routes for reason in _of_route(route))
    asked = Counter(f"{route.method} {_PARAMETER.sub('{}', route.path)}" for route in plan.routes)
    yield from (f"{one} is in `routes` twice: say all that it answers in one" for one, n in asked.items() if n > 1)
    if len(apps) != 1:
        yield "plan one function of side `service` that makes the application (`create_app`), as the rules say"
    if not pages:
        yield "plan the page, too: functions of side `page`"
    if not plan.routes:
        yield "`routes` is empty: say there what the page asks and the service answers"
    if pages and apps and not any(apps[0] in one.dependencies for one in pages):
        yield f"name {apps[0]!r} in `dependencies` of the function that shows the whole page: its tests try both sides"
