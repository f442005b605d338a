"""How large the product is, and how easily it is read: `make house` prints a table; nothing fails for it.

Everything is read from the sources, but how many modules a solve loads: the demo's instruction is solved for that. The
files to open to follow a solve are those that docs/architecture.md lists. The core is what `tdgen solve` imports in the
local sandbox, at any trust level: what its modules name, wherever the statement stands, but for type checkers alone.
The parts that a solve finds by their entry points (`tdgen.parts`) are no core and are told by themselves, though most
solves at standard use some: core and parts together are what compares with figures from before there were parts.
Other back ends that are found so are beside both. Where the core imports a capability, all that this needs is counted
apart. `--tests` times `make test` as well.
"""

from __future__ import annotations

import argparse
import ast
import re
import statistics
import subprocess
import sys
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tables import quantile, table

ROOT = Path(__file__).parent.parent
WAY = "## The way of a solve, file by file"
LOADED = """
import sys, tempfile
from tdgen.demo import demo_instruction, demo_settings
from tdgen import Generator
with tempfile.TemporaryDirectory() as cache:
    with Generator(demo_settings(cache).model_copy(update={"trust": "quick"})) as generator:
        generator.solve(demo_instruction())
print(sum(name.partition(".")[0] == "tdgen" for name in sys.modules))
"""
SOLVING = (
    *("tdgen.client.generator", "tdgen.cli.solving", "tdgen.sandbox.inside"),
    *("tdgen.build.screening", "tdgen.build.digesting"),
)
"""Where the core begins. A package stands for all of its modules: the programs inside a sandbox are started by name, or
sent there as text. What runs a project's own tests there (`tdgen.sandbox.in_project`) is beside it."""
CAPABILITIES = ("batch", "binding", "demo", "evaluation", "fixing", "mcp", "project", "pytest_plugin", "web")
"""The packages that a solve in no project can do without."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Module(NamedTuple):
    """A file of the product, read: its dotted name, the package that it belongs to, its text and its tree.

    A module right below the top is a package of its own: what all import would else be one with what imports all.
    """

    name: str
    package: str
    text: str
    tree: ast.Module

    @property
    def lines(self) -> int:
        """How many lines it has."""
        return len(self.text.splitlines())

    @property
    def function_lines(self) -> Iterator[int]:
        """The length of each function, from `def` to its last line."""
        for node in ast.walk(self.tree):
            if isinstance(node, Function):
                yield (node.end_lineno or node.lineno) - node.lineno + 1

    @property
    def imported(self) -> Iterator[str]:
        """What it imports, wherever the statement stands: within a function and for types alone, too."""
        return self._imported(ast.walk(self.tree))

    @property
    def needed(self) -> Iterator[str]:
        """What it imports when it runs: what type checkers alone see is left out."""
        return self._imported(_running(self.tree))

    def _imported(self, nodes: Iterable[ast.AST]) -> Iterator[str]:
        for node in nodes:
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                place = self.package.split(".")[: 1 - node.level or None] if node.level else []
                yield from (".".join([*place, node.module, alias.name]) for alias in node.names)

    @property
    def statements(self) -> int:
        """How many statements it has."""
        return sum(isinstance(node, ast.stmt) for node in ast.walk(self.tree))

    @property
    def trust_questions(self) -> int:
        """How often it asks which trust level it is: comparisons with it, and tables that are read by it."""
        return sum(_asks_trust(node) for node in ast.walk(self.tree))


def _running(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree, without what stands below `if TYPE_CHECKING`."""
    yield tree
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")):
            yield from _running(node)


def read_modules(folder: Path) -> list[Module]:
    """All modules of the package in a folder."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        *parents, last = path.relative_to(folder.parent).with_suffix("").parts
        package = ".".join(parents)
        text = path.read_text(encoding="utf-8")
        name = package if last == "__init__" else f"{package}.{last}"
        is_loose = parents == [folder.name]
        found.append(Module(name, name if is_loose else package, text, ast.parse(text)))
    return found


def cycles(modules: list[Module]) -> tuple[list[set[str]], list[set[str]]]:
    """The modules, and the packages, that import each other in a circle, directly or by others."""
    known = {module.name: module for module in modules}
    between, packages = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for module in modules:
        for name in module.imported:
            target = name if name in known else name.rpartition(".")[0]
            if target in known and target != module.name:
                between[module.name].add(target)
                if known[target].package != module.package:
                    packages[module.package].add(known[target].package)
    return _circles(between), _circles(packages)


def needed_by(modules: list[Module], starts: tuple[str, ...]) -> tuple[list[Module], list[str]]:
    """The modules that those which `starts` name need, themselves too; where one of these imports a capability."""
    known = {module.name: module for module in modules}
    edges = defaultdict[str, set[str]](set)
    for module in modules:
        targets = {name if name in known else name.rpartition(".")[0] for name in module.needed}
        edges[module.name] = {name for name in targets if name in known}
        edges[module.name] |= {name for name in known if module.name.startswith(f"{name}.") and "." in name}
    begun = {name for name in known if any(name == start or name.startswith(f"{start}.") for start in starts)}
    reached = begun.union(*(_reached(name, edges) for name in begun))
    doors = [
        f"{name} → {target}"
        for name in sorted(reached)
        for target in sorted(edges[name])
        if _capability(target) and not _capability(name)
    ]
    return [known[name] for name in sorted(reached)], doors


def _capability(name: str) -> bool:
    return ".".join(name.split(".")[1:2]) in CAPABILITIES


def files_on_the_way(page: str) -> list[str]:
    """The files that the architecture's page lists, in their order, under the heading of a solve's way."""
    _, _, rest = page.partition(f"{WAY}\n")
    return list(dict.fromkeys(re.findall(r"`(tdgen/[\w/]+\.py)`", rest.partition("\n## ")[0])))


def _circles(edges: Mapping[str, set[str]]) -> list[set[str]]:
    """The sets of names of which each is reached from each other."""
    reached = {name: _reached(name, edges) for name in edges}
    circles = [{other for other in found if name in reached.get(other, ())} for name, found in reached.items()]
    return [circle for place, circle in enumerate(circles) if circle and circle not in circles[:place]]


def _reached(name: str, edges: Mapping[str, set[str]]) -> set[str]:
    found, waiting = set[str](), [name]
    while waiting:
        new = edges.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def _asks_trust(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare) and not isinstance(node.ops[0], ast.Is | ast.IsNot):
        return any(map(_is_trust, [node.left, *node.comparators]))
    if isinstance(node, ast.Subscript):
        return _is_trust(node.slice)
    return isinstance(node, ast.Match) and _is_trust(node.subject)


def _is_trust(node: ast.AST) -> bool:
    return getattr(node, "attr", getattr(node, "id", "")) == "trust"


def main() -> None:
    """Print the table, and below it the circles by name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", action="store_true", help="time `make test` as well")
    options = parser.parse_args()
    modules = read_modules(ROOT / "tdgen")
    lengths = [module.lines for module in modules]
    functions = [lines for module in modules for lines in module.function_lines]
    statements = sum(module.statements for module in modules)
    needed, doors = needed_by(modules, SOLVING)
    loose = [module for module in modules if not _capability(module.name)]
    core = needed_by(loose, SOLVING)[0]
    of_core = sum(module.statements for module in core)
    points = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    parts = tuple(point.partition(":")[0] for point in points["tdgen.parts"].values())
    of_parts = sum(module.statements for module in needed_by(loose, SOLVING + parts)[0]) - of_core
    drawn_in = sum(module.statements for module in needed) - of_core
    of_modules, of_packages = cycles(modules)
    way = files_on_the_way((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))
    if missing := [name for name in way if not (ROOT / name).is_file()]:
        sys.exit(f"docs/architecture.md lists files that are not there: {', '.join(missing)}")
    loaded = subprocess.run([sys.executable, "-c", LOADED], cwd=ROOT, capture_output=True, text=True, check=True)
    rows: list[tuple[object, ...]] = [
        (
            "statements: core, what it draws in, beside it",
            f"{of_core}, {drawn_in}, {statements - of_core - drawn_in}",
            "≤ 24,000, 0, –",
        ),
        ("statements of parts that a solve finds where it needs them", of_parts, "–"),
        ("files: core, all else", f"{len(core)}, {len(modules) - len(core)}", "≤ 240, –"),
        (
            "lines of a file: median, p90",
            f"{statistics.median(lengths):.0f}, {quantile(lengths, 0.9)}",
            "120–200, ≤ 400",
        ),
        (
            "lines of a function: median, p90, most",
            f"{statistics.median(functions):.0f}, {quantile(functions, 0.9)}, {max(functions)}",
            "8–12, ≤ 30, ≤ 60",
        ),
        ("modules that a quick solve loads", int(loaded.stdout), "≤ 170"),
        ("files to open to follow a solve", len(way) or None, "≤ 12"),
        ("places that ask for the trust level", sum(module.trust_questions for module in modules), "1"),
        ("modules, packages in import circles", f"{sum(map(len, of_modules))}, {sum(map(len, of_packages))}", "0, 0"),
        ("minutes of `make test`", _minutes_of_tests() if options.tests else None, "≤ 4"),
    ]
    table("The house", ("figure", "today", "goal"), rows)
    for circle in [*of_modules, *of_packages]:
        print(f"in a circle: {', '.join(sorted(circle))}")
    for door in doors:
        print(f"the core imports a capability: {door}")


def _minutes_of_tests() -> float:
    began = time.monotonic()
    subprocess.run([sys.executable, "-m", "pytest", "-n", "auto", "--dist", "worksteal"], cwd=ROOT, check=True)
    return (time.monotonic() - began) / 60


if __name__ == "__main__":
    main()
