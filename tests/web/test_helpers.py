"""A function that is divided: its helpers in the events, and in what is left of a run that is cut off."""

from __future__ import annotations

from tdgen.web.partial import PartialSolution

HEALED = "def total(text: str) -> int:\n    return sum(_total_parts(text))"
WRONG = "def total(text: str) -> int:\n    return max([*_total_parts(text), _total_count(text)], default=0)"
SETTINGS = {"trust": "standard", "budget": "calls=60,iterations=1"}


def told(service, identity: str, *kinds: str) -> list[dict]:
    return [event for _, event in service.events(identity) if event["event"] in kinds]


def test_helpers_are_told_of_before_anything_that_is_theirs(serve, divided):
    """With their contracts, and the function's as it is now; those that it does without are told to be dropped."""
    service = serve(divided(HEALED), **SETTINGS)
    identity = service.post()
    assert service.ended(identity)["state"] == "green"
    seen = told(service, identity, "plan_made", "function_divided", "suite_written", "helpers_dropped")
    assert [one["event"] for one in seen[:3]] == ["plan_made", "suite_written", "function_divided"]
    (parts,) = [one for one in seen if one["event"] == "function_divided"]
    assert [helper["name"] for helper in parts["helpers"]] == ["_total_parts", "_total_count"]
    assert parts["spec"]["dependencies"] == ["_total_parts", "_total_count"]
    assert seen[-1]["event"] == "helpers_dropped"
    assert (seen[-1]["spec"]["dependencies"], seen[-1]["helpers"]) == (["_total_parts"], ["_total_count"])


def test_helpers_that_did_not_heal_are_dropped(serve, divided):
    """All of them, and the function's contract is what it was."""
    service = serve(divided(WRONG), **SETTINGS)
    identity = service.post()
    assert service.ended(identity)["state"] == "red"
    (dropped,) = told(service, identity, "helpers_dropped")
    assert (dropped["spec"]["dependencies"], dropped["helpers"]) == ([], ["_total_parts", "_total_count"])


def test_a_run_cut_off_at_its_helpers_can_be_taken_home(serve, divided):
    """With the helpers and their tests: what was paid for is not lost."""
    service = serve(divided(HEALED), **SETTINGS)
    identity = service.post()
    service.ended(identity)
    seen = [event for _, event in service.events(identity)]
    kinds = [event["event"] for event in seen]
    solution = PartialSolution(seen[: kinds.index("helpers_dropped")]).solution("", "Sum up.", "standard", "cut off")
    assert [spec.name for spec in solution.plan.functions] == ["_total_parts", "_total_count", "total"]
    assert set(solution.test_files) == {"test_total.py", "test__total_parts.py", "test__total_count.py"}
    assert "def _total_parts" in solution.module_source


def test_what_stood_on_dropped_helpers_is_no_best_attempt(serve, divided):
    """A run that is cut off behind a division that did not heal has attempts left that need no helper."""
    service = serve(divided(WRONG), **SETTINGS)
    identity = service.post()
    service.ended(identity)
    wreck = PartialSolution(event for _, event in service.events(identity))
    solution = wreck.solution("", "Sum up.", "standard", "cut off")
    assert [spec.name for spec in solution.plan.functions] == ["total"]
    assert "_total" not in solution.module_source
    assert set(solution.test_files) == {"test_total.py"}
