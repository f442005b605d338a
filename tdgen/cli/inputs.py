"""What a command works on: prose as an argument, a file or a pipe, what is handed in beside it, or a solution."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from tdgen.errors import InputError
from tdgen.extensions import part
from tdgen.protocols import suite_files
from tdgen.solution import Solution
from tdgen.solution.package import module_text
from tdgen.specs.instruction import is_finished_code, is_path

if TYPE_CHECKING:
    from tdgen.cache import Run
    from tdgen.client import Generator, Handed
    from tdgen.outputs.drafts import DraftFile
    from tdgen.outputs.places import Package


MOST_BYTES: Final = 16_000_000  # a judgement: a text that somebody wrote is smaller by far
_LONGEST_PATH: Final = 4_096


def instruction_in(argument: str) -> str:
    """The instruction that a TEXT|FILE|- argument stands for; InputError where it can't be read.

    `-` is the standard input, and the name of an existing file that file. What only looks like the name of a file
    is an error rather than an instruction.
    """
    if argument == "-":
        if sys.stdin is None:
            raise InputError("the standard input is closed: give the instruction as an argument or a file")
        try:
            return _decoded(sys.stdin.buffer, "the standard input")
        except OSError as error:
            raise InputError(f"the standard input can't be read: {error.strerror}") from None
    path = _existing(argument)
    if path is not None:
        text = text_of(path)
        if path.suffix == ".py" and is_finished_code(text):
            raise InputError(
                f"{path} is finished code, and tdgen changes no code that is there: say in prose what a new function "
                "should do (a function without a body is one to write)"
            )
        return text
    if is_path(argument):
        raise InputError(f"there is no file {argument} (an instruction is a sentence or more: put it in quotes)")
    return argument


def text_of(path: Path) -> str:
    """The text of a file; InputError where it is a folder, not there, no text, or too large to be meant."""
    if path.is_dir():
        raise InputError(f"{path} is a folder: name a file")
    try:
        with path.open("rb") as file:
            return _decoded(file, str(path))
    except OSError as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise InputError(f"{path} can't be read: {reason}") from None


def _decoded(file: BinaryIO, name: str) -> str:
    content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise InputError(f"{name} has more than {MOST_BYTES // 1_000_000} MB: name a text that is written by hand")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{name} is not UTF-8 text: give plain text") from None
    if "\0" in text:
        raise InputError(f"{name} is a binary file: give plain text")
    return text


def _existing(argument: str) -> Path | None:
    if not argument.strip() or len(argument) > _LONGEST_PATH or "\n" in argument or "\0" in argument:
        return None
    try:
        path = Path(argument)
        return path if path.exists() else None
    except OSError:
        return None


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
    own = {file: text_of(Path(file)) for file in tests or ()}
    for file, source in own.items():
        suite_files().read_tests(source, name=file)  # that there are tests in it
    earlier: Solution | str = follow or ""
    if follow and is_folder(follow):
        from tdgen.outputs.places import recorded_solution

        earlier = recorded_solution(Path(follow))
    if not plan:
        return instruction, Handed(tests=tuple(own.values()), follow=earlier, module=module or "")
    draft: DraftFile = part("drafts").read_draft(text_of(Path(plan)), plan)
    return instruction, Handed(
        tests=tuple(own.values()),
        plan=draft.plan,
        suites=draft.suites,
        planned=draft.instruction,
        follow=earlier,
        module=module or "",
    )


def package_of(generator: Generator, name: str) -> Package:
    """The solution that HASH|FOLDER names, with its files (a folder's as they are now); InputError for no such one."""
    if is_folder(name):
        from tdgen.outputs.places import read_package

        return read_package(Path(name), generator.folder)
    return _package(generator.find(name))


def package_or_run(generator: Generator, name: str) -> Package | Run:
    """The same; where HASH is that of a run that left no solution, that run."""
    if is_folder(name):
        return package_of(generator, name)
    kept = generator.look_up(name)
    return _package(kept) if isinstance(kept, Solution) else kept


def _package(solution: Solution) -> Package:
    from tdgen.outputs.places import Package

    module = solution.plan.module_file
    return Package(solution, {module: module_text(solution), **solution.test_files}, module)


def is_folder(name: str) -> bool:
    """Whether HASH|FOLDER is meant as a folder: by a slash in it, or since there is one of that name."""
    return "/" in name or Path(name).exists()
