"""The GitHub Action and the pre-commit hooks: their very lines, run by bash in a small repository."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

TOP = Path(__file__).parents[1]
ACTION = yaml.safe_load((TOP / "action.yml").read_text(encoding="utf-8"))
HOOKS = yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
MODULE = '''"""Pages of items."""


def page_count(items: int, size: int) -> int:
    """How many pages of `size` items hold them all: the last page may be short."""
    return items // size
'''
SPEC = {
    "name": "page_count",
    "purpose": "How many pages hold the items.",
    "parameters": [{"name": "items", "type": "int"}, {"name": "size", "type": "int"}],
    "returns": "int",
    "dependencies": [],
}
CASES = [
    {"name": name, "call": f"page_count({items}, 3)", "expect": "value", "value": str(pages), "why": "the docs"}
    for name, items, pages in [("full", 6, 2), ("none", 0, 0), ("short_last_page", 7, 3), ("one_more", 9, 3)]
]
RULING = {
    "case": "short_last_page",
    "working": "",
    "quote": "How many pages of `size` items hold them all: the last page may be short.",
    "verdict": "upheld",
}
ANSWERS = [
    {"purpose": "plan", "text": {"module": "pages", "summary": "Pages.", "functions": [SPEC], "questions": []}},
    {"purpose": "cases", "subject": "page_count", "text": {"cases": CASES}},
    *(
        {"purpose": "trial", "subject": "page_count", "sample": sample, "text": {"rulings": [RULING]}}
        for sample in range(3)
    ),
]


class Ended(NamedTuple):
    """How a run of the action ended: its exit code, the outputs and what was printed, by step."""

    code: int
    outputs: dict[str, dict[str, str]]
    printed: str
    folder: Path

    def sarif(self, name: str) -> list[str]:
        """The messages of a SARIF file."""
        (run,) = json.loads((self.folder / "tdgen" / f"{name}.sarif").read_text())["runs"]
        return [result["message"]["text"] for result in run["results"]]


class Runner:
    """What GitHub does with a composite action: its steps one after the other, each by bash with its environment."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._folder, self._environment = folder, environment

    def run(self, contexts: dict[str, str]) -> Ended:
        """Run the steps; `contexts` has inputs and what else expressions name. What needs a network is left out."""
        inputs = {f"inputs.{name}": given["default"] for name, given in ACTION["inputs"].items()}
        contexts = {**inputs, "github.token": "secret", **contexts}
        outputs: dict[str, dict[str, str]] = {}
        printed = ""
        for step in ACTION["runs"]["steps"]:
            if "uses" in step or "pip install" in step["run"] or not self._wanted(step.get("if", ""), contexts):
                continue
            file = self._folder / "output"
            file.write_text("")
            given = {name: self._filled(value, contexts) for name, value in step.get("env", {}).items()}
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                env={**self._environment, "GITHUB_OUTPUT": str(file), **given},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
                timeout=100,
            )
            printed += done.stdout
            told = dict(line.partition("=")[::2] for line in file.read_text().splitlines())
            outputs[step.get("id", "")] = told
            contexts |= {f"steps.{step.get('id')}.outputs.{name}": value for name, value in told.items()}
            if done.returncode:
                return Ended(done.returncode, outputs, printed, self._folder)
        return Ended(0, outputs, printed, self._folder)

    @staticmethod
    def _filled(value: str, contexts: dict[str, str]) -> str:
        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda found: contexts.get(found[1], ""), value)

    @staticmethod
    def _wanted(condition: str, contexts: dict[str, str]) -> bool:
        parts = [part.split(" == ") for part in condition.split(" && ") if part]
        return all(contexts.get(name, "") == value.strip("'") for name, value in parts)


def git(*words: str) -> None:
    """Run git here."""
    who = ["-c", "user.name=me", "-c", "user.email=me@example.org"]
    subprocess.run(["git", *who, *words], check=True, timeout=20, capture_output=True)


@pytest.fixture
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """In an empty repository, the working directory; `gh` notes what it is given."""
    (tmp_path / "repository").mkdir()
    monkeypatch.chdir(tmp_path / "repository")
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "begun")
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "gh").write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/gh\n')
    (programs / "gh").chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TDGEN_", "OPENAI_"))}
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    github = {"RUNNER_TEMP": str(tmp_path), "GITHUB_STEP_SUMMARY": str(tmp_path / "page.md")}
    return Runner(tmp_path, {**kept, "PATH": path, "XDG_CACHE_HOME": str(tmp_path / "cache"), **github})


@pytest.fixture
def pages(bare_environment: Any) -> None:
    """A project whose module was changed by the last commit, with a record that tells of another `page_count`."""
    Path("pyproject.toml").write_text('[project]\nname = "pages"\nversion = "1"\n')
    entry = {"signature": "def page_count(items: int, size: int) -> int:", "docs": "Old.", "code": "0", "tests": {}}
    Path("tdgen.json").write_text(json.dumps({"format": 1, "units": {"pages.py::page_count": entry}}))
    Path(".gitignore").write_text(".venv\n")
    Path("pages.py").write_text("")
    bare_environment(Path())
    git("add", ".")
    git("commit", "-qm", "a project")
    Path("pages.py").write_text(MODULE)
    git("commit", "-qam", "a function")


@pytest.mark.slow
def test_what_is_found_is_told_everywhere(runner: Runner, pages: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """As SARIF, in the table on the run's page, on the pull request; the run fails for it, at its end."""
    answers = [answer | {"text": json.dumps(answer["text"])} for answer in ANSWERS]
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"format": 1, "model": "scripted", "answers": answers}))
    runner._environment["TDGEN_SCRIPT"] = str(script)
    request = {"github.event_name": "pull_request", "github.event.pull_request.number": "7"}
    ended = runner.run({"inputs.base": "0" * 40, "inputs.options": "--trust quick --budget calls=9", **request})
    assert ended.code == 1, ended.printed
    assert ended.outputs["guard"] == ended.outputs["verify"] == {"code": "1"}, ended.printed
    (found,) = ended.sarif("guard")
    assert found.startswith("page_count: page_count(7, 3): expected: returns `3`, observed: returns `2`; the docs say:")
    assert found in ended.printed
    assert ended.sarif("sync") == ["page_count: its docs changed, its code changed"]
    page = (tmp_path / "page.md").read_text()
    assert "| pages.py::page_count | its docs changed, its code changed |" in page
    assert "| pages.py::page_count | differs | 4 |" in page
    assert "+++ b/tests/test_page_count.py" in (tmp_path / "tdgen" / "tests.patch").read_text()
    told = (tmp_path / "gh").read_text()
    assert told.startswith("pr comment 7 --edit-last --create-if-none --body-file ")


@pytest.mark.slow
def test_a_repository_without_python_passes(runner: Runner, tmp_path: Path):
    """Nothing is made by tdgen there, nothing changed, and nobody can be asked."""
    Path("README").write_text("hello\n")
    git("add", ".")
    git("commit", "-qm", "words")
    ended = runner.run({})
    assert (ended.code, ended.sarif("sync")) == (0, []), ended.printed
    assert "tdgen.json is not there" in ended.printed
    assert "::notice::no model can be asked" in ended.printed
    assert not (tmp_path / "gh").exists()


@pytest.mark.slow
def test_a_folder_that_was_solved_is_verified(runner: Runner, solver: Any, double: Any, tmp_path: Path):
    """Each in a SARIF file of its own."""
    solution = solver.solve(double()).solution
    for name in ("one", "the other"):
        solution.save(name)
    module = next(Path("the other").rglob(f"{solution.plan.module}.py"))
    module.write_text(module.read_text().replace("2", "3"))
    git("add", ".")
    ended = runner.run({"inputs.guard": "false"})
    assert (ended.code, ended.outputs["verify"]) == (1, {"code": "1"}), ended.printed
    assert ended.sarif("verify--one") == []
    assert ended.sarif("verify--the-other") != []


@pytest.mark.slow
@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_a_hook_passes_where_there_is_nothing_of_its(runner: Runner, hook: dict[str, Any]):
    """In a repository without Python, and without a record: one line, and no failure."""
    Path("README").write_text("hello\n")
    done = subprocess.run(
        hook["entry"].split(), env=runner._environment, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, len(done.stderr.splitlines())) == (0, 1), done.stderr


def test_hooks_run_where_code_or_the_record_changed():
    """And are not given the files' names, as they look at the project."""
    assert [hook["id"] for hook in HOOKS] == ["tdgen-sync", "tdgen-guard"]
    for hook in HOOKS:
        assert (hook["language"], hook["pass_filenames"]) == ("python", False)
        assert re.search(hook["files"], "src/shop/prices.py")
        assert not re.search(hook["files"], "README.md")


def test_no_step_reads_an_expression_in_its_lines():
    """What others name their branches can't become a command: it comes by the environment."""
    lines = [step["run"] for step in ACTION["runs"]["steps"] if "run" in step]
    assert len(lines) > 5
    assert not any("${{" in line for line in lines)
