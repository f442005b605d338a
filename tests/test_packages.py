"""What tdgen writes is what one would commit: three packages, tried as their users would."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from tdgen import Generator, Settings
from tdgen.demo import demo_instruction, demo_settings
from tdgen.files.ruff import ruff
from tdgen.solution import Solution
from tdgen.solution.package import Layout
from tdgen.types import FileJob

TUTORIAL = Path(__file__).parents[1] / "docs" / "tutorial"
KINDS = ("plain", "stock", "script")
PACKAGES = (*KINDS, "work_hours", "slugs")
STYLE = "[tool.ruff]\nline-length = 60\n\n[tool.ruff.format]\nquote-style = 'single'\n"
STOCK = """
import json
from pathlib import Path

def load(path: str) -> Stock:
    text = Path(path).read_text(encoding="utf-8")
    try:
        counts = json.loads(text)
    except ValueError:
        raise StockError(f"{path} holds no stock") from None
    return Stock(counts, sum(counts.values()))
"""
SAVE = """
import json
from pathlib import Path

def save(stock: Stock, path: str) -> None:
    if stock.total != sum(stock.counts.values()):
        raise StockError("the total is wrong")
    Path(path).write_text(json.dumps(stock.counts, sort_keys=True), encoding="utf-8")
"""
MAIN = """
import sys

def main(argv: list[str]) -> int:
    if not argv:
        print("usage: script NUMBER...", file=sys.stderr)
        return 2
    print(sum(int(word) for word in argv))
    return 0
"""
DRIVER = """\
import os

import pytest


def test_they_pass():
    os.chdir({place!r})
    arguments = ["-q", "-c", os.devnull, "-p", "no:cacheprovider", "--import-mode={mode}", {argument!r}]
    assert pytest.main(arguments) == 0
"""


@pytest.fixture(scope="module")
def packages(one_studio, double, write, tmp_path_factory) -> dict[str, Solution]:
    """One of a plain function, one of a dataclass, an exception and files, a script; the demo's, the tutorial's."""
    file = {"files": [{"name": "a.json", "text": '{"nut": 2, "bolt": 3}'}, {"name": "b.json", "text": "no"}]}
    types = [
        {
            "name": "Stock",
            "kind": "dataclass",
            "fields": [{"name": "counts", "type": "dict[str, int]"}, {"name": "total", "type": "int"}],
        },
        {"name": "StockError", "kind": "exception"},
    ]
    load = write.function(
        "load(path: str) -> Stock",
        cases=[
            write.returns("load('a.json')", "Stock({'nut': 2, 'bolt': 3}, 5)", world=file),
            write.raises("load('b.json')", "StockError", world=file),
            write.raises("load('none.json')", "FileNotFoundError"),
        ],
        tries=[STOCK],
    )
    saved = {"files": [{"name": "out.json", "text": '{"nut": 2}'}]}
    save = write.function(
        "save(stock: Stock, path: str) -> None",
        cases=[
            write.returns("save(Stock({'nut': 2}, 2), 'out.json')", "None", observe=saved),
            write.raises("save(Stock({'nut': 2}, 3), 'out.json')", "StockError"),
        ],
        tries=[SAVE],
    )
    main = write.function(
        "main(argv: list[str]) -> int",
        cases=[
            write.exits(["1", "2"], 0, observe={"stdout": "3\n"}),
            write.exits([], 2, kind="error", observe={"stdout": "", "stderr": "usage: script NUMBER...\n"}),
        ],
        tries=[MAIN],
    )
    plain = one_studio.solve(double(), module="plain").solution
    stock = one_studio.solve(load, save, types=types, module="stock").solution
    script = one_studio.solve(main, entry_function="main", module="script").solution
    cache = str(tmp_path_factory.mktemp("cache"))
    with Generator(demo_settings(cache)) as generator:
        demo = generator.solve(demo_instruction())
    recorded = Settings(script=str(TUTORIAL / "slugs.json"), trust="quick", cache_dir=cache)
    with Generator(recorded) as generator:
        slugs = generator.solve((TUTORIAL / "slugs.txt").read_text())
    made = dict(zip(PACKAGES, (plain, stock, script, demo, slugs), strict=True))
    assert all(solution.all_tests_passed for solution in made.values())
    return made


@pytest.mark.parametrize("layout", ["package", "flat", "src"])
@pytest.mark.parametrize("mode", ["prepend", "importlib"])
@pytest.mark.parametrize(
    ("place", "argument"), [("put/there/{}", "."), ("put/there", "{}"), (".", "put")], ids=["inside", "beside", "above"]
)
def test_their_tests_pass_from_anywhere(packages, one_studio, layout, mode, place, argument):
    """By pytest in each of its import modes, in the sandbox: in the folder, beside it and above it."""
    for name in KINDS if layout == "package" else ("stock",):
        files = {f"put/there/{name}/{path}": text for path, text in packages[name].files(layout).items()}
        driver = DRIVER.format(place=place.format(name), mode=mode, argument=argument.format(name))
        report = one_studio.sandbox.run_files(
            FileJob(files=files | {"test_driver.py": driver}, tests=("test_driver.py",))
        )
        assert report.passed, report.log


@pytest.mark.parametrize("style", ["", STYLE], ids=["defaults", "the user's own"])
def test_ruff_has_nothing_to_mend(packages, tmp_path, style):
    """It finds nothing in them and would format nothing, in any layout, by its defaults or as the user has set it."""
    (tmp_path / "pyproject.toml").write_text(style)
    for name in PACKAGES:
        for layout in get_args(Layout):
            packages[name].save(tmp_path / layout / name, layout=layout)
    for command in (["check", "--no-cache"], ["format", "--no-cache", "--check"]):
        # Where a file has no settings above it ruff takes those of the working folder.
        done = subprocess.run([ruff(), *command, "."], capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 0, done.stdout


def test_mypy_has_no_word_against_them(packages, tmp_path):
    """At its strictest, against the modules and against their tests."""
    for name in PACKAGES:
        packages[name].save(tmp_path / name)
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "mypy"), *PACKAGES]
    done = subprocess.run(mypy, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
