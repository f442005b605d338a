"""The back end for TypeScript: what JavaScript's does, of code with types, which Node strips before it runs it.

Contracts' types are told as TypeScript's, in the function's head and in the classes that tdgen writes. Where `tsc` is
installed, what it says against the code stands against the attempt. Only types that can be erased may be used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tdgen.language import ReadCode
from tdgen.languages import shapes
from tdgen.languages.files import text_of
from tdgen.languages.javascript import JavaScript, classes, writing
from tdgen.languages.javascript.annotations import type_of
from tdgen.languages.javascript.reading import Dialect
from tdgen.languages.typescript import checking
from tdgen.prompts import render
from tdgen.types import FunctionSpec, Plan, Suite


class TypeScript(JavaScript):
    """Functions and classes in TypeScript."""

    name = "TypeScript"
    dialect = Dialect("TypeScript", "ts", frozenset({"ts", "typescript", "mts", "tsx"}))
    suffix, grammar = "ts", "typescript"
    least = (22, 18)
    ignored = "..._: unknown[]"

    def read(self, text: str, spec: FunctionSpec, plan: Plan, **more: Any) -> ReadCode:
        """The code of an answer, and what stands against it: of what could run, also what the compiler says."""
        code = super().read(text, spec, plan)
        if code.findings:
            return code
        heads = [f"declare {self.head(one, plan)}" for one in plan.functions if one.name != spec.name]
        given = "\n".join([self.prelude(plan), *heads])
        return ReadCode(code.source, tuple(checking.findings(code.source, given)))

    def tests(self, plan: Plan, suites: Sequence[Suite], sources: Mapping[str, str]) -> dict[str, str]:
        """The files beside the module: those of JavaScript, and what the compiler needs to know."""
        return {**super().tests(plan, suites, sources), "tsconfig.json": checking.settings_text([self.file(plan)])}

    @property
    def judged_by(self) -> tuple[str, ...]:
        """Node, and the compiler where it is installed."""
        compiler = checking.version()
        return (*super().judged_by, *([f"tsc {compiler}"] if compiler else []))

    @property
    def lacks(self) -> tuple[str, ...]:
        """Mutants, and the compiler."""
        compiler = () if checking.version() else ("tsc, so types are not checked: npm install --global typescript",)
        return (*super().lacks, *compiler)

    def prelude(self, plan: Plan) -> str:
        """The classes that code may use, with the types of their fields."""
        return writing.prelude(plan, lambda annotation: f": {type_of(annotation, plan)}")

    def signature(self, spec: FunctionSpec, plan: Plan) -> str:
        """The function's head, with its types and defaults."""
        if spec.interface:
            return classes.skeleton(spec, spec.interface, plan, typed=True)
        return f"{'async ' * spec.is_async}{self.head(spec, plan, defaults=True)} {{ … }}"

    def head(self, spec: FunctionSpec, plan: Plan, *, defaults: bool = False) -> str:
        """The function as a declaration has it: without its defaults, unless they are asked for."""
        if spec.interface:
            return classes.skeleton(spec, spec.interface, plan, typed=True, declared=True)
        given = []
        for one in shapes.parameters(spec):
            annotation = type_of(one.type, plan)
            annotation += " | null" * (one.default == "None" and "null" not in annotation)
            if one.name.startswith("*"):
                given.append(f"...{one.name[1:]}: Array<{annotation}>")
            else:
                optional = "?" * (one.default is not None and not defaults)
                given.append(f"{one.name}{optional}: {annotation}{classes.default(one.default) if defaults else ''}")
        returns = "void" if spec.returns.type == "None" else type_of(spec.returns.type, plan)
        returns = f"Promise<{returns}>" if spec.is_async else returns
        return f"function {spec.name}({', '.join(given)}): {returns}"

    @property
    def sample(self) -> str:
        """Code by which what strips types is made ready."""
        return text_of(__name__, "sample.ts")

    @property
    def notes(self) -> str:
        """What its developer minds beside."""
        return "\n" + render("tdgen.languages.typescript", "notes")

    @property
    def equality(self) -> str:
        """The function by which its tests compare, with types."""
        return super().equality.replace("(actual, expected)", "(actual: any, expected: any): boolean", 1)
