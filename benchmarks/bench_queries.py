"""What tdgen asks of a test author beside the suites: run `python benchmarks/bench_queries.py`, it lists the questions.

Tasks of `live/` are solved at trust level standard with plans and cases of this benchmark (`queries/plans.toml`). The
developer's answer is the state's reference, then each of its faulty modules; nothing is answered to a question, so
that only the first of each function is seen. What is printed is to be read: is the call worth asking about?
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import threading
from typing import Any

from queries.plans import Planned, planned_tasks

from tdgen.client import Generator, Handed
from tdgen.errors import ModelError
from tdgen.protocols import Answer, Request
from tdgen.sandboxes import open_sandbox
from tdgen.settings import Budget, Settings
from tdgen.settings.policy import POLICIES
from tdgen.types import Case, ExpectedException, Usage, Value


class RecordingModel:
    """Answers with a state's cases and one of its modules, and keeps the questions about single calls, by function."""

    def __init__(self, state: Planned, module: str) -> None:
        self.questions: dict[str, list[str]] = {}
        self._task, self._module = state, module
        self._lock = threading.Lock()

    def ask(self, request: Request) -> Answer:
        """The answer, by what is asked for."""
        match request.purpose:
            case "cases":
                shown = self._task.cases[request.subject] if request.attempt < 3 else ()
                text = json.dumps({"cases": [_told(case) for case in shown]})
            case "implement" | "repair":
                text = f"```python\n{self._module}\n```"
            case "settle":
                calls = re.search(r"<calls>\n(.*)\n</calls>", request.messages[-1].content, re.DOTALL)
                assert calls is not None
                listed = re.split(r"\n(?=\d+\. `)", calls[1])
                with self._lock:
                    self.questions.setdefault(request.subject, []).append(calls[1])
                answers = [{"number": n, "expect": "open", "value": ""} for n in range(1, len(listed) + 1)]
                text = json.dumps({"answers": answers})
            case _:
                raise ModelError(f"the recording model answers no {request.purpose}")
        return Answer(text=text, usage=Usage(calls=1))


def _told(case: Case) -> dict[str, Any]:
    expectation = case.expectation
    world = case.world
    files = [{"name": name, "text": text} for name, text in world.files.items()]
    observe = {"stdout": case.stdout, "after": [{"expression": a.expression, "value": a.source} for a in case.after]}
    told: dict[str, Any] = {"expect": "value", "value": ""}
    if isinstance(expectation, ExpectedException):
        told = {"expect": "raises", "value": expectation.type}
    elif isinstance(expectation, Value):
        told = {"expect": "value", "value": expectation.source}
    return {
        **told,
        **case.model_dump(include={"name", "kind", "setup", "arguments", "call"}),
        "world": {"files": files, "stdin": world.stdin},
        "observe": observe,
        "why": "the state says so",
    }


def main() -> None:
    """Solve and list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("states", nargs="*", help="the names of states; all that are planned where none is given")
    parser.add_argument("--modules", type=int, default=2, help="how many of a state's four modules are tried")
    parser.add_argument(
        "--seconds", type=float, default=POLICIES["standard"].seconds, help="of each analysis; more when busy"
    )
    options = parser.parse_args()
    POLICIES["standard"] = POLICIES["standard"]._replace(seconds=options.seconds)
    functions, asked, green = 0, 0, 0
    sandbox, oracle, reference = (open_sandbox("auto") for _ in range(3))
    try:
        for state in planned_tasks(reference, options.states):
            for number, module in enumerate(state.modules[: options.modules]):
                model = RecordingModel(state, module)
                with tempfile.TemporaryDirectory() as folder:
                    settings = Settings(
                        trust="standard",
                        cache_dir=folder,
                        fresh=True,
                        search_seconds=0,
                        budget=Budget(calls=None, seconds=None, iterations=2),
                    )
                    with Generator(settings, model=model) as generator:
                        vars(generator._runtime).update(sandbox=sandbox, oracle=oracle)  # noqa: SLF001
                        solution = generator.solve(state.instruction, Handed(plan=state.plan))
                for result in solution.results:
                    functions += 1
                    green += result.outcome == "green"
                    for question in model.questions.get(result.function, ()):
                        asked += 1
                        print(f"\n### {state.name}, module {number}, {result.function}: {result.outcome}\n{question}")
                    if result.outcome != "green" and not number:
                        failed = [v.case for v in result.best.verdicts if not v.passed] if result.best else []
                        print(f"\n({state.name}: {result.function} is {result.outcome}: {result.reason} {failed})")
    finally:
        for one in (sandbox, oracle, reference):
            one.close()
    print(f"\n{asked} question calls for {functions} functions, {green} of them green")


if __name__ == "__main__":
    main()
