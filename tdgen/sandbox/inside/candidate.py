"""A candidate's module: compiled once, executed afresh for each probe, in a project as a module of that.

Standard library only, Python 3.9 and later: this file runs inside.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import sys
import types
from collections.abc import Mapping, Sequence
from typing import Any

from tdgen.sandbox.inside.namespace import names_in
from tdgen.sandbox.inside.project import CodeCache, Project, Source, put_first
from tdgen.source.names import STDLIB


class Candidate(Source):
    """A module's source, compiled once and executed anew for each probe; in a `project` as a module of that.

    `public` are the names of classes with those of what is encoded of their instances: of the module's own classes, and
    with a dot of any module's. `beside` are the texts of further modules of the project, and `others` what the job's
    other modules are made of.
    """

    def __init__(
        self,
        name: str,
        source: str,
        public: dict[str, list[str]] | None = None,
        *,
        strict: bool = False,
        project: Project | None = None,
        beside: Mapping[str, str] = types.MappingProxyType({}),
        others: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        super().__init__(name, source, strict=strict)
        self.public = public or {}
        self.project = project
        laid = [Source(other, text) for other, text in beside.items() if other != name]
        self._overlay = project.overlay([self, *laid]) if project else None
        self._code_cache = CodeCache(project) if project else None
        self._is_tried = False
        self._failure: BaseException | None = None
        self._there: frozenset[str] = frozenset()
        self._others, self._number = others, 0
        self._current: Candidate = self
        self._setup: tuple[str, list[ast.AST], types.CodeType] | None = None
        self._expressions: dict[str, tuple[types.CodeType, frozenset[str]]] = {}

    def of(self, number: int) -> Candidate:
        """The module of that number among the job's others, from 1; 0 is this one. No import finds the one before."""
        if number != self._number:
            name = self._current.name
            while name:
                sys.modules.pop(name, None)
                name = name.rpartition(".")[0]
            self._number, self._current = number, Candidate(**self._others[number - 1]) if number else self
        return self._current

    def execute(self) -> types.ModuleType:
        """The module, fresh, and known to `import` under its name. Whatever its source raises passes through.

        In a project it is fresh once in a process: the copies of that begin with what was imported, or it is forgotten.
        """
        if self._overlay:
            self.import_once()
            if self._failure is not None:
                raise self._failure
            if self.module is None:
                raise ImportError(f"the import of {self.name} ended without it", name=self.name)
            return self.module
        code = self.code()
        module = types.ModuleType(self.name)
        module.__file__ = self.filename
        self._place(module)
        exec(code, module.__dict__)  # noqa: S102 - this is what the sandbox is for
        return module

    def as_main(self) -> types.ModuleType:
        """An empty module, known as `__main__`, that the code is to be executed in as a script's."""
        module = types.ModuleType("__main__")
        if self._overlay:
            self._install_overlay()
            module.__spec__ = importlib.util.find_spec(self.name)
            module.__package__ = self.name.rpartition(".")[0]
        module.__file__ = self.filename
        sys.modules["__main__"] = module
        return module

    def setup(self, source: str) -> tuple[list[ast.AST], types.CodeType]:
        """The nodes and the code of a probe's setup: mostly that of the probe before, a version on another call."""
        if self._setup is None or self._setup[0] != source:
            tree = ast.parse(source, "<setup>")
            self._setup = source, list(ast.walk(tree)), compile(tree, "<setup>", "exec", dont_inherit=True)
        return self._setup[1:]

    def expression(self, source: str) -> tuple[types.CodeType, frozenset[str]]:
        """An expression's code and the names in it: probes share many, as versions do their calls."""
        if source not in self._expressions:
            code = compile(source.strip(), "<call>", "eval", dont_inherit=True)
            self._expressions[source] = code, names_in(code)
        return self._expressions[source]

    def fault(self) -> str:
        """What to say of a module that could not be executed: it, or what it is in."""
        if self._overlay and self.module is None:
            return f"the project's package {self.name.rpartition('.')[0]} could not be imported"
        return "the module could not be executed"

    @property
    def elsewhere(self) -> Mapping[str, str]:
        """The names of its project's other modules that cases may use."""
        return self.project.names if self.project else {}

    def made(self, module: str) -> bool:
        """Whether what says that it is of the `module` is the candidate's, or its project's."""
        return module == self.name or bool(self.project and self.project.is_own(module))

    def is_meant(self, module: str) -> bool:
        """Whether cases mean what is of the `module` by a name of the candidate's that is a well-known one, too."""
        return self.made(module) or bool(self.project and module.partition(".")[0] not in STDLIB)

    def import_once(self) -> None:
        """Import the module as its project's; what is raised is kept for who executes it."""
        if self._is_tried:
            return
        self._is_tried = True
        self._there = self._there or frozenset(sys.modules)
        self._install_overlay()
        try:
            importlib.import_module(self.name)
        except BaseException as error:  # noqa: BLE001 - SystemExit and all
            self._failure = error

    def forget(self) -> None:
        """Have the project's own modules be imported afresh the next time."""
        for name in [name for name in sys.modules if name not in self._there and self.made(name)]:
            del sys.modules[name]
        self._is_tried, self._failure, self.module = False, None, None

    def imported_python_alone(self) -> bool:
        """Whether nothing was imported with it but Python modules of the project and the standard library."""
        standard: frozenset[str] = getattr(sys, "stdlib_module_names", frozenset())  # from 3.10 on
        for name in sys.modules.keys() - self._there:
            if self.made(name):
                file = getattr(sys.modules[name], "__file__", None) or ".py"
                if not str(file).endswith(".py"):
                    return False
            elif name.partition(".")[0] not in standard:
                return False
        return self._failure is None

    def _install_overlay(self) -> None:
        """Have this module come from its text, whoever imports it."""
        if self._overlay and self._code_cache:
            sys.modules.pop(self.name, None)
            put_first(self._code_cache)
            put_first(self._overlay)

    def _place(self, module: types.ModuleType) -> None:
        """Make the module known to `import`, and the packages that its name says it is in."""
        sys.modules[self.name] = module
        above, _, name = self.name.rpartition(".")
        while above:
            package = types.ModuleType(above)
            package.__path__ = []
            setattr(package, name, module)
            sys.modules[above] = module = package
            above, _, name = above.rpartition(".")
