"""Third-party packages that the user allows: wheels, installed once outside the sandbox and read-only inside it.

Installing a wheel unpacks it and runs nothing of it; a source distribution would run code on this machine, and is never
taken. A set of requirements has one folder in the cache, made whole and then never changed.

Wheels are chosen for the interpreter that will import them, here or in an image, by tags
(https://packaging.python.org/specifications/platform-compatibility-tags/). Where that is not the Python that runs pip,
pip is told the tags; the markers of dependencies it reads as for its own Python all the same, so what those leave out
for the target is found here (`unmet`).
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from importlib.metadata import distributions
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tdgen.errors import InputError, SandboxError, TdgenError
from tdgen.sandbox.interpreter import find
from tdgen.sandbox.packages import Packages, Target, distribution_of, normalised, requirements, standard
from tdgen.types import digest

if TYPE_CHECKING:
    from packaging.requirements import Requirement

_OLDEST_GLIBC: Final = 5
_LEGACY: Final = {5: "manylinux1", 12: "manylinux2010", 17: "manylinux2014"}
_MUSL: Final = ("musllinux_1_2", "musllinux_1_1")
_TAGS: Final = {"cpython": "cp", "pypy": "pp"}


def is_pips_own(target: Target) -> bool:
    """Whether pip, which runs in this process' Python, chooses for the target as for itself."""
    return find("").target == target.interpreter.target


def tags(target: Target) -> Iterator[str]:
    """Options that tell pip of the target; none where it is pip's own."""
    if is_pips_own(target):
        return
    interpreter = target.interpreter
    short = _TAGS.get(interpreter.implementation, interpreter.implementation)
    numbers = "".join(str(part) for part in interpreter.version[:2])
    yield from (f"--python-version={target.version}", f"--implementation={short}")
    if short == "cp":
        yield f"--abi=cp{numbers}{interpreter.abi_flags}"
    yield from (f"--platform={libc}_{interpreter.machine}" for libc in _libraries(interpreter.libc))


def _libraries(libc: str) -> Iterator[str]:
    """The C libraries whose wheels run with this one, the newest first."""
    name, _, version = libc.partition(" ")
    if name != "glibc":
        yield from _MUSL
        return
    for minor in range(int(version.split(".")[1]), _OLDEST_GLIBC - 1, -1):
        yield f"manylinux_2_{minor}"
        if minor in _LEGACY:
            yield _LEGACY[minor]


def unmet(wanted: Iterable[str], folder: Path, target: Target) -> set[str]:
    """Requirements that hold for the target and whose distributions are not in the folder."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    there = {
        canonicalize_name(distribution.metadata["Name"]): distribution
        for distribution in distributions(path=[str(folder)])
    }
    missing: set[str] = set()
    visited: set[str] = set()
    waiting = [Requirement(text) for text in wanted]
    while waiting:
        asked = waiting.pop()
        if str(asked) in visited:
            continue
        visited.add(str(asked))
        distribution = there.get(canonicalize_name(asked.name))
        if distribution is None:
            asked.marker = None
            missing.add(str(asked))
            continue
        needed = (Requirement(text) for text in distribution.requires or ())
        waiting += [each for each in needed if _holds(each, asked.extras, target)]
    return missing


def _holds(requirement: Requirement, extras: Iterable[str], target: Target) -> bool:
    """Whether a requirement's marker holds for the target, with one of these extras or none."""
    if requirement.marker is None:
        return True
    interpreter = target.interpreter
    full = ".".join(str(part) for part in interpreter.version)
    environment = {
        "implementation_name": interpreter.implementation,
        "implementation_version": full,
        "os_name": "posix",
        "platform_machine": interpreter.machine,
        "platform_python_implementation": {"cpython": "CPython", "pypy": "PyPy"}.get(interpreter.implementation, ""),
        "platform_system": "Linux",
        "python_full_version": full,
        "python_version": target.version,
        "sys_platform": interpreter.system,
    }
    return any(requirement.marker.evaluate({**environment, "extra": extra}) for extra in ("", *extras))


_NONE_FITS: Final = re.compile(r"satisfies the requirement (.+?) \(from versions: (.*?)\)")
_OFFLINE: Final = ("connection broken by", "NewConnectionError", "Could not fetch URL", "Name or service not known")
_SHOWN: Final = 5


def refusal(stderr: str, wanted: Sequence[str], version: str) -> TdgenError:
    """Why these requirements could not be installed for that version of Python, and what to do.

    SandboxError where the package index is out of reach, else InputError.
    """
    asked = f"--allow {', '.join(wanted)}"
    if any(sign in stderr for sign in _OFFLINE):
        return SandboxError(f"{asked}: the package index can't be reached: is there a network?")
    if fits := _NONE_FITS.search(stderr):
        return InputError(_no_wheel(fits[1], fits[2], version))
    if "ResolutionImpossible" in stderr:
        return InputError(f"{asked}: these contradict each other, or what they need does: allow other versions")
    lines = [line.removeprefix("ERROR: ").strip() for line in stderr.splitlines() if line.startswith("ERROR: ")]
    said = lines[-1] if lines else (stderr.strip().splitlines() or ["it said nothing"])[-1]
    return InputError(f"{asked}: pip can't install it: {said[:300]}")


def _no_wheel(requirement: str, versions: str, version: str) -> str:
    """No distribution fits: because none has the version, or there is no wheel at all."""
    there = [name for name in versions.split(", ") if name not in ("", "none")]
    if there:
        shown = ", ".join(["…"] * (len(there) > _SHOWN) + there[-_SHOWN:])
        return f"--allow {requirement}: of that version there is no wheel for Python {version}; there are {shown}"
    return (
        f"--allow {requirement}: there is no wheel of it for Python {version} on Linux (sources are not built): "
        "is the name right?"
    )


_FORMAT: Final = 2
_OURS: Final = re.compile(r"[0-9a-f]{64}$|\.making-")
_INSTALL_S: Final = 900.0
_ROUNDS: Final = 5
_OPTIONS: Final = (
    *("--quiet", "--no-input", "--disable-pip-version-check", "--progress-bar=off", "--retries=2"),
    *("--only-binary=:all:", "--no-compile"),
    "--no-warn-conflicts",  # with what is installed here: to read all of that takes longer than the rest
)


def install(
    allowed: Collection[str], target: Target, cache: Path, tell: Callable[[str], None] = lambda _: None
) -> Packages:
    """The packages among `allowed`, for the target, kept in `cache/packages`.

    What is there already is taken as it is; before anything is fetched, that is told. InputError where one can't be
    had, SandboxError where there is no pip, or no network.
    """
    wanted = requirements(allowed)
    if not wanted:
        return standard(allowed)
    from filelock import FileLock

    name = digest([_FORMAT, wanted, target.interpreter.target]).removeprefix("sha256:")
    try:
        home = cache.absolute() / "packages"
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = home / name
        if not folder.is_dir():
            with FileLock(home / f"{name}.lock"):
                if not folder.is_dir():
                    tell(f"fetching wheels of {', '.join(wanted)} and what they need: once, and it may take a minute")
                    # Install into a folder beside `folder`, and give it that name once it is whole
                    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".making-") as temporary:
                        path = Path(temporary, "site")
                        _fill(path, wanted, target)
                        target.compile(path)
                        path.rename(folder)
    except OSError as error:
        raise InputError(f"packages can't be kept in {cache}: {error.strerror}: set --cache-dir") from error
    imports = _imports(folder, {normalised(distribution_of(text)) for text in wanted})
    return Packages(str(folder), standard(allowed).imports.union(imports))


def clear(cache: Path) -> int:
    """Remove all packages that are kept in `cache`, and nothing else; how many sets there were."""
    home = cache.absolute() / "packages"
    if home.is_symlink() or not home.is_dir():
        return 0
    paths = [path for path in home.iterdir() if path.is_dir() and not path.is_symlink() and _OURS.match(path.name)]
    for folder in paths:
        shutil.rmtree(folder, ignore_errors=True)
    return sum(not folder.exists() for folder in paths)


def _fill(path: Path, wanted: tuple[str, ...], target: Target) -> None:
    """The wheels, and again with what they need on the target alone, until nothing is left out."""
    asked: set[str] = set(wanted)
    for _ in range(_ROUNDS):
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        path.chmod(0o755)  # as root, another user reads it inside
        _pip(tuple(sorted(asked)), target, path)
        left_out = set() if is_pips_own(target) else unmet(wanted, path, target) - asked
        if not left_out:
            return
        asked |= left_out


def _pip(wanted: tuple[str, ...], target: Target, folder: Path) -> None:
    """Have pip unpack the wheels into `folder`."""
    command = [sys.executable, "-P", "-m", "pip", "install", *_OPTIONS, *tags(target), "--target", str(folder), *wanted]
    try:
        done = subprocess.run(  # noqa: S603 - pip, with names that were looked at
            command, capture_output=True, text=True, errors="replace", timeout=_INSTALL_S, umask=0o022, check=False
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"--allow {wanted[0]}: no end of its download within {_INSTALL_S:g} s: try again") from None
    if done.returncode:
        if "No module named pip" in done.stderr:
            raise SandboxError(f"--allow needs pip, which {sys.executable} lacks: `python -m ensurepip` installs it")
        raise refusal(done.stderr, wanted, target.version)


def _imports(folder: Path, distributions: set[str]) -> Iterator[str]:
    """The top-level names that these distributions bring; private ones are theirs alone."""
    from importlib.metadata import distributions as found

    for distribution in found(path=[str(folder)]):
        if normalised(distribution.metadata["Name"]) in distributions:
            names = {
                file.parts[0].partition(".")[0]
                for file in distribution.files or ()
                if file.suffix in (".py", ".so", ".pyd")
            }
            yield from (name for name in names if name.isidentifier() and not name.startswith("_"))
