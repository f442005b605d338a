"""A solution as files: where they lie in the user's project, and the record from which it is read again.

```
package    __init__.py, MODULE.py and its tests: the folder is the package, the tests import from within it
flat       MODULE.py, its tests, and a conftest.py that lets them import it
src        src/MODULE.py, its tests in tests/, and a conftest.py there that lets them import it
single     MODULE.py alone
```

A module in a package (`mypkg.times`) is `mypkg/times.py` where MODULE.py stands here, and the `__init__.py` of its
packages are made where there are none. As a package, its tests are beside it.

The record has all of the solution but what the folder's own files say, and nothing twice. Values that are a field's
default are left out, an attempt that is the best is named by its place in the history, what stands in a function's
result does not name the function again, and of an exception that was expected the way through the code is not kept. The
same solution gives the same text.
"""

from __future__ import annotations

import ast
import keyword
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Literal, get_args

from tdgen.errors import InputError
from tdgen.files.ruff import DEFAULTS, format_files, style_at
from tdgen.files.saving import RECORD, Place, Record, others_in
from tdgen.source.syntax import Definition, parse
from tdgen.types.plan import Plan
from tdgen.types.record import FunctionResult, SolutionRecord

Layout = Literal["package", "flat", "src", "single"]
USER_TESTS: Final = "test_by_the_user"
"""What the names of test files begin with that the user handed in."""
DISPENSABLE: Final = ("__init__.py", "conftest.py", "tests/conftest.py")
"""What a folder of the user's may have of its own, which then does."""
_NOT_GREEN: Final = "# Not all of this is right: "
_CONFTEST: Final = '''"""Lets the tests import {module} from wherever pytest runs, in each of its import modes."""

import sys
from pathlib import Path

sys.path.insert(0, str({folder}))
'''


def layout_named(name: str | None) -> Layout | None:
    """The layout of that name, or of none; InputError where there is none of that name."""
    layouts: dict[str | None, Layout | None] = {None: None} | {layout: layout for layout in get_args(Layout)}
    if name not in layouts:
        raise InputError(f"there is no layout {name}: it is package, flat, src or single")
    return layouts[name]


def is_users(path: str) -> bool:
    """Whether a test file is one that the user handed in."""
    return path.rpartition("/")[2].startswith(USER_TESTS)


def module_text(solution: SolutionRecord) -> str:
    """The module's source; what is not all green says so in its first line."""
    if solution.all_tests_passed:
        return solution.module_source
    not_green = ", ".join(
        f"{result.function} is {result.outcome}" for result in solution.results if result.outcome != "green"
    )
    return f"{_NOT_GREEN}{not_green}.\n{solution.module_source}"


def bare_module(text: str) -> str:
    """A module's text without the line that says it is not all right."""
    return text.partition("\n")[2] if text.startswith(_NOT_GREEN) else text


def layout_for(folder: Path, solution: SolutionRecord) -> Layout:
    """The layout that a folder gets where none is asked for.

    It is made a package, unless Python can't import a package of that name, it is another's folder that is none yet, or
    the user's own tests name the module in a string, which must then be its whole name. A module in a package goes
    where that package is.
    """
    top, dot, _ = solution.plan.module.partition(".")
    if dot:
        return "src" if (folder / "src" / top).is_dir() else "package"
    is_package = not folder.exists() or not others_in(folder) or (folder / "__init__.py").is_file()
    own = "\n".join(text for name, text in solution.test_files.items() if is_users(name))
    named = re.search(rf"""["']{solution.plan.module}["'.]""", own)
    return "package" if is_package and importable(folder) and not named else "flat"


def importable(folder: Path) -> bool:
    """Whether Python can import a package of the folder's name."""
    name = folder.resolve().name
    return name.isidentifier() and not keyword.iskeyword(name) and name not in sys.stdlib_module_names


def laid_out(solution: SolutionRecord, layout: Layout) -> dict[str, str]:
    """The module and its tests by their paths in the folder, with what makes them importable."""
    module, tests = solution.plan.module, solution.test_files
    files = solution.plan.module_files(module_text(solution))
    package, slash, _ = solution.plan.module_file.rpartition("/")
    match layout:
        case "package" if slash:
            return {**files, **{f"{package}/{test}": source for test, source in tests.items()}}
        case "package":
            relative = {test: relative_imports(source, module) for test, source in tests.items()}
            return {"__init__.py": _init(solution), **files, **relative}
        case "flat":
            return {**files, **_with_path(tests, module, "Path(__file__).parent")}
        case "src":
            beside = _with_path(tests, module, 'Path(__file__).parents[1] / "src"')
            placed = {f"src/{name}": text for name, text in files.items()}
            return placed | {f"tests/{test}": source for test, source in beside.items()}
    return files


def runnable(files: Mapping[str, str], module: str) -> dict[str, str]:
    """A folder's Python files as one run of pytest finds all of them importable, with the run's folder on the path."""
    if "__init__.py" in files:
        return {f"{module}/{name}": text for name, text in files.items()}
    return {name.removeprefix("src/"): text for name, text in files.items()}


def relative_imports(source: str, module: str) -> str:
    """A test's source with its imports of `module` as those of a module in the same package."""

    def changed(node: ast.stmt) -> str | None:
        if isinstance(node, ast.ImportFrom) and (node.module, node.level) == (module, 0):
            return ast.unparse(ast.ImportFrom(module, node.names, 1))
        if isinstance(node, ast.Import) and any(alias.name == module for alias in node.names):
            others = [alias for alias in node.names if alias.name != module]
            own = [alias for alias in node.names if alias.name == module]
            parts = [ast.Import(others)] * bool(others) + [ast.ImportFrom(None, own, 1)]
            return "; ".join(map(ast.unparse, parts))
        return None

    return _with_statements(source, changed)


def absolute_imports(source: str, module: str) -> str:
    """The same the other way about."""

    def changed(node: ast.stmt) -> str | None:
        if not isinstance(node, ast.ImportFrom) or node.level != 1:
            return None
        if node.module == module:
            return ast.unparse(ast.ImportFrom(module, node.names, 0))
        own = node.module is None and all(alias.name == module for alias in node.names)
        return ast.unparse(ast.Import(node.names)) if own else None

    return _with_statements(source, changed)


def _with_statements(source: str, changed: Callable[[ast.stmt], str | None]) -> str:
    """A source in which some statements of one kind are others; what is no Python stays as it is."""
    try:
        nodes = [node for node in ast.walk(parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
        lines = source.encode().split(b"\n")
    except (SyntaxError, ValueError):
        return source
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        new = changed(node)
        if new is not None and node.end_lineno is not None:
            first, last = node.lineno - 1, node.end_lineno - 1
            before, after = lines[first][: node.col_offset], lines[last][node.end_col_offset :]
            lines[first : last + 1] = [before + new.encode() + after]
    return b"\n".join(lines).decode()


def _init(solution: SolutionRecord) -> str:
    """A package's `__init__.py`: what the module has to offer can be imported from the package."""
    planned = {spec.name for spec in solution.plan.functions} | {shared.name for shared in solution.plan.declared_types}
    try:
        body = parse(solution.module_source).body
    except SyntaxError:
        return ""
    defined = {node.name for node in body if isinstance(node, Definition)}
    assigned = {
        name.id
        for node in body
        for name in ast.walk(node)
        if isinstance(node, ast.Assign) and isinstance(name, ast.Name)
    }
    names = sorted(name for name in planned & (defined | assigned) if not name.startswith("_"))
    first = body[0] if body else None
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    docstring = ast.get_source_segment(solution.module_source, first) if first is not None and is_docstring else None
    imports = f"from .{solution.plan.module} import {', '.join(names)}\n\n__all__ = {names!r}\n" if names else ""
    return f"{docstring}\n\n{imports}" if docstring else imports


def _with_path(tests: Mapping[str, str], module: str, folder: str) -> dict[str, str]:
    """Tests with the conftest.py that puts the module's folder on the path."""
    return {"conftest.py": _CONFTEST.format(module=module, folder=folder), **tests} if tests else {}


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
