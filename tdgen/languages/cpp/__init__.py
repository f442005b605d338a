"""The back end for C++: functions in C++20, compiled by g++ with sanitizers in the sandbox, exported with a Makefile.

Values: int is std::int64_t, float double, str std::string, containers are those of the standard library, a dataclass is
a struct, an exception a class that derives from std::exception. What is common with C is in `tdgen.languages.gcc`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from tdgen.languages.cpp import declaring, exporting, harness, reading
from tdgen.languages.cpp.precompiling import Precompiled
from tdgen.languages.gcc.compiled import FLAGS, Compiled
from tdgen.languages.gcc.reading import RESERVED, defined
from tdgen.languages.gcc.types import Types
from tdgen.prompts import render
from tdgen.protocols import ForeignCode
from tdgen.types import FunctionSpec, Plan, Suite


class Cpp(Compiled):
    """Functions in C++."""

    name = "C++"
    advice = "install g++ with its sanitizers (Debian and Ubuntu: apt install g++)"
    compiler, front, suffix = "g++", "cc1plus", "cpp"
    dialect = ("-std=c++20",)
    flags = ("-D_GLIBCXX_ASSERTIONS", "-O0")  # templates take twice as long to compile with -O1
    overhead_s = 15.0
    reserved = keywords = RESERVED | reading.KEYWORDS
    has_nul = True

    @property
    def shown(self) -> tuple[str, ...]:
        """The library's headers, and what the compiler has read of them."""
        ready = self._ready
        return (*super().shown, *[str(ready.path.parent)] * ready.is_there())

    @property
    def precompiled(self) -> str:
        """Where the headers are that the compiler has read, once they are shown."""
        return str(self._ready.path)

    @cached_property
    def _ready(self) -> Precompiled:
        return Precompiled(self.compiler, (*FLAGS, *self.dialect, *self.flags), exporting.INCLUDED)

    def rules(self, spec: FunctionSpec, plan: Plan) -> str:
        """What the developer is told beside the contract."""
        near = tuple(other for other in plan.functions if other.name in (spec.name, *spec.dependencies))
        part = plan.model_copy(update={"functions": near})
        types = Types(part)
        told = declaring.declarations(part, types, exporting.literal_in(part, types)).strip()
        return render(
            "tdgen.languages.cpp",
            "rules",
            signature=f"{self.head(spec, plan)} {{ … }}",
            function=spec.name,
            prefix=f"{spec.name.strip('_')}_",
            types=f"\n- These types are there:\n{told}" if told else "",
            headers=" ".join(f"<{name}>" for name in reading.HEADERS),
            called=self.called(spec, plan),
        )

    def read(self, text: str, spec: FunctionSpec, plan: Plan) -> ForeignCode:
        """The code of an answer, and what stands against it."""
        there = [one.name for one in plan.types] + list(declaring.exceptions(plan))
        return reading.read(text, spec, plan, self.head(spec, plan), there)

    def defined(self, text: str, names: Sequence[str]) -> list[str]:
        """Those of the names that a file defines."""
        return defined(text, names)

    def finished(self, plan: Plan, sources: Mapping[str, str]) -> str:
        """The module's file, with the headers that its code may use."""
        return exporting.with_headers(super().finished(plan, sources), self.header(plan))

    def tests(self, plan: Plan, suites: Sequence[Suite]) -> dict[str, str]:
        """The files beside the module: its header, its tests, and a Makefile."""
        return exporting.files_beside(plan, suites, self.file(plan).removesuffix(".cpp"))

    def head(self, spec: FunctionSpec, plan: Plan) -> str:
        """A function's head, without defaults: those are in the header."""
        return declaring.head(spec, plan)

    def changed(self, spec: FunctionSpec, plan: Plan) -> list[bool]:
        """For each argument whether the code may change it."""
        return declaring.changed(spec, plan)

    def program(self, plan: Plan) -> tuple[str, str]:
        """The types above the code, and what reads calls below it."""
        types = Types(plan)
        above = declaring.declarations(plan, types, exporting.literal_in(plan, types))
        unwritten = "[[noreturn]] static inline void tdgen_unwritten() { exit(87); }\n"
        return f"{exporting.INCLUDED}\n{above}{unwritten}", harness.program(plan, types)
