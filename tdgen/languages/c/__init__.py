"""The back end for C: functions in C17, compiled by gcc with sanitizers in the sandbox, exported with a Makefile.

Values: int is int64_t, float double, str a `char *` in UTF-8, all else is a struct that `declaring` writes. A function
that raises has a last parameter for the failure. What is common with other languages of gcc's is in
`tdgen.languages.gcc`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tdgen.language import ReadCode
from tdgen.languages import shapes
from tdgen.languages.c import exporting, harness, reading
from tdgen.languages.c.declaring import Types, declared, kinds
from tdgen.languages.gcc.compiled import Compiled
from tdgen.languages.gcc.reading import RESERVED
from tdgen.languages.gcc.types import given, returned
from tdgen.prompts import render
from tdgen.types import FunctionSpec, Plan, Suite


class C(Compiled):
    """Functions in C."""

    name = "C"
    advice = (
        "install gcc (Debian and Ubuntu: apt install gcc libc6-dev) or clang (clang libclang-rt-dev libc6-dev), with "
        "their sanitizers"
    )
    compilers, variable, front, library, suffix = ("gcc", "clang"), "CC", "cc1", "libm.so", "c"
    reserved = RESERVED | {"restrict", "fail", "error"}
    keywords = reserved | reading.FUNCTIONS | reading.TAKEN
    module_text = staticmethod(exporting.module_text)
    has_nul, most_mutants, last = False, 60, ("error",)
    dialect = ("-std=c17", "-D_POSIX_C_SOURCE=200809L")
    flags = (
        *("-Werror=implicit-function-declaration", "-Werror=incompatible-pointer-types"),
        "-Werror=int-conversion",
    )

    def refused(self, plan: Plan) -> Iterator[str]:
        """Failures with fields."""
        for one in plan.types:
            if one.kind == "exception" and one.fields:
                yield f"type {one.name!r}: a failure in C has a message alone: leave its fields out"

    def rules(self, spec: FunctionSpec, plan: Plan, *, is_repair: bool = False) -> str:
        """What the developer is told beside the contract."""
        near = tuple(other for other in plan.functions if other.name in (spec.name, *spec.dependencies))
        types = Types(plan.model_copy(update={"functions": near})).declarations().strip()
        declared_types = f"\n- These types are there, with a function that frees each:\n{types}" if types else ""
        failing = ""
        if spec.raises:
            failing = "\n" + render("tdgen.languages.c", "failing", kinds=", ".join(kinds(plan)))
        return render(
            "tdgen.languages.c",
            "rules",
            signature=f"{self.head(spec, plan)} {{ … }}",
            function=spec.name,
            prefix=f"{spec.name.strip('_')}_",
            types=declared_types,
            called=self.called(spec, plan),
            compiler=self.tools.name,
            headers=" ".join(f"<{name}.h>" for name in reading.HEADERS),
            failing=failing,
        )

    def read(self, text: str, spec: FunctionSpec, plan: Plan, **more: Any) -> ReadCode:
        """The code of an answer, and what stands against it."""
        return reading.read(text, spec, plan, [*Types(plan).all, *kinds(plan), "failure"])

    def tests(self, plan: Plan, suites: Sequence[Suite], sources: Mapping[str, str]) -> dict[str, str]:
        """The files beside the module: its header, its tests, and a Makefile."""
        return exporting.files_beside(
            plan, suites, self.file(plan).removesuffix(".c"), lambda spec: self.head(spec, plan)
        )

    def head(self, spec: FunctionSpec, plan: Plan) -> str:
        """A function's head."""
        pairs = zip(given(spec, plan), shapes.parameters(spec), strict=True)
        parameters = [declared(of, one.name, given=True) for of, one in pairs] + ["failure *error"] * bool(spec.raises)
        return declared(returned(spec, plan), f"{spec.name}({', '.join(parameters) or 'void'})")

    def above(self, plan: Plan) -> str:
        """The headers, the types, and the heads of functions."""
        return f"{exporting.declarations(plan, Types(plan))}{exporting.UNWRITTEN}\n{self.heads(plan)}"

    def harness(self, plan: Plan) -> tuple[str, Sequence[str]]:
        """What reads calls."""
        types = Types(plan)
        return harness.codec(plan, types), [harness.case(types, plan, spec) for spec in plan.functions]
