"""A folder of files, written whole or not at all, and nobody's work overwritten unasked."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tdgen.errors import InputError


def check_folder(folder: Path, *, force: bool = False) -> None:
    """InputError where `folder` can't take files: it is a file, can't be written, or holds others' without `force`.

    Ask before any work is paid for: what can't be saved need not be made.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file: name a folder, or end the name in .py for the module alone")
    if folder.is_dir() and not force and not (folder / "tdgen.json").exists() and any(folder.iterdir()):
        raise InputError(f"{folder} holds other files: name another folder, or add --force to write beside them")
    _must_be_writable(folder)


def save_files(folder: Path, files: Mapping[str, str], *, force: bool = False) -> None:
    """Write `files` (texts by relative path) into `folder`; InputError where that can't be, then nothing is changed.

    A file that is there and says something else is only replaced with `force`.
    """
    check_folder(folder, force=force)
    different = [name for name, text in files.items() if _says_other(folder / name, text)]
    if different and not force:
        raise InputError(f"{folder / different[0]} is there and differs: add --force to replace it")
    if blocked := [name for name in files if (folder / name).is_dir()]:
        raise InputError(f"{folder / blocked[0]} is a folder, where a file is to be written: name another folder")
    is_new = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Inside the folder, as what is above it may be another disk, or not ours.
        with tempfile.TemporaryDirectory(dir=folder, prefix=".tdgen-") as made:
            for name, text in files.items():
                path = Path(made, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8", newline="\n")
            for name in files:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                Path(made, name).replace(folder / name)
    except (OSError, UnicodeError) as error:
        if is_new:
            shutil.rmtree(folder, ignore_errors=True)
        why = error.strerror if isinstance(error, OSError) else "it holds text that is no valid Unicode"
        raise InputError(f"can't write to {folder}: {why}") from None


def check_file(path: Path, *, force: bool = False) -> None:
    """InputError where `path` can't be written, or is there and says something without `force`.

    Ask before any work is paid for: what can't be saved need not be made.
    """
    if path.is_dir():
        raise InputError(f"{path} is a folder: name a file")
    if path.exists() and not force and path.stat().st_size:
        raise InputError(f"{path} is there already: add --force to replace it, or name another file")
    _must_be_writable(path.parent)


def save_file(path: Path, text: str, *, force: bool = False) -> None:
    """Write one file whole; InputError where it can't be written, or is there, differs, and `force` is not given."""
    if path.is_dir():
        raise InputError(f"{path} is a folder: name a file")
    if not force and _says_other(path, text):
        raise InputError(f"{path} is there and differs: add --force to replace it")
    _must_be_writable(path.parent)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".tdgen-") as made:
            part = Path(made, path.name)
            part.write_text(text, encoding="utf-8", newline="\n")
            shutil.move(part, path)
    except OSError as error:
        raise InputError(f"can't write {path}: {error.strerror}") from None


def _says_other(path: Path, text: str) -> bool:
    try:
        return path.exists() and path.read_text(encoding="utf-8") != text
    except (OSError, UnicodeDecodeError):
        return True


def _must_be_writable(folder: Path) -> None:
    """Found by trying: the nearest folder that exists takes a temporary file."""
    nearest = folder.absolute()
    while not nearest.exists():
        nearest = nearest.parent
    try:
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as error:
        raise InputError(f"can't write to {folder}: {error.strerror}") from None
