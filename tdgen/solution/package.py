"""A solution as files: where they lie in the user's project.

```
package    __init__.py, MODULE.py and its tests: the folder is the package, the tests import from within it
flat       MODULE.py, its tests, and a conftest.py that lets them import it
src        src/MODULE.py, its tests in tests/, and a conftest.py there that lets them import it
single     MODULE.py alone
```

A module in a package (`mypkg.times`) is `mypkg/times.py` where MODULE.py stands here, and the `__init__.py` of its
packages are made where there are none. As a package, its tests are beside it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Final, Literal, get_args

from tdgen.errors import InputError
from tdgen.files.ruff import DEFAULTS, format_files
from tdgen.source.syntax import Definition, parse
from tdgen.types.record import FunctionResult, SolutionRecord

Layout = Literal["package", "flat", "src", "single"]
USER_TESTS: Final = "test_by_the_user"
"""What the names of test files begin with that the user handed in."""
_NOT_GREEN: Final = "Not all of this is right: "
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
    mark = "#" if solution.plan.module_file.endswith(".py") else "//"
    return f"{mark} {_NOT_GREEN}{not_green}.\n{solution.module_source}"


def bare_module(text: str) -> str:
    """A module's text without the line that says it is not all right."""
    return text.partition("\n")[2] if text.startswith((f"# {_NOT_GREEN}", f"// {_NOT_GREEN}")) else text


def laid_out(solution: SolutionRecord, layout: Layout) -> dict[str, str]:
    """The module and its tests by their paths in the folder, with what makes them importable."""
    module, tests = solution.plan.module, solution.test_files
    files = solution.plan.module_files(module_text(solution))
    if solution.plan.language:
        return files if layout == "single" else files | tests
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
        f"`{solution.plan.module_file}` holds what was asked for; "
        f"run their tests {'as the files beside it say' if solution.plan.language else 'with `pytest`'}.",
        "",
    ]
    files = (f"test_{result.function}_properties.py" for result in solution.results if result.suite.properties)
    if promising := [f"`{file}`" for file in files if file in solution.test_files]:
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


def package_files(
    solution: SolutionRecord, layout: Layout, *, readme: bool = False, style: tuple[str, ...] = DEFAULTS
) -> dict[str, str]:
    """The files by their paths, formatted; the user's own tests and what is no Python stay as they are."""
    files = laid_out(solution, layout_named(layout) or "package")
    python = {} if solution.plan.language else {name: text for name, text in files.items() if not is_users(name)}
    formatted = format_files(python, style) if python else {}
    return files | formatted | ({"README.md": readme_text(solution)} if readme else {})
