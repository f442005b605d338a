"""A solution as the files of a folder: its README, its record, its modules and tests.

The README of a solved instruction's package: what it is, what is in it, how sure one may be of it.

A solution in a folder's record: all of it but what the folder's own files say, and nothing twice.

Values that are a field's default are left out, an attempt that is the best is named by its place in the history, what
stands in a function's result does not name the function again, and of an exception that was expected the way through
the code is not kept. The same solution gives the same text.

A solution as the files of a folder: laid out, formatted by the user's settings, written with its record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

from tdgen.errors import InputError
from tdgen.files.ruff import DEFAULTS, format_files, style_at
from tdgen.files.saving import RECORD, Place, Record
from tdgen.solution.layouts import (
    DISPENSABLE,
    Layout,
    absolute_imports,
    bare_module,
    importable,
    is_users,
    laid_out,
    layout_for,
    layout_named,
)
from tdgen.types.plan import Plan
from tdgen.types.record import FunctionResult, SolutionRecord


def readme_text(solution: SolutionRecord) -> str:
    """The package's README as Markdown."""
    module = solution.plan.module
    lines = [f"# {module}", "", solution.plan.summary or "Made from the instruction below.", ""]
    if not solution.all_tests_passed:
        lines += ["**Not all of this is right: see the outcomes below.**", ""]
    lines += [
        "## What was asked",
        "",
        *(f"> {line}".rstrip() for line in solution.instruction.strip().splitlines()),
        "",
    ]
    lines += [
        "## What is here",
        "",
        f"`{solution.plan.module_file}` holds what was asked for; run their tests with `pytest`.",
        "",
    ]
    if promising := [f"`test_{r.function}_properties.py`" for r in solution.results if r.suite.properties]:
        lines[-1:] = [f"For {', '.join(promising)} `hypothesis` must be installed beside pytest.", ""]
    lines += [line for result in solution.results for line in _function(solution, result)]
    if questions := solution.questions or solution.plan.questions:
        lines += ["", "## What was assumed", ""]
        lines += [f"- {q.question} {q.assumption}{' (your answer)' * q.answered}" for q in questions]
    if solution.revisions:
        lines += ["", "## What became of some tests", ""]
        lines += [f"- `{r.function}` / `{r.case}`: {r.sentence}" for r in solution.revisions]
    lines += ["", f"Made by tdgen at trust level {solution.trust}; `tdgen verify` runs the tests again in the sandbox."]
    return "\n".join(lines) + "\n"


def _function(solution: SolutionRecord, result: FunctionResult) -> list[str]:
    spec = solution.plan.spec(result.function)
    cases = len(result.suite.cases)
    attempts = len(result.history)
    outcome = f"{result.outcome}, {cases} case{'s' * (cases != 1)}, {attempts} attempt{'s' * (attempts != 1)}"
    first_sentence = " ".join(spec.purpose.split()).partition(". ")[0].rstrip(".")
    strength = f", {result.strength.sentence}" if result.strength and result.strength.sentence else ""
    lines = [f"- `{spec.signature}`: {first_sentence[:200]} ({outcome}{strength})"]
    if result.outcome != "green":
        lines.append(f"  - **{result.outcome}**: {' '.join(result.reason.split())[:300]}")
        failed = [v.case for v in result.best.verdicts if not v.passed] if result.best else []
        lines += [f"  - failing: `{name}`" for name in failed]
    return lines


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


def package_files(
    solution: SolutionRecord, layout: Layout, *, readme: bool = False, style: tuple[str, ...] = DEFAULTS
) -> dict[str, str]:
    """The files by their paths, formatted; the user's own tests and what is no Python stay as they are."""
    files = laid_out(solution, layout_named(layout) or "package")
    own = {name for name in files if is_users(name)}
    formatted = format_files({name: text for name, text in files.items() if name not in own}, style)
    return files | formatted | ({"README.md": readme_text(solution)} if readme else {})


def write_package(
    solution: SolutionRecord, place: Place, layout: Layout | None = None, *, readme: bool = False
) -> list[str]:
    """Write the files and the record, and give the files' paths; InputError where something would be lost.

    Where no layout is asked for the folder keeps the one that it has.
    """
    record = place.record()
    if layout is None:
        kept: list[Layout] = [name for name in get_args(Layout) if record and name == record.content.get("layout")]
        layout = kept[0] if kept else layout_for(place.folder, solution)
    check_place(place, solution.plan.module)
    if layout == "package" and "." not in solution.plan.module and not importable(place.folder):
        raise InputError(f"Python can't import a package from {place.folder}: name another folder, or --layout flat")
    files = package_files(solution, layout, readme=readme, style=style_at(place.folder))
    content = {"layout": layout, "solution": stored(solution, files)}
    if record is not None and same_but_for_time(record.content, content):
        content = dict(record.content)
    return place.write(files, content, dispensable=DISPENSABLE)


def check_place(place: Place, module: str) -> None:
    """InputError where a module in a package can't be written to a folder; ask before any work is paid for."""
    package, dot, name = module.rpartition(".")
    if not dot:
        return
    if (place.folder / "__init__.py").is_file():
        raise InputError(
            f"{place.folder} is a package, so that {module} would be a module of another name there: name the folder "
            f"that {package.partition('.')[0]} is in"
        )
    record = place.record()
    held = record.content.get("solution", {}).get("plan", {}).get("module", "") if record else ""
    if held not in ("", module):
        raise InputError(
            f"tdgen wrote {held} to {place.folder}, and would remove it: name another folder, or --out PATH/{name}.py "
            "for the module alone"
        )


def with_record(solution: SolutionRecord, files: Mapping[str, str]) -> dict[str, str]:
    """The files, and beside them the record of a folder that holds them."""
    texts = {name: text.encode("utf-8", "backslashreplace") for name, text in files.items()}
    return {**files, RECORD: Record.of(texts, {"solution": stored(solution, files)}).text}
