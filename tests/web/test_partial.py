"""The dependency graph of a run, laid out by the service as its plan changes."""

from __future__ import annotations

from tdgen.events import FunctionDivided, HelpersDropped, PlanMade, StageStarted
from tdgen.solution_html.layout import lay_out
from tdgen.types import FunctionSpec, Plan, Returns
from tdgen.web.partial import with_graph


def spec(name: str, *needs: str) -> FunctionSpec:
    return FunctionSpec(name=name, purpose="p", returns=Returns(type="int"), dependencies=needs)


def test_it_is_laid_out_behind_every_change_of_the_plan():
    """With a function's helpers, then without those that it does without; other events change nothing."""
    helpers = (spec("_parts"), spec("_count"))
    told = [
        PlanMade(plan=Plan(module="kit", functions=(spec("total"),)), generations=(("total",),)),
        StageStarted(stage="build"),
        FunctionDivided(spec=spec("total", "_parts", "_count"), helpers=helpers),
        HelpersDropped(spec=spec("total", "_parts"), helpers=("_count",)),
    ]
    seen = list(with_graph(told))
    kinds = [event.kind for event in seen]
    assert kinds == [
        *("plan_made", "graph_laid_out", "stage_started", "function_divided", "graph_laid_out"),
        *("helpers_dropped", "graph_laid_out"),
    ]
    graphs = [event.graph for event in seen if event.kind == "graph_laid_out"]
    assert [sorted(graph.boxes) for graph in graphs] == [["total"], ["_count", "_parts", "total"], ["_parts", "total"]]
    assert [edge[:2] for edge in graphs[-1].edges] == [("_parts", "total")]


def test_a_kept_solutions_graph_is_told_once(serve, solver, double):
    """As that of a run, and the same again when a run takes the solution from the cache."""
    key = solver.solve(double(), text="Double a number.").solution.key.removeprefix("sha256:")
    service = serve(solver.model(double()))
    identity = service.post("Double a number.")
    assert service.ended(identity)["cached"]
    for told in (service.http.get(f"/history/{key}/events").json(), [e for _, e in service.events(identity)]):
        graphs = [event["graph"] for event in told if event["event"] == "graph_laid_out"]
        assert graphs == [lay_out({"double": ()}).model_dump(mode="json")]
