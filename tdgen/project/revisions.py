"""What changed in a module since a revision in git.

git is asked for an object alone: nothing of the project runs, and none of the programs that a repository's settings may
name (filters, pagers, watchers) has to do with that.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from tdgen.errors import InputError
from tdgen.project.git_index import blob_hash
from tdgen.project.module import Module, Unit, decoded, units_of

MOST: Final = 30
"""How many commits are looked through. Not tuned."""
_SECONDS: Final = 30
_ENVIRONMENT: Final = {"GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}


def changed_units(module: Module, revision: str) -> frozenset[str]:
    """The functions and methods whose code, signature or docs are others than at `revision`, and those that name them.

    Of what names a changed one only that counts which can't be guarded itself: a private helper. All of them are
    changed where the file was not there, or was no Python. InputError where git knows no such revision.
    """
    folder = module.file.parent
    data = _git(folder, "cat-file", "blob", f"{_commit(folder, module.path, revision)}:./{module.file.name}")
    before: Mapping[str, Unit] = {}
    with suppress(InputError, SyntaxError):
        before = units_of(decoded(data, module.path)[1]) if data is not None else {}
    changed = {
        name
        for name, unit in module.units.items()
        if not isinstance(unit.node, ast.ClassDef)
        and (name not in before or ast.dump(unit.node) != ast.dump(before[name].node))
    }
    return frozenset(changed | _users(module, changed))


def changed_files(root: Path, files: Iterable[Path], revision: str) -> list[Path]:
    """Those of a folder's files that are others than at `revision`, or new.

    Line ends that git changes may make a file another. InputError where git knows no such revision.
    """
    tree = _git(root, "ls-tree", "-r", "-z", _commit(root, "the project", revision)) or b""
    entries = (entry.partition("\t") for entry in tree.decode("utf-8", "replace").split("\0") if entry)
    before = {path: about.rpartition(" ")[2] for about, _, path in entries}
    return [file for file in files if before.get(file.relative_to(root).as_posix()) != blob_hash(file.read_bytes())]


def earlier_texts(file: Path) -> Iterator[str]:
    """What a file held at the latest commits that changed it, newest first, `MOST` of them; nothing without git."""
    try:
        commits = _git(file.parent, "log", f"-n{MOST}", "--format=%H", "--", f"./{file.name}") or b""
        for commit in commits.decode().split():
            data = _git(file.parent, "cat-file", "blob", f"{commit}:./{file.name}")
            if data is not None:
                yield decoded(data, file.name)[1]
    except InputError:
        return


def _users(module: Module, changed: Collection[str]) -> set[str]:
    """Those that name a changed private helper, or another that does."""
    words = {name: set(re.findall(r"\w+", ast.dump(unit.node))) for name, unit in module.units.items()}
    all_users, waiting = set[str](), [name for name in changed if _is_private(name)]
    while waiting:
        helper = waiting.pop().rpartition(".")[2]
        users = {name for name in words if helper in words[name] and name.rpartition(".")[2] != helper} - all_users
        all_users |= users
        waiting += [name for name in users if _is_private(name)]
    return {name for name in all_users if not isinstance(module.units[name].node, ast.ClassDef)}


def _is_private(name: str) -> bool:
    last = name.rpartition(".")[2]
    return last.startswith("_") and not last.endswith("__")


def _commit(folder: Path, what: str, revision: str) -> str:
    """The commit that a revision names."""
    commit = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit is None:
        if _git(folder, "rev-parse", "--git-dir") is None:
            raise InputError(f"{what} is in no git repository that can be read: --diff compares with a revision")
        raise InputError(f"git knows no revision {revision!r} here: name a commit, a branch or a tag")
    return commit.decode().strip()


def _git(folder: os.PathLike[str], *words: str) -> bytes | None:
    """What git prints; None where it finds nothing. InputError where there is no git."""
    try:
        done = subprocess.run(  # noqa: S603 - git itself, and a revision that it takes for nothing else
            ["git", "-C", os.fspath(folder), *words],  # noqa: S607 - the user's own git
            capture_output=True,
            check=False,
            timeout=_SECONDS,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **_ENVIRONMENT},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError(f"git can't be run ({error}): --diff compares with a revision in git") from None
    return done.stdout if done.returncode == 0 else None
