"""What tdgen imports is what it declares: no package is there only because another one needs it."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def imports() -> dict[Path, frozenset[str]]:
    """The top-level packages that each of tdgen's files imports."""
    return {path: frozenset(_imported(path.read_text("utf-8"))) for path in (ROOT / "tdgen").rglob("*.py")}


def _imported(source: str) -> Iterator[str]:
    """The top-level packages that a module imports by their whole name, anywhere in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def names(requirements: list[str]) -> set[str]:
    """The distributions that requirements name."""
    return {canonicalize_name(Requirement(line).name) for line in requirements}


def test_every_package_that_is_imported_is_declared(imports: dict[Path, frozenset[str]]) -> None:
    """Each third-party import in tdgen/ belongs to a distribution that pyproject.toml names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = names(project["dependencies"]).union(*map(names, project["optional-dependencies"].values()))
    packages = frozenset().union(*imports.values()) - sys.stdlib_module_names - {"tdgen"}
    distributions = packages_distributions()
    undeclared = {
        name
        for name in packages
        if not declared & {canonicalize_name(distribution) for distribution in distributions.get(name, ())}
    }
    assert len(packages) > 10
    assert undeclared == set()


def test_what_solve_needs_is_at_most_36_distributions() -> None:
    """All that comes with `pip install tdgen` on Linux, tdgen itself counted: each one is a risk and a wait."""
    found, waiting = {"tdgen"}, [("tdgen", frozenset[str]())]
    while waiting:
        name, extras = waiting.pop()
        for line in metadata.requires(name) or ():
            needed = Requirement(line)
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras or {""}):
                if (own := canonicalize_name(needed.name)) not in found:
                    waiting.append((own, frozenset(needed.extras)))
                found.add(own)
    assert len(found) <= 36, sorted(found)


@pytest.mark.parametrize(
    ("extra", "folders"),
    [
        ("docker", ["sandbox/docker"]),
        ("serve", ["web", "mcp"]),
        ("mcp", ["mcp"]),
        ("watch", ["watching"]),
        ("cluster", ["cluster"]),
    ],
)
def test_what_an_extra_brings_is_imported_in_its_package_alone(
    imports: dict[Path, frozenset[str]], extra: str, folders: list[str]
) -> None:
    """And in that of an extra which includes it; so all else works where the extra is not installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    brought = names(project["optional-dependencies"][extra]) - {"tdgen"}
    homes = [ROOT / "tdgen" / folder for folder in folders]
    users = {path for path, packages in imports.items() if brought.intersection(map(canonicalize_name, packages))}
    assert users
    assert [path for path in users if not any(map(path.is_relative_to, homes))] == []
