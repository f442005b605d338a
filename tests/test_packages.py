"""What tdgen writes is what one would commit: three packages, tried as their users would."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tdgen import Generator, Settings
from tdgen.demo import demo_instruction, demo_settings
from tdgen.ruff import ruff
from tdgen.types import FileJob, Solution

TUTORIAL = Path(__file__).parents[1] / "docs" / "tutorial"
PACKAGES = ("work_hours", "slugs", "kit")
DRIVER = """\
import os

import pytest


def test_they_pass():
    os.chdir({place!r})
    arguments = ["-q", "-c", os.devnull, "-p", "no:cacheprovider", "--import-mode={mode}", {argument!r}]
    assert pytest.main(arguments) == 0
"""


@pytest.fixture(scope="module")
def packages(one_studio, double, tmp_path_factory) -> dict[str, Solution]:
    """The demo's, the tutorial's, and one of a single function."""
    cache = str(tmp_path_factory.mktemp("cache"))
    with Generator(demo_settings(cache)) as generator:
        demo = generator.solve(demo_instruction())
    recorded = Settings(script=str(TUTORIAL / "slugs.json"), trust="quick", cache_dir=cache)
    with Generator(recorded) as generator:
        slugs = generator.solve((TUTORIAL / "slugs.txt").read_text())
    kit = one_studio.solve(double()).solution
    return dict(zip(PACKAGES, (demo, slugs, kit), strict=True))


@pytest.mark.parametrize("layout", ["package", "flat", "src"])
@pytest.mark.parametrize("mode", ["prepend", "importlib"])
@pytest.mark.parametrize(
    ("place", "argument"), [("put/there/{}", "."), ("put/there", "{}"), (".", "put")], ids=["inside", "beside", "above"]
)
def test_their_tests_pass_from_anywhere(packages, one_studio, layout, mode, place, argument):
    """By pytest in each of its import modes, in the sandbox: in the folder, beside it and above it."""
    for name in PACKAGES if layout == "package" else PACKAGES[2:]:
        files = {f"put/there/{name}/{path}": text for path, text in packages[name].files(layout).items()}
        driver = DRIVER.format(place=place.format(name), mode=mode, argument=argument.format(name))
        report = one_studio.sandbox.run_files(
            FileJob(files=files | {"test_driver.py": driver}, tests=("test_driver.py",))
        )
        assert report.passed, report.log


def test_nothing_is_left_to_mend(packages, tmp_path):
    """Ruff finds nothing in them and would format nothing; mypy at its strictest has no word against the modules."""
    for name in PACKAGES:
        packages[name].save(tmp_path / name)
    for command in (["check", "--no-cache"], ["format", "--no-cache", "--check"]):
        # Where a file has no settings above it ruff takes those of the working folder.
        done = subprocess.run([ruff(), *command, "."], capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 0, done.stdout
    code = [str(tmp_path / name / f"{name}.py") for name in PACKAGES]
    code += [str(tmp_path / name / "__init__.py") for name in PACKAGES]
    mypy = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "mypy"), *code]
    done = subprocess.run(mypy, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
