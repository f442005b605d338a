"""A solution in a folder: written all or none, with the record from which it is read again.

The record has all of the solution but what the folder's own files say, and nothing twice. Values that are a field's
default are left out, an attempt that is the best is named by its place in the history, what stands in a function's
result does not name the function again, and of an exception that was expected the way through the code is not kept. The
same solution gives the same text.
"""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, get_args

from tdgen.errors import InputError
from tdgen.files.ruff import style_at
from tdgen.files.saving import RECORD, Place, Record, others_in
from tdgen.solution.package import Layout, absolute_imports, bare_module, is_users, package_files
from tdgen.types.plan import Plan
from tdgen.types.record import SolutionRecord

DISPENSABLE: Final = ("__init__.py", "conftest.py", "tests/conftest.py")
"""What a folder of the user's may have of its own, which then does."""


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
    if record is not None and _timeless(record.content) == _timeless(content):
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


def layout_for(folder: Path, solution: SolutionRecord) -> Layout:
    """The layout that a folder gets where none is asked for.

    It is made a package, unless Python can't import a package of that name, it is another's folder that is none yet, or
    the user's own tests name the module in a string, which must then be its whole name. A module in a package goes
    where that package is.
    """
    top, dot, _ = solution.plan.module.partition(".")
    if dot:
        return "src" if (folder / "src" / top).is_dir() else "package"
    is_package = not folder.is_dir() or not others_in(folder) or (folder / "__init__.py").is_file()
    own = "\n".join(text for name, text in solution.test_files.items() if is_users(name))
    named = re.search(rf"""["']{solution.plan.module}["'.]""", own)
    return "package" if is_package and importable(folder) and not named else "flat"


def importable(folder: Path) -> bool:
    """Whether Python can import a package of the folder's name."""
    name = folder.resolve().name
    return name.isidentifier() and not keyword.iskeyword(name) and name not in sys.stdlib_module_names


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
        results: list[dict[str, Any]] = []
        for result in entry["results"]:
            named = {"function": result["function"]}
            whole = _in_parts(result, named.__or__)
            best = whole.get("best")
            results.append(whole | {"best": whole["history"][best]} if isinstance(best, int) else whole)
        plan = Plan.model_validate(entry["plan"])
        texts = {path.rpartition("/")[2]: text for path, text in files.items()}
        tests = {name: absolute_imports(text, plan.module) for name, text in texts.items() if name.startswith("test_")}
        module = next((bare_module(text) for path, text in files.items() if plan.is_module(path)), None)
        source = entry.get("module_source", "") if module is None else module
        return {**entry, "module_source": source, "results": results, "test_files": {**entry["test_files"], **tests}}
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"no solution: {error!r}") from None


def _timeless(entry: Any) -> Any:
    """A solution's data without how long anything took, and whether it came from the cache."""
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
    return _in_parts(
        result,
        lambda part: {
            name: value
            for name, value in part.items()
            if name != "function" and not (name == "raised" and part.get("passed"))
        },
    )


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
