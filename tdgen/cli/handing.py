"""What a command works on: the instruction with what was handed in beside it, or a solution that is there already."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tdgen.cli.inputs import instruction_in, text_of
from tdgen.errors import InputError
from tdgen.outputs import Package, read_package, recorded_solution
from tdgen.solution import Solution
from tdgen.solution.layouts import module_text

if TYPE_CHECKING:
    from tdgen.cache import Run
    from tdgen.client import Generator, Handed


def handed_in(
    text: str | None,
    *,
    tests: Sequence[str] | None = None,
    plan: str | None = None,
    follow: str | None = None,
    module: str | None = None,
) -> tuple[str, Handed]:
    """The instruction and what came with it; a plan's file holds its instruction. InputError where it can't be read."""
    from tdgen.client import Handed

    if module is not None and not module.strip():
        raise InputError("--module is empty: give the module's name, such as times, or mypkg.times")
    if text is None and not plan:
        raise InputError("give the instruction: TEXT in quotes, a FILE, or - for the standard input")
    instruction = instruction_in(text) if text is not None else ""
    if text is not None and not instruction.strip():
        raise InputError("the instruction is empty: say in a sentence or more what the functions should do")
    own = [_tests_in(file) for file in dict.fromkeys(tests or ())]
    earlier = recorded_solution(Path(follow)) if follow and _is_folder(follow) else follow or ""
    if not plan:
        return instruction, Handed(tests=own, follow=earlier, module=module or "")
    from tdgen.drafts import read_draft

    draft = read_draft(text_of(Path(plan)), plan)
    return instruction, Handed(
        tests=own,
        plan=draft.plan,
        suites=draft.suites,
        planned=draft.instruction,
        follow=earlier,
        module=module or "",
    )


def _tests_in(file: str) -> str:
    """A test file's source; InputError, with the file's name, where it is no Python or has no test in it."""
    from tdgen.testgen.reading import read_tests

    source = text_of(Path(file))
    read_tests(source, name=file)
    return source


def package_of(generator: Generator, name: str) -> Package:
    """The solution that HASH|FOLDER names, with its files (a folder's as they are now); InputError for no such one."""
    if _is_folder(name):
        return read_package(Path(name), generator.folder)
    return _package(generator.find(name))


def package_or_run(generator: Generator, name: str) -> Package | Run:
    """The same; where HASH is that of a run that left no solution, that run."""
    if _is_folder(name):
        return package_of(generator, name)
    found = generator.look_up(name)
    return _package(found) if isinstance(found, Solution) else found


def _package(solution: Solution) -> Package:
    module = solution.plan.module_file
    return Package(solution, {module: module_text(solution), **solution.test_files}, module)


def _is_folder(name: str) -> bool:
    """Whether HASH|FOLDER is meant as a folder: by a slash in it, or since there is one of that name."""
    return "/" in name or Path(name).exists()
