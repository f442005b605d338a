"""Runs over HTTP: asked for, watched, followed up, taken home."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from jsonschema_rs import Draft202012Validator

from tdgen.cache import DiskStore
from tdgen.events import Event
from tdgen.solution.document import events_schema
from tdgen.solution.writing import with_record
from tdgen.web.orders import Conflict
from tdgen.web.runs import runs_router

WRONG = "def double(number: int) -> int:\n    return 2 * number if number < 7 else 0"


def test_an_instruction_becomes_a_package(serve, solver, double):
    """Posted, watched to its end, and taken home as a zip whose files are the solution's."""
    service = serve(solver.model(double()))
    identity = service.post("Double a number.")
    told = [event for _, event in service.events(identity)]
    schema = Draft202012Validator(events_schema(Event.__subclasses__()))
    assert all(schema.is_valid(event) for event in told)
    seen = [event["event"] for event in told]
    assert seen[0] == "run_started"
    assert seen[-1] == "run_ended"
    assert {"plan_made", "suite_written", "attempt_judged", "function_ended", "budget_told"} <= set(seen)
    record = service.record(identity)
    assert (record["state"], record["module"], record["green"], record["functions"]) == ("green", "kit", 1, 1)
    answer = service.http.get(f"/runs/{identity}/package.zip")
    assert 'filename="kit.zip"' in answer.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        texts = {name: packed.read(name).decode() for name in packed.namelist()}
    solution = solver.generator().find(record["key"])
    whole = {f"kit/{name}": text for name, text in with_record(solution, solution.files(readme=True)).items()}
    assert texts.keys() == whole.keys()
    assert {name: text for name, text in texts.items() if name.endswith(".py")}.items() <= whole.items()


def test_events_are_numbered_and_resumed(serve, solver, double):
    """From 1 on, without a gap; whoever comes back with the last number misses nothing and hears nothing twice."""
    service = serve(solver.model(double()))
    identity = service.post()
    whole = list(service.events(identity))
    assert [number for number, _ in whole] == list(range(1, len(whole) + 1))
    assert list(service.events(identity, after=5)) == whole[5:]
    assert list(service.events(identity, after=len(whole))) == []
    assert list(service.events(identity, after=10**6)) == []


def test_what_the_events_leave_unsaid_is_told_at_the_end(serve, solver, double):
    """Each function's suite as it became, its test file, and which attempt is its best."""
    service = serve(solver.model(double(WRONG, "def double(number: int) -> int:\n    return 2 * number")))
    identity = service.post()
    told = [event for _, event in service.events(identity) if event["event"] == "function_told"]
    assert told[0]["best"] == {"number": 2, "line": 0}
    assert "def test_double" in told[0]["tests"]
    assert [case["name"] for case in told[0]["suite"]["cases"]] == ["double_0", "double_1", "double_7", "double_4"]


def test_a_solution_from_the_cache_is_told_whole(serve, solver, double):
    """Whoever looks at the second run of an instruction sees what was to be seen at the first."""
    service = serve(solver.model(double(WRONG, "def double(number: int) -> int:\n    return 2 * number")))
    first, second = service.post(), service.post()
    service.ended(first)
    assert service.ended(second)["cached"] is True
    of = {identity: [event for _, event in service.events(identity)] for identity in (first, second)}
    for kind in ("plan_made", "attempt_judged", "function_ended", "function_told"):
        plain = [[{k: v for k, v in e.items() if k != "at"} for e in of[one] if e["event"] == kind] for one in of]
        assert plain[0] == plain[1]


def test_a_failed_run_is_marked(serve, solver, double):
    """Its zip holds the best attempt, and says in name, module and a file of its own that it is not right."""
    service = serve(solver.model(double(WRONG)), budget="iterations=1")
    record = service.ended(service.post())
    assert record["state"] == "red"
    answer = service.http.get(f"/runs/{record['id']}/package.zip")
    assert "kit-not-all-green.zip" in answer.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        assert packed.read("kit/kit.py").decode().startswith("# Not all of this is right: double is red.")
        assert "double: red" in packed.read("kit/NOT-ALL-GREEN.txt").decode()
    assert "not all green" in service.http.get(f"/runs/{record['id']}/story.html").text


def test_a_run_that_came_to_nothing_says_why(serve, solver, write):
    """And has no package."""
    service = serve(solver.model(plan=write.said("no plan at all")))
    record = service.ended(service.post())
    assert record["state"] == "failed"
    assert "plan" in record["error"]
    answer = service.http.get(f"/runs/{record['id']}/package.zip")
    assert answer.status_code == 409
    assert "came to nothing" in answer.json()["error"]


@pytest.mark.parametrize("state", ["green", "red"])
def test_a_solution_that_is_no_longer_there_is_told_as_that(state):
    """Its run did not come to nothing, green or not."""
    record = SimpleNamespace(key="sha256:1", state=state, has_ended=True)
    run_queue = Mock(**{"record.return_value": record, "runs.solution.return_value": None})
    app = FastAPI()
    app.include_router(runs_router(run_queue, asyncio.Event()))
    with pytest.raises(Conflict, match=r"^the run 1 came to a solution that is gone, or was changed in the store"):
        TestClient(app).get("/runs/1/solution")


def test_an_instruction_that_is_declined_says_why(serve, solver):
    """The run has failed, for the planner's reason, and nothing but the plan was paid for."""
    service = serve(solver.model(plan={"declined": "A Flask app is out of scope."}))
    record = service.ended(service.post("A Flask app with one page."))
    assert (record["state"], record["error"]) == (
        "failed",
        "declined: A Flask app is out of scope.",
    )
    assert record["usage"]["calls"] <= 1


def test_a_follow_up_goes_on_from_what_was_solved(serve, solver, double):
    """The new run's instruction holds the earlier one, and what did not change is not written again."""
    service = serve(solver.model(double()))
    first = service.ended(service.post("Double a number."))
    answer = service.http.post(f"/runs/{first['id']}/follow", json={"instruction": "And be quick."})
    second = service.ended(answer.json()["id"])
    assert second["order"]["follow"] == first["key"]
    assert second["state"] == "green"
    solution = service.http.get(f"/runs/{second['id']}/solution").json()
    assert solution["instruction"] == "Double a number.\n\nAnd be quick."
    assert solution["attempts"]["double"][0]["rung"] == "kept"


def test_a_follow_up_needs_something_to_follow(serve, solver, double, gate):
    """An unknown run is not there, one that goes on is not done, one that failed has nothing to go on from."""
    gated = gate(solver.model(double(WRONG)), "plan")
    service = serve(gated, budget="iterations=1")
    more = {"instruction": "And more."}
    assert service.http.post("/runs/0123456789abcdef/follow", json=more).status_code == 404
    identity = service.post()
    assert gated.waiting.wait(10)
    answer = service.http.post(f"/runs/{identity}/follow", json=more)
    assert answer.status_code == 409
    assert "is running" in answer.json()["error"]
    gated.open.set()
    service.ended(identity)
    assert "is red" in service.http.post(f"/runs/{identity}/follow", json=more).json()["error"]


def test_the_cache_is_history(serve, solver, double):
    """Solutions by whatever face, with all that a run's own page has."""
    key = solver.solve(double(), text="Double a number.").solution.key
    service = serve(solver.model())
    assert [row["key"] for row in service.http.get("/history").json()] == [key]
    short = key.removeprefix("sha256:")[:12]
    events = service.http.get(f"/history/{short}/events").json()
    assert events[0]["event"] == "plan_made"
    assert service.http.get(f"/history/{short}/solution").json()["key"] == key
    assert service.http.get(f"/history/{short}/package.zip").content[:2] == b"PK"
    assert "Double a number." in service.http.get(f"/history/{short}/story.html").text
    assert service.http.get("/history/ffff/solution").status_code == 404


def test_the_history_opens_no_store_of_its_own(serve, solver, double, monkeypatch):
    """Every store that a service opened is closed with its generator."""
    solver.solve(double())
    opened, closed = [], []
    monkeypatch.setattr(DiskStore, "__init__", noting(DiskStore.__init__, opened))
    monkeypatch.setattr(DiskStore, "close", noting(DiskStore.close, closed))
    service = serve(solver.model())
    assert len(service.http.get("/history").json()) == 1
    service.close()
    service.generator.close()
    assert opened
    assert {id(store) for store in opened} == {id(store) for store in closed}


def noting(method, called):
    """A method that notes on which objects it is called."""

    def noted(store, *given, **named):
        called.append(store)
        return method(store, *given, **named)

    return noted


def test_the_service_describes_itself(service):
    """OpenAPI names every way in, and what each may answer."""
    described = service.http.get("/openapi.json").json()
    assert {(path, method) for path, methods in described["paths"].items() for method in methods} >= {
        ("/runs", "post"),
        ("/runs", "get"),
        ("/runs/{identity}", "get"),
        ("/runs/{identity}", "delete"),
        ("/runs/{identity}/follow", "post"),
        ("/runs/{identity}/answers", "post"),
        ("/runs/{identity}/events", "get"),
        ("/runs/{identity}/package.zip", "get"),
        ("/history", "get"),
    }
    assert "429" in described["paths"]["/runs"]["post"]["responses"]
    assert "text/event-stream" in described["paths"]["/runs/{identity}/events"]["get"]["responses"]["200"]["content"]


def test_text_stays_text(serve, solver, write):
    """What an instruction, a name, a value or an exception says is no markup in the story, where nothing may run."""
    bad = "<script>alert(1)</script>"
    function = write.function(
        "echo(text: str) -> str",
        f"Give the text back. {bad}",
        cases=[write.returns(f"echo({bad!r})", repr(bad)), write.returns("echo('a')", "'a'", why=bad)],
        tries=[f"def echo(text: str) -> str:\n    raise ValueError({bad!r} + text)"],
    )
    service = serve(solver.model(function), budget="iterations=1")
    record = service.ended(service.post(f"Echo. {bad} </script><img src=x onerror=alert(2)>"))
    answer = service.http.get(f"/runs/{record['id']}/story.html")
    assert bad not in answer.text
    assert "<img" not in answer.text
    assert "&lt;script&gt;alert(1)" in answer.text
    assert "script-src" not in answer.headers["content-security-policy"]
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert json.loads(json.dumps(service.record(record["id"])))["order"]["instruction"].count(bad) == 1


@pytest.mark.parametrize(
    ("method", "path", "status", "allowed"),
    [("PATCH", "/runs", 405, "GET, POST"), ("PUT", "/runs/x", 405, "DELETE, GET"), ("GET", "/nothing", 404, None)],
)
def test_what_there_is_not_is_one_line_too(service, method, path, status, allowed):
    """The same shape as every error; a path says all of its methods, though each is a route of its own."""
    answer = service.http.request(method, path)
    assert (answer.status_code, answer.headers.get("allow")) == (status, allowed)
    assert answer.json().keys() == {"error"}


def test_a_body_that_is_no_text(service):
    """Is refused in the shape that is documented."""
    headers = {"content-type": "application/json"}
    answer = service.http.post("/runs", content=b'{"instruction": "\xff"}', headers=headers)
    assert answer.status_code == 400
    assert answer.json().keys() == {"error"}


def test_errors_are_documented_as_json(service):
    """Also those of routes that give a page, and those with which anything may be refused."""
    paths = service.http.get("/openapi.json").json()["paths"]
    for operations in paths.values():
        for operation in operations.values():
            errors = {status: told for status, told in operation["responses"].items() if status >= "400"}
            assert {"400", "401", "403", "405", "408", "413", "421"} <= errors.keys()
            assert all(told["content"].keys() == {"application/json"} for told in errors.values())


@pytest.mark.parametrize("options", [{"fresh": 0}, {"fresh": "yes"}])
def test_a_switch_is_a_switch(service, options):
    """What the document calls a boolean is nothing else."""
    answer = service.http.post("/runs", json={"instruction": "Write f.", "options": options})
    assert answer.status_code == 422


def test_following_what_is_not_kept(service):
    """There is no such solution."""
    answer = service.http.post("/runs", json={"instruction": "Write f.", "follow": "abcdef"})
    assert answer.status_code == 404


def test_why_and_what_a_follow_up_touched(serve, solver, double):
    """Are answered from the record, of a run and of what is kept; about what is not there in a line."""
    service = serve(solver.model(double()))
    first = service.ended(service.post("Double a number."))
    asked = {"question": "why does double(7) expect 14?"}
    told = service.http.get(f"/runs/{first['id']}/why", params=asked).json()["lines"]
    assert told[0] == "double, double_7: `double(7)` returns `14`"
    assert service.http.get(f"/history/{first['key']}/why", params=asked).json()["lines"] == told
    unknown = service.http.get(f"/runs/{first['id']}/why", params={"question": "why half?"})
    assert (unknown.status_code, list(unknown.json())) == (404, ["error"])
    posted = service.http.post(f"/runs/{first['id']}/follow", json={"instruction": "And be quick."}).json()
    second = service.ended(posted["id"])
    turn = service.http.get(f"/history/{second['key']}/turn").json()["lines"]
    assert turn == ["untouched double: contract, cases and code as before"]
    assert service.http.get(f"/history/{first['key']}/turn").json()["lines"][0].startswith("planner   double: new")
