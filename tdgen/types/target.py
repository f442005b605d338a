"""A target: the place in an existing project where units go."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from tdgen.source.syntax import Bound, bindings, definition, first_line, lines_of, parse
from tdgen.types.base import Frozen
from tdgen.types.declared import SharedType


class Target(Frozen):
    """A module of an existing project, and the units in it whose code is to be written.

    Where the plan says what these are, `added_to` is the class that methods are added to, or "" where functions and
    classes are added to the module itself; it is None where the units stand in `source` already. `changed` is the
    function, method (`Class.method`) or class whose contract the plan says anew; it is "" where the contracts hold.
    `rewritable` are classes of `units` of which other methods may get other bodies, too.

    `module` is the name by which it is imported, `path` its file's path from the project's root, `source` its text as
    it was read. `units` are names at the top level: each function, and each class with those of its methods that are to
    be written. `context` shows what of the project every prompt may see (imports, signatures, documentation, public
    attributes: no code), `code` what the planner and the developer see besides, and `helpers` functions of the module,
    without code, that new code may call and no case needs. `siblings` is code of the units' classes that the planner
    sees, and `standing` has the units' source, where it is other than it is, as the author of code does. `packages` are
    the top-level names that the module may import beside the standard library: the project's own, and its
    environment's. `public` has the public attributes of the project's classes by their qualified names
    (`shop.money.Money`): instances are told by them.
    `types` are those of its data types that the module has by name: calls are made up and compared by their fields.
    `elsewhere` are names that cases may use though the module lacks them when it runs, each with what it stands for
    (`shop.money.Money`); `late` are those that the module can't import at its top, as theirs import it.

    `tests` are tests of the project's own by their ids, each with the units that it names.

    Where `existing` has code, the units have that already: `source` holds stubs in its place, no prompt sees it, and it
    is held against what the stubs say. `concern` is what the user worries about there.
    """

    module: str
    path: str
    source: str
    units: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    added_to: str | None = None
    changed: str = ""
    rewritable: tuple[str, ...] = ()
    context: str = ""
    code: str = ""
    helpers: str = ""
    siblings: str = ""
    standing: dict[str, str] = Field(default_factory=dict)
    packages: tuple[str, ...] = ()
    public: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    types: tuple[SharedType, ...] = ()
    elsewhere: dict[str, str] = Field(default_factory=dict)
    late: tuple[str, ...] = ()
    tests: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    existing: dict[str, str] = Field(default_factory=dict)
    concern: str = ""

    @property
    def names(self) -> Mapping[str, Bound]:
        """What the module binds beside the units, by name."""
        bound = bindings(self.source, self.module, is_package=self.path.endswith("__init__.py"))
        return {name: one for name, one in bound.items() if name not in self.units}

    @property
    def case_names(self) -> Mapping[str, Bound]:
        """What cases may use by name: what the module binds, and what stands elsewhere in the project."""
        lines = {}
        for name, place in self.elsewhere.items():
            module, _, origin = place.rpartition(".")
            lines[name] = Bound(name, f"from {module} import {origin}" + f" as {name}" * (name != origin))
        return {**self.names, **lines}

    @property
    def planned_beside(self) -> str:
        """The code that the planner sees.

        Who plans what is new sees the helpers, too. Nothing where the units have code: their contract owes it nothing.
        """
        if self.existing or self.changed:
            return ""
        return "\n\n".join(filter(None, [self.siblings, self.helpers_told if self.is_open else "", self.code.strip()]))

    @property
    def coded_beside(self) -> str:
        """What the author of code sees beside the units as they stand there."""
        return "\n\n".join(filter(None, [self.helpers_told, self.code.strip()]))

    @property
    def helpers_told(self) -> str:
        """The helpers under a title, or nothing."""
        return f"# what else the module has\n{self.helpers}" if self.helpers else ""

    @property
    def is_open(self) -> bool:
        """Whether the plan says what the units are, or what their signatures and docstrings will be."""
        return self.added_to is not None or bool(self.changed)

    @property
    def laid_methods(self) -> dict[str, tuple[str, ...]]:
        """Of each class of which certain methods alone are written, these."""
        return {name: methods for name, methods in self.units.items() if methods and name not in self.rewritable}

    def text_of(self, name: str) -> str:
        """The lines of a definition at the top level of the module, its decorators too; KeyError where it has none."""
        node = definition(parse(self.source), name)
        if node is None:
            raise KeyError(name)
        return "\n".join(lines_of(self.source)[first_line(node) - 1 : node.end_lineno]) + "\n"
