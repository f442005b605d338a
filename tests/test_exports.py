"""What tdgen shows to the world, and what it costs to look."""

from __future__ import annotations

import ast
import builtins
import inspect
import pkgutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

import tdgen

HEAVY = (
    "pydantic",
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
    if not found.name.startswith(("tdgen.sandbox.inside", "tdgen.sandbox.in_project"))
    and found.name != "tdgen.__main__"
)

# To import a.b.c is to import a and a.b first. So a process that has imported a package, and nothing else of tdgen's,
# is forked for each package in it, and imports and forgets each of its modules in turn: what the libraries and the
# package itself cost is paid once. So are the packages of the lower layers: once their modules have been imported
# alone, they are there for those above. Who uses them without an import is found by mypy.
ALONE = """
import importlib, os, sys, traceback
import fastapi, networkx, typer

LOWER = (
    "errors text source files types events language protocols settings terminal values replies prompts metrics"
    " solution depgraph testgen specs judge inputs mutation sandbox impl models cache build pipeline"
)
BELOW = [f"tdgen.{name}" for name in LOWER.split()]

def import_alone(name):
    if not inside(name):
        return fails(name)
    child = os.fork()
    if not child:
        os._exit(fails(name) or each_inside(name))
    _, status = os.waitpid(child, 0)
    return status != 0

def each_inside(name):
    failed = []
    for lower in sorted({*inside(name)} & {*BELOW}, key=BELOW.index):
        failed.append(import_alone(lower))
        for inner in names:
            if f"{inner}.".startswith(f"{lower}."):
                importlib.import_module(inner)
    before = {*sys.modules}
    for inner in inside(name):
        if inner not in BELOW:
            failed.append(import_alone(inner))
            forget({*sys.modules} - before)
    return any(failed)

def inside(name):
    return [inner for inner in names if inner.rpartition(".")[0] == name]

def forget(imported):
    for name in imported:
        package, _, last = name.rpartition(".")
        if name.startswith("tdgen."):
            del sys.modules[name]
            if package in sys.modules:
                vars(sys.modules[package]).pop(last, None)

def fails(name):
    try:
        importlib.import_module(name)
        return False
    except BaseException:
        print(name, file=sys.stderr)
        traceback.print_exc()
        return True

names = sys.argv[1:]
sys.exit(import_alone("tdgen"))
"""


CALLED = {
    *("Asked", "AsyncClient", "Budget", "Generator", "Handed", "ScriptedModel", "Settings", "Solution"),
    *("asolve", "events", "implement", "solve"),
}
"""What a user calls, makes or is given; a new name is a promise: add it here on purpose."""
COMMANDS_ALONE = ("look_up", "session")
"""The methods of `Generator` that are there for tdgen's own commands."""


def test_the_public_names():
    """What a user calls, the types that stand in its signatures, and the errors that it raises."""
    typed = {name for name in SIGNED if name in tdgen.__all__}
    errors = {name for name in vars(tdgen.errors) if isinstance(getattr(tdgen, name, None), type)} & {*tdgen.__all__}
    assert {*tdgen.__all__} == {*CALLED, *typed, *errors, "Event"}


def signed(owner: object) -> Iterator[str]:
    """The names in the annotations of a function, or of a class: its public methods, properties and fields."""
    if not isinstance(owner, type):
        yield from (name for annotation in annotations(owner) for name in names_in(annotation))
        return
    for name, member in [
        one for base in owner.__mro__ if base.__module__.startswith("tdgen") for one in vars(base).items()
    ]:
        if name in COMMANDS_ALONE or (name.startswith("_") and name != "__init__" and name != "__getitem__"):
            continue
        function = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
        if inspect.isfunction(function):
            yield from signed(function)
    fields = [inspect.get_annotations(base).items() for base in owner.__mro__ if base.__module__.startswith("tdgen")]
    yield from (name for one in fields for field, kind in one if not field.startswith("_") for name in names_in(kind))


def annotations(function: object) -> list[str]:
    return list(inspect.get_annotations(function).values())


def names_in(annotation: object) -> list[str]:
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__forward_arg__", "")
    return [node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]


SIGNED = {
    name for called in CALLED if called not in ("Settings", "events") for name in signed(getattr(tdgen, called))
} | {*signed(tdgen.FunctionResult)}
NOT_OURS = {
    "Any",
    "Callable",
    "F",
    "Executor",
    "Mapping",
    "Path",
    "Self",
    "Sequence",
    "Iterable",
    "Iterator",
    "AsyncGenerator",
    "AsyncIterator",
    "Awaitable",
    "Unpack",
    "Literal",
    "ClassVar",
}


def test_what_stands_in_a_public_signature_is_public():
    """So that a user can annotate what calls it, without a look into the packages below."""
    assert {"Ask", "Emit", "Plan", "FunctionResult", "Case"} <= SIGNED
    assert sorted(SIGNED - {*tdgen.__all__} - NOT_OURS - {*vars(builtins)}) == []


@pytest.mark.parametrize("name", tdgen.__all__)
def test_each_public_name_is_there(name):
    """Imported where it is first asked for, and shown by dir."""
    found = getattr(tdgen, name)
    assert not isinstance(found, type) or found.__name__ == name
    assert name in dir(tdgen)


def test_a_name_that_is_none():
    """The error is the one that Python gives."""
    with pytest.raises(AttributeError, match="module 'tdgen' has no attribute 'nothing'"):
        _ = tdgen.nothing


def test_importing_it_loads_nothing_heavy():
    """So that a command line starts fast."""
    code = f"import sys, tdgen; print([name for name in {HEAVY!r} if name in sys.modules])"
    assert _python("-c", code).stdout.strip() == "[]"


@pytest.mark.slow
def test_every_module_imports_alone():
    """Whatever is imported first: no module relies on another one having been there."""
    done = _python("-c", ALONE, *MODULES)
    assert len(MODULES) > 100
    assert done.returncode == 0, done.stderr


def _python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-W", "error", *arguments], capture_output=True, text=True, check=False)
