"""What tdgen shows to the world, and what it costs to look."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import pytest

import tdgen

HEAVY = (
    "pydantic",
    "pydantic_settings",
    "networkx",
    "openai",
    "deepdiff",
    "diskcache",
    "docker",
    "pytest",
    "rich",
    "typer",
)
MODULES = sorted(
    found.name
    for found in pkgutil.walk_packages(tdgen.__path__, "tdgen.")
    # These are programs that run on the other side of the sandbox's wall, and tdgen.__main__ is one on this side.
    if not found.name.startswith("tdgen.sandbox.inside") and found.name != "tdgen.__main__"
)

# One interpreter for all: before each module, everything of tdgen's is forgotten, so that nothing was imported for it.
# The lowest layers, slow to build, are only forgotten for modules of their own: they know nothing of those above.
ALONE = """
import importlib, sys, traceback
LOWEST = ("errors", "syntax", "closing", "types", "events", "protocols", "settings")
layer = lambda name: (name.split(".") + [""])[1]
failed = 0
for name in sys.argv[1:]:
    kept = () if layer(name) in LOWEST else LOWEST
    for known in [known for known in sys.modules if known.partition(".")[0] == "tdgen" and layer(known) not in kept]:
        del sys.modules[known]
    try:
        importlib.import_module(name)
    except BaseException:
        failed += 1
        print(name, file=sys.stderr)
        traceback.print_exc()
sys.exit(failed)
"""


def test_the_public_names():
    """A new one is a promise: add it here on purpose."""
    assert sorted(tdgen.__all__) == [
        "Budget",
        "BudgetSpent",
        "Generator",
        "Handed",
        "InputError",
        "ModelError",
        "SandboxError",
        "ScriptedModel",
        "Settings",
        "Solution",
        "TdgenError",
        "solve",
    ]
    assert len(tdgen.__all__) <= 15


@pytest.mark.parametrize("name", tdgen.__all__)
def test_each_public_name_is_there(name):
    """Imported where it is first asked for, and shown by dir."""
    assert getattr(tdgen, name).__name__ == name
    assert name in dir(tdgen)


def test_a_name_that_is_none():
    """The error is the one that Python gives."""
    with pytest.raises(AttributeError, match="module 'tdgen' has no attribute 'nothing'"):
        _ = tdgen.nothing


def test_importing_it_loads_nothing_heavy():
    """So that a command line starts fast."""
    code = f"import sys, tdgen; print([name for name in {HEAVY!r} if name in sys.modules])"
    assert _python("-c", code).stdout.strip() == "[]"


@pytest.mark.timeout(400)  # several hundred imports, one after the other
def test_every_module_imports_alone():
    """Whatever is imported first: no module relies on another one having been there."""
    done = _python("-c", ALONE, *MODULES)
    assert len(MODULES) > 100
    assert done.returncode == 0, done.stderr


def _python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-W", "error", *arguments], capture_output=True, text=True, check=False)
