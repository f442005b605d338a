"""A user's project that a sandbox shows: which folders of it, to which kind of job."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from tdgen.errors import InputError

_TAKEN = ("", "scratch", "dev", "proc", "sys")
"""Folders of the root that a sandbox has, or may not have; the first is the root itself."""


class Mounted(BaseModel):
    """A user's project that a sandbox shows, read-only and at its own path.

    `root` is the project's folder, `imports` are the folders to import from, in order: its own, and its environment's
    site-packages, which may lie elsewhere. Both are absolute. The standard library comes before them. `python` is its
    environment's interpreter, where it has one: only the installation that this is based on is seen inside. `names` are
    what cases may use besides what their module has, each with what it stands for (`shop.money.Money`). `hidden` are
    folders and files that no candidate and no expected value sees, such as the project's tests: these hold values that
    code could look up while it is judged. `private` are those that nothing inside sees, the project's tests neither.
    `laid` are modules of the project, by name, with the sources that take the places of theirs.
    """

    model_config = ConfigDict(frozen=True)

    root: str
    imports: tuple[str, ...] = ()
    python: str = ""
    names: dict[str, str] = Field(default_factory=dict)
    hidden: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    laid: dict[str, str] = Field(default_factory=dict)

    def shown_to(self, kind: str) -> tuple[str, ...]:
        """The folders and files to show to a kind of job: all but what is private, and to probes but what is hidden."""
        away = {os.path.normpath(path) for path in (*self.private, *(self.hidden if kind == "probes" else ()))}
        return tuple(part for path in self.shown for part in _less(path, away))

    @property
    def shown(self) -> tuple[str, ...]:
        """The folders to show: the project's, and those of `imports` that are there and lie in none of the others."""
        kept: list[str] = []
        for path in sorted({os.path.normpath(path) for path in (self.root, *self.imports) if Path(path).exists()}):
            if not any(path.startswith(f"{other}/") for other in kept):
                kept.append(path)
        return tuple(kept)

    def brings(self, package: str) -> bool:
        """Whether there is such a package to import."""
        return any(Path(folder, package, "__init__.py").is_file() for folder in self.imports)

    def check(self) -> None:
        """InputError where the project can't be shown, before anything runs."""
        for path in (self.root, *self.imports):
            if not Path(path).is_absolute():
                raise InputError(f"the project's folder {path} must be given by its whole path")
            if os.path.normpath(path).split("/")[1] in _TAKEN:
                raise InputError(f"{path} can't be shown to a sandbox as a project's folder: move the project")
        root = Path(self.root)
        if not root.exists():
            raise InputError(f"there is no project at {self.root}: name its folder")
        if not root.is_dir():
            raise InputError(f"{self.root} is no folder: name the project's")
        if not os.access(root, os.R_OK | os.X_OK):
            raise InputError(f"the project's folder {self.root} can't be read: give yourself the right to")


def _less(path: str, hidden: Collection[str]) -> list[str]:
    """What there is of a path without what is hidden in it: itself, or the largest folders and files below it."""
    if path in hidden:
        return []
    if not any(other.startswith(f"{path}/") for other in hidden):
        return [path]
    return [part for name in sorted(os.listdir(path)) for part in _less(f"{path}/{name}", hidden)]  # noqa: PTH208 - names alone
