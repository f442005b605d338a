"""A solution in a folder's record: all of it but what the folder's own files say, and nothing twice.

Values that are a field's default are left out, an attempt that is the best is named by its place in the history, what
stands in a function's result does not name the function again, and of an exception that was expected the way through
the code is not kept. The same solution gives the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tdgen.solution.layouts import absolute_imports, bare_module
from tdgen.types.plan import Plan
from tdgen.types.record import SolutionRecord

_TIMINGS: Final = frozenset({"seconds", "cached"})


def stored(solution: SolutionRecord, written: Mapping[str, str]) -> dict[str, Any]:
    """The solution as plain JSON data, without the sources of the files that are `written` beside it."""
    whole = solution.model_dump(mode="json")
    entry: dict[str, Any] = _with_forms(solution.model_dump(mode="json", exclude_defaults=True), whole)
    names = {path.rpartition("/")[2] for path in written}
    entry["test_files"] = {name: text for name, text in solution.test_files.items() if name not in names}
    if any(map(solution.plan.is_module, written)):
        del entry["module_source"]
    entry["results"] = [_short_result(result) for result in entry["results"]]
    return entry


def restored(entry: Mapping[str, Any], files: Mapping[str, str]) -> dict[str, Any]:
    """The whole solution's data again; `files` are the texts of the folder's files, as they are now.

    ValueError where it is no solution.
    """
    try:
        results = [_whole_result(result) for result in entry["results"]]
        plan = Plan.model_validate(entry["plan"])
        texts = {path.rpartition("/")[2]: text for path, text in files.items()}
        tests = {name: absolute_imports(text, plan.module) for name, text in texts.items() if name.startswith("test_")}
        found = next((bare_module(text) for path, text in files.items() if plan.is_module(path)), None)
        source = entry.get("module_source", "") if found is None else found
        return {**entry, "module_source": source, "results": results, "test_files": {**entry["test_files"], **tests}}
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"no solution: {error!r}") from None


def same_but_for_time(one: Any, other: Any) -> bool:
    """Whether two solutions' data say the same, but for how long anything took and whether it came from the cache."""
    return bool(_timeless(one) == _timeless(other))


def _timeless(entry: Any) -> Any:
    if isinstance(entry, dict):
        return {name: _timeless(value) for name, value in entry.items() if name not in _TIMINGS}
    return [_timeless(value) for value in entry] if isinstance(entry, list) else entry


def _with_forms(entry: Any, whole: Any) -> Any:
    """Data without defaults, but with each `form`: it says which of several types a value is of."""
    if isinstance(entry, dict):
        form = {"form": whole["form"]} if "form" in whole else {}
        return form | {name: _with_forms(value, whole[name]) for name, value in entry.items()}
    if isinstance(entry, list):
        return [_with_forms(*pair) for pair in zip(entry, whole, strict=True)]
    return entry


def _short_result(result: dict[str, Any]) -> dict[str, Any]:
    history = result.get("history", [])
    best = result.get("best")
    if best in history:
        result = result | {"best": history.index(best)}
    return _in_parts(result, _short_part)


def _short_part(part: dict[str, Any]) -> dict[str, Any]:
    left_out = {"function", "raised"} if part.get("passed") else {"function"}
    return {name: value for name, value in part.items() if name not in left_out}


def _whole_result(result: dict[str, Any]) -> dict[str, Any]:
    whole = _in_parts(result, lambda part: {"function": result["function"], **part})
    best = whole.get("best")
    return whole | {"best": whole["history"][best]} if isinstance(best, int) else whole


def _in_parts(result: dict[str, Any], change: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
    """A result with the change made in its suite, its cases, its attempts and their verdicts."""

    def attempt(entry: dict[str, Any]) -> dict[str, Any]:
        verdicts = [change(verdict) for verdict in entry.get("verdicts", [])]
        return change(entry) | ({"verdicts": verdicts} if verdicts else {})

    suite = change(result["suite"]) | {"cases": [change(case) for case in result["suite"].get("cases", [])]}
    changed = result | {"suite": suite}
    if "history" in result:
        changed["history"] = [attempt(entry) for entry in result["history"]]
    if isinstance(result.get("best"), dict):
        changed["best"] = attempt(result["best"])
    return changed
