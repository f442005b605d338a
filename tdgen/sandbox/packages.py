"""Third-party packages that the user allows: wheels, installed once outside the sandbox and read-only inside it.

Installing a wheel unpacks it and runs nothing of it; a source distribution would run code on this machine, and is
never taken. A set of requirements has one folder in the cache, made whole and then never changed.
"""

from __future__ import annotations

import platform
import re
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from tdgen.errors import InputError, SandboxError
from tdgen.sandbox import interpreter, pip_words
from tdgen.types import digest

_FORMAT: Final = 1
_SPECIFIER: Final = r"(?:===?|~=|!=|<=?|>=?)\s*[A-Za-z0-9.*+!_-]+"
_REQUIREMENT: Final = re.compile(
    rf"([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(\[[A-Za-z0-9,._\s-]*\])?\s*((?:{_SPECIFIER}\s*,?\s*)*)"
)
_INSTALL_S: Final = 900.0
_LINUX: Final = ("manylinux_2_28", "manylinux_2_17", "manylinux2014")
_OPTIONS: Final = (
    *("--quiet", "--no-input", "--disable-pip-version-check", "--progress-bar=off", "--retries=2"),
    *("--only-binary=:all:", "--no-compile"),
)


class Packages(NamedTuple):
    """The folder that a sandbox shows, empty where it needs none, and the names that code may import besides.

    Modules of the standard library that were named are among them.
    """

    folder: str = ""
    imports: frozenset[str] = frozenset()


def requirements(allowed: Iterable[str]) -> tuple[str, ...]:
    """Those of `allowed` that are no module of the standard library, sorted: `numpy`, `python-dateutil>=2`.

    InputError for what is no distribution's name with an optional version.
    """
    found = set()
    for text in allowed:
        if _is_standard(text):
            continue
        match = _REQUIREMENT.fullmatch(text.strip())
        if match is None:
            raise InputError(f"--allow {text}: that is no package: name it as on PyPI, such as numpy or 'numpy>=2,<3'")
        name, extras, versions = match.groups()
        found.add(_normalised(name) + "".join((extras or "").split()) + "".join(versions.split()).strip(","))
    return tuple(sorted(found))


def install(allowed: Collection[str], python: str, cache: Path) -> Packages:
    """The packages among `allowed`, for that version of Python (empty: this one), kept in `cache/packages`.

    What is there already is taken as it is. InputError where one can't be had, SandboxError where there is no pip, or
    no network.
    """
    wanted, standard = requirements(allowed), frozenset(filter(_is_standard, allowed))
    if not wanted:
        return Packages(imports=standard)
    from filelock import FileLock

    version = python or f"{sys.version_info.major}.{sys.version_info.minor}"
    name = digest([_FORMAT, wanted, version, sysconfig.get_platform()]).removeprefix("sha256:")
    try:
        home = cache.absolute() / "packages"
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = home / name
        if not folder.is_dir():
            with FileLock(home / f"{name}.lock"):
                if not folder.is_dir():
                    _make(folder, wanted, version)
    except OSError as error:
        raise InputError(f"packages can't be kept in {cache}: {error.strerror}: set --cache-dir") from error
    imports = _imports(folder, {_normalised(_distribution(text)) for text in wanted})
    return Packages(str(folder), standard.union(imports))


def _make(folder: Path, wanted: tuple[str, ...], version: str) -> None:
    """Install into a folder beside `folder`, and give it that name once it is whole."""
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".making-") as temporary:
        made = Path(temporary, "site")
        made.mkdir()
        made.chmod(0o755)  # as root, another user reads it inside
        _pip(wanted, version, made)
        _precompile(made, version)
        made.rename(folder)


def _pip(wanted: tuple[str, ...], version: str, target: Path) -> None:
    """Have pip unpack the wheels into `target`."""
    elsewhere = list(_elsewhere(version))
    command = [sys.executable, "-P", "-m", "pip", "install", *_OPTIONS, *elsewhere, "--target", str(target), *wanted]
    try:
        done = subprocess.run(  # noqa: S603 - pip, with names that were looked at
            command, capture_output=True, text=True, errors="replace", timeout=_INSTALL_S, umask=0o022, check=False
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"--allow {wanted[0]}: no end of its download within {_INSTALL_S:g} s: try again") from None
    if done.returncode:
        if "No module named pip" in done.stderr:
            raise SandboxError(f"--allow needs pip, which {sys.executable} lacks: `python -m ensurepip` installs it")
        raise pip_words.refusal(done.stderr, wanted, version)


def _elsewhere(version: str) -> Iterator[str]:
    """Options that tell pip of the Python and the platform inside, where they are not its own.

    None without need: pip reads the markers of dependencies as for its own Python all the same.
    """
    if sys.version_info[:2] != _numbers(version):
        yield f"--python-version={version}"
    if sys.platform != "linux":
        machine = {"arm64": "aarch64", "AMD64": "x86_64"}.get(platform.machine(), platform.machine())
        yield from (f"--platform={libc}_{machine}" for libc in _LINUX)


def _precompile(folder: Path, version: str) -> None:
    """Bytecode beside the sources, as nothing can be written inside: without it every run would compile them anew.

    Compiling runs nothing of them. It is left out where that Python is not here, but in the sandbox alone.
    """
    try:
        program = interpreter.find("" if sys.version_info[:2] == _numbers(version) else version).program
    except SandboxError:
        return
    options = ["-q", "-q", "-j", "0", "--invalidation-mode", "unchecked-hash"]
    command = [program, "-I", "-S", "-m", "compileall", *options, str(folder)]
    subprocess.run(command, capture_output=True, timeout=_INSTALL_S, umask=0o022, check=False)  # noqa: S603


def _imports(folder: Path, distributions: set[str]) -> Iterator[str]:
    """The top-level names that these distributions bring; private ones are theirs alone."""
    from importlib.metadata import distributions as found

    for distribution in found(path=[str(folder)]):
        if _normalised(distribution.metadata["Name"]) in distributions:
            names = {_top_level(file) for file in distribution.files or ()}
            yield from (name for name in names if name.isidentifier() and not name.startswith("_"))


def _top_level(file: PurePosixPath) -> str:
    """The name under which an installed file's package or module is imported, or nothing for any other file."""
    return file.parts[0].partition(".")[0] if file.suffix in (".py", ".so", ".pyd") else ""


def _is_standard(name: str) -> bool:
    return name.partition(".")[0] in sys.stdlib_module_names


def _normalised(name: str) -> str:
    """A distribution's name in the one form that all its spellings have in common (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _distribution(requirement: str) -> str:
    """The name in a requirement."""
    match = _REQUIREMENT.fullmatch(requirement)
    return match[1] if match else requirement


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
