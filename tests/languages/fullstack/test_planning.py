"""A planner's answer for a service and its page: sides and routes, and what is no such plan."""

from __future__ import annotations

import pytest

from tdgen.errors import InputError
from tdgen.languages.fullstack import FullStack
from tdgen.languages.fullstack.planning import SidedPlan, makers, side_of

SHOW = {
    "name": "mount_pens",
    "side": "page",
    "purpose": "Shows pens.",
    "returns": "None",
    "dependencies": ["create_app"],
}
SHOW["parameters"] = [{"name": "root", "type": "dom.Element"}]
MAKE = {"name": "create_app", "side": "service", "purpose": "Makes it.", "returns": "fastapi.FastAPI"}
ROUTE = {"method": "get", "path": "/pens", "answers": [{"status": 200, "body": '{"type": "array"}'}]}
TOLD = {"module": "pens", "functions": [MAKE, SHOW], "packages": ["fastapi", "dom"], "routes": [ROUTE]}


def planned(**changes):
    """A planner's answer, changed."""
    return SidedPlan.model_validate(TOLD | changes).plan("Pens.")


def test_each_unit_has_its_language_and_the_plan_its_routes():
    """What the planner says of sides and routes stands in the plan; a schema may come as text or as an object."""
    plan = planned(routes=[ROUTE | {"sent": {"type": "object"}}])
    assert {one.name: one.language for one in plan.functions} == {"create_app": "python", "mount_pens": "javascript"}
    (route,) = plan.routes
    assert (route.method, route.sent, route.answers[0].body) == ("GET", {"type": "object"}, {"type": "array"})
    assert (makers(plan), FullStack().problems(plan)) == (["create_app"], [])


def test_each_side_has_its_own_plan():
    """A side's plan knows nothing of the other's units and packages."""
    page, service = (side_of(planned(), page=which) for which in (True, False))
    assert ([one.name for one in page.functions], page.packages) == (["mount_pens"], ("dom",))
    assert page.functions[0].dependencies == ()
    assert ([one.name for one in service.functions], service.packages) == (["create_app"], ("fastapi",))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"functions": [MAKE]}, "plan the page, too"),
        ({"functions": [SHOW | {"dependencies": []}]}, "plan one function of side `service`"),
        ({"functions": [MAKE, SHOW | {"dependencies": []}]}, "name 'create_app' in `dependencies`"),
        ({"functions": [MAKE | {"dependencies": ["mount_pens"]}, SHOW]}, "is on the other side"),
        ({"functions": [MAKE | {"parameters": SHOW["parameters"]}, SHOW]}, "a service has no page"),
        ({"routes": []}, "`routes` is empty"),
        ({"routes": [ROUTE | {"path": "pens"}]}, "its path begins with /"),
        (
            {"routes": [ROUTE | {"path": path} for path in ("/pens/{id}", "/pens/{name}")]},
            "/pens/{} is in `routes` twice",
        ),
        ({"routes": [ROUTE | {"sent": "{"}]}, "its schema is no JSON object"),
        ({"routes": [ROUTE | {"sent": {"$ref": "#/a"}}]}, "has '$ref'"),
    ],
)
def test_what_is_no_service_with_its_page_goes_back(changes, said):
    """The planner is told what is missing, or can't be held."""
    assert any(said in one for one in FullStack().problems(planned(**changes)))


def test_who_tests_a_side_is_told_what_concerns_it():
    """The contract goes to both sides of it, how both are tried together to the page, and neither to what computes."""
    plus = {"name": "plus", "side": "page", "purpose": "The sum.", "returns": "int"}
    plan = planned(functions=[MAKE, SHOW, plus])
    notes = {one.name: FullStack().unit_note(one, plan) for one in plan.functions}
    told = {name: ["/pens" in note, "dom.Page" in note, "page.serve(" in note] for name, note in notes.items()}
    assert told == {
        "create_app": [True, False, False],
        "mount_pens": [True, True, True],
        "plus": [False, False, False],
    }


def test_without_a_framework_nothing_is_asked():
    """No web framework is allowed: there can be no service, and the line says what to allow."""
    with pytest.raises(InputError, match="--allow fastapi, starlette or flask"):
        FullStack().planning(frozenset())
    assert "fastapi.FastAPI" in FullStack().planning(frozenset({"fastapi"}))
