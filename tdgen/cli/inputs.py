"""What the user hands in: prose as an argument, a file or a pipe, and files beside it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO, Final

from tdgen.errors import InputError
from tdgen.specs.instruction import is_finished_code, is_path

MOST_BYTES: Final = 16_000_000
_LONGEST_PATH: Final = 4_096


def instruction_in(argument: str) -> str:
    """The instruction that a TEXT|FILE|- argument stands for; InputError where it can't be read.

    `-` is the standard input, and the name of an existing file that file. What only looks like the name of a file
    is an error rather than an instruction.
    """
    if argument == "-":
        return _standard_input()
    path = _existing(argument)
    if path is not None:
        return _prose_of(path)
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


def _prose_of(path: Path) -> str:
    text = text_of(path)
    if path.suffix == ".py" and is_finished_code(text):
        raise InputError(
            f"{path} is finished code, and tdgen changes no code that is there: say in prose what a new function "
            "should do (a function without a body is one to write)"
        )
    return text


def _standard_input() -> str:
    if sys.stdin is None:
        raise InputError("the standard input is closed: give the instruction as an argument or a file")
    try:
        return _decoded(sys.stdin.buffer, "the standard input")
    except OSError as error:
        raise InputError(f"the standard input can't be read: {error.strerror}") from None


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
