"""A target: the place in an existing project where units go."""

from __future__ import annotations

from pydantic import Field

from tdgen.types.base import Frozen


class Target(Frozen):
    """A module of an existing project, and the units in it whose code is to be written.

    `module` is the name by which it is imported, `path` its file's path from the project's root, `source` its text as
    it was read. `units` are names at the top level: each function, and each class with those of its methods that are
    to be written. `context` shows what of the project every prompt may see (imports, signatures, documentation, public
    attributes: no code), `code` what the developer alone sees besides. `packages` are the top-level names that the
    module may import beside the standard library: the project's own, and its environment's. `public` has the public
    attributes of the project's classes, by name, which instances are told by.
    """

    module: str
    path: str
    source: str
    units: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    context: str = ""
    code: str = ""
    packages: tuple[str, ...] = ()
    public: dict[str, tuple[str, ...]] = Field(default_factory=dict)
