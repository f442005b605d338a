"""Libraries of the package index as projects: their sources fetched by pip at run time, with an environment of each.

What is fetched is told by version and hash, so that all who run this read the same bytes. Each library has a `.venv`
with the packages that its tests import and nothing else; pytest is lent by the sandbox where a library brings none. pip
prepares a source distribution by running its build back end here, as it does for whoever installs it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tdgen.errors import InputError

_SECONDS = 300
"""How long pip may take for one library."""


class Library(NamedTuple):
    """A source distribution by name, version and SHA-256.

    `code` is the folder or file of its modules, from the project's root. `needs` are the packages that its tests
    import, and `is_installed` says that it reads its own metadata, so that it has to be installed too.
    """

    name: str
    version: str
    sha256: str
    code: str
    needs: tuple[str, ...] = ()
    is_installed: bool = False

    @property
    def id(self) -> str:
        """Its name and version."""
        return f"{self.name}-{self.version}"


LIBRARIES = (
    Library(
        "attrs", "24.2.0", "5cfb1b9148b5b086569baec03f20d7b6bf3bcacc9a42bebf87ffaaca362f6346",
        "src", ("hypothesis==6.115.3",), is_installed=True,
    ),
    Library(  # a hook of its tests has an argument that later versions of pytest don't give
        "boltons", "24.0.0", "7153feccaea1ff2e1472f68d4b57fadb796a2ee49d29f638f1c9cd8fb5ebd916",
        "boltons", ("pytest==8.3.3",),
    ),
    Library(
        "humanize", "4.10.0", "06b6eb0293e4b85e8d385397c5868926820db32b9b654b932f57fa41c23c9978",
        "src", ("freezegun==1.5.1", "pytest-cov==5.0.0"), is_installed=True,
    ),
    Library("inflection", "0.5.1", "1a29730d366e996aaacffb2f1f1cb9593dc38e2ddd30c91250c6dde09ea9b417", "inflection"),
    Library("isodate", "0.7.2", "4cd1aa0f43ca76f4a6c6c0292a85f40b35ec2e43e315b59f06e6d32171a953e6", "src"),
    Library(
        "more-itertools", "10.5.0", "5482bfef7849c25dc3c6dd53a6173ae4795da2a41a80faea6700d9f5846c5da6", "more_itertools"
    ),
    Library("parse", "1.20.2", "b41d604d16503c79d81af5165155c0b20f6c8d6c559efa66b4b695c3e5a0a0ce", "parse.py"),
    Library(
        "pyrsistent", "0.20.0", "4c48f78f62ab596c679086084d0dd13254ae4f3d6c72a83ffdf5ebdef8f265a4",
        "pyrsistent", ("hypothesis==6.115.3",),
    ),
    Library(
        "semver", "3.0.2", "6253adb39c70f6e51afed2fa7152bcd414c411286088fb4b9effb133885ab4cc",
        "src", ("pytest-cov==5.0.0",),
    ),
    Library("sqlparse", "0.5.1", "bb6b4df465655ef332548e24f08e205afc81b9ab86cb1c45657a7ff173a3a00e", "sqlparse"),
    Library("tabulate", "0.9.0", "0095b12bf5966de529c0feb1fa08671671b3368eec77d7ef7ab114be2c068b3c", "tabulate"),
    Library("toolz", "0.12.1", "ecca342664893f177a13dac0e6b41cbd8ac25a358e5f215316d43e2100224f4d", "toolz"),
)  # fmt: skip


def fetched(library: Library, cache: Path) -> Path:
    """The root of the library's project in the cache, fetched where it is not there yet.

    InputError, with what pip or the archive says, where it can't be had.
    """
    root = cache / library.id
    if not root.exists():
        draft = cache / f"{library.id}.part"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        try:
            _unpack(_downloaded(library, draft), draft)
            _equip(library, draft / library.id)
            (draft / library.id).rename(root)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return root.resolve()


def _downloaded(library: Library, folder: Path) -> Path:
    """The source distribution; pip refuses one with another hash."""
    wanted = folder / "requirements.txt"
    wanted.write_text(f"{library.name}=={library.version} --hash=sha256:{library.sha256}\n")
    _pip("download", "--no-deps", "--no-binary", library.name, "--dest", str(folder), "-r", str(wanted))
    return next(folder.glob("*.tar.gz"))


def _unpack(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")


def _equip(library: Library, root: Path) -> None:
    """Give the project its environment: an interpreter, and what its tests import."""
    if not root.is_dir():
        raise InputError(f"{library.id} can't be read: its archive has no folder {root.name}")
    venv.create(root / ".venv", with_pip=False, symlinks=True)
    (packages,) = (root / ".venv").glob("lib/python3.*/site-packages")
    target = ("--target", str(packages))
    if library.needs:
        _pip("install", *target, *library.needs)
    if library.is_installed:
        _pip("install", "--no-deps", *target, str(root))


def _pip(command: str, *arguments: str) -> None:
    line = [sys.executable, "-m", "pip", command, "--quiet", "--disable-pip-version-check", *arguments]
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise InputError(f"pip {command} took more than {_SECONDS} s") from None
    if done.returncode:
        raise InputError(f"pip {command} failed: {_reason(done.stderr.splitlines())}")


def _reason(lines: Sequence[str]) -> str:
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or [line for line in lines if line.strip()] or ["no reason given"])[-1]
